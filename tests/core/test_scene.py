"""Pictures of tables: they tell nothing that is hidden, every legal move can be made with their pieces, and any game has one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import meeple
from meeple.core.check import specimens
from meeple.core.errors import BrokenGame
from meeple.core.game import HIDDEN
from meeple.core.registry import part_of_game
from meeple.core.scene import COLOURS, KINDS, STATES, Parts, Piece, Scene, as_json, parts_of, scene_of
from meeple.core.sources import PACKAGE
from tests.conftest import games
from tests.games.named import positions
from tests.play.sticks import GAME as STICKS
from tests.search.tiny import GAME as TINY

GAMES = [meeple.find_game(name) for name in meeple.game_names()]
SPECS = [variant.spec for game in GAMES for variant in specimens(game)]
POSITIONS = 200  # of each specimen: some 5,000 in all


def some_positions(spec: str) -> Iterator[meeple.State]:
    """Of as many random games as it takes."""
    return islice((state for seed in range(1, 99) for state in positions(spec, seed)), games(POSITIONS))


def pieces(scene: Scene) -> Iterator[Piece]:
    return (piece for zone in scene.zones for piece in zone.pieces)


def pictures(state: meeple.State, seat: int) -> list[Scene]:
    """Of the truth and of two worlds that look the same to the seat. State.view would redeal all three alike and so hide a leak."""
    game = state.variant.game
    own = part_of_game(game, "scene")
    assert own is not None
    worlds = [state, state.redealt(seat, 1), state.redealt(seat, 2)]
    return [own.scene(state.variant, game.view(world.data, seat)) for world in worlds]


@pytest.mark.parametrize("spec", SPECS)
def test_a_scene_tells_nothing_that_is_hidden(spec: str) -> None:
    for state in list(some_positions(spec))[::7]:
        for seat in range(state.variant.shape.seats):
            truth, *others = pictures(state, seat)
            assert all(other == truth for other in others)
            assert scene_of(state, seat) == truth


def test_a_scene_that_tells_too_much_would_be_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """A view with the opponent's hand, drawn as cards that were seen."""
    state = meeple.new("jaipur:round", 3)
    honest = state.variant.game.view

    def leaky(s: Any, seat: int) -> dict[str, Any]:
        seen = honest(s, seat)
        seen["opponent"]["known"] = {kind: int(n) for kind, n in zip(seen["tokens"], s.hand[1 - seat], strict=True) if n}
        return seen

    monkeypatch.setitem(state.variant.game.__dict__, "view", leaky)
    truth, *others = pictures(state, 0)
    assert any(other != truth for other in others)


@pytest.mark.parametrize("spec", SPECS)
def test_every_legal_move_can_be_made_with_pieces_of_the_table(spec: str) -> None:
    for state in some_positions(spec):
        if state.over:
            continue
        there = scene_of(state, state.seat).parts()
        made: dict[Parts, set[str]] = {}
        for action in state.legal():
            touched = parts_of(state.variant, action)
            assert all(there.get(part, 0) >= number for part, number in touched), (state, state.variant.format_action(action))
            assert len({part for part, _ in touched}) == len(touched)
            verb = state.variant.format_action(action).split()[0] if touched else state.variant.format_action(action)
            # Two moves with the same pieces are two buttons, which begin with another word.
            assert verb not in made.setdefault(tuple(sorted(touched)), set())
            made[tuple(sorted(touched))].add(verb)


@pytest.mark.parametrize("spec", SPECS)
def test_what_a_scene_says_the_page_can_draw(spec: str) -> None:
    own = {"level-1", "level-2", "level-3", ""}  # the backs of Splendor's decks
    for state in list(some_positions(spec))[::10]:
        for seat in range(state.variant.shape.seats):
            scene = scene_of(state, seat)
            assert json.loads(json.dumps(as_json(scene))) == as_json(scene)
            assert len({zone.name for zone in scene.zones}) == len(scene.zones)
            assert {zone.kind for zone in scene.zones} <= set(KINDS)
            for piece in pieces(scene):
                assert piece.colour in {*COLOURS, *own}
                assert piece.kind in {*KINDS, ""}
                assert piece.state in STATES
                assert piece.count > 0
                assert all(fact.colour in {*COLOURS, ""} and fact.state in STATES for fact in piece.facts)


@pytest.mark.parametrize("spec", SPECS)
def test_every_picture_that_a_scene_names_is_drawn(spec: str) -> None:
    art = (PACKAGE / "serve" / "static" / "art").glob("*.svg")
    drawings = {f"{path.stem}/{name}" for path in art for name in re.findall(r'<symbol id="([\w-]+)"', path.read_text())}
    for state in list(some_positions(spec))[::10]:
        for seat in range(state.variant.shape.seats):
            for piece in pieces(scene_of(state, seat)):
                assert {piece.picture, *(fact.picture for fact in piece.facts)} - {""} <= drawings


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_our_own_games_have_a_picture_of_their_own(game: meeple.Game) -> None:
    assert part_of_game(game, "scene") is not None


@pytest.mark.parametrize("game", [TINY, STICKS], ids=["tiny", "sticks"])
def test_a_game_without_a_picture_is_drawn_from_its_view_and_its_moves(game: meeple.Game) -> None:
    variant = game.variant()
    state = meeple.new(variant, 1)
    scene = scene_of(state, state.seat)
    there = scene.parts()
    assert there
    assert {part for action in state.legal() for part, _ in parts_of(variant, action)} == set(there)
    assert [piece.name for piece in pieces(scene) if piece.part] == state.moves()
    if variant.shape.seats > 1:
        assert not scene_of(state, 1 - state.seat).parts(), "moves are offered to the seat that decides alone"


def test_values_of_a_view_become_tiles_in_words() -> None:
    state = meeple.new(STICKS.variant(), 1)
    shown = {piece.name: piece.mark for piece in pieces(scene_of(state, state.seat)) if not piece.part}
    assert shown
    assert all(name[0].isupper() for name in shown)
    assert not [mark for mark in shown.values() if mark in ("True", "False", "None")]


def test_a_secret_move_touches_nothing() -> None:
    assert parts_of(meeple.find_variant("jaipur:round"), HIDDEN) == ()


def test_an_exchange_of_jaipur_touches_market_hand_and_herd() -> None:
    variant = meeple.find_variant("jaipur:round")
    touched = parts_of(variant, variant.parse_action("exchange L L M > D S C"))
    assert dict(touched) == {"market:diamond": 1, "market:silver": 1, "market:cloth": 1, "hand:leather": 2, "herd:camel": 1}


def test_plain_data_leaves_defaults_out() -> None:
    told = as_json(scene_of(meeple.new("jaipur:round", 3), 0))
    assert all("columns" not in zone for zone in told["zones"])
    assert {"name", "title", "pieces"} <= set(told["zones"][0])


def test_a_picture_that_lacks_half_of_its_functions_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("meeple.core.scene.part_of_game", lambda *_: object())
    with pytest.raises(BrokenGame, match="needs both"):
        scene_of(meeple.new("jaipur:round", 3), 0)


def test_the_picture_of_the_page_on_adding_a_game_is_one() -> None:
    page = (Path(__file__).parent.parent.parent / "docs" / "add_a_game.md").read_text()
    (code,) = re.findall(r"## A picture for the browser.*?```python\n(.*?)```", page, re.S)
    made: dict[str, Any] = {}
    exec(code, made)
    scene = made["scene"](None, {"you": 12, "opponent": 3, "pot": 7, "goal": 100})
    assert isinstance(scene, Scene)
    assert scene.parts() == dict(made["parts"](None, 0) + made["parts"](None, 1))

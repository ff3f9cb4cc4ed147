"""A table as a picture made of data: what the page draws, for any game, without a line of web code in the game.

A **scene** is what one seat sees: zones (market, hand, bank, ...) of pieces (cards, tokens, dice, ...). A piece has a `part`, the
name by which moves speak of it. `parts` tells for every action which parts it touches and how many of each. The page lets people
choose pieces; the legal moves whose parts contain what is chosen remain, and one whose parts are exactly that is offered to be
played. Two actions with the same parts (buy or reserve the same card) are told apart by their texts.

A game has a picture of its own if its folder has a file scene.py with

    def scene(variant, seen) -> Scene         # `seen` is the game's view: a scene cannot tell what the view does not tell
    def parts(variant, action) -> tuple[tuple[str, int], ...]      # of the seat that decides: ("hand:leather", 2), ...

Any other game gets a picture of its view and a piece for each legal move. Who needs a picture calls

    scene_of(state, seat) -> Scene            # of any state; the view inside is made from a redealt copy
    parts_of(variant, action)                 # the game's own, or that of the fallback; () for a move that is a secret
    as_json(scene) -> dict                    # fields that have their default value are left out

as_json(scene) = {"ask": ..., "zones": [{"name", "title", "kind", "seat", "note", "wide", "columns",
    "pieces": [{"name", "part", "mark", "label", "colour", "kind", "picture", "count", "state",
        "facts": [{"name", "value", "colour", "picture", "state"}]}]}]}

No file called scene.py is part of a kernel's fingerprint (core/sources.py): redrawing a table compiles nothing anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from typing import Any

from meeple.core.errors import BrokenGame
from meeple.core.game import HIDDEN, Game, Variant
from meeple.core.registry import part_of_game
from meeple.core.state import State

Parts = tuple[tuple[str, int], ...]

# Names of colours, which the page's theme defines for light and dark; a piece never differs from another by its colour alone.
COLOURS = ("red", "orange", "gold", "green", "teal", "blue", "purple", "brown", "white", "silver", "black")
# How a zone lays out its pieces and what they look like; a piece may be of another kind than its zone.
KINDS = ("card", "small", "token", "die", "box", "tile", "fact", "move")
# What has become of a piece: turned or spent; face down; a place where something could lie; crossed out or won; it acts right now.
STATES = ("", "used", "back", "empty", "done", "active")


@dataclass(frozen=True)
class Fact:
    """A figure on a piece: a cost, an attack, a value further down a pile."""

    name: str
    value: str
    colour: str = ""
    picture: str = ""
    state: str = ""


@dataclass(frozen=True)
class Piece:
    """Something on the table. Where no move touches it, it has no part. Several pieces may share a part: moves do not tell them
    apart."""

    name: str
    part: str = ""
    mark: str = ""  # the few signs that stand large on its face: points, letters
    label: str = ""  # the whole of it in words, for those who do not see it; default: name and mark
    colour: str = ""
    kind: str = ""  # one of KINDS; default: the zone's
    picture: str = ""  # a drawing of the page: "jaipur/diamond"
    count: int = 1  # so many alike lie there: cards side by side, tokens in a stack
    state: str = ""
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True)
class Zone:
    """A place on the table. Zones of a seat are drawn at that seat, the others in the middle."""

    name: str
    title: str
    pieces: tuple[Piece, ...] = ()
    kind: str = "card"
    seat: int | None = None
    note: str = ""  # a few words beside the title
    wide: bool = False  # takes a line of its own
    columns: int = 0  # pieces lie in so many columns; 0: as there is room


@dataclass(frozen=True)
class Scene:
    """All zones, in the order in which they are drawn and read out."""

    zones: tuple[Zone, ...]
    ask: str = ""  # what the seat to move decides now, as a question

    def parts(self) -> dict[str, int]:
        """How many there are of each part."""
        found: dict[str, int] = {}
        for zone in self.zones:
            for piece in zone.pieces:
                if piece.part:
                    found[piece.part] = found.get(piece.part, 0) + piece.count
        return found


def scene_of(state: State, seat: int) -> Scene:
    """What a seat sees, drawn by the game or, where it has no picture, from its view and the legal moves."""
    own = _own_picture(state.variant.game)
    if own is None:
        return _plain_scene(state, seat)
    scene = own.scene(state.variant, state.view(seat))
    if not isinstance(scene, Scene):
        raise BrokenGame(f"scene() of {state.variant.game.name} gives a {type(scene).__name__}; a Scene is needed.")
    return scene


def parts_of(variant: Variant, action: int) -> Parts:
    """The parts that an action touches, of the seat that decides, each with its number."""
    if action == HIDDEN:
        return ()
    own = _own_picture(variant.game)
    return ((_move_part(action), 1),) if own is None else tuple(own.parts(variant, action))


def _own_picture(game: Game) -> Any:
    own = part_of_game(game, "scene")
    if own is not None and not (callable(getattr(own, "scene", None)) and callable(getattr(own, "parts", None))):
        raise BrokenGame(f"scene.py of the game {game.name} needs both scene(variant, seen) and parts(variant, action).")
    return own


def as_json(scene: Scene) -> dict[str, Any]:
    """Plain data. What has its default value is left out: most of a table is default."""
    return {"ask": scene.ask, "zones": [_plain(zone) for zone in scene.zones]}


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if not isinstance(value, Fact | Piece | Zone):
        return value
    pairs = ((name, getattr(value, name), default) for name, default in _FIELDS[type(value)])
    return {name: _plain(held) for name, held, default in pairs if held != default}


# Names and defaults: looked up for every piece of every message.
_FIELDS = {kind: tuple((field.name, field.default) for field in fields(kind)) for kind in (Fact, Piece, Zone)}


# ---- A picture for any game ----------------------------------------------------------------------------------------


def _plain_scene(state: State, seat: int) -> Scene:
    """The view as tiles: single values together, every list and table in a zone of its own; then the moves."""
    seen = state.view(seat)
    single = {key: value for key, value in seen.items() if not isinstance(value, dict | list | tuple)}
    zones = [Zone("view", "Table", tuple(_tile(key, value) for key, value in single.items()), "fact", wide=True)] if single else []
    zones += [_zone_of(key, value) for key, value in seen.items() if key not in single]
    if state.seat == seat and not state.over:
        zones += _move_zones(state)
    return Scene(tuple(zones))


def _zone_of(key: str, value: Any) -> Zone:
    items = value.items() if isinstance(value, dict) else enumerate(value, 1)
    return Zone(f"view:{key}", _words(key), tuple(_tile(str(name), item) for name, item in items), "fact")


def _tile(name: str, value: Any) -> Piece:
    return Piece(_words(name), mark=_short(value))


def _short(value: Any) -> str:
    """A value in few signs; tables inside tables in words."""
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "–"}[value]
    if isinstance(value, dict):
        return ", ".join(f"{_words(str(key)).lower()} {_short(item)}" for key, item in value.items()) or "–"
    if isinstance(value, list | tuple):
        return ", ".join(_short(item) for item in value) or "–"
    return str(value)


def _words(key: str) -> str:
    text = key.replace("_", " ")
    return text[:1].upper() + text[1:]


def _move_zones(state: State) -> Iterator[Zone]:
    """Moves that begin with the same word lie together, if that makes groups worth the name."""
    named = [(action, state.variant.format_action(action)) for action in state.legal()]
    kinds = dict.fromkeys(text.split()[0] for _, text in named)
    if len(kinds) in (1, len(named)):
        yield Zone("moves", "Moves", _move_pieces(named), "move", wide=True)
        return
    for word in kinds:
        yield Zone(f"moves:{word}", _words(word), _move_pieces((a, text) for a, text in named if text.split()[0] == word), "move")


def _move_pieces(named: Iterable[tuple[int, str]]) -> tuple[Piece, ...]:
    return tuple(Piece(text, part=_move_part(action)) for action, text in named)


def _move_part(action: int) -> str:
    return f"move:{action}"

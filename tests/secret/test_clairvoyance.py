"""Who sees what is hidden: agents whose registered kind says so, and nobody else; and they are called so wherever they appear."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from rich.console import Console

from meeple.agents import registry
from meeple.agents.phases import PlainByPhase
from meeple.agents.registry import AgentSpec, find_agent, labels
from meeple.arena.fair import Cheat, check_fair
from meeple.arena.match import play_match
from meeple.arena.plan import Plan
from meeple.arena.records import stored_record
from meeple.arena.store import Store
from meeple.arena.table import Piece
from meeple.arena.tournament import play_tournament
from meeple.cli import match as cli_match
from meeple.cli import tournament as cli_tournament
from meeple.core.agent import AgentKind, Clairvoyant, Seen, ask
from meeple.core.errors import MeepleError
from meeple.core.registry import find_game
from meeple.core.rng import child
from meeple.core.state import new
from meeple.envs.setup import against, read_setup
from meeple.lab.plots import _short
from meeple.play.session import begin
from meeple.rollout.stepper import Batch
from tests.secret.bids import GAME, SEATS
from tests.secret.test_secrets import BIDS, meeple

VARIANT = GAME.variant()


class Spy:
    """Says of itself that it is clairvoyant, on the class and on itself, and notes what it was given."""

    clairvoyant = True

    def __init__(self, given: list[type]) -> None:
        self.clairvoyant = True
        self.given = given

    def choose(self, seen: Seen) -> int:
        self.given.append(type(seen))
        return seen.legal[0]


def player(given: list[type], clairvoyant: bool = False) -> AgentSpec:
    return AgentSpec(AgentKind("oracle" if clairvoyant else "spy", "", lambda _: Spy(given), clairvoyant=clairvoyant))


def one_game(players: list[AgentSpec]) -> None:
    Piece(VARIANT, players, [1], np.arange(SEATS, dtype=np.int8)[None]).play()


def test_an_agent_that_calls_itself_clairvoyant_is_shown_what_its_seat_may_know() -> None:
    given: list[type] = []
    one_game([player(given)] * SEATS)
    ask(Spy(given), new(VARIANT, 1), 1)
    assert set(given) == {Seen}


def test_an_agent_of_a_clairvoyant_kind_sees_all_and_only_it() -> None:
    honest: list[type] = []
    oracle: list[type] = []
    one_game([player(oracle, True), player(honest), player(honest)])
    assert set(honest) == {Seen} and set(oracle) == {Clairvoyant}


def test_opponents_in_environments_go_by_their_kinds() -> None:
    given: list[type] = []
    for clairvoyant in (False, True):
        games = Batch(VARIANT, 1, seat=0, opponents=[player(given).make], clairvoyant=[clairvoyant])
        games.reset()
        games.step(np.zeros(1, np.int32))
        assert set(given) == {Clairvoyant if clairvoyant else Seen}
        given.clear()


def test_the_parts_of_a_player_go_by_their_own_kinds() -> None:
    given: list[type] = []
    for clairvoyant in (False, True):
        PlainByPhase([Spy(given)], [clairvoyant], ["spy"]).choose(Clairvoyant(new(VARIANT, 1), 1))
    PlainByPhase([Spy(given)], [False], ["spy"]).choose(Seen(new(VARIANT, 1), 1))
    assert given == [Seen, Clairvoyant, Seen]


@pytest.mark.parametrize(
    ("spec", "clairvoyant"),
    [
        ("phases:planning=mcts-clairvoyant(iterations=10)", True),
        ("phases:other=mcts-clairvoyant(iterations=10)", True),
        ("phases:planning=mcts(iterations=10)", False),
        ("mcts-clairvoyant", True),
        ("mcts", False),
    ],
)
def test_a_player_with_a_clairvoyant_part_is_labelled(spec: str, clairvoyant: bool) -> None:
    found = find_agent(spec, find_game("lotr"))
    assert found.clairvoyant == clairvoyant
    assert found.label == found.spec + (" (clairvoyant)" if clairvoyant else "")


def own(monkeypatch: pytest.MonkeyPatch, given: list[type], clairvoyant: bool) -> str:
    """An agent as --code would bring it; returns its name."""
    kind = player(given, clairvoyant).kind
    monkeypatch.setitem(registry._OWN, kind.name, kind)
    return kind.name


@pytest.fixture
def bids(monkeypatch: pytest.MonkeyPatch) -> None:
    """The game by name, in this process."""
    monkeypatch.setattr("meeple.play.session.find_variant", lambda _: VARIANT)
    monkeypatch.setattr("meeple.core.record.find_variant", lambda _: VARIANT)
    monkeypatch.setattr("meeple.core.state.find_variant", lambda _: VARIANT)
    monkeypatch.setattr("meeple.arena.records.find_variant", lambda _: VARIANT)


@pytest.mark.usefixtures("bids")
@pytest.mark.parametrize("clairvoyant", [False, True])
def test_an_opponent_of_a_person_goes_by_its_kind_and_an_adviser_is_never_clairvoyant(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, clairvoyant: bool
) -> None:
    given: list[type] = []
    name = own(monkeypatch, given, clairvoyant)
    session = begin(VARIANT, [name], 2, 1, tmp_path / "game.txt")
    session.let_agent_move()
    assert given == [Clairvoyant if clairvoyant else Seen]
    assert session.name(0) == f"seat 0 ({name}{', clairvoyant' if clairvoyant else ''})"
    session.let_agent_move()
    given.clear()
    session.hint(find_agent(name, GAME))
    assert given == [Seen]


def test_environments_tell_of_clairvoyant_opponents_and_take_no_such_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    from meeple.envs.one_seat import GameEnv

    name = own(monkeypatch, [], True)
    setup = against(read_setup(VARIANT, "", "", {}), name, 0)
    env = GameEnv(setup)
    assert env.metadata["clairvoyant"] == [name]
    env.reset(seed=1)
    with pytest.raises(MeepleError, match="sees what is hidden"):
        env.ask(name)
    jaipur = read_setup("jaipur:round", "full", "", {})
    assert jaipur.clairvoyant == ["observation=full"]


def a_match(store: Store, *clairvoyant: bool) -> dict[str, Any]:
    return play_match(Plan(VARIANT, tuple(player([], each) for each in clairvoyant), SEATS, 1), store)


@pytest.mark.usefixtures("bids")
def test_results_records_and_tables_label_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(tmp_path / "results.sqlite")
    result = a_match(store, True, False, False)
    assert result["clairvoyant"] == [True, False, False]
    assert labels(result) == ["oracle (clairvoyant)", "spy", "spy"]
    assert store.matches()[0]["agents"] == labels(result)
    assert stored_record(store, 1, 0).players[0] == "oracle (clairvoyant)"
    assert "(clairvoyant)" in printed(monkeypatch, cli_match.show_match, result)
    assert "(clairvoyant)" not in printed(monkeypatch, cli_match.show_match, a_match(store, False, False, False))


def printed(monkeypatch: pytest.MonkeyPatch, show: Any, result: dict[str, Any]) -> str:
    console = Console(width=200, record=True, file=io.StringIO())
    monkeypatch.setattr(cli_match, "console", console)
    monkeypatch.setattr(cli_tournament, "console", console)
    show(result)
    return console.export_text()


def test_tournaments_label_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = find_game("jaipur")
    variant = game.variant("round")
    plan = Plan(variant, (player([], True), player([])), 2, 1)
    result = play_tournament([plan], Store(tmp_path / "results.sqlite"))
    assert {row["agent"]: row["clairvoyant"] for row in result["ratings"]} == {"oracle": True, "spy": False}
    assert printed(monkeypatch, cli_tournament.show_tournament, result).count("oracle (clairvoyant)") == 2


def test_a_plot_labels_it_however_long_its_name_is() -> None:
    assert _short("a" * 40 + " (clairvoyant)").endswith("…\n(clairvoyant)")


class Digger(Spy):
    """Decides by what is hidden, if it can see it."""

    def choose(self, seen: Seen) -> int:
        return int(seen.sample(seen.seed).data.bid.clip(0).sum() + seen.seed) % 5 if type(seen) is Clairvoyant else 0


def test_a_clairvoyant_kind_is_not_called_a_cheat_and_a_cheat_is() -> None:
    digger = AgentKind("digger", "", lambda _: Digger([]))
    assert check_fair(VARIANT, AgentSpec(digger)) == 9
    assert check_fair(VARIANT, AgentSpec(replace(digger, clairvoyant=True))) == 0
    with pytest.raises(Cheat):
        check_fair(VARIANT, AgentSpec(AgentKind("cheat", "", lambda _: Cheater())))


class Cheater:
    """Digs in the frames of those who ask."""

    def choose(self, seen: Seen) -> int:
        import sys

        frame, truth = sys._getframe(), None
        while frame is not None and truth is None:
            frame, truth = frame.f_back, frame.f_locals.get("state")  # type: ignore[assignment]
        return int(truth.data.bid.clip(0).sum()) % 5 if truth is not None else seen.legal[0]


CODE = """
from meeple.core.agent import AgentKind
class Spy:
    clairvoyant = True
    def choose(self, seen):
        return 0 if type(seen).__name__ == "Seen" else 4
AGENTS = (AgentKind("spy", "", lambda _: Spy()), AgentKind("oracle", "", lambda _: Spy(), clairvoyant=True))
"""


def test_a_match_of_ones_own_code(tmp_path: Path, quiet_environment: dict[str, str]) -> None:
    """The whole way: a spy bids 1 as it was shown no more than others are, an oracle 5, and is called what it is."""
    code, store = tmp_path / "code.py", tmp_path / "results.sqlite"
    code.write_text(CODE)
    words = ["match", "bids", "spy", "oracle", "random", "--games", "3", "--processes", "1"]
    words += ["--code", str(code), "--store", str(store)]
    result = json.loads(meeple([*words, "--json"], "", quiet_environment, BIDS))
    assert result["agents"] == ["spy", "oracle", "random"] and result["clairvoyant"] == [False, True, False]
    assert "oracle (clairvoyant)" in meeple(words, "", quiet_environment, BIDS)
    listed = meeple(["results", "--store", str(store)], "", quiet_environment, BIDS)
    assert "spy v oracle (clairvoyant) v random" in listed
    moves = meeple(["replay", "--match", "1", "--store", str(store)], "", quiet_environment, BIDS)
    assert "seat 0: bid 1" in moves and "seat 1: bid 5" in moves


# ---- An agent's luck does not tell the deal ----


def backwards(word: int, index: int) -> int:
    """`derive` reckoned back: the seed that gives this word at this index."""
    return (unmixed(unmixed(word) ^ (index * GOLDEN + M1) % 2**64) - GOLDEN) % 2**64


def unmixed(z: int) -> int:
    z = unshifted(z, 31) * pow(M2, -1, 2**64) % 2**64
    z = unshifted(z, 27) * pow(M1, -1, 2**64) % 2**64
    return unshifted(z, 30)


def unshifted(z: int, by: int) -> int:
    found = z
    for _ in range(64 // by + 1):
        found = z ^ (found >> by)
    return found


GOLDEN, M1, M2 = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


class Reckoner:
    """Reckons from its own luck what the table was dealt from: its seed is the first child of the second of ... of the deal's."""

    found: ClassVar[list[int]] = []

    def choose(self, seen: Seen) -> int:
        word = backwards(seen.seed, 1)
        for _ in range(seen.ply // SEATS + 1):
            word = backwards(word, 0)
        Reckoner.found += [backwards(word, 100 + agent) for agent in range(SEATS)]
        return seen.legal[0]


def test_an_agent_cannot_reckon_the_deal_from_its_luck() -> None:
    assert backwards(child(1234, 7), 7) == 1234  # it can reckon
    Reckoner.found = []
    reckoner = AgentSpec(AgentKind("reckoner", "", lambda _: Reckoner()))
    Piece(VARIANT, [reckoner] * SEATS, [1234], np.arange(SEATS, dtype=np.int8)[None]).play()
    assert len(Reckoner.found) == 27 and 1234 not in Reckoner.found

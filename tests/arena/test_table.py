"""Tables: luck that depends on nobody else, agents that are made once, and those that may remember."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

import meeple
from meeple.agents.registry import AgentSpec, find_agent
from meeple.arena.plan import Plan, make_plan
from meeple.core.agent import AgentKind, Forgetful, Seen
from meeple.core.errors import MeepleError
from meeple.core.game import Variant

TINY = Path(__file__).parent.parent / "search" / "tiny"
ROUND = meeple.find_variant("jaipur:round")
RANDOM = find_agent("random", ROUND.game)


@pytest.mark.parametrize("agents", [["random", "basic3"], ["random", "random"]], ids=" v ".join)
def test_a_game_does_not_depend_on_those_played_beside_it(agents: list[str]) -> None:
    plan = make_plan("jaipur:round", agents, 40, 3)
    together = plan.play(range(40)).actions
    for number in range(40):
        assert plan.play(range(number, number + 1)).actions[0].tolist() == together[number].tolist()


class Counting:
    """Remembers how often it was asked, and plays by it: right only if it forgets from game to game."""

    made = 0

    def __init__(self, variant: Variant) -> None:  # noqa: ARG002
        type(self).made += 1
        self.asked = 0

    def choose(self, seen: Seen) -> int:
        self.asked += 1
        return seen.legal[self.asked % len(seen.legal)]


class Beginning(Counting):
    begun: ClassVar[list[tuple[str, int]]] = []

    def begin(self, variant: Variant, seat: int) -> None:
        self.begun.append((variant.spec, seat))
        self.asked = 0


def plan_of(make: Any) -> Plan:
    return Plan(ROUND, (AgentSpec(AgentKind("counting", "a test's", make)), RANDOM), 8, 1)


def test_an_agent_that_may_remember_is_made_anew_for_every_game() -> None:
    Counting.made = 0
    plan = plan_of(Counting)
    together = [actions.tolist() for actions in plan.play(range(8)).actions]
    assert Counting.made == 8
    alone = [plan_of(Counting).play(range(number, number + 1)).actions[0].tolist() for number in range(8)]
    assert together == alone


def test_an_agent_that_is_told_when_a_game_begins_is_made_once_and_plays_the_same() -> None:
    Beginning.made, Beginning.begun = 0, []
    plan = plan_of(Beginning)
    told = [actions.tolist() for piece in (range(3), range(3, 8)) for actions in plan.play(piece).actions]
    assert Beginning.made == 1
    assert Beginning.begun == [("jaipur:round", 0), ("jaipur:round", 1)] * 4
    assert told == [actions.tolist() for actions in plan_of(Counting).play(range(8)).actions]


@pytest.mark.parametrize("spec", ["mcts:iterations=20", "mcts:iterations=20,reuse=1"])
def test_a_search_made_once_plays_as_one_made_anew(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    once = make_plan("jaipur:round", [spec, "random"], 4, 1).play(range(4)).actions
    monkeypatch.setattr("meeple.arena.table.begins_anew", lambda agent: False)  # noqa: ARG005
    anew = make_plan("jaipur:round", [spec, "random"], 4, 1).play(range(4)).actions
    assert [actions.tolist() for actions in once] == [actions.tolist() for actions in anew]


def test_parts_of_an_agent_are_told_too_and_one_that_may_remember_makes_the_whole_so() -> None:
    from meeple.agents.phases import PlainByPhase

    Beginning.begun = []
    whole = PlainByPhase([Beginning(ROUND), Forgetful()], [False, False], ["one", "two"])
    whole.begin(ROUND, 1)
    assert Beginning.begun == [("jaipur:round", 1)]
    assert not hasattr(PlainByPhase([Beginning(ROUND), Counting(ROUND)], [False, False], ["one", "two"]), "begin")


@pytest.mark.parametrize("agents", [29, 129])
def test_any_number_of_agents_may_play_a_game_for_one(agents: int) -> None:
    plan = make_plan(f"{TINY}:pot", ["random"] * agents, agents, 3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(plan.play(range(agents)).actions) == agents
    _, seating = plan.tables(range(agents))
    assert seating[:, 0].tolist() == list(range(agents))


def test_one_mind_does_not_sit_in_two_seats() -> None:
    from meeple.arena.table import Piece

    counting = AgentSpec(AgentKind("counting", "a test's", Counting))
    with pytest.raises(MeepleError, match="counting sits in two seats as one mind"):
        Piece(ROUND, [counting], [1], np.zeros((1, 2), np.int8)).play()


@pytest.mark.parametrize("agent", ["random", "basic3"])
def test_a_kernel_agent_named_once_a_seat_is_asked_once_and_each_seat_has_its_own_luck(agent: str) -> None:
    from meeple.arena.table import Piece

    seating = np.array([[0, 1]] * 8)
    player, again = find_agent(agent, ROUND.game), find_agent(agent, ROUND.game)
    one = Piece(ROUND, [player, player], list(range(8)), seating)
    assert one.agents.asked_as == [0, 0] and one.agents.made[0] is one.agents.made[1]
    streams = one.tables.streams[:, :, 0]
    assert (streams[:, 0] != streams[:, 1]).all()
    two = Piece(ROUND, [player, again], list(range(8)), seating)
    assert two.agents.asked_as == [0, 1]
    for a, b in zip(one.play().actions, two.play().actions, strict=True):
        assert a.tolist() == b.tolist()


def test_seeds_of_every_size_give_whole_words_of_luck() -> None:
    """NumPy makes floats of a list with words above and below 2^63."""
    plan = make_plan("jaipur:round", ["random", "random"], 64, 3)
    from meeple.arena.table import Piece
    from meeple.core.rng import sealed

    seeds, seating = plan.tables(range(64))
    streams = Piece(ROUND, plan.players, seeds, seating).tables.streams
    wanted = [[sealed(seed, 100 + int(who)) for who in row] for seed, row in zip(seeds, seating, strict=True)]
    assert streams[:, :, 0].tolist() == wanted
    assert streams.dtype == np.uint64

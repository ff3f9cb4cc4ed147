"""A match is played by who plays its rounds: the same position is decided alike in both."""

from __future__ import annotations

import numpy as np
import pytest

from meeple.agents.analyze import analyze, find_analyst
from meeple.agents.by_part import played
from meeple.agents.champion import champion_file, levels_of
from meeple.agents.registry import find_agent
from meeple.core.agent import ask
from meeple.core.kernel import JIT
from meeple.core.registry import find_variant
from meeple.core.state import State, new

MATCH, ROUND = find_variant("jaipur:match"), find_variant("jaipur:round")


def in_the_second_round() -> State:
    """A position of a match with a seal won, played at random."""
    state, rng = new(MATCH, 5), np.random.default_rng(5)
    while state.data.rounds == 0 or state.data.round_turn < 6 or len(state.legal()) < 4:
        state.play(int(rng.choice(state.legal())))
    return state


def as_a_round(state: State) -> State:
    alone = new(ROUND, 1)
    alone.array[:] = state.array
    alone.data.match = 0
    return alone


def test_a_part_keeps_the_options_of_the_whole() -> None:
    assert MATCH.part == ROUND
    assert find_variant("jaipur:match,actions=25469").part == find_variant("jaipur:round,actions=25469")
    assert ROUND.part is None
    assert find_variant("splendor:2").part is None


def test_a_network_of_the_round_is_known_by_its_card() -> None:
    assert played(MATCH, champion_file(ROUND)) == ROUND
    assert played(ROUND, champion_file(ROUND)) == ROUND


@pytest.mark.skipif(not JIT, reason="compiles a search")
@pytest.mark.parametrize(
    "name", [f"net:{champion_file(ROUND)}", "champion:iterations=40", "champion:iterations=40,workers=2", "champion:level=4"]
)
def test_a_position_of_a_match_is_decided_as_in_a_round(name: str) -> None:
    state = in_the_second_round()
    assert state.data.seals.sum() == 1
    whole, alone = (find_agent(name, variant.game).make(variant) for variant in (MATCH, ROUND))
    decided = [(ask(whole, state, seed), ask(alone, as_a_round(state), seed)) for seed in range(12)]
    assert all(one == other for one, other in decided)
    assert "round" not in state.variant.spec  # the match itself was not touched
    assert state.data.match == 1


@pytest.mark.skipif(not JIT, reason="compiles a search")
def test_a_position_of_a_match_is_analysed_as_in_a_round() -> None:
    state = in_the_second_round()
    analysts = [find_analyst("champion", variant, iterations=40).make(variant) for variant in (MATCH, ROUND)]
    whole, alone = (analyze(agent, each, 3) for agent, each in zip(analysts, (state, as_a_round(state)), strict=True))
    assert whole.moves == alone.moves
    assert (whole.variant, alone.variant) == ("jaipur:match", "jaipur:round")


def test_a_match_has_the_levels_of_its_rounds() -> None:
    assert levels_of(MATCH) == levels_of(ROUND)

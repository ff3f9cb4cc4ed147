"""Beginners: they overlook, they like points at hand, and with eyes open they are the network; levels lie at equal distances."""

from __future__ import annotations

import numpy as np
import pytest

from meeple import new
from meeple.agents.champion import TOP, champion_file
from meeple.agents.novice import choose_as_novice, look_near
from meeple.agents.registry import find_agent
from meeple.core.agent import choose
from meeple.core.errors import MeepleError
from meeple.core.kernel import JIT
from meeple.core.registry import find_variant
from meeple.core.rng import stream
from meeple.core.state import State
from meeple.core.verbs import legal
from meeple.lab.levels import RUNGS, between, distance, place, plan_levels

pytestmark = pytest.mark.skipif(not JIT, reason="the same kernels, slowly")
VARIANT = find_variant("jaipur:round")


def positions(many: int) -> list[State]:
    rng, found = np.random.default_rng(1), []
    for seed in range(many):
        state = new(VARIANT, seed)
        for _ in range(int(rng.integers(0, 30))):
            if not state.over:
                moves = state.legal()
                state.play(moves[int(rng.integers(len(moves)))])
        if not state.over and len(state.legal()) > 1:
            found.append(state)
    return found


def test_who_sees_everything_and_wants_nothing_at_once_plays_as_the_network() -> None:
    novice = find_agent("novice:sight=1,near=0", VARIANT.game).make(VARIANT)
    net = find_agent(f"net:{champion_file(VARIANT)}", VARIANT.game)
    out = np.zeros(VARIANT.shape.room, np.int32)
    policy = net.make(VARIANT)
    for state in positions(40):
        table = state.redealt(state.seat, 5).array
        assert choose_as_novice(novice, table[0], stream(3), out) == choose(policy, table[0], stream(3), out)


def test_who_sees_little_overlooks_and_never_what_scores_most_when_only_points_count() -> None:
    blind = find_agent("novice:sight=0,near=0", VARIANT.game).make(VARIANT)
    greedy = find_agent("novice:sight=0,near=1000", VARIANT.game).make(VARIANT)
    out, varied, sold = np.zeros(VARIANT.shape.room, np.int32), 0, 0
    for state in positions(60):
        table = state.redealt(state.seat, 5).array
        varied += len({choose_as_novice(blind, table[0], stream(seed), out) for seed in range(20)}) > 1
        n = legal(table[0], out)
        look_near(greedy, table[0], out, n)
        gains = greedy.gains[:n].copy()
        if gains.max() > 0:
            chosen = {choose_as_novice(greedy, table[0], stream(seed), out) for seed in range(20)}
            best = {int(out[i]) for i in range(legal(table[0], out)) if gains[i] == gains.max()}
            assert chosen <= best
            sold += 1
    assert varied > 20
    assert sold > 10


def test_levels_lie_at_equal_distances_between_uneven_rungs() -> None:
    ratings = np.concatenate([np.linspace(0, 300, 5), np.linspace(310, 900, len(RUNGS) - 5), [1000.0]])
    levels = place(ratings.tolist())
    assert len(set(levels)) == TOP - 1
    spots = np.linspace(0, len(RUNGS) - 1, 50 * (len(RUNGS) - 1) + 1)
    told = {between(float(spot)): float(np.interp(spot, np.arange(len(ratings)), ratings)) for spot in spots}
    for number, level in enumerate(levels):
        nearest = min(
            told, key=lambda one: abs(one.sight - level.sight) + abs(np.log1p(one.iterations) - np.log1p(level.iterations))
        )
        assert told[nearest] == pytest.approx(1000 * number / (TOP - 1), abs=25)


@pytest.mark.parametrize("ratings", [[0.0] * len(RUNGS) + [1000.0], [0.0] + [1000.0] * len(RUNGS)])
def test_where_rungs_cannot_be_told_apart_levels_still_differ(ratings: list[float]) -> None:
    levels = place(ratings)
    assert len(set(levels)) == TOP - 1
    assert [level.sight for level in levels] == sorted(level.sight for level in levels)


def test_a_rung_is_a_level_and_between_two_rungs_lie_others() -> None:
    assert [between(float(i)) for i in range(len(RUNGS))] == [rung._replace(near=round(rung.near, 2)) for rung in RUNGS]
    assert between(len(RUNGS) - 1.5).iterations == 128


def test_distances_by_hand() -> None:
    even = {"mean": 0.5, "games": 100}
    assert distance(even, 2) == pytest.approx(0)
    assert distance({"mean": 10 / 11, "games": 10**9}, 2) == pytest.approx(400, abs=1e-3)
    assert distance({"mean": 1 / 3, "games": 10**9}, 3) == pytest.approx(0, abs=1e-3)
    assert distance({"mean": 4.5, "games": 100}, 1) == 4.5


def test_without_network_and_guide_there_is_nothing_to_measure() -> None:
    with pytest.raises(MeepleError, match="neither a network nor a guide"):
        plan_levels("lotr:easy", "iterations=4", 8, 1)


def test_a_slip_in_how_long_level_ten_thinks_is_found_before_the_first_game() -> None:
    with pytest.raises(MeepleError, match="ms must be a number"):
        plan_levels("jaipur:round", "ms=long", 8, 1)

"""Rake&Roll's own players: who never passes without need, and who plans the turn."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

import meeple
from meeple.agents.registry import find_agent
from meeple.core.agent import ask
from meeple.core.kernel import JIT, kernel
from meeple.core.rng import child, draw, stream
from meeple.games.rake.combinations import accepted
from meeple.games.rake.components import PROPERTIES
from meeple.games.rake.evaluation import MEAN_DIE, WEIGHTS, evaluate, make_evaluation
from meeple.games.rake.lookahead import MOST_COMBINATIONS, Lookahead, best_combination
from meeple.games.rake.reroll import best_reroll
from tests.games.rake.positions import after_reroll, clock, cross, finish, hold, offer_acorn, roll, table

VARIANTS = ("complete", "deterministic", "simple", "official", "official-2", "official-3")
FULL = {"harvick": 4, "elliott": 3, "busch": 6, "johnson": 6, "suarez": 5, "earnhardt": 5, "patrick": 6, "hamlin": 5}
slow = pytest.mark.skipif(not JIT, reason="tens of thousands of rolls are too many without the compiler")


def agent_of(player: str, state: meeple.State) -> Any:
    return find_agent(player, state.variant.game).make(state.variant)


def decide(player: str, state: meeple.State, seed: int = 0) -> str:
    return state.variant.format_action(ask(agent_of(player, state), state, seed))


def play_at_random(state: meeple.State, seed: int, plies: int) -> meeple.State:
    """So many plies without passing, so that there is something on the sheets."""
    agent = agent_of("random-nopass", state)
    for ply in range(plies):
        if not state.over:
            state.play(ask(agent, state, child(seed, ply)))
    return state


# ---- random-nopass -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", VARIANTS)
def test_random_nopass_passes_only_where_it_must(variant: str) -> None:
    passed = 0
    agent = agent_of("random-nopass", table(variant))
    for number in range(20 if JIT else 2):
        state = table(variant, number)
        while not state.over:
            move = state.variant.format_action(ask(agent, state, child(number, state.ply)))
            if move == "pass":
                assert state.moves() == ["pass"]
                passed += 1
            state.play(move)
    assert passed > 0 or not JIT


def test_random_nopass_chooses_uniformly_among_the_rest() -> None:
    for state in (
        roll(table("simple"), "123 44 1"),
        after_reroll(roll(table(), "124 35 5")),
        offer_acorn(table("official"), "green"),
    ):
        choices = [action for action in state.legal() if state.variant.format_action(action) != "pass"]
        agent = agent_of("random-nopass", state)
        chosen = [ask(agent, state, seed) for seed in range(2000 if JIT else 200)]
        counts = [chosen.count(action) for action in choices]
        assert sum(counts) == len(chosen)
        assert len(counts) > 1 and chisquare(counts).pvalue > 1e-4


# ---- beginner ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_beginner_neither_rerolls_nor_bumps_and_passes_only_where_nothing_fits(variant: str) -> None:
    agent = agent_of("beginner", table(variant))
    for number in range(5 if JIT else 1):
        state = table(variant, number)
        while not state.over:
            move = state.variant.format_action(ask(agent, state, 0))
            assert move.split()[0] not in ("reroll", "bump")
            if move == "pass":
                assert {other.split()[0] for other in state.moves()} <= {"pass", "reroll", "bump"}
            state.play(move)


def test_a_beginner_takes_as_many_dice_as_fit_and_puts_them_where_they_pay_most_at_once() -> None:
    state = after_reroll(roll(table(), "123 44 6"))
    assert decide("beginner", state) == "take o1 o2 o3"  # a run of three, where two brown ones are a pair
    state = after_reroll(roll(table(), "345 26 1"))
    state.play(decide("beginner", state))
    assert {"section harvick", "section elliott"} <= set(state.moves())
    assert decide("beginner", state) == "section elliott"  # pays their total of 12, a first column of Harvick 4


# ---- What a sheet will come to, by hand --------------------------------------------------------------------------------------


# Nothing is ever finished again, and nothing is worth anything, but where a test says so.
NOTHING = {param.name: 0.0 for param in WEIGHTS} | {"pace": 1.0}


def worth(state: meeple.State, clock: int = 40, **weights: float) -> float:
    return float(evaluate(make_evaluation(False, **(NOTHING | weights)), state.data, 0, clock))


def test_a_sheet_whose_time_is_up_is_worth_its_money() -> None:
    state = finish(table("complete"), harvick=2, busch=5, hamlin=3)
    state.data.elliott_best[0] = 12
    cross(state, "newman", 0, 1, 2)
    assert worth(state, 40) == worth(state, 45) == state.scores()[0] == 10 + 8 + 18 + 12 + 6


def test_groups_to_come_count_by_their_chance_and_the_turns_that_are_left() -> None:
    state = cross(finish(table(), **(FULL | {"earnhardt": 4})), "newman", *range(6))
    now = state.scores()[0]
    assert worth(state, 40) == now
    assert worth(state, 39, earnhardt=0.5) == pytest.approx(now + 12 * 0.5)
    assert worth(state, 38, earnhardt=0.5) == pytest.approx(now + 12 * 0.75)
    assert worth(state, 36, earnhardt=0.5, pace=2) == pytest.approx(now + 12 * 0.75)
    assert worth(state, 37, earnhardt=0.5, pace=2) == pytest.approx(now + 12 * (0.5 + 0.75) / 2)  # one turn and a half
    assert worth(state, 39, earnhardt=0.5, pace=6) == pytest.approx(now + 12 * 0.5)  # there is one at least


def test_simple_counts_with_the_pace_of_a_die() -> None:
    agent: Lookahead = agent_of("lookahead", table("simple"))
    assert agent.evaluation.pace == MEAN_DIE


def test_bonuses_count_in_the_official_game_only() -> None:
    for variant, expected in (("official", 2 * 1.5 + 3 + 1 + 1 + 5), ("complete", 0)):
        state = hold(table(variant), brown=2)
        state.data.acorns[0] = 1
        cross(cross(state, "johnson", 12), "johnson", 13)  # un-scored, five
        cross(state, "earnhardt", 0)  # un-scored; half of a row that pays nothing by itself
        assert worth(state, 40, bump=1.5, acorn=3) == expected


# ---- lookahead: decisions ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", ["complete", "official"])
def test_lookahead_takes_what_pays_most_in_the_last_turn(variant: str) -> None:
    state = after_reroll(clock(finish(roll(table(variant), "345 55 5"), earnhardt=2, patrick=1), 39))
    state.data.combinations = 1
    assert decide("lookahead", state) == "take b1 b2"
    state.play("take b1 b2")
    assert decide("lookahead", state) == "section earnhardt"


def test_lookahead_plans_both_combinations_together() -> None:
    """Eighteen for both brown dice alone, or eight for one and fifteen for the other."""
    state = after_reroll(clock(finish(roll(table(), "216 55 5"), earnhardt=2, busch=2, johnson=2), 39))
    cross(state, "newman", 4)
    assert decide("lookahead", state) == "take b1 b2"  # no orange five: Busch is out
    roll(state, "215 55 5")
    first = decide("lookahead", state)
    assert first in ("take o3 b1", "take o3 b2", "take b1 g", "take b2 g")
    while state.turn == 0:
        state.play(decide("lookahead", state))
    assert state.scores() == [8 + 15 + 1]


def test_lookahead_assigns_dice_where_they_pay() -> None:
    state = after_reroll(clock(finish(roll(table(), "661 35 4"), suarez=1, elliott=2), 39))
    state.data.elliott_best[0] = 9 + 2
    state.play("take o1 o2")
    assert decide("lookahead", state) == "section suarez"  # eight against one
    state.data.elliott_best[0] = 0
    assert decide("lookahead", state) == "section elliott"  # twelve


def test_lookahead_in_simple_takes_what_pays_most_in_the_last_turn() -> None:
    state = clock(finish(roll(table("simple"), "454 43 4"), hamlin=2, patrick=2, johnson=2, busch=2), 59)
    assert set(state.moves()) == {"busch", "newman", "johnson", "suarez", "patrick", "hamlin", "pass"}
    assert decide("lookahead", state) == "hamlin"


@slow
def test_lookahead_keeps_what_pays_and_rolls_the_rest_again() -> None:
    state = clock(finish(roll(table(), "134 55 6"), earnhardt=2, harvick=2, elliott=3), 39)
    cross(state, "newman", *range(6))
    # Eighteen are sure; a two or a five would bring eight more. The last green die may be what it likes.
    assert decide("lookahead", state) in ("reroll o1", "reroll o1 g")
    roll(state, "234 55 6")
    assert decide("lookahead", state).startswith("take")  # nothing better can come


def test_lookahead_bumps_a_die_that_pays_by_it() -> None:
    state = after_reroll(clock(hold(finish(roll(table("official"), "124 54 3"), earnhardt=4), brown=1), 39))
    assert decide("lookahead", state) == "bump b2"
    finish(state, earnhardt=5)
    assert not decide("lookahead", state).startswith("bump")


def test_lookahead_places_an_acorn_where_it_completes_what_pays() -> None:
    state = offer_acorn(clock(cross(finish(table("official"), earnhardt=2), "earnhardt", 4), 39), "brown")
    assert decide("lookahead", state) == "acorn earnhardt"
    state = offer_acorn(clock(cross(table("official"), "newman", 0, 1, 2, 3, 4), 39), "green")
    assert decide("lookahead", state) == "acorn newman 6"


# ---- lookahead: expectation --------------------------------------------------------------------------------------------------


def plain_reroll(me: Lookahead, state: meeple.State) -> dict[int, float]:
    """What each set of dice that are rolled again leads to: the mean of the best plan over all rolls that can come of it."""
    values = np.zeros((6,) * 6)
    then = after_reroll(state.copy())
    for dice in product(range(6), repeat=6):
        then.data.dice[:] = [value + 1 for value in dice]
        values[dice] = best_combination(me, then.data, 0)[1]
    hoped = {}
    for again in range(1, 64):
        kept = tuple(slice(None) if again >> die & 1 else int(value) - 1 for die, value in enumerate(state.data.dice))
        hoped[again] = float(values[kept].mean())
    return hoped


@slow
@pytest.mark.parametrize(
    ("dice", "time", "rerolled", "groups"),
    [
        ("134 55 6", 39, 1, {"earnhardt": 2, "harvick": 2, "elliott": 3}),
        ("345 12 6", 12, 2, {"busch": 4, "patrick": 2, "suarez": 3, "hamlin": 1, "elliott": 1}),
        ("255 54 3", 30, 3, {"earnhardt": 2, "harvick": 2, "johnson": 5}),
        ("125 34 6", 39, 2, FULL | {"busch": 1}),  # only two rows at once bring money
    ],
)
def test_the_expectation_of_a_reroll_is_the_mean_over_all_rolls(
    dice: str, time: int, rerolled: int, groups: dict[str, int]
) -> None:
    state = clock(cross(finish(roll(table(), dice), **groups), "newman", 1, 3), time)
    me: Lookahead = agent_of("lookahead", state)
    hoped = plain_reroll(me, state)
    again, most = best_reroll(me, state.data)
    assert most == pytest.approx(max(hoped.values()))
    assert most == pytest.approx(hoped[again])
    assert again.bit_count() == rerolled


@kernel
def most_combinations(table: Any, rolls: Any) -> int:
    most = 0
    s = table[0]
    for i in range(rolls.shape[0]):
        for die in range(6):
            s.dice[die] = rolls[i, die]
        n = 0
        for number in range(PROPERTIES):
            sets = accepted(s, number)
            while sets:
                sets &= sets - 1
                n += 1
        most = max(most, n)
    return most


def test_no_roll_offers_more_combinations_than_there_is_room_for() -> None:
    """All rolls on an empty sheet, and on sheets where acorns have made groups small."""
    rolls = np.array(list(product(range(1, 7), repeat=6)) if JIT else [[6] * 6, [5] * 6, [1, 1, 1, 1, 1, 1]], np.int64)
    assert most_combinations(table().array, rolls) == 31
    begun = {"harvick": (0,), "elliott": (), "busch": (), "johnson": (0,), "suarez": (0,), "earnhardt": (0,), "patrick": (0,)}
    state = table("official")
    for name, leaves in begun.items():
        cross(state, name, *leaves)
    assert most_combinations(state.array, rolls) <= MOST_COMBINATIONS
    # By count: no property accepts more sets than these, whatever is crossed.
    assert 3 + 4 + 6 + 1 + 3 + 6 + 2 + 6 + 6 <= MOST_COMBINATIONS


# ---- lookahead: whole games --------------------------------------------------------------------------------------------------


@slow
@pytest.mark.parametrize("variant", VARIANTS)
def test_lookahead_plays_every_variant_to_the_end(variant: str) -> None:
    state = table(variant, 5)
    agent = agent_of("lookahead", state)
    while not state.over:
        state.play(ask(agent, state, state.ply))
    assert state.end.reason == "time is up"
    assert min(state.scores()) > (40 if variant == "simple" else 70)


@slow
@pytest.mark.parametrize("variant", VARIANTS)
def test_lookahead_decides_the_same_whatever_the_dice_to_come(variant: str) -> None:
    decisions = 0
    agent = agent_of("lookahead", table(variant))
    for number in range(12):
        state = play_at_random(table(variant, number), number, 4 * number)
        for _ in range(4):
            if not state.over:
                assert len({ask(agent, state, seed) for seed in (1, 2, 3)}) == 1
                legal = state.legal()
                state.play(legal[draw(stream(state.ply), len(legal))])
                decisions += 1
    assert decisions >= 20


def test_optimal_plays_simple_only() -> None:
    with pytest.raises(meeple.MeepleError, match="optimal plays rake:simple only"):
        agent_of("optimal", table("complete"))

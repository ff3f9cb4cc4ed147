"""What Rake&Roll tells a search: the plans of `foresight`, or of `lookahead` as in 2026, in points or shares, before and after the
dice fall."""

from __future__ import annotations

import os
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import meeple
from meeple.agents.registry import find_agent
from meeple.core.agent import ask
from meeple.core.guide import advise, value_before_luck
from meeple.core.kernel import JIT, kernel
from meeple.core.rng import child
from meeple.games.rake.guide import Raker, make_guide, make_guide_2026
from meeple.games.rake.rules import legal
from meeple.games.rake.state import ACORN, REROLL
from tests.games.rake.plain import plain_values
from tests.games.rake.positions import clock, finish, roll, table

slow = pytest.mark.skipif(not JIT, reason="all rolls of the dice are too many without the compiler")


def advice(guide: Raker, state: meeple.State) -> tuple[list[int], NDArray[np.float64], NDArray[np.float64]]:
    """Actions, what the guide says of each, and what it says of the table; which it must leave as it is."""
    shape = state.variant.shape
    out, logits, values = np.zeros(shape.room, np.int32), np.zeros(shape.room), np.zeros(shape.seats)
    before = state.array.tobytes()
    n = legal(state.data, out)
    advise(guide, state.data, out, n, logits, values)
    assert state.array.tobytes() == before
    return out[:n].tolist(), logits[:n], values


@slow
@pytest.mark.parametrize("variant", ["complete", "simple", "official", "official-2", "official-3"])
@pytest.mark.parametrize(("make", "player"), [(make_guide, "foresight"), (make_guide_2026, "lookahead")])
def test_the_best_action_by_the_guide_is_what_the_planner_plays(variant: str, make: Any, player: str) -> None:
    state = table(variant)
    guide, agent = make(state.variant), find_agent(player, state.variant.game).make(state.variant)
    decisions = 0
    for number in range(4):
        state = table(variant, number)
        while not state.over:
            move = ask(agent, state, child(number, state.ply))
            actions, logits, values = advice(guide, state)
            assert np.isfinite(logits).all() and np.isfinite(values).all()
            if state.variant.shape.winnable:
                assert values.sum() == pytest.approx(1) and values.min() > 0
            else:
                assert values[0] == logits.max()
            # The planner bumps only after it has thought of a reroll, and places acorns without a look at what follows.
            if state.data.phase != ACORN and "bump" not in state.variant.format_action(actions[int(logits.argmax())]):
                assert logits[actions.index(move)] == pytest.approx(logits.max(), abs=1e-6)
                decisions += 1
            state.play(move)
    assert decisions > 60


def test_simple_is_valued_by_what_is_assigned() -> None:
    state = clock(finish(roll(table("simple"), "454 43 4"), hamlin=2, patrick=2, johnson=2, busch=2), 59)
    actions, logits, values = advice(make_guide(state.variant), state)
    worth = dict(zip((state.variant.format_action(action) for action in actions), logits, strict=True))
    now = state.scores()[0]
    assert worth["pass"] == now and worth["hamlin"] == now + 18 and worth["johnson"] == now + 15 and worth["newman"] == now + 1
    assert values[0] == now + 18


@kernel
def mean_of_simple(guide: Any, s: Any, dice: Any, out: Any, logits: Any, values: Any) -> float:
    total = 0.0
    for i in range(dice.shape[0]):
        for die in range(6):
            s.dice[die] = dice[i, die]
        advise(guide, s, out, legal(s, out), logits, values)
        total += values[0]
    return total / dice.shape[0]  # type: ignore[no-any-return]


@slow
def test_before_the_dice_fall_a_table_is_worth_the_mean_over_them() -> None:
    values = np.zeros(1)
    every = np.array(list(product(range(1, 7), repeat=6)))
    for variant in ("simple", "complete", "official"):
        state = clock(finish(table(variant), busch=4, patrick=2, suarez=3, hamlin=1), 22)
        guide = make_guide(state.variant)
        assert value_before_luck(guide, state.data, values)
        if variant == "simple":
            out, logits = np.zeros(state.variant.shape.room, np.int32), np.zeros(state.variant.shape.room)
            mean = mean_of_simple(guide, state.data, every, out, logits, np.zeros(1))
        else:
            mean = best_rerolls(plain_values(guide.lookahead.evaluation, state.data)).mean()
        assert values[0] == pytest.approx(mean)


def best_rerolls(worth: NDArray[np.float64]) -> NDArray[np.float64]:
    """For every roll the best over the sets of dice to roll again, of what comes of it on average."""
    best = np.full_like(worth, -np.inf)
    for again in product((False, True), repeat=6):
        axes = tuple(die for die in range(6) if again[die])
        best = np.maximum(best, worth.mean(axis=axes, keepdims=True))
    return best


def test_the_fastest_clock_tells_how_long_the_game_lasts() -> None:
    """All have equally many turns, so time saved while another's runs out is worth nothing."""
    state = clock(finish(table("official-2"), busch=2), 10, 10)
    state.data.phase = REROLL + 1
    guide = make_guide(state.variant)
    _, _, even = advice(guide, state)
    _, _, hurried = advice(guide, clock(state, 10, 36))
    _, _, waiting = advice(guide, clock(state, 36, 10))
    assert abs(hurried[0] - waiting[0]) < 0.2 and abs(even[0] - 0.5) < 0.2


@slow
@pytest.mark.skipif(not os.environ.get("MEEPLE_THOROUGH"), reason="compiles a search; make thorough does")
def test_a_search_finds_nothing_worse_than_the_plan_of_a_turn() -> None:
    """In the last turn there is nothing to look ahead to, so both do the same."""
    state = clock(finish(roll(table(), "134 55 6"), earnhardt=2, harvick=2, elliott=3), 39)
    for player in ("mcts:iterations=50", "lookahead"):
        agent = find_agent(player, state.variant.game).make(state.variant)
        assert state.variant.format_action(ask(agent, state, 1)) in ("reroll o1", "reroll o1 g")

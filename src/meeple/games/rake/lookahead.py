"""A player that plans its turn: the best reroll by expectation over the dice, then the best pair of combinations.

What a turn leads to is judged by the evaluation of the sheet after it. With the dice as they lie every pair of combinations is
tried; for a reroll every roll counts (`reroll.py`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.agent import kernel_agent
from meeple.core.game import Variant
from meeple.core.kernel import kernel
from meeple.core.verbs import apply
from meeple.games.rake.actions import (
    ACORN_AT,
    ASSIGN,
    BUMP,
    NEWMAN_LEAF,
    PASS,
    REROLL_DICE,
    SIMPLE_PASS,
    SIMPLE_PROPERTY,
    TAKE_DICE,
)
from meeple.games.rake.combinations import accepted, orange_sum
from meeple.games.rake.components import ELLIOTT, GREEN_DIE, PROPERTIES
from meeple.games.rake.evaluation import Evaluation, evaluate, fitted_file, make_evaluation, make_fitted, read_fitted
from meeple.games.rake.reroll import DESK, SAME, TWICE, best_reroll, find_gains
from meeple.games.rake.rolls import make_rolls
from meeple.games.rake.rules import assign, legal, most_dice
from meeple.games.rake.state import ACORN, LEAF, OFFICIAL, REROLL, SECTION, SIMPLE, STATE

MOST_COMBINATIONS = 64  # that one roll can offer; see the tests


class Lookahead(NamedTuple):
    """The evaluation, and room to think in."""

    evaluation: Evaluation
    rolls: NDArray[Any]  # (1,) KNOWN_ROLLS
    desk: NDArray[Any]  # (1,)
    tables: NDArray[Any]  # (3,) states: after the first combination, after the second, after a bump
    sets: NDArray[np.int64]  # (combinations,) of the dice as they lie
    numbers: NDArray[np.int64]  # (combinations,) their properties
    gains: NDArray[np.float64]  # (combinations,) what each brings by itself
    plans: NDArray[np.float64]  # (combinations,) what the best plan that begins with it leads to


def make_lookahead(variant: Variant, **weights: float) -> Lookahead:
    """With the evaluation by hand."""
    return lookahead_with(make_evaluation(variant.name == "simple", **weights))


def make_foresight(variant: Variant, **weights: float) -> Lookahead:
    """With the one that was fitted backwards from the end of the game."""
    return lookahead_with(make_fitted(read_fitted(fitted_file(variant)), **weights))


def lookahead_with(evaluation: Evaluation) -> Lookahead:
    return Lookahead(
        evaluation=evaluation,
        rolls=make_rolls(),
        desk=np.zeros(1, DESK),
        tables=np.zeros(3, STATE),
        sets=np.zeros(MOST_COMBINATIONS, np.int64),
        numbers=np.zeros(MOST_COMBINATIONS, np.int64),
        gains=np.zeros(MOST_COMBINATIONS),
        plans=np.zeros(MOST_COMBINATIONS),
    )


# ---- Deciding ------------------------------------------------------------------------------------------------------


@kernel
def choose_lookahead(me: Any, s: Any, stream: Any, out: Any) -> int:  # noqa: ARG001
    n = legal(s, out)
    if n == 1:
        return out[0]  # type: ignore[no-any-return]
    if s.mode == SIMPLE:
        return _best_property(me, s, out, n)
    if s.phase == LEAF:
        return NEWMAN_LEAF + int(s.dice[GREEN_DIE]) - 1
    if s.phase == ACORN:
        return _best_acorn(me, s, out, n)
    action, value = best_combination(me, s, s.taken if s.phase == SECTION else 0)
    if s.phase == SECTION:
        return action
    if s.phase == REROLL:
        again, hoped = best_reroll(me, s)
        if hoped > value + SAME:
            return REROLL_DICE + again - 1
    if s.mode == OFFICIAL:
        action = _bump_or(me, s, action, value, out, n)
    return action


@kernel
def _best_property(me: Any, s: Any, out: Any, n: int) -> int:
    best = SIMPLE_PASS
    most = -np.inf
    t = me.tables[0]
    for i in range(n):
        me.tables[0] = s
        if out[i] != SIMPLE_PASS:
            number = SIMPLE_PROPERTY[out[i]]
            assign(t, number, most_dice(t, number))
        value = evaluate(me.evaluation, t, s.seat, s.time[s.seat] + s.dice[GREEN_DIE])
        if value > most:
            best, most = out[i], value
    return best


@kernel
def best_combination(me: Any, s: Any, dice: int) -> tuple[int, float]:
    """The first move of the best plan with the dice as they lie, and what it leads to. Dice that are taken already stay taken."""
    best = PASS
    most = evaluate(me.evaluation, s, s.seat, s.time[s.seat] + s.dice[GREEN_DIE])
    for i in range(plan(me, s)):
        if me.plans[i] > most and (dice == 0 or me.sets[i] == dice):
            best = ASSIGN + me.numbers[i] if dice else TAKE_DICE + me.sets[i] - 1
            most = me.plans[i]
    return best, most


@kernel
def plan(me: Any, s: Any) -> int:
    """List all combinations of the dice as they lie, each with the best plan that begins with it; returns how many."""
    n = 0
    for number in range(PROPERTIES):
        sets = accepted(s, number)
        dice = 1
        while sets:
            if sets & 1:
                me.sets[n] = dice
                me.numbers[n] = number
                n += 1
            dice += 1
            sets >>= np.int64(1)
    if s.mode == OFFICIAL:
        _plan_by_trial(me, s, n)
    else:
        _plan_by_gains(me, s, n)
    return n


@kernel
def _plan_by_gains(me: Any, s: Any, n: int) -> None:
    """Without bonuses the sheet is the sum of its properties, so what two combinations bring can be added."""
    r = me.desk[0]
    green = int(s.dice[GREEN_DIE]) - 1
    find_gains(r, me.evaluation, s, me.tables, green)
    for i in range(n):
        if me.numbers[i] == ELLIOTT:
            me.gains[i] = r.elliott[green, orange_sum(s, me.sets[i])]
        else:
            me.gains[i] = r.gains[green, me.numbers[i], 0]
    for i in range(n):
        most = me.gains[i]
        for j in range(n if s.combinations > 1 else 0):
            if me.sets[i] & me.sets[j] == 0:
                second = me.gains[j] if me.numbers[i] != me.numbers[j] else r.gains[green, me.numbers[j], TWICE]
                most = max(most, me.gains[i] + second)
        me.plans[i] = r.bases[green] + most


@kernel
def _plan_by_trial(me: Any, s: Any, n: int) -> None:
    clock = s.time[s.seat] + s.dice[GREEN_DIE]
    t = me.tables[0]
    for i in range(n):
        me.tables[0] = s
        assign(t, me.numbers[i], me.sets[i])
        me.plans[i] = evaluate(me.evaluation, t, s.seat, clock)
        if s.combinations > 1:
            me.plans[i] = max(me.plans[i], _second(me, t, clock))


@kernel
def _second(me: Any, s: Any, clock: int) -> float:
    most = -np.inf
    t = me.tables[1]
    for number in range(PROPERTIES):
        sets = accepted(s, number)
        taken = 1
        while sets:
            if sets & 1:
                me.tables[1] = s
                assign(t, number, taken)
                most = max(most, evaluate(me.evaluation, t, s.seat, clock))
            taken += 1
            sets >>= np.int64(1)
    return most


@kernel
def _best_acorn(me: Any, s: Any, out: Any, n: int) -> int:
    """Where the sheet right after it is best. The clock runs on at the end of the turn."""
    best = out[0]
    most = -np.inf
    for i in range(n):
        me.tables[0] = s
        t = me.tables[0]
        seat = s.seat
        apply(t, out[i])
        clock = t.time[seat] if t.seat != seat or t.turn != s.turn else s.time[seat] + s.dice[GREEN_DIE]
        value = evaluate(me.evaluation, t, seat, clock)
        if value > most:
            best, most = out[i], value
    return best  # type: ignore[no-any-return]


@kernel
def _bump_or(me: Any, s: Any, action: int, value: float, out: Any, n: int) -> int:
    """A bump, if the best plan with it is better by more than the bump is worth, which the evaluation counts."""
    best = action
    for i in range(n):
        if BUMP <= out[i] < ACORN_AT:
            me.tables[2] = s
            t = me.tables[2]
            apply(t, out[i])
            _, bumped = best_combination(me, t, 0)
            if bumped > value:
                best, value = out[i], bumped
    return best


kernel_agent(Lookahead, choose_lookahead)

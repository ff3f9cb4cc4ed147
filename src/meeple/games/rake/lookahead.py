"""A player that plans its turn: the best reroll by expectation over the dice, then the best pair of combinations.

What a turn leads to is judged by the evaluation of the sheet after it. With the dice as they lie every pair of combinations is
tried. For a reroll every roll counts: what a combination brings depends on the property, not on the roll, so those gains are
found once, and for each of the 7,056 different rolls only the best pair of disjoint sets of dice is looked for.
"""

from __future__ import annotations

from itertools import combinations_with_replacement, product
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
    TAKE_DICE,
)
from meeple.games.rake.combinations import accepted, bit, count, needed_leaves, orange_sum
from meeple.games.rake.components import (
    ELLIOTT,
    FIRST_BROWN,
    GREEN_DIE,
    LEAST_ELLIOTT,
    MOST_ELLIOTT,
    NEWMAN,
    PROPERTIES,
    SUBSETS,
)
from meeple.games.rake.evaluation import Evaluation, evaluate, make_evaluation
from meeple.games.rake.rules import assign, legal, most_dice
from meeple.games.rake.state import ACORN, LEAF, OFFICIAL, REROLL, SECTION, SIMPLE, STATE

ORANGE_ROLLS = [list(roll) for roll in combinations_with_replacement(range(1, 7), 3)]
BROWN_ROLLS = [list(roll) for roll in combinations_with_replacement(range(1, 7), 2)]
MOST_COMBINATIONS = 64  # that one roll can offer; see the tests
TWICE = 2  # index of gains: the second combination at the same property


class Lookahead(NamedTuple):
    """The evaluation, and room to think in."""

    evaluation: Evaluation
    tables: NDArray[Any]  # (3,) states: after the first combination, after the second, a roll
    oranges: NDArray[np.int8]  # (56, 3) different rolls of the orange dice
    browns: NDArray[np.int8]  # (21, 2)
    orange_chance: NDArray[np.float64]  # (8, 216, 56) kept dice and their values -> chance of each roll
    brown_chance: NDArray[np.float64]  # (4, 36, 21)
    gains: NDArray[np.float64]  # (6, property, 3) plain, with a further leaf, as the second one
    elliott: NDArray[np.float64]  # (6, sum) gain of a total
    best: NDArray[np.float64]  # (56, 21, 6) what each roll leads to
    sets: NDArray[np.int64]  # (combinations,) of the roll that is looked at
    numbers: NDArray[np.int64]  # (combinations,) their properties
    worths: NDArray[np.float64]  # (combinations,)


def make_lookahead(variant: Variant, **weights: float) -> Lookahead:
    return Lookahead(
        evaluation=make_evaluation(variant.name == "simple", **weights),
        tables=np.zeros(3, STATE),
        oranges=np.array(ORANGE_ROLLS, np.int8),
        browns=np.array(BROWN_ROLLS, np.int8),
        orange_chance=_chances(ORANGE_ROLLS, 3),
        brown_chance=_chances(BROWN_ROLLS, 2),
        gains=np.zeros((6, PROPERTIES, 3)),
        elliott=np.zeros((6, MOST_ELLIOTT + 1)),
        best=np.zeros((len(ORANGE_ROLLS), len(BROWN_ROLLS), 6)),
        sets=np.zeros(MOST_COMBINATIONS, np.int64),
        numbers=np.zeros(MOST_COMBINATIONS, np.int64),
        worths=np.zeros(MOST_COMBINATIONS),
    )


def _chances(rolls: list[list[int]], dice: int) -> NDArray[np.float64]:
    """[dice that are rolled again as bits, their old values as a number of base six, new roll] -> its chance."""
    places = {tuple(roll): i for i, roll in enumerate(rolls)}
    chances = np.zeros((1 << dice, 6**dice, len(rolls)))
    values = list(product(range(1, 7), repeat=dice))
    for again in range(1 << dice):
        for old in values:
            number = sum((value - 1) * 6**die for die, value in enumerate(old))
            for new in product(range(1, 7), repeat=again.bit_count()):
                thrown = iter(new)
                after = [next(thrown) if again >> die & 1 else value for die, value in enumerate(old)]
                chances[again, number, places[tuple(sorted(after))]] += 6.0 ** -again.bit_count()
    return chances


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
        if hoped > value:
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
            number = out[i] if out[i] < ELLIOTT else out[i] + 1
            assign(t, number, most_dice(t, number))
        value = evaluate(me.evaluation, t, s.seat, s.time[s.seat] + s.dice[GREEN_DIE])
        if value > most:
            best, most = out[i], value
    return best


@kernel
def best_combination(me: Any, s: Any, dice: int) -> tuple[int, float]:
    """The first move of the best plan with the dice as they lie, and what it leads to. Dice that are taken already stay taken."""
    clock = s.time[s.seat] + s.dice[GREEN_DIE]
    best = PASS
    most = evaluate(me.evaluation, s, s.seat, clock)
    t = me.tables[0]
    for number in range(PROPERTIES):
        sets = accepted(s, number)
        if dice:
            sets &= bit(dice)
        taken = 1
        while sets:
            if sets & 1:
                me.tables[0] = s
                assign(t, number, taken)
                value = evaluate(me.evaluation, t, s.seat, clock)
                if s.combinations > 1:
                    value = max(value, _second(me, t, clock))
                if value > most:
                    best = ASSIGN + number if dice else TAKE_DICE + taken - 1
                    most = value
            taken += 1
            sets >>= np.int64(1)
    return best, most


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


# ---- Rerolling -----------------------------------------------------------------------------------------------------


@kernel
def best_reroll(me: Any, s: Any) -> tuple[int, float]:
    """The dice to roll again, and what that leads to on average."""
    find_gains(me, s)
    value_rolls(me, s)
    oranges = 0
    browns = 0
    for die in range(GREEN_DIE - 1, -1, -1):
        if die < FIRST_BROWN:
            oranges = oranges * 6 + int(s.dice[die]) - 1
        else:
            browns = browns * 6 + int(s.dice[die]) - 1
    best = 0
    most = -np.inf
    for again in range(1, SUBSETS + 1):
        hoped = 0.0
        for i in range(me.oranges.shape[0]):
            chance = me.orange_chance[again & 7, oranges, i]
            if chance == 0.0:
                continue
            for j in range(me.browns.shape[0]):
                both = chance * me.brown_chance[again >> FIRST_BROWN & 3, browns, j]
                if both == 0.0:
                    continue
                if again >> GREEN_DIE:
                    for green in range(6):
                        hoped += both / 6 * me.best[i, j, green]
                else:
                    hoped += both * me.best[i, j, s.dice[GREEN_DIE] - 1]
        if hoped > most:
            best, most = again, hoped
    return best, most


@kernel
def find_gains(me: Any, s: Any) -> None:
    """What one more combination at each property brings, for every value of the green die (which is the time)."""
    e = me.evaluation
    seat = s.seat
    t = me.tables[0]
    for green in range(6):
        clock = s.time[seat] + green + 1
        base = evaluate(e, s, seat, clock)
        for number in range(PROPERTIES):
            if number == ELLIOTT:
                for total in range(LEAST_ELLIOTT, MOST_ELLIOTT + 1):
                    me.tables[0] = s
                    t.groups[seat, ELLIOTT] += 1
                    t.elliott_best[seat] = max(t.elliott_best[seat], total)
                    me.elliott[green, total] = evaluate(e, t, seat, clock) - base
                continue
            for further in range(2):
                me.tables[0] = s
                _pretend(t, number, further)
                me.gains[green, number, further] = evaluate(e, t, seat, clock) - base
            me.tables[0] = s
            _pretend(t, number, 0)
            once = evaluate(e, t, seat, clock)
            _pretend(t, number, 0)
            me.gains[green, number, TWICE] = evaluate(e, t, seat, clock) - once


@kernel
def _pretend(s: Any, number: int, further: int) -> None:
    """Finish the present group of a property, whatever the dice."""
    if number == NEWMAN:
        free = ~s.leaves[s.seat, NEWMAN] & 63
        s.leaves[s.seat, NEWMAN] |= free & -free
        return
    needed = needed_leaves(s, number)
    if needed:
        s.free = SUBSETS
        assign(s, number, (1 << (count(needed) + further)) - 1)


@kernel
def value_rolls(me: Any, s: Any) -> None:
    """For every different roll: the sheet as it is, and the best pair of combinations on disjoint dice."""
    me.tables[2] = s
    t = me.tables[2]
    t.free = SUBSETS
    for green in range(6):
        base = evaluate(me.evaluation, s, s.seat, s.time[s.seat] + green + 1)
        t.dice[GREEN_DIE] = green + 1
        for i in range(me.oranges.shape[0]):
            for die in range(FIRST_BROWN):
                t.dice[die] = me.oranges[i, die]
            for j in range(me.browns.shape[0]):
                for die in range(2):
                    t.dice[FIRST_BROWN + die] = me.browns[j, die]
                me.best[i, j, green] = base + _best_pair(me, _list_combinations(me, t, green), green)


@kernel
def _list_combinations(me: Any, s: Any, green: int) -> int:
    """All combinations of a roll that gain something, be it only as the first of two at one property."""
    n = 0
    for number in range(PROPERTIES):
        sets = accepted(s, number)
        if not sets:
            continue
        needed = count(needed_leaves(s, number))
        opens = number != ELLIOTT and me.gains[green, number, TWICE] > 0
        dice = 1
        while sets:
            if sets & 1:
                if number == ELLIOTT:
                    worth = me.elliott[green, orange_sum(s, dice)]
                else:
                    worth = me.gains[green, number, 1 if number != NEWMAN and count(dice) > needed else 0]
                if worth > 0 or opens:
                    me.sets[n] = dice
                    me.numbers[n] = number
                    me.worths[n] = worth
                    n += 1
            dice += 1
            sets >>= np.int64(1)
    return n


@kernel
def _best_pair(me: Any, n: int, green: int) -> float:
    most = 0.0
    for a in range(n):
        most = max(most, me.worths[a])
        for b in range(a + 1, n):
            if me.sets[a] & me.sets[b]:
                continue
            both = me.worths[a] + me.worths[b]
            if me.numbers[a] == me.numbers[b] and me.numbers[a] != ELLIOTT:
                both = me.worths[a] + me.gains[green, me.numbers[a], TWICE]
            elif me.numbers[a] == me.numbers[b]:
                both = max(me.worths[a], me.worths[b])
            most = max(most, both)
    return most


kernel_agent(Lookahead, choose_lookahead)

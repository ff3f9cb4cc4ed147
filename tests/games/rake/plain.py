"""The expectation of rerolls without any table: every roll is looked through for its best pair of combinations."""

from __future__ import annotations

from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.core.kernel import kernel
from meeple.games.rake.combinations import accepted, count, needed_leaves, orange_sum
from meeple.games.rake.components import ELLIOTT, GREEN_DIE, LEAST_ELLIOTT, MOST_ELLIOTT, NEWMAN, PROPERTIES, SUBSETS
from meeple.games.rake.evaluation import evaluate
from meeple.games.rake.lookahead import MOST_COMBINATIONS
from meeple.games.rake.rules import assign
from meeple.games.rake.state import STATE

TWICE = 2
ORANGES = np.array(list(combinations_with_replacement(range(1, 7), 3)), np.int64)
BROWNS = np.array(list(combinations_with_replacement(range(1, 7), 2)), np.int64)


def plain_values(e: Any, s: Any) -> NDArray[np.float64]:
    """[six dice] -> what that roll leads to."""
    tables = np.zeros(2, STATE)
    best = np.zeros((len(ORANGES), len(BROWNS), 6))
    gains, elliott = np.zeros((6, PROPERTIES, 3)), np.zeros((6, MOST_ELLIOTT + 1))
    find_gains(e, s, tables, gains, elliott)
    value_rolls(e, s, tables, gains, elliott, best)
    oranges = {tuple(roll): i for i, roll in enumerate(ORANGES.tolist())}
    browns = {tuple(roll): i for i, roll in enumerate(BROWNS.tolist())}
    which = np.array([oranges[tuple(sorted(roll))] for roll in product(range(1, 7), repeat=3)]).reshape(6, 6, 6)
    other = np.array([browns[tuple(sorted(roll))] for roll in product(range(1, 7), repeat=2)]).reshape(6, 6)
    values: NDArray[np.float64] = best[which][:, :, :, other]
    return values


def plain_hopes(e: Any, s: Any) -> NDArray[np.float64]:
    """For each set of dice that are rolled again the mean over all rolls that can come of it; 0: for none of them."""
    values = plain_values(e, s)
    hoped = np.zeros(SUBSETS + 1)
    for again in range(SUBSETS + 1):
        kept = tuple(slice(None) if again >> die & 1 else int(value) - 1 for die, value in enumerate(s.dice))
        hoped[again] = values[kept].mean()
    return hoped


@kernel
def find_gains(e: Any, s: Any, tables: Any, gains: Any, elliott: Any) -> None:
    """What one more combination at each property brings, for every value of the green die (which is the time)."""
    seat = s.seat
    t = tables[0]
    for green in range(6):
        clock = s.time[seat] + green + 1
        base = evaluate(e, s, seat, clock)
        for number in range(PROPERTIES):
            if number == ELLIOTT:
                for total in range(LEAST_ELLIOTT, MOST_ELLIOTT + 1):
                    tables[0] = s
                    t.groups[seat, ELLIOTT] += 1
                    t.elliott_best[seat] = max(t.elliott_best[seat], total)
                    elliott[green, total] = evaluate(e, t, seat, clock) - base
                continue
            for further in range(2):
                tables[0] = s
                pretend(t, number, further)
                gains[green, number, further] = evaluate(e, t, seat, clock) - base
            tables[0] = s
            pretend(t, number, 0)
            once = evaluate(e, t, seat, clock)
            pretend(t, number, 0)
            gains[green, number, TWICE] = evaluate(e, t, seat, clock) - once


@kernel
def pretend(s: Any, number: int, further: int) -> None:
    if number == NEWMAN:
        free = ~s.leaves[s.seat, NEWMAN] & 63
        s.leaves[s.seat, NEWMAN] |= free & -free
        return
    needed = needed_leaves(s, number)
    if needed:
        s.free = SUBSETS
        assign(s, number, (1 << (count(needed) + further)) - 1)


@kernel
def value_rolls(e: Any, s: Any, tables: Any, gains: Any, elliott: Any, best: Any) -> None:
    sets = np.zeros(MOST_COMBINATIONS, np.int64)
    numbers = np.zeros(MOST_COMBINATIONS, np.int64)
    worths = np.zeros(MOST_COMBINATIONS)
    tables[1] = s
    t = tables[1]
    t.free = SUBSETS
    for green in range(6):
        base = evaluate(e, s, s.seat, s.time[s.seat] + green + 1)
        t.dice[GREEN_DIE] = green + 1
        for i in range(ORANGES.shape[0]):
            for die in range(3):
                t.dice[die] = ORANGES[i, die]
            for j in range(BROWNS.shape[0]):
                for die in range(2):
                    t.dice[3 + die] = BROWNS[j, die]
                n = list_combinations(t, gains[green], elliott[green], sets, numbers, worths)
                best[i, j, green] = base + best_pair(n, gains[green], sets, numbers, worths)


@kernel
def list_combinations(s: Any, gains: Any, elliott: Any, sets: Any, numbers: Any, worths: Any) -> int:
    n = 0
    for number in range(PROPERTIES):
        fits = accepted(s, number)
        needed = count(needed_leaves(s, number))
        dice = 1
        while fits:
            if fits & 1:
                sets[n] = dice
                numbers[n] = number
                if number == ELLIOTT:
                    worths[n] = elliott[orange_sum(s, dice)]
                else:
                    worths[n] = gains[number, 1 if number != NEWMAN and count(dice) > needed else 0]
                n += 1
            dice += 1
            fits >>= np.int64(1)
    return n


@kernel
def best_pair(n: int, gains: Any, sets: Any, numbers: Any, worths: Any) -> float:
    most = 0.0
    for a in range(n):
        most = max(most, worths[a])
        for b in range(a + 1, n):
            if sets[a] & sets[b]:
                continue
            both = worths[a] + worths[b]
            if numbers[a] == numbers[b]:
                both = max(worths[a], worths[b]) if numbers[a] == ELLIOTT else worths[a] + gains[numbers[a], TWICE]
            most = max(most, both)
    return most

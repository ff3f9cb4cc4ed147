"""The layers of the exact solution of `simple` (solver.py tells the mathematics): values of all sheets, time left by time left.

Seven layers are enough to go on from: they lie in a file while they are computed, so that an interrupted solution goes on.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.kernel import kernel
from meeple.games.rake.actions import SIMPLE_PROPERTY
from meeple.games.rake.combinations import accepted
from meeple.games.rake.components import DICE, GREEN_DIE, GROUPS, MONEY, NEWMAN, NEWMAN_MONEY
from meeple.games.rake.state import STATE, deal

LEAF_SETS = 64  # of Newman
BEFORE = 6  # layers that a layer needs: a turn takes at most six units
CHUNK = 1 << 12  # sheets (without Newman) that one thread takes at a time
IN_ROWS = [int(number) for number in SIMPLE_PROPERTY if number != NEWMAN]  # the properties with groups
ROWS = len(IN_ROWS)
Tick = Callable[[int], None]
Keep = Callable[[int, NDArray[np.float32]], None]


class Tables(NamedTuple):
    """Everything about sheets and rolls that the kernels look up."""

    sizes: NDArray[np.int64]  # (ROWS,) numbers of groups a property can have finished, and one
    strides: NDArray[np.int64]  # (ROWS,) what a further group adds to the number of a sheet
    gains: NDArray[np.float32]  # (ROWS, groups) what the next group earns
    leaf_gains: NDArray[np.float32]  # (LEAF_SETS,) what the next leaf earns
    leaf_time: NDArray[np.int64]  # (LEAF_SETS,) time those leaves took at least
    none_fits: NDArray[np.float64]  # (6, 2^ROWS) chance of this green and that no property of a set fits


def make_tables() -> Tables:
    sizes = np.array([GROUPS[number] + 1 for number in IN_ROWS], np.int64)
    strides = LEAF_SETS * np.concatenate([[1], np.cumprod(sizes[:-1])]).astype(np.int64)
    gains = np.zeros((ROWS, int(sizes.max())), np.float32)
    for row, number in enumerate(IN_ROWS):
        gains[row, : sizes[row] - 1] = np.diff(MONEY[number, : sizes[row]].astype(np.float32))
    counts = np.array([bits.bit_count() for bits in range(LEAF_SETS)])
    leaf_gains = np.append(np.diff(NEWMAN_MONEY.astype(np.float32)), 0)[counts].astype(np.float32)
    leaf_time = np.array([sum(leaf + 1 for leaf in range(6) if bits >> leaf & 1) for bits in range(LEAF_SETS)], np.int64)
    return Tables(sizes, strides, gains, leaf_gains, leaf_time, chances(np.array(IN_ROWS, np.int64)))


def chances(numbers: NDArray[np.int64]) -> NDArray[np.float64]:
    """From the rules themselves: every roll on an empty sheet, and what it fits."""
    table = np.zeros(1, STATE)
    deal(table[0], np.array([2], np.int64), np.uint64(0))
    rolls = np.zeros((6, 1 << ROWS))
    count_fits(table, numbers, rolls)
    sets = np.arange(1 << ROWS)
    # A set of properties misses a roll if they have none in common.
    missed = (sets[:, None] & sets[None, :]) == 0
    return np.ascontiguousarray(rolls @ missed / 6**DICE)


@kernel
def count_fits(table: Any, numbers: Any, rolls: Any) -> None:
    s = table[0]
    for roll in range(6**DICE):
        rest = roll
        for die in range(DICE):
            s.dice[die] = rest % 6 + 1
            rest //= 6
        fits = 0
        for row in range(numbers.size):
            if accepted(s, numbers[row]):
                fits |= 1 << row
        rolls[s.dice[GREEN_DIE] - 1, fits] += 1


# ---- One layer -----------------------------------------------------------------------------------------------------


@kernel
def back_up(tables: Any, layers: Any, time_left: int, elapsed: int, first: int, last: int) -> None:
    """Values of the sheets first to last (without Newman) at a time left, from the layers before. Layer t lies in layers[t % 7]."""
    groups = np.empty(ROWS, np.int64)
    values = np.empty(ROWS, np.float64)
    order = np.empty(ROWS, np.int64)
    for rows in range(first, last):
        rest = rows
        took = 0
        for row in range(ROWS):
            groups[row] = rest % tables.sizes[row]
            rest //= tables.sizes[row]
            took += groups[row]
        for leaves in range(LEAF_SETS):
            if took + tables.leaf_time[leaves] > elapsed:
                continue
            sheet = rows * LEAF_SETS + leaves
            expected = 0.0
            for green in range(1, BEFORE + 1):
                layer = layers[(time_left - green) % (BEFORE + 1)]
                sure = layer[sheet]
                if not leaves >> (green - 1) & 1:
                    sure = max(sure, tables.leaf_gains[leaves] + layer[sheet + (1 << (green - 1))])
                n = _rank(tables, layer, sheet, groups, values, order, sure)
                expected += _best_expected(tables, green, values, order, n, sure)
            layers[time_left % (BEFORE + 1), sheet] = expected


@kernel
def _rank(tables: Any, layer: Any, sheet: int, groups: Any, values: Any, order: Any, sure: float) -> int:
    """The properties that would be better than what is sure, best first; returns how many."""
    n = 0
    for row in range(ROWS):
        if groups[row] + 1 == tables.sizes[row]:
            continue
        value = tables.gains[row, groups[row]] + layer[sheet + tables.strides[row]]
        if value <= sure:
            continue
        place = n
        while place > 0 and values[place - 1] < value:
            values[place] = values[place - 1]
            order[place] = order[place - 1]
            place -= 1
        values[place] = value
        order[place] = row
        n += 1
    return n


@kernel
def _best_expected(tables: Any, green: int, values: Any, order: Any, n: int, sure: float) -> float:
    better = 0
    left = tables.none_fits[green - 1, 0]
    expected = 0.0
    for place in range(n):
        better |= 1 << order[place]
        none = tables.none_fits[green - 1, better]
        expected += values[place] * (left - none)
        left = none
    return expected + sure * left  # type: ignore[no-any-return]


# ---- All layers ----------------------------------------------------------------------------------------------------


def least_times(tables: Tables) -> NDArray[np.int8]:
    """The least time in which each sheet can be reached."""
    took = np.zeros(1, np.int64)
    for size in tables.sizes[::-1]:
        took = np.add.outer(took, np.arange(size)).ravel()
    return np.add.outer(took, tables.leaf_time).ravel().astype(np.int8)


def new_layers(tables: Tables) -> NDArray[np.float32]:
    """Room for a layer and those it needs, with nothing left to earn at no time left."""
    return np.zeros((BEFORE + 1, int(np.prod(tables.sizes)) * LEAF_SETS), np.float32)


def solve_layers(
    limit: int, keep: Keep, threads: int, tick: Tick, layers: NDArray[np.float32] | None = None, done: int = 0
) -> float:
    """Compute layer after layer, hand each to `keep`, and return the value of the empty sheet at the full time. `layers` with
    the first `done` of them may come from before."""
    tables = make_tables()
    layers = new_layers(tables) if layers is None else layers
    pool = ThreadPoolExecutor(threads)
    try:
        for time_left in range(done + 1, limit + 1):
            _one_layer(tables, layers, time_left, limit - time_left, pool)
            keep(time_left, layers[time_left % (BEFORE + 1)])
            tick(1)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)  # an interrupt waits for the parts that run, not for all of a layer
    return float(layers[limit % (BEFORE + 1), 0])


def _one_layer(tables: Tables, layers: NDArray[np.float32], time_left: int, elapsed: int, pool: ThreadPoolExecutor) -> None:
    rows = layers.shape[1] // LEAF_SETS
    work = [
        pool.submit(back_up, tables, layers, time_left, elapsed, first, min(first + CHUNK, rows)) for first in range(0, rows, CHUNK)
    ]
    for part in work:
        part.result()

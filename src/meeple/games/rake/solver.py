"""The exact solution of `simple`: what optimal play still expects to earn, for every sheet and every time left.

Only money counts there, so a sheet is the number of finished groups of seven properties and the leaves of Newman: 23,708,160
sheets. A turn is a roll (green g, and which properties the dice fit), the best of what is possible, and g units of time; so the
value at a time left follows from the six values before it, and layer after layer is computed upwards from no time left:

    V[t](sheet) = sum over g and fits of P(g, fits) * max(V[t - g](sheet), gain(a) + V[t - g](sheet + a) for a that fits)

The expectation of the best is taken by ranking: sorted by what they are worth, a property counts with the chance that it fits
and none before it does. A sheet cannot be reached in less time than its leaves took (each group a unit, leaf v of Newman v
units), so a layer holds only what can be reached: on disk sheets are in the order of that least time, a layer is their beginning.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.errors import MeepleError
from meeple.core.folders import data_folder
from meeple.core.kernel import kernel
from meeple.games.rake.actions import SIMPLE_PASS, SIMPLE_PROPERTY
from meeple.games.rake.combinations import accepted
from meeple.games.rake.components import DICE, GREEN_DIE, GROUPS, MONEY, NEWMAN, NEWMAN_MONEY, TIME_SIMPLE
from meeple.games.rake.rules import apply, legal
from meeple.games.rake.state import STATE, deal

LEAF_SETS = 64  # of Newman
BEFORE = 6  # layers that a layer needs: a turn takes at most six units
SCALE = 256.0  # values are kept as 256ths of a coin
FORMAT = 1
HEADER_SIZE = 512
ANEW = "delete it, and meeple solve rake:simple builds it anew."
CHUNK = 1 << 12  # sheets (without Newman) that one thread takes at a time
IN_ROWS = [int(number) for number in SIMPLE_PROPERTY if number != NEWMAN]  # the properties with groups
ROWS = len(IN_ROWS)
IN_ROWS_ARRAY = np.array(IN_ROWS, np.int64)
Tick = Callable[[int], None]


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


def solve_layers(limit: int, keep: Callable[[int, NDArray[np.float32]], None], threads: int, tick: Tick) -> float:
    """Compute layer after layer, hand each to `keep`, and return the value of the empty sheet at the full time."""
    tables = make_tables()
    sheets = int(np.prod(tables.sizes)) * LEAF_SETS
    layers = np.zeros((BEFORE + 1, sheets), np.float32)
    starts = range(0, sheets // LEAF_SETS, CHUNK)
    with ThreadPoolExecutor(threads) as pool:
        for time_left in range(1, limit + 1):
            elapsed = limit - time_left
            work = [
                pool.submit(back_up, tables, layers, time_left, elapsed, first, min(first + CHUNK, sheets // LEAF_SETS))
                for first in starts
            ]
            for part in work:
                part.result()
            keep(time_left, layers[time_left % (BEFORE + 1)])
            tick(1)
    return float(layers[limit % (BEFORE + 1), 0])


def default_path() -> Path:
    return data_folder() / "solved" / "rake_simple.bin"


def build(path: Path, limit: int = TIME_SIMPLE, threads: int = 1, tick: Tick = lambda _: None) -> dict[str, Any]:
    """Solve and write the file: a line of JSON, then the layers as 256ths, each a beginning of the sheets in order of least time.
    Written beside its place and moved there when it is whole."""
    order = np.argsort(least := least_times(make_tables()), kind="stable").astype(np.int32)
    reached = np.searchsorted(least[order], np.arange(limit + 1), side="right")
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    with part.open("wb") as file:

        def keep(time_left: int, layer: NDArray[np.float32]) -> None:
            values = layer[order[: reached[limit - time_left]]]
            file.write(np.round(values * SCALE).astype(np.uint16).tobytes())

        file.write(bytes(HEADER_SIZE))
        optimum = solve_layers(limit, keep, threads, tick)
        head = {"format": FORMAT, "variant": "rake:simple", "rules": 1, "limit": limit, "optimum": optimum}
        file.seek(0)
        file.write(json.dumps(head).encode().ljust(HEADER_SIZE))
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
    return head


class Solution(NamedTuple):
    """The file, ready to be asked: kernels get it as it is."""

    values: NDArray[np.uint16]  # all layers, one after another
    starts: NDArray[np.int64]  # (limit + 1,) where the layer of a time left begins
    places: NDArray[np.int32]  # (sheets,) place of a sheet in the order of least time
    tables: Tables
    optimum: float
    limit: int


def read_head(path: Path, limit: int) -> dict[str, Any]:
    """What the file says of itself; refused unless it is the solution of a game of this length under these rules."""
    wanted = {"format": FORMAT, "variant": "rake:simple", "rules": 1, "limit": limit}
    try:
        with path.open("rb") as file:
            head: dict[str, Any] = json.loads(file.read(HEADER_SIZE))
        found = {name: head[name] for name in wanted}
        head["optimum"] = float(head["optimum"])
    except FileNotFoundError:
        raise MeepleError("rake:simple is not solved yet; meeple solve rake:simple does it.") from None
    except (OSError, ValueError, KeyError, TypeError):
        raise MeepleError(f"{path} is no solution of rake:simple; {ANEW}") from None
    if found != wanted:
        raise MeepleError(f"{path} is of another version; {ANEW}")
    return head


@cache
def load(path: Path, limit: int = TIME_SIMPLE) -> Solution:
    """Open the file; its layers are read from disk as they are asked for. Once a process: every table of a match asks again."""
    head = read_head(path, limit)
    tables = make_tables()
    least = least_times(tables)
    order = np.argsort(least, kind="stable")
    places = np.empty(len(order), np.int32)
    places[order] = np.arange(len(order), dtype=np.int32)
    reached = np.searchsorted(least[order], np.arange(limit + 1), side="right")
    sizes = [reached[limit - time_left] for time_left in range(1, limit + 1)]
    starts = np.concatenate([[0, 0], np.cumsum(sizes)[:-1]]).astype(np.int64)
    if path.stat().st_size != HEADER_SIZE + 2 * sum(sizes):
        raise MeepleError(f"{path} is damaged: it has another size than it should; {ANEW}")
    values = np.memmap(path, np.uint16, "r", HEADER_SIZE)
    return Solution(values.view(np.ndarray), starts, places, tables, head["optimum"], limit)


# ---- Asking --------------------------------------------------------------------------------------------------------


@kernel
def sheet_number(tables: Any, s: Any) -> int:
    number = s.leaves[0, NEWMAN]
    for row in range(ROWS):
        number += tables.strides[row] * s.groups[0, IN_ROWS_ARRAY[row]]
    return number  # type: ignore[no-any-return]


@kernel
def value_of(solution: Any, sheet: int, time_left: int) -> float:
    """What optimal play still earns from here on."""
    if time_left <= 0:
        return 0.0
    return solution.values[solution.starts[time_left] + solution.places[sheet]] / SCALE  # type: ignore[no-any-return]


@kernel
def action_value(solution: Any, s: Any, action: int) -> float:
    """What an action earns now and leads to, with the dice as they lie."""
    tables = solution.tables
    sheet = sheet_number(tables, s)
    gain = 0.0
    if action != SIMPLE_PASS:
        number = SIMPLE_PROPERTY[action]
        if number == NEWMAN:
            gain = tables.leaf_gains[s.leaves[0, NEWMAN]]
            sheet += 1 << (s.dice[GREEN_DIE] - 1)
        else:
            row = 0
            while IN_ROWS_ARRAY[row] != number:
                row += 1
            gain = tables.gains[row, s.groups[0, number]]
            sheet += tables.strides[row]
    return gain + value_of(solution, sheet, s.time_limit - s.time[0] - s.dice[GREEN_DIE])


@kernel
def regrets(solution: Any, s: Any, actions: Any, out: Any, lost: Any) -> None:
    """What each action of a game gave away against the best one; s is the game as dealt, and is played on."""
    for ply in range(actions.size):
        best = action_value(solution, s, SIMPLE_PASS)
        for i in range(legal(s, out)):
            best = max(best, action_value(solution, s, out[i]))
        lost[ply] = best - action_value(solution, s, actions[ply])
        apply(s, actions[ply])


# What `meeple solve` asks of a game's solver.py: SOLVED, default_path, build, optimum, load, regrets.
SOLVED = ("simple",)
NEEDED_BY = ("optimal",)  # agents that cannot be made before


def optimum(path: Path, limit: int = TIME_SIMPLE) -> float:
    """Of a solution that is built already."""
    return float(read_head(path, limit)["optimum"])

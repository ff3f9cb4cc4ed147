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
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core import sources
from meeple.core.errors import MeepleError
from meeple.core.folders import data_folder
from meeple.core.kernel import kernel
from meeple.games.rake.actions import SIMPLE_PASS, SIMPLE_PROPERTY
from meeple.games.rake.components import GREEN_DIE, NEWMAN, TIME_SIMPLE
from meeple.games.rake.layers import BEFORE, IN_ROWS, ROWS, Tables, Tick, least_times, make_tables, solve_layers
from meeple.games.rake.rules import apply, legal

SCALE = 256.0  # values are kept as 256ths of a coin
FORMAT = 1
HEADER_SIZE = 512
ANEW = "delete it, and meeple solve rake:simple builds it anew."
IN_ROWS_ARRAY = np.array(IN_ROWS, np.int64)


def default_path() -> Path:
    return data_folder() / "solved" / "rake_simple.bin"


def build(path: Path, limit: int = TIME_SIMPLE, threads: int = 1, tick: Tick = lambda _: None) -> dict[str, Any]:
    """Solve and write the file: a line of JSON, then the layers as 256ths, each a beginning of the sheets in order of least time.

    Written beside its place and moved there when it is whole. Interrupted, it goes on from the last whole layer: the part
    that is written, and the layers that the next one needs, stay in two files.
    """
    order = np.argsort(least := least_times(make_tables()), kind="stable").astype(np.int32)
    sizes = layer_sizes(least[order], limit)
    path.parent.mkdir(parents=True, exist_ok=True)
    part, room = unfinished(path)
    head = {"format": FORMAT, "variant": "rake:simple", "rules": 1, "limit": limit}
    mark = head | {"sources": sources.digest([__name__])}
    done = _done(part, room, mark, len(order))
    try:
        layers = np.memmap(room, np.float32, "r+" if done else "w+", shape=(BEFORE + 1, len(order)))
        with part.open("r+b" if done else "wb") as file:

            def keep(time_left: int, layer: NDArray[np.float32]) -> None:
                layers.flush()
                file.seek(HEADER_SIZE + 2 * sum(sizes[: time_left - 1]))
                file.write(np.round(layer[order[: sizes[time_left - 1]]] * SCALE).astype(np.uint16).tobytes())
                _write_head(file, mark | {"done": time_left})

            tick(done)
            optimum = solve_layers(limit, keep, threads, tick, layers.view(np.ndarray), done)
            _write_head(file, head | {"optimum": optimum})
    except OSError:  # a full disk: better free it
        part.unlink(missing_ok=True)
        room.unlink(missing_ok=True)
        raise
    part.replace(path)
    room.unlink()
    return head | {"optimum": optimum}


def unfinished(path: Path) -> tuple[Path, Path]:
    """The two files of a solution that is being built."""
    return path.with_suffix(".part"), path.with_suffix(".layers")


def layer_sizes(least: NDArray[np.int8], limit: int) -> list[int]:
    """How many sheets can be reached at each time left, from 1 on; `least` is sorted."""
    reached = np.searchsorted(least, np.arange(limit + 1), side="right")
    return [int(reached[limit - time_left]) for time_left in range(1, limit + 1)]


def _done(part: Path, room: Path, mark: dict[str, Any], sheets: int) -> int:
    """Layers that were computed before, by the same program."""
    try:
        with part.open("rb") as file:
            found = json.loads(file.read(HEADER_SIZE))
        whole = room.stat().st_size == (BEFORE + 1) * sheets * np.dtype(np.float32).itemsize
        return int(found.pop("done")) if whole and {name: found.get(name) for name in mark} == mark else 0
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return 0


def _write_head(file: BinaryIO, head: dict[str, Any]) -> None:
    file.flush()
    os.fsync(file.fileno())
    file.seek(0)
    file.write(json.dumps(head).encode().ljust(HEADER_SIZE))
    file.flush()
    os.fsync(file.fileno())


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
    sizes = layer_sizes(least[order], limit)
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

"""What a sheet will come to: for each property the money expected, by its finished groups and the time left.

Two ways to know that. By hand: every turn that is left finishes the next group with a fixed chance; the chances are the weights
(data/lookahead.csv), and how many turns are left follows from the clock and the pace of a turn. Fitted: from tables by units of
time that were reckoned backwards from the end of the game (data/fitted_*.csv, `fit.py`).
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.agent import Param
from meeple.core.data import read_rows
from meeple.core.game import Variant
from meeple.core.kernel import kernel
from meeple.games.rake.combinations import count
from meeple.games.rake.components import (
    COLOURS,
    ELLIOTT,
    GROUPS,
    MONEY,
    MOST_GROUPS,
    NEEDED,
    NEWMAN,
    NEWMAN_MONEY,
    PROPERTIES,
    PROPERTY_NAMES,
    TIME_SIMPLE,
)
from meeple.games.rake.scoring import leaf_money, unscored
from meeple.games.rake.state import OFFICIAL, SIMPLE

WEIGHTS = tuple(
    Param(row["term"], float(row["weight"]), row["meaning"], float(row["least"]), float(row["most"]))
    for row in read_rows(__file__, "lookahead.csv")
)

BONUSES = tuple(param for param in WEIGHTS if param.name in ("partial", "bump", "acorn"))  # those that fitted tables leave open
MOST_TURNS = TIME_SIMPLE + 1
MEAN_DIE = 3.5


class Evaluation(NamedTuple):
    expected: NDArray[
        np.float64
    ]  # (property, groups or leaves, turns left) money in the end; Elliott: share of a good total to come
    goal: float
    pace: float
    partial: float
    bump: float
    acorn: float


def make_evaluation(simple: bool, **weights: float) -> Evaluation:
    """In `simple` the green die cannot be rerolled, so a turn takes as long as a die falls on average."""
    share = weights["single"] if simple else 1.0
    expected = np.zeros((PROPERTIES, MOST_GROUPS + 1, MOST_TURNS + 1))
    for number, name in enumerate(PROPERTY_NAMES):
        chance = weights[name] * share
        if number == ELLIOTT:
            expected[number, :] = 1 - (1 - chance) ** np.arange(MOST_TURNS + 1)
        elif number == NEWMAN:
            free = np.arange(MOST_GROUPS, -1, -1) / MOST_GROUPS
            expected[number] = _in_the_end(NEWMAN_MONEY.astype(float), chance * free)
        else:
            money = MONEY[number].astype(float)
            open_groups = np.arange(MOST_GROUPS + 1) < GROUPS[number]
            expected[number] = _in_the_end(money, chance * open_groups)
    weights["pace"] = MEAN_DIE if simple else weights["pace"]
    return Evaluation(expected, *(float(weights[name]) for name in Evaluation._fields[1:]))


def make_fitted(tables: NDArray[np.float64], **weights: float) -> Evaluation:
    """From tables by units of time left, so that the pace is one. They were fitted to a player alone; with two or three, whose
    fastest clock counts, other paces (1.1, 1.25, 1.4) were neither better nor worse in 1,200 games each."""
    expected = np.repeat(tables[:, :, -1:], MOST_TURNS + 1, axis=2)
    expected[:, :, : tables.shape[2]] = tables
    chosen = {param.name: float(param.default) for param in WEIGHTS} | {"pace": 1.0} | weights
    return Evaluation(expected, *(chosen[name] for name in Evaluation._fields[1:]))


@cache
def read_fitted(name: str) -> NDArray[np.float64]:
    """(property, groups, units of time left), as `fit.write` wrote them."""
    rows = read_rows(__file__, name)
    units = len(rows[0]) - 2
    return np.array([[float(row[str(unit)]) for unit in range(units)] for row in rows]).reshape(PROPERTIES, MOST_GROUPS + 1, units)


def fitted_file(variant: Variant) -> str:
    """Which of the tables a variant plays by."""
    name = "complete" if variant.name == "deterministic" else variant.name.partition("-")[0]
    return f"fitted_{name}.csv"


def _in_the_end(money: NDArray[np.float64], chance: NDArray[np.float64]) -> NDArray[np.float64]:
    """Expected money by what is done and turns left, if each turn adds one with the chance of that stage."""
    values = np.zeros((len(money), MOST_TURNS + 1))
    values[:, 0] = money
    for turns in range(1, MOST_TURNS + 1):
        before = values[:, turns - 1]
        values[:, turns] = before + chance * (np.append(before[1:], before[-1]) - before)
    return values


@kernel
def turns_left(e: Any, s: Any, clock: int) -> tuple[int, float]:
    """When the clock stands there: whole turns, and a part of one. All have equally many, so the fastest clock counts."""
    for seat in range(s.seats):
        clock = max(clock, int(s.time[seat]))
    left = max(0, s.time_limit - clock)
    turns = max(1.0, left / e.pace) if left > 0 else 0.0
    return int(turns), turns - int(turns)


@kernel
def evaluate(e: Any, s: Any, seat: int, clock: int) -> float:
    """What the seat's sheet will come to when its clock stands there."""
    below, share = turns_left(e, s, clock)
    value = 0.0
    for number in range(PROPERTIES):
        if number == ELLIOTT and s.mode == SIMPLE:
            continue
        done = s.groups[seat, number]
        if number == NEWMAN:
            done = count(s.leaves[seat, NEWMAN])
        now = at(e, number, done, below, share)
        if number == ELLIOTT:
            best = s.elliott_best[seat]
            value += best + (max(0.0, e.goal - best) * now if done < GROUPS[number] else 0.0)
            continue
        value += now
        if s.mode == OFFICIAL and number != NEWMAN and done < GROUPS[number]:
            needed = NEEDED[number, done]
            crossed = needed & s.leaves[seat, number]
            if crossed:
                step = at(e, number, done + 1, below, share) - now
                value += e.partial * step * count(crossed) / count(needed)
    return value + _bonuses(e, s, seat) if s.mode == OFFICIAL else value


@kernel
def at(e: Any, number: int, done: int, below: int, share: float) -> float:
    """Between two whole numbers of turns."""
    return e.expected[number, done, below] * (1 - share) + e.expected[number, done, below + 1] * share  # type: ignore[no-any-return]


@kernel
def _bonuses(e: Any, s: Any, seat: int) -> float:
    value = float(leaf_money(s, seat) + unscored(s, seat))
    for colour in range(COLOURS):
        value += e.bump * s.bumps[seat, colour] + e.acorn * s.acorns[colour]
    return value

"""The evaluation of `foresight`, fitted backwards from the end of the game: approximate dynamic programming.

A sheet is worth the sum of what its properties are worth, each by its finished groups and the time left (`Evaluation.expected`).
With no time left that is the money paid. With more it follows from what is known already: every turn takes a unit of time at least,
and `worth_before` is the exact mean over all dice of the best turn. So for each unit of time, from the last one back to the first,
sheets that occur in play are valued by it, and the sum of properties nearest to these values (least squares) is the table for that
time. Sheets come from games of `lookahead` first, then from games of what was fitted before.
"""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.core.game import Variant
from meeple.core.kernel import kernel
from meeple.core.rng import child, stream
from meeple.core.state import new
from meeple.core.verbs import apply
from meeple.games.rake.before import make_keeps, worth_before
from meeple.games.rake.components import ELLIOTT, GROUPS, MOST_GROUPS, NEEDED, NEWMAN, PROPERTIES, PROPERTY_NAMES
from meeple.games.rake.evaluation import WEIGHTS, evaluate, make_fitted
from meeple.games.rake.lookahead import Lookahead, choose_lookahead, lookahead_with, make_lookahead
from meeple.games.rake.scoring import score
from meeple.games.rake.state import OFFICIAL, SIMPLE

FITTED = ("complete", "simple", "official")  # deterministic plays by complete's tables, official for more players by official's
STAGES = MOST_GROUPS + 1
LEAST_SHEETS = 200  # for a unit of time; where fewer occur, those of neighbouring units are looked at
MOST_SHEETS = 4000
RIDGE = 3.0  # sheets' worth of belief that a unit of time more changes nothing

Floats = NDArray[np.float64]


def fit(variant: Variant, games: int, rounds: int, seed: int, tick: Callable[[int], None] = lambda _: None) -> Floats:
    """(property, groups, units of time left) what each is worth. `tick` is told units of time that are done, of `work`."""
    planner, tables = by_hand(variant), np.zeros(0)
    for number in range(rounds):
        sheets = play(variant, planner, games, child(seed, number))[0]
        tables = fit_backwards(variant, sheets, np.random.default_rng([seed, number]), tick)
        planner = player(tables)
    return tables


def player(tables: Floats) -> Lookahead:
    """Who plays by such tables."""
    return lookahead_with(make_fitted(tables))


def work(variant: Variant, rounds: int) -> int:
    """Units of time that `fit` goes through."""
    return rounds * limit_of(variant)


def limit_of(variant: Variant) -> int:
    return int(new(variant, 0).data.time_limit)


def by_hand(variant: Variant) -> Lookahead:
    return make_lookahead(variant, **{param.name: float(param.default) for param in WEIGHTS})


def play(variant: Variant, planner: Lookahead, games: int, seed: int) -> tuple[NDArray[Any], Floats]:
    """The tables at the beginning of every turn of some games, and the scores of these."""
    states = np.concatenate([new(variant, child(seed, game)).array for game in range(games)])
    kept, found = np.zeros(games * limit_of(variant), states.dtype), np.zeros(games)
    n = _play(planner, states, (kept, found), stream(seed), np.zeros(variant.shape.room, np.int32))
    return kept[:n], found


@kernel
def _play(me: Any, states: Any, kept: Any, luck: Any, out: Any) -> int:
    tables, found = kept
    n = 0
    for game in range(states.size):
        s, turn = states[game], -1
        while s.end == 0:
            if s.turn != turn:
                turn = s.turn
                tables[n] = s
                n += 1
            apply(s, choose_lookahead(me, s, luck, out))
        found[game] = score(s, 0)
    return n


def fit_backwards(variant: Variant, sheets: NDArray[Any], rng: np.random.Generator, tick: Callable[[int], None]) -> Floats:
    """The tables for each unit of time, from what was valued for fewer of them."""
    limit = limit_of(variant)
    tables = np.zeros((PROPERTIES, STAGES, limit + 1))
    tables[:, :, 0] = by_hand(variant).evaluation.expected[:, :, 0]
    tables[ELLIOTT, :, 0] = 0.0  # what a better total may still add, as a share: no time, no total
    left_at, keeps = limit - sheets["time"][:, 0], make_keeps()[0]
    for left in range(1, limit + 1):
        chosen = sheets[_near(left_at, left, rng)].copy()
        chosen["time"][:, 0] = limit - left
        before = np.repeat(tables[:, :, left - 1 : left], limit - left + 1, axis=2)
        tables[:, :, left:] = before  # as if this unit changed nothing
        planner = player(tables)
        wanted, found = np.zeros(len(chosen)), np.zeros(len(chosen))
        _value(planner, keeps, chosen, wanted, found)
        terms = design(chosen, planner.evaluation)
        off = np.linalg.solve(terms.T @ terms + RIDGE * np.eye(terms.shape[1]), terms.T @ (wanted - found))
        tables[:, :, left] += off.reshape(PROPERTIES, STAGES)
        tick(1)
    return tables


def _near(left_at: NDArray[Any], left: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Sheets that had about so much time left."""
    for distance in range(1, len(left_at)):
        near = np.flatnonzero(np.abs(left_at - left) <= distance)
        if len(near) >= min(LEAST_SHEETS, len(left_at)):
            break
    return rng.choice(near, min(MOST_SHEETS, len(near)), replace=False)


@kernel
def _value(me: Any, keeps: Any, tables: Any, wanted: Any, found: Any) -> None:
    """What each sheet is worth by its best turn, and by the evaluation as it is."""
    for i in range(tables.size):
        wanted[i] = worth_before(me, keeps, tables[i])
        found[i] = evaluate(me.evaluation, tables[i], 0, tables[i].time[0])


def design(sheets: NDArray[Any], evaluation: Any) -> Floats:
    """(sheets, properties * stages) what a unit of each number of the table adds to a sheet: `evaluate` is linear in them."""
    terms, each = np.zeros((len(sheets), PROPERTIES * STAGES)), np.arange(len(sheets))
    mode = int(sheets["mode"][0])
    for number in range(PROPERTIES):
        done = sheets["groups"][:, 0, number].astype(np.int64)
        if number == NEWMAN:
            done = np.bitwise_count(sheets["leaves"][:, 0, NEWMAN]).astype(np.int64)
        place, still = number * STAGES + done, done < GROUPS[number]
        if number == ELLIOTT:  # which simple does not have
            terms[each, place] = np.maximum(0.0, evaluation.goal - sheets["elliott_best"][:, 0]) * still * (mode != SIMPLE)
            continue
        terms[each, place] += 1.0
        if mode == OFFICIAL and number != NEWMAN:  # leaves that acorns have crossed: a part of the way to the next stage
            needed = np.array(NEEDED)[number, np.minimum(done, NEEDED.shape[1] - 1)]
            crossed = np.bitwise_count(needed & sheets["leaves"][:, 0, number])
            part = evaluation.partial * crossed / np.maximum(1, np.bitwise_count(needed)) * still
            terms[each, place] -= part
            terms[each, np.minimum(place + 1, (number + 1) * STAGES - 1)] += part
    return terms


def write(path: Path, tables: Floats) -> None:
    """As text: a row for every property and number of groups, a column for every unit of time left."""
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["property", "groups", *range(tables.shape[2])])
        for number, name in enumerate(PROPERTY_NAMES):
            for stage in range(STAGES):
                writer.writerow([name, stage, *(f"{value:.3f}" for value in tables[number, stage])])

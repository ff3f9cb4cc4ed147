"""What Splendor tells a search: every action by the heuristic's evaluation of the table it leads to, every seat's chance by what
its table is then worth beside the others'."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.game import Variant
from meeple.core.guide import kernel_guide
from meeple.core.kernel import kernel
from meeple.games.splendor.evaluation import WEIGHTS, Evaluation, evaluate, make_evaluation, worth
from meeple.games.splendor.heuristic import foresee
from meeple.games.splendor.state import STATE
from meeple.games.splendor.turns import END_POINTS, outcome

SURE = 1e3  # worth of a game that is won: more than any table
POINTS_TO_END = 15
# What a point of worth ahead makes of the odds: at the start, and more by so much when somebody has all points. Logistic regression
# over the tables of 600 games between heuristics; see docs/methods.md.
EARLY, LATE = 0.085, 0.233


class Trader(NamedTuple):
    evaluation: Evaluation
    table: NDArray[Any]  # (1,) what an action leads to


@kernel
def advise(guide: Any, s: Any, actions: Any, n: int, logits: Any, values: Any) -> None:
    best = 0
    for i in range(n):
        foresee(guide.table, s, actions[i])
        t = guide.table[0]
        if t.end == END_POINTS:
            outcome(t, values)
            logits[i] = SURE * (2.0 * values[s.seat] - 1.0)
        else:
            logits[i] = evaluate(guide.evaluation, t, s.seat)
        if logits[i] > logits[best]:
            best = i
    foresee(guide.table, s, actions[best])
    t = guide.table[0]
    if t.end > 0:
        outcome(t, values)
    else:
        shares(guide.evaluation, t, s.seat, values)


@kernel
def shares(e: Any, s: Any, viewer: int, values: Any) -> None:
    """Each seat's chance, as the viewer can tell: a softmax of what their tables are worth."""
    points = 0
    for seat in range(s.players):
        points = max(points, s.points[seat])
    steep = EARLY + LATE * min(1.0, points / POINTS_TO_END)
    most = -np.inf
    for seat in range(s.players):
        values[seat] = steep * worth(e, s, seat, viewer)
        most = max(most, values[seat])
    total = 0.0
    for seat in range(s.players):
        values[seat] = np.exp(values[seat] - most)
        total += values[seat]
    for seat in range(s.players):
        values[seat] /= total


kernel_guide(Trader, advise)


def make_guide(variant: Variant) -> Trader:  # noqa: ARG001
    return Trader(make_evaluation(**{weight.name: float(weight.default) for weight in WEIGHTS}), np.zeros(1, STATE))

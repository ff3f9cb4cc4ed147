"""A network that looks at near gains as people do: what an action scores at once counts beside what the network thinks of it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.game import Variant
from meeple.core.guide import kernel_guide
from meeple.core.kernel import kernel
from meeple.core.verbs import apply, scores
from meeple.nets.policy import Adviser, advise_by_net


class Nearsighted(NamedTuple):
    """The greatest gain in points that is at hand adds `near` to its action's logit, the greatest loss takes as much away."""

    adviser: Adviser
    table: NDArray[Any]  # (1,) after an action
    before: NDArray[np.float64]  # (seats,) points
    after: NDArray[np.float64]  # (seats,)
    gains: NDArray[np.float64]  # (room,)
    near: float


@kernel
def advise_nearsighted(guide: Any, s: Any, actions: Any, n: int, logits: Any, values: Any) -> None:
    advise_by_net(guide.adviser, s, actions, n, logits, values)
    scores(s, guide.before)
    most = 0.0
    for j in range(n):
        guide.table[0] = s
        apply(guide.table[0], actions[j])
        scores(guide.table[0], guide.after)
        guide.gains[j] = guide.after[s.seat] - guide.before[s.seat]
        most = max(most, abs(guide.gains[j]))
    for j in range(n):
        if most > 0.0:
            logits[j] += guide.near * guide.gains[j] / most


kernel_guide(Nearsighted, advise_nearsighted)


def make_nearsighted(adviser: Adviser, variant: Variant, near: float) -> Nearsighted:
    seats, room = variant.shape.seats, variant.shape.room
    return Nearsighted(adviser, variant.empty(1), np.zeros(seats), np.zeros(seats), np.zeros(room), float(near))

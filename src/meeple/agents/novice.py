"""A beginner: looks at a part of what it could do, and likes what scores at once. So it errs as people do, by overlooking a move
and by grasping at points.

It has the eye of a guide (a network, or the game's own): of the moves that it looks at it plays the one that looks best. Which ones
these are is luck, so whoever looks at a single move plays any; but the move that scores most at once catches everybody's eye.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.agents.mcts import make_guide
from meeple.core.agent import Param, kernel_agent
from meeple.core.game import Variant
from meeple.core.guide import NoGuide, advise
from meeple.core.kernel import kernel
from meeple.core.rng import draw, uniform
from meeple.core.verbs import apply, legal, scores
from meeple.nets.ready import load_adviser


class Novice(NamedTuple):
    """What it sees by, and room to work in."""

    guide: Any
    sight: float  # chance that it looks at a move
    near: float  # the greatest gain at hand adds this to its move's logit, a loss as great takes it away
    table: NDArray[Any]  # (1,) after a move
    before: NDArray[np.float64]  # (seats,) points
    after: NDArray[np.float64]  # (seats,)
    gains: NDArray[np.float64]  # (room,)
    logits: NDArray[np.float64]  # (room,)
    values: NDArray[np.float64]  # (seats,)


@kernel
def choose_as_novice(me: Any, s: Any, stream: Any, out: Any) -> int:
    n = legal(s, out)
    if n == 1:
        return out[0]  # type: ignore[no-any-return]
    advise(me.guide, s, out, n, me.logits, me.values)
    best = look_near(me, s, out, n)
    first = draw(stream, n)  # nobody looks at nothing
    for i in range(n):
        if (uniform(stream) < me.sight or i == first) and me.logits[i] > me.logits[best]:
            best = i
    return out[best]  # type: ignore[no-any-return]


@kernel
def look_near(me: Any, s: Any, out: Any, n: int) -> int:
    """What moves gain at once, as part of their logits. Returns the one that catches the eye: it gains most, if anything at all; of
    equals, and where nothing is gained, the one that looks worst, so that nobody profits from it."""
    scores(s, me.before)
    most = 0.0
    for j in range(n):
        me.table[0] = s
        apply(me.table[0], out[j])
        scores(me.table[0], me.after)
        me.gains[j] = me.after[s.seat] - me.before[s.seat]
        most = max(most, abs(me.gains[j]))
    best = 0
    for j in range(n):
        if most > 0.0:
            me.logits[j] += me.near * me.gains[j] / most
        gain, high = max(0.0, me.gains[j]), max(0.0, me.gains[best])
        if gain > high or (gain == high and me.logits[j] < me.logits[best]):
            best = j
    return best


kernel_agent(Novice, choose_as_novice)


def make_novice(variant: Variant, guide: Any, sight: float, near: float) -> Novice:
    seats, room = variant.shape.seats, variant.shape.room
    return Novice(
        guide=guide,
        sight=float(sight),
        near=float(near),
        table=variant.empty(1),
        before=np.zeros(seats),
        after=np.zeros(seats),
        gains=np.zeros(room),
        logits=np.zeros(room),
        values=np.zeros(seats),
    )


def eye_of(variant: Variant, path: Path | None) -> Any:
    """The guide that a champion of the variant follows: its network, or the game's own; `NoGuide` where there is none."""
    return load_adviser(path, variant) if path else make_guide(variant, "game")


def blind(guide: Any) -> bool:
    return isinstance(guide, NoGuide)


SIGHT = Param("sight", 0.5, "chance that it looks at a move; 1: at all of them", 0, 1)
NEAR = Param("near", 2.0, "how much it likes what scores at once, in logits", 0)

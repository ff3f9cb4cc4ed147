"""The game's guide as an agent: the action with the highest logit, without search. A fast policy for playouts."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.agent import AgentKind, kernel_agent
from meeple.core.game import Variant
from meeple.core.guide import advise
from meeple.core.kernel import kernel
from meeple.core.verbs import legal


class Guided(NamedTuple):
    guide: Any
    logits: NDArray[np.float64]  # (room,)
    values: NDArray[np.float64]  # (seats,)


@kernel
def choose_by_guide(me: Any, s: Any, stream: Any, out: Any) -> int:  # noqa: ARG001
    n = legal(s, out)
    best = 0
    if n > 1:
        advise(me.guide, s, out, n, me.logits, me.values)
        for i in range(1, n):
            if me.logits[i] > me.logits[best]:
                best = i
    return out[best]  # type: ignore[no-any-return]


kernel_agent(Guided, choose_by_guide)


def make_guided(variant: Variant) -> Guided:
    assert variant.game.guide is not None
    return Guided(variant.game.guide(variant), np.zeros(variant.shape.room), np.zeros(variant.shape.seats))


AGENTS = (
    AgentKind(
        "guided", "the best action by the game's guide, without search", make_guided, fits=lambda game: game.guide is not None
    ),
)

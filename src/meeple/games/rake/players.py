"""The simple players: at random without passing, and by the exact solution."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from meeple.core.agent import kernel_agent
from meeple.core.errors import MeepleError
from meeple.core.game import Variant
from meeple.core.kernel import kernel
from meeple.core.rng import draw
from meeple.games.rake.actions import PASS, SIMPLE_PASS
from meeple.games.rake.rules import legal
from meeple.games.rake.solver import Solution, action_value, default_path, load
from meeple.games.rake.state import SIMPLE


class RandomNoPass(NamedTuple):
    """Nothing to set; a NamedTuple needs a field."""

    nothing: int = 0


@kernel
def choose_without_passing(me: Any, s: Any, stream: Any, out: Any) -> int:  # noqa: ARG001
    """Uniform over what is not a pass; a pass where nothing else is possible."""
    n = legal(s, out)
    skip = SIMPLE_PASS if s.mode == SIMPLE else PASS
    kept = 0
    for i in range(n):
        if out[i] != skip:
            out[kept] = out[i]
            kept += 1
    return out[draw(stream, kept)] if kept > 0 else skip


class Optimal(NamedTuple):
    solution: Solution


@kernel
def choose_optimally(me: Any, s: Any, stream: Any, out: Any) -> int:  # noqa: ARG001
    best = SIMPLE_PASS
    most = -np.inf
    for i in range(legal(s, out)):
        value = action_value(me.solution, s, out[i])
        if value > most:
            best, most = out[i], value
    return best


kernel_agent(RandomNoPass, choose_without_passing)
kernel_agent(Optimal, choose_optimally)


def make_random_nopass(variant: Variant) -> RandomNoPass:  # noqa: ARG001
    return RandomNoPass()


def make_optimal(variant: Variant) -> Optimal:
    if variant.name != "simple":
        raise MeepleError(f"optimal plays rake:simple only, which is solved; {variant.spec} is not.")
    return Optimal(load(default_path()))

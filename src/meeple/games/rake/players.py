"""The simple players: at random without passing, as a beginner does, and by the exact solution."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.agent import kernel_agent
from meeple.core.errors import MeepleError
from meeple.core.game import Variant
from meeple.core.kernel import kernel
from meeple.core.rng import draw
from meeple.games.rake.actions import ACORN_AT, ASSIGN, PASS, SIMPLE_PASS, TAKE_DICE
from meeple.games.rake.rules import apply, legal
from meeple.games.rake.scoring import money
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


class Beginner(NamedTuple):
    """Where it tries what a move pays."""

    tried: NDArray[Any]  # (1,) states


@kernel
def choose_as_a_beginner(me: Any, s: Any, stream: Any, out: Any) -> int:  # noqa: ARG001
    """As many dice as fit, then where they pay most at once; no reroll and no bump, since these pay nothing yet."""
    best = SIMPLE_PASS if s.mode == SIMPLE else PASS
    most = -1
    for i in range(legal(s, out)):
        action = out[i]
        if s.mode != SIMPLE and (action < TAKE_DICE or PASS <= action < ACORN_AT):
            continue
        if s.mode != SIMPLE and action < ASSIGN:
            gain = dice_in(action - TAKE_DICE + 1)
        else:
            me.tried[0] = s
            apply(me.tried[0], action)
            gain = money(me.tried[0], s.seat) - money(s, s.seat)
        if gain > most:
            best, most = action, gain
    return best


@kernel
def dice_in(dice: int) -> int:
    count = 0
    while dice:
        count += dice & 1
        dice >>= 1
    return count


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
kernel_agent(Beginner, choose_as_a_beginner)
kernel_agent(Optimal, choose_optimally)


def make_random_nopass(variant: Variant) -> RandomNoPass:  # noqa: ARG001
    return RandomNoPass()


def make_beginner(variant: Variant) -> Beginner:
    return Beginner(variant.empty(1))


def make_optimal(variant: Variant) -> Optimal:
    if variant.name != "simple":
        raise MeepleError(f"optimal plays rake:simple only, which is solved; {variant.spec} is not.")
    return Optimal(load(default_path()))

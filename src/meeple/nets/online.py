"""One-step actor-critic in one game as a kernel: decide, see what came of it, learn, and so on.

The formulas are those of learn/math.py for one game instead of many; tests/learn holds both to the same weights.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.kernel import kernel
from meeple.nets.collect import decide, look_ahead, note
from meeple.nets.gradient import learn_decision
from meeple.rollout.batch import advance


class Critic(NamedTuple):
    """How a decision is judged by what came next."""

    targets: NDArray[np.float32]  # (values,) room for what the values should have been
    counted: NDArray[np.float32]  # (values,) 0 where nobody knows
    so_far: NDArray[np.float64]  # (1,) the discount multiplied up in this game
    discount: float
    accumulated: bool  # is that used, and to weigh the actor's step too?
    scale: float  # of rewards


@kernel
def play_and_learn(trail: Any, table: Any, net: Any, descent: Any, rates: Any, critic: Any) -> int:
    """Fill the trail of one game, with a gradient step after every decision; the network is on the weights that are learnt.
    table = (arrays, orders, plans, agent) of a batch. Returns 0, or what `advance` refused."""
    arrays, orders, plans, agent = table
    descent.told[:] = 0.0
    for t in range(trail.counts.shape[0]):
        decide(trail, t, arrays, orders, net)
        refused = advance(arrays, orders, plans, agent)
        if refused != 0:
            return refused
        note(trail, t, arrays)
        look_ahead(trail, t + 1, arrays, net)
        weight = judge(trail, t, critic)
        first = trail.starts[t, 0]
        actions = trail.ids[first : first + trail.counts[t, 0]]
        lesson = weight, critic.targets, critic.counted
        learn_decision(descent, rates, trail.observations[t, 0], actions, trail.chosen[t, 0], lesson)
    return 0


@kernel
def judge(trail: Any, t: int, critic: Any) -> Any:
    """What the values of step t should have been, and by how much the decision was better than expected, with its weight."""
    seats, mover, ended = trail.rewards.shape[2], trail.seats[t, 0], trail.ended[t, 0] != 0
    weight, factor = np.float32(1.0), np.float32(critic.discount)
    if critic.accumulated:
        weight = factor = np.float32(critic.so_far[0])
        critic.so_far[0] = 1.0 if ended else critic.so_far[0] * critic.discount
    goes_on = np.float32(0.0) if ended else factor
    for k in range(critic.targets.size):
        seat = (mover + k) % seats
        paid = trail.rewards[t, 0, seat] * np.float32(critic.scale)
        critic.targets[k] = paid + goes_on * value_of(trail, t + 1, seat)
    return weight * (critic.targets[0] - value_of(trail, t, mover))


@kernel
def value_of(trail: Any, t: int, seat: int) -> Any:
    """A seat's value at step t, whoever was to move: see by_seat in learn/math.py."""
    values, seats, mover = trail.values[t, 0], trail.rewards.shape[2], trail.seats[t, 0]
    if values.size == 1:
        return values[0] if seat == mover else -values[0]
    return values[(seat - mover) % seats]

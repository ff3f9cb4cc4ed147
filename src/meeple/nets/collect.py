"""Experience: a network plays games side by side inside one compiled call, and everything a learner needs is written down.

It decides wherever the batch asks: for every seat (self-play), or for one seat against opponents that answer inside the step.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.game import Variant
from meeple.core.kernel import kernel
from meeple.nets.forward import evaluate, evaluate_values, log_sum_exp
from meeple.nets.sample import explore
from meeple.rollout.batch import advance


class Trail(NamedTuple):
    """What n games left behind in so many steps. Legal actions of (t, i) are ids[starts[t, i] : starts[t, i] + counts[t, i]]."""

    observations: NDArray[np.float32]  # (steps, n, inputs)
    starts: NDArray[np.int64]  # (steps, n)
    counts: NDArray[np.int32]  # (steps, n)
    ids: NDArray[np.int32]  # (room,)
    chosen: NDArray[np.int32]  # (steps, n) place of the action in its list
    actions: NDArray[np.int32]  # (steps, n)
    logs: NDArray[np.float32]  # (steps, n) log-probability of the action
    values: NDArray[np.float32]  # (steps + 1, n, values) the last row is of what comes next
    seats: NDArray[np.int8]  # (steps + 1, n) who decided
    rewards: NDArray[np.float32]  # (steps, n, seats)
    ended: NDArray[np.int8]  # (steps, n) why the game ended with this step, or 0
    shares: NDArray[np.float32]  # (steps, n) where it ended: the share of the win of whoever decided
    stream: NDArray[np.uint64]  # (1,) of the choices
    explore: NDArray[np.float64]  # (2,) temperature, and the probability of any action


def make_trail(variant: Variant, level: int, games: int, steps: int, values: int) -> Trail:
    """Room for so many steps of so many games. Pages of `ids` that no list reaches are never touched."""
    shape, size = (steps, games), variant.shape.levels[level].size
    return Trail(
        observations=np.zeros((*shape, size), np.float32),
        starts=np.zeros(shape, np.int64),
        counts=np.zeros(shape, np.int32),
        ids=np.zeros(steps * games * variant.shape.room, np.int32),
        chosen=np.zeros(shape, np.int32),
        actions=np.zeros(shape, np.int32),
        logs=np.zeros(shape, np.float32),
        values=np.zeros((steps + 1, games, values), np.float32),
        seats=np.zeros((steps + 1, games), np.int8),
        rewards=np.zeros((*shape, variant.shape.seats), np.float32),
        ended=np.zeros(shape, np.int8),
        shares=np.zeros(shape, np.float32),
        stream=np.zeros(1, np.uint64),
        explore=np.array([1.0, 0.0]),
    )


@kernel
def collect(trail: Any, arrays: Any, orders: Any, plans: Any, agent: Any, net: Any) -> int:
    """Fill the trail; the games go on where they were left. Returns 0, or what `advance` refused."""
    steps = trail.counts.shape[0]
    for t in range(steps):
        decide(trail, t, arrays, orders, net)
        refused = advance(arrays, orders, plans, agent)
        if refused != 0:
            return refused
        note(trail, t, arrays)
    look_ahead(trail, steps, arrays, net)
    return 0


@kernel
def decide(trail: Any, t: int, arrays: Any, orders: Any, net: Any) -> None:
    """Choose in every game, and write down what was seen and chosen."""
    games = arrays.slots.size
    used = 0
    if t > 0:
        used = trail.starts[t - 1, games - 1] + trail.counts[t - 1, games - 1]
    temperature, epsilon = trail.explore[0], trail.explore[1]
    for i in range(games):
        slot, legal_list = arrays.slots[i], arrays.legal[i]
        n = slot.count
        trail.observations[t, i] = arrays.observations[i]
        trail.starts[t, i] = used
        trail.counts[t, i] = n
        trail.ids[used : used + n] = legal_list[:n]
        used += n
        evaluate(net, arrays.observations[i], legal_list, n)
        j = explore(net, n, temperature, epsilon, trail.stream)
        trail.chosen[t, i] = j
        trail.actions[t, i] = legal_list[j]
        trail.logs[t, i] = net.scores[j] - log_sum_exp(net.scores, n, 1.0)
        trail.values[t, i] = net.values
        trail.seats[t, i] = slot.seat
        orders[i] = legal_list[j]


@kernel
def note(trail: Any, t: int, arrays: Any) -> None:
    """What the step paid, and where it ended a game."""
    seats = trail.rewards.shape[2]
    for i in range(arrays.slots.size):
        slot = arrays.slots[i]
        trail.ended[t, i] = slot.ended
        trail.shares[t, i] = slot.outcome[slot.actor]
        for seat in range(seats):
            trail.rewards[t, i, seat] = slot.rewards[seat]


@kernel
def look_ahead(trail: Any, t: int, arrays: Any, net: Any) -> None:
    """The values of the positions that come next, as those of step t, for returns that are not yet complete."""
    for i in range(arrays.slots.size):
        evaluate_values(net, arrays.observations[i])
        trail.values[t, i] = net.values
        trail.seats[t, i] = arrays.slots[i].seat

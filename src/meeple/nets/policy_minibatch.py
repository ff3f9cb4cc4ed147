"""A minibatch of a policy as a kernel, for networks that nets/gradient.py can learn: what PPO, A2C, REINFORCE and actor-critic do.

    loss = - mean of w log p(chosen), or clipped: - mean of min(r w, clip(r, 1 - c, 1 + c) w) with r = p / p of who played
           + value weight * half the mean square of what values are off - bonus * mean entropy

Decisions are looked at and traced back some dozens at a time (nets/together.py), and Adam makes one step on the sum.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.kernel import kernel
from meeple.nets.gradient import (
    ENTROPY,
    NORM,
    POLICY_LOSS,
    VALUE_LOSS,
    move,
    score_rows,
    slope_policy,
    slope_values,
    to_logs,
    trace_row,
)
from meeple.nets.together import Room, run_together, trace_together, trace_values, turn_layers

MOVED = 4  # of `told`: how far the policy is from the one that played


class Advice(NamedTuple):
    """What decisions teach a policy; of all that were made, of which a minibatch is a part."""

    weights: NDArray[np.float32]  # (n,) of the logarithm of their probabilities
    targets: NDArray[np.float32]  # (n, values)
    counted: NDArray[np.float32]  # (n, values) 0 where nobody knows the target
    clip: float  # 0: none
    room: Room
    told: NDArray[np.float64]  # (5,) means over the minibatch, and the norm of the gradient: written here


@kernel
def learn_policy(descent: Any, rates: Any, seen: Any, picks: Any, advice: Any) -> None:
    """One gradient step on the picked decisions."""
    room, told = advice.room, advice.told
    told[:] = 0.0
    turn_layers(descent.weights, descent.layers, room)
    for first in range(0, picks.size, room.seen.shape[0]):
        part = picks[first : first + room.seen.shape[0]]
        for b in range(part.size):
            room.seen[b] = seen.observations[part[b]]
        run_together(descent.weights, descent.layers, room)
        for b in range(part.size):
            _judge(descent, rates, seen, part[b], advice, b)
        _share(seen, part, room, picks.size)
        trace_values(descent.weights, descent.layers, descent.gradient, room, part.size)
        for b in range(part.size):
            actions = _actions(seen, part[b])
            for j in range(actions.size):
                trace_row(descent, actions[j], room.scores[b, j], room.said[room.said.shape[0] - 1, b], room.slopes[0, b])
        trace_together(descent.weights, descent.layers, descent.gradient, room)
    for k in range(told.size):
        told[k] /= picks.size
    told[NORM] = move(descent, rates)


@kernel
def _actions(seen: Any, pick: int) -> Any:
    """The legal ones of a decision."""
    starts, counts, ids = seen.lists
    return ids[starts[pick] : starts[pick] + counts[pick]]


@kernel
def _judge(descent: Any, rates: Any, seen: Any, pick: int, advice: Any, b: int) -> None:
    """One decision's part of the losses; its scores and values become the slopes of its loss by them."""
    room, told, actions, chosen = advice.room, advice.told, _actions(seen, pick), seen.chosen[pick]
    scores = room.scores[b]
    score_rows(descent, room.said[room.said.shape[0] - 1, b], actions, scores)
    entropy = to_logs(scores, actions.size)
    weight = advice.weights[pick]
    if advice.clip > 0.0:
        further = scores[chosen] - seen.logs[pick]
        ratio = np.exp(further)
        clipped = min(np.float32(1.0 + advice.clip), max(np.float32(1.0 - advice.clip), ratio))
        told[POLICY_LOSS] -= min(ratio * weight, clipped * weight)
        told[MOVED] += ratio - np.float32(1.0) - further  # Schulman's estimate of the divergence, see learn/math.py
        weight = ratio * weight if ratio * weight <= clipped * weight else np.float32(0.0)
    else:
        told[POLICY_LOSS] -= scores[chosen] * weight
    told[ENTROPY] += entropy
    slope_policy(scores, actions.size, chosen, weight, rates.entropy, entropy)
    told[VALUE_LOSS] += slope_values(room.values[b], advice.targets[pick], advice.counted[pick], rates.value_weight)


@kernel
def _share(seen: Any, part: Any, room: Any, n: int) -> None:
    """Slopes of the mean over n decisions instead of those of each."""
    share = np.float32(1.0 / n)
    for b in range(part.size):
        for j in range(_actions(seen, part[b]).size):
            room.scores[b, j] *= share
        for k in range(room.values.shape[1]):
            room.values[b, k] *= share

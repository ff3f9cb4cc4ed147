"""A minibatch of DQN as a kernel, for networks that nets/gradient.py can learn.

PyTorch spends a millisecond and more on a minibatch of 32 decisions of a small network, most of it on the overhead of its many
operations. Here the layers work on all decisions at once (nets/together.py), actions are scored decision by decision, and Adam
makes one step on the sum.

    found = Q(acted), or dueling: V + A(acted) - mean of A over the legal actions
    loss  = mean of weight * huber(found - wanted), or of half the square
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.kernel import fast, kernel
from meeple.nets.gradient import move, touch
from meeple.nets.layout import BIAS, INPUTS, WEIGHT
from meeple.nets.together import Room, run_together, trace_together


class Lesson(NamedTuple):
    """What a minibatch learns, and how."""

    picks: NDArray[np.int64]  # (n,) places in the replay
    wanted: NDArray[np.float32]  # (n,) what the actions taken there should have been worth
    weights: NDArray[np.float32]  # (n,) of each decision's loss
    found: NDArray[np.float32]  # (n,) what they were thought to be worth: written here
    room: Room
    dueling: int  # as Net.dueling; 2: with relus
    mean_over_batch: bool  # as a thesis did: one mean of A for the whole minibatch
    huber: bool
    share: float  # of the mean that is the loss: 1, or less as a thesis did


@kernel
def learn_minibatch(descent: Any, rates: Any, replay: Any, lesson: Any) -> Any:
    """One gradient step. Returns the loss and the norm that the gradient had."""
    room = lesson.room
    for b in range(lesson.picks.size):
        room.seen[b] = replay.observations[lesson.picks[b]]
    run_together(descent.weights, descent.layers, room)
    of_mean = _find(descent, replay, lesson)
    room.slopes[0] = np.float32(0.0)
    for b in range(lesson.picks.size):
        _, actions, acted = _decision(replay, lesson, b)
        slope = _slope(lesson, b)
        shared = of_mean if lesson.mean_over_batch else slope / np.float32(actions.size)
        _set_slopes(lesson, b, actions.size, acted, (slope, shared))
        _trace_heads(descent, room, b, actions)
    trace_together(descent.weights, descent.layers, descent.gradient, room)
    return _loss(lesson), move(descent, rates)


@kernel
def _decision(replay: Any, lesson: Any, b: int) -> Any:
    """Its place, the legal actions (without dueling only the one taken), and the place of the one taken among them."""
    place = lesson.picks[b]
    first, n = replay.acted[place], 1
    if lesson.dueling:
        first, n = replay.starts[place], replay.counts[place]
    return place, replay.ids[first : first + n], replay.acted[place] - first


@kernel
def _find(descent: Any, replay: Any, lesson: Any) -> Any:
    """What the actions taken are thought to be worth; returns the slope of the loss by one mean of all, for who has that."""
    total, entries, slopes = np.float32(0.0), 0, np.float32(0.0)
    for b in range(lesson.picks.size):
        _, actions, acted = _decision(replay, lesson, b)
        mine = _score(descent, lesson, b, actions)
        total += mine
        entries += actions.size
        lesson.found[b] = lesson.room.scores[b, acted]
        if lesson.dueling:
            lesson.found[b] += lesson.room.values[b, 0]
            lesson.found[b] -= np.float32(0.0) if lesson.mean_over_batch else mine / np.float32(actions.size)
    if lesson.mean_over_batch:
        for b in range(lesson.picks.size):
            lesson.found[b] -= total / np.float32(entries)
            slopes += _slope(lesson, b)
    return slopes / np.float32(entries)


@fast
def _score(descent: Any, lesson: Any, b: int, actions: Any) -> Any:
    """A decision's actions into room.scores; returns their sum. Relus on both heads, if it has them."""
    room = lesson.room
    query, scores, total = room.said[room.said.shape[0] - 1, b], room.scores[b], np.float32(0.0)
    for j in range(actions.size):
        row = descent.rows[actions[j]]
        dot = descent.biases[actions[j]]
        for k in range(row.size):
            dot += row[k] * query[k]
        scores[j] = max(dot, np.float32(0.0)) if lesson.dueling == 2 else dot
        total += scores[j]
    if lesson.dueling == 2:
        room.values[b, 0] = max(room.values[b, 0], np.float32(0.0))
    return total


@kernel
def _slope(lesson: Any, b: int) -> Any:
    """Of the loss by what was found for one decision."""
    error = lesson.found[b] - lesson.wanted[b]
    if lesson.huber:
        error = min(np.float32(1.0), max(np.float32(-1.0), error))
    return lesson.weights[b] * error * np.float32(lesson.share / lesson.picks.size)


@kernel
def _set_slopes(lesson: Any, b: int, n: int, acted: int, slopes: Any) -> None:
    """Of the loss by the n scores and by V, in place of these: slopes = (of this decision, of the mean). A zero was cut off by a
    relu."""
    slope, of_mean = slopes
    scores, values, zero = lesson.room.scores[b], lesson.room.values[b], np.float32(0.0)
    if not lesson.dueling:
        scores[0], values[0] = slope, zero
        return
    for j in range(n):
        cut = lesson.dueling == 2 and scores[j] == 0.0
        scores[j] = zero if cut else (slope if j == acted else zero) - of_mean
    values[0] = zero if lesson.dueling == 2 and values[0] == 0.0 else slope


@fast
def _trace_heads(descent: Any, room: Any, b: int, actions: Any) -> None:
    """From a decision's slopes by scores and V to the gradient by rows and value layer, and to the slopes by the query."""
    layer, query, slope = descent.layers[descent.layers.shape[0] - 1], room.said[room.said.shape[0] - 1, b], room.slopes[0, b]
    g, start, n = room.values[b, 0], layer[WEIGHT], layer[INPUTS]
    if g != 0.0:
        value_row, to_value_row = descent.weights[start : start + n], descent.gradient[start : start + n]
        for k in range(n):
            slope[k] += g * value_row[k]
        for k in range(n):
            to_value_row[k] += g * query[k]
        descent.gradient[layer[BIAS]] += g
    for j in range(actions.size):
        g, row, to_row = room.scores[b, j], descent.rows[actions[j]], descent.to_rows[actions[j]]
        for k in range(row.size):
            slope[k] += g * row[k]
        for k in range(row.size):
            to_row[k] += g * query[k]
        descent.to_biases[actions[j]] += g
        if descent.marks.size > 0:
            touch(descent, actions[j])


@kernel
def _loss(lesson: Any) -> float:
    total = 0.0
    for b in range(lesson.picks.size):
        size = abs(lesson.found[b] - lesson.wanted[b])
        total += lesson.weights[b] * (size - 0.5 if lesson.huber and size > 1.0 else 0.5 * size * size)
    return total * lesson.share / lesson.picks.size  # type: ignore[no-any-return]

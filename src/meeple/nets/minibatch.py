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

from meeple.core.kernel import kernel
from meeple.nets.gradient import move, score_rows, trace_row
from meeple.nets.together import Room, run_together, trace_together, trace_values, turn_layers


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
    room, last = lesson.room, lesson.room.said.shape[0] - 1
    for b in range(lesson.picks.size):
        room.seen[b] = replay.observations[lesson.picks[b]]
    turn_layers(descent.weights, descent.layers, room)
    run_together(descent.weights, descent.layers, room)
    of_mean = _find(descent, replay, lesson)
    for b in range(lesson.picks.size):
        actions, acted = _decision(replay, lesson, b)
        slope = _slope(lesson, b)
        shared = of_mean if lesson.mean_over_batch else slope / np.float32(actions.size)
        _set_slopes(lesson, b, actions.size, acted, (slope, shared))
    trace_values(descent.weights, descent.layers, descent.gradient, room, lesson.picks.size)
    for b in range(lesson.picks.size):
        actions, _ = _decision(replay, lesson, b)
        for j in range(actions.size):
            trace_row(descent, actions[j], room.scores[b, j], room.said[last, b], room.slopes[0, b])
    trace_together(descent.weights, descent.layers, descent.gradient, room)
    return _loss(lesson), move(descent, rates)


@kernel
def _decision(replay: Any, lesson: Any, b: int) -> Any:
    """The legal actions (without dueling only the one taken), and the place of the one taken among them."""
    place = lesson.picks[b]
    first, n = replay.acted[place], 1
    if lesson.dueling:
        first, n = replay.starts[place], replay.counts[place]
    return replay.ids[first : first + n], replay.acted[place] - first


@kernel
def _find(descent: Any, replay: Any, lesson: Any) -> Any:
    """What the actions taken are thought to be worth; returns the slope of the loss by one mean of all, for who has that."""
    total, entries, slopes = np.float32(0.0), 0, np.float32(0.0)
    for b in range(lesson.picks.size):
        actions, acted = _decision(replay, lesson, b)
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


@kernel
def _score(descent: Any, lesson: Any, b: int, actions: Any) -> Any:
    """A decision's actions into room.scores; returns their sum. Relus on both heads, if it has them."""
    room = lesson.room
    scores, values, total = room.scores[b], room.values[b], np.float32(0.0)
    score_rows(descent, room.said[room.said.shape[0] - 1, b], actions, scores)
    if lesson.dueling == 2:
        values[0] = max(values[0], np.float32(0.0))
    for j in range(actions.size):
        if lesson.dueling == 2:
            scores[j] = max(scores[j], np.float32(0.0))
        total += scores[j]
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


@kernel
def _loss(lesson: Any) -> float:
    total = 0.0
    for b in range(lesson.picks.size):
        size = abs(lesson.found[b] - lesson.wanted[b])
        total += lesson.weights[b] * (size - 0.5 if lesson.huber and size > 1.0 else 0.5 * size * size)
    return total * lesson.share / lesson.picks.size  # type: ignore[no-any-return]

"""A minibatch of DQN as a kernel, for networks that nets/gradient.py can learn.

PyTorch spends a millisecond and more on a minibatch of 32 decisions of a small network, most of it on the overhead of its many
operations. Here each decision is looked at and traced back by itself, and Adam makes one step on the sum.

    found = Q(acted), or dueling: V + A(acted) - mean of A over the legal actions
    loss  = mean of weight * huber(found - wanted), or of half the square
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.kernel import kernel
from meeple.nets.forward import run_layer
from meeple.nets.gradient import look, move, trace_back


class Lesson(NamedTuple):
    """What a minibatch learns, and how."""

    picks: NDArray[np.int64]  # (n,) places in the replay
    wanted: NDArray[np.float32]  # (n,) what the actions taken there should have been worth
    weights: NDArray[np.float32]  # (n,) of each decision's loss
    found: NDArray[np.float32]  # (n,) what they were thought to be worth: written here
    dueling: int  # as Net.dueling; 2: with relus
    mean_over_batch: bool  # as a thesis did: one mean of A for the whole minibatch
    huber: bool
    share: float  # of the mean that is the loss: 1, or less as a thesis did


@kernel
def learn_minibatch(descent: Any, rates: Any, replay: Any, lesson: Any) -> Any:
    """One gradient step. Returns the loss and the norm that the gradient had."""
    if lesson.mean_over_batch:
        _trace_together(descent, replay, lesson)
    else:
        _trace_each(descent, replay, lesson)
    return _loss(lesson), move(descent, rates)


@kernel
def _trace_each(descent: Any, replay: Any, lesson: Any) -> None:
    for i in range(lesson.picks.size):
        seen, actions, acted = _decision(replay, lesson, i)
        total = _look(descent, lesson, seen, actions)
        mean = total / np.float32(actions.size) if lesson.dueling else np.float32(0.0)
        lesson.found[i] = descent.scores[acted] + descent.values[0] - mean
        slope = _slope(lesson, i)
        _set_slopes(descent, lesson, actions.size, acted, (slope, slope / np.float32(actions.size)))
        trace_back(descent, seen, actions)


@kernel
def _trace_together(descent: Any, replay: Any, lesson: Any) -> None:
    """The mean belongs to all, so all are looked at before any slope is known, and again when it is traced back."""
    total, entries, slopes = np.float32(0.0), 0, np.float32(0.0)
    for i in range(lesson.picks.size):
        seen, actions, acted = _decision(replay, lesson, i)
        total += _look(descent, lesson, seen, actions)
        entries += actions.size
        lesson.found[i] = descent.scores[acted] + descent.values[0]
    for i in range(lesson.picks.size):
        lesson.found[i] -= total / np.float32(entries)
        slopes += _slope(lesson, i)
    for i in range(lesson.picks.size):
        seen, actions, acted = _decision(replay, lesson, i)
        _look(descent, lesson, seen, actions)
        _set_slopes(descent, lesson, actions.size, acted, (_slope(lesson, i), slopes / np.float32(entries)))
        trace_back(descent, seen, actions)


@kernel
def _decision(replay: Any, lesson: Any, i: int) -> Any:
    """What was seen, the legal actions (without dueling only the one taken), and the place of the one taken among them."""
    place = lesson.picks[i]
    first, n = replay.acted[place], 1
    if lesson.dueling:
        first, n = replay.starts[place], replay.counts[place]
    return replay.observations[place], replay.ids[first : first + n], replay.acted[place] - first


@kernel
def _look(descent: Any, lesson: Any, seen: Any, actions: Any) -> Any:
    """Scores into descent.scores, and for dueling V into descent.values; returns the sum of the scores."""
    look(descent, seen, actions)
    if not lesson.dueling:
        descent.values[0] = np.float32(0.0)
        return descent.scores[0]
    run_layer(descent.weights, descent.layers[descent.layers.shape[0] - 1], descent.said[-1], descent.values, False)
    total = np.float32(0.0)
    if lesson.dueling == 2:
        descent.values[0] = max(descent.values[0], np.float32(0.0))
    for j in range(actions.size):
        if lesson.dueling == 2:
            descent.scores[j] = max(descent.scores[j], np.float32(0.0))
        total += descent.scores[j]
    return total


@kernel
def _slope(lesson: Any, i: int) -> Any:
    """Of the loss by what was found for one decision."""
    error = lesson.found[i] - lesson.wanted[i]
    if lesson.huber:
        error = min(np.float32(1.0), max(np.float32(-1.0), error))
    return lesson.weights[i] * error * np.float32(lesson.share / lesson.picks.size)


@kernel
def _set_slopes(descent: Any, lesson: Any, n: int, acted: int, slopes: Any) -> None:
    """Of the loss by the n scores and by V, in place of these: slopes = (of this decision, of the mean). A zero was cut off by a
    relu."""
    slope, of_mean = slopes
    if not lesson.dueling:
        descent.scores[0] = slope
        descent.values[0] = np.float32(0.0)
        return
    for j in range(n):
        cut = lesson.dueling == 2 and descent.scores[j] == 0.0
        descent.scores[j] = np.float32(0.0) if cut else (slope if j == acted else np.float32(0.0)) - of_mean
    cut = lesson.dueling == 2 and descent.values[0] == 0.0
    descent.values[0] = np.float32(0.0) if cut else slope


@kernel
def _loss(lesson: Any) -> float:
    total = 0.0
    for i in range(lesson.picks.size):
        size = abs(lesson.found[i] - lesson.wanted[i])
        total += lesson.weights[i] * (size - 0.5 if lesson.huber and size > 1.0 else 0.5 * size * size)
    return total * lesson.share / lesson.picks.size  # type: ignore[no-any-return]

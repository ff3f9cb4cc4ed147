"""Gradient steps as kernels, for learners that make one after every decision; minibatches are in nets/minibatch.py (of DQN) and
nets/policy_minibatch.py.

PyTorch spends most of a millisecond on such a step of a small network: many operations, each with an overhead of its own. Here it
is one call. It serves networks with a `flat` head and nothing beside it (`fits`); PyTorch computes everything else. Both go by the
same formulas on the same memory, so a run may be resumed by either: tests/nets holds each step to PyTorch's.

    step = look (forward, keeping what each layer said), slopes of the loss by what was said last, trace_back, move (Adam)
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.kernel import fast, kernel
from meeple.nets.forward import log_sum_exp, row_of, run_layer
from meeple.nets.layout import BIAS, INPUTS, OUTPUTS, Layout
from meeple.nets.targets import judge_ahead, look_forward

BETA1, BETA2 = 0.9, 0.999  # PyTorch's, which nobody here changes
LEAST_MOMENT = np.float32(1e-30)  # moments below move no weight, but would end as denormal numbers, with which processors are slow
POLICY_LOSS, VALUE_LOSS, ENTROPY, NORM = range(4)  # of `told`


class Rates(NamedTuple):
    """Settings of a step."""

    lr: float
    most_gradient: float = 0.0  # gradients are scaled down to this norm; 0: never
    entropy: float = 0.0  # weight of the entropy bonus
    value_weight: float = 0.0


class Descent(NamedTuple):
    """What a step works with. Weights and moments are the model's and the optimiser's own memory; the rest is room."""

    weights: NDArray[np.float32]  # (layout.size,)
    layers: NDArray[np.int64]  # (hidden layers + 2, 4): see Layout.table
    rows: NDArray[np.float32]  # (actions, row width) of the weights
    biases: NDArray[np.float32]  # (actions,) likewise
    first: NDArray[np.float32]  # (layout.size,) Adam's moments
    second: NDArray[np.float32]  # (layout.size,)
    steps: NDArray[np.float32]  # (1,) so far
    gradient: NDArray[np.float32]  # (layout.size,) zero between two steps
    to_rows: NDArray[np.float32]  # (actions, row width) of the gradient
    to_biases: NDArray[np.float32]  # (actions,) likewise
    touched: NDArray[np.int32]  # (actions + 1,) whose rows have a gradient, and how many; nothing where all weights move every time
    marks: NDArray[np.bool_]  # (actions,) the same by action
    said: NDArray[np.float32]  # (hidden layers, widest) by each layer
    slopes: NDArray[np.float32]  # (2, widest) of the loss by what a layer said, and by what the one before it said
    scores: NDArray[np.float32]  # (most legal actions,) and then the slopes of the loss by them
    values: NDArray[np.float32]  # (values,) likewise
    told: NDArray[np.float64]  # (4,) sums over the steps of a call: both losses, entropy, norm of the gradient
    eps: float  # Adam's


def fits(layout: Layout) -> bool:
    """Can these kernels learn such a network?"""
    more = layout.items or layout.atoms > 1 or layout.noisy or layout.after
    return layout.head == "flat" and not more


def make_descent(
    layout: Layout, weights: NDArray[np.float32], moments: dict[str, NDArray[Any]], eps: float, most_legal: int, lazy: bool = False
) -> Descent:
    """Steps on somebody's weights and moments (`first`, `second`, `count`). Lazy: rows without a gradient stay where they are."""
    gradient = np.zeros_like(weights)
    return Descent(
        weights=weights,
        layers=layout.table,
        rows=layout.of(weights, "rows.weight"),
        biases=layout.of(weights, "rows.bias"),
        gradient=gradient,
        to_rows=layout.of(gradient, "rows.weight"),
        to_biases=layout.of(gradient, "rows.bias"),
        touched=np.zeros(layout.actions + 1 if lazy else 0, np.int32),
        marks=np.zeros(layout.actions if lazy else 0, np.bool_),
        said=np.zeros((len(layout.hidden), max(layout.hidden)), np.float32),
        slopes=np.zeros((2, max(layout.hidden)), np.float32),
        scores=np.zeros(most_legal, np.float32),
        values=np.zeros(layout.values, np.float32),
        told=np.zeros(4),
        eps=eps,
        first=moments["first"],
        second=moments["second"],
        steps=moments["count"],
    )


# ---- Whole steps ----


@kernel
def learn_decisions(descent: Any, rates: Any, observations: Any, lists: Any, chosen: Any, lesson: Any) -> None:
    """A step for each decision of a policy, in order. lists = (starts, counts, ids); lesson = (weights of the actor's step, targets
    of the values, which of these count). Figures are added up in `told`."""
    starts, counts, ids = lists
    weight, targets, counted = lesson
    descent.told[:] = 0.0
    for i in range(weight.size):
        actions = ids[starts[i] : starts[i] + counts[i]]
        learn_decision(descent, rates, observations[i], actions, chosen[i], (weight[i], targets[i], counted[i]))


@kernel
def learn_decision(descent: Any, rates: Any, observation: Any, actions: Any, chosen: int, lesson: Any) -> None:
    """The step for one of them."""
    weight, targets, counted = lesson
    look(descent, observation, actions)
    run_layer(descent.weights, descent.layers[descent.layers.shape[0] - 1], _query(descent), descent.values, False)
    entropy = to_logs(descent.scores, actions.size)
    descent.told[POLICY_LOSS] -= descent.scores[chosen] * weight
    descent.told[ENTROPY] += entropy
    slope_policy(descent.scores, actions.size, chosen, weight, rates.entropy, entropy)
    descent.told[VALUE_LOSS] += slope_values(descent.values, targets, counted, rates.value_weight)
    trace_back(descent, observation, actions)
    descent.told[NORM] += move(descent, rates)


@kernel
def learn_scores(descent: Any, rates: Any, net: Any, memory: Any, discount: float, unsquared: bool) -> float:
    """A step of Q-learning for each decision, in order: towards r + discount * the best legal action's value by the network as it
    is. memory = (replay, places in it, room to look ahead for one); `net` is on the same weights. Returns the mean loss."""
    replay, picks, ahead = memory
    total = 0.0
    for i in range(picks.size):
        place = picks[i]
        look_forward(replay, picks[i : i + 1], 1, discount, ahead)
        judge_ahead(replay, net, net, False, ahead)
        actions = replay.ids[replay.acted[place] : replay.acted[place] + 1]
        look(descent, replay.observations[place], actions)
        error = descent.scores[0] - (ahead.returns[0] + ahead.factors[0] * ahead.values[0])
        total += -error if unsquared else 0.5 * error * error
        descent.scores[0] = np.float32(-1.0) if unsquared else error
        trace_back(descent, replay.observations[place], actions)
        move(descent, rates)
    return total / max(1, picks.size)  # type: ignore[no-any-return]


# ---- Their parts ----


@fast
def look(descent: Any, observation: Any, actions: Any) -> None:
    """Scores of some actions; what each layer said is kept."""
    run_layer(descent.weights, descent.layers[0], observation, descent.said[0], True)
    for i in range(1, descent.said.shape[0]):
        run_layer(descent.weights, descent.layers[i], descent.said[i - 1], descent.said[i], True)
    score_rows(descent, _query(descent), actions, descent.scores)


@fast
def score_rows(descent: Any, query: Any, actions: Any, scores: Any) -> None:
    """Scores of some actions by a query."""
    for j in range(actions.size):
        row = descent.rows[actions[j]]
        dot = descent.biases[actions[j]]
        for k in range(row.size):
            dot += row[k] * query[k]
        scores[j] = dot


@kernel
def _query(descent: Any) -> Any:
    """What the last hidden layer said."""
    return descent.said[descent.said.shape[0] - 1]


@kernel
def to_logs(scores: Any, n: int) -> Any:
    """The n scores become log-probabilities; returns their entropy."""
    total, entropy = np.float32(log_sum_exp(scores, n, 1.0)), np.float32(0.0)
    for j in range(n):
        scores[j] -= total
        entropy -= np.exp(scores[j]) * scores[j]
    return entropy


@kernel
def slope_policy(logs: Any, n: int, chosen: int, weight: float, bonus: float, entropy: float) -> None:
    """Of - weight * log p(chosen) - bonus * entropy by the n scores, in place of the log-probabilities:
    weight * (p - 1 where chosen) + bonus * p * (log p + entropy)."""
    extra = np.float32(bonus)
    for j in range(n):
        p = np.exp(logs[j])
        logs[j] = weight * p + extra * p * (logs[j] + entropy)
    logs[chosen] -= weight


@kernel
def slope_values(values: Any, targets: Any, counted: Any, weight: float) -> float:
    """Of weight * half the mean square of what the values are off, where they count; in place of the values. Returns half that mean
    square."""
    total = 0.0
    for k in range(values.size):
        error = (values[k] - targets[k]) * counted[k]
        total += 0.5 * error * error / values.size
        values[k] = weight * error / values.size
    return total


@fast
def trace_row(descent: Any, action: int, g: Any, query: Any, slope: Any) -> None:
    """From the slope by an action's score to the gradient by its row, and to the slopes by the query."""
    row, to_row = descent.rows[action], descent.to_rows[action]
    for k in range(row.size):
        slope[k] += g * row[k]
    for k in range(row.size):
        to_row[k] += g * query[k]
    descent.to_biases[action] += g
    if descent.marks.size > 0:
        _touch(descent, action)


@fast
def trace_back(descent: Any, observation: Any, actions: Any) -> None:
    """From the slopes by scores and values to the gradient by the weights, of which only the rows of these actions are touched."""
    last, query, slope = descent.said.shape[0] - 1, _query(descent), descent.slopes[0]
    slope[:] = np.float32(0.0)
    _trace_layer(descent, descent.layers[descent.layers.shape[0] - 1], query, descent.values, slope)
    for j in range(actions.size):
        trace_row(descent, actions[j], descent.scores[j], query, slope)
    now = 0
    for i in range(last, -1, -1):
        slope, before = descent.slopes[now], descent.slopes[1 - now]
        for k in range(descent.layers[i, OUTPUTS]):
            slope[k] = slope[k] if descent.said[i, k] > 0.0 else np.float32(0.0)
        if i > 0:
            before[:] = np.float32(0.0)
            _trace_layer(descent, descent.layers[i], descent.said[i - 1], slope, before)
        else:
            _trace_weights(descent, descent.layers[0], observation, slope)
        now = 1 - now


@fast
def _trace_layer(descent: Any, layer: Any, x: Any, slope: Any, before: Any) -> None:
    """Of out = x W + b: to the gradient by W and b, and to the slopes by x. An x of zero was cut off by its relu."""
    _trace_weights(descent, layer, x, slope)
    for i in range(layer[INPUTS]):
        if x[i] != 0.0:
            row, dot = row_of(descent.weights, layer, i), np.float32(0.0)
            for j in range(layer[OUTPUTS]):
                dot += row[j] * slope[j]
            before[i] += dot


@fast
def _trace_weights(descent: Any, layer: Any, x: Any, slope: Any) -> None:
    bias = descent.gradient[layer[BIAS] : layer[BIAS] + layer[OUTPUTS]]
    for j in range(layer[OUTPUTS]):
        bias[j] += slope[j]
    for i in range(layer[INPUTS]):
        if x[i] != 0.0:
            row = row_of(descent.gradient, layer, i)
            for j in range(layer[OUTPUTS]):
                row[j] += x[i] * slope[j]


@kernel
def _touch(descent: Any, action: int) -> None:
    if not descent.marks[action]:
        count = descent.touched[descent.touched.size - 1]
        descent.marks[action] = True
        descent.touched[count] = action
        descent.touched[descent.touched.size - 1] += 1


@fast
def _squares(gradient: Any) -> Any:
    total = np.float32(0.0)
    for k in range(gradient.size):
        total += gradient[k] * gradient[k]
    return total


@kernel
def move(descent: Any, rates: Any) -> float:
    """A step of Adam (Kingma, Ba 2015), which moves all weights, or lazily those that no row holds and the rows that have a
    gradient; this is zero again. Returns the norm that it had."""
    lazy = descent.marks.size > 0
    always = descent.weights.size - descent.rows.size - descent.biases.size if lazy else descent.weights.size
    touched = descent.touched[: descent.touched[descent.touched.size - 1]] if lazy else descent.touched
    squares = _squares(descent.gradient[:always])
    for action in touched:
        squares += _squares(descent.to_rows[action]) + descent.to_biases[action] ** 2
    norm = np.sqrt(squares)
    scaled = rates.most_gradient > 0.0 and norm > rates.most_gradient
    scale = np.float32(rates.most_gradient / norm if scaled else 1.0)
    descent.steps[0] += np.float32(1.0)
    numbers = adam_numbers(rates.lr, descent.steps[0], float(scale), descent.eps)
    part = slice(0, always)
    _move(descent.weights[part], descent.gradient[part], descent.first[part], descent.second[part], numbers)
    for action in touched:
        row, bias = _row_and_bias(descent, action)
        _move(descent.weights[row], descent.gradient[row], descent.first[row], descent.second[row], numbers)
        _move(descent.weights[bias], descent.gradient[bias], descent.first[bias], descent.second[bias], numbers)
        descent.marks[action] = False
    if lazy:
        descent.touched[descent.touched.size - 1] = 0
    return norm  # type: ignore[no-any-return]


@kernel
def _row_and_bias(descent: Any, action: int) -> Any:
    """Where they lie in the flat array, whose end the rows are."""
    biases = descent.weights.size - descent.biases.size
    first, width = biases - descent.rows.size + action * descent.rows.shape[1], descent.rows.shape[1]
    return slice(first, first + width), slice(biases + action, biases + action + 1)


@kernel
def adam_numbers(lr: float, steps: float, scale: float, eps: float) -> Any:
    """(step, scale of the gradient, lift of the second moment, eps) as `_move` takes them."""
    count = float(steps)
    step = np.float32(lr / (1.0 - BETA1**count))
    return step, np.float32(scale), np.float32(1.0 / np.sqrt(1.0 - BETA2**count)), np.float32(eps)


@kernel
def move_rows(rows: Any, gradient: Any, first: Any, second: Any, ids: Any, numbers: Any) -> None:
    """A step of Adam on some rows, each with its gradient."""
    for k in range(ids.size):
        _move(rows[ids[k]], gradient[k], first[ids[k]], second[ids[k]], numbers)


@kernel
def _move(weights: Any, gradient: Any, first: Any, second: Any, numbers: Any) -> None:
    """PyTorch's operations, all in float32 so that they run as vectors."""
    step, scale, lift, eps = numbers
    keep, fresh1, fresh2 = np.float32(BETA2), np.float32(1.0 - BETA1), np.float32(1.0 - BETA2)
    zero = np.float32(0.0)
    for k in range(weights.size):
        g = gradient[k] * scale
        gradient[k] = zero
        m = first[k] + fresh1 * (g - first[k])
        v = keep * second[k] + fresh2 * g * g
        m = zero if abs(m) < LEAST_MOMENT else m  # so that what is no number stays none, and is noticed
        v = zero if v < LEAST_MOMENT else v
        first[k], second[k] = m, v
        weights[k] -= step * m / (np.sqrt(v) * lift + eps)

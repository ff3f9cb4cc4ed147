"""A gradient step by kernels is PyTorch's: gradients, norms, losses, and Adam, one step and fifty in sequence."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch

from meeple.core.errors import MeepleError
from meeple.learn import ragged
from meeple.learn.experience import Packer
from meeple.learn.heads import look as look_by_torch
from meeple.learn.math import policy_gradient_loss, squared_loss
from meeple.learn.model import Model
from meeple.learn.optimiser import Adam
from meeple.learn.targets import errors_squared, errors_unsquared
from meeple.nets.forward import evaluate
from meeple.nets.gradient import (
    Descent,
    Rates,
    adam_numbers,
    fits,
    learn_decisions,
    learn_scores,
    look,
    make_descent,
    move,
    move_rows,
    trace_back,
)
from meeple.nets.layout import Layout, random_weights
from meeple.nets.replay import END, OPEN, Replay, make_replay
from meeple.nets.targets import make_ahead

ACTIONS, INPUTS, MOST = 30, 20, 9
HIDDEN = pytest.mark.parametrize("hidden", [(16,), (24, 17), (16, 8, 12)], ids=str)
POLICY = Rates(lr=1e-2, entropy=0.05, value_weight=0.7)


class Twins(NamedTuple):
    """The same network twice: learnt by PyTorch, and by kernels."""

    model: Model
    adam: Adam
    other: Model
    descent: Descent


def twins(hidden: tuple[int, ...], lazy: bool = False, **more: Any) -> Twins:
    layout = Layout(inputs=INPUTS, actions=ACTIONS, hidden=hidden, **more)
    assert fits(layout)
    weights = random_weights(layout, 3)
    weights += np.random.default_rng(4).standard_normal(weights.shape).astype(np.float32) * 0.1  # biases and rows too
    model, other = Model(layout, weights), Model(layout, weights.copy())
    descent = make_descent(layout, other.weights, Adam(other).arrays(), 1e-8, MOST, lazy)
    return Twins(model, Adam(model, lazy=lazy), other, descent)


class Decisions(NamedTuple):
    observations: Any
    lists: Any
    chosen: Any
    lesson: Any


def some_decisions(n: int, values: int) -> Decisions:
    rng = np.random.default_rng(1)
    observations = (rng.standard_normal((n, INPUTS)) * (rng.random((n, INPUTS)) < 0.6)).astype(np.float32)
    counts = rng.integers(1, MOST + 1, n).astype(np.int32)
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]]).astype(np.int64)
    ids = np.concatenate([rng.choice(ACTIONS, k, replace=False) for k in counts]).astype(np.int32)
    chosen = (rng.random(n) * counts).astype(np.int32)
    weight, targets = (rng.standard_normal(shape).astype(np.float32) for shape in ((n,), (n, values)))
    counted = np.ones((n, values), np.float32)
    counted[::2, 1:] = 0.0
    return Decisions(observations, (starts, counts, ids), chosen, (weight, targets, counted))


def only(decisions: Decisions, i: int) -> Decisions:
    starts, counts, ids = decisions.lists
    lesson = tuple(part[i : i + 1] for part in decisions.lesson)
    return Decisions(
        decisions.observations[i : i + 1], (starts[i : i + 1], counts[i : i + 1], ids), decisions.chosen[i : i + 1], lesson
    )


def step_by_torch(twin: Twins, decisions: Decisions, i: int, rates: Rates) -> list[float]:
    """One decision as the learners do it where kernels do not fit."""
    packed, picks = Packer(ACTIONS, 1, MOST).pack(decisions.lists, np.array([i])), slice(i, i + 1)
    logs, values, entropies = look_by_torch(twin.model, decisions.observations[picks], packed, decisions.chosen[picks])
    weight, targets, counted = (torch.from_numpy(part[picks]) for part in decisions.lesson)
    policy_loss, entropy = policy_gradient_loss(logs, weight), entropies.mean()
    value_loss = squared_loss(values * counted, targets * counted)
    loss = policy_loss + rates.value_weight * value_loss - rates.entropy * entropy
    return [policy_loss.item(), value_loss.item(), entropy.item(), twin.adam.descend(loss, rates.lr, rates.most_gradient)]


def assert_same(twin: Twins, tolerance: float) -> None:
    found, wanted = twin.descent, twin.adam
    for name in ("first", "second"):
        size = np.abs(getattr(wanted, name)).max()
        assert np.allclose(getattr(found, name), getattr(wanted, name), rtol=tolerance, atol=tolerance * size)
    assert found.steps[0] == wanted.count[0]
    assert np.allclose(twin.other.weights, twin.model.weights, rtol=tolerance, atol=tolerance)
    assert not found.gradient.any()


@HIDDEN
@pytest.mark.parametrize("rates", [POLICY, POLICY._replace(most_gradient=0.1)], ids=["", "scaled"])
def test_a_step_of_a_policy_with_entropy_and_baseline_is_pytorchs(hidden: tuple[int, ...], rates: Rates) -> None:
    decisions = some_decisions(20, 2)
    for i in range(20):
        twin = twins(hidden, values=2)  # anew: the first moment after one step is a tenth of the gradient
        wanted = step_by_torch(twin, decisions, i, rates)
        learn_decisions(twin.descent, rates, *only(decisions, i))
        assert np.allclose(twin.descent.told, wanted, rtol=1e-5, atol=1e-6)
        assert_same(twin, 1e-5)


@HIDDEN
@pytest.mark.parametrize("lazy", [False, True])
def test_fifty_steps_of_a_policy_in_one_call_stay_with_pytorchs(hidden: tuple[int, ...], lazy: bool) -> None:
    twin, decisions = twins(hidden, lazy, values=2), some_decisions(50, 2)
    wanted = [step_by_torch(twin, decisions, i, POLICY) for i in range(50)]
    learn_decisions(twin.descent, POLICY, *decisions)
    assert np.allclose(twin.descent.told, np.sum(wanted, axis=0), rtol=1e-4)
    assert_same(twin, 2e-4)


def test_lazily_only_rows_in_the_minibatch_move_and_these_as_ever() -> None:
    decisions, rates = some_decisions(2, 1), POLICY._replace(most_gradient=0.1)
    lazily, fully = twins((16,), lazy=True), twins((16,))
    rows = lazily.model.layout.parts["rows.weight"].start
    for i, (starts, counts, ids) in enumerate([decisions.lists] * 2):
        before, moments = lazily.model.weights.copy(), lazily.adam.first.copy()
        told = [step_by_torch(twin, decisions, i, rates) for twin in (lazily, fully)]
        moved = lazily.model.layout.of((lazily.model.weights != before).astype(np.float32), "rows.weight").any(axis=1)
        learnt = lazily.model.layout.of((lazily.adam.first != moments).astype(np.float32), "rows.weight").any(axis=1)
        assert set(np.flatnonzero(moved)) == set(np.flatnonzero(learnt)) == set(ids[starts[i] : starts[i] + counts[i]].tolist())
        assert told[0] == pytest.approx(told[1], rel=1e-5)
        if i == 0:  # later the other rows have moved on in the full one
            assert np.allclose(lazily.model.weights, fully.model.weights, atol=1e-7)
            assert np.abs(lazily.model.weights[:rows] - before[:rows]).max() > 0
            fully = twins((16,))
            fully.model.weights[:], fully.adam.first[:] = lazily.model.weights, lazily.adam.first
            fully.adam.second[:], fully.adam.count[:] = lazily.adam.second, lazily.adam.count


def test_a_lazy_step_of_rows_is_that_of_pytorchs_sparse_adam() -> None:
    rng = np.random.default_rng(2)
    rows = torch.from_numpy(rng.standard_normal((6, 4)).astype(np.float32)).requires_grad_()
    ours, first, second = rows.detach().numpy().copy(), np.zeros((6, 4), np.float32), np.zeros((6, 4), np.float32)
    theirs = torch.optim.SparseAdam([rows], lr=1e-2)
    for count, ids in enumerate(([0, 2], [2, 5], [0, 5], [2]), start=1):
        gradient = rng.standard_normal((len(ids), 4)).astype(np.float32)
        rows.grad = torch.sparse_coo_tensor(torch.tensor([ids]), torch.from_numpy(gradient.copy()), (6, 4), check_invariants=True)
        theirs.step()  # type: ignore[no-untyped-call]
        move_rows(ours, gradient, first, second, np.array(ids, np.int32), adam_numbers(1e-2, count, 1.0, 1e-8))
    assert np.allclose(ours, rows.detach().numpy(), atol=1e-6)


def test_heads_without_rows_of_their_own_cannot_be_lazy() -> None:
    layout = Layout(inputs=INPUTS, actions=ACTIONS, head="features", features=3)
    with pytest.raises(MeepleError, match="lazy is for the heads flat and embedding"):
        Adam(Model(layout, random_weights(layout, 1), np.ones((ACTIONS, 3), np.float32)), lazy=True)


def test_the_kernel_that_plays_sees_the_new_weights_at_once() -> None:
    twin, decisions = twins((16,)), some_decisions(1, 1)
    net, actions = twin.other.net(MOST), decisions.lists[2]
    evaluate(net, decisions.observations[0], actions, len(actions))
    before = net.scores.copy()
    learn_decisions(twin.descent, POLICY, *decisions)
    evaluate(net, decisions.observations[0], actions, len(actions))
    assert not np.array_equal(net.scores[: len(actions)], before[: len(actions)])
    look(twin.descent, decisions.observations[0], actions)
    assert np.allclose(twin.descent.scores[: len(actions)], net.scores[: len(actions)], atol=1e-6)


def a_replay(n: int) -> Replay:
    """A chain of decisions of one seat, with an end after every fifth."""
    decisions, rng = some_decisions(n, 1), np.random.default_rng(6)
    replay = make_replay(n, INPUTS, MOST, 1, 1, prioritised=False)
    replay.observations[:] = decisions.observations
    replay.starts[:], replay.counts[:] = decisions.lists[:2]
    replay.ids[: len(decisions.lists[2])] = decisions.lists[2]
    replay.acted[:] = replay.starts + decisions.chosen
    replay.rewards[:] = rng.standard_normal(n)
    replay.following[:] = [END if i % 5 == 4 else i + 1 for i in range(n)]
    replay.following[n - 1] = OPEN
    return replay


def q_step_by_torch(twin: Twins, replay: Replay, place: int, discount: float, unsquared: bool) -> float:
    model, wanted, following = twin.model, float(replay.rewards[place]), replay.following[place]
    if following != END:
        first = replay.starts[following]
        queries, _ = model(torch.from_numpy(replay.observations[following : following + 1]))
        rows, biases = model.rows(replay.ids[first : first + replay.counts[following]])
        wanted += discount * (rows @ queries[0] + biases).max().item()
    queries, _ = model(torch.from_numpy(replay.observations[place : place + 1]))
    rows, biases = model.rows(replay.ids[replay.acted[place] : replay.acted[place] + 1])
    found = ragged.scores(queries, rows, biases, np.array([0, 1]), np.zeros(1, np.int32))
    loss = (errors_unsquared if unsquared else errors_squared)(found, torch.tensor([wanted])).mean()
    twin.adam.descend(loss, 1e-3)
    return loss.item()


@HIDDEN
@pytest.mark.parametrize("unsquared", [False, True])
@pytest.mark.parametrize(("steps", "tolerance"), [(1, 1e-5), (50, 2e-4)])
def test_steps_of_q_learning_are_pytorchs(hidden: tuple[int, ...], unsquared: bool, steps: int, tolerance: float) -> None:
    twin, replay = twins(hidden, q=True), a_replay(steps + 1)
    wanted = [q_step_by_torch(twin, replay, place, 0.9, unsquared) for place in range(steps)]
    memory = replay, np.arange(steps), make_ahead(1, 1)
    loss = learn_scores(twin.descent, Rates(1e-3), twin.other.net(MOST), memory, 0.9, unsquared)
    assert loss == pytest.approx(np.mean(wanted), rel=1e-4)
    assert_same(twin, tolerance)


def test_only_rows_of_actions_that_were_looked_at_have_a_gradient() -> None:
    twin, actions = twins((16,)), np.array([3, 8], np.int32)
    observation = np.ones(INPUTS, np.float32)
    look(twin.descent, observation, actions)
    trace_back(twin.descent, observation, actions)
    assert set(np.flatnonzero(twin.descent.to_biases)) == {3, 8}
    assert set(np.flatnonzero(twin.descent.to_rows.any(axis=1))) == {3, 8}


def test_moments_that_move_nothing_end_as_zero_and_not_as_denormal_numbers() -> None:
    twin = twins((16,))
    twin.descent.first[:], twin.descent.second[:] = 1e-29, 1e-29
    before = twin.other.weights.copy()
    for _ in range(60):
        move(twin.descent, Rates(1e-3))
    assert not twin.descent.first.any()
    assert np.array_equal(twin.other.weights, before)


def test_what_has_more_than_a_flat_head_is_left_to_pytorch() -> None:
    layout = Layout(inputs=INPUTS, actions=ACTIONS)
    assert fits(layout)
    for other in ({"head": "embedding"}, {"head": "dense"}, {"noisy": True}, {"after": True}, {"items": 4}):
        assert not fits(replace(layout, **other))

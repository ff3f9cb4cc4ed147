"""The kernel's forward pass is PyTorch's, and softmax over the legal rows is the masked dense softmax, gradients included."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from meeple.learn import ragged
from meeple.learn.experience import Packer
from meeple.learn.model import Model
from meeple.nets.forward import evaluate, evaluate_values
from meeple.nets.layout import Layout, random_weights

ACTIONS = 50


def a_model(head: str, **more: Any) -> Model:
    features = np.random.default_rng(5).standard_normal((ACTIONS, 9)).astype(np.float32) if head == "features" else None
    layout = Layout(inputs=20, actions=ACTIONS, head=head, width=12, features=9 if head == "features" else 0, **more)
    weights = random_weights(layout, 3)
    weights += np.random.default_rng(4).standard_normal(weights.shape).astype(np.float32) * 0.1  # biases too
    return Model(layout, weights, features)


def some_lists(rng: np.random.Generator, n: int) -> tuple[Any, Any, Any]:
    """(starts, counts, ids) of n lists of 1 to 9 legal actions."""
    counts = rng.integers(1, 10, n).astype(np.int32)
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]]).astype(np.int64)
    ids = np.concatenate([rng.choice(ACTIONS, k, replace=False) for k in counts]).astype(np.int32)
    return starts, counts, ids


@pytest.mark.parametrize("head", ["flat", "embedding", "features"])
@pytest.mark.parametrize("hidden", [(16,), (33, 17), (16, 24, 8)])
def test_the_kernel_gives_what_pytorch_gives(head: str, hidden: tuple[int, ...]) -> None:
    model = a_model(head, hidden=hidden, values=2)
    net = model.net(ACTIONS)
    rng = np.random.default_rng(1)
    for _ in range(20):
        observation = rng.standard_normal(20).astype(np.float32) * (rng.random(20) < 0.6)
        observation = observation.astype(np.float32)
        legal = rng.choice(ACTIONS, 7, replace=False).astype(np.int32)
        evaluate(net, observation, legal, len(legal))
        queries, values = model(torch.from_numpy(observation[None]))
        rows, biases = model.rows(legal)
        wanted = (rows @ queries[0] + biases).detach().numpy()
        assert np.allclose(net.scores[:7], wanted, atol=1e-5)
        assert np.allclose(net.values, values[0].detach().numpy(), atol=1e-5)
        told = net.values.copy()
        net.values[:] = 0
        evaluate_values(net, observation)
        assert np.array_equal(net.values, told)


def test_dueling_scores_are_the_value_plus_the_advantages_less_their_mean_over_the_legal_actions() -> None:
    plain, duel = a_model("flat", hidden=(16,)), a_model("flat", hidden=(16,), dueling=True)
    observation, legal = np.ones(20, np.float32), np.array([4, 9, 30], np.int32)
    nets = [model.net(ACTIONS) for model in (plain, duel)]
    for net in nets:
        evaluate(net, observation, legal, 3)
    advantage = nets[0].scores[:3]
    assert np.allclose(nets[1].scores[:3], nets[0].values[0] + advantage - advantage.mean(), atol=1e-5)


@pytest.mark.parametrize("head", ["flat", "embedding", "features"])
def test_softmax_over_the_legal_rows_is_the_masked_dense_softmax_with_the_same_gradients(head: str) -> None:
    model, rng = a_model(head, hidden=(16,)), np.random.default_rng(2)
    lists, n = some_lists(rng, 12), 12
    observations = torch.from_numpy(rng.standard_normal((n, 20)).astype(np.float32))
    picks = rng.permutation(n)
    weight = torch.from_numpy(rng.standard_normal(n).astype(np.float32))
    chosen = (rng.random(n) * lists[1]).astype(np.int64)

    starts, places, ids = Packer(ACTIONS, n, 10).pack(lists, picks)
    queries, _ = model(observations[picks])
    logs = ragged.log_softmax(ragged.scores(queries, *model.rows(ids), starts, places), starts)
    mine = logs[torch.from_numpy(starts[:-1] + chosen[picks])]
    (mine @ weight[picks] + ragged.entropies(logs, starts).sum()).backward()  # type: ignore[no-untyped-call]
    assert model.flat.grad is not None
    found = model.flat.grad.clone()

    model.zero_grad()
    queries, _ = model(observations[picks])
    rows, biases = model.rows(np.arange(ACTIONS, dtype=np.int32))
    mask = torch.full((n, ACTIONS), -torch.inf)
    for i, pick in enumerate(picks):
        mask[i, lists[2][lists[0][pick] : lists[0][pick] + lists[1][pick]]] = 0
    dense = torch.log_softmax(queries @ rows.T + biases + mask, 1)
    actions = [lists[2][lists[0][pick] + chosen[pick]] for pick in picks]
    theirs = dense[torch.arange(n), torch.tensor(actions)]
    entropy = -(dense.exp() * dense.masked_fill(mask < 0, 0)).sum()
    (theirs @ weight[picks] + entropy).backward()  # type: ignore[no-untyped-call]

    assert torch.allclose(mine, theirs, atol=1e-5)
    assert torch.allclose(found, model.flat.grad, atol=1e-4)
    assert found.abs().sum() > 1

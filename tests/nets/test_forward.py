"""The kernel's forward pass is PyTorch's, and softmax over the legal rows is the masked dense softmax, gradients included."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from meeple.core.game import NO_ITEM, Items
from meeple.learn import ragged
from meeple.learn.experience import Packer
from meeple.learn.model import Model
from meeple.nets.forward import evaluate, evaluate_values
from meeple.nets.layout import Layout, random_weights

ACTIONS = 50
# Three items of four numbers each, of which one is not told of the last; every other action is about one of them.
ITEMS = Items(
    numbers=np.array([[0, 1, 2, 3], [4, 5, 6, 7], [19, 8, NO_ITEM, 11]], np.int32),
    sorts=np.array([0, 0, 1], np.int32),
    item=np.array([action // 2 % 3 if action % 2 else NO_ITEM for action in range(ACTIONS)], np.int32),
    use=np.arange(ACTIONS, dtype=np.int32) // 25,
)
WITH_ITEMS = {"items": 4, "item_sorts": 2, "item_uses": 2, "item_width": 5}


def a_model(head: str, **more: Any) -> Model:
    features = np.random.default_rng(5).standard_normal((ACTIONS, 9)).astype(np.float32) if head == "features" else None
    layout = Layout(inputs=20, actions=ACTIONS, head=head, width=12, features=9 if head == "features" else 0, **more)
    weights = random_weights(layout, 3)
    weights += np.random.default_rng(4).standard_normal(weights.shape).astype(np.float32) * 0.1  # biases too
    return Model(layout, weights, features, items=ITEMS if layout.items else None)


def some_lists(rng: np.random.Generator, n: int) -> tuple[Any, Any, Any]:
    """(starts, counts, ids) of n lists of 1 to 9 legal actions."""
    counts = rng.integers(1, 10, n).astype(np.int32)
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]]).astype(np.int64)
    ids = np.concatenate([rng.choice(ACTIONS, k, replace=False) for k in counts]).astype(np.int32)
    return starts, counts, ids


@pytest.mark.parametrize("head", ["flat", "embedding", "features"])
@pytest.mark.parametrize("hidden", [(16,), (33, 17), (16, 24, 8)])
@pytest.mark.parametrize("items", [{}, WITH_ITEMS], ids=["", "items"])
def test_the_kernel_gives_what_pytorch_gives(head: str, hidden: tuple[int, ...], items: dict[str, int]) -> None:
    model = a_model(head, hidden=hidden, values=2, **items)
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

    model.flat.grad.zero_()
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


def test_items_of_a_sort_are_interchangeable_and_an_action_is_scored_by_its_item() -> None:
    """What two items of one sort show is exchanged: the values stay, and so do the scores of whoever now names the other."""
    model = a_model("flat", hidden=(16,), **WITH_ITEMS)
    layout, net = model.layout, model.net(ACTIONS)
    layout.of(model.weights, "trunk.0.weight")[:20] = 0.0  # the trunk sees the sum of the items alone
    layout.of(model.weights, "rows.weight")[:] = 0.0
    layout.of(model.weights, "rows.bias")[:] = 0.0
    first, second, neither = np.flatnonzero(ITEMS.item[:25] == 0)[0], np.flatnonzero(ITEMS.item[:25] == 1)[0], 0
    legal, seen = np.array([first, second, neither], np.int32), np.random.default_rng(6).random(20).astype(np.float32)
    evaluate(net, seen, legal, 3)
    scores, value = net.scores[:3].copy(), net.values[0]
    assert scores[0] != scores[1]
    assert scores[2] == 0.0
    mirrored = seen.copy()
    mirrored[[0, 1, 2, 3, 4, 5, 6, 7]] = seen[[4, 5, 6, 7, 0, 1, 2, 3]]
    evaluate(net, mirrored, legal, 3)
    assert np.allclose(net.scores[:3], scores[[1, 0, 2]], atol=1e-6)
    assert np.isclose(net.values[0], value, atol=1e-6)

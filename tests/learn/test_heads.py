"""Heads: the published dense head with a mask is the legal rows only, in a whole learner too; and the layer behind it."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from meeple.learn.experience import Packer
from meeple.learn.heads import dense_logs, legal_logs
from meeple.learn.model import Model, find_device
from meeple.learn.ppo import PPO, Config
from meeple.nets.forward import evaluate
from meeple.nets.layout import Layout, random_weights
from tests.learn.echo import GAME as ECHO


def a_model(**more: object) -> Model:
    layout = Layout(inputs=5, actions=7, hidden=(16,), **more)  # type: ignore[arg-type]
    weights = random_weights(layout, 3) + np.random.default_rng(4).standard_normal(layout.size).astype(np.float32) * 0.1
    return Model(layout, weights)


def gradients(model: Model, dense: bool) -> tuple[np.ndarray, np.ndarray]:
    """Log-probabilities of four lists, and the gradient of a weighted sum of them."""
    lists = (np.array([0, 2, 5, 6], np.int64), np.array([2, 3, 1, 7], np.int32), np.array([0, 6, 1, 2, 3, 4, *range(7)], np.int32))
    packed = Packer(7, 4, 7).pack(lists, np.array([2, 0, 3, 1]))
    queries, _ = model(torch.from_numpy(np.random.default_rng(1).standard_normal((4, 5)).astype(np.float32)))
    logs = (dense_logs if dense else legal_logs)(model, queries, packed)
    assert model.flat.grad is not None
    model.flat.grad.zero_()
    (logs * torch.arange(len(logs))).sum().backward()  # type: ignore[no-untyped-call]
    assert model.flat.grad is not None
    return logs.detach().numpy(), model.flat.grad.numpy().copy()


@pytest.mark.parametrize("head", ["flat", "embedding"])
def test_all_actions_with_a_mask_give_the_probabilities_and_gradients_of_the_legal_rows(head: str) -> None:
    model = a_model(head=head, width=6)
    for ours, theirs in zip(gradients(model, dense=False), gradients(model, dense=True), strict=True):
        assert np.allclose(ours, theirs, atol=1e-5)


def test_a_learner_with_a_dense_head_learns_the_same() -> None:
    flat, dense = (
        PPO(ECHO.variant("plain"), Config(games=16, steps=8, hidden=(16,), minibatch=64, head=head), 1)
        for head in ("flat", "dense")
    )
    for learner in (flat, dense):
        for _ in range(3):
            learner.iterate()
    assert np.allclose(flat.weights, dense.weights, atol=1e-3)
    assert not np.allclose(flat.weights, PPO(ECHO.variant("plain"), flat.config, 1).weights, atol=1e-3)


def test_the_layer_behind_the_mask_is_the_kernels_too() -> None:
    model = a_model(head="dense", after=True)
    net, observation = model.net(8), np.ones(5, np.float32)
    everything = np.arange(7, dtype=np.int32)
    evaluate(net, observation, everything, 7)
    queries, _ = model(torch.from_numpy(observation[None]))
    packed = (np.array([0, 7]), everything, everything)
    assert np.allclose(net.scores[:7], dense_logs(model, queries, packed).detach().numpy(), atol=1e-5)
    evaluate(net, observation, everything[:3], 3)  # now four are masked, and what they have is shared out
    told = np.exp(net.scores[:3])
    assert told.sum() == pytest.approx(1.0, abs=1e-5)
    assert max(told) > 0.999 or np.allclose(told, 1 / 3)


def test_a_device_that_is_not_there_is_refused() -> None:
    assert find_device("cpu") == "cpu"
    if not torch.cuda.is_available():
        with pytest.raises(Exception, match="no device cuda for gradients here; there is cpu"):
            find_device("cuda")

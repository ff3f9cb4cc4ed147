"""REINFORCE, actor-critic and A2C reach what tiny games are worth; published faults fail where the corrected form learns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from meeple.learn import a2c, actor_critic, ppo, qlearning, reinforce
from meeple.learn.evaluate import Judge, Trained
from meeple.learn.learner import Learner
from meeple.nets.forward import best_score, evaluate
from tests.learn.echo import GAME as ECHO
from tests.search.tiny import GAME as TINY

NIM, POT, PLAIN = TINY.variant("nim"), TINY.variant("pot"), ECHO.variant("plain")
SMALL: dict[str, Any] = {"games": 64, "hidden": (64,)}


def learnt(learner: Learner, updates: int) -> Learner:
    for _ in range(updates):
        learner.iterate()
    return learner


def points(learner: Learner) -> float:
    """A game of echo, at best 3, by chance 1."""
    return float(Judge(PLAIN, (), 300, 7).judge(Trained(learner.player(1.0)))["strength"])


def scored(learner: Learner, legal: int, **seen: int) -> Any:
    """The network, asked about a table of tiny."""
    observation = np.zeros(33, np.float32)
    observation[[seen.get("sticks", 10), 11 + seen.get("pot", 0), 28 + seen.get("rolls", 0)]] = 1
    evaluate(learner.net, observation, np.arange(3, dtype=np.int32), legal)
    return learner.net


def takes(learner: Learner) -> list[int]:
    """How many sticks it takes where taking the rest by four wins."""
    return [best_score(scored(learner, min(3, sticks), sticks=sticks), min(3, sticks)) + 1 for sticks in (1, 2, 3, 5, 6, 7, 9, 10)]


WINNING = [1, 2, 3, 1, 2, 3, 1, 2]


def test_reinforce_with_a_baseline_learns_nim() -> None:
    learner = learnt(reinforce.Reinforce(NIM, reinforce.Config(**SMALL, steps=8, lr=3e-3, minibatch=256), 1), 80)
    assert takes(learner) == WINNING
    assert scored(learner, 3, sticks=8).values[0] < -0.5 < 0.5 < scored(learner, 3, sticks=10).values[0]


def test_actor_critic_learns_nim() -> None:
    config = actor_critic.Config(**SMALL, lr=3e-3, moves=50)
    assert takes(learnt(actor_critic.ActorCritic(NIM, config, 1), 20)) == WINNING


def test_a2c_learns_nim_and_what_a_solitaire_is_worth() -> None:
    assert takes(learnt(a2c.A2C(NIM, a2c.Config(**SMALL, steps=8, lr=3e-3), 1), 150)) == WINNING
    learner = learnt(a2c.A2C(POT, a2c.Config(**SMALL, steps=8, lr=3e-3, scale=0.1), 1), 150)
    assert scored(learner, 2).values[0] / 0.1 == pytest.approx(3.86, abs=0.6)


@pytest.mark.parametrize("gamma_t", [False, True])
def test_reinforce_as_published_learns_without_a_baseline_one_decision_at_a_time(gamma_t: bool) -> None:
    config = reinforce.Config(
        games=1,
        steps=4,
        hidden=(32,),
        baseline=False,
        per_step=True,
        entropy=0.0,
        scale=1.0,
        discount=0.5,
        lr=3e-3,
        gamma_t=gamma_t,
    )
    assert points(learnt(reinforce.Reinforce(PLAIN, config, 1), 600)) > 2.5


def test_a_softmax_layer_behind_the_mask_learns_nothing() -> None:
    """The published fault: the layer sums up the mask's -1e8, so it is certain of one action whatever is shown, or of none."""
    given: dict[str, Any] = {**SMALL, "steps": 4, "scale": 1.0, "baseline": False, "head": "dense", "lr": 1e-3}
    right, wrong = (
        learnt(reinforce.Reinforce(PLAIN, reinforce.Config(**given, softmax_after_mask=fault), 1), 150) for fault in (False, True)
    )
    assert points(right) > 2.5
    assert points(wrong) < 1.5


def test_the_accumulated_discount_is_multiplied_up_in_every_game_where_it_is_asked_for() -> None:
    plain, published = (
        actor_critic.ActorCritic(NIM, actor_critic.Config(**SMALL, discount=0.5, moves=4, accumulated_discount=on), 1)
        for on in (False, True)
    )
    for learner in (plain, published):
        learner.iterate()
    assert np.all(plain.so_far == 1.0)
    assert {0.0625} < set(published.so_far) <= {1.0, 0.5, 0.25, 0.125, 0.0625}  # four moves, or fewer since a new game began
    assert not np.array_equal(plain.weights, published.weights)


ONE: dict[str, Any] = {"games": 1, "hidden": (32,), "lr": 3e-3, "discount": 0.9}
SINGLE: dict[str, Callable[[], Any]] = {
    "actor-critic": lambda: actor_critic.ActorCritic(NIM, actor_critic.Config(**ONE, accumulated_discount=True), 1),
    "a value a seat": lambda: actor_critic.ActorCritic(NIM, actor_critic.Config(**ONE, reward="share"), 1),
    "an opponent": lambda: actor_critic.ActorCritic(NIM, actor_critic.Config(**ONE, reward="share", opponents="random"), 1),
    "a solitaire": lambda: actor_critic.ActorCritic(POT, actor_critic.Config(**ONE, scale=0.1, most_gradient=0.5), 1),
    "reinforce": lambda: reinforce.Reinforce(PLAIN, reinforce.Config(**ONE, steps=4, per_step=True), 1),
    "as published": lambda: reinforce.Reinforce(PLAIN, reinforce.Config(**ONE, steps=4, per_step=True, baseline=False), 1),
    "q": lambda: qlearning.QLearning(NIM, qlearning.NetConfig(**ONE, batch=1), 1),
}


def assert_learns_as_pytorch(make: Callable[[], Any], tolerance: float) -> None:
    """Four updates by kernels and by PyTorch: the same figures, the same weights."""
    by_kernels, by_torch = make(), make()
    first = by_kernels.weights.copy()
    assert by_kernels.descent is not None
    by_torch.descent = None
    for _ in range(4):
        told, wanted = by_kernels.iterate(), by_torch.iterate()
        assert told == pytest.approx(wanted, rel=10 * tolerance, abs=tolerance)
    assert np.allclose(by_kernels.weights, by_torch.weights, atol=tolerance)
    assert np.abs(by_kernels.weights - first).max() > 10 * tolerance
    assert np.array_equal(by_kernels.counters, by_torch.counters)


@pytest.mark.parametrize("name", SINGLE)
def test_single_decisions_are_learnt_by_kernels_as_by_pytorch(name: str) -> None:
    assert_learns_as_pytorch(SINGLE[name], 1e-4)


MANY: dict[str, Any] = {"games": 12, "hidden": (32, 19), "lr": 3e-3, "discount": 0.9, "most_gradient": 0.5, "head": "flat"}
MINIBATCHES: dict[str, Callable[[], Any]] = {
    "ppo": lambda: ppo.PPO(NIM, ppo.Config(**MANY, steps=16, minibatch=50, most_kl=0.0), 1),
    "ppo, a value a seat": lambda: ppo.PPO(NIM, ppo.Config(**MANY, steps=16, reward="share", opponents="random", clip=0.05), 1),
    "a2c": lambda: a2c.A2C(NIM, a2c.Config(**MANY, steps=7), 1),
    "reinforce": lambda: reinforce.Reinforce(NIM, reinforce.Config(**MANY, steps=4, minibatch=21), 1),
    "reinforce, no baseline": lambda: reinforce.Reinforce(POT, reinforce.Config(**MANY, steps=4, baseline=False, scale=0.1), 1),
    "actor-critic": lambda: actor_critic.ActorCritic(NIM, actor_critic.Config(**MANY, accumulated_discount=True), 1),
    "lazy": lambda: a2c.A2C(NIM, a2c.Config(**MANY, steps=7, lazy=True), 1),
}


@pytest.mark.parametrize("name", MINIBATCHES)
def test_minibatches_of_a_policy_are_learnt_by_kernels_as_by_pytorch(name: str) -> None:
    assert_learns_as_pytorch(MINIBATCHES[name], 2e-4)


def test_one_game_against_an_earlier_self_is_played_move_by_move_and_learnt_by_kernels() -> None:
    config = actor_critic.Config(**ONE, opponents="past", freeze=1, moves=16)
    by_kernels, by_torch = (actor_critic.ActorCritic(NIM, config, 1) for _ in range(2))
    by_torch.descent = None
    for learner in (by_kernels, by_torch):
        learnt(learner, 3)
    assert np.allclose(by_kernels.weights, by_torch.weights, atol=1e-4)

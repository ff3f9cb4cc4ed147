"""Proximal policy optimisation (Schulman et al. 2017) by self-play, over the legal actions only.

Play some steps of all games, estimate advantages (GAE), and improve the policy for a few epochs without moving far from the one
that played. Read from top to bottom; the mathematics is in learn/math.py, the games in learn/policy.py.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from meeple.core.game import Variant
from meeple.learn.config import Setup, option
from meeple.learn.math import clipped_loss, divergence, normalised, squared_loss
from meeple.learn.policy import FIGURES, Lesson, PolicyLearner, Round
from meeple.nets.gradient import Rates


@dataclass(frozen=True)
class Config(Setup):
    """PPO's own settings."""

    lr: float = option(5e-4, "learning rate")
    lr_end: float = option(5e-5, "learning rate at the end of the run, reached in a straight line")
    trace: float = option(0.95, "GAE's lambda")
    epochs: int = option(3, "passes over what was played")
    minibatch: int = option(2048, "decisions in a minibatch")
    clip: float = option(0.2, "how far a probability may move, as a ratio")
    entropy: float = option(0.02, "weight of the entropy bonus")
    entropy_end: float = option(0.003, "the same at the end of the run")
    value_weight: float = option(1.0, "weight of the value loss")
    most_gradient: float = option(1.0, "gradients are scaled down to this norm")
    most_kl: float = option(0.05, "epochs stop when the policy has moved this far; 0: never")
    freeze: int = option(20, "updates between two frozen selves, where opponents name past")


class PPO(PolicyLearner):
    """The learner."""

    config_class = Config
    spreads = True

    def __init__(self, variant: Variant, config: Config, seed: int) -> None:
        super().__init__(variant, config, seed, config.minibatch)
        self.config = config

    def gather(self) -> Round:
        return self.lesson(self.config.discount, self.config.trace)

    def iterate(self) -> dict[str, float]:
        lesson, report = self.play()
        report |= self.learn(lesson._replace(advantage=normalised(lesson.advantage)))
        self.model.refresh(self.net)
        if self.counters[1] % self.config.freeze == 0:
            self.past.keep()
        return report

    def learn(self, lesson: Lesson) -> dict[str, float]:
        """A few epochs of minibatches; stops early when the policy has moved far enough."""
        config, n = self.config, len(lesson.advantage)
        rng = np.random.default_rng([self.seed, int(self.counters[1])])
        reports: list[tuple[float, ...]] = []
        for _ in range(config.epochs):
            order = rng.permutation(n)
            for first in range(0, n, config.minibatch):
                reports.append(self.step(lesson, order[first : first + config.minibatch]))
            if config.most_kl and reports[-1][-1] > config.most_kl:
                break
        return dict(zip((*FIGURES, "kl"), np.mean(reports, axis=0).tolist(), strict=True))

    def step(self, lesson: Lesson, picks: NDArray[np.int64]) -> tuple[float, ...]:
        """One minibatch."""
        config = self.config
        bonus = config.entropy + self.progress * (config.entropy_end - config.entropy)
        lr = config.lr + self.progress * (config.lr_end - config.lr)
        if self.descent is not None:
            taught = lesson.advantage, lesson.targets, lesson.counted
            rates = Rates(lr, config.most_gradient, bonus, config.value_weight)
            return self.learn_by_kernels(self.descent, lesson.seen, picks, taught, rates, config.clip)
        logs, values, entropies = self.look(lesson.seen, picks)
        old = torch.from_numpy(lesson.seen.logs[picks])

        policy_loss = clipped_loss(logs, old, torch.from_numpy(lesson.advantage[picks]), config.clip)
        counted = torch.from_numpy(lesson.counted[picks])
        value_loss = squared_loss(values * counted, torch.from_numpy(lesson.targets[picks]) * counted)
        entropy = entropies.mean()
        gradient = self.descend(policy_loss + config.value_weight * value_loss - bonus * entropy, lr, config.most_gradient)
        with torch.no_grad():
            kl = divergence(logs, old)
        return policy_loss.item(), value_loss.item(), entropy.item(), gradient, kl.item()


LEARNERS = {"ppo": PPO}

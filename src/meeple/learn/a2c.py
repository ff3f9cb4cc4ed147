"""Advantage actor-critic (Mnih et al. 2016, all games in step): play a few steps, one gradient step on all of them, and again.

Advantages of n steps with GAE, an entropy bonus and a bound on the gradient. PPO without the second look: cheaper a decision, and
every decision is used once. Read from top to bottom; the mathematics is in learn/math.py, the games in learn/policy.py.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from meeple.core.game import Variant
from meeple.learn.config import Setup, option
from meeple.learn.math import normalised, policy_gradient_loss, squared_loss
from meeple.learn.policy import FIGURES, Lesson, PolicyLearner, Round
from meeple.nets.gradient import Rates


@dataclass(frozen=True)
class Config(Setup):
    """A2C's own settings."""

    games: int = option(128, "games side by side")
    steps: int = option(32, "decisions of each between two updates")
    lr: float = option(5e-4, "learning rate")
    lr_end: float = option(5e-5, "learning rate at the end of the run, reached in a straight line")
    trace: float = option(0.95, "GAE's lambda; 1: returns of n steps")
    entropy: float = option(0.03, "weight of the entropy bonus")
    entropy_end: float = option(0.003, "the same at the end of the run")
    value_weight: float = option(0.5, "weight of the value loss")
    most_gradient: float = option(0.5, "gradients are scaled down to this norm; 0: never")
    normalise: bool = option(True, "advantages get mean 0 and deviation 1")
    freeze: int = option(200, "updates between two frozen selves, where opponents name past")


class A2C(PolicyLearner):
    """The learner."""

    config_class = Config
    spreads = True

    def __init__(self, variant: Variant, config: Config, seed: int) -> None:
        super().__init__(variant, config, seed, config.games * config.steps)
        self.config = config

    def gather(self) -> Round:
        return self.lesson(self.config.discount, self.config.trace)

    def iterate(self) -> dict[str, float]:
        config = self.config
        lesson, report = self.play()
        if config.normalise:
            lesson = lesson._replace(advantage=normalised(lesson.advantage))
        report |= self.learn(lesson)
        self.model.refresh(self.net)
        if self.counters[1] % config.freeze == 0:
            self.past.keep()
        return report

    def learn(self, lesson: Lesson) -> dict[str, float]:
        """One gradient step on everything."""
        config, seen, picks = self.config, lesson.seen, np.arange(len(lesson.advantage))
        bonus = config.entropy + self.progress * (config.entropy_end - config.entropy)
        lr = config.lr + self.progress * (config.lr_end - config.lr)
        if self.descent is not None:
            taught = lesson.advantage, lesson.targets, lesson.counted
            rates = Rates(lr, config.most_gradient, bonus, config.value_weight)
            return dict(zip(FIGURES, self.learn_by_kernels(self.descent, seen, picks, taught, rates), strict=False))
        logs, values, entropies = self.look(seen, picks)
        policy_loss = policy_gradient_loss(logs, torch.from_numpy(lesson.advantage))
        counted = torch.from_numpy(lesson.counted)
        value_loss = squared_loss(values * counted, torch.from_numpy(lesson.targets) * counted)
        entropy = entropies.mean()
        gradient = self.descend(policy_loss + config.value_weight * value_loss - bonus * entropy, lr, config.most_gradient)
        return dict(zip(FIGURES, (policy_loss.item(), value_loss.item(), entropy.item(), gradient), strict=True))


LEARNERS = {"a2c": A2C}

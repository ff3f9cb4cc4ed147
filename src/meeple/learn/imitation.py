"""Imitation: play what a teacher plays, and value a table by how its games went on. A warm start for other learners.

    loss = - log p(the teacher's action) + (V - G)^2 / 2          G: discounted sum of what the seat was paid afterwards

The teacher is any agent, a search too: `--set teacher=greedy`, `--set teacher=mcts:ms=20`. Its games are played by the compiled
tables where it is a kernel agent, else one by one. Then `meeple train GAME ppo --set start=OUT/best.safetensors`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from meeple.agents.registry import find_agent
from meeple.core.errors import MeepleError
from meeple.core.game import Variant
from meeple.core.rng import child
from meeple.learn.config import Setup, option
from meeple.learn.math import policy_gradient_loss, squared_loss
from meeple.learn.policy import PolicyLearner
from meeple.learn.teacher import Replay, Shown, play_teacher
from meeple.learn.whole import joined_experience


@dataclass(frozen=True)
class Config(Setup):
    """Imitation's own settings; games and steps of the learner's own are not played."""

    teacher: str = option("random", "the agent whose games are imitated")
    games: int = option(256, "games of the teacher a round")
    epochs: int = option(4, "passes over them")
    minibatch: int = option(1024, "decisions in a minibatch")
    lr: float = option(1e-3, "learning rate")
    lr_end: float = option(1e-4, "learning rate at the end of the run, reached in a straight line")
    value_weight: float = option(0.5, "weight of the value loss")


class Imitation(PolicyLearner):
    """The learner."""

    config_class = Config
    spreads = True

    def __init__(self, variant: Variant, config: Config, seed: int) -> None:
        if config.policies != "shared":
            raise MeepleError("Imitation has one policy for all seats: leave policies at shared.")
        super().__init__(variant, config, seed, config.minibatch)
        self.config = config
        self.teacher = find_agent(config.teacher, variant.game)
        self.replay = Replay(variant, self.level, config.games, self.reward)

    def iterate(self) -> dict[str, float]:
        shown, players = self.round()
        self.counters += len(shown.returns), 1
        report = self.learn(shown)
        self.model.refresh(self.net)
        return {"games": float(self.config.games), **players, **report}

    def gather(self) -> Shown:
        config = self.config
        seed = child(self.seed, 1000 + int(self.counters[1]))
        actions = play_teacher(self.variant, self.teacher, config.games, seed)
        return self.replay.show(actions, seed, self.scale, config.discount, self.model.layout.values)

    def join(self, rounds: list[Any]) -> Any:
        return Shown(joined_experience([one.seen for one in rounds]), np.concatenate([one.returns for one in rounds]))

    def learn(self, shown: Shown) -> dict[str, float]:
        """A few epochs of minibatches."""
        config, n = self.config, len(shown.returns)
        rng = np.random.default_rng([self.seed, int(self.counters[1])])
        reports = []
        for _ in range(config.epochs):
            order = rng.permutation(n)
            reports += [self.step(shown, order[first : first + config.minibatch]) for first in range(0, n, config.minibatch)]
        names = ("policy_loss", "value_loss", "entropy", "agreement", "gradient")
        return dict(zip(names, np.mean(reports, axis=0).tolist(), strict=True))

    def step(self, shown: Shown, picks: NDArray[np.int64]) -> tuple[float, ...]:
        """One minibatch."""
        config = self.config
        logs, values, entropies = self.look(shown.seen, picks)
        cross_entropy = policy_gradient_loss(logs, torch.ones(len(picks)))  # every action of the teacher counts 1
        value_loss = squared_loss(values, torch.from_numpy(shown.returns[picks]))
        lr = config.lr + self.progress * (config.lr_end - config.lr)
        gradient = self.descend(cross_entropy + config.value_weight * value_loss, lr)
        return cross_entropy.item(), value_loss.item(), entropies.mean().item(), logs.exp().mean().item(), gradient


LEARNERS = {"imitation": Imitation}

"""Proximal policy optimisation (Schulman et al. 2017) by self-play, over the legal actions only.

Play some steps of all games, estimate advantages (GAE), and improve the policy for a few epochs without moving far from the one
that played. Read from top to bottom; the mathematics is in learn/math.py, the games in learn/experience.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from meeple.core.game import Variant
from meeple.learn.config import Setup, option
from meeple.learn.experience import Experience, Group, Packer, joined
from meeple.learn.learner import Learner
from meeple.learn.math import advantages, by_mover, by_seat, clipped_loss, divergence, normalised, squared_loss
from meeple.learn.optimiser import Adam
from meeple.learn.ragged import entropies, log_softmax, scores
from meeple.nets.collect import Trail


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


class Lesson(NamedTuple):
    """What is learnt from one round of play."""

    seen: Experience
    advantage: NDArray[np.float32]  # (n,) of the seat that decided
    targets: NDArray[np.float32]  # (n, values)
    counted: NDArray[np.float32]  # (n, values) 0 where nobody knows the target: other seats of games with opponents


class PPO(Learner):
    """The learner."""

    config_class = Config

    def __init__(self, variant: Variant, config: Config, seed: int) -> None:
        super().__init__(variant, config, seed)
        self.config = config
        self.adam = Adam(self.model)
        self.packer = Packer(variant.shape.actions, config.minibatch, variant.shape.room)

    def optimiser_arrays(self) -> dict[str, NDArray[Any]]:
        return self.adam.arrays()

    def iterate(self) -> dict[str, float]:
        lesson, report = self.play()
        report |= self.learn(lesson)
        self.model.refresh(self.net)
        if self.counters[1] % self.config.freeze == 0:
            self.past.keep()
        return report

    # ---- Playing ----

    def play(self) -> tuple[Lesson, dict[str, float]]:
        """Every group's next steps, with advantages and targets."""
        trails = [group.play(self.net) for group in self.groups]
        for group in self.groups:
            if self.past.policy is not None and group.batch.agent is self.past.policy:
                self.past.learn(group.shares())
        self.past.pick(self.seed)
        found = [self.judge(group, trail) for group, trail in zip(self.groups, trails, strict=True)]
        advantage, targets, counted = (joined(list(part)) for part in zip(*found, strict=True))
        lesson = Lesson(Experience.of(trails), normalised(advantage), targets, counted)
        self.counters += len(advantage), 1
        return lesson, self.describe(trails, lesson)

    def judge(self, group: Group, trail: Trail) -> tuple[NDArray[np.float32], ...]:
        """Advantages of those who decided, and what each value should have been."""
        count, wanted = self.variant.shape.seats, self.model.layout.values
        values = by_seat(trail.values, trail.seats, count)
        rewards = trail.rewards * np.float32(self.scale)
        found = advantages(rewards, values, trail.ended, self.config.discount, self.config.trace)
        movers = trail.seats[:-1]
        mine = by_mover(found, movers, 1)[..., 0].reshape(-1)
        targets = by_mover(found + values[:-1], movers, wanted).reshape(-1, wanted)
        counted = np.ones_like(targets)
        if not group.alone:
            counted[:, 1:] = 0.0
        return mine, targets, counted

    def describe(self, trails: list[Trail], lesson: Lesson) -> dict[str, float]:
        """How the play went, before anything is learnt from it."""
        games = sum(int((trail.ended != 0).sum()) for trail in trails)
        told = joined([trail.values[:-1].reshape(-1, trail.values.shape[-1]) for trail in trails])
        unexplained = float(((lesson.targets - told) ** 2).mean() / (lesson.targets.var() + 1e-8))
        return {
            "games": games,
            **self.describe_groups(),
            "legal": float(lesson.seen.lists[1].mean()),
            "explained": 1.0 - unexplained,
        }

    # ---- Learning ----

    def learn(self, lesson: Lesson) -> dict[str, float]:
        """A few epochs of minibatches; stops early when the policy has moved far enough."""
        config, n = self.config, len(lesson.advantage)
        rng = np.random.default_rng([self.seed, int(self.counters[1])])
        reports: list[tuple[float, ...]] = []
        for _ in range(config.epochs):
            order = rng.permutation(n)
            for first in range(0, n, config.minibatch):
                reports.append(self.step(lesson, order[first : first + config.minibatch]))
            if config.most_kl and reports[-1][3] > config.most_kl:
                break
        names = ("policy_loss", "value_loss", "entropy", "kl", "gradient")
        return dict(zip(names, np.mean(reports, axis=0).tolist(), strict=True))

    def step(self, lesson: Lesson, picks: NDArray[np.int64]) -> tuple[float, ...]:
        """One minibatch."""
        config, seen, model = self.config, lesson.seen, self.model
        starts, places, rows = self.packer.pack(seen.lists, picks)
        queries, values = model(torch.from_numpy(seen.observations[picks]))
        all_logs = log_softmax(scores(queries, *model.rows(rows), starts, places), starts)
        logs = all_logs[torch.from_numpy(starts[:-1] + seen.chosen[picks])]
        old = torch.from_numpy(seen.logs[picks])

        policy_loss = clipped_loss(logs, old, torch.from_numpy(lesson.advantage[picks]), config.clip)
        counted = torch.from_numpy(lesson.counted[picks])
        value_loss = squared_loss(values * counted, torch.from_numpy(lesson.targets[picks]) * counted)
        entropy = entropies(all_logs, starts).mean()
        bonus = config.entropy + self.progress * (config.entropy_end - config.entropy)

        model.zero_grad()
        (policy_loss + config.value_weight * value_loss - bonus * entropy).backward()  # type: ignore[no-untyped-call]
        gradient = self.adam.step(config.lr + self.progress * (config.lr_end - config.lr), config.most_gradient)
        with torch.no_grad():
            kl = divergence(logs, old)
        return policy_loss.item(), value_loss.item(), entropy.item(), kl.item(), gradient


LEARNERS = {"ppo": PPO}

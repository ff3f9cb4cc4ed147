"""What learners of a policy share: experience with advantages and targets, and what the network says of it, with gradients."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from meeple.core.game import Variant
from meeple.learn.config import Setup
from meeple.learn.experience import Experience, Group, Packer, joined
from meeple.learn.heads import look
from meeple.learn.learner import Learner, merged
from meeple.learn.math import advantages, by_mover, by_seat
from meeple.learn.optimiser import Adam
from meeple.learn.whole import joined_experience
from meeple.nets.collect import Trail
from meeple.nets.gradient import Descent, Rates, learn_decisions
from meeple.nets.policy_minibatch import Advice, learn_policy
from meeple.nets.together import MOST, make_room

FIGURES = ("policy_loss", "value_loss", "entropy", "gradient")  # of gradient steps
# Of decisions: what log-probabilities are weighed by (n,), what values should have been (n, values), and which of these count.
Taught = tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]


class Lesson(NamedTuple):
    """What is learnt from one round of play."""

    seen: Experience
    advantage: NDArray[np.float32]  # (n,) of the seat that decided
    targets: NDArray[np.float32]  # (n, values)
    counted: NDArray[np.float32]  # (n, values) 0 where nobody knows the target: other seats of games with opponents


class Round(NamedTuple):
    """A lesson with what there is to tell of it."""

    lesson: Lesson
    figures: dict[str, float]
    shares: NDArray[np.float32]  # of the win, in games against the earlier self that was met


class PolicyLearner(Learner):
    """A learner whose network says how likely each action is, and what the table is worth."""

    def __init__(self, variant: Variant, config: Setup, seed: int, minibatch: int) -> None:
        super().__init__(variant, config, seed)
        self.adam = Adam(self.model, lazy=config.lazy)
        self.descent: Descent | None = self.adam.by_kernels(variant.shape.room)
        self.room = make_room(self.model.layout, min(minibatch, MOST), variant.shape.room)
        self.packer = Packer(variant.shape.actions, minibatch, variant.shape.room)

    def optimiser_arrays(self) -> dict[str, NDArray[Any]]:
        return self.adam.arrays()

    def play(self) -> tuple[Lesson, dict[str, float]]:
        """A round, played here or elsewhere. Where earlier selves are opponents, note how it went and pick the next."""
        (lesson, figures, shares), told = self.round()
        self.past.learn(shares)
        self.past.pick(self.seed)
        self.counters += len(lesson.advantage), 1
        return lesson, figures | told

    def lesson(self, discount: float, trace: float) -> Round:
        """Every group's next steps, with advantages (GAE) and targets."""
        trails = [group.play(self.net) for group in self.groups]
        found = [self.judge(group, trail, discount, trace) for group, trail in zip(self.groups, trails, strict=True)]
        advantage, targets, counted = (joined(list(part)) for part in zip(*found, strict=True))
        lesson = Lesson(Experience.of(trails), advantage, targets, counted)
        return Round(lesson, self.describe(trails, lesson), self.met())

    def join(self, rounds: list[Any]) -> Any:
        lessons = [one.lesson for one in rounds]
        parts = {name: joined([getattr(one, name) for one in lessons]) for name in ("advantage", "targets", "counted")}
        lesson = Lesson(joined_experience([one.seen for one in lessons]), **parts)
        return Round(lesson, merged([one.figures for one in rounds]), joined([one.shares for one in rounds]))

    def roll(self) -> list[Trail]:
        """Play the next steps; where earlier selves are opponents, note how it went and pick the next."""
        trails = [group.play(self.net) for group in self.groups]
        self.past.learn(self.met())
        self.past.pick(self.seed)
        return trails

    def met(self) -> NDArray[np.float32]:
        """The learner's shares of the win in games against an earlier self that have just ended."""
        past = [g.shares() for g in self.groups if self.past.policy is not None and g.batch.agent is self.past.policy]
        return np.concatenate(past) if past else np.zeros(0, np.float32)

    def judge(self, group: Group, trail: Trail, discount: float, trace: float) -> tuple[NDArray[np.float32], ...]:
        """Advantages of those who decided, and what each value should have been."""
        count, wanted = self.variant.shape.seats, self.model.layout.values
        values = by_seat(trail.values, trail.seats, count)
        rewards = trail.rewards * np.float32(self.scale)
        found = advantages(rewards, values, trail.ended, discount, trace)
        movers = trail.seats[:-1]
        mine = by_mover(found, movers, 1)[..., 0].reshape(-1)
        targets = by_mover(found + values[:-1], movers, wanted).reshape(-1, wanted)
        return mine, targets, self.known(group, targets)

    def known(self, group: Group, targets: NDArray[np.float32]) -> NDArray[np.float32]:
        """1 where a target is known: with opponents at the table only the learner's own is."""
        counted = np.ones_like(targets)
        if not group.alone:
            counted[:, 1:] = 0.0
        return counted

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

    def look(self, seen: Experience, picks: NDArray[np.int64]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Of the picked decisions: log-probabilities of what was chosen, values, and entropies."""
        packed = self.packer.pack(seen.lists, picks)
        return look(self.model, seen.observations[picks], packed, seen.chosen[picks])

    def learn_by_kernels(
        self, descent: Descent, seen: Experience, picks: NDArray[np.int64], lesson: Taught, rates: Rates, clip: float = 0.0
    ) -> tuple[float, ...]:
        """One gradient step on the picked decisions: the policy loss, value loss, entropy and norm, and with a clip how far the
        policy has moved."""
        told = np.zeros(len(FIGURES) + 1)
        learn_policy(descent, rates, seen, picks, Advice(*lesson, clip, self.room, told))
        return tuple(told.tolist())

    def learn_one_by_one(self, descent: Descent, seen: Experience, lesson: Taught, rates: Rates) -> tuple[float, ...]:
        """A gradient step for every decision, in order, by kernels; returns the mean policy loss, value loss, entropy and norm."""
        learn_decisions(descent, rates, seen.observations, seen.lists, seen.chosen, lesson)
        return tuple((descent.told / len(lesson[0])).tolist())

    def descend(self, loss: torch.Tensor, lr: float, most_gradient: float = 0.0) -> float:
        """One step of the optimiser; returns the norm of the gradient."""
        return self.adam.descend(loss, lr, most_gradient)

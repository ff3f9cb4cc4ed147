"""One-step actor-critic (Sutton, Barto 2018, 13.5): after every decision, learn from how much better it went than expected.

    d = r + discount V(next) - V(now)         V moves towards it, and the action becomes more likely by it

Published in 2022 with the discount multiplied up over the game, I, where the discount belongs and once more before the actor's
step: `accumulated_discount`. Read from top to bottom; the mathematics is in learn/math.py, the games in learn/policy.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from meeple.core.game import Variant
from meeple.learn.config import Setup, option
from meeple.learn.experience import Experience, Group, joined
from meeple.learn.learner import merged
from meeple.learn.math import by_mover, by_seat, discounts_so_far, one_step_errors, policy_gradient_loss, squared_loss
from meeple.learn.policy import FIGURES, PolicyLearner, Taught
from meeple.nets.collect import Trail
from meeple.nets.gradient import Descent, Rates
from meeple.nets.online import Critic, play_and_learn


@dataclass(frozen=True)
class Config(Setup):
    """Its own settings. One game, and it is the algorithm of the books; many games side by side share each gradient step."""

    games: int = option(64, "games side by side")
    steps: int = option(1, "decisions of each between two gradient steps")
    moves: int = option(64, "gradient steps between two reports")
    lr: float = option(1e-3, "learning rate of actor and critic")
    entropy: float = option(0.01, "weight of the entropy bonus; 0 as published")
    value_weight: float = option(1.0, "weight of the critic's loss")
    most_gradient: float = option(0.0, "gradients are scaled down to this norm; 0: never")
    accumulated_discount: bool = option(False, "as published in 2022: the discount multiplied up since the game began")
    freeze: int = option(20, "reports between two frozen selves, where opponents name past")


class ActorCritic(PolicyLearner):
    """The learner."""

    config_class = Config

    def __init__(self, variant: Variant, config: Config, seed: int) -> None:
        super().__init__(variant, config, seed, config.games * config.steps)
        self.config = config
        self.single = config.games * config.steps == 1
        self.rates = Rates(config.lr, config.most_gradient, config.entropy, config.value_weight)
        self.so_far = np.ones(config.games)  # the discount multiplied up in each game
        values = np.zeros((2, self.model.layout.values), np.float32)
        values[1] = 1.0
        self.critic = Critic(values[0], values[1], self.so_far, config.discount, config.accumulated_discount, self.scale)

    def optimiser_arrays(self) -> dict[str, NDArray[Any]]:
        return {**super().optimiser_arrays(), "so_far": self.so_far}

    def iterate(self) -> dict[str, float]:
        alone = self.single and self.groups[0].batch.outside is None and self.past.policy is None  # nobody else is asked
        report = self.play_alone(self.descent, self.groups[0]) if self.descent is not None and alone else self.play_many()
        self.counters[1] += 1
        if self.counters[1] % self.config.freeze == 0:
            self.past.keep()
        return report

    def play_alone(self, descent: Descent, group: Group) -> dict[str, float]:
        """All moves of a single game in one call."""
        batch, trail = group.batch, group.make_room(self.config.moves)
        self.critic.counted[1:] = float(group.alone)
        table = batch.arrays, batch.orders, batch.plan, batch.agent
        batch.settle(play_and_learn(trail, table, self.net, descent, self.rates, self.critic))
        self.counters[0] += trail.counts.size
        figures = dict(zip(FIGURES, (descent.told / trail.counts.size).tolist(), strict=True))
        return {"games": float((trail.ended != 0).sum()), **self.describe_groups(), **figures}

    def play_many(self) -> dict[str, float]:
        """Of all games some decisions and a gradient step, as often as there are moves."""
        reports, described, paid = [], [], np.zeros(2)
        for _ in range(self.config.moves):
            trails = self.roll()
            reports.append(self.learn(trails))
            described.append({"games": float(sum((trail.ended != 0).sum() for trail in trails)), **self.describe_groups()})
            paid += sum(((g.trail.rewards.sum(), (g.trail.ended != 0).sum()) for g in self.groups if g.alone), np.zeros(2))
            self.model.refresh(self.net)
        found = merged(described) | dict(zip(FIGURES, np.mean(reports, axis=0).tolist(), strict=True))
        if paid[1]:  # not the mean over moves, most of which end no game but may be paid
            found["return"] = float(paid[0] / paid[1] / self.variant.shape.seats)
        return found

    def learn(self, trails: list[Trail]) -> tuple[float, ...]:
        """One gradient step on the decisions just made."""
        first, found = 0, []
        for group, trail in zip(self.groups, trails, strict=True):
            found.append(self.errors(group, trail, self.so_far[first : first + trail.counts.shape[1]]))
            first += trail.counts.shape[1]
        mine, weight, targets, counted = (joined(list(part)) for part in zip(*found, strict=True))
        self.counters[0] += len(mine)
        seen, taught = Experience.of(trails), (weight * mine, targets, counted)
        if self.descent is None:
            return self.learn_by_torch(seen, taught)
        if self.single:
            return self.learn_one_by_one(self.descent, seen, taught, self.rates)
        return self.learn_by_kernels(self.descent, seen, np.arange(len(mine)), taught, self.rates)[: len(FIGURES)]

    def learn_by_torch(self, seen: Experience, taught: Taught) -> tuple[float, ...]:
        config = self.config
        weight, targets, counted = (torch.from_numpy(part) for part in taught)
        logs, values, entropies = self.look(seen, np.arange(len(weight)))
        policy_loss = policy_gradient_loss(logs, weight)
        value_loss = squared_loss(values * counted, targets * counted)
        entropy = entropies.mean()
        loss = policy_loss + config.value_weight * value_loss - config.entropy * entropy
        gradient = self.descend(loss, config.lr, config.most_gradient)
        return policy_loss.item(), value_loss.item(), entropy.item(), gradient

    def errors(self, group: Group, trail: Trail, so_far: NDArray[np.float64]) -> tuple[NDArray[np.float32], ...]:
        """Of each decision: d of who made it, the weight of the actor's step, what each value should have been, and which count."""
        count, wanted = self.variant.shape.seats, self.model.layout.values
        values = by_seat(trail.values, trail.seats, count)
        factor = np.full(trail.ended.shape, self.config.discount, np.float32)
        weight = np.ones_like(factor)
        if self.config.accumulated_discount:
            factor, so_far[:] = discounts_so_far(trail.ended, so_far, self.config.discount)
            weight = factor
        found = one_step_errors(trail.rewards * np.float32(self.scale), values, trail.ended, factor)
        movers = trail.seats[:-1]
        targets = by_mover(found + values[:-1], movers, wanted).reshape(-1, wanted)
        return by_mover(found, movers, 1).reshape(-1), weight.reshape(-1), targets, self.known(group, targets)


LEARNERS = {"actor-critic": ActorCritic}

"""REINFORCE (Williams 1992): play whole games, and make every decision more likely by what came after it.

    loss = - log p(action) (G - b)            G: discounted sum of all rewards to come; b: the network's value, or nothing

Published in 2023 without a baseline, with one step of the optimiser for every decision of a finished game, and with a trainable
softmax layer *behind* the mask, which undoes the mask and saturates: `baseline=false`, `per_step=true`, `softmax_after_mask=true`.
Read from top to bottom; the mathematics is in learn/math.py, the games in learn/whole.py.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from meeple.core.game import Variant
from meeple.core.rng import child
from meeple.learn.config import Setup, option
from meeple.learn.experience import Experience, Group, joined
from meeple.learn.math import by_mover, normalised, policy_gradient_loss, returns, squared_loss
from meeple.learn.policy import FIGURES, PolicyLearner, Taught
from meeple.learn.whole import joined_experience, play_whole_games
from meeple.nets.gradient import Rates


@dataclass(frozen=True)
class Config(Setup):
    """REINFORCE's own settings."""

    games: int = option(256, "games a round, each played to its end")
    steps: int = option(32, "decisions played at a time until all have ended")
    lr: float = option(3e-4, "learning rate")
    baseline: bool = option(True, "returns are compared with the network's value, which is learnt beside; false as published")
    normalise: bool = option(True, "what decisions are weighed by gets mean 0 and deviation 1; not with per_step")
    entropy: float = option(0.03, "weight of the entropy bonus; 0 as published")
    value_weight: float = option(0.5, "weight of the value loss, with a baseline")
    minibatch: int = option(2048, "decisions of a gradient step")
    most_gradient: float = option(0.0, "gradients are scaled down to this norm; 0: never")
    gamma_t: bool = option(False, "a decision counts less the later it comes: discount^t, as the pseudocode of the thesis has it")
    per_step: bool = option(False, "as published: a gradient step for every decision, in order; give games=1 too")
    softmax_after_mask: bool = option(False, "as published: a trainable layer behind the mask; this is why it learnt nothing")
    freeze: int = option(20, "updates between two frozen selves, where opponents name past")


class Told(NamedTuple):
    """Of every decision of whole games."""

    seen: Experience
    returns: NDArray[np.float32]  # (n, values) of the seat that decided first
    counted: NDArray[np.float32]  # (n, values)
    values: NDArray[np.float32]  # (n,) as the network told it when it decided
    times: NDArray[np.int64]  # (n,) how many decisions came before in its game
    shares: NDArray[np.float32]  # of the win, in games against the earlier self that was met
    games: float


class Reinforce(PolicyLearner):
    """The learner."""

    config_class = Config
    spreads = True

    def __init__(self, variant: Variant, config: Config, seed: int) -> None:
        if config.softmax_after_mask and not config.head:
            config = replace(config, head="dense")
        super().__init__(variant, config, seed, 1 if config.per_step else config.minibatch)
        self.config = config
        self.rates = Rates(config.lr, config.most_gradient, config.entropy, config.value_weight)

    def iterate(self) -> dict[str, float]:
        told, players = self.round()
        self.counters += len(told.times), 1
        report = {"games": told.games, "return": float(told.returns[told.times == 0, 0].mean() / self.scale)} | players
        report |= self.learn(told)
        self.model.refresh(self.net)
        self.past.learn(told.shares)
        if self.counters[1] % self.config.freeze == 0:
            self.past.keep()
        self.past.pick(self.seed)
        return report

    # ---- Playing ----

    def gather(self) -> Told:
        """A game of every place, dealt anew, so that all of them are this policy's from beginning to end."""
        found = [self.play_group(group, child(self.seed, int(self.counters[1]) * 100 + i)) for i, group in enumerate(self.groups)]
        joined_up: Told = self.join(found)
        return joined_up

    def join(self, rounds: list[Any]) -> Any:
        found: list[Told] = rounds
        if len(found) == 1:
            return found[0]
        names = ("returns", "counted", "values", "times", "shares")
        parts = {name: joined([getattr(told, name) for told in found]) for name in names}
        return Told(seen=joined_experience([told.seen for told in found]), games=sum(told.games for told in found), **parts)

    def play_group(self, group: Group, seed: int) -> Told:
        whole = play_whole_games(group, self.net, seed)
        wanted = self.model.layout.values
        last = np.zeros_like(whole.rewards[0])
        sums = returns(whole.rewards * np.float32(self.scale), whole.ended, last, self.config.discount)
        mine = by_mover(sums, whole.seats, wanted)[whole.first]
        times = np.broadcast_to(np.arange(len(whole.ended))[:, None], whole.ended.shape)[whole.first]
        values = whole.values[whole.first][:, 0]
        met = self.past.policy is not None and group.batch.agent is self.past.policy
        shares = whole.shares if met else np.zeros(0, np.float32)
        return Told(whole.seen, mine, self.known(group, mine), values, times, shares, float(whole.ended.shape[1]))

    # ---- Learning ----

    def learn(self, told: Told) -> dict[str, float]:
        """Every decision once: in order and one by one, or shuffled in minibatches."""
        config, n = self.config, len(told.times)
        weight = told.returns[:, 0] - (told.values if config.baseline else 0)
        if config.normalise and not config.per_step:
            weight = normalised(weight)
        if config.gamma_t:
            weight = (weight * config.discount**told.times).astype(np.float32)
        counted = told.counted if config.baseline else np.zeros_like(told.counted)
        taught = weight, told.returns, counted
        if self.descent is not None and config.per_step:
            return dict(zip(FIGURES, self.learn_one_by_one(self.descent, told.seen, taught, self.rates), strict=True))
        size = 1 if config.per_step else config.minibatch
        order = np.arange(n) if config.per_step else np.random.default_rng([self.seed, int(self.counters[1])]).permutation(n)
        reports = [self.step(told.seen, taught, order[first : first + size]) for first in range(0, n, size)]
        return dict(zip(FIGURES, np.mean(reports, axis=0).tolist(), strict=True))

    def step(self, seen: Experience, taught: Taught, picks: NDArray[np.int64]) -> tuple[float, ...]:
        """One gradient step."""
        if self.descent is not None:
            return self.learn_by_kernels(self.descent, seen, picks, taught, self.rates)[: len(FIGURES)]
        config, (weight, targets, counted) = self.config, (torch.from_numpy(part[picks]) for part in taught)
        logs, values, entropies = self.look(seen, picks)
        policy_loss, entropy = policy_gradient_loss(logs, weight), entropies.mean()
        value_loss = squared_loss(values * counted, targets * counted)
        loss = policy_loss - config.entropy * entropy
        if config.baseline:
            loss = loss + config.value_weight * value_loss
        gradient = self.descend(loss, config.lr, config.most_gradient)
        return policy_loss.item(), value_loss.item(), entropy.item(), gradient


LEARNERS = {"reinforce": Reinforce}

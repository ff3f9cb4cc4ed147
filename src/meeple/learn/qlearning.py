"""Q-learning (Watkins 1989) without a memory: every decision is learnt from once, when it is known what came of it.

`qtable` keeps a number for every observation and action, for small games. `qlearning` has a network, as the thesis of 2022 on The
Lord of the Rings: one hidden layer, reward at the end. As published it explored nothing (`greedy`) and its loss was not squared
(`unsquared`), so that its gradient does not depend on what was paid; both are switches, off by default.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from meeple.core.errors import MeepleError
from meeple.core.game import Variant
from meeple.core.rng import child
from meeple.learn.config import Setup, option
from meeple.learn.experience import Packer
from meeple.learn.learner import Learner
from meeple.learn.optimiser import Adam
from meeple.learn.ragged import scores
from meeple.learn.targets import epsilon, errors_squared, errors_unsquared
from meeple.nets.gradient import Rates, learn_scores
from meeple.nets.layout import Layout
from meeple.nets.replay import make_replay, store
from meeple.nets.targets import judge_ahead, learn_table, look_forward, make_ahead

LONGEST_WAIT = 250  # decisions of a game between two of one seat


@dataclass(frozen=True)
class Config(Setup):
    """Settings of both."""

    games: int = option(16, "games side by side")
    steps: int = option(16, "decisions of each between two rounds of learning")
    lr: float = option(1e-3, "learning rate")
    lr_end: float = option(1e-4, "learning rate at the end of the run, reached in a straight line")
    eps_start: float = option(1.0, "exploration: probability of any action, at the beginning")
    eps_end: float = option(0.05, "the same at the end of the run, reached in a straight line")
    greedy: bool = option(False, "as published: never explore")
    freeze: int = option(50, "rounds between two frozen selves, where opponents name past")


@dataclass(frozen=True)
class NetConfig(Config):
    """Settings of the network."""

    hidden: tuple[int, ...] = option((100,), "widths of the hidden layers")
    head: str = option("flat", "flat, embedding or features")
    batch: int = option(16, "decisions in a minibatch; as published: 1")
    unsquared: bool = option(False, "as published: loss = target - value, not squared")


@dataclass(frozen=True)
class TableConfig(Config):
    """Settings of the table."""

    lr: float = option(0.2, "how far a number moves towards its target")
    lr_end: float = option(0.02, "the same at the end of the run, reached in a straight line")
    rows: int = option(1 << 16, "observations that the table has room for")


class Online(Learner):
    """Playing, and waiting until a decision is complete."""

    def __init__(self, variant: Variant, config: Config, seed: int) -> None:
        super().__init__(variant, config, seed)
        shape, size = variant.shape, config.games * (config.steps + LONGEST_WAIT)
        self.options = config
        inputs = self.model.layout.inputs
        self.waiting = make_replay(size, inputs, shape.room, config.games, shape.seats, prioritised=False, seed=child(seed, 7))

    def optimiser_arrays(self) -> dict[str, NDArray[Any]]:
        parts = self.waiting._asdict().items()
        return {f"waiting.{name}": part for name, part in parts if isinstance(part, np.ndarray) and part.size}

    def rate(self) -> float:
        """Of learning, now."""
        return self.options.lr + self.progress * (self.options.lr_end - self.options.lr)

    def iterate(self) -> dict[str, float]:
        """Play; then learn once from every decision that was completed, in that order."""
        options, report, first = self.options, {"games": 0.0, "loss": 0.0}, 0
        exploring = 0.0 if options.greedy else epsilon(self.progress, options.eps_start, options.eps_end, 1.0, "linear")
        for group in self.groups:
            group.trail.explore[:] = 0.0, exploring
            trail = group.play(self.net)
            if self.past.policy is not None and group.batch.agent is self.past.policy:
                self.past.learn(group.shares())
            done = store(self.waiting, trail, first, self.scale)
            report["loss"] += self.learn(self.waiting.completed[:done]) / len(self.groups)
            report["games"] += int((trail.ended != 0).sum())
            first += trail.counts.shape[1]
            self.counters[0] += trail.counts.size
        self.counters[1] += 1
        self.model.refresh(self.net)
        if self.counters[1] % options.freeze == 0:
            self.past.keep()
        self.past.pick(self.seed)
        return {**report, "epsilon": exploring, **self.describe_groups()}

    def learn(self, numbers: NDArray[np.int64]) -> float:
        """From decisions by number; returns the mean loss."""
        raise NotImplementedError


class QTable(Online):
    """A number for every observation and action."""

    config_class = TableConfig

    def shape_net(self, layout: Layout, config: TableConfig) -> Layout:
        return replace(layout, head="table", hidden=(config.rows,), q=True, values=1)

    def learn(self, numbers: NDArray[np.int64]) -> float:
        loss = learn_table(self.net, self.waiting, numbers, self.rate(), self.options.discount)
        if loss < 0:
            raise MeepleError(f"The table of {self.model.layout.hidden[0]} rows is full: give it more with --set rows=N.")
        return float(loss)


class QLearning(Online):
    """A network."""

    config_class = NetConfig

    def __init__(self, variant: Variant, config: NetConfig, seed: int) -> None:
        super().__init__(variant, config, seed)
        self.config = config
        self.adam = Adam(self.model, lazy=config.lazy)
        self.packer = Packer(variant.shape.actions, config.batch, variant.shape.room)
        self.loss = errors_unsquared if config.unsquared else errors_squared
        self.descent = self.adam.by_kernels(1) if config.batch == 1 else None
        self.ahead = make_ahead(1, 1)
        self.ones = np.ones(len(self.waiting.starts), np.int32)

    def shape_net(self, layout: Layout, config: NetConfig) -> Layout:  # noqa: ARG002
        return replace(layout, q=True, values=1)

    def optimiser_arrays(self) -> dict[str, NDArray[Any]]:
        return super().optimiser_arrays() | self.adam.arrays()

    def learn(self, numbers: NDArray[np.int64]) -> float:
        batch = self.config.batch
        places = numbers % len(self.waiting.starts)
        if self.descent is not None:
            memory, rates = (self.waiting, places, self.ahead), Rates(self.rate())
            return float(learn_scores(self.descent, rates, self.net, memory, self.config.discount, self.config.unsquared))
        return float(np.mean([self.step(places[first : first + batch]) for first in range(0, len(places), batch)] or [0.0]))

    def step(self, picks: NDArray[np.int64]) -> float:
        """r + discount * the best legal action's value by the network as it is."""
        waiting, model = self.waiting, self.model
        ahead = make_ahead(len(picks), 1)
        look_forward(waiting, picks, 1, self.config.discount, ahead)
        model.refresh(self.net)
        judge_ahead(waiting, self.net, self.net, False, ahead)
        starts, places, ids = self.packer.pack((waiting.acted, self.ones, waiting.ids), picks)
        queries, _ = model(torch.from_numpy(waiting.observations[picks]))
        found = scores(queries, *model.rows(ids), starts, places)
        loss = self.loss(found, torch.from_numpy(ahead.returns + ahead.factors * ahead.values)).mean()
        self.adam.descend(loss, self.rate())
        return loss.item()


LEARNERS = {"qlearning": QLearning, "qtable": QTable}

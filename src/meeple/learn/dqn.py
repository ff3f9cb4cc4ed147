"""Deep Q-learning (Mnih 2015) over the legal actions only, with a switch for everything that was added to it; all on: Rainbow
(Hessel 2018).

Play some steps of all games, mostly greedily; keep every decision in a replay; learn from minibatches of it what an action is
worth: what its seat is paid until its next decision, and what the best legal action is worth there, by a slower copy of the
network. Read from top to bottom; losses are in learn/targets.py, targets in nets/targets.py, the replay in nets/replay.py.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from meeple.core.errors import MeepleError, UnknownName
from meeple.core.game import Variant
from meeple.core.rng import child
from meeple.learn.config import Setup, option
from meeple.learn.experience import Packer
from meeple.learn.learner import Learner
from meeple.learn.noise import disturb, draw_noise
from meeple.learn.optimiser import Adam
from meeple.learn.ragged import centred, scores
from meeple.learn.targets import (
    batch_mean_values,
    cross_entropy,
    epsilon,
    errors_huber,
    errors_squared,
    importance,
    mix_into,
    priority,
)
from meeple.nets.forward import refresh_rows
from meeple.nets.gradient import Rates
from meeple.nets.layout import Layout
from meeple.nets.minibatch import Lesson, learn_minibatch
from meeple.nets.replay import READY, SECOND, TAIL, draw_by_priority, draw_evenly, empty, make_replay, set_priorities, store
from meeple.nets.targets import judge_ahead, judge_together, look_forward, make_ahead, project
from meeple.nets.together import make_room, runs_together

Tensor = torch.Tensor
Picks = NDArray[np.int64]
Floats = NDArray[np.float32]
LOSSES = {"huber": errors_huber, "squared": errors_squared}
SHAPES = ("linear", "exponential")
UNITS = ("decisions", "games")
GRADIENTS, GAMES = range(2)  # what the learner counts itself


@dataclass(frozen=True)
class Config(Setup):
    """DQN's own settings."""

    games: int = option(64, "games side by side")
    steps: int = option(16, "decisions of each between two rounds of learning")
    lr: float = option(3e-4, "learning rate")
    lr_end: float = option(3e-5, "learning rate at the end of the run, reached in a straight line")
    batch: int = option(256, "decisions in a minibatch")
    every: int = option(64, "decisions between two minibatches")
    capacity: int = option(100_000, "decisions in the replay")
    burn_in: int = option(5_000, "decisions before the first minibatch")
    eps_start: float = option(1.0, "exploration: probability of any action, at the beginning")
    eps_end: float = option(0.05, "the same at the end")
    eps_over: float = option(200_000.0, "how long it takes to fall: until its end (linear), or to 1/e (exponential)")
    eps_shape: str = option("linear", "linear or exponential")
    eps_unit: str = option("decisions", "what eps_over counts: decisions or games")
    target_every: int = option(500, "minibatches between two copies of the network to the target; with tau > 0 not used")
    tau: float = option(0.0, "soft target: it moves so far towards the network with every minibatch")
    n_step: int = option(1, "own decisions until the value of a position stands for the rest")
    loss: str = option("huber", "huber or squared")
    most_gradient: float = option(10.0, "gradients are scaled down to this norm; 0: never")
    double: bool = option(False, "double: the network chooses the action that the target judges")
    dueling: bool = option(False, "dueling: V + A - mean of A over the legal actions")
    prioritised: bool = option(False, "prioritised replay")
    alpha: float = option(0.6, "power of priorities")
    beta: float = option(0.4, "power of importance weights, at the beginning; at the end of the run it is beta_end")
    beta_end: float = option(1.0, "see beta")
    least_priority: float = option(1e-3, "added to every error before it becomes a priority")
    distributional: bool = option(False, "C51: the distribution of returns instead of its mean")
    atoms: int = option(51, "of the distribution")
    low: float = option(0.0, "its least return, scaled; 0 and 0 with high: -1 to 1 for wins, else -5 to 5")
    high: float = option(0.0, "its greatest return, scaled")
    noisy: bool = option(False, "noisy layers explore; then eps_start and eps_end should be 0")
    freeze: int = option(50, "rounds between two frozen selves, where opponents name past")
    relu_heads: bool = option(False, "as a thesis did: relus on both heads of a dueling network")
    mean_over_batch: bool = option(False, "as a thesis did: the dueling mean is taken over the whole minibatch")
    no_importance_weights: bool = option(False, "as a thesis did: prioritised without importance weights")
    full_vector_mse: bool = option(False, "as a thesis did: the mean over all actions' errors, all but one of them 0")
    shared_indices: bool = option(False, "a thesis's fault: n-step targets from a second memory by the first one's indices")


@dataclass(frozen=True)
class RainbowConfig(Config):
    """Everything on (Hessel 2018)."""

    width: int = option(32, "width of an action's row; the network has a vector of this width for each atom")
    double: bool = option(True, "double")
    dueling: bool = option(True, "dueling")
    prioritised: bool = option(True, "prioritised replay")
    alpha: float = option(0.5, "power of priorities")
    distributional: bool = option(True, "C51")
    noisy: bool = option(True, "noisy layers")
    n_step: int = option(3, "own decisions until the value of a position stands for the rest")
    eps_start: float = option(0.0, "exploration beside the noise, at the beginning")
    eps_end: float = option(0.0, "the same at the end")


class DQN(Learner):
    """The learner."""

    config_class = Config

    def __init__(self, variant: Variant, config: Config, seed: int) -> None:
        check(config)
        super().__init__(variant, config, seed)
        self.config = config
        layout, shape = self.model.layout, variant.shape
        self.adam = Adam(self.model, lazy=config.lazy)
        self.target = self.model.copy(shape.room)
        self.acting = self.model.copy(shape.room) if config.noisy else self.net
        self.replay = make_replay(
            config.capacity,
            layout.inputs,
            shape.room,
            config.games,
            shape.seats,
            prioritised=config.prioritised,
            width=config.n_step if config.shared_indices else 0,
            seed=child(seed, 7),
        )
        self.ones = np.ones(config.capacity, np.int32)
        self.ahead = make_ahead(config.batch, layout.atoms)
        self.packer = Packer(shape.actions, config.batch, shape.room)
        self.room = make_room(layout, config.batch, shape.room) if runs_together(layout) else None
        self.descent = self.adam.by_kernels(shape.room)
        self.own = np.zeros(2, np.int64)

    def shape_net(self, layout: Layout, config: Config) -> Layout:
        head = "embedding" if config.distributional and layout.head == "flat" else layout.head
        low, high = (config.low, config.high) if config.low or config.high else (-1.0, 1.0) if self.reward.win else (-5.0, 5.0)
        atoms = config.atoms if config.distributional else 1
        if config.distributional:
            layout = replace(layout, items=0, item_sorts=0, item_uses=0)
        made = replace(layout, head=head, q=True, values=1, dueling=config.dueling, relu_heads=config.relu_heads)
        return replace(made, atoms=atoms, low=low, high=high, noisy=config.noisy)

    def optimiser_arrays(self) -> dict[str, NDArray[Any]]:
        kept = {name: part for name, part in self.replay._asdict().items() if isinstance(part, np.ndarray) and part.size}
        found = self.adam.arrays() | {"target": self.target.weights, "own": self.own}
        return found | {f"replay.{name}": part for name, part in kept.items()}

    def restored(self) -> None:
        super().restored()
        self.model.refresh(self.target)

    def begin_anew(self) -> None:
        """With these weights, and an empty replay."""
        super().begin_anew()
        self.target.weights[:] = self.model.weights
        empty(self.replay)

    def iterate(self) -> dict[str, float]:
        report = self.play()
        config, losses = self.config, []
        if self.decisions >= config.burn_in and self.replay.numbers[READY] >= config.batch:
            due = (self.decisions - config.burn_in) // config.every + 1
            while self.own[GRADIENTS] < due:
                losses.append(self.step())
        self.model.refresh(self.net)
        self.counters[1] += 1
        if self.counters[1] % config.freeze == 0:
            self.past.keep()
        names = ("loss", "value", "gradient")
        return report | (dict(zip(names, np.mean(losses, axis=0).tolist(), strict=True)) if losses else {})

    # ---- Playing ----

    def epsilon(self) -> float:
        """Exploration now."""
        config = self.config
        done = self.decisions if config.eps_unit == "decisions" else int(self.own[GAMES])
        return epsilon(done, config.eps_start, config.eps_end, config.eps_over, config.eps_shape)

    def play(self) -> dict[str, float]:
        """Every group's next steps, into the replay."""
        if self.config.noisy:
            noise = draw_noise(self.model.layout, np.random.default_rng([self.seed, 1, int(self.counters[1])]))
            disturb(self.model.layout, self.model.weights, noise, self.acting.weights)
            self.model.refresh(self.acting)
        rate, games, first = self.epsilon(), 0, 0
        for group in self.groups:
            group.trail.explore[:] = 0.0, rate
            trail = group.play(self.acting)
            store(self.replay, trail, first, self.scale)
            first += trail.counts.shape[1]
            self.counters[0] += trail.counts.size
            games += int((trail.ended != 0).sum())
            if self.past.policy is not None and group.batch.agent is self.past.policy:
                self.past.learn(group.shares())
        self.past.pick(self.seed)
        self.own[GAMES] += games
        return {"games": games, "epsilon": rate, **self.describe_groups()}

    # ---- Learning ----

    def step(self) -> tuple[float, ...]:
        """One minibatch."""
        config = self.config
        picks, weights = self.draw()
        self.look_ahead(picks)
        rates = Rates(config.lr + self.progress * (config.lr_end - config.lr), config.most_gradient)
        learn = self.learn_by_torch if self.descent is None else self.learn_by_kernels
        loss, value, gradient, errors = learn(picks, weights, rates)
        if config.prioritised:
            set_priorities(self.replay, picks, priority(errors, config.alpha, config.least_priority))
        self.own[GRADIENTS] += 1
        self.move_target()
        return loss, value, gradient

    def draw(self) -> tuple[Picks, NDArray[np.float32]]:
        """Places in the replay, and the weight of each."""
        config, numbers = self.config, self.replay.numbers
        picks, weights = np.zeros(config.batch, np.int64), np.ones(config.batch, np.float32)
        if not config.prioritised:
            draw_evenly(self.replay, picks)
            return picks, weights
        chances = np.zeros(config.batch)
        draw_by_priority(self.replay, picks, chances)
        if not config.no_importance_weights:
            weights = importance(chances, int(numbers[READY]), config.beta + self.progress * (config.beta_end - config.beta))
        return picks, weights

    def look_ahead(self, picks: Picks) -> None:
        """What the picked decisions should have been worth, into self.ahead."""
        config, layout, replay = self.config, self.model.layout, self.replay
        begins = self.misread(picks) if config.shared_indices else picks
        look_forward(replay, begins, config.n_step, config.discount, self.ahead)
        if layout.head == "features":
            after = self.ahead.places[self.ahead.places >= 0]
            rows = self.packer.pack((replay.starts, replay.counts, replay.ids), after)[2]
            assert self.model.features is not None
            refresh_rows(layout, self.net, self.model.features, rows)
            if config.tau:
                refresh_rows(layout, self.target, self.model.features, rows)
        if self.room is None:
            judge_ahead(replay, self.target, self.net, config.double, self.ahead)
        else:
            judge_together(replay, self.target, self.net, config.double, self.ahead, self.room)
        if config.distributional:
            project(self.ahead, self.target.support)

    def misread(self, picks: Picks) -> Picks:
        """The thesis of 2023's n-step: the second memory, asked by the first one's indices, answers with other decisions."""
        replay = self.replay
        second = replay.second[: min(int(replay.numbers[SECOND]), len(replay.second))]
        held = second[second >= replay.numbers[TAIL]]
        return held[picks % len(held)] % len(replay.starts) if len(held) else picks

    def share(self) -> float:
        """Of the mean over the minibatch that is the loss: all of it, or as a thesis did."""
        return 1.0 / self.model.layout.actions if self.config.full_vector_mse else 1.0

    def learn_by_kernels(self, picks: Picks, weights: Floats, rates: Rates) -> tuple[float, float, float, Floats]:
        """(loss, mean value, norm of the gradient, error of each) of small minibatches of plain networks: the same at a fraction of
        the time (docs/decisions.md)."""
        config, wanted, found = self.config, self.wanted(), np.zeros(len(picks), np.float32)
        assert self.room is not None
        how = self.room, self.net.dueling, config.mean_over_batch, config.loss == "huber", self.share()
        loss, gradient = learn_minibatch(self.descent, rates, self.replay, Lesson(picks, wanted, weights, found, *how))
        return loss, float(found.mean()), gradient, found - wanted

    def learn_by_torch(self, picks: Picks, weights: Floats, rates: Rates) -> tuple[float, float, float, Floats]:
        """The same for every network."""
        model = self.model
        if self.config.noisy:
            model.disturb(draw_noise(model.layout, np.random.default_rng([self.seed, 2, int(self.own[GRADIENTS])])))
        errors, off, value = self.errors(picks)
        loss = (errors * torch.from_numpy(weights)).mean() * self.share()
        gradient = self.adam.descend(loss, rates.lr, rates.most_gradient)
        model.disturb({})
        return loss.item(), value, gradient, off

    def errors(self, picks: Picks) -> tuple[Tensor, NDArray[np.float32], float]:
        """(loss of each, error of each for its priority, mean value)."""
        queries, values = self.model(torch.from_numpy(self.replay.observations[picks]))
        if self.config.distributional:
            logits = self.atoms_of(picks, queries, values)
            errors = cross_entropy(logits, torch.from_numpy(self.ahead.wanted))
            mean = torch.softmax(logits.detach(), 1) @ torch.from_numpy(self.target.support)
            return errors, errors.detach().numpy(), mean.mean().item()
        found = self.values_of(picks, queries, values)
        wanted = torch.from_numpy(self.wanted())
        errors = LOSSES[self.config.loss](found, wanted)
        return errors, (found.detach() - wanted).numpy(), found.detach().mean().item()

    def wanted(self) -> NDArray[np.float32]:
        """r + discount * value of the best legal action."""
        ahead, after = self.ahead, self.ahead.values
        if self.config.mean_over_batch:
            counts = np.where(ahead.places >= 0, self.replay.counts[ahead.places], 0)
            after = batch_mean_values(ahead.values, ahead.means, counts)
        return ahead.returns + ahead.factors * after

    def rows_of(self, picks: Picks) -> tuple[Any, Any, Any, Any]:
        """(starts, places, rows, biases) of the legal lists, or without dueling of the actions taken alone."""
        replay = self.replay
        lists = (replay.starts, replay.counts) if self.config.dueling else (replay.acted, self.ones)
        starts, places, ids = self.packer.pack((*lists, replay.ids), picks)
        return starts, places, *self.model.rows(ids)

    def values_of(self, picks: Picks, queries: Tensor, values: Tensor) -> Tensor:
        """(n,) of the actions taken."""
        starts, places, rows, biases = self.rows_of(picks)
        found = scores(queries, rows, biases, starts, places)
        if not self.config.dueling:
            return found
        if self.config.relu_heads:
            found, values = found.relu(), values.relu()
        found = found - found.mean() if self.config.mean_over_batch else centred(found, starts)
        chosen = starts[:-1] + self.replay.acted[picks] - self.replay.starts[picks]
        return found[torch.from_numpy(chosen)] + values[:, 0]

    def atoms_of(self, picks: Picks, queries: Tensor, values: Tensor) -> Tensor:
        """(n, atoms) logits of the actions taken. The mean over a list is a scalar product with the mean row."""
        n, layout = len(picks), self.model.layout
        starts, places, rows, _ = self.rows_of(picks)
        listed: Tensor = rows[torch.from_numpy(places).long()]
        if layout.dueling:
            counts = torch.from_numpy(np.diff(starts))
            owners = torch.arange(n).repeat_interleave(counts)
            means = torch.zeros(n, layout.width).index_add(0, owners, listed) / counts[:, None]
            chosen = starts[:-1] + self.replay.acted[picks] - self.replay.starts[picks]
            listed = listed[torch.from_numpy(chosen)] - means
        logits = (queries.view(n, layout.atoms, layout.width) @ listed[:, :, None])[:, :, 0]
        return logits + values if layout.dueling else logits

    def move_target(self) -> None:
        """Softly with every minibatch, or as a whole now and then."""
        if self.config.tau:
            mix_into(self.target.weights, self.model.weights, self.config.tau)
        elif self.own[GRADIENTS] % self.config.target_every == 0:
            self.target.weights[:] = self.model.weights
            self.model.refresh(self.target)


class Rainbow(DQN):
    """The same with everything on."""

    config_class = RainbowConfig


def check(config: Config) -> None:
    """Settings that do not go together are refused before anything is dealt."""
    for name, known in (("loss", LOSSES), ("eps_shape", SHAPES), ("eps_unit", UNITS)):
        if getattr(config, name) not in known:
            raise UnknownName(f"{name} of DQN", getattr(config, name), known)
    if config.capacity < config.games * config.steps or config.capacity < config.batch:
        raise MeepleError(f"A replay of {config.capacity} is too small for {config.games} games of {config.steps} steps at a time.")
    if (config.relu_heads or config.mean_over_batch) and (not config.dueling or config.distributional):
        raise MeepleError("relu_heads and mean_over_batch are for dueling networks that are not distributional.")
    if min(config.n_step, config.batch, config.every, config.target_every) < 1:
        raise MeepleError("n_step, batch, every and target_every must be at least 1.")


LEARNERS = {"dqn": DQN, "rainbow": Rainbow}

"""Expert iteration (Anthony, Tian, Barber 2017; Silver et al. 2017): a network learns what a search with the network inside finds.

A round: games are played by search, with the weights as they were when the round began; meanwhile the network learns from a window
of the games before. Whoever plays them, here or in worker processes, they are the same games, so a run's weights do not depend on
the number of processes. Read from top to bottom; games are in learn/games.py, the search in search/self_play.py.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from meeple.core.errors import MeepleError
from meeple.core.game import Variant
from meeple.core.rng import child
from meeple.learn.config import Setup, option
from meeple.learn.experience import Group
from meeple.learn.games import NOBODY, Crew, Job, Recipe, Rows, joined_rows
from meeple.learn.heads import legal_logs
from meeple.learn.math import by_mover, cross_entropy, squared_loss
from meeple.learn.policy import PolicyLearner
from meeple.nets.layout import Layout
from meeple.nets.ready import conversion
from meeple.nets.window import Page, make_page, make_window, read_page
from meeple.search.gumbel import Thrift
from meeple.search.self_play import Effort

POINTS = 0.05  # a point of difference at the end, as the network predicts it


@dataclass(frozen=True)
class Config(Setup):
    """Expert iteration's own settings; steps and opponents are not used."""

    games: int = option(64, "games of self-play a round")
    iterations: int = option(64, "of a search whose policy is learnt")
    quick: int = option(16, "iterations of all other decisions")
    share: float = option(0.3, "of decisions whose policy is learnt")
    considered: int = option(16, "actions that a search tries at all, chosen by prior and Gumbel noise")
    noise: float = option(1.0, "weight of the Gumbel noise in searches that are learnt from")
    calm: float = option(0.3, "and in quick ones")
    sigma_visits: float = option(50.0, "a value counts (this + most visits) * sigma_weight beside the prior's logit")
    sigma_weight: float = option(0.2, "see sigma_visits")
    c: float = option(1.0, "weight of exploration below the root")
    temperature: float = option(1.0, "of the prior in its search: a network of PPO is surer than it should be")
    refresh: int = option(1, "visits of a node in which the network is asked again")
    top: int = option(0, "actions that a determinization adds to a node, the most likely; 0: all")
    memory: bool = option(False, "a node keeps what the network made of it, so that it is asked once a node")
    teacher_games: int = option(0, "so many games at first are searched with the game's own guide")
    past_share: float = option(0.1, "of games in which one seat is an earlier self")
    freeze: int = option(20, "rounds between two earlier selves")
    window: int = option(200_000, "decisions that are learnt from")
    kept: int = option(16, "actions of a policy that are kept, the most likely")
    reuse: float = option(4.0, "how often a decision is learnt from, on average")
    minibatch: int = option(1024, "decisions in a minibatch")
    mix: float = option(0.3, "of the search's value in the target of a value; the rest is how the game ended")
    lr: float = option(1e-3, "learning rate")
    lr_end: float = option(1e-4, "learning rate at the end of the run, reached in a straight line")
    value_weight: float = option(1.0, "weight of the value loss")
    extra_weight: float = option(0.1, "weight of predicting the difference in points")
    symmetries: bool = option(True, "learn from mirrored positions, where the game has symmetries")
    workers: int = option(-1, "processes that play; -1: one a core, 0: play here")


class Exit(PolicyLearner):
    """The learner."""

    config_class = Config

    def __init__(self, variant: Variant, config: Config, seed: int) -> None:
        if config.policies != "shared":
            raise MeepleError("Expert iteration has one policy for all seats: leave policies at shared.")
        if config.teacher_games and variant.game.guide is None:
            raise MeepleError(f"{variant.game.name} has no guide of its own that could teach: leave teacher_games at 0.")
        super().__init__(variant, config, seed, config.minibatch)
        self.config = config
        layout = self.model.layout
        self.conversion = conversion(self.card(), "the network", variant)
        self.window = make_window(variant, config.window, config.kept, layout.values, layout.extras)
        self.page: Page = make_page(variant, variant.level(self.level), config.minibatch)
        self.out = np.zeros(variant.shape.room, np.int32)
        self.past.make(variant)
        self.asked = np.stack([self.model.weights, self.model.weights])  # what the games of this round are played with
        self.numbers = np.zeros(2, np.int64)  # games played, decisions of the last round
        self.crew: Any = None  # these play them: a Crew, or on a cluster learn/afar.py
        self.address = ""  # of that cluster
        self.teaching = False  # are they searched with the game's own guide?
        self.playing = False  # have they been asked for?

    def _groups(self, *_: Any) -> list[Group]:
        return []  # no games of the network alone

    def shape_net(self, layout: Layout, config: Any) -> Layout:  # noqa: ARG002
        return replace(layout, extras=1 if self.variant.shape.seats > 1 else 0)

    def begin_with(self, path: Path) -> None:
        super().begin_with(path)
        self.asked[:] = self.model.weights

    # ---- A round ----

    def iterate(self) -> dict[str, float]:
        self.ask()
        report = self.learn(int(self.numbers[1] * self.config.reuse / self.config.minibatch))
        games = self.crew.finish()
        report |= self.tell(games) | self.crew.told()
        self.keep(joined_rows(games))
        self.numbers += len(games), 0
        self.counters += self.numbers[1], 1
        if self.counters[1] % self.config.freeze == 0:
            self.past.keep()
        self.past.pick(self.seed)
        self.asked[0], self.asked[1] = self.model.weights, self.past.kept[self.past.numbers[1]]
        self.playing = False
        return report

    def ask(self) -> None:
        """Let the games of this round be played."""
        teaching = int(self.numbers[0]) < self.config.teacher_games
        if self.crew is None or teaching != self.teaching:
            self.close()
            self.crew, self.teaching = self.hire(self.recipe(teaching)), teaching
        if not self.playing:
            self.crew.begin(self.asked, self.jobs())
            self.playing = True

    def hire(self, recipe: Recipe) -> Any:
        if not self.address:
            return Crew(recipe, self.count_workers())
        from meeple.learn.afar import Afar  # only now: Ray is an extra

        return Afar(recipe, self.address)

    def spread_over(self, algorithm: str, address: str) -> Any:  # noqa: ARG002
        self.address = address
        return self

    def count_workers(self) -> int:
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        return self.config.workers if self.config.workers >= 0 else cores if cores > 1 else 0

    def recipe(self, teaching: bool) -> Recipe:
        """How games are played."""
        config = self.config
        return Recipe(
            variant=self.variant.spec,
            layout=self.model.layout,
            level=self.variant.level(self.level),
            conversion=self.conversion,
            effort=Effort(config.iterations, config.quick, config.share, config.calm),
            thrift=Thrift(config.considered, config.noise, config.sigma_visits, config.sigma_weight),
            kept=config.kept,
            c=config.c,
            temperature=config.temperature,
            refresh=config.refresh,
            top=config.top,
            memory=config.memory,
            teacher=teaching,
        )

    def jobs(self) -> list[Job]:
        """The games of this round; in some of them a past self sits."""
        seats = self.variant.shape.seats
        rng = np.random.default_rng([self.seed, 1, int(self.counters[1])])
        past = (rng.random(self.config.games) < self.config.past_share) & (seats > 1)
        where = np.where(past, rng.integers(seats, size=self.config.games), NOBODY)
        first = int(self.numbers[0])
        return [Job(child(self.seed, 10_000 + first + i), int(seat)) for i, seat in enumerate(where)]

    def close(self) -> None:
        """End whoever plays."""
        if self.crew is not None:
            self.crew.close()
            self.crew = None
        self.playing = False

    # ---- Writing down ----

    def keep(self, rows: Rows) -> None:
        """Add the decisions of a round to the window, with what the network should have said of them."""
        config, layout = self.config, self.model.layout
        scale, offset, add_points = self.conversion
        ended = rows["outcomes"] if self.variant.shape.winnable else rows["scores"]
        value = (1 - config.mix) * ended + config.mix * rows["expected"]
        if add_points:
            value = value - rows["points"]
        movers = rows["states"]["seat"]
        wanted: NDArray[np.float32] = ((value - offset) / scale).astype(np.float32)
        ahead = (POINTS * (rows["scores"] - others_best(rows["scores"]))).astype(np.float32)
        self.window.add(
            {
                **{name: rows[name] for name in ("states", "actions", "policy", "counts")},
                "targets": by_mover(wanted, movers, layout.values),
                "extras": by_mover(ahead, movers, layout.extras),
            }
        )
        self.numbers[1] = len(movers)

    def tell(self, games: list[Rows]) -> dict[str, float]:
        """How the games of a round went."""
        sizes = [len(game["counts"]) for game in games]
        points = np.mean([game["scores"][0] for game in games if len(game["counts"])])
        return {"games": float(len(games)), "length": float(np.mean(sizes)), "points": float(points)}

    # ---- Learning ----

    def learn(self, steps: int) -> dict[str, float]:
        """Minibatches from the window."""
        if not steps or self.window.size < self.config.minibatch:
            return {}
        rng = np.random.default_rng([self.seed, 2, int(self.counters[1])])
        reports = []
        for _ in range(steps):
            reports.append(self.step(rng))
            self.crew.tend()
        self.model.refresh(self.net)
        names = ("policy_loss", "value_loss", "extra_loss", "surprise", "gradient")
        return dict(zip(names, np.mean(reports, axis=0).tolist(), strict=True))

    def step(self, rng: np.random.Generator) -> tuple[float, ...]:
        """One minibatch."""
        config, window = self.config, self.window
        picks = rng.integers(window.size, size=config.minibatch)
        targets = (window.actions, window.policy, window.counts)
        used = read_page(self.page, window.states, targets, picks, self.variant.level(self.level), self.out)
        seen, ids = self.mirrored(self.page.observations, self.page.ids[:used], rng)
        policy = self.page.policy[:used]

        trunk = self.model.trunk(torch.from_numpy(seen))
        queries, values = self.model.heads(trunk)
        starts = np.concatenate([[0], np.cumsum(self.page.counts)[:-1]]).astype(np.int64)
        packed = self.packer.pack((starts, self.page.counts, ids), np.arange(len(picks)))
        logs = legal_logs(self.model, queries, packed)

        counted = int((window.counts[picks] > 0).sum())
        policy_loss = cross_entropy(logs, torch.from_numpy(policy), counted)
        value_loss = squared_loss(values, torch.from_numpy(window.targets[picks]))
        extra_loss = torch.zeros(())
        if self.model.layout.extras:
            extra_loss = squared_loss(self.model.extras(trunk), torch.from_numpy(window.extras[picks]))
        loss = policy_loss + config.value_weight * value_loss + config.extra_weight * extra_loss
        gradient = self.descend(loss, config.lr + self.progress * (config.lr_end - config.lr), 1.0)
        surprise = policy_loss.item() + float((policy * np.log(np.maximum(policy, 1e-30))).sum()) / max(1, counted)
        return policy_loss.item(), value_loss.item(), extra_loss.item(), surprise, gradient

    def mirrored(
        self, seen: NDArray[np.float32], ids: NDArray[np.int32], rng: np.random.Generator
    ) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
        """The same positions as one of the game's symmetries shows them."""
        if not self.config.symmetries or self.variant.game.symmetry is None:
            return seen, ids
        numbers, actions = self.variant.game.symmetry(self.variant, self.level, rng)
        return seen[:, numbers], actions[ids]

    # ---- Keeping ----

    def optimiser_arrays(self) -> dict[str, NDArray[Any]]:
        window = {f"window.{name}": array for name, array in self.window.arrays().items()}
        return {**super().optimiser_arrays(), **window, "asked": self.asked, "numbers": self.numbers}


def others_best(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n, seats) of the others' points the most."""
    seats = scores.shape[1]
    if seats == 1:
        return np.zeros_like(scores)
    others = [np.delete(scores, seat, axis=1).max(axis=1) for seat in range(seats)]
    return np.stack(others, axis=1)


LEARNERS = {"exit": Exit}

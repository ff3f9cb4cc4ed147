"""Games of self-play by search, played here or by worker processes; the same games whoever plays them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.agents.mcts import make_guide
from meeple.agents.random import Random
from meeple.core.game import Variant
from meeple.core.guide import memo_size
from meeple.core.registry import find_variant
from meeple.core.workers import Worker
from meeple.nets.file import features_of, items_of
from meeple.nets.forward import make_net, refresh_rows
from meeple.nets.layout import Layout
from meeple.nets.ready import make_adviser
from meeple.search.gumbel import Thrift
from meeple.search.select import PUCT, Settings
from meeple.search.self_play import Effort, make_self_play, play_game

Rows = dict[str, NDArray[Any]]
NOBODY = -1


class Job(NamedTuple):
    """A game to be played: from which seed, and in which seat a past self sits, if anywhere."""

    seed: int
    past_seat: int = NOBODY


@dataclass(frozen=True)
class Recipe:
    """How games are played: all that a worker needs to know before it is given weights. Plain data."""

    variant: str
    layout: Layout
    level: int
    conversion: tuple[float, float, bool]
    effort: Effort
    thrift: Thrift
    kept: int
    c: float
    temperature: float
    refresh: int
    top: int = 0  # actions that a determinization adds to a node, 0: all
    memory: bool = False  # does a node keep what the network made of it?
    teacher: bool = False  # the game's own guide searches, not the network


def settings_of(recipe: Recipe, variant: Variant) -> Settings:
    """A search that follows its guide; a teacher's with the parameters the game has for its own guide."""
    tuned = dict(variant.game.search) if recipe.teacher else {}
    return Settings(
        select=PUCT,
        c=tuned.get("c", recipe.c),
        temperature=tuned.get("temperature", recipe.temperature),
        top=tuned.get("top", recipe.top or variant.shape.room),
        fpu=tuned.get("fpu", 0.1),
        trust=0.0,
        turns=0,
        refresh=recipe.refresh,
        cut=0,
        playouts=1,
        points=int(not variant.shape.winnable),
        meanings=0,
        reduce=0,
        clairvoyant=0,
    )


class Player:
    """Plays games by search with the network inside, in one process."""

    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe
        self.variant = find_variant(recipe.variant)
        self.features = features_of(self.variant) if recipe.layout.head == "features" else None
        items = items_of(self.variant, self.variant.shape.levels[recipe.level].name)
        self.weights = np.zeros((2, recipe.layout.size), np.float32)  # the learner's, a past self's
        self.nets = [make_net(recipe.layout, one, self.variant.shape.room, self.features, items) for one in self.weights]
        self.guides = tuple(self._guide(net) for net in self.nets)
        settings = settings_of(recipe, self.variant)
        note = memo_size(self.guides[0]) if recipe.memory else 0
        self.play = make_self_play(self.variant, settings, recipe.thrift, recipe.effort, recipe.kept, note)

    def _guide(self, net: Any) -> Any:
        if self.recipe.teacher:
            return make_guide(self.variant, "game")
        return make_adviser(net, self.recipe.level, self.variant, self.recipe.conversion)

    def set_weights(self, weights: NDArray[np.float32]) -> None:
        """(2, size): the learner's, a past self's."""
        self.weights[:] = weights
        if self.features is not None:
            for net in self.nets:
                refresh_rows(self.recipe.layout, net, self.features)

    def play_job(self, job: Job) -> Rows:
        """Every decision of a game, with how it ended."""
        diary = self.play.diary
        n = play_game(self.play, self.guides, Random(), self.variant.config, np.uint64(job.seed), job.past_seat)
        names = ("states", "actions", "policy", "counts", "expected", "points")
        rows = {name: getattr(diary, name)[:n].copy() for name in names}
        for name, result in zip(("outcomes", "scores"), diary.result, strict=True):
            rows[name] = np.repeat(result[None], n, axis=0)
        return rows


def joined_rows(parts: list[Rows]) -> Rows:
    """One list of decisions."""
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


_OWN: list[Player] = []  # in a worker: its player


def _prepare(recipe: Recipe) -> None:
    _OWN[:] = [Player(recipe)]


def _work(weights: NDArray[np.float32], jobs: list[Job]) -> list[Rows]:
    _OWN[0].set_weights(weights)
    return [_OWN[0].play_job(job) for job in jobs]


class Crew:
    """Workers that play while the learner learns; without any, games are played here when they are asked for."""

    def __init__(self, recipe: Recipe, workers: int) -> None:
        self.workers = [Worker(_prepare, recipe) for _ in range(workers)]
        self.player = None if workers else Player(recipe)
        self.weights = np.zeros((0, 0), np.float32)
        self.jobs: list[Job] = []

    def begin(self, weights: NDArray[np.float32], jobs: list[Job]) -> None:
        """Hand out games, to be played with the weights as they are now."""
        self.weights, self.jobs = weights.copy(), jobs
        for i, worker in enumerate(self.workers):
            worker.send(_work, self.weights, jobs[i :: len(self.workers)])

    def finish(self) -> list[Rows]:
        """The decisions of each of those games."""
        if self.player:
            self.player.set_weights(self.weights)
            return [self.player.play_job(job) for job in self.jobs]
        found: list[Rows] = [{}] * len(self.jobs)
        for i, worker in enumerate(self.workers):
            found[i :: len(self.workers)] = worker.receive()
        return found

    def tend(self) -> None:
        """Nothing to do while they play: each has its share."""

    def told(self) -> dict[str, float]:
        """Nothing that is not known."""
        return {}

    def close(self) -> None:
        """End the workers."""
        for worker in self.workers:
            worker.kill()

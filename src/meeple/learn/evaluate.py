"""How strong a network is while it learns: paired matches against named opponents, in this process and not kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from meeple.agents.registry import find_agent
from meeple.arena.stats import mean_interval, share_interval
from meeple.arena.summary import per_deal
from meeple.arena.table import Piece
from meeple.core.errors import MeepleError
from meeple.core.game import Variant
from meeple.core.rng import child


@dataclass(frozen=True)
class Trained:
    """A network in memory, as the arena asks for players."""

    agent: Any  # a kernel agent
    spec: str = "the network"
    clairvoyant: bool = False

    def make(self, variant: Variant) -> Any:  # noqa: ARG002
        return self.agent


@dataclass(frozen=True)
class Judge:
    """Who is played against, and how many games. All other seats are the opponent's."""

    variant: Variant
    opponents: tuple[str, ...]
    games: int
    seed: int

    def __post_init__(self) -> None:
        seats = self.variant.shape.seats
        if self.games < seats or self.games % seats:
            raise MeepleError(f"Games of an evaluation must be a multiple of {seats}, not {self.games}: every seating is played.")
        for spec in self.opponents:
            find_agent(spec, self.variant.game)

    def judge(self, player: Trained, fresh: int = 0) -> dict[str, Any]:
        """Results by opponent, and `strength`, their mean: share of the wins, or points where nobody wins. Another `fresh`, other
        deals."""
        seats = self.variant.shape.seats
        found = {spec: self._match(player, spec, fresh) for spec in (self.opponents if seats > 1 else ("alone",))}
        return {"strength": float(np.mean([result["mean"] for result in found.values()])), "against": found}

    def _match(self, player: Trained, spec: str, fresh: int) -> dict[str, Any]:
        variant, seats = self.variant, self.variant.shape.seats
        players: list[Any] = [player]
        if seats > 1:
            players += [find_agent(spec, variant.game)] * (seats - 1)  # a mind for every seat, or two would share their luck
        seating = (np.arange(seats) - np.arange(seats)[:, None]) % seats  # in row i the player has seat i, and agent 1 follows
        deals = self.games // seats
        seeds = [child(child(self.seed, fresh), deal) for deal in range(deals) for _ in range(seats)]
        done = Piece(variant, players, seeds, np.tile(seating, (deals, 1))).play()
        mine = np.tile(np.arange(seats), deals)[:, None]
        measured = done.outcomes if variant.shape.winnable else done.scores
        means = per_deal(np.take_along_axis(measured, mine, axis=1)[:, 0], seats)
        interval = share_interval(means, seats) if variant.shape.winnable else mean_interval(means)
        points = np.take_along_axis(done.scores, mine, axis=1)
        return {"mean": float(means.mean()), "ci": list(interval), "points": float(points.mean()), "games": len(seeds)}

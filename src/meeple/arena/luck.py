"""Luck taken out of a match: the same expectation, a smaller interval.

Whenever an action draws luck (a card is turned up, dice fall), what a guide thinks of the table it led to is compared with what it
thinks on average of the tables it could have led to. Such a difference is zero on average, whoever plays and whatever the guide is
worth. So a game's result less the sum of these differences has the mean of the result, and the better the guide, the less it varies
(AIVAT: Burch, Schmid, Moravcik, Morrill, Bowling 2018; long known among backgammon players).

What is averaged over are tables with everything dealt again that no seat knows (`reshuffle`), since no action can depend on that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.agents.champion import network_of
from meeple.agents.novice import blind, eye_of
from meeple.arena.plan import Plan
from meeple.arena.stats import Moments, mean_interval
from meeple.arena.store import Store, StoredGame
from meeple.arena.summary import by_agent, per_deal
from meeple.core.errors import MeepleError
from meeple.core.game import Variant
from meeple.core.intervals import Interval
from meeple.core.rng import LUCK, child
from meeple.core.verbs import deal
from meeple.rollout.luck import Room, luck_of_game, value

OPENINGS = 2000  # deals that the deal of a game for one is compared with
Tick = Callable[[int], None]


class Meter:
    """Measures how lucky the seats of a game were, by the champion's network or else the game's own guide."""

    def __init__(self, variant: Variant) -> None:
        guide = eye_of(variant, network_of(variant, "bundled")) if variant.game.has_reshuffle else None
        if guide is None or blind(guide):
            lacking = "a guide that could value a table" if guide else "a reshuffle (docs/add_a_game.md)"
            raise MeepleError(f"The luck of {variant.spec} cannot be measured: {variant.game.name} has not {lacking}.")
        size, seats = variant.shape.room, variant.shape.seats
        points = int(not variant.shape.winnable)
        self.variant = variant
        self.room = Room(guide, variant.empty(2), np.zeros(size, np.int32), np.zeros(size), np.zeros(seats), points)

    def of_deal(self, seed: int) -> float:
        """What the first seat may expect of a deal."""
        deal(self.room.states[0], self.variant.config, np.uint64(seed))
        value(self.room, self.room.states[0])
        return float(self.room.values[0])

    def of_game(self, game: StoredGame) -> NDArray[np.float64]:
        """Of each seat, from the deal on."""
        luck = np.zeros(self.variant.shape.seats)
        deal(self.room.states[0], self.variant.config, np.uint64(game.seed))
        luck_of_game(self.room, game.actions, np.uint64(child(game.seed, LUCK)), luck)
        return luck


def without_luck(
    meter: Meter, plan: Plan, store: Store, match: int, tick: Tick = lambda _: None, games: int | None = None
) -> dict[str, Any]:
    """Every agent's mean result with its luck taken out, and how far each is behind the first: shares of the win, or points where
    only these count. Of the deals that were played in all seatings; only of the first `games`, where a sequential test decided
    after them: others may have been finished when it did."""
    alone, agents = plan.variant.shape.seats == 1, len(plan.players)
    # With seats exchanged a deal favours everybody once; where nobody sits opposite, it is compared with others.
    usual = Moments.of(np.array([meter.of_deal(child(child(plan.seed, LUCK), i)) for i in range(OPENINGS if alone else 0)]))
    rows: dict[int, list[NDArray[np.float64]]] = {}
    for game in store.games(match):
        if games is not None and game.number >= games:
            continue
        luck = meter.of_game(game)
        result = np.array(game.scores if meter.room.points else game.outcome) - luck
        if alone:
            result -= meter.of_deal(game.seed) - usual.mean
        else:
            result = by_agent(result[None], np.array([game.seating]))[0]
        rows.setdefault(game.number // agents, []).append(result)
        tick(1)
    whole = np.array([deal for deal in rows.values() if len(deal) == agents]).reshape(-1, agents, agents if not alone else 1)
    deals = whole[:, :, 0] if alone else per_deal(whole.reshape(-1, agents), agents)
    return {
        "unit": "points" if meter.room.points else "share of wins",
        "games": len(deals) * agents,
        "means": deals.mean(axis=0).tolist(),
        "ci": [list(_interval(deals[:, agent], usual.variance / OPENINGS)) for agent in range(agents)],
        "behind": (deals[:, :1] - deals).mean(axis=0).tolist(),
        "behind_ci": [list(mean_interval(deals[:, 0] - deals[:, agent])) for agent in range(agents)],
    }


def _interval(values: NDArray[np.float64], besides: float) -> Interval:
    """Of the mean of observations less something that all share: `besides` is the variance of what that was estimated to be."""
    found = Moments.of(values)
    return mean_interval(Moments(found.n, found.mean, found.squares + besides * found.n * (found.n - 1)))

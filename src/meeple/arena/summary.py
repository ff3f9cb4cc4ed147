"""What came of a match, as plain data: the fields that other work relies on. Games are added up as they are read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import floor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.arena.plan import Plan
from meeple.arena.stats import Moments, mean_interval, share_interval
from meeple.arena.store import Block
from meeple.core.intervals import around_the_median

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


def summarise(plan: Plan, blocks: Iterable[Block], seconds: float) -> dict[str, Any]:
    """Of the finished deals. A deal counts when all its seatings are finished."""
    alone = plan.variant.shape.seats == 1
    count: Alone | Two | Several = (Alone if alone else Two if len(plan.players) == 2 else Several)(plan)
    for block in blocks:
        count.add(block)
    return {
        "game": plan.variant.game.name,
        "variant": plan.variant.spec,
        "agents": plan.specs,
        "clairvoyant": [player.clairvoyant for player in plan.players],
        "seed": plan.seed,
        "games": count.games,
        **count.result(),
        **count.lengths(),
        "seconds": seconds,
    }


def by_agent(values: NDArray[Any], seating: NDArray[np.int64]) -> NDArray[np.float64]:
    """(games, seats) by seat -> (games, agents) by agent."""
    sorted_values = np.empty(values.shape)
    np.put_along_axis(sorted_values, seating, values, axis=1)
    return sorted_values


def per_deal(values: NDArray[np.float64], agents: int) -> NDArray[np.float64]:
    """Means over the seatings of each deal: the independent observations."""
    means: NDArray[np.float64] = values.reshape(-1, agents, *values.shape[1:]).mean(axis=1)
    return means


class Count:
    """What is told of every match."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.agents = len(plan.players)
        self.games = 0
        self.turns = 0
        self.ends: Counter[int] = Counter()

    def add(self, block: Block) -> None:
        self.games += len(block.numbers)
        self.turns += int(block.turns.sum())
        self.ends.update(block.ends.tolist())

    def lengths(self) -> dict[str, Any]:
        known = self.plan.variant.game.ends
        reasons: Counter[str] = Counter()
        for end, times in self.ends.items():
            reasons[known[end].reason] += times
        return {
            "turns": self.turns / max(1, self.games),
            "truncated": sum(times for end, times in self.ends.items() if known[end].truncated),
            "ends": {reason: reasons[reason] for reason in sorted(reasons)},
        }


class Seated(Count):
    """Of a game for two and more: shares of the wins, scores, turns to win, the first seat."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self.shares = [Moments() for _ in plan.players]  # of the deals
        self.score_deals = [Moments() for _ in plan.players]
        self.first_seat = Moments()
        self.won = np.zeros(self.agents)  # games won alone, and the turns they took
        self.won_turns = np.zeros(self.agents)

    def add(self, block: Block) -> None:
        super().add(block)
        outcomes, scores = by_agent(block.outcomes, block.seating), by_agent(block.scores, block.seating)
        own = by_agent(block.own_turns, block.seating)
        for agent in range(self.agents):
            self.shares[agent].add(per_deal(outcomes[:, agent], self.agents))
            self.score_deals[agent].add(per_deal(scores[:, agent], self.agents))
        self.first_seat.add(per_deal(block.outcomes[:, 0], self.agents))
        self.won += (outcomes == 1).sum(axis=0)
        self.won_turns += np.where(outcomes == 1, own, 0).sum(axis=0)
        self.compare(outcomes, scores)

    def compare(self, outcomes: NDArray[np.float64], scores: NDArray[np.float64]) -> None:
        """Games of a block, by agent."""

    def seats(self) -> dict[str, Any]:
        turns = zip(self.won.tolist(), self.won_turns.tolist(), strict=True)
        return {
            "turns_to_win": [total / won if won else None for won, total in turns],
            "first_seat": {"share": self.first_seat.mean, "ci": list(share_interval(self.first_seat, self.agents))},
        }


class Two(Seated):
    """For two seats; what has no list belongs to the first-named agent."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self.results = Counter({0.0: 0, 0.5: 0, 1.0: 0})
        self.difference = Moments()

    def compare(self, outcomes: NDArray[np.float64], scores: NDArray[np.float64]) -> None:
        self.results.update(outcomes[:, 0].tolist())
        self.difference.add(per_deal(scores[:, 0] - scores[:, 1], 2))

    def result(self) -> dict[str, Any]:
        return {
            "wins": self.results[1.0],
            "draws": self.results[0.5],
            "losses": self.results[0.0],
            "win_rate": self.shares[0].mean,
            "win_rate_ci": list(share_interval(self.shares[0], 2)),
            "scores": [found.mean for found in self.score_deals],
            "score_diff": self.difference.mean,
            "score_diff_ci": list(mean_interval(self.difference)),
            **self.seats(),
        }


class Several(Seated):
    """For three and more: each agent's share of the wins."""

    def result(self) -> dict[str, Any]:
        return {
            "win_shares": [found.mean for found in self.shares],
            "win_shares_ci": [list(share_interval(found, self.agents)) for found in self.shares],
            "scores": [found.mean for found in self.score_deals],
            "scores_ci": [list(mean_interval(found)) for found in self.score_deals],
            **self.seats(),
        }


class Alone(Count):
    """Every agent has played every deal, so differences between agents are taken deal by deal. What has no list belongs to the
    first-named agent."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self.scores, self.won, self.behind = ([Moments() for _ in plan.players] for _ in range(3))
        self.counts: list[Counter[float]] = [Counter() for _ in plan.players]

    def add(self, block: Block) -> None:
        super().add(block)
        scores, won = (values[:, 0].reshape(-1, self.agents) for values in (block.scores, block.outcomes))
        for agent in range(self.agents):
            self.scores[agent].add(scores[:, agent])
            self.won[agent].add(won[:, agent])
            self.behind[agent].add(scores[:, 0] - scores[:, agent])
            self.counts[agent].update(scores[:, agent].tolist())

    def result(self) -> dict[str, Any]:
        quantiles = [{f"{q:g}": quantile_of(counts, q) for q in QUANTILES} for counts in self.counts]
        found: dict[str, Any] = {
            "scores": [each.mean for each in self.scores],
            "scores_ci": [list(mean_interval(each)) for each in self.scores],
            "score_ci": list(mean_interval(self.scores[0])),
            "score_sd": self.scores[0].variance ** 0.5,
            "quantiles": quantiles[0],
            "median_ci": [quantile_of(self.counts[0], q) for q in around_the_median(self.counts[0].total())],
            "all_quantiles": quantiles,
            "differences": [each.mean for each in self.behind],
            "differences_ci": [list(mean_interval(each)) for each in self.behind],
        }
        if self.plan.variant.shape.winnable:
            found |= {
                "win_rate": self.won[0].mean,
                "win_rate_ci": list(share_interval(self.won[0], 1)),
                "win_rates": [each.mean for each in self.won],
                "win_rates_ci": [list(share_interval(each, 1)) for each in self.won],
            }
        return found


def quantile_of(counts: Counter[float], q: float) -> float:
    """Of values that were counted, as np.quantile would say of them all."""
    values = sorted(counts)
    upto = np.cumsum([counts[value] for value in values])
    place = q * (int(upto[-1]) - 1)
    low = floor(place)
    below, above = (values[int(np.searchsorted(upto, at, side="right"))] for at in (low, min(low + 1, int(upto[-1]) - 1)))
    return below + (above - below) * (place - low)

"""What came of a match, as plain data: the fields that other work relies on."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.arena.plan import Plan
from meeple.arena.stats import mean_interval, share_interval
from meeple.arena.store import StoredGame

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


def summarise(plan: Plan, games: list[StoredGame], seconds: float) -> dict[str, Any]:
    """Of the finished deals. A deal counts when all its seatings are finished."""
    agents = len(plan.players)
    games = games[: len(games) // agents * agents]
    seating = np.array([game.seating for game in games])
    result: dict[str, Any] = {
        "game": plan.variant.game.name,
        "variant": plan.variant.spec,
        "agents": [player.spec for player in plan.players],
        "clairvoyant": [player.clairvoyant for player in plan.players],
        "seed": plan.seed,
        "games": len(games),
    }
    if plan.variant.shape.seats == 1:
        result |= _solitaire(plan, games, seating)
    else:
        outcomes = by_agent(np.array([game.outcome for game in games]), seating)
        scores = by_agent(np.array([game.scores for game in games]), seating)
        result |= _two(outcomes, scores) if agents == 2 else _several(outcomes, scores)
        result["turns_to_win"] = turns_to_win(games, seating, outcomes)
        result["first_seat"] = _first_seat(games, agents)
    ends = [plan.variant.game.ends[game.end] for game in games]
    return {
        **result,
        "turns": float(np.mean([game.turns for game in games])),
        "truncated": sum(end.truncated for end in ends),
        "ends": {reason: sum(end.reason == reason for end in ends) for reason in sorted({end.reason for end in ends})},
        "seconds": seconds,
    }


def by_agent(values: NDArray[np.float64], seating: NDArray[np.int64]) -> NDArray[np.float64]:
    """(games, seats) by seat -> (games, agents) by agent."""
    sorted_values = np.empty_like(values)
    np.put_along_axis(sorted_values, seating, values, axis=1)
    return sorted_values


def per_deal(values: NDArray[np.float64], agents: int) -> NDArray[np.float64]:
    """Means over the seatings of each deal: the independent observations."""
    means: NDArray[np.float64] = values.reshape(-1, agents, *values.shape[1:]).mean(axis=1)
    return means


def _two(outcomes: NDArray[np.float64], scores: NDArray[np.float64]) -> dict[str, Any]:
    """For two seats; what has no list belongs to the first-named agent."""
    mine = outcomes[:, 0]
    difference = scores[:, 0] - scores[:, 1]
    return {
        "wins": int((mine == 1).sum()),
        "draws": int((mine == 0.5).sum()),
        "losses": int((mine == 0).sum()),
        "win_rate": float(mine.mean()),
        "win_rate_ci": list(share_interval(per_deal(mine, 2), 2)),
        "scores": [float(x) for x in scores.mean(axis=0)],
        "score_diff": float(difference.mean()),
        "score_diff_ci": list(mean_interval(per_deal(difference, 2))),
    }


def _several(outcomes: NDArray[np.float64], scores: NDArray[np.float64]) -> dict[str, Any]:
    """For three and more: each agent's share of the wins."""
    agents = outcomes.shape[1]
    deals = per_deal(outcomes, agents)
    score_deals = per_deal(scores, agents)
    return {
        "win_shares": [float(x) for x in outcomes.mean(axis=0)],
        "win_shares_ci": [list(share_interval(deals[:, agent], agents)) for agent in range(agents)],
        "scores": [float(x) for x in scores.mean(axis=0)],
        "scores_ci": [list(mean_interval(score_deals[:, agent])) for agent in range(agents)],
    }


def _solitaire(plan: Plan, games: list[StoredGame], seating: NDArray[np.int64]) -> dict[str, Any]:
    """Every agent has played every deal, so differences between agents are taken deal by deal. What has no list belongs to the
    first-named agent."""
    agents = range(len(plan.players))
    scores, won = (
        [np.array([values[0] for values, who in zip(found, seating[:, 0], strict=True) if who == agent]) for agent in agents]
        for found in ([game.scores for game in games], [game.outcome for game in games])
    )
    first = scores[0]
    quantiles = [{f"{q:g}": float(np.quantile(values, q)) for q in QUANTILES} for values in scores]
    result: dict[str, Any] = {
        "scores": [float(values.mean()) for values in scores],
        "scores_ci": [list(mean_interval(values)) for values in scores],
        "score_ci": list(mean_interval(first)),
        "score_sd": float(first.std(ddof=1)) if len(first) > 1 else 0.0,
        "quantiles": quantiles[0],
        "all_quantiles": quantiles,
        "differences": [float((first - values).mean()) for values in scores],
        "differences_ci": [list(mean_interval(first - values)) for values in scores],
    }
    if plan.variant.shape.winnable:
        result |= {
            "win_rate": float(won[0].mean()),
            "win_rate_ci": list(share_interval(won[0], 1)),
            "win_rates": [float(values.mean()) for values in won],
            "win_rates_ci": [list(share_interval(values, 1)) for values in won],
        }
    return result


def turns_to_win(games: list[StoredGame], seating: NDArray[np.int64], outcomes: NDArray[np.float64]) -> list[float | None]:
    """Mean number of own turns in the games an agent won alone."""
    own = by_agent(np.array([game.own_turns for game in games], float), seating)
    means: list[float | None] = []
    for agent in range(outcomes.shape[1]):
        won = outcomes[:, agent] == 1
        means.append(float(own[won, agent].mean()) if won.any() else None)
    return means


def _first_seat(games: list[StoredGame], agents: int) -> dict[str, Any]:
    """The first seat's share of the wins, whoever sat there."""
    shares = np.array([game.outcome[0] for game in games])
    return {"share": float(shares.mean()), "ci": list(share_interval(per_deal(shares, agents), agents))}

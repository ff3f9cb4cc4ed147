"""Does thinking longer help? The same agent with doubling budgets, rung by rung.

In a game for two, every rung plays the rung below it on deals of its own, so that the steps are independent: Elo differences add
up, and so do their variances. In a solitaire, every rung plays the same deals, and a step is the mean difference deal by deal.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf, log, sqrt
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.agents.registry import AgentSpec, find_agent
from meeple.arena.executor import make_executor
from meeple.arena.match import play_match
from meeple.arena.plan import Plan, make_plan, sources_of
from meeple.arena.stats import elo, mean_interval
from meeple.arena.store import Store
from meeple.core.errors import MeepleError, UnknownName, check_seed
from meeple.core.game import Variant
from meeple.core.intervals import quantile
from meeple.core.registry import find_variant
from meeple.lab.plots import new_figure, save

MOST_RUNGS = 24
PRIOR_GAMES = 1.0  # drawn, added to every match: an agent that won everything is not infinitely stronger

Value = int | float


@dataclass(frozen=True)
class Ladder:
    """Checked, before the first card is dealt."""

    variant: Variant
    player: AgentSpec
    param: str
    budgets: list[Value]
    specs: list[str]  # of the agent at each budget
    plans: list[Plan]  # a match for each rung alone, or for each rung but the first against the one below
    games: int
    seed: int


def plan_ladder(spec: str, agent: str, param: str, first: float, rungs: int, games: int, seed: int) -> Ladder:
    check_seed(seed)
    variant = find_variant(spec)
    player = find_agent(agent, variant.game)
    if (seats := variant.shape.seats) > 2:
        raise MeepleError(f"{variant.spec} has {seats} seats; a ladder is for games of one seat or two.")
    if not 2 <= rungs <= MOST_RUNGS:
        raise MeepleError(f"--rungs must be from 2 to {MOST_RUNGS}, not {rungs}.")
    if games < 2 * seats:
        raise MeepleError(f"--games must be at least {2 * seats} for an interval, not {games}.")
    budgets = [_budget(player, param, first * 2**rung) for rung in range(rungs)]
    specs = [replace(player, settings=player.settings | {param: budget}).spec for budget in budgets]
    if seats == 1:
        plans = [make_plan(spec, [each], games, seed) for each in specs]
    else:
        plans = [make_plan(spec, [specs[rung], specs[rung - 1]], games, seed + rung) for rung in range(1, rungs)]
    return Ladder(variant, player, param, budgets, specs, plans, games, seed)


def _budget(player: AgentSpec, param: str, value: float) -> Value:
    """The budget of a rung, refused as any wrong parameter of an agent is."""
    known = {each.name: each for each in player.kind.params if not isinstance(each.default, str)}
    if param not in known:
        raise UnknownName(f"number to double of {player.kind.name}", param, known)
    if not 0 < value < inf:
        raise MeepleError(f"--from must be above 0, not {value:g}.")
    read = known[param].read(str(int(value)) if value == int(value) else repr(value), player.kind.name)
    assert not isinstance(read, str)
    return read


def climb(
    ladder: Ladder, store: Store, processes: int = 1, tick: Callable[[int], None] = lambda _: None, cluster: str = ""
) -> dict[str, Any]:
    """Play all rungs; those of an interrupted ladder that are finished are taken from the store."""
    variant = ladder.variant
    entry = (variant.spec, variant.game.version, ["ladder", *ladder.specs], ladder.seed, ladder.games)
    number = store.begin_tournament(*entry, sources_of(ladder.plans))
    with make_executor(processes, cluster) as workers:
        matches = [play_match(plan, store, tick=tick, tournament=number, executor=workers) for plan in ladder.plans]
    store.finish_tournament(number)
    alone = variant.shape.seats == 1
    rungs = _alone(ladder, matches, store) if alone else _each_against_the_one_below(matches)
    for budget, spec, rung in zip(ladder.budgets, ladder.specs, rungs, strict=True):
        rung |= {"budget": budget, "agent": spec}
    return {
        "game": variant.game.name,
        "variant": variant.spec,
        "agent": ladder.player.spec,
        "clairvoyant": ladder.player.clairvoyant,
        "param": ladder.param,
        "games": ladder.games,
        "seed": ladder.seed,
        "measure": "elo" if not alone else "win_rate" if variant.shape.winnable else "score",
        "rungs": rungs,
        **judge(rungs),
        "seconds": sum(match["seconds"] for match in matches),
    }


def judge(rungs: list[dict[str, Any]]) -> dict[str, Any]:
    """Monotonic: no step is down beyond its interval. Rises: steps that are up beyond theirs."""
    steps = [rung["step_ci"] for rung in rungs[1:]]
    return {"monotonic": all(high >= 0 for _, high in steps), "rises": sum(low > 0 for low, _ in steps)}


def _each_against_the_one_below(matches: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Elo above the first rung. A step is the win rate against the rung below, above a half."""
    rungs: list[dict[str, Any]] = [{"value": 0.0, "ci": [0.0, 0.0], "step": None, "step_ci": None, "match": None}]
    total, variance = 0.0, 0.0
    for match in matches:
        difference, spread = elo_step(match["win_rate"], match["win_rate_ci"], match["games"])
        total, variance = total + difference, variance + spread**2
        half = quantile() * sqrt(variance)
        step_ci = [bound - 0.5 for bound in match["win_rate_ci"]]
        rung = {"value": total, "ci": [total - half, total + half], "step": match["win_rate"] - 0.5, "step_ci": step_ci}
        rungs.append(rung | {"win_rate": match["win_rate"], "win_rate_ci": match["win_rate_ci"], "match": match["match"]})
    return rungs


def elo_step(share: float, interval: list[float], games: int) -> tuple[float, float]:
    """Elo difference of a win rate, and its standard error."""
    share = (share * games + PRIOR_GAMES / 2) / (games + PRIOR_GAMES)
    error = (interval[1] - interval[0]) / (2 * quantile())
    return elo(share), error * 400 / log(10) / (share * (1 - share))


def _alone(ladder: Ladder, matches: list[dict[str, Any]], store: Store) -> list[dict[str, Any]]:
    """Each rung's own mean, and how far it is above the rung below on the same deals."""
    winnable = ladder.variant.shape.winnable
    rungs: list[dict[str, Any]] = []
    below: NDArray[np.float64] | None = None
    for match in matches:
        blocks = store.blocks(match["match"], 1, ladder.games)
        values = np.concatenate([(block.outcomes if winnable else block.scores)[:, 0] for block in blocks])
        step = None if below is None else values - below
        rungs.append(
            {
                "value": match["win_rate"] if winnable else match["scores"][0],
                "ci": match["win_rate_ci"] if winnable else match["score_ci"],
                "step": None if step is None else float(step.mean()),
                "step_ci": None if step is None else list(mean_interval(step)),
                "match": match["match"],
            }
        )
        below = values
    return rungs


LABELS = {"elo": "Elo above the first rung", "win_rate": "share of games won", "score": "score"}


def draw(result: dict[str, Any], path: Path) -> None:
    """Strength over budget, doubling from tick to tick."""
    figure, (axes,) = new_figure()
    budgets = [rung["budget"] for rung in result["rungs"]]
    values = [rung["value"] for rung in result["rungs"]]
    bars = [[abs(rung["value"] - rung["ci"][side]) for rung in result["rungs"]] for side in (0, 1)]
    axes.errorbar(budgets, values, bars, marker="o", capsize=4)
    axes.set_xscale("log", base=2)
    axes.set_xticks(budgets, [f"{budget:g}" for budget in budgets])
    axes.set_xlabel(result["param"])
    axes.set_ylabel(LABELS[result["measure"]])
    games = f"{result['games']:,} games a rung, seed {result['seed']}"
    axes.set_title(f"{result['variant']}, {result['agent']}, {games}, 95% intervals", loc="left")
    axes.grid(axis="y", alpha=0.3)
    save(figure, path)

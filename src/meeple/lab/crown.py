"""Gating: a candidate becomes the champion only by winning a sequential test on fresh paired deals, and then by holding its own
against a pool of other styles, so that champions do not go round in circles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from meeple.agents.champion import champion_file
from meeple.agents.registry import find_agent
from meeple.arena.match import Tick, play_match
from meeple.arena.plan import make_plan
from meeple.arena.store import Store
from meeple.core.errors import MeepleError
from meeple.core.game import Variant
from meeple.core.registry import find_variant
from meeple.core.rng import child
from meeple.nets.file import fit, read_net, write_net

EVEN, BETTER = 0.5, 0.55  # what the sequential test of two seats decides between
MARGIN = 0.05  # a share of wins that a candidate may lose against the pool, within the noise of its games

Report = Callable[[dict[str, Any]], None]


@dataclass(frozen=True)
class Trial:
    """Who wants to become champion, and how that is found out."""

    variant: Variant
    candidate: Path
    budget: str  # of both sides, as in iterations=400 or ms=200
    pool: tuple[str, ...]
    games: int  # at most, of each match
    seed: int

    @property
    def challenger(self) -> str:
        return f"champion:net={self.candidate},{self.budget}"

    @property
    def holder(self) -> str:
        return f"champion:{self.budget}"


def plan_trial(game: str, candidate: Path, budget: str, pool: list[str], games: int, seed: int) -> Trial:
    """Read and check everything before the first game."""
    variant = find_variant(game)
    fit(read_net(candidate)[0], candidate, variant)
    for spec in pool:
        find_agent(spec, variant.game)
    if games < 2 * variant.shape.seats:
        raise MeepleError(f"--games must be at least {2 * variant.shape.seats}, not {games}.")
    trial = Trial(variant, candidate, budget, tuple(pool), games // variant.shape.seats * variant.shape.seats, seed)
    find_agent(trial.challenger, variant.game)
    return trial


def hold_trial(trial: Trial, store: Store, processes: int, tick: Tick = lambda _: None) -> dict[str, Any]:
    """Both tests; `won` says whether the candidate may replace the champion."""
    duel = meet(trial, trial.challenger, trial.holder, 0, store, processes, tick, test=True)
    found: dict[str, Any] = {"variant": trial.variant.spec, "candidate": str(trial.candidate), "duel": duel, "pool": []}
    found["won"] = duel["won"]
    if found["won"] and trial.variant.shape.seats > 1:
        for number, opponent in enumerate(trial.pool, 1):
            mine = meet(trial, trial.challenger, opponent, number, store, processes, tick)
            theirs = meet(trial, trial.holder, opponent, number, store, processes, tick)
            kept = mine["ci"][1] >= theirs["mean"] - MARGIN
            found["pool"].append({"opponent": opponent, "candidate": mine, "champion": theirs, "kept": kept})
            found["won"] = found["won"] and kept
    return found


def meet(
    trial: Trial, first: str, second: str, number: int, store: Store, processes: int, tick: Tick, *, test: bool = False
) -> dict[str, Any]:
    """A match on deals of its own; `won` by the sequential test, or by the interval where there are not two seats."""
    seats = trial.variant.shape.seats
    agents = [first, *[second] * max(1, seats - 1)]
    plan = make_plan(trial.variant, agents, trial.games, child(trial.seed, number) % 2**31)
    result = play_match(plan, store, processes, sprt=(EVEN, BETTER) if test and seats == 2 else None, tick=tick)
    found = {"games": result["games"], "seed": plan.seed, **_figures(result, seats, trial.variant.shape.winnable)}
    if "sprt" in result:
        return {**found, "won": result["sprt"]["accepted"] == "p1", "accepted": result["sprt"]["accepted"]}
    return {**found, "won": found["ci"][0] > found["even"]}


def _figures(result: dict[str, Any], seats: int, winnable: bool) -> dict[str, Any]:
    """Share of wins beside an even share; of a solitaire the difference on the same deals."""
    if seats == 1:
        unit = "wins" if winnable else "points"
        return {"mean": result["differences"][1], "ci": list(result["differences_ci"][1]), "even": 0.0, "unit": unit}
    if seats == 2:
        return {"mean": result["win_rate"], "ci": list(result["win_rate_ci"]), "even": 0.5, "unit": "share of wins"}
    return {"mean": result["win_shares"][0], "ci": list(result["win_shares_ci"][0]), "even": 1 / seats, "unit": "share of wins"}


def crown(trial: Trial, found: dict[str, Any], search: dict[str, float] | None = None) -> Path:
    """Put the candidate where the champion is found, with its trial in its card."""
    card, weights = read_net(trial.candidate)
    config = {**card.config, "search": search or card.config.get("search", {}), "start": ""}
    duel = {name: found["duel"][name] for name in ("mean", "ci", "games", "seed", "unit")}
    result = {**card.result, "trial": {"budget": trial.budget, **duel}}
    path = champion_file(trial.variant)
    write_net(path, replace(card, config=config, result=result), weights, half=True)
    return path

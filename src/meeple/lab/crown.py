"""Gating: a candidate becomes the champion only by winning a sequential test on fresh paired deals, and then by holding its own
against a pool of other styles, so that champions do not go round in circles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from meeple.agents.champion import champion_file
from meeple.agents.registry import find_agent
from meeple.arena.match import Tick
from meeple.arena.store import Store
from meeple.core.errors import MeepleError
from meeple.core.game import Variant
from meeple.core.registry import find_variant
from meeple.core.rng import child
from meeple.lab.meet import Meetings
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
    games: int  # at most, of the match that decides
    pool_games: int  # of each match with the pool
    seed: int
    search: dict[str, float]  # settings of the candidate's search, where not those of its card

    @property
    def challenger(self) -> str:
        told = "".join(f",{name}={value:g}" for name, value in self.search.items())
        return f"champion:net={self.candidate},{self.budget}{told}"

    @property
    def holder(self) -> str:
        return f"champion:{self.budget}"


def plan_trial(
    game: str,
    candidate: Path,
    budget: str,
    pool: list[str],
    games: int,
    seed: int,
    search: dict[str, float] | None = None,
    pool_games: int = 0,
) -> Trial:
    """Read and check everything before the first game. Where `pool_games` is 0, they are as many as `games`."""
    variant = find_variant(game)
    fit(read_net(candidate)[0], candidate, variant)
    for spec in pool:
        find_agent(spec, variant.game)
    seats, pool_games = variant.shape.seats, pool_games or games
    for option, number in (("--games", games), ("--pool-games", pool_games)):
        if number < 2 * seats:
            raise MeepleError(f"{option} must be at least {2 * seats}, not {number}.")
    whole = (games // seats * seats, pool_games // seats * seats)
    trial = Trial(variant, candidate, budget, tuple(pool), *whole, seed, search or {})
    find_agent(trial.challenger, variant.game)
    return trial


def hold_trial(trial: Trial, store: Store, processes: int, tick: Tick = lambda _: None) -> dict[str, Any]:
    """Both tests; `won` says whether the candidate may replace the champion."""
    meetings = Meetings(trial.variant, store, processes, tick)

    def meet(first: str, second: str, games: int, number: int, sprt: tuple[float, float] | None = None) -> dict[str, Any]:
        return meetings.meet(first, second, games, child(trial.seed, number) % 2**31, sprt)

    duel = meet(trial.challenger, trial.holder, trial.games, 0, (EVEN, BETTER))
    found: dict[str, Any] = {"variant": trial.variant.spec, "candidate": str(trial.candidate), "duel": duel, "pool": []}
    found["won"] = duel["won"]
    if found["won"] and trial.variant.shape.seats > 1:
        for number, opponent in enumerate(trial.pool, 1):
            mine, theirs = (meet(who, opponent, trial.pool_games, number) for who in (trial.challenger, trial.holder))
            kept = mine["ci"][1] >= theirs["mean"] - MARGIN
            found["pool"].append({"opponent": opponent, "candidate": mine, "champion": theirs, "kept": kept})
            found["won"] = found["won"] and kept
    return found


def crown(trial: Trial, found: dict[str, Any]) -> Path:
    """Put the candidate where the champion is found, with its trial and the settings of its search in its card."""
    card, weights = read_net(trial.candidate)
    config = {**card.config, "search": {**card.config.get("search", {}), **trial.search}, "start": ""}
    duel = {name: found["duel"][name] for name in ("mean", "ci", "games", "seed", "unit")}
    result = {**card.result, "trial": {"budget": trial.budget, **duel}}
    path = champion_file(trial.variant)
    write_net(path, replace(card, config=config, result=result), weights, half=True)
    return path

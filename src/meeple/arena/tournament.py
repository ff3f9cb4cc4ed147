"""Everybody against everybody, on the same deals, and a rating for each.

Of a game for two every pair plays a match, of one for more every choice of as many agents as there are seats. Alone, all agents
play the same deals, and there is nobody to win from: they are ranked by what they score, or by how often they win.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from meeple.agents.own import AgentGiven, read_agents
from meeple.arena.match import executor_for, play_match
from meeple.arena.plan import Plan, make_plan, sources_of
from meeple.arena.ratings import Array, fit_tables
from meeple.arena.store import Store
from meeple.core.errors import MeepleError
from meeple.core.game import Variant
from meeple.core.registry import find_variant

Tick = Callable[[int], None]


def plan_tournament(spec: str | Variant, agents: Sequence[AgentGiven], games: int, seed: int) -> list[Plan]:
    """One match for every table that can be made of the agents, on the same deals; `games` of each, or of each agent alone."""
    variant = find_variant(spec) if isinstance(spec, str) else spec
    players, seats = read_agents(agents, variant.game), variant.shape.seats
    if len({player.spec for player in players}) < len(players):
        raise MeepleError("An agent is named twice; give each of a tournament once (with other parameters it is another).")
    if len(players) < 2:
        raise MeepleError("A tournament needs at least two agents.")
    if len(players) < seats:
        raise MeepleError(f"{variant.spec} has {seats} seats, so a tournament needs at least {seats} agents, not {len(players)}.")
    if seats == 1:
        return [make_plan(variant, players, games * len(players), seed)]
    return [make_plan(variant, table, games, seed) for table in combinations(players, seats)]


def play_tournament(
    plans: list[Plan], store: Store, processes: int = 1, tick: Tick = lambda _: None, cluster: str = ""
) -> dict[str, Any]:
    """Play all matches; finished ones of an interrupted tournament are taken from the store."""
    variant = plans[0].variant
    names = tuple(dict.fromkeys(spec for plan in plans for spec in plan.specs))
    entry = (variant.spec, variant.game.version, list(names), plans[0].seed, plans[0].games)
    number = store.begin_tournament(*entry, sources_of(plans))
    with executor_for(plans, processes, cluster) as workers:
        matches = [play_match(plan, store, tick=tick, tournament=number, executor=workers) for plan in plans]
    store.finish_tournament(number)
    alone = variant.shape.seats == 1
    return {
        "variant": variant.spec,
        "games": sum(match["games"] for match in matches),
        "seed": plans[0].seed,
        **(ranked_alone(matches[0]) if alone else rated(names, plans, matches, store)),
        "matches": matches,
    }


def ranked_alone(match: dict[str, Any]) -> dict[str, Any]:
    """By the share of games won, or by the mean score."""
    measure = "win_rate" if "win_rates" in match else "score"
    values, intervals = match[f"{measure}s"], match[f"{measure}s_ci"]
    order = sorted(range(len(values)), key=lambda i: -values[i])
    sees = match["clairvoyant"]
    rows = [{"agent": match["agents"][i], "clairvoyant": sees[i], measure: values[i], "ci": intervals[i]} for i in order]
    return {"measure": measure, "ratings": rows, "first_seat": None}


def rated(names: tuple[str, ...], plans: list[Plan], matches: list[dict[str, Any]], store: Store) -> dict[str, Any]:
    """In Elo points, with what the first seat is worth."""
    wins: dict[tuple[int, ...], Array] = {}
    for plan, match in zip(plans, matches, strict=True):
        count_wins(plan, store, match["match"], names, wins)
    sees = {player.spec: player.clairvoyant for plan in plans for player in plan.players}
    ratings = fit_tables(names, wins, plans[0].variant.shape.seats)
    return {
        "measure": "elo",
        "ratings": [
            {
                "agent": names[i],
                "clairvoyant": sees[names[i]],
                "elo": float(ratings.elo[i]),
                "ci": _around(ratings.elo[i], ratings.half[i]),
            }
            for i in np.argsort(-ratings.elo)
        ],
        "first_seat": {"elo": ratings.first, "ci": _around(ratings.first, ratings.first_half)},
    }


def count_wins(plan: Plan, store: Store, match: int, names: tuple[str, ...], wins: dict[tuple[int, ...], Array]) -> None:
    """Add up what every seat won at every order of the agents."""
    places = [names.index(spec) for spec in plan.specs]
    for block in store.blocks(match, len(plan.players), plan.games):
        for seating in plan.seatings:
            table = tuple(places[who] for who in seating)
            won = block.outcomes[(block.seating == seating).all(axis=1)].sum(axis=0)
            wins[table] = wins.get(table, np.zeros(len(table))) + won


def _around(value: float, half: float) -> list[float]:
    return [float(value - half), float(value + half)]

"""Everybody against everybody, on the same deals, and a rating for each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from meeple.agents.own import AgentGiven, seat_all
from meeple.arena.match import play_match
from meeple.arena.plan import Plan, make_plan
from meeple.arena.ratings import fit
from meeple.arena.store import Store
from meeple.core.errors import MeepleError
from meeple.core.game import Variant
from meeple.core.registry import find_variant

Tick = Callable[[int], None]


def plan_tournament(spec: str | Variant, agents: Sequence[AgentGiven], games: int, seed: int) -> list[Plan]:
    """One match for every pair; each pair plays the same deals."""
    variant = find_variant(spec) if isinstance(spec, str) else spec
    players = seat_all(agents, variant.game)
    if len({player.spec for player in players}) < len(players):
        raise MeepleError("An agent is named twice; give each of a tournament once (with other parameters it is another).")
    if len(agents) < 2:
        raise MeepleError("A tournament needs at least two agents.")
    return [make_plan(variant, pair, games, seed) for pair in combinations(players, 2)]


def play_tournament(plans: list[Plan], store: Store, processes: int = 1, tick: Tick = lambda _: None) -> dict[str, Any]:
    """Play all pairs; finished matches of an interrupted tournament are taken from the store."""
    variant = plans[0].variant
    sees = {player.spec: player.clairvoyant for plan in plans for player in plan.players}
    names = tuple(sees)
    number = store.begin_tournament(variant.spec, variant.game.version, list(names), plans[0].seed, plans[0].games)
    matches = [play_match(plan, store, processes, tick=tick, tournament=number) for plan in plans]
    store.finish_tournament(number)
    first, second = np.zeros((len(names), len(names))), np.zeros((len(names), len(names)))
    for match in matches:
        a, b = (names.index(name) for name in match["agents"])
        for game in store.games(match["match"]):
            starter, other = (a, b) if game.seating[0] == 0 else (b, a)
            first[starter, other] += game.outcome[0]
            second[starter, other] += game.outcome[1]
    ratings = fit(names, first, second)
    order = np.argsort(-ratings.elo)
    return {
        "variant": variant.spec,
        "games": sum(match["games"] for match in matches),
        "seed": plans[0].seed,
        "ratings": [
            {
                "agent": names[i],
                "clairvoyant": sees[names[i]],
                "elo": float(ratings.elo[i]),
                "ci": _around(ratings.elo[i], ratings.half[i]),
            }
            for i in order
        ],
        "first_seat": {"elo": ratings.first, "ci": _around(ratings.first, ratings.first_half)},
        "matches": matches,
    }


def _around(value: float, half: float) -> list[float]:
    return [float(value - half), float(value + half)]

"""Many games, at random or by agents: lengths, scores, branching, ends, and whatever else a game reports."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.agents.registry import AgentSpec, find_agent
from meeple.arena.pieces import timed
from meeple.arena.table import Lineup, Piece
from meeple.core.errors import MeepleError, check_seed
from meeple.core.game import Variant
from meeple.core.intervals import around_the_median
from meeple.core.rng import child
from meeple.rollout.playout import play_random_games


def simulate(
    variant: Variant, games: int, seed: int, audited: bool = False, tick: Callable[[int], None] = lambda _: None
) -> dict[str, Any]:
    """Play and summarise; the same seed gives the same figures."""
    check_size(games, seed)
    started = time.perf_counter()
    parts = list(timed(range(games), lambda piece: play_random_games(variant, len(piece), seed, piece.start, audited), tick))
    return {**summary(variant, np.concatenate(parts), seed), "seconds": time.perf_counter() - started}


def simulate_agents(
    variant: Variant,
    agents: list[str],
    games: int,
    seed: int,
    tick: Callable[[int], None] = lambda _: None,
    look: Callable[[Piece], None] = lambda _: None,
) -> dict[str, Any]:
    """The same with an agent at each seat, or one at all of them. Lineup keep their seats: this measures the game, not the
    agents. `look` is shown every piece when it has been played, in order."""
    check_size(games, seed)
    seats, players = variant.shape.seats, players_at(variant, agents)
    started = time.perf_counter()
    made = Lineup(variant, players)
    parts, states = [], []
    for played in timed(range(games), lambda piece: played_at_own_seats(variant, players, seed, piece, made), tick):
        look(played)
        parts.append(played.finished)
        states.append(played.tables.states)
    scores, outcomes = (np.concatenate([getattr(part, name) for part in parts]) for name in ("scores", "outcomes"))
    last = np.concatenate(states)
    shares = [spread(outcomes[:, seat]) for seat in range(seats)]
    return {
        "game": variant.game.name,
        "variant": variant.spec,
        "agents": [player.spec for player in players],
        "clairvoyant": [player.clairvoyant for player in players],
        "games": games,
        "seed": seed,
        "turns": spread(last["turn"]),
        "plies": spread(last["ply"]),
        "scores": [spread(scores[:, seat]) for seat in range(seats)],
        "total": spread(scores.sum(axis=1)),
        "facts": {name: facts_of(last[field], seats) for name, field in variant.game.facts.items()},
        "win_shares": [share["mean"] for share in shares],
        "win_shares_ci": [[share["low"], share["high"]] for share in shares],
        "ends": end_shares(variant, last["end"]),
        "seconds": time.perf_counter() - started,
    }


def played_at_own_seats(variant: Variant, players: list[AgentSpec], seed: int, numbers: range, agents: Lineup) -> Piece:
    """Some games in which the agents sit in the order in which they are named."""
    seeds = [child(seed, number) for number in numbers]
    played = Piece(variant, players, seeds, np.tile(np.arange(variant.shape.seats, dtype=np.int8), (len(seeds), 1)), agents)
    played.play()
    return played


def players_at(variant: Variant, agents: list[str]) -> list[AgentSpec]:
    """An agent for each seat; one alone takes them all."""
    seats = variant.shape.seats
    if len(agents) not in (1, seats):
        raise MeepleError(f"{variant.spec} has {seats} seats, so --agents takes one agent or {seats}, not {len(agents)}.")
    return [find_agent(agent, variant.game) for agent in agents] * (seats // len(agents))


def facts_of(values: NDArray[Any], seats: int) -> list[dict[str, float]]:
    """A field by seats; in a solitaire it may be a plain number."""
    return [spread(values.reshape(len(values), -1)[:, seat]) for seat in range(seats)]


def check_size(games: int, seed: int) -> None:
    if games < 1:
        raise MeepleError(f"--games must be at least 1, not {games}.")
    check_seed(seed)


def end_shares(variant: Variant, ends: NDArray[Any]) -> dict[str, Any]:
    return {
        end.reason: {"games": int(n), "share": float(n / len(ends)), "truncated": end.truncated}
        for number, end in enumerate(variant.game.ends)
        if (n := (ends == number).sum())
    }


def summary(variant: Variant, results: NDArray[Any], seed: int) -> dict[str, Any]:
    """The figures of a set of results."""
    games, seats = len(results), variant.shape.seats
    plies = results["plies"].sum()
    scores = results["scores"][:, :seats]
    broken = {variant.game.invariants[b - 1]: int((results["broken"] == b).sum()) for b in set(results["broken"]) - {0}}
    return {
        "game": variant.game.name,
        "variant": variant.spec,
        "games": games,
        "seed": seed,
        "turns": spread(results["turns"]),
        "plies": spread(results["plies"]),
        "legal_mean": float(results["legal_sum"].sum() / plies),
        "legal_most": int(results["legal_most"].max()),
        "choices_share": float(results["choices"].sum() / plies),
        "scores": [spread(scores[:, seat]) for seat in range(seats)],
        "win_shares": [float(x) for x in results["outcome"][:, :seats].mean(axis=0)],
        "ends": end_shares(variant, results["end"]),
        "broken": broken,
    }


def spread(values: NDArray[Any]) -> dict[str, float]:
    """Mean with its 95% interval, standard deviation, and quantiles."""
    values = values.astype(float)
    deviation = float(values.std(ddof=1)) if len(values) > 1 else 0.0
    half = 1.96 * deviation / len(values) ** 0.5
    low, q1, median, q3, high = (float(q) for q in np.quantile(values, [0, 0.25, 0.5, 0.75, 1]))
    median_low, median_high = (float(q) for q in np.quantile(values, around_the_median(len(values))))
    mean = float(values.mean())
    return {
        "mean": mean,
        "low": mean - half,
        "high": mean + half,
        "sd": deviation,
        "least": low,
        "q1": q1,
        "median": median,
        "median_low": median_low,
        "median_high": median_high,
        "q3": q3,
        "most": high,
    }

"""Random play of many games: lengths, scores, branching, ends."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.core.errors import MeepleError
from meeple.core.game import Variant
from meeple.core.playout import play_random_games

CHUNK = 2_000  # games between two looks at the progress bar


def simulate(
    variant: Variant, games: int, seed: int, audited: bool = False, tick: Callable[[int], None] = lambda _: None
) -> dict[str, Any]:
    """Play and summarise; the same seed gives the same figures."""
    if games < 1:
        raise MeepleError(f"--games must be at least 1, not {games}.")
    if not 0 <= seed < 2**64:
        raise MeepleError(f"--seed must be from 0 to 2^64 - 1, not {seed}.")
    started = time.perf_counter()
    parts = []
    for first in range(0, games, CHUNK):
        parts.append(play_random_games(variant, min(CHUNK, games - first), seed, first, audited))
        tick(len(parts[-1]))
    return {**summary(variant, np.concatenate(parts), seed), "seconds": time.perf_counter() - started}


def summary(variant: Variant, results: NDArray[Any], seed: int) -> dict[str, Any]:
    """The figures of a set of results."""
    games, seats = len(results), variant.shape.seats
    plies = results["plies"].sum()
    ends = {
        end.reason: {"games": int(n), "share": float(n / games), "truncated": end.truncated}
        for number, end in enumerate(variant.game.ends)
        if (n := (results["end"] == number).sum())
    }
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
        "ends": ends,
        "broken": broken,
    }


def spread(values: NDArray[Any]) -> dict[str, float]:
    """Mean with its 95% interval, standard deviation, and quantiles."""
    values = values.astype(float)
    deviation = float(values.std(ddof=1)) if len(values) > 1 else 0.0
    half = 1.96 * deviation / len(values) ** 0.5
    low, q1, median, q3, high = (float(q) for q in np.quantile(values, [0, 0.25, 0.5, 0.75, 1]))
    mean = float(values.mean())
    return {
        "mean": mean,
        "low": mean - half,
        "high": mean + half,
        "sd": deviation,
        "least": low,
        "q1": q1,
        "median": median,
        "q3": q3,
        "most": high,
    }

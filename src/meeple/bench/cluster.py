"""How a cluster scales, as ratios within one run: games of matches and decisions of self-play a second with one and two workers.

Turns of one worker and of two follow each other, so that whatever else the machine does falls on both alike. Beside it what limits
a larger cluster: how many decisions a second one learner learns from, and the bytes that a decision and the weights are.
"""

from __future__ import annotations

import os
import pickle
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from meeple.arena.cluster import Cluster, Crew
from meeple.arena.match import play_piece
from meeple.core.errors import MeepleError
from meeple.core.registry import find_variant

SECONDS = 5.0  # of a turn
TURNS = 3  # of each number of workers
PIECE = 100  # games of a piece
WORKERS = (1, 2)
AGENTS = ("advanced1", "basic3")
SETTINGS = {"games": 128, "steps": 32}
Tick = Callable[[str], None]


def bench_cluster(spec: str, seed: int, address: str, tick: Tick) -> dict[str, Any]:
    """All of it; the cluster must have two cores."""
    tick("matches")
    matches = match_rates(spec, seed, address)
    tick("self-play")
    play, sample, learner = play_rates(spec, seed, address)
    tick("learning")
    decisions = len(sample.round.lesson.advantage)
    return {
        "variant": find_variant(spec).spec,
        "load": os.getloadavg()[0],
        "cores": os.cpu_count(),
        "matches": compared(matches, "games"),
        "self_play": compared(play, "decisions"),
        "learner_decisions_per_s": learn_rate(learner, sample.round),
        "bytes_per_decision": len(pickle.dumps(sample.round)) / decisions,
        "weights_bytes": int(learner.weights.nbytes),
    }


def compared(rates: dict[int, list[float]], unit: str) -> dict[str, Any]:
    """The median of each number's turns, and of the ratios of turns that followed each other."""
    one, two = (rates[workers] for workers in WORKERS)
    found: dict[str, Any] = {f"{unit}_per_s": {str(workers): float(np.median(rates[workers])) for workers in WORKERS}}
    ratios = [b / a for a, b in zip(one, two, strict=True)]
    return found | {"ratio": float(np.median(ratios)), "ratios": ratios}


def turns(measure: Callable[[int], float]) -> dict[int, list[float]]:
    """In turn, a few times, after one of each that is not counted: it starts workers and loads what was compiled."""
    rates: dict[int, list[float]] = {workers: [] for workers in WORKERS}
    for turn in range(TURNS + 1):
        for workers in WORKERS:
            rate = measure(workers)
            if turn:
                rates[workers].append(rate)
    return rates


def match_rates(spec: str, seed: int, address: str) -> dict[int, list[float]]:
    """Games a second by a cluster's executor with so many pieces at once."""
    with Cluster(address) as cluster:
        if cluster.width < max(WORKERS):
            raise MeepleError(f"The cluster has {cluster.width} core; {max(WORKERS)} are needed to compare.")
        about = (find_variant(spec).spec, AGENTS, 10**9, seed)
        at = [0]

        def submit() -> None:
            cluster.submit(play_piece, about, range(at[0], at[0] + PIECE))
            at[0] += PIECE

        def measure(workers: int) -> float:
            for _ in range(workers):
                submit()
            started, games = time.perf_counter(), 0
            while (spent := time.perf_counter() - started) < SECONDS:
                cluster.next()
                games += PIECE
                submit()
            cluster.cancel()
            return games / spent

        return turns(measure)


def play_rates(spec: str, seed: int, address: str) -> tuple[dict[int, list[float]], Any, Any]:
    """Decisions a second by so many players, with nobody learning; and a round of theirs."""
    from meeple.learn.config import read_config
    from meeple.learn.spread import Player
    from meeple.learn.train import find_learner

    variant, kind = find_variant(spec), find_learner("ppo")
    learner = kind(variant, read_config(kind.config_class, SETTINGS), seed)
    sample: list[Any] = [None]
    with Crew(address, Player, (variant.spec, "ppo", SETTINGS, seed)) as crew:
        weights = crew.share(learner.sent())

        def measure(workers: int) -> float:
            for number in range(workers):
                crew.ask(number, "play", weights)
            started, rounds = time.perf_counter(), 0
            while (spent := time.perf_counter() - started) < SECONDS:
                number, sample[0] = crew.next()
                crew.ask(number, "play", weights)
                rounds += 1
            for _ in range(workers):
                crew.next()
            return rounds * SETTINGS["games"] * SETTINGS["steps"] / spent

        return turns(measure), sample[0], learner


def learn_rate(learner: Any, played: Any) -> float:
    """Decisions a second that one learner learns from, of rounds that others have played."""
    learner.learn(played.lesson)
    started, decisions = time.perf_counter(), 0
    while (spent := time.perf_counter() - started) < SECONDS:
        learner.learn(played.lesson)
        decisions += len(played.lesson.advantage)
    return decisions / spent

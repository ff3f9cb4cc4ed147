"""How a cluster scales, as ratios within one run: games of matches and decisions of self-play a second with one and two workers.

Turns of one worker and of two follow each other, so that whatever else the machine does falls on both alike. Beside it what limits
a larger cluster: how many decisions a second one learner learns from, and the bytes that a decision and the weights are.
"""

from __future__ import annotations

import os
import pickle
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from meeple.arena.cluster.crew import Crew
from meeple.arena.cluster.pieces import Cluster
from meeple.arena.match import play_piece
from meeple.arena.plan import make_plan
from meeple.arena.store import Store
from meeple.core.errors import MeepleError
from meeple.core.registry import find_variant

SECONDS = 5.0  # of a turn
LIMIT_SECONDS = 2.0  # of the processor, for each of the limits
TURNS = 3  # of each number of workers
KEPT = 2000  # games of a piece, for the results file
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
    play, learner = play_rates(spec, seed, address)
    tick("learning")
    return {
        "variant": find_variant(spec).spec,
        "load": os.getloadavg()[0],
        "cores": os.cpu_count(),
        "matches": compared(matches, "games"),
        "self_play": compared(play, "decisions"),
        **limits(learner),
        **match_limits(spec, seed),
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


def play_rates(spec: str, seed: int, address: str) -> tuple[dict[int, list[float]], Any]:
    """Decisions a second by so many players, with nobody learning; and the learner that they play for."""
    from meeple.learn.config import read_config
    from meeple.learn.spread import Player
    from meeple.learn.train import find_learner

    variant, kind = find_variant(spec), find_learner("ppo")
    learner = kind(variant, read_config(kind.config_class, SETTINGS), seed)
    with Crew(address, Player, (variant.spec, "ppo", SETTINGS, seed)) as crew:
        weights = crew.share(learner.sent())

        def measure(workers: int) -> float:
            for number in range(workers):
                crew.ask(number, "play", weights)
            started, rounds = time.perf_counter(), 0
            while (spent := time.perf_counter() - started) < SECONDS:
                number, _ = crew.next()
                crew.ask(number, "play", weights)
                rounds += 1
            for _ in range(workers):
                crew.next()
            return rounds * SETTINGS["games"] * SETTINGS["steps"] / spent

        return turns(measure), learner


def limits(learner: Any) -> dict[str, float]:
    """By the processor's time, which others on the machine do not change: decisions a second that a core plays, and that one learns
    from; and what travels."""
    played = learner.gather()
    decisions = len(played.lesson.advantage)
    return {
        "played_per_cpu_s": decisions * per_cpu_second(learner.gather),
        "learnt_per_cpu_s": decisions * per_cpu_second(lambda: learner.learn(played.lesson)),
        "bytes_per_decision": len(pickle.dumps(played)) / decisions,
        "weights_bytes": float(learner.weights.nbytes),
    }


def match_limits(spec: str, seed: int) -> dict[str, float]:
    """The same of matches: games that a core plays, that the results file takes, and what travels."""
    plan = make_plan(spec, AGENTS, KEPT, seed)
    numbers = range(KEPT)
    finished, seconds = play_piece(plan, numbers)

    def keep() -> None:
        with TemporaryDirectory() as folder:
            store, variant = Store(Path(folder) / "r.sqlite"), plan.variant
            match = store.begin(variant.spec, variant.game.version, plan.entrants, seed, KEPT, plan.sources, 0)
            store.add(match, numbers, *plan.tables(numbers), finished, seconds)

    return {
        "games_per_cpu_s": KEPT * per_cpu_second(lambda: plan.play(numbers)),
        "stored_per_cpu_s": KEPT * per_cpu_second(keep),
        "bytes_per_game": len(pickle.dumps(finished)) / KEPT,
    }


def per_cpu_second(work: Callable[[], Any]) -> float:
    """How often it is done, after once that is not counted."""
    work()
    started, times = time.process_time(), 0
    while (spent := time.process_time() - started) < LIMIT_SECONDS:
        work()
        times += 1
    return times / spent

"""A match: planned, played by one or several processes, kept as it goes, summed up."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from meeple.agents.registry import load_code
from meeple.arena.plan import Plan, make_plan
from meeple.arena.stats import log_likelihood_ratio, sprt_bounds
from meeple.arena.store import Store, StoredGame
from meeple.arena.summary import per_deal, summarise
from meeple.arena.table import Finished, play_tables
from meeple.core.workers import make_pool, one_thread

Tick = Callable[[int], None]


def play_match(
    plan: Plan,
    store: Store,
    processes: int = 1,
    sprt: tuple[float, float] | None = None,
    tick: Tick = lambda _: None,
    tournament: int = 0,
) -> dict[str, Any]:
    """Play what is not yet played, and sum up. Interrupted, everything finished is in the store."""
    agents = [player.label for player in plan.players]  # the file is read by people, and long after its agents are gone
    number = store.begin(plan.variant.spec, plan.variant.game.version, agents, plan.seed, plan.games, tournament)
    chunks = plan.chunks()
    done = store.chunks(number)
    tick(sum(len(chunks[c]) for c in done) * len(plan.players))
    decided = _sprt_decision(plan, store, number, sprt, len(done))
    todo = [c for c in range(len(chunks)) if c not in done] if decided is None else []
    for chunk, finished, seconds in _played(plan, chunks, todo, processes):
        seeds, seating = plan.tables(chunks[chunk])
        store.add(number, chunk, chunks[chunk].start * len(plan.players), seeds, seating, finished, seconds)
        tick(len(seeds))
        if sprt and (decided := _sprt_decision(plan, store, number, sprt, chunk + 1)) is not None:
            break
    store.finish(number)
    result = summarise(plan, _counted(plan, store, number, decided), sum(store.chunks(number).values()))
    result["match"] = number
    if sprt:
        result["sprt"] = {"p0": sprt[0], "p1": sprt[1], "accepted": decided[0] if decided else None}
    return result


def _counted(plan: Plan, store: Store, number: int, decided: tuple[str, int] | None) -> list[StoredGame]:
    """With a sequential test, games after the decision do not count, whoever happened to finish them."""
    games = store.games(number)
    return games if decided is None else games[: decided[1] * len(plan.players)]


def _sprt_decision(plan: Plan, store: Store, number: int, sprt: tuple[float, float] | None, chunks: int) -> tuple[str, int] | None:
    """Which hypothesis is accepted and after how many deals, looking after every chunk in order; None while open."""
    if sprt is None or chunks == 0:
        return None
    low, high = sprt_bounds()
    games = store.games(number)
    mine = np.array([game.outcome[game.seating.index(0)] for game in games])
    complete = _leading(games, plan)
    deals = per_deal(mine[: complete * len(plan.players)], len(plan.players))
    step = plan.chunk_deals if plan.chunk_deals > 1 else 10
    for n in range(step, complete + 1, step):
        ratio = log_likelihood_ratio(deals[:n], *sprt)
        if ratio <= low:
            return "p0", n
        if ratio >= high:
            return "p1", n
    return None


def _leading(games: list[StoredGame], plan: Plan) -> int:
    """Deals finished without a gap from the first on."""
    n = 0
    while n < len(games) and games[n].number == n:
        n += 1
    return n // len(plan.players)


def _played(plan: Plan, chunks: list[range], todo: list[int], processes: int) -> Iterator[tuple[int, Finished, float]]:
    """Chunks as they are finished. The first is played here, so that kernels are compiled once and not by every process."""
    for chunk in todo[: 1 if processes > 1 else None]:
        yield (chunk, *_timed(plan, chunks[chunk]))
    if processes > 1 and len(todo) > 1:
        yield from _played_by_others(plan, chunks, todo[1:], min(processes, len(todo) - 1))


def _timed(plan: Plan, deals: range) -> tuple[Finished, float]:
    started = time.perf_counter()
    seeds, seating = plan.tables(deals)
    return play_tables(plan.variant, list(plan.players), seeds, seating), time.perf_counter() - started


def _played_by_others(plan: Plan, chunks: list[range], todo: list[int], processes: int) -> Iterator[tuple[int, Finished, float]]:
    words = (plan.variant.spec, [player.spec for player in plan.players], plan.games, plan.seed)
    with worker_pool(processes) as pool:
        waiting: dict[Future[tuple[Finished, float]], int] = {}
        rest = iter(todo)
        try:
            while True:
                # Never more than a few ahead: an interrupt or a decided test should not wait for a long queue.
                while len(waiting) < 2 * processes and (chunk := next(rest, None)) is not None:
                    waiting[pool.submit(_work, words, chunks[chunk])] = chunk
                if not waiting:
                    return
                for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                    yield (waiting.pop(future), *future.result())
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _work(words: tuple[str, list[str], int, int], deals: range) -> tuple[Finished, float]:
    return _timed(make_plan(*words), deals)


_CODE: list[Path] = []  # files of --code, which every process must load too


def use_code(paths: list[Path]) -> set[str]:
    """Load agents of a person's own, here and in every process of a match; returns their names."""
    names = set()
    for path in paths:
        names |= set(load_code(path))
        _CODE.append(path)
    return names


@contextmanager
def worker_pool(processes: int) -> Iterator[ProcessPoolExecutor]:
    """Fresh processes that know the agents of --code."""
    with one_thread(), make_pool(processes, _start_worker, list(_CODE)) as pool:
        yield pool


def _start_worker(code: list[Path]) -> None:
    for path in code:
        load_code(path)

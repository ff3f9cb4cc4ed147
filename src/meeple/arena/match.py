"""A match: planned, played by one or several processes, kept as it goes, summed up."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.agents.registry import load_code
from meeple.arena.executor import CODE, Executor, Here, Opened, each, make_executor
from meeple.arena.pieces import Pieces, gaps
from meeple.arena.plan import Plan, make_plan
from meeple.arena.stats import Moments, log_likelihood_ratio, sprt_bounds
from meeple.arena.store import Store
from meeple.arena.summary import summarise
from meeple.arena.table import Finished

Tick = Callable[[int], None]
LOOK = 10  # deals after which a sequential test looks at its figures again


class Played(NamedTuple):
    """A piece of a match."""

    numbers: range
    finished: Finished
    seconds: float


def play_match(
    plan: Plan,
    store: Store,
    processes: int = 1,
    sprt: tuple[float, float] | None = None,
    tick: Tick = lambda _: None,
    tournament: int = 0,
    executor: Executor | None = None,
    cluster: str = "",
    kept: bool = False,
) -> dict[str, Any]:
    """Play what is not yet played, and sum up. Interrupted, everything finished is in the store. `kept`: a match that is finished
    there already is not played again."""
    variant = plan.variant
    number = store.begin(variant.spec, variant.game.version, plan.entrants, plan.seed, plan.games, plan.sources, tournament, kept)
    done = store.played(number)
    tick(sum(map(len, done)))
    test = SequentialTest(plan, sprt)
    for block in store.blocks(number, 1, plan.games) if sprt else ():  # game by game: a deal may be half finished
        test.add(block.numbers.tolist(), block.outcomes, block.seating)
    if test.decided is None:
        with nullcontext(executor) if executor else executor_for([plan], processes, cluster) as workers:
            _play_on(plan, store, number, gaps(done, plan.games), workers, test, tick)
    store.finish(number)
    counted = plan.games if test.decided is None else test.decided[1] * len(plan.players)
    blocks = store.blocks(number, len(plan.players), counted)
    result = summarise(plan, blocks, store.match(number)["seconds"])
    result["match"] = number
    if sprt:
        result["sprt"] = {"p0": sprt[0], "p1": sprt[1], "accepted": test.decided[0] if test.decided else None}
    return result


def executor_for(plans: Iterable[Plan], processes: int, cluster: str = "") -> Opened:
    """Where to play some matches. An object of this program cannot be sent anywhere, so its games are played here."""
    here = any(plan.here for plan in plans)
    return make_executor(1 if here else processes, "" if here else cluster)


def _play_on(
    plan: Plan, store: Store, number: int, todo: Iterable[range], workers: Executor, test: SequentialTest, tick: Tick
) -> None:
    for piece in played(plan, todo, workers):
        seeds, seating = plan.tables(piece.numbers)
        store.add(number, piece.numbers, seeds, seating, piece.finished, piece.seconds)
        tick(len(piece.numbers))
        if test.add(piece.numbers, piece.finished.outcomes, seating) is not None:
            return


def played(plan: Plan, todo: Iterable[range], executor: Executor) -> Iterator[Played]:
    """Pieces of a match as they are finished, in whatever order."""
    pieces = Pieces(todo)
    # Here the plan is at hand, even if it has agents that no other process could make.
    about: Any = plan if isinstance(executor, Here) else (plan.variant.spec, tuple(plan.specs), plan.games, plan.seed)
    for (_, numbers), (finished, seconds) in each(executor, play_piece, ((about, piece) for piece in pieces)):
        pieces.took(numbers, seconds)
        yield Played(numbers, finished, seconds)


def play_piece(about: Plan | tuple[str, tuple[str, ...], int, int], numbers: range) -> tuple[Finished, float]:
    """Some games of a match, and the seconds they took."""
    plan = about if isinstance(about, Plan) else _plan(*about)
    started = time.perf_counter()
    return plan.play(numbers), time.perf_counter() - started


@lru_cache(8)
def _plan(spec: str, agents: tuple[str, ...], games: int, seed: int) -> Plan:
    """In a worker: made once, and its agents with it."""
    return make_plan(spec, list(agents), games, seed)


class SequentialTest:
    """Looks at the deals in order, whoever finished them when, so that its verdict depends on nothing but the deals."""

    def __init__(self, plan: Plan, sprt: tuple[float, float] | None) -> None:
        self.sprt = sprt
        self.agents = len(plan.players)
        self.waiting: dict[int, float] = {}  # games that are finished before their turn: what the first agent had of them
        self.next = 0  # number of the game whose turn it is
        self.deal: list[float] = []
        self.deals = Moments()
        self.decided: tuple[str, int] | None = None  # which hypothesis is accepted, and after how many deals

    def add(self, numbers: Iterable[int], outcomes: NDArray[np.float64], seating: NDArray[Any]) -> tuple[str, int] | None:
        """Finished games; returns the decision, if there is one."""
        if self.sprt is None or self.decided:
            return self.decided
        shares = outcomes[np.arange(len(outcomes)), (seating == 0).argmax(axis=1)]
        self.waiting.update(zip(numbers, shares.tolist(), strict=True))
        while self.next in self.waiting and self.decided is None:
            self.deal.append(self.waiting.pop(self.next))
            self.next += 1
            if len(self.deal) == self.agents:
                self._look()
        return self.decided

    def _look(self) -> None:
        self.deals.add(np.array([sum(self.deal) / self.agents]))
        self.deal.clear()
        if self.sprt is None or self.deals.n % LOOK:
            return
        low, high = sprt_bounds()
        ratio = log_likelihood_ratio(self.deals, *self.sprt)
        if ratio <= low or ratio >= high:
            self.decided = ("p0" if ratio <= low else "p1", self.deals.n)


def use_code(paths: list[Path]) -> set[str]:
    """Load agents of a person's own, here and in every process of a match; returns their names."""
    names = set()
    for path in paths:
        names |= set(load_code(path))
        CODE.append(path)
    return names

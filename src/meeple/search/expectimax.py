"""Expectimax for every game that has a guide, over determinizations in which every seat maximises its own value.

In each determinization (a possible world, consistent with what the seat knows) the most promising actions by the guide are tried
one after another, a given number of decisions deep. The seat that decides takes the action with the best value for itself, and
the guide values the end of the line. Chance and hidden cards are fixed in a determinization, so the search plays what is best on
average over many of them. Jaipur has one of its own, which also enumerates the card turned up (games/jaipur/expectimax.py); this
is the same idea where a game brings nothing but a guide.
"""

from __future__ import annotations

import time
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.game import Variant
from meeple.core.guide import advise
from meeple.core.kernel import kernel
from meeple.core.order import best_first
from meeple.core.rng import derive
from meeple.core.state import State
from meeple.core.verbs import apply, legal, redeal
from meeple.search.driver import Budget
from meeple.search.mcts import result

DEEPEST = 8  # decisions after the first
WIDTH = 4  # actions tried at each of them
WORLDS = 32  # looked at before going deeper
KEPT = 8  # candidates that are searched deeper, halved with each further decision


class Stack(NamedTuple):
    """Working space: one row a depth."""

    root: NDArray[Any]  # (1,)
    states: NDArray[Any]  # (depths,)
    actions: NDArray[np.int32]  # (depths, room)
    counts: NDArray[np.int64]  # (depths,) actions to try
    tried: NDArray[np.int64]  # (depths,)
    best: NDArray[np.float64]  # (depths, seats) what the best so far leads to
    logits: NDArray[np.float64]  # (room,)
    values: NDArray[np.float64]  # (seats,) of the line just looked at
    tables: NDArray[np.int64]  # (1,) valued so far
    points: int  # 1: values are points, not shares of the win


def make_stack(variant: Variant) -> Stack:
    shape = variant.shape
    return Stack(
        root=variant.empty(),
        states=variant.empty(DEEPEST + 1),
        actions=np.zeros((DEEPEST + 1, shape.room), np.int32),
        counts=np.zeros(DEEPEST + 1, np.int64),
        tried=np.zeros(DEEPEST + 1, np.int64),
        best=np.zeros((DEEPEST + 1, shape.seats)),
        logits=np.zeros(shape.room),
        values=np.zeros(shape.seats),
        tables=np.zeros(1, np.int64),
        points=int(not shape.winnable),
    )


@kernel
def look(stack: Any, guide: Any, candidates: Any, totals: Any, deeper: int, world: int) -> None:
    """Add to every candidate what it leads to in one world, looking so many decisions further."""
    root = stack.root[0]
    for i in range(candidates.size):
        stack.states[0] = root
        redeal(stack.states[0], root.seat, derive(root.luck[0], world))
        apply(stack.states[0], candidates[i])
        _look_on(stack, guide, deeper)
        totals[i] += stack.values[root.seat]


@kernel
def _look_on(stack: Any, guide: Any, deeper: int) -> None:
    """What states[0] leads to, in stack.values. A loop over depths: kernels that call themselves do not cache."""
    d = 0
    back = _enter(stack, guide, 0, deeper)
    while True:
        if back:  # stack.values is what the line below depth d came to
            if d == 0:
                return
            d -= 1
            _take(stack, d)
            back = False
        if stack.tried[d] == stack.counts[d]:
            for seat in range(stack.values.size):
                stack.values[seat] = stack.best[d, seat]
            back = True
            continue
        stack.states[d + 1] = stack.states[d]
        apply(stack.states[d + 1], stack.actions[d, stack.tried[d]])
        stack.tried[d] += 1
        d += 1
        back = _enter(stack, guide, d, deeper - d)


@kernel
def _enter(stack: Any, guide: Any, d: int, deeper: int) -> bool:
    """Start on a table: True if it is valued at once, else its most promising actions are to be tried."""
    s = stack.states[d]
    stack.tables[0] += 1
    if s.end > 0:
        result(s, stack.points, stack.values)
        return True
    actions = stack.actions[d]
    n = legal(s, actions)
    advise(guide, s, actions, n, stack.logits, stack.values)
    if deeper <= 0:
        return True
    kept = min(n, WIDTH)
    best_first(actions, stack.logits, n, kept)
    stack.counts[d] = kept
    stack.tried[d] = 0
    for seat in range(stack.values.size):
        stack.best[d, seat] = -np.inf
    return False


@kernel
def _take(stack: Any, d: int) -> None:
    """The seat that decides at depth d keeps the line that is better for it."""
    seat = stack.states[d].seat
    if stack.values[seat] > stack.best[d, seat]:
        for each in range(stack.values.size):
            stack.best[d, each] = stack.values[each]


class Deepening:
    """One decision deeper again and again, for fewer and fewer candidates, until the budget (of tables valued, or ms) is spent."""

    def __init__(self, variant: Variant, guide: Any) -> None:
        self.stack = make_stack(variant)
        self.guide = guide
        self.loaded = False  # has it looked at any table? The first look compiles, or loads

    def choose(self, root: State, budget: Budget) -> int:
        self.stack.root[0] = root.array[0]
        candidates = np.array(root.legal(), np.int32)
        if budget.ms and not self.loaded:  # that is no thinking time
            look(self.stack, self.guide, candidates, np.zeros(len(candidates)), 0, 0)
            self.loaded = True
        started = time.perf_counter()
        self.stack.tables[0] = 0
        kept = KEPT
        for deeper in range(DEEPEST + 1):
            totals, worlds = np.zeros(len(candidates)), 0
            while worlds < WORLDS and (not self._spent(budget, started) or (deeper == 0 and worlds == 0)):
                look(self.stack, self.guide, candidates, totals, deeper, worlds)
                worlds += 1
            if deeper == 0 or worlds * 4 >= WORLDS:
                candidates = candidates[np.argsort(-totals, kind="stable")]
            if worlds < WORLDS or len(candidates) == 1:
                break
            candidates = candidates[:kept]
            kept = max(2, kept // 2)
        return int(candidates[0])

    def _spent(self, budget: Budget, started: float) -> bool:
        if budget.ms:
            return (time.perf_counter() - started) * 1000 >= budget.ms
        return bool(self.stack.tables[0] >= budget.iterations)

"""Flat Monte Carlo: no tree; every candidate is played out in the same worlds, and the worse half is dropped again and again.

Sequential halving (Karnin, Koren, Somekh 2013) spends as much on each round as on the others, so the last candidates are compared
in most worlds. All candidates of a world share its cards and its luck: what differs is what the candidates make of it.
"""

from __future__ import annotations

import math
import time
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.agent import ask, choose
from meeple.core.game import Variant
from meeple.core.guide import advise
from meeple.core.kernel import kernel
from meeple.core.rng import child, derive
from meeple.core.state import State
from meeple.core.verbs import apply, legal, redeal
from meeple.search.driver import Budget
from meeple.search.mcts import result

ROOT, WORLD, PLAYED, SHOWN = 0, 1, 2, 3
ADVICES = 8  # worlds in which a guide is asked for the candidates


class Desk(NamedTuple):
    """Working space."""

    states: NDArray[Any]  # (4,)
    out: NDArray[np.int32]  # (room,)
    logits: NDArray[np.float64]  # (room,)
    values: NDArray[np.float64]  # (seats,)
    stream: NDArray[np.uint64]  # (1,)
    candidates: NDArray[np.int32]  # (room,) actions, the ones still in the running first
    totals: NDArray[np.float64]  # (room,) of what came of each


class Way(NamedTuple):
    """How playouts go."""

    cut: int  # plies before the guide values the table; -1: to the end
    points: int  # 1: values are points, not shares of the win
    fair: int  # 1: the policy sees only what its seat may know, as the real agent would


@kernel
def sample(desk: Any, way: Any, guide: Any, policy: Any, kept: int, world: int) -> None:
    """Play out the first `kept` candidates in one world."""
    root = desk.states[ROOT]
    seed = derive(root.luck[0], world)
    desk.states[WORLD] = root
    redeal(desk.states[WORLD], root.seat, seed)
    for i in range(kept):
        desk.states[PLAYED] = desk.states[WORLD]
        desk.stream[0] = derive(seed, 1)
        apply(desk.states[PLAYED], desk.candidates[i])
        play_on(desk, way, guide, policy)
        desk.totals[i] += desk.values[root.seat]


@kernel
def play_on(desk: Any, way: Any, guide: Any, policy: Any) -> None:
    """Play states[PLAYED] on; what it comes to in desk.values."""
    s = desk.states[PLAYED]
    plies = 0
    while s.end == 0 and plies != way.cut:
        if way.fair:
            desk.states[SHOWN] = s
            redeal(desk.states[SHOWN], s.seat, derive(desk.stream[0], 7))
            apply(s, choose(policy, desk.states[SHOWN], desk.stream, desk.out))
        else:
            apply(s, choose(policy, s, desk.stream, desk.out))
        plies += 1
    if s.end > 0:
        result(s, way.points, desk.values)
    else:
        advise(guide, s, desk.out, legal(s, desk.out), desk.logits, desk.values)


@kernel
def rank_candidates(desk: Any, guide: Any, n: int) -> None:
    """Order the candidates by the guide's opinion over a few worlds; totals are zero again afterwards."""
    root = desk.states[ROOT]
    for world in range(ADVICES):
        desk.states[WORLD] = root
        redeal(desk.states[WORLD], root.seat, derive(root.luck[0], world))
        advise(guide, desk.states[WORLD], desk.candidates, n, desk.logits, desk.values)
        for i in range(n):
            desk.totals[i] += desk.logits[i]
    best_first(desk.candidates, desk.totals, n)
    for i in range(n):
        desk.totals[i] = 0.0


@kernel
def best_first(candidates: Any, totals: Any, n: int) -> None:
    """Sorted in place; there are few."""
    for i in range(1, n):
        j = i
        while j > 0 and totals[j] > totals[j - 1]:
            totals[j], totals[j - 1] = totals[j - 1], totals[j]
            candidates[j], candidates[j - 1] = candidates[j - 1], candidates[j]
            j -= 1


class Flat:
    """One seat's flat search. The policy is a kernel agent; or any other agent, which is then asked ply by ply."""

    def __init__(self, variant: Variant, way: Way, guide: Any, policy: Any, compiled: bool) -> None:
        shape = variant.shape
        self.variant = variant
        self.way = way
        self.guide = guide
        self.policy = policy
        self.compiled = compiled
        self.worlds = 0  # looked at for the last decision
        self.desk = Desk(
            states=variant.empty(4),
            out=np.zeros(shape.room, np.int32),
            logits=np.zeros(shape.room),
            values=np.zeros(shape.seats),
            stream=np.zeros(1, np.uint64),
            candidates=np.zeros(shape.room, np.int32),
            totals=np.zeros(shape.room),
        )

    def choose(self, root: State, candidates: int, budget: Budget) -> int:
        """The best action of the seat to move in a state redealt for it; at most so many candidates, 0: all."""
        desk = self.desk
        legal_actions = root.legal()
        n = len(legal_actions)
        desk.states[ROOT] = root.array[0]
        desk.candidates[:n] = legal_actions
        desk.totals[:] = 0.0
        self.worlds = 0
        if candidates and n > candidates:
            rank_candidates(desk, self.guide, n)
            n = candidates
        rounds = max(1, math.ceil(math.log2(n))) if n > 1 else 0
        started = time.perf_counter()
        for number in range(rounds):
            self._round(n, number + 1, rounds, budget, started)
            best_first(desk.candidates, desk.totals, n)
            n = max(1, (n + 1) // 2)
        return int(desk.candidates[0])

    def _round(self, kept: int, number: int, rounds: int, budget: Budget, started: float) -> None:
        """A share of the budget; one world at least."""
        if not budget.ms:
            for _ in range(max(1, budget.iterations // rounds // kept)):
                self._world(kept)
            return
        deadline = started + budget.ms / 1000 * number / rounds
        while True:
            self._world(kept)
            if time.perf_counter() >= deadline:
                return

    def _world(self, kept: int) -> None:
        if self.compiled:
            sample(self.desk, self.way, self.guide, self.policy, kept, ADVICES + self.worlds)
        else:
            self._ask_on(kept, ADVICES + self.worlds)
        self.worlds += 1

    def _ask_on(self, kept: int, world: int) -> None:
        """The same as `sample`, with a plain agent."""
        desk, root = self.desk, State(self.variant, self.desk.states[ROOT : ROOT + 1])
        seed = child(int(desk.states[ROOT]["luck"][0]), world)
        for i in range(kept):
            state = root.redealt(root.seat, seed)
            state.play(int(desk.candidates[i]))
            while not state.over and state.ply - root.ply - 1 != self.way.cut:
                state.play(ask(self.policy, state, child(seed, state.ply)))
            if state.over:
                value = state.scores() if self.way.points else state.outcome()
                desk.totals[i] += value[root.seat]
            else:
                n = legal(state.data, desk.out)
                advise(self.guide, state.data, desk.out, n, desk.logits, desk.values)
                desk.totals[i] += desk.values[root.seat]

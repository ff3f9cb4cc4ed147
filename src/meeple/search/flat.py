"""Flat Monte Carlo: no tree; every candidate is played out in the same determinizations, and the worse half is dropped repeatedly.

Sequential halving (Karnin, Koren, Somekh 2013) gives every round the same budget, so the last candidates are compared in the most
determinizations. All candidates share the cards and the luck of a determinization (common random numbers), so a difference between
them is due to the candidates.
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
from meeple.core.rng import PLAYOUT, REDEALT, child, derive
from meeple.core.state import State
from meeple.core.verbs import apply, legal, redeal
from meeple.search.driver import Budget
from meeple.search.mcts import result

ROOT, WORLD, PLAYED, SHOWN = 0, 1, 2, 3
ADVICES = 8  # worlds in which a guide is asked for the candidates


class Workspace(NamedTuple):
    """Working space."""

    states: NDArray[Any]  # (4,)
    out: NDArray[np.int32]  # (room,)
    logits: NDArray[np.float64]  # (room,)
    values: NDArray[np.float64]  # (seats,)
    stream: NDArray[np.uint64]  # (1,)
    candidates: NDArray[np.int32]  # (room,) actions, the ones still in the running first
    totals: NDArray[np.float64]  # (room,) of what came of each


class FlatSettings(NamedTuple):
    """How playouts go."""

    cut: int  # plies before the guide values the table; -1: to the end
    points: int  # 1: values are points, not shares of the win
    fair: int  # 1: the policy sees only what its seat may know, as the real agent would


@kernel
def sample(work: Any, settings: Any, guide: Any, policy: Any, kept: int, world: int) -> None:
    """Play out the first `kept` candidates in one world."""
    root = work.states[ROOT]
    seed = derive(root.luck[0], world)
    work.states[WORLD] = root
    redeal(work.states[WORLD], root.seat, seed)
    for i in range(kept):
        work.states[PLAYED] = work.states[WORLD]
        work.stream[0] = derive(seed, PLAYOUT)
        apply(work.states[PLAYED], work.candidates[i])
        play_on(work, settings, guide, policy)
        work.totals[i] += work.values[root.seat]


@kernel
def play_on(work: Any, settings: Any, guide: Any, policy: Any) -> None:
    """Play states[PLAYED] on; what it comes to in work.values."""
    s = work.states[PLAYED]
    plies = 0
    while s.end == 0 and plies != settings.cut:
        if settings.fair:
            work.states[SHOWN] = s
            redeal(work.states[SHOWN], s.seat, derive(work.stream[0], REDEALT))
            apply(s, choose(policy, work.states[SHOWN], work.stream, work.out))
        else:
            apply(s, choose(policy, s, work.stream, work.out))
        plies += 1
    if s.end > 0:
        result(s, settings.points, work.values)
    else:
        advise(guide, s, work.out, legal(s, work.out), work.logits, work.values)


@kernel
def rank_candidates(work: Any, guide: Any, n: int) -> None:
    """Order the candidates by the guide's logits, averaged over a few determinizations; totals are zero again afterwards."""
    root = work.states[ROOT]
    for world in range(ADVICES):
        work.states[WORLD] = root
        redeal(work.states[WORLD], root.seat, derive(root.luck[0], world))
        advise(guide, work.states[WORLD], work.candidates, n, work.logits, work.values)
        for i in range(n):
            work.totals[i] += work.logits[i]
    best_first(work.candidates, work.totals, n)
    for i in range(n):
        work.totals[i] = 0.0


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

    def __init__(
        self, variant: Variant, settings: FlatSettings, guide: Any, policy: Any, compiled: bool, clairvoyant: bool = False
    ) -> None:
        shape = variant.shape
        self.variant = variant
        self.settings = settings
        self.guide = guide
        self.policy = policy
        self.compiled = compiled
        self.clairvoyant = clairvoyant  # is the policy? Then it sees all of an imagined world, which nobody has dealt
        self.worlds = 0  # looked at for the last decision
        self.loaded = False  # has it looked at any? The first one compiles, or loads
        self.work = Workspace(
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
        work = self.work
        legal_actions = root.legal()
        n = len(legal_actions)
        work.states[ROOT] = root.array[0]
        work.candidates[:n] = legal_actions
        work.totals[:] = 0.0
        self.worlds = 0
        if candidates and n > candidates:
            rank_candidates(work, self.guide, n)
            n = candidates
        rounds = max(1, math.ceil(math.log2(n))) if n > 1 else 0
        if budget.ms and not self.loaded:  # that is no thinking time
            self._world(n)
            work.totals[:] = 0.0
            self.worlds, self.loaded = 0, True
        started = time.perf_counter()
        for number in range(rounds):
            self._round(n, number + 1, rounds, budget, started)
            best_first(work.candidates, work.totals, n)
            n = max(1, (n + 1) // 2)
        return int(work.candidates[0])

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
            sample(self.work, self.settings, self.guide, self.policy, kept, ADVICES + self.worlds)
        else:
            self._ask_on(kept, ADVICES + self.worlds)
        self.worlds += 1

    def _ask_on(self, kept: int, world: int) -> None:
        """The same as `sample`, with a plain agent."""
        work, root = self.work, State(self.variant, self.work.states[ROOT : ROOT + 1])
        seed = child(int(work.states[ROOT]["luck"][0]), world)
        for i in range(kept):
            state = root.redealt(root.seat, seed)
            state.play(int(work.candidates[i]))
            while not state.over and state.ply - root.ply - 1 != self.settings.cut:
                state.play(ask(self.policy, state, child(seed, state.ply), clairvoyant=self.clairvoyant))
            if state.over:
                value = state.scores() if self.settings.points else state.outcome()
                work.totals[i] += value[root.seat]
            else:
                n = legal(state.data, work.out)
                advise(self.guide, state.data, work.out, n, work.logits, work.values)
                work.totals[i] += work.values[root.seat]

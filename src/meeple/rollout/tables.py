"""Tables of agents, side by side: kernels that show each agent what its seat may know, ask it, and make its answers.

A table's luck and every agent's luck follow from the table's seed alone, so results do not depend on which process plays which
table when.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.agent import choose
from meeple.core.kernel import kernel
from meeple.core.rng import REDEALT, derive
from meeple.core.verbs import apply, deal, legal, outcome, redeal, scores


class Tables(NamedTuple):
    """Arrays of a piece of games; rows are tables."""

    states: NDArray[Any]
    players: NDArray[np.int32]  # (n, seats) which agent sits where
    streams: NDArray[np.uint64]  # (n, seats, 1) each agent's luck
    history: NDArray[np.int32]  # (n, room)
    movers: NDArray[np.int8]  # (n, room) the seat that acted
    own_turns: NDArray[np.int32]  # (n, seats)


class Shown(NamedTuple):
    """What one kernel agent is asked in one call: the tables where it is to move, each as a redealt copy."""

    copies: NDArray[Any]  # (n,)
    streams: NDArray[np.uint64]  # (n, 1)
    tables: NDArray[np.int64]  # (n,) which table each copy is of
    actions: NDArray[np.int32]  # (n,) what the agent answers


@kernel
def deal_tables(states: Any, seeds: Any, config: Any) -> None:
    for i in range(states.size):
        deal(states[i], config, seeds[i])


# Asking is cut into three calls, so that only the middle one is compiled for each agent.


@kernel
def show(tables: Any, player: int, shown: Any) -> int:
    """Copy and redeal every table where the player is to move; returns how many there are."""
    n = 0
    for i in range(tables.states.size):
        s = tables.states[i]
        if s.end == 0 and tables.players[i, s.seat] == player:
            stream = tables.streams[i, s.seat]
            shown.copies[n] = s
            redeal(shown.copies[n], s.seat, derive(stream[0], REDEALT))
            shown.streams[n, 0] = stream[0]
            shown.tables[n] = i
            n += 1
    return n


@kernel
def ask(me: Any, shown: Any, n: int, out: Any) -> None:
    """The agent's answers."""
    for k in range(n):
        shown.actions[k] = choose(me, shown.copies[k], shown.streams[k], out)


@kernel
def make(tables: Any, shown: Any, n: int, out: Any) -> int:
    """Apply the answers to the true tables and record them. Returns -1, or the first k with an illegal answer."""
    for k in range(n):
        i = shown.tables[k]
        s = tables.states[i]
        seat = s.seat
        turn = s.turn
        tables.streams[i, seat, 0] = shown.streams[k, 0]
        if not _listed(s, shown.actions[k], out):
            return k
        tables.history[i, s.ply] = shown.actions[k]
        tables.movers[i, s.ply] = seat
        apply(s, shown.actions[k])
        tables.own_turns[i, seat] += s.turn - turn
    return -1


@kernel
def _listed(s: Any, action: int, out: Any) -> bool:
    for j in range(legal(s, out)):
        if out[j] == action:
            return True
    return False


@kernel
def tally(states: Any, all_scores: Any, outcomes: Any) -> None:
    for i in range(states.size):
        scores(states[i], all_scores[i])
        outcome(states[i], outcomes[i])

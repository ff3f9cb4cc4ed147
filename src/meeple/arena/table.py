"""Playing games between agents: many tables side by side, kernel agents compiled, plain ones asked one by one.

A table's luck and every agent's luck follow from the table's seed alone, so it does not matter who plays which table when.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.agents.registry import Player
from meeple.core.agent import Agent, choose, is_kernel_agent
from meeple.core.agent import show as show_seat
from meeple.core.errors import MeepleError, MoveError
from meeple.core.game import Variant
from meeple.core.kernel import kernel, uncached
from meeple.core.rng import child, derive
from meeple.core.state import State
from meeple.core.verbs import apply, deal, legal, outcome, redeal, scores

ROOM = 256  # plies a history has room for at first; doubled when a game is longer


class Finished(NamedTuple):
    """What came of the games of a chunk, in their order."""

    scores: NDArray[np.float64]  # (n, seats) by seat
    outcomes: NDArray[np.float64]  # (n, seats)
    ends: NDArray[np.int8]
    turns: NDArray[np.int32]
    own_turns: NDArray[np.int32]  # (n, seats) turns each seat had
    actions: list[NDArray[np.int32]]


class Tables(NamedTuple):
    """Arrays of a chunk of games; rows are tables."""

    states: NDArray[Any]
    players: NDArray[np.int8]  # (n, seats) which agent sits where
    streams: NDArray[np.uint64]  # (n, seats, 1) each agent's luck
    history: NDArray[np.int32]  # (n, room)
    movers: NDArray[np.int8]  # (n, room) whose action it was
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


# Asking is cut into three calls, so that only the middle one is compiled anew for each agent.


@kernel
def show(tables: Any, player: int, shown: Any) -> int:
    """Copy and redeal every table where the player is to move; returns how many there are."""
    n = 0
    for i in range(tables.states.size):
        s = tables.states[i]
        if s.end == 0 and tables.players[i, s.seat] == player:
            stream = tables.streams[i, s.seat]
            shown.copies[n] = s
            redeal(shown.copies[n], s.seat, derive(stream[0], 7))
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
    """Make the answers at the true tables and write them down. Returns -1, or the first k whose answer is not legal."""
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


@cache
def _ask_strangers() -> Callable[..., None]:
    return uncached(ask)


def asker(mind: Any) -> Callable[..., None]:
    """`ask` for a kernel agent; those from outside the package are kept out of the cache on disk."""
    return ask if type(mind).__module__.startswith("meeple.") else _ask_strangers()


class Chunk:
    """Some tables, played to the end."""

    def __init__(self, variant: Variant, players: list[Player], seeds: list[int], seating: NDArray[np.int8]) -> None:
        self.variant = variant
        self.players = players
        self.seeds = seeds
        n, seats = seating.shape
        streams = np.array([[[child(seed, 100 + seating[i, seat])] for seat in range(seats)] for i, seed in enumerate(seeds)])
        self.tables = Tables(
            states=variant.empty(n),
            players=seating,
            streams=streams.astype(np.uint64),
            history=np.zeros((n, ROOM), np.int32),
            movers=np.zeros((n, ROOM), np.int8),
            own_turns=np.zeros((n, seats), np.int32),
        )
        self.shown = Shown(variant.empty(n), np.zeros((n, 1), np.uint64), np.zeros(n, np.int64), np.zeros(n, np.int32))
        self.out = np.zeros(variant.shape.room, np.int32)
        deal_tables(self.tables.states, np.array(seeds, np.uint64), variant.config)

    def play(self) -> Finished:
        minds = [self._minds(player) for player in self.players]
        while (self.tables.states["end"] == 0).any():
            for number, mind in enumerate(minds):
                if isinstance(mind, list):
                    self._ask(number, mind)
                else:
                    self._run(number, mind)
        return self._finished()

    def _minds(self, player: Player) -> Any:
        """One kernel agent serves all tables; a plain agent may remember, so every table gets its own."""
        mind = player.make(self.variant)
        if is_kernel_agent(mind):
            return mind
        if not isinstance(mind, Agent):
            raise MeepleError(f"The agent {player.spec} has no choose(seen) and is no kernel agent, so it cannot play.")
        return [mind, *(player.make(self.variant) for _ in self.seeds[1:])]

    def _run(self, number: int, mind: Any) -> None:
        """Ask a kernel agent wherever it is to move, and again while its turns have further decisions."""
        while n := show(self.tables, number, self.shown):
            if self.tables.states["ply"].max() >= self.tables.history.shape[1]:
                self._more_room()
            asker(mind)(mind, self.shown, n, self.out)
            if (wrong := make(self.tables, self.shown, n, self.out)) >= 0:
                self._refuse(number, int(self.shown.tables[wrong]), int(self.shown.actions[wrong]))

    def _ask(self, number: int, minds: list[Any]) -> None:
        for i, mind in enumerate(minds):
            state = State(self.variant, self.tables.states[i : i + 1])
            while not state.over and self.tables.players[i, state.seat] == number:
                if state.ply >= self.tables.history.shape[1]:
                    self._more_room()
                stream = self.tables.streams[i, state.seat]
                stream[0] = child(int(stream[0]), 0)
                move = mind.choose(show_seat(mind, state, int(stream[0]), self._played(i)))
                self._play(number, i, state, move)

    def _play(self, number: int, table: int, state: State, move: int | str) -> None:
        seat, turn, ply = state.seat, state.turn, state.ply
        try:
            action = state.play(move)
        except MoveError as error:
            raise MeepleError(f"The agent {self.players[number].spec} made no legal move: {error}") from error
        self.tables.history[table, ply] = action
        self.tables.movers[table, ply] = seat
        self.tables.own_turns[table, seat] += state.turn - turn

    def _refuse(self, number: int, table: int, action: int) -> None:
        state = State(self.variant, self.tables.states[table : table + 1])
        known = 0 <= action < self.variant.shape.actions
        move = f"'{self.variant.format_action(action)}'" if known else f"action {action}"
        raise MeepleError(f"The agent {self.players[number].spec} chose {move}, which is not legal in {state!r}.")

    def _more_room(self) -> None:
        history, movers = self.tables.history, self.tables.movers
        self.tables = self.tables._replace(
            history=np.concatenate([history, np.zeros_like(history)], axis=1),
            movers=np.concatenate([movers, np.zeros_like(movers)], axis=1),
        )

    def _played(self, table: int) -> list[tuple[int, int]]:
        """(seat, action) of every ply so far."""
        plies = int(self.tables.states[table]["ply"])
        return list(zip(self.tables.movers[table, :plies].tolist(), self.tables.history[table, :plies].tolist(), strict=True))

    def _finished(self) -> Finished:
        states, (n, seats) = self.tables.states, self.tables.players.shape
        all_scores, outcomes = np.zeros((n, seats)), np.zeros((n, seats))
        tally(states, all_scores, outcomes)
        actions = [self.tables.history[i, : states[i]["ply"]].copy() for i in range(n)]
        return Finished(all_scores, outcomes, states["end"].copy(), states["turn"].copy(), self.tables.own_turns, actions)

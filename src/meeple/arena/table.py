"""Playing games between agents: many tables side by side, kernel agents compiled, plain ones asked one by one.

A table's luck and every agent's luck follow from the table's seed alone, so it does not matter who plays which table when.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.agents.registry import Player
from meeple.core.agent import Agent, Seen, choose, is_kernel_agent
from meeple.core.errors import MeepleError, MoveError
from meeple.core.game import Variant
from meeple.core.kernel import kernel
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
    own_turns: NDArray[np.int32]  # (n, seats)
    copy: NDArray[Any]  # (1,) the redealt state an agent is shown
    out: NDArray[np.int32]
    check: NDArray[np.int32]


@kernel
def deal_tables(states: Any, seeds: Any, config: Any) -> None:
    for i in range(states.size):
        deal(states[i], config, seeds[i])


@kernel
def act(me: Any, tables: Any, player: int) -> int:
    """Let a kernel agent make its moves at every table where it is to move. Returns -1, or a table where it went wrong:
    the action it chose there is in out[0], or the history is full."""
    for i in range(tables.states.size):
        s = tables.states[i]
        while s.end == 0 and tables.players[i, s.seat] == player:
            if s.ply >= tables.history.shape[1]:
                return i
            stream = tables.streams[i, s.seat]
            tables.copy[0] = s
            redeal(tables.copy[0], s.seat, derive(stream[0], 7))
            action = choose(me, tables.copy[0], stream, tables.out)
            if not _listed(s, action, tables.check):
                tables.out[0] = action
                return i
            _make(tables, i, action)
    return -1


@kernel
def _listed(s: Any, action: int, check: Any) -> bool:
    for j in range(legal(s, check)):
        if check[j] == action:
            return True
    return False


@kernel
def _make(tables: Any, i: int, action: int) -> None:
    """Apply and write down."""
    s = tables.states[i]
    seat = s.seat
    turn = s.turn
    tables.history[i, s.ply] = action
    apply(s, action)
    tables.own_turns[i, seat] += s.turn - turn


@kernel
def tally(states: Any, all_scores: Any, outcomes: Any) -> None:
    for i in range(states.size):
        scores(states[i], all_scores[i])
        outcome(states[i], outcomes[i])


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
            own_turns=np.zeros((n, seats), np.int32),
            copy=variant.empty(1),
            out=np.zeros(variant.shape.room, np.int32),
            check=np.zeros(variant.shape.room, np.int32),
        )
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
        while (table := act(mind, self.tables, number)) >= 0:
            s = self.tables.states[table]
            if s["ply"] < self.tables.history.shape[1]:
                self._refuse(number, table, int(self.tables.out[0]))
            self._more_room()

    def _ask(self, number: int, minds: list[Any]) -> None:
        for i, mind in enumerate(minds):
            state = State(self.variant, self.tables.states[i : i + 1])
            while not state.over and self.tables.players[i, state.seat] == number:
                if state.ply >= self.tables.history.shape[1]:
                    self._more_room()
                stream = self.tables.streams[i, state.seat]
                stream[0] = child(int(stream[0]), 0)
                move = mind.choose(Seen(state, int(stream[0])))
                self._play(number, i, state, move)

    def _play(self, number: int, table: int, state: State, move: int | str) -> None:
        seat, turn, ply = state.seat, state.turn, state.ply
        try:
            action = state.play(move)
        except MoveError as error:
            raise MeepleError(f"The agent {self.players[number].spec} made no legal move: {error}") from error
        self.tables.history[table, ply] = action
        self.tables.own_turns[table, seat] += state.turn - turn

    def _refuse(self, number: int, table: int, action: int) -> None:
        state = State(self.variant, self.tables.states[table : table + 1])
        known = 0 <= action < self.variant.shape.actions
        move = f"'{self.variant.format_action(action)}'" if known else f"action {action}"
        raise MeepleError(f"The agent {self.players[number].spec} chose {move}, which is not legal in {state!r}.")

    def _more_room(self) -> None:
        history = self.tables.history
        self.tables = self.tables._replace(history=np.concatenate([history, np.zeros_like(history)], axis=1))

    def _finished(self) -> Finished:
        states, (n, seats) = self.tables.states, self.tables.players.shape
        all_scores, outcomes = np.zeros((n, seats)), np.zeros((n, seats))
        tally(states, all_scores, outcomes)
        actions = [self.tables.history[i, : states[i]["ply"]].copy() for i in range(n)]
        return Finished(all_scores, outcomes, states["end"].copy(), states["turn"].copy(), self.tables.own_turns, actions)

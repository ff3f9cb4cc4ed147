"""Playing games between agents: many tables side by side, kernel agents compiled, plain ones asked one by one.

A table's luck and every agent's luck follow from the table's seed alone, so it does not matter who plays which table when.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.agents.registry import AgentSpec
from meeple.core.agent import Agent, is_kernel_agent
from meeple.core.agent import show as show_seat
from meeple.core.errors import MeepleError, MoveError
from meeple.core.game import Variant
from meeple.core.rng import child, sealed
from meeple.core.state import State
from meeple.rollout.tables import Shown, Tables, ask, deal_tables, make, show, tally

ROOM = 256  # plies a history has room for at first; doubled when a game is longer


class Finished(NamedTuple):
    """What came of the games of a chunk, in their order."""

    scores: NDArray[np.float64]  # (n, seats) by seat
    outcomes: NDArray[np.float64]  # (n, seats)
    ends: NDArray[np.int8]
    turns: NDArray[np.int32]
    own_turns: NDArray[np.int32]  # (n, seats) turns each seat had
    actions: list[NDArray[np.int32]]


def play_tables(variant: Variant, players: list[AgentSpec], seeds: list[int], seating: NDArray[np.int8]) -> Finished:
    """Side by side; one after another where an agent is one object, so that it plays one game at a time. The games are the same."""
    if not any(player.one for player in players):
        return Chunk(variant, players, seeds, seating).play()
    parts = [Chunk(variant, players, [seed], seating[i : i + 1]).play() for i, seed in enumerate(seeds)]
    names = ("scores", "outcomes", "ends", "turns", "own_turns")
    joined = {name: np.concatenate([getattr(part, name) for part in parts]) for name in names}
    return Finished(**joined, actions=[action for part in parts for action in part.actions])


class Chunk:
    """Some tables, played to the end."""

    def __init__(self, variant: Variant, players: list[AgentSpec], seeds: list[int], seating: NDArray[np.int8]) -> None:
        self.variant = variant
        self.players = players
        self.clairvoyant = [player.clairvoyant for player in players]
        self.seeds = seeds
        n, seats = seating.shape
        streams = np.array([[[sealed(seed, 100 + seating[i, seat])] for seat in range(seats)] for i, seed in enumerate(seeds)])
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
        agents = [self._agents(player) for player in self.players]
        while (self.tables.states["end"] == 0).any():
            for number, agent in enumerate(agents):
                if isinstance(agent, list):
                    self._ask(number, agent)
                else:
                    self._run(number, agent)
        return self._finished()

    def _agents(self, player: AgentSpec) -> Any:
        """One kernel agent serves all tables; a plain agent may remember, so every table gets its own."""
        agent = player.make(self.variant)
        if is_kernel_agent(agent):
            return agent
        if not isinstance(agent, Agent):
            raise MeepleError(f"The agent {player.spec} has no choose(seen) and is no kernel agent, so it cannot play.")
        return [agent, *(player.make(self.variant) for _ in self.seeds[1:])]

    def _run(self, number: int, agent: Any) -> None:
        """Ask a kernel agent wherever it is to move, and again while its turns have further decisions."""
        while n := show(self.tables, number, self.shown):
            if self.tables.states["ply"].max() >= self.tables.history.shape[1]:
                self._more_room()
            ask(agent, self.shown, n, self.out)
            if (wrong := make(self.tables, self.shown, n, self.out)) >= 0:
                self._refuse(number, int(self.shown.tables[wrong]), int(self.shown.actions[wrong]))

    def _ask(self, number: int, agents: list[Any]) -> None:
        for i, agent in enumerate(agents):
            state = State(self.variant, self.tables.states[i : i + 1])
            while not state.over and self.tables.players[i, state.seat] == number:
                if state.ply >= self.tables.history.shape[1]:
                    self._more_room()
                stream = self.tables.streams[i, state.seat]
                stream[0] = child(int(stream[0]), 0)
                move = agent.choose(show_seat(state, int(stream[0]), self._played(i), self.clairvoyant[number]))
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

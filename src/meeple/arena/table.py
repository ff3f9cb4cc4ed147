"""Playing games between agents: many tables side by side, kernel agents compiled, plain ones asked one by one.

A table's luck and every agent's luck follow from the table's seed alone, so it does not matter who plays which table when.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.agents.registry import AgentSpec
from meeple.core.agent import PlainAgent, begin, begins_anew, is_kernel_agent
from meeple.core.agent import show as show_seat
from meeple.core.errors import MeepleError
from meeple.core.faults import AgentFault, asked, blamed
from meeple.core.game import Variant
from meeple.core.rng import AGENT, child, sealed
from meeple.core.state import State
from meeple.rollout.tables import Shown, Tables, ask, deal_tables, make, show, tally

ROOM = 256  # plies a history has room for at first; doubled when a game is longer


class Finished(NamedTuple):
    """What came of the games of a piece, in their order."""

    scores: NDArray[np.float64]  # (n, seats) by seat
    outcomes: NDArray[np.float64]  # (n, seats)
    ends: NDArray[np.int8]
    turns: NDArray[np.int32]
    own_turns: NDArray[np.int32]  # (n, seats) turns each seat had
    actions: list[NDArray[np.int32]]


def deal_games(seed: int, numbers: range, agents: int, seats: int) -> tuple[list[int], NDArray[np.int32]]:
    """Seeds and seatings of games of a match. All seatings of a deal have numbers one after another."""
    seating = seatings(agents, seats)
    return [child(seed, number // agents) for number in numbers], seating[np.array(numbers) % agents]


def seatings(agents: int, seats: int) -> NDArray[np.int32]:
    """(games a deal, seats): every agent once in every seat; in a solitaire every agent plays the deal."""
    return np.array([[(seat + turn) % agents for seat in range(seats)] for turn in range(agents)], np.int32)


class Lineup:
    """The agents of a match, made once. One without `begin` may remember its last game, so it is made anew for every game.

    A kernel agent that is named again (the very same player) remembers nothing: one call asks it for all its seats, each with its
    own luck. `asked_as` has the number that each is asked by.
    """

    def __init__(self, variant: Variant, players: Sequence[AgentSpec]) -> None:
        self.variant = variant
        self.players = players
        self.made: list[Any] = []
        self.asked_as: list[int] = []
        for number, player in enumerate(players):
            first = next(i for i, other in enumerate(players) if other is player)
            again = first < number and is_kernel_agent(self.made[first])
            self.made.append(self.made[first] if again else player.make(variant))
            self.asked_as.append(first if again else number)
        for player, agent in zip(players, self.made, strict=True):
            if not is_kernel_agent(agent) and not isinstance(agent, PlainAgent):
                raise MeepleError(f"The agent {player.spec} has no choose(seen) and is no kernel agent, so it cannot play.")
        self.compiled = all(is_kernel_agent(agent) for agent in self.made)
        self.fresh = [True] * len(players)

    def sit_down(self, seating: list[int]) -> list[Any]:
        """Those who play at a table, told that its game begins."""
        for seat, number in enumerate(seating):
            agent = self.made[number]
            if number in seating[:seat] and not is_kernel_agent(agent):
                raise MeepleError(
                    f"{self.players[number].spec} sits in two seats as one mind, which would know both hands; name it once a seat."
                )
            if not begins_anew(agent) and not self.fresh[number]:
                agent = self.made[number] = self.players[number].make(self.variant)
            self.fresh[number] = False
            begin(agent, self.variant, seat, self.players[number].spec)
        return self.made


class Piece:
    """The tables of a piece of a match, played to the end."""

    def __init__(
        self,
        variant: Variant,
        players: Sequence[AgentSpec],
        seeds: list[int],
        seating: NDArray[np.integer[Any]],
        agents: Lineup | None = None,
    ) -> None:
        self.variant = variant
        self.players = players
        self.agents = agents or Lineup(variant, players)
        self.clairvoyant = [player.clairvoyant for player in players]
        self.seeds = seeds
        n, seats = seating.shape
        # The type is said at once: of words above and below 2^63 NumPy would make floats, and round them.
        lucks = [[[sealed(seed, AGENT + who)] for who in row] for seed, row in zip(seeds, seating.tolist(), strict=True)]
        self.tables = Tables(
            states=variant.empty(n),
            players=np.array(self.agents.asked_as, np.int32)[seating],
            streams=np.array(lucks, np.uint64),
            history=np.zeros((n, ROOM), np.int32),
            movers=np.zeros((n, ROOM), np.int8),
            own_turns=np.zeros((n, seats), np.int32),
        )
        self.shown = Shown(variant.empty(n), np.zeros((n, 1), np.uint64), np.zeros(n, np.int64), np.zeros(n, np.int32))
        self.out = np.zeros(variant.shape.room, np.int32)
        deal_tables(self.tables.states, np.array(seeds, np.uint64), variant.config)

    def play(self) -> Finished:
        """Kernel agents play all tables side by side. A plain one may have but one game in mind: with it, table after table."""
        if self.agents.compiled:
            while (self.tables.states["end"] == 0).any():
                for number in sorted(set(self.agents.asked_as)):
                    self._run(number, self.agents.made[number], slice(None))
        else:
            for table in range(len(self.seeds)):
                self._play_table(table)
        self.finished = self._finished()
        return self.finished

    def _play_table(self, table: int) -> None:
        seating = self.tables.players[table].tolist()
        agents = self.agents.sit_down(seating)
        state = State(self.variant, self.tables.states[table : table + 1])
        while not state.over:
            number = seating[state.seat]
            if is_kernel_agent(agents[number]):
                self._run(number, agents[number], slice(table, table + 1))
            else:
                self._ask(number, agents[number], table, state)

    def _run(self, number: int, agent: Any, which: slice) -> None:
        """Ask a kernel agent wherever it is to move, and again while its turns have further decisions."""
        while n := show(tables := self._some(which), number, self.shown):
            if tables.states["ply"].max() >= tables.history.shape[1]:
                self._more_room()
                tables = self._some(which)
            with blamed(self.players[number].spec):
                ask(agent, self.shown, n, self.out)
            if (wrong := make(tables, self.shown, n, self.out)) >= 0:
                self._refuse(number, (which.start or 0) + int(self.shown.tables[wrong]), int(self.shown.actions[wrong]))

    def _some(self, which: slice) -> Tables:
        return self.tables if which == slice(None) else Tables._make(part[which] for part in self.tables)

    def _ask(self, number: int, agent: Any, table: int, state: State) -> None:
        if state.ply >= self.tables.history.shape[1]:
            self._more_room()
        stream = self.tables.streams[table, state.seat]
        stream[0] = child(int(stream[0]), 0)
        seen = show_seat(state, int(stream[0]), self._played(table), self.clairvoyant[number])
        self._play(table, state, asked(agent, seen, self.players[number].spec))

    def _play(self, table: int, state: State, action: int) -> None:
        seat, turn, ply = state.seat, state.turn, state.ply
        state.play(action)
        self.tables.history[table, ply] = action
        self.tables.movers[table, ply] = seat
        self.tables.own_turns[table, seat] += state.turn - turn

    def _refuse(self, number: int, table: int, action: int) -> None:
        state = State(self.variant, self.tables.states[table : table + 1])
        known = 0 <= action < self.variant.shape.actions
        move = f"'{self.variant.format_action(action)}'" if known else f"action {action}"
        raise AgentFault(f"The agent {self.players[number].spec} chose {move}, which is not legal in {state!r}.")

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

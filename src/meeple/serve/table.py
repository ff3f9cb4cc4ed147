"""One game in progress: who sits where, what happened, and where that has led. It changes by events alone, each of which is stored
before it is applied, so a table can be set up again from what is stored."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.core.game import Variant
from meeple.core.registry import find_variant
from meeple.core.state import State, new
from meeple.serve.errors import STALE, WRONG, Refused
from meeple.serve.levels import Level, find_level
from meeple.serve.store import Event, GameRow

KEPT = 3  # analyses that a seat's coach remembers
PERSON, AGENT, OPEN = "person", "agent", "open"  # an open seat waits for somebody with its invitation


@dataclass
class Coach:
    """What a person wants to be told while playing."""

    bar: bool = False
    cost: bool = False


@dataclass
class Table:
    """The truth about a game. Only `tell.py` turns it into something that leaves the server."""

    row: GameRow
    variant: Variant
    state: State
    plies: list[tuple[int, int]] = field(default_factory=list)  # (seat, action) of each
    version: int = 0  # events so far
    asked: tuple[int, int] | None = None  # (seat, ply): a takeback that others have to agree to
    agreed: set[int] = field(default_factory=set)  # who has agreed to it
    takebacks: list[tuple[int, int, int]] = field(default_factory=list)  # (seat, from ply, to ply)
    hints: dict[int, int] = field(default_factory=dict)  # seat -> how often it asked
    resigned: int | None = None
    trouble: str = ""  # why an agent does not answer
    coach: dict[int, Coach] = field(default_factory=dict)
    known: dict[int, dict[int, Any]] = field(default_factory=dict)  # seat -> ply -> what the coach found for that seat
    cost: dict[int, dict[str, Any]] = field(default_factory=dict)  # seat -> what its last move cost
    kept: NDArray[Any] | None = None  # of a game that is over: its positions, once somebody has asked for one
    kept_decisions: list[int] | None = None  # and its decisions

    @property
    def id(self) -> str:
        return self.row.id

    @property
    def seats(self) -> list[dict[str, Any]]:
        return self.row.seats

    @property
    def running(self) -> bool:
        return not self.state.over and self.resigned is None and self.row.kind != "record"

    @property
    def complete(self) -> bool:
        """Is nobody missing?"""
        return all(seat["kind"] != OPEN for seat in self.seats)

    @property
    def people(self) -> list[int]:
        return [number for number, seat in enumerate(self.seats) if seat["kind"] != AGENT]

    def level(self, seat: int) -> Level | None:
        """The agent that sits there."""
        about = self.seats[seat]
        return find_level(about["level"], self.variant) if about["kind"] == AGENT else None

    def note(self, seat: int, ply: int, found: dict[str, Any]) -> None:
        """What the coach found for a seat's decision; only the last few are kept."""
        known = self.known.setdefault(seat, {})
        known[ply] = found
        for old in sorted(known)[:-KEPT]:
            del known[old]

    # ---- What may happen ----

    def check_version(self, version: int) -> None:
        if version != self.version:
            raise Refused(
                STALE, f"The table has changed: its version is {self.version}, not {version}; look again and choose anew."
            )

    def check_move(self, seat: int, action: int) -> None:
        """May the seat make this move now?"""
        if not self.running:
            raise Refused(STALE, "The game is over, so nobody can move.")
        if not self.complete:
            raise Refused(STALE, "A seat is still empty; the game goes on when somebody has taken it.")
        if self.state.seat != seat:
            raise Refused(STALE, f"It is seat {self.state.seat}'s turn, not seat {seat}'s.")
        if action not in self.state.legal():
            raise Refused(WRONG, "That move is not legal here; the list of moves says what is.")

    def last_decision(self, seat: int) -> int:
        """The ply at which the seat last moved, to which a takeback would lead."""
        found = [ply for ply, (mover, _) in enumerate(self.plies) if mover == seat]
        if not found:
            raise Refused(STALE, "There is nothing to take back: you have not moved yet.")
        return found[-1]

    # ---- What happens ----

    def apply(self, event: Event) -> None:
        """The one place where a table changes. The event has been checked."""
        self.version += 1
        self.kept = self.kept_decisions = None
        if event.kind == "move":
            self.plies.append((event.seat, event.value))
            self.state.play(event.value)
            self.asked = None
        elif event.kind == "ask":
            self.asked, self.agreed = (event.seat, event.value), set()
        elif event.kind == "agree":
            self.agreed.add(event.seat)
        elif event.kind == "decline":
            self.asked = None
        elif event.kind == "back":
            self._go_back(event)
        elif event.kind == "resign":
            self.resigned = event.seat
            self.asked = None  # what was asked before it must not change a game that is over
        elif event.kind == "hint":
            self.hints[event.seat] = self.hints.get(event.seat, 0) + 1

    def _go_back(self, event: Event) -> None:
        self.takebacks.append((event.seat, len(self.plies), event.value))
        self.asked = None
        del self.plies[event.value :]
        self.state = self.at(event.value)
        for found in self.known.values():
            for ply in [ply for ply in found if ply >= event.value]:
                del found[ply]
        self.cost.clear()

    def start(self) -> State:
        """The position before the first move."""
        if self.row.start is None:
            return new(self.variant, self.row.seed)
        return State(self.variant, np.frombuffer(self.row.start, self.variant.game.dtype).copy())

    def at(self, ply: int) -> State:
        """The true position after so many moves."""
        if not self.running:
            return State(self.variant, self._positions()[ply : ply + 1].copy())
        state = self.start()
        for _, action in self.plies[:ply]:
            state.play(action)
        return state

    def states(self) -> list[State]:
        """The true positions before the first move and after each."""
        positions = self._positions()
        return [State(self.variant, positions[ply : ply + 1].copy()) for ply in range(len(positions))]

    def _positions(self) -> NDArray[Any]:
        """The same as records. Those of a game that is over are kept: its replay and its review ask for them again and again."""
        if self.kept is not None:
            return self.kept
        state, found = self.start(), self.variant.empty(len(self.plies) + 1)
        found[0] = state.array[0]
        for ply, (_, action) in enumerate(self.plies, 1):
            state.play(action)
            found[ply] = state.array[0]
        if not self.running:
            self.kept = found
        return found

    def decisions(self) -> list[int]:
        """Plies at which there was a choice."""
        if self.kept_decisions is not None:
            return self.kept_decisions
        found = [ply for ply, state in enumerate(self.states()[:-1]) if len(state.legal()) > 1]
        if not self.running:
            self.kept_decisions = found
        return found


def set_up(row: GameRow, events: Iterable[Event] = ()) -> Table:
    """A table as it was left."""
    variant = find_variant(row.variant)
    if row.rules != variant.game.version:
        raise Refused(
            STALE,
            f"This game was played under version {row.rules} of {variant.game.name}'s rules; these are {variant.game.version}.",
        )
    table = Table(row, variant, State(variant, variant.empty()))
    table.state = table.start()
    for event in events:
        table.apply(event)
    return table

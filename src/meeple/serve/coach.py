"""The coach: hints with reasons, what a move cost, and the evaluation bar, all from what the person's own seat may know."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from meeple.core.errors import MeepleError
from meeple.core.game import Variant
from meeple.core.state import State
from meeple.serve.errors import NOT_YOURS, STALE, Refused
from meeple.serve.hall import Hall, position_of, veiled
from meeple.serve.levels import ANALYST, Level
from meeple.serve.minds import NO_ACTION, Question
from meeple.serve.pool import BAR, HINT, Superseded
from meeple.serve.store import Event
from meeple.serve.table import Coach, Table

HINT_MS, BAR_MS = 600.0, 150.0
BEST = 3  # moves that a hint tells of
PLIES = 4  # of what is expected to follow
ANALYST_LEVEL = Level(ANALYST, ANALYST, "", HINT_MS)


@dataclass(frozen=True)
class Matter:
    """What is to be analysed, for the seat to move: a redealt copy, taken at once, since the table goes on while things compile."""

    variant: Variant
    array: NDArray[Any]
    action: int = NO_ACTION  # that was played, and is valued in any case
    wanted: Callable[[], bool] = lambda: True  # still, once all is compiled?


def matter_of(state: State, seat: int, action: int = NO_ACTION, wanted: Callable[[], bool] = lambda: True) -> Matter:
    return Matter(state.variant, veiled(state, seat).array, action, wanted)


async def analysed(hall: Hall, matter: Matter, ms: float, priority: int, key: tuple[str, str]) -> dict[str, Any]:
    """What a search thinks of the moves of a position. Raises Superseded where nobody wants to know any more."""
    await hall.ready.agent(matter.variant, ANALYST_LEVEL)
    if not matter.wanted():
        raise Superseded
    luck = secrets.randbits(63)
    question = Question("analyse", matter.variant.spec, ANALYST, matter.array, luck, (), ms, matter.action)
    found: dict[str, Any] = await hall.pool.ask(question, priority, key)
    return found


def still(table: Table) -> Callable[[], bool]:
    """Is the table where it is now, and the game going on?"""
    position = position_of(table)
    return lambda: table.running and position_of(table) == position


class Coaching:
    """Listens to what happens at tables and tells those who asked for it."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        hall.after.append(self.happened)

    def want(self, table: Table, seat: int, bar: bool, cost: bool) -> None:
        self.check(table)
        table.coach[seat] = Coach(bar, cost)
        self.look(table, seat)
        self.hall.tell_all(table, seat)

    def check(self, table: Table) -> None:
        if not table.row.coach:
            raise Refused(NOT_YOURS, "This game was begun without a coach; people who play each other agree on that first.")

    async def hint(self, table: Table, seat: int, version: int) -> dict[str, Any]:
        """The best moves with their values, how sure these are, and what is expected to follow."""
        self.check(table)
        table.check_version(version)
        if not table.running or table.state.seat != seat:
            raise Refused(STALE, "It is not your turn, so there is nothing to advise.")
        here = still(table)
        matter = matter_of(table.state, seat, wanted=here)
        self.hall.commit(table, Event("hint", seat, len(table.plies)))
        found = await analysed(self.hall, matter, HINT_MS, HINT, (table.id, f"hint {seat}"))
        if not here():
            raise Refused(STALE, "The table has changed meanwhile, so the advice would come too late.")
        table.note(seat, len(table.plies), found)
        self.hall.tell_all(table, seat)
        return advice(found)

    # ---- While the game goes on ----

    def happened(self, table: Table, event: Event) -> None:
        if event.kind == "move" and (wanted := table.coach.get(event.seat)) and wanted.cost:
            table.cost.pop(event.seat, None)
            self.hall.run(self._tell_cost(table, event.seat, len(table.plies) - 1, event.value, position_of(table)))
        for seat in table.coach:
            self.look(table, seat)

    def look(self, table: Table, seat: int) -> None:
        """Value the decision that a seat is at, if it wants to know and nobody has yet."""
        wanted = table.coach.get(seat)
        due = table.running and table.complete and table.state.seat == seat and len(table.plies) not in table.known.get(seat, {})
        if due and wanted and (wanted.bar or wanted.cost):
            matter = matter_of(table.state, seat, wanted=still(table))  # now: a task begins when others may have moved
            self.hall.run(self._move_bar(table, seat, position_of(table), matter))

    async def _move_bar(self, table: Table, seat: int, position: tuple[int, int], matter: Matter) -> None:
        try:
            found = await analysed(self.hall, matter, BAR_MS, BAR, (table.id, f"bar {seat}"))
        except (Superseded, MeepleError):
            return
        if position_of(table)[1] == position[1]:
            table.note(seat, position[0], found)
            self.hall.tell_all(table, seat)

    async def _tell_cost(self, table: Table, seat: int, ply: int, action: int, position: tuple[int, int]) -> None:
        """Not what would have been better: only what the move cost."""
        if position_of(table)[1] != position[1]:  # it was taken back at once
            return
        found = table.known.get(seat, {}).get(ply)
        try:
            if found is None or not values(found, action):
                matter = matter_of(table.at(ply), seat, action)
                found = await analysed(self.hall, matter, BAR_MS, HINT, (table.id, f"cost {seat}"))
        except (Superseded, MeepleError):
            return
        if position_of(table)[1] == position[1]:
            table.note(seat, ply, found)
            table.cost[seat] = {"ply": ply, "points": found["points"], "estimated": found["estimated"], **loss_of(found, action)}
            self.hall.tell_all(table, seat)


def values(found: dict[str, Any], action: int) -> bool:
    """Did the search try the action?"""
    return any(move["action"] == action and move["value"] is not None for move in found["moves"])


def loss_of(found: dict[str, Any], action: int) -> dict[str, Any]:
    """What an action cost against the best one, by an analysis; how often the search tried the two tells how rough that is. None:
    the search never tried it, which says nothing of its worth."""
    best = found["moves"][0]
    chosen = next((move for move in found["moves"] if move["action"] == action), None)
    if chosen is None or chosen["value"] is None or best["value"] is None:
        return {"loss": None, "visits": 0}
    return {"loss": max(0.0, best["value"] - chosen["value"]), "visits": min(best["visits"], chosen["visits"])}


def advice(found: dict[str, Any]) -> dict[str, Any]:
    """An analysis as a hint: the best few moves."""
    moves = [move | {"line": move["line"][1 : 1 + PLIES]} for move in found["moves"][:BEST]]
    return {
        "points": found["points"],
        "estimated": found["estimated"],
        "iterations": found["iterations"],
        "choices": len(found["moves"]),
        "moves": moves,
        "reason": reason(found),
    }


def reason(found: dict[str, Any]) -> str:
    """The advice in a sentence or two."""
    best, *others = found["moves"]
    if not others:
        return f"“{best['move']}” is the only move."
    tried = [move for move in others if move["value"] is not None]
    text = f"“{best['move']}” {_worth(best, found)}"
    if not tried:
        return f"{text}; nothing else was worth a try."
    nearest = max(tried, key=lambda move: move["value"])
    lead = (best["value"] or 0.0) - nearest["value"]
    if lead < (0.5 if found["points"] else 0.01):
        return f"{text}; “{nearest['move']}” is about as good, so choose as you like."
    told = f"{lead:.1f} points" if found["points"] else f"{lead:.0%}"
    sure = "clearly" if _apart(best, nearest) else "probably"
    return f"{text}, {sure} better than “{nearest['move']}” by about {told}."


def _worth(move: dict[str, Any], found: dict[str, Any]) -> str:
    if move["value"] is None:
        return "is what the search would play"
    if found["points"]:
        return f"is expected to lead to {move['value']:.1f} points"
    return f"is expected to win {move['value']:.0%} of the games from here"


def _apart(best: dict[str, Any], other: dict[str, Any]) -> bool:
    """Do the intervals not meet? Without intervals: were both tried often?"""
    if best["interval"] and other["interval"]:
        return bool(best["interval"][0] > other["interval"][1])
    return bool(min(best["visits"], other["visits"]) >= 50)

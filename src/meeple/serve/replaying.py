"""A finished game or a record, step by step: from any seat, or with everything open."""

from __future__ import annotations

from typing import Any

from meeple.core.scene import as_json, scene_of
from meeple.core.state import State
from meeple.serve.desk import record_text
from meeple.serve.errors import STALE, WRONG, Refused
from meeple.serve.table import Table
from meeple.serve.tell import VEIL, last_move, log_of, result_of

OPEN = -1  # instead of a seat: all of them


def check_over(table: Table) -> None:
    """Before the end a replay would show what seats may not know."""
    if table.running:
        raise Refused(STALE, "The game is still being played; it can be replayed and shared when it is over.")


def replay(table: Table, ply: int, seat: int) -> dict[str, Any]:
    """The table after so many moves, as a seat saw it then; open: as each of them did."""
    check_over(table)
    seats = table.variant.shape.seats
    if not OPEN <= seat < seats:
        raise Refused(WRONG, f"There are seats 0 to {seats - 1}; -1 shows all.")
    if not 0 <= ply <= len(table.plies):
        raise Refused(WRONG, f"The game has {len(table.plies)} moves.")
    state = table.at(ply)
    shown = range(seats) if seat == OPEN else [seat]
    eyes = max(seat, 0)
    told = tuple(table.plies[:ply]) if seat == OPEN else state.told(eyes, table.plies[:ply])
    return {
        "id": table.id,
        "game": table.variant.game.name,
        "kind": table.row.kind,
        "version": table.version,
        "title": table.variant.game.title,
        "variant": table.variant.spec,
        "seat": seat,
        "seats": seats,
        "names": [about["name"] for about in table.seats],
        "to_move": None if state.over else state.seat,
        "ply": ply,
        "plies": len(table.plies),
        "scenes": [{"seat": each, "scene": as_json(_seen(state, each))} for each in shown],
        "last": last_move(state, told),
        "log": log_of(state, told),
        "over": state.over,
        "result": result_of(table) if ply == len(table.plies) else None,
        "scores": state.scores(),
    }


def _seen(state: State, seat: int) -> Any:
    return scene_of(state.redealt(seat, VEIL), seat)


def record(table: Table) -> str:
    """The game as text that replays exactly, seed and all."""
    check_over(table)
    notes = [f"takeback by seat {seat}: from move {start} to move {end}" for seat, start, end in table.takebacks]
    notes += [f"seat {seat} asked for {count} hints" for seat, count in table.hints.items()]
    if table.resigned is not None:
        notes.append(f"seat {table.resigned} resigned")
    return record_text(table.row, table.variant, table.plies, [about["name"] for about in table.seats], notes)

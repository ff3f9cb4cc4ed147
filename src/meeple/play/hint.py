"""Advice as text: what a search thinks of the moves, laid out for a person."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from rich.table import Table
from rich.text import Text

from meeple.search.analysis import Analysis, MoveValue

BEST = 3  # moves that a hint tells of
PLIES = 4  # of a line of play that are shown

ESTIMATED = "by the search's own estimate, not by outcomes"

Naming = Callable[[int], str]  # whose a ply is, by its seat; nothing where that is clear


class Hint(NamedTuple):
    """What an adviser would play, and where it is a search, all it found out."""

    move: str
    analysis: Analysis | None


def best_moves(found: Analysis, legal: list[str], name: Naming) -> Table:
    """Of the best few: number in the list of legal moves, what it is worth, how sure that is, and how the game may go on."""
    grid = Table.grid(padding=(0, 3))
    for move in found.moves[:BEST]:
        value, interval = value_text(move, found.points)
        line = line_text(move, name)
        worth = f"{value} {'points' if found.points else 'wins'}" if move.visits else "never tried"
        sure = (
            f"({interval})"
            if move.interval
            else f"({move.visits:,} {'visit' if move.visits == 1 else 'visits'})"
            if move.visits
            else ""
        )
        cells = (f"  {legal.index(move.move) + 1} {move.move}", worth, sure, f"then {line}" if line else "")
        grid.add_row(*(Text(cell) for cell in cells))
    return grid


def value_text(move: MoveValue, points: bool) -> tuple[str, str]:
    """What a move is worth, and the interval."""
    form = ".1f" if points else ".1%"
    value = "-" if move.value is None else f"{move.value:{form}}"
    interval = "-" if move.interval is None else f"{move.interval[0]:{form}} to {move.interval[1]:{form}}"
    return value, interval


def line_text(move: MoveValue, name: Naming) -> str:
    """How the game may go on after a move."""
    return "; ".join(f"{who}: {step.move}" if (who := name(step.seat)) else step.move for step in move.line[1 : 1 + PLIES])

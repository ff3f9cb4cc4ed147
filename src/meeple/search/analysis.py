"""What a search found out about a position, in words: every legal move with its visits, its value and how sure that is, and how
the game may go on from it.

Values are those of the seat to move: its share of the win, or points where only points count. An interval covers only the chance
error of the search's mean, not how well playouts or a guide judge the game.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from meeple.core.errors import MeepleError
from meeple.core.intervals import Interval, interval_of_mean, interval_of_share
from meeple.core.state import State
from meeple.search.driver import Search
from meeple.search.select import unit
from meeple.search.tree import NONE, ROOT

LONGEST_LINE = 12  # plies of a principal variation
LEAST_SAMPLES = 3  # of its last node: what was tried less often is chance


@dataclass(frozen=True)
class Step:
    """One ply of a line."""

    seat: int
    move: str


@dataclass(frozen=True)
class MoveValue:
    """A legal move as the search sees it. A move it never tried has neither value nor interval."""

    move: str
    action: int
    visits: int = 0
    value: float | None = None
    interval: Interval | None = None  # 95%
    line: tuple[Step, ...] = ()  # the move itself, and the most visited answers


@dataclass(frozen=True)
class Analysis:
    """A position, its moves best first."""

    variant: str
    seat: int
    ply: int
    points: bool  # are values points? Else shares of the win
    iterations: int
    moves: tuple[MoveValue, ...]

    def as_json(self) -> dict[str, Any]:
        found = asdict(self)
        return found | {"points": bool(self.points), "moves": [_plain(move) for move in found["moves"]]}


def _plain(move: dict[str, Any]) -> dict[str, Any]:
    return move | {"interval": list(move["interval"]) if move["interval"] else None, "line": list(move["line"])}


def analysis_of(search: Search) -> Analysis:
    """Of a search that was run from a position redealt for the seat to move."""
    variant, tree = search.variant, search.tree
    root = State(variant, tree.states[ROOT : ROOT + 1].copy())
    if root.over:
        raise MeepleError(f"The game is over ({root.end.reason}), so there is no move to analyse.")
    nodes = {int(tree.nodes[child]["action"]): child for child in _children(search, 0)}
    moves = [_value(search, action, nodes.get(action, NONE)) for action in root.legal()]
    moves.sort(key=lambda m: (-m.visits, -(m.value or 0.0)))  # as `Moves.best` chooses; what is left keeps the game's order
    return Analysis(variant.spec, root.seat, root.ply, bool(search.settings.points), search.iterations, tuple(moves))


def _value(search: Search, action: int, node: int) -> MoveValue:
    move = search.variant.format_action(action)
    if node == NONE or not search.tree.nodes[node]["visits"]:
        return MoveValue(move, action)
    found = search.tree.nodes[node]
    visits, value = int(found["visits"]), float(found["total"] / found["visits"])
    samples = visits // unit(search.settings)  # playouts from one leaf share their cards: they are one observation
    variance = max(0.0, float(found["squares"]) / visits - value * value) * samples / max(1, samples - 1)
    interval = (interval_of_mean if search.settings.points else interval_of_share)(value, samples, variance)
    return MoveValue(move, action, visits, value, interval, _line(search, node))


def _line(search: Search, node: int) -> tuple[Step, ...]:
    """Down the most visited children. At least one determinization allowed the whole line, since its last node was reached in
    one."""
    nodes, least = search.tree.nodes, LEAST_SAMPLES * unit(search.settings)
    line: list[Step] = []
    while node != NONE and len(line) < LONGEST_LINE:
        line.append(Step(int(nodes[node]["seat"]), search.variant.format_action(int(nodes[node]["action"]))))
        often = [child for child in _children(search, node) if nodes[child]["visits"] >= least]
        node = max(often, key=lambda child: (nodes[child]["visits"], nodes[child]["total"]), default=NONE)
    return tuple(line)


def _children(search: Search, node: int) -> list[int]:
    found, child = [], int(search.tree.nodes[node]["first"])
    while child != NONE:
        found.append(child)
        child = int(search.tree.nodes[child]["next"])
    return found

"""What a search found out about a position, in words: every legal move with its visits, its value and how sure that is, and how
the game may go on from it.

Values are those of the seat to move: its share of the win, or points where only points count. An interval covers the error of a
mean over playouts, by chance and by what the search tried before. What a guide says of the leaves is the search's own estimate and
not an outcome, so then there is no interval; nor is there one for few playouts. Only a move that ends the game with certainty has
an interval without width.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from meeple.core.errors import MeepleError
from meeple.core.intervals import FEWEST, Interval, interval_of_mean, interval_of_share
from meeple.core.state import State
from meeple.search.driver import Search
from meeple.search.select import unit
from meeple.search.tree import NONE, ROOT

LONGEST_LINE = 12  # plies of a principal variation
LEAST_SAMPLES = 3  # of its last node: what was tried less often is chance
REDEALS = 8  # that show whether anything is hidden
ALIKE = 6  # leaves that tell as much as one would alone: so much less do means of whole searches agree than their leaves promise


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
    interval: Interval | None = None  # 95%; nothing where no outcomes tell it
    line: tuple[Step, ...] = ()  # the move itself, and the most visited answers


@dataclass(frozen=True)
class Analysis:
    """A position, its moves best first."""

    variant: str
    seat: int
    ply: int
    points: bool  # are values points? Else shares of the win
    estimated: bool  # are values a guide's estimates? Else outcomes of playouts
    iterations: int
    moves: tuple[MoveValue, ...]

    @property
    def best(self) -> str:
        """The move to make, as text."""
        return self.moves[0].move

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
    spread = _spread(search)
    moves = [_value(search, root, action, nodes.get(action, NONE), spread) for action in root.legal()]
    moves.sort(key=lambda m: (-m.visits, -(m.value or 0.0)))  # as `RootActions.best` chooses; what is left keeps the game's order
    return Analysis(
        variant.spec, root.seat, root.ply, bool(search.settings.points), _estimates(search), search.iterations, tuple(moves)
    )


def _estimates(search: Search) -> bool:
    return bool(search.settings.cut != -1)


def _spread(search: Search) -> float:
    """Variance of all values that came in at the root: the least that the few values of one move are thought to have."""
    nodes = search.tree.nodes[_children(search, 0)]
    visits = max(1, int(nodes["visits"].sum()))
    return max(0.0, float(nodes["squares"].sum() / visits - (nodes["total"].sum() / visits) ** 2))


def _value(search: Search, root: State, action: int, node: int, spread: float) -> MoveValue:
    move = search.variant.format_action(action)
    if node == NONE or not search.tree.nodes[node]["visits"]:
        return MoveValue(move, action)
    found = search.tree.nodes[node]
    visits, value = int(found["visits"]), float(found["total"] / found["visits"])
    interval = (value, value) if _ends_for_sure(root, action) else _interval(search, node, value, spread)
    return MoveValue(move, action, visits, value, interval, _line(search, node))


def _ends_for_sure(root: State, action: int) -> bool:
    """Does the game end with this move, with no luck in it and nothing hidden before it?"""
    after = root.copy()
    after.play(action)
    return after.over and bool(after.array["luck"] == root.array["luck"]) and _lies_open(root)


def _lies_open(root: State) -> bool:
    """Does dealing again what is hidden change nothing but the luck to come?"""
    deals = [root.redealt(root.seat, seed).array for seed in range(REDEALS)]
    for deal in deals:
        deal["luck"] = root.array["luck"]
    return all(deal.tobytes() == root.array.tobytes() for deal in deals)


def _interval(search: Search, node: int, value: float, spread: float) -> Interval | None:
    """Of the playouts below a node."""
    if _estimates(search):
        return None
    found, samples = search.tree.nodes[node], _samples(search, node)
    if search.settings.points:
        seen = max(0.0, float(found["squares"] / found["visits"]) - value * value)
        variance = max(seen * samples / max(1, samples - 1), (samples * seen + FEWEST * spread) / (samples + FEWEST))
        return interval_of_mean(value, samples, variance)
    return interval_of_share(value, samples)


def _samples(search: Search, node: int) -> int:
    """How many observations a node's visits count as. Playouts from one leaf share their cards, and leaves share what the search
    had found before it went there."""
    return int(search.tree.nodes[node]["visits"]) // (unit(search.settings) * ALIKE)


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

"""A game looked at afterwards: the graph of the win probability, the moves that cost most, and how much of the result was luck.

Every decision with a choice is analysed as its seat saw it at the time. A decision is worth V, the value of its best move; the move
that was made is worth Q. V - Q is what the move cost. From Q to the V of the next decision the world has changed: cards were
turned, dice fell, others moved. Over a game, what a seat began with, its costs and these changes add up to its result.

Where two seats play for one win, the other's costs are one's own gains and can be told apart from luck. With more seats they
cannot, and stand together.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from meeple.core.state import State
from meeple.serve.coach import loss_of
from meeple.serve.table import Table

WORST = 5  # moves that are told


@dataclass(frozen=True)
class Decision:
    """A ply with a choice: what it was worth to the seat that made it."""

    ply: int
    seat: int
    move: str
    best: str
    value: float  # of the best move
    loss: float | None  # of the one that was made; None: the search would not consider it, so nobody knows


def found_at(state: State, action: int, analysis: dict[str, Any]) -> dict[str, Any]:
    """What is kept of one analysed decision."""
    best = analysis["moves"][0]
    lost = loss_of(analysis, action)
    return {
        "seat": state.seat,
        "move": state.variant.format_action(action),
        "best": best["move"],
        "value": best["value"],
        "loss": lost["loss"],
        "visits": lost["visits"],
        "points": analysis["points"],
        "estimated": analysis["estimated"],
        "line": [step["move"] for step in best["line"][:4]],
    }


def known_loss(found: dict[str, Any]) -> float | None:
    """What the move cost, where the search tried it. Findings of earlier versions had 0 where it never did."""
    return found["loss"] if found["visits"] else None


def review(table: Table, findings: dict[int, dict[str, Any]]) -> dict[str, Any]:
    """All that is told of a game, from what was found at its decisions."""
    decisions = [
        Decision(ply, found["seat"], found["move"], found["best"], found["value"], known_loss(found))
        for ply, found in sorted(findings.items())
        if found.get("value") is not None
    ]
    shared = table.variant.shape.seats == 2 and table.variant.shape.winnable
    return {
        "points": not table.variant.shape.winnable,
        "estimated": any(found.get("estimated") for found in findings.values()),
        "plies": len(table.plies),
        "seats": [_of_seat(table, seat, decisions, shared) for seat in range(table.variant.shape.seats)],
        "worst": [_told(decision, findings) for decision in worst(decisions)],
        "unknown": [_told(decision, findings) for decision in decisions if decision.loss is None],
        "decisions": [
            {"ply": d.ply, "seat": d.seat, "move": d.move, "best": d.best, "value": d.value, "loss": d.loss} for d in decisions
        ],
    }


def worst(decisions: list[Decision]) -> list[Decision]:
    """Those that cost most."""
    return sorted((decision for decision in decisions if decision.loss), key=lambda decision: -(decision.loss or 0.0))[:WORST]


def _told(decision: Decision, findings: dict[int, dict[str, Any]]) -> dict[str, Any]:
    found = findings[decision.ply]
    return {
        "ply": decision.ply,
        "seat": decision.seat,
        "move": decision.move,
        "best": decision.best,
        "loss": decision.loss,
        "line": found["line"],
        "visits": found["visits"],
    }


def _result(table: Table, seat: int) -> float | None:
    """What the game brought a seat, in the unit of its values."""
    if not table.state.over:
        return None
    return table.state.outcome()[seat] if table.variant.shape.winnable else table.state.scores()[seat]


def _of_seat(table: Table, seat: int, decisions: list[Decision], shared: bool) -> dict[str, Any]:
    """A seat's graph, and how its result came about: what it began with, own costs, the other's costs, luck."""
    own = [decision for decision in decisions if decision.seat == seat]
    seen = decisions if shared else own
    graph = [[decision.ply, decision.value if decision.seat == seat else 1.0 - decision.value] for decision in seen]
    result = _result(table, seat)
    if result is not None:
        graph.append([len(table.plies), result])
    cost = sum(decision.loss or 0.0 for decision in own)
    given = sum(decision.loss or 0.0 for decision in decisions if decision.seat != seat) if shared else None
    luck = None
    if result is not None and graph:
        luck = result - graph[0][1] + cost - (given or 0.0)
    return {
        "seat": seat,
        "graph": graph,
        "start": graph[0][1] if graph else None,
        "result": result,
        "cost": cost,
        "given": given,
        "luck": luck,
        "decisions": len(own),
        "unknown": sum(decision.loss is None for decision in own),
        "perfect": sum(decision.loss == 0 for decision in own),
    }

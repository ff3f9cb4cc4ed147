"""The one function through which a table leaves the server while it is played: what one seat is told, made from a state that was
redealt for that seat. Whatever a game's picture or move list does with it, there is no secret in it to give away."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from meeple.core.registry import find_variant
from meeple.core.scene import as_json, parts_of, scene_of
from meeple.core.state import State
from meeple.serve.table import Table

LOG = 40  # moves that are told with every message; the others on request
VEIL = 0  # of the redeal: the result depends on it and on what the seat may know, on nothing else


def tell(table: Table, seat: int, watching: bool = False) -> dict[str, Any]:
    """All that a seat is told. `watching`: the same eyes, but not the hands."""
    seen = table.state.redealt(seat, VEIL)
    deciding = table.running and table.complete and seen.seat == seat and not watching
    told = seen.told(seat, table.plies)
    return {
        "id": table.id,
        "game": table.variant.game.name,
        "kind": table.row.kind,
        "version": table.version,
        "title": table.variant.game.title,
        "variant": table.variant.spec,
        "seat": seat,
        "watching": watching,
        "seats": table.variant.shape.seats,
        "names": [about["name"] for about in table.seats],
        "people": [about["kind"] for about in table.seats],
        "to_move": seen.seat if table.running else None,
        "ply": len(table.plies),
        "scene": as_json(scene_of(seen, seat)),
        "moves": moves_of(seen) if deciding else [],
        "last": last_move(seen, told),
        "log": log_of(seen, told, max(0, len(told) - LOG)),
        "over": not table.running,
        "result": result_of(table),
        "takeback": {"seat": table.asked[0], "ply": table.asked[1]} if table.asked else None,
        "takebacks": len(table.takebacks),
        "hints": table.hints.get(seat, 0),
        "trouble": table.trouble,
        "coach": coach_of(table, seat, watching),
    }


def moves_of(seen: State) -> list[dict[str, Any]]:
    """The legal moves, with the pieces that each touches."""
    return [{"action": action, **_told_move(seen.variant.spec, action)} for action in seen.legal()]


@lru_cache(1 << 16)
def _told_move(spec: str, action: int) -> dict[str, Any]:
    """An action in words and pieces: the same in every position."""
    variant = find_variant(spec)
    return {"text": variant.format_action(action), "parts": [list(part) for part in parts_of(variant, action)]}


def log_of(seen: State, told: tuple[tuple[int, int], ...], since: int = 0) -> list[dict[str, Any]]:
    """Moves as a seat may know them now."""
    return [
        {"ply": ply, "seat": mover, "text": _told_move(seen.variant.spec, action)["text"]}
        for ply, (mover, action) in enumerate(told[since:], since + 1)
    ]


def last_move(seen: State, told: tuple[tuple[int, int], ...]) -> dict[str, Any] | None:
    if not told:
        return None
    mover, action = told[-1]
    return {"seat": mover, **_told_move(seen.variant.spec, action)}


def coach_of(table: Table, seat: int, watching: bool) -> dict[str, Any]:
    """What the coach has for a seat: whether there is one, the bar, and what the last move cost."""
    wanted = table.coach.get(seat)
    if watching or not table.row.coach or wanted is None:
        return {"allowed": table.row.coach and not watching, "bar": None, "cost": None}
    found = table.known.get(seat, {})
    bar = found[max(found)] if wanted.bar and found else None
    return {
        "allowed": True,
        "bar": bar
        and {"value": bar["moves"][0]["value"], "points": bar["points"], "estimated": bar["estimated"], "ply": bar["ply"]},
        "cost": table.cost.get(seat) if wanted.cost else None,
    }


def result_of(table: Table) -> dict[str, Any] | None:
    """What came of the game, when it is over."""
    if table.resigned is not None:
        return {"reason": "resigned", "resigned": table.resigned, "scores": None, "winners": [], "sentence": _gave_up(table)}
    state = table.state
    if not state.over:
        return None
    outcome = state.outcome() if table.variant.shape.winnable and not state.end.truncated else []
    winners = [seat for seat, share in enumerate(outcome) if share > 0]
    return {
        "reason": state.end.reason,
        "resigned": None,
        "scores": state.scores(),
        "winners": winners,
        "sentence": _sentence(table, winners),
    }


def _gave_up(table: Table) -> str:
    assert table.resigned is not None
    return f"{table.seats[table.resigned]['name']} has given up, so the game ends here."


def _sentence(table: Table, winners: list[int]) -> str:
    why = f"The game is over: {table.state.end.reason}."
    if table.state.end.truncated:
        return f"{why} It was cut off, so nobody has won."
    if not table.variant.shape.winnable:
        return f"{why} {table.seats[0]['name']} has {table.state.scores()[0]:g} points."
    if not winners:
        return f"{why} Nobody has won."
    names = " and ".join(table.seats[seat]["name"] for seat in winners)
    return f"{why} {names} {'share the win' if len(winners) > 1 else 'wins'}."

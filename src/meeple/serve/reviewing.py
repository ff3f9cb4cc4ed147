"""Reviews in the making, decision after decision at the lowest priority, kept as they come; and a player's statistics."""

from __future__ import annotations

import json
from typing import Any

from meeple.core.errors import MeepleError
from meeple.serve.coach import analysed, matter_of
from meeple.serve.errors import STALE, Refused
from meeple.serve.hall import Hall
from meeple.serve.pool import REVIEW, Superseded
from meeple.serve.review import found_at, known_loss, review
from meeple.serve.store import Store
from meeple.serve.table import Table

REVIEW_MS = 120.0


class Reviewing:
    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.running: set[str] = set()  # tables
        self.trouble: dict[str, str] = {}  # table -> why its review stopped, until somebody has been told

    def look(self, table: Table) -> dict[str, Any]:
        """The review as far as it is; begins it if nobody has. Why it stopped is told once, and the next look goes on with it."""
        if table.running:
            raise Refused(STALE, "A game is reviewed when it is over.")
        due = table.decisions()
        found = self.hall.store.findings(table.id)
        trouble = self.trouble.pop(table.id, "")
        if len(found) < len(due) and not trouble and table.id not in self.running:
            self.running.add(table.id)
            self.hall.run(self._review(table, due, found))
        told = review(table, found)
        return told | {"done": len(found), "due": len(due), "trouble": trouble}

    async def _review(self, table: Table, due: list[int], found: dict[int, Any]) -> None:
        states = table.states()
        try:
            for ply in due:
                if ply in found:
                    continue
                state, (seat, action) = states[ply], table.plies[ply]
                matter = matter_of(state, seat, action)
                analysis = await analysed(self.hall, matter, REVIEW_MS, REVIEW, (table.id, "review"))
                self.hall.store.add_finding(table.id, ply, found_at(state, action, analysis))
        except Superseded:
            pass
        except MeepleError as error:
            self.trouble[table.id] = str(error)
        finally:
            self.running.discard(table.id)


def statistics(store: Store, player: str) -> dict[str, Any]:
    """A player's games, the oldest first, and sums by variant and opponents."""
    games: list[dict[str, Any]] = []
    sums: dict[tuple[str, str], dict[str, Any]] = {}
    for game, seat, variant, created, result_text, seats_text in store.sittings(player):
        result = json.loads(result_text) if result_text else None
        seats = json.loads(seats_text)
        events = store.events(game)
        others = ", ".join(about["name"] for number, about in enumerate(seats) if number != seat) or "alone"
        own = [known_loss(found) for found in store.findings(game).values() if found["seat"] == seat and found["value"] is not None]
        losses = [loss for loss in own if loss is not None]
        entry = {
            "game": game,
            "variant": variant,
            "seat": seat,
            "at": created,
            "against": others,
            "over": result is not None,
            "won": result is not None and seat in result["winners"],
            "score": result["scores"][seat] if result and result["scores"] else None,
            "takebacks": sum(event.kind == "back" and event.seat == seat for event in events),
            "hints": sum(event.kind == "hint" and event.seat == seat for event in events),
            "loss": sum(losses) / len(losses) if losses else None,
        }
        games.append(entry)
        if result is not None:
            total = sums.setdefault((variant, others), {"variant": variant, "against": others, "games": 0, "won": 0, "score": 0.0})
            total["games"] += 1
            total["won"] += entry["won"]
            total["score"] += entry["score"] or 0.0
    return {"games": games, "sums": list(sums.values())}

"""Two agents at the tables of a game, whatever its number of seats: by how much the first is ahead, as figures that compare."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from meeple.arena.executor import Executor
from meeple.arena.match import Tick, play_match
from meeple.arena.plan import make_plan
from meeple.arena.store import Store
from meeple.core.game import Variant


@dataclass
class Meetings:
    """Where matches are played and kept."""

    variant: Variant
    store: Store
    processes: int
    tick: Tick = lambda _: None
    executor: Executor | None = None  # of all matches; none: each has its own

    def meet(self, first: str, second: str, games: int, seed: int, sprt: tuple[float, float] | None = None) -> dict[str, Any]:
        """A match of one agent against others of one kind; alone, both on the same deals. `won`: by the sequential test, or by the
        interval where there is none."""
        seats = self.variant.shape.seats
        plan = make_plan(self.variant, [first, *[second] * max(1, seats - 1)], games // seats * seats, seed)
        test = sprt if seats == 2 else None
        result = play_match(plan, self.store, self.processes, sprt=test, tick=self.tick, executor=self.executor)
        found = {"games": result["games"], "seed": plan.seed, **figures(result, seats, self.variant.shape.winnable)}
        if "sprt" in result:
            return {**found, "won": result["sprt"]["accepted"] == "p1", "accepted": result["sprt"]["accepted"]}
        return {**found, "won": found["ci"][0] > found["even"]}


def figures(result: dict[str, Any], seats: int, winnable: bool) -> dict[str, Any]:
    """Share of wins beside an even share; of a solitaire the difference on the same deals."""
    if seats == 1:
        unit = "wins" if winnable else "points"
        return {"mean": result["differences"][1], "ci": list(result["differences_ci"][1]), "even": 0.0, "unit": unit}
    if seats == 2:
        return {"mean": result["win_rate"], "ci": list(result["win_rate_ci"]), "even": 0.5, "unit": "share of wins"}
    return {"mean": result["win_shares"][0], "ci": list(result["win_shares_ci"][0]), "even": 1 / seats, "unit": "share of wins"}

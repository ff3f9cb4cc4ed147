"""Expectimax for games that have a guide. A game's own agent of the same name takes precedence."""

from __future__ import annotations

from meeple.core.agent import AgentKind, Forgetful, Param, Seen
from meeple.core.game import Variant
from meeple.search.driver import Budget
from meeple.search.expectimax import Deepening


class Expectimax(Forgetful):
    def __init__(self, variant: Variant, ms: float, nodes: int) -> None:
        assert variant.game.guide is not None
        self.search = Deepening(variant, variant.game.guide(variant))
        self.budget = Budget(nodes, 0.0 if nodes else ms)

    def choose(self, seen: Seen) -> int:
        if len(seen.legal) == 1:
            return seen.legal[0]
        return self.search.choose(seen.sample(seen.seed), self.budget)


AGENTS = (
    AgentKind(
        "expectimax",
        "searches decisions and replies in determinizations (possible worlds)",
        Expectimax,
        (
            Param("ms", 100.0, "milliseconds a decision", 1.0),
            Param("nodes", 0, "tables valued a decision, instead of ms: the same seed then gives the same move", 0),
        ),
        fits=lambda game: game.guide is not None,
    ),
)

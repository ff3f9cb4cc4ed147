"""The guided search as it was in November 2026, with its parameters written down: what champions are measured against, for ever.

`mcts` may become better; this one plays the same parameters whatever a game then declares as its best (`Game.search`).
"""

from __future__ import annotations

from typing import Any

from meeple.agents.mcts import PARAMS, Mcts, make_mcts
from meeple.core.agent import AgentKind, Param
from meeple.core.game import Game, Variant

GUIDED = {"select": "puct", "cut": 0, "temperature": 0.5, "top": 12, "c": 1.0, "fpu": 0.1, "trust": 0.0, "turns": 0, "refresh": 4}
FROZEN: dict[str, dict[str, Any]] = {
    "jaipur": GUIDED,
    "splendor": GUIDED,
    "rake": {**GUIDED, "temperature": 1.0, "top": 8, "c": 3.0, "trust": 1.0, "turns": 1, "guide": "2026"},
    "lotr": {"select": "ucb1", "policy": "expert", "c": 0.3, "cut": -1},
}
REST = {"guide": "game", "meanings": 0, "playouts": 1, "policy": "random", "reduce": 0, "reuse": 0, "workers": 1}


def make_baseline(variant: Variant, iterations: int, ms: float) -> Mcts:
    given: dict[str, Any] = {param.name: param.default for param in PARAMS}
    given |= REST | FROZEN[variant.game.name]
    return make_mcts(variant, **{**given, "iterations": iterations, "ms": ms})


def frozen(game: Game) -> bool:
    return game.name in FROZEN


AGENTS = (
    AgentKind(
        "mcts-2026",
        "mcts as it was in November 2026, its parameters frozen: the measure of champions",
        make_baseline,
        (
            Param("iterations", 1000, "positions valued, or playouts, a decision", 1),
            Param("ms", 0.0, "milliseconds a decision, instead of iterations", 0),
        ),
        fits=frozen,
    ),
)

"""Splendor's own agents. Each is written in a file of its own; here they only get their names."""

from __future__ import annotations

from meeple.core.agent import AgentKind
from meeple.games.splendor.evaluation import WEIGHTS
from meeple.games.splendor.heuristic import make_greedy, make_heuristic

GAMES = ("splendor",)

AGENTS = (
    AgentKind("greedy", "most points right away, then most cards, then the nearest next card", make_greedy, games=GAMES),
    AgentKind("heuristic", "the best table right after its action, by named terms", make_heuristic, WEIGHTS, GAMES),
)

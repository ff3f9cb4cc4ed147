"""Rake&Roll's own agents. Each is written in a file of its own; here they only get their names."""

from __future__ import annotations

from meeple.core.agent import AgentKind
from meeple.games.rake.beam import PLAN_PARAMS, Planner
from meeple.games.rake.evaluation import BONUSES, WEIGHTS
from meeple.games.rake.lookahead import make_foresight, make_lookahead
from meeple.games.rake.players import make_beginner, make_optimal, make_random_nopass

GAMES = ("rake",)

AGENTS = (
    AgentKind("random-nopass", "uniform over the legal actions, passing only where it must", make_random_nopass, games=GAMES),
    AgentKind("beginner", "as many dice as fit, where they pay most at once; never rerolls", make_beginner, games=GAMES),
    AgentKind("lookahead", "plans its turn: best reroll, then best pair of combinations", make_lookahead, WEIGHTS, GAMES),
    AgentKind(
        "foresight",
        "plans its turn as lookahead does, by an evaluation fitted backwards from the end of the game",
        make_foresight,
        BONUSES,
        GAMES,
    ),
    AgentKind("planner", "rake:deterministic, whose dice are known: the best game a search finds", Planner, PLAN_PARAMS, GAMES),
    AgentKind("optimal", "by the exact solution of rake:simple (meeple solve)", make_optimal, games=GAMES),
)

"""Jaipur's own agents. Each is written in a file of its own; here they only get their names."""

from __future__ import annotations

from meeple.core.agent import AgentKind
from meeple.games.jaipur.advanced_2017 import OPPONENT, WEIGHTS, make_advanced1, make_advanced2, make_advanced3
from meeple.games.jaipur.basic_2017 import make_basic1, make_basic2, make_basic3
from meeple.games.jaipur.expectimax import EXPECTIMAX_PARAMS, Expectimax, make_greedy

GAMES = ("jaipur",)

PLAYERS_2017 = (
    AgentKind("basic1", "2017: at random", make_basic1, games=GAMES),
    AgentKind("basic2", "2017: makes the best sale, else at random", make_basic2, games=GAMES),
    AgentKind("basic3", "2017: makes the best sale, else its hand worth most", make_basic3, games=GAMES),
    AgentKind("advanced1", "2017: points + hand - market after its turn", make_advanced1, WEIGHTS, GAMES),
    AgentKind("advanced2", "2017: advanced1, at times three turns ahead", make_advanced2, (*WEIGHTS, OPPONENT), GAMES),
    AgentKind("advanced3", "2017: advanced1, at times five turns ahead", make_advanced3, (*WEIGHTS, OPPONENT), GAMES),
)

OURS = (
    AgentKind("greedy", "the best table right after its turn, by our evaluation", make_greedy, games=GAMES),
    AgentKind(
        "expectimax", "searches turns and replies in determinizations (possible worlds)", Expectimax, EXPECTIMAX_PARAMS, GAMES
    ),
)

AGENTS = (*PLAYERS_2017, *OURS)

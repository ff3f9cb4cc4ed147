"""The game's own agents. Each is written in a file of its own; here they only get their names."""

from __future__ import annotations

from meeple.core.agent import AgentKind
from meeple.games.lotr.beginner import make_beginner
from meeple.games.lotr.expert import THRESHOLDS, make_expert
from meeple.games.lotr.fixed import PLACES, make_fixed
from meeple.games.lotr.listings import make_listings

GAMES = ("lotr",)

AGENTS = (
    AgentKind("random-listings", "the thesis's random player, its listings 3.1 to 3.5", make_listings, games=GAMES),
    AgentKind("fixed", "the same macro-actions always, the rest as random-listings", make_fixed, PLACES, GAMES),
    AgentKind("beginner", "the dearest ally, enough for the worst card that may come, the first enemy", make_beginner, games=GAMES),
    AgentKind("expert", "a script with named thresholds", make_expert, THRESHOLDS, GAMES),
)

"""What is in the box, read from data/*.csv into constants that kernels can use.

Four sorts of things are numbered, each in the order of the thesis's card ids:

 card       8  heroes, then kinds of ally: what has a name and figures
 character 13  heroes, then kinds of ally with their damage: what can be told apart on the table
 encounter 13  kinds of enemy, then kinds of land
 target    14  kinds of enemy with their damage, where there are several copies: what can be told apart as the goal of an attack

Copies of a card with the same damage are alike, so the state counts them instead of listing them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from meeple.core.data import read_rows


def _column(rows: list[dict[str, str]], name: str) -> NDArray[np.int64]:
    return np.array([int(row[name]) for row in rows], np.int64)


def _spread(conditions: list[int]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Number the conditions of several things in a row: the first of each thing, and whose and which each of them is."""
    first = np.cumsum([0, *conditions])
    owner = [thing for thing, n in enumerate(conditions) for _ in range(n)]
    which = [i for n in conditions for i in range(n)]
    return first.astype(np.int64), np.array(owner, np.int64), np.array(which, np.int64)


_HEROES = read_rows(__file__, "heroes.csv")
_ALLIES = read_rows(__file__, "allies.csv")
_ENEMIES = read_rows(__file__, "enemies.csv")
_LANDS = read_rows(__file__, "lands.csv")

HEROES = len(_HEROES)
ALLIES = len(_ALLIES)
ENEMIES = len(_ENEMIES)
LANDS = len(_LANDS)

# ---- The player's cards: heroes 0 to 2, allies 3 to 7 --------------------------------------------------------------

CARDS = HEROES + ALLIES
CARD_NAMES = tuple(row["name"] for row in _HEROES + _ALLIES)
WILLPOWER = _column(_HEROES + _ALLIES, "willpower")
ATTACK = _column(_HEROES + _ALLIES, "attack")
DEFENCE = _column(_HEROES + _ALLIES, "defence")
HIT_POINTS = _column(_HEROES + _ALLIES, "hit_points")

# Of allies alone, by kind
COST = _column(_ALLIES, "cost")
ALLY_COPIES = _column(_ALLIES, "copies")
ALLY_CARDS = int(ALLY_COPIES.sum())
# 0: leaves at the end of the round (Gandalf). Once hurt he has defended, is tapped and does no more: his damage is not kept.
LASTING = _column(_ALLIES, "lasting")

# A hero is one character, whose damage is kept apart; an ally is another character with every damage.
FIRST_CHARACTER, CARD_OF, DAMAGE_OF = _spread(
    [1] * HEROES + [int(row["hit_points"]) if int(row["lasting"]) else 1 for row in _ALLIES]
)
CHARACTERS = len(CARD_OF)

# ---- The encounter cards: enemies 0 to 6, lands 7 to 12 ------------------------------------------------------------

ENCOUNTERS = ENEMIES + LANDS
ENCOUNTER_NAMES = tuple(row["name"] for row in _ENEMIES + _LANDS)
ENCOUNTER_COPIES = _column(_ENEMIES + _LANDS, "copies")
THREAT = _column(_ENEMIES + _LANDS, "threat")
WORST_CARD = int(THREAT.max())  # that a quest can reveal
ENEMY_CARDS = int(ENCOUNTER_COPIES[:ENEMIES].sum())
LAND_CARDS = int(ENCOUNTER_COPIES[ENEMIES:].sum())
ENCOUNTER_CARDS = ENEMY_CARDS + LAND_CARDS

ENGAGEMENT = _column(_ENEMIES, "engagement")
ENEMY_ATTACK = _column(_ENEMIES, "attack")
ENEMY_DEFENCE = _column(_ENEMIES, "defence")
ENEMY_HIT_POINTS = _column(_ENEMIES, "hit_points")
POINTS = _column(_LANDS, "points")

# An enemy without a double is told by its name alone.
SEVERAL = (ENCOUNTER_COPIES[:ENEMIES] > 1).astype(np.int64)
FIRST_TARGET, ENEMY_OF, TARGET_DAMAGE = _spread([int(row["hit_points"]) if int(row["copies"]) > 1 else 1 for row in _ENEMIES])
TARGETS = len(ENEMY_OF)

# Dealt face up on hard
FOREST_SPIDER = ENCOUNTER_NAMES.index("forest spider")
OLD_FOREST_ROAD = ENCOUNTER_NAMES.index("old forest road")

# ---- Figures of the game -------------------------------------------------------------------------------------------

STARTING_THREAT = int(_column(_HEROES, "threat_cost").sum())
LOSING_THREAT = 50
PROGRESS_TO_WIN = 8
OPENING_HAND = 7
ROUND_CAP = 100

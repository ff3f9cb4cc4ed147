"""What is in the box, read from data/*.csv into constants that kernels can use."""

from __future__ import annotations

import numpy as np

from meeple.core.data import read_rows

COLOUR_NAMES = ("white", "blue", "green", "red", "black")
TOKEN_NAMES = (*COLOUR_NAMES, "gold")
COLOURS = len(COLOUR_NAMES)
GOLD = COLOURS  # the sixth kind of token
TOKENS = len(TOKEN_NAMES)


def _costs(rows: list[dict[str, str]]) -> list[list[int]]:
    return [[int(row[colour]) for colour in COLOUR_NAMES] for row in rows]


_CARDS = read_rows(__file__, "cards.csv")  # in the order of their levels
_NOBLES = read_rows(__file__, "nobles.csv")

CARDS = len(_CARDS)
LEVELS = 3
LEVEL = np.array([int(row["level"]) - 1 for row in _CARDS], np.int8)  # level 1 is number 0
BONUS = np.array([COLOUR_NAMES.index(row["bonus"]) for row in _CARDS], np.int8)
POINTS = np.array([int(row["points"]) for row in _CARDS], np.int8)
COST = np.array(_costs(_CARDS), np.int8)
# The cards of a level are numbered from FIRST_CARD[level] to FIRST_CARD[level] + CARDS_OF[level] - 1.
CARDS_OF = np.bincount(LEVEL).astype(np.int8)
FIRST_CARD = np.searchsorted(LEVEL, np.arange(LEVELS)).astype(np.int8)
LARGEST_DECK = int(CARDS_OF.max())

NOBLES = len(_NOBLES)
NOBLE_NEEDS = np.array(_costs(_NOBLES), np.int8)
NOBLE_POINTS = np.array([int(row["points"]) for row in _NOBLES], np.int8)

MAX_PLAYERS = 4
MAX_NOBLES = MAX_PLAYERS + 1  # Rulebook, Setup: one noble more than players
TOKENS_OF_A_COLOUR = (4, 5, 7)  # for 2, 3, 4 players
GOLD_TOKENS = 5

SLOTS = 4  # face-up cards of a level
FACE_UP = LEVELS * SLOTS
RESERVED = 3  # cards a player may hold in reserve
TOKEN_LIMIT = 10
LEAST_PILE_FOR_TWO = 4
POINTS_TO_WIN = 15
TURN_CAP = 1000

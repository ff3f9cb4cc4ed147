"""What is in the box, read from data/*.csv into constants that kernels can use."""

from __future__ import annotations

import numpy as np

from meeple.core.data import read_rows

_CARDS = read_rows(__file__, "cards.csv")
_BONUS = read_rows(__file__, "bonus.csv")
_TOKENS = [[int(v) for v in row["tokens"].split()] for row in _CARDS[:-1]]
_BONUS_TOKENS = [[int(v) for v in row["tokens"].split()] for row in _BONUS]

KINDS = tuple(row["kind"] for row in _CARDS)
LETTERS = "".join(row["letter"] for row in _CARDS)
GOODS = 6  # kinds that are goods: diamond, gold, silver, cloth, spice, leather
CAMEL = 6
CARDS_OF = np.array([int(row["cards"]) for row in _CARDS], np.int8)
LEAST_SOLD = np.array([int(row["least_sold"]) for row in _CARDS[:-1]], np.int8)

TOKENS_OF = np.array([len(pile) for pile in _TOKENS], np.int8)
# TOKEN[good, left]: value of the top token while `left` remain.
TOKEN = np.zeros((GOODS, 10), np.int8)
for _good, _pile in enumerate(_TOKENS):
    TOKEN[_good, 1 : len(_pile) + 1] = _pile[::-1]

BONUS_PILES = len(_BONUS_TOKENS)  # for 3, 4, and 5 or more cards
BONUS_OF = np.array([len(pile) for pile in _BONUS_TOKENS], np.int8)
BONUS_SORTED = np.zeros((BONUS_PILES, 7), np.int8)
for _i, _pile in enumerate(_BONUS_TOKENS):
    BONUS_SORTED[_i, : len(_pile)] = _pile
BONUS_MOST = BONUS_SORTED.max(axis=1)

HAND_LIMIT = 7
MARKET_SIZE = 5
CAMEL_TOKEN = 5
SEALS_TO_WIN = 2
EMPTY_PILES_TO_END = 3
ROUND_TURN_CAP = 1000  # the 2025 thesis's
MATCH_TURN_CAP = 5000

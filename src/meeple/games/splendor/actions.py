"""Action ids. A turn is one of the actions 0 to 60; what is still to be decided in it are further plies of the same seat.

 0-9   take three different colours      45-56  buy a face-up card
10-19  take two (two colours are left)   57-59  buy a card of one's own reserve
20-24  take one (one colour is left)     60     pass (nothing else is possible)
25-29  take two of one colour            61-66  return a token
30-41  reserve a face-up card            67-71  receive a noble, by slot
42-44  reserve the top of a deck         72-76  pay one more token of a colour with gold
                                         77     pay

A place is where a card can be bought: 0-11 the face-up cards, level by level, 12-14 the seat's reserve.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from meeple.games.splendor.components import COLOURS, FACE_UP, LEVELS, MAX_NOBLES, RESERVED, TOKENS

_DIFFERENT = [group for size in (3, 2, 1) for group in combinations(range(COLOURS), size)]
_SAME = [(colour, colour) for colour in range(COLOURS)]

TAKE = 0
TAKE_SAME = TAKE + len(_DIFFERENT)
RESERVE = TAKE_SAME + len(_SAME)
RESERVE_DECK = RESERVE + FACE_UP
BUY = RESERVE_DECK + LEVELS
BUY_RESERVED = BUY + FACE_UP
PASS = BUY_RESERVED + RESERVED
RETURN = PASS + 1
NOBLE = RETURN + TOKENS
GOLD_FOR = NOBLE + MAX_NOBLES
PAY = GOLD_FOR + COLOURS
ACTIONS = PAY + 1

# TAKEN[action, colour]: tokens that a take brings.
TAKEN = np.array([[group.count(colour) for colour in range(COLOURS)] for group in _DIFFERENT + _SAME], np.int8)


def _list_takes() -> list[list[int]]:
    """For every set of colours left in the bank (a bit a colour), the takes of different colours it allows."""
    allowed = []
    for left in range(1 << COLOURS):
        colours = [colour for colour in range(COLOURS) if left >> colour & 1]
        # Rulebook, Take 3 tokens: fewer than three only where fewer colours are left.
        allowed.append([_DIFFERENT.index(group) for group in combinations(colours, min(3, len(colours))) if group])
    return allowed


_takes = _list_takes()
TAKES_OF = np.array([len(ids) for ids in _takes], np.int8)
TAKES = np.zeros((len(_takes), max(len(ids) for ids in _takes)), np.int8)
for _left, _ids in enumerate(_takes):
    TAKES[_left, : len(_ids)] = _ids

# Takes of three, takes of two, reserves with two cards in reserve, and buys of all those: a third reserved card to buy would
# forbid the fifteen reserves.
MAX_LEGAL = 10 + 5 + (FACE_UP + LEVELS) + (FACE_UP + RESERVED - 1)

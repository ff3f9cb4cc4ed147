"""Multisets of goods as rows of a table, and which of them fit into which: legal exchanges become two table look-ups.

Every multiset of up to seven goods (a hand; a market's goods are one too) is a row of MULTISETS. Its sub-multisets of up to
five cards stand in SUBSETS, smallest first: those of size k are SUBSETS[SUBSET_START[row, k] : SUBSET_START[row, k + 1]].
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Any

import numpy as np

from meeple.core.kernel import kernel
from meeple.games.jaipur.components import GOODS, HAND_LIMIT

_ALL = [cards for size in range(HAND_LIMIT + 1) for cards in combinations_with_replacement(range(GOODS), size)]
_ROW = {cards: row for row, cards in enumerate(_ALL)}
MULTISETS = np.array([[cards.count(good) for good in range(GOODS)] for cards in _ALL], np.int8)
SIZE = MULTISETS.sum(axis=1).astype(np.int8)
KINDS_IN = ((MULTISETS > 0) << np.arange(GOODS)).sum(axis=1).astype(np.int8)  # a bit for each kind present
# Rows are ordered by size, then as words over the goods. FIRST_ROW[size] is where a size begins; BEFORE[good, left, n] is how many
# rows stand before those with n cards of this good, when `left` cards are of this good or a later one.
FIRST_ROW = np.array([int((SIZE < size).sum()) for size in range(HAND_LIMIT + 1)], np.int16)
BEFORE = np.zeros((GOODS - 1, HAND_LIMIT + 1, HAND_LIMIT + 1), np.int16)
for _good in range(GOODS - 1):
    for _left in range(HAND_LIMIT + 1):
        for _n in range(_left + 1):
            BEFORE[_good, _left, _n] = _ROW[(_good,) * _n + (_good + 1,) * (_left - _n)] - _ROW[(_good,) * _left]

_FITS = np.ones((len(_ALL), int((SIZE <= 5).sum())), bool)
for _good in range(GOODS):
    _FITS &= MULTISETS[: _FITS.shape[1], _good][None, :] <= MULTISETS[:, _good][:, None]
SUBSETS = np.nonzero(_FITS)[1].astype(np.int16)
_PER_SIZE = np.stack([_FITS[:, SIZE[: _FITS.shape[1]] == size].sum(axis=1) for size in range(6)], axis=1)
_ENDS = np.cumsum(_PER_SIZE.reshape(-1)).reshape(_PER_SIZE.shape)
SUBSET_START = np.concatenate([np.append(0, _ENDS[:-1, -1])[:, None], _ENDS], axis=1).astype(np.int32)


@kernel
def row_of(cards: Any) -> int:
    """The row of the goods counted in cards[0:6]."""
    left = 0
    for good in range(GOODS):
        left += cards[good]
    row = np.int64(FIRST_ROW[left])
    for good in range(GOODS - 1):
        row += BEFORE[good, left, cards[good]]
        left -= cards[good]
    return row  # type: ignore[return-value]

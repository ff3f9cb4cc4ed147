"""Action ids: what each of the three sets numbers.

Set 25,499:  0-5 take a good | 6 take the camels | 7-42 sell k of a good | 43-25498 exchange
Set 25,469:  0-5 take a good | 6 take the camels | 7-12 sell all of a good | 13-25468 exchange
Set 25,502:  as 25,499, and 25499-25501 choose to take, to sell, to exchange (a turn's first step)

An exchange takes a multiset of 2 to 5 goods and gives as many cards, goods or camels, with no kind on both sides. Exchanges
are numbered by the goods taken, then by the number of camels given, then by the goods given, so that an id is
`EXCHANGE_BASE[taken, camels] + EXCHANGE_RANK[kinds taken, given]`: small tables that stay in the processor's cache.
"""

from __future__ import annotations

import numpy as np

from meeple.games.jaipur.components import CARDS_OF, GOODS, HAND_LIMIT, LEAST_SOLD
from meeple.games.jaipur.multisets import KINDS_IN, SIZE

SET_FULL, SET_SELL_ALL, SET_HIERARCHICAL = 0, 1, 2

TAKE = 0
CAMELS = 6
SELL = 7
_SALES = [(good, k) for good in range(GOODS) for k in range(int(LEAST_SOLD[good]), min(int(CARDS_OF[good]), HAND_LIMIT) + 1)]
SALES = len(_SALES)
SALE_GOOD = np.array([good for good, _ in _SALES], np.int8)
SALE_CARDS = np.array([k for _, k in _SALES], np.int8)
# id of selling k of a good = SELL + SALE_BASE[good] + k
SALE_BASE = np.array([_SALES.index((g, int(LEAST_SOLD[g]))) - int(LEAST_SOLD[g]) for g in range(GOODS)], np.int64)

EXCHANGE_SIZES = range(2, 6)
_SMALL = int((SIZE <= 5).sum())  # multisets that an exchange may take or give
EXCHANGE_BASE = np.zeros((_SMALL, 6), np.int32)
EXCHANGE_RANK = np.full((64, _SMALL), -1, np.int16)


def _number_exchanges() -> tuple[list[int], list[int]]:
    """Fill the two tables above and return, for every exchange, the rows of what is taken and given."""
    taken: list[int] = []
    given: list[int] = []
    for mask in range(1, 64):
        for size in range(6):
            rows = np.flatnonzero((SIZE == size) & (KINDS_IN & mask == 0))
            EXCHANGE_RANK[mask, rows] = np.arange(len(rows))
    for row in np.flatnonzero((SIZE >= 2) & (SIZE <= 5)):
        for camels in range(SIZE[row] + 1):
            others = np.flatnonzero((SIZE == SIZE[row] - camels) & (KINDS_IN & KINDS_IN[row] == 0))
            EXCHANGE_BASE[row, camels] = len(taken)
            taken += [int(row)] * len(others)
            given += others.tolist()
    return taken, given


_taken, _given = _number_exchanges()
EXCHANGES = len(_taken)
EXCHANGE_TAKEN = np.array(_taken, np.int16)  # exchange -> row of MULTISETS
EXCHANGE_GIVEN = np.array(_given, np.int16)  # the goods among the cards given; camels make up the rest

EXCHANGE = SELL + SALES  # first exchange in the full set
EXCHANGE_SELL_ALL = SELL + GOODS  # first exchange in the sell-all set
CHOOSE = EXCHANGE + EXCHANGES  # first choice of a kind in the hierarchical set
CHOSEN_TAKE, CHOSEN_SELL, CHOSEN_EXCHANGE = 1, 2, 3
ACTIONS = {"25499": CHOOSE, "25469": EXCHANGE_SELL_ALL + EXCHANGES, "25502": CHOOSE + 3}
MAX_LEGAL = 167  # shown by going through every hand, herd and market: tests/games/jaipur/test_actions.py

"""What each action is made of: its kind, the cards it takes, gives and sells. For learners that score an action by its parts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from meeple.core.encode import thermometers
from meeple.core.game import Variant
from meeple.games.jaipur.actions import (
    CAMELS,
    CHOOSE,
    EXCHANGE,
    EXCHANGE_GIVEN,
    EXCHANGE_SELL_ALL,
    EXCHANGE_TAKEN,
    EXCHANGES,
    SALE_CARDS,
    SALE_GOOD,
    SALES,
    SELL,
    TAKE,
)
from meeple.games.jaipur.components import GOODS, HAND_LIMIT, MARKET_SIZE
from meeple.games.jaipur.multisets import MULTISETS, SIZE

KINDS = 7  # take, camels, sell, exchange; choose to take, to sell, to exchange
# Where each part begins
TAKEN = KINDS
GIVEN = TAKEN + GOODS * MARKET_SIZE
CAMELS_GIVEN = GIVEN + GOODS * MARKET_SIZE
SOLD = CAMELS_GIVEN + MARKET_SIZE
SOLD_ALL = SOLD + GOODS * HAND_LIMIT
FEATURES = SOLD_ALL + GOODS


def features(variant: Variant) -> NDArray[np.float32]:
    """A row an action: kind; goods taken, goods given, camels given, cards sold, as thermometers; the good that is sold out."""
    table = np.zeros((variant.shape.actions, FEATURES), np.float32)
    _describe_takes(table)
    sell_all = variant.chosen["actions"] == "25469"
    if sell_all:
        table[SELL : SELL + GOODS, SOLD_ALL:] = np.eye(GOODS)
        table[SELL : SELL + GOODS, 2] = 1
    else:
        _describe_sales(table[SELL : SELL + SALES])
    first = EXCHANGE_SELL_ALL if sell_all else EXCHANGE
    _describe_exchanges(table[first : first + EXCHANGES])
    choices = len(table[CHOOSE:])  # three in the set of two steps, else none
    table[CHOOSE:, 4:KINDS] = np.eye(3)[:choices]
    return table


def _describe_takes(table: NDArray[np.float32]) -> None:
    table[TAKE : TAKE + GOODS, 0] = 1
    table[TAKE : TAKE + GOODS, TAKEN:GIVEN] = thermometers(np.eye(GOODS), MARKET_SIZE)
    table[CAMELS, 1] = 1


def _describe_sales(table: NDArray[np.float32]) -> None:
    sold = np.zeros((SALES, GOODS))
    sold[np.arange(SALES), SALE_GOOD] = SALE_CARDS
    table[:, 2] = 1
    table[:, SOLD:SOLD_ALL] = thermometers(sold, HAND_LIMIT)


def _describe_exchanges(table: NDArray[np.float32]) -> None:
    camels = SIZE[EXCHANGE_TAKEN] - SIZE[EXCHANGE_GIVEN]
    table[:, 3] = 1
    table[:, TAKEN:GIVEN] = thermometers(MULTISETS[EXCHANGE_TAKEN], MARKET_SIZE)
    table[:, GIVEN:CAMELS_GIVEN] = thermometers(MULTISETS[EXCHANGE_GIVEN], MARKET_SIZE)
    table[:, CAMELS_GIVEN:SOLD] = thermometers(camels[:, None], MARKET_SIZE)

"""Whole turns for players that weigh them as such, whatever the action set: what can be done, and what it does to the cards.

In the two-step set a turn is one action of the set 25,499: a player decides on it, answers the first step with its kind, and
decides again, among actions of that kind, at the second.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from meeple.core.kernel import kernel
from meeple.games.jaipur.actions import (
    CAMELS,
    CHOOSE,
    CHOSEN_EXCHANGE,
    CHOSEN_SELL,
    CHOSEN_TAKE,
    EXCHANGE,
    EXCHANGE_GIVEN,
    EXCHANGE_SELL_ALL,
    EXCHANGE_TAKEN,
    EXCHANGES,
    SALE_CARDS,
    SALE_GOOD,
    SELL,
    SET_HIERARCHICAL,
    SET_SELL_ALL,
)
from meeple.games.jaipur.multisets import MULTISETS, SIZE
from meeple.games.jaipur.rules import legal_camels, legal_exchanges, legal_sales, legal_takes

# Exchanges from cheap to precious: by the cards taken, diamonds first, the fewer the earlier; then so by the cards given.
EXCHANGE_ORDER = np.zeros(EXCHANGES, np.int16)
_camels = SIZE[EXCHANGE_TAKEN] - SIZE[EXCHANGE_GIVEN]
_columns = np.column_stack([MULTISETS[EXCHANGE_TAKEN], MULTISETS[EXCHANGE_GIVEN], _camels])
EXCHANGE_ORDER[np.lexsort(_columns.T[::-1])] = np.arange(EXCHANGES)


@kernel
def list_turns(s: Any, out: Any) -> int:
    """What the seat can do with its turn; of one kind only once that is chosen."""
    n = 0
    if s.chosen == 0:
        n = legal_camels(s, out, n)
    if s.chosen == 0 or s.chosen == CHOSEN_TAKE:
        n = legal_takes(s, out, n)
    if s.chosen == 0 or s.chosen == CHOSEN_EXCHANGE:
        n = legal_exchanges(s, out, n)
    if s.chosen == 0 or s.chosen == CHOSEN_SELL:
        n = legal_sales(s, out, n)
    return n


@kernel
def order(s: Any, action: int) -> int:
    """Where a turn stands in the order camels, exchanges, takes, sales: whoever chooses the first of equals needs one."""
    if action == CAMELS:
        return 0
    if action >= first_exchange(s):
        return 1 + EXCHANGE_ORDER[action - first_exchange(s)]  # type: ignore[no-any-return]
    return 1 + EXCHANGES + action


@kernel
def next_step(s: Any, action: int) -> int:
    """The ply to answer with on the way to a whole turn: the kind first where the action set asks for it."""
    if s.action_set != SET_HIERARCHICAL or s.chosen != 0 or action == CAMELS:
        return action
    if is_sale(s, action):
        return CHOOSE + CHOSEN_SELL - 1
    return CHOOSE + (CHOSEN_EXCHANGE if action >= EXCHANGE else CHOSEN_TAKE) - 1


@kernel
def first_exchange(s: Any) -> int:
    return EXCHANGE_SELL_ALL if s.action_set == SET_SELL_ALL else EXCHANGE


@kernel
def is_sale(s: Any, action: int) -> bool:
    return SELL <= action < first_exchange(s)


@kernel
def sale(s: Any, action: int) -> tuple[int, int]:
    """The good an action sells, and how many cards of it."""
    if s.action_set == SET_SELL_ALL:
        return action - SELL, s.hand[s.seat, action - SELL]
    return SALE_GOOD[action - SELL], SALE_CARDS[action - SELL]


@kernel
def hand_change(s: Any, action: int, good: int) -> int:
    """How many cards of a good a take or an exchange brings into the hand, less those it gives away."""
    if action < first_exchange(s):
        return 1 if action == good else 0
    exchange = action - first_exchange(s)
    return MULTISETS[EXCHANGE_TAKEN[exchange], good] - MULTISETS[EXCHANGE_GIVEN[exchange], good]  # type: ignore[no-any-return]

"""What tells one way of playing Jaipur from another: sizes of sales and exchanges, and what camels are used for."""

from __future__ import annotations

from typing import Any

from meeple.games.jaipur.actions import (
    CAMELS,
    CHOOSE,
    EXCHANGE,
    EXCHANGE_GIVEN,
    EXCHANGE_SELL_ALL,
    EXCHANGE_TAKEN,
    SALE_CARDS,
    SELL,
    SET_SELL_ALL,
)
from meeple.games.jaipur.components import CAMEL
from meeple.games.jaipur.multisets import SIZE


def noted(s: Any, action: int) -> dict[str, float]:
    sells_all = s.action_set == SET_SELL_ALL
    first_exchange = EXCHANGE_SELL_ALL if sells_all else EXCHANGE
    if action >= CHOOSE:
        return {}
    if action >= first_exchange:
        cards = int(SIZE[EXCHANGE_TAKEN[action - first_exchange]])
        return {"cards of an exchange": cards, "camels given": cards - int(SIZE[EXCHANGE_GIVEN[action - first_exchange]])}
    if action >= SELL:
        cards = int(s.hand[s.seat, action - SELL]) if sells_all else int(SALE_CARDS[action - SELL])
        return {"cards of a sale": cards}
    return {"camels taken": int(s.market[CAMEL])} if action == CAMELS else {}

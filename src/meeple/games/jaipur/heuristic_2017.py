"""What the players of the 2017 thesis hold cards to be worth (section 4.3, Pseudocodes C.1 to C.5), with fractions of cards."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from meeple.core.kernel import kernel
from meeple.games.jaipur.components import CAMEL, GOODS, HAND_LIMIT, LEAST_SOLD, TOKEN

# WORTH[good, left, cards]: points for selling that many cards while `left` tokens remain; a short pile gives what it has.
WORTH = np.zeros((GOODS, TOKEN.shape[1], HAND_LIMIT + 2), np.int16)
for _good in range(GOODS):
    for _left in range(TOKEN.shape[1]):
        for _cards in range(1, WORTH.shape[2]):
            WORTH[_good, _left, _cards] = TOKEN[_good, max(0, _left - _cards + 1) : _left + 1].sum()

# The averages of the bonus piles for three, four and five cards: of a set sold, and of a set that could be.
BONUS = np.array([0, 0, 0, 2, 5, 9, 9, 9], np.float64)
SAME = 1e-9  # values closer than this are equal: sums of fractions differ in their last bits


class Weights(NamedTuple):
    """The adjustable parameters of section 4.3.3."""

    k1: float  # of cards that could be sold
    k2: float  # of a diamond, gold or silver that cannot, being alone
    k3: float  # of a camel


@kernel
def whole(quantity: float) -> int:
    """The cards of a quantity that are certain."""
    return int(quantity + SAME)


@kernel
def value_of_cards(cards: Any, tokens_left: Any, weights: Any) -> float:
    """C.4: a hand's or a market's cards, goods then camels, possibly fractions of them."""
    total = weights.k3 * cards[CAMEL]
    for good in range(GOODS):
        total += value_of_good(good, cards[good], tokens_left[good], weights)
    return total  # type: ignore[no-any-return]


@kernel
def value_of_good(good: int, quantity: float, left: int, weights: Any) -> float:
    """Goods tokens for the whole cards, a share of a token for the fraction, the bonus they promise; all weighted."""
    cards = whole(quantity)
    value = WORTH[good, left, cards] + BONUS[cards]
    # As printed, the fraction is a share of the last whole card's token, which that card has counted already.
    value += max(0.0, quantity - cards) * TOKEN[good, max(0, left - max(0, cards - 1))]
    single = LEAST_SOLD[good] > 1 and quantity + SAME < LEAST_SOLD[good]
    return value * (weights.k2 if single else weights.k1)  # type: ignore[no-any-return]

"""What a table is worth: named terms (data/evaluation.csv), each weighted for the opening and for the ending of a round.

A table is valued after a turn and before the market is refilled, so no card is counted that no seat has seen. Terms are taken for
the seat that waits, the one that has just moved, less those for the seat to move; the sum is in points of the final difference.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.data import read_rows
from meeple.core.kernel import kernel
from meeple.games.jaipur.components import CAMEL, GOODS, HAND_LIMIT, LEAST_SOLD, MARKET_SIZE, TOKEN
from meeple.games.jaipur.heuristic_2017 import WORTH
from meeple.games.jaipur.rules import points

_ROWS = read_rows(__file__, "evaluation.csv")
TERMS = tuple(row["term"] for row in _ROWS)
WEIGHTS = np.array([[float(row[phase]) for row in _ROWS] for phase in ("opening", "ending")])

TEMPO, POINTS, CAMEL_TOKEN_TERM, HERD = (TERMS.index(name) for name in ("tempo", "points", "camel_token", "herd"))
PRECIOUS, CHEAP, SINGLE, RIVALRY = (TERMS.index(name) for name in ("precious", "cheap", "single", "rivalry"))
PAIR, PRECIOUS_PAIR, HAND, CROWD = (TERMS.index(name) for name in ("pair", "precious_pair", "hand", "crowd"))
MARKET_PRECIOUS, MARKET_CHEAP, MARKET_PAIR = (TERMS.index(f"market_{name}") for name in ("precious", "cheap", "pair"))
MARKET_WANTED, MARKET_MINE, MARKET_CAMELS, MARKET_GAP = (
    TERMS.index(f"market_{name}") for name in ("wanted", "mine", "camels", "gap")
)

DEAREST = 3  # goods below it are the precious ones
FULL_DECK = 40  # cards in the deck when a round begins
FULL_PILES = 15  # tokens in the three smallest piles then
COMFORTABLE_HAND = 5
# A lead of that many points, at the opening and at the ending, makes a win e times as likely as a loss.
SPREAD = np.array([9.0, 4.0])


class Evaluation(NamedTuple):
    """The weights, with what depends on one good alone multiplied out."""

    weights: NDArray[np.float64]  # (phase, term)
    goods: NDArray[np.float64]  # (phase, good, tokens left, held by the seat that waits, held by the mover)
    market: NDArray[np.float64]  # (phase, good, tokens left, cards in the market)


def make_evaluation(weights: NDArray[np.float64] = WEIGHTS) -> Evaluation:
    left = TOKEN.shape[1]
    goods = np.zeros((2, GOODS, left, HAND_LIMIT + 1, HAND_LIMIT + 1))
    market = np.zeros((2, GOODS, left, MARKET_SIZE + 1))
    for good in range(GOODS):
        for tokens in range(left):
            for waiting in range(HAND_LIMIT + 1):
                for mover in range(HAND_LIMIT + 1):
                    terms = hand_terms(good, tokens, waiting, mover) - hand_terms(good, tokens, mover, waiting)
                    goods[:, good, tokens, waiting, mover] = weights @ terms
            for cards in range(MARKET_SIZE + 1):
                market[:, good, tokens, cards] = weights @ market_terms(good, tokens, cards)
    return Evaluation(np.ascontiguousarray(weights), goods, market)


def hand_terms(good: int, tokens: int, held: int, other: int) -> NDArray[np.float64]:
    """One seat's terms for one good in its hand."""
    terms = np.zeros(len(TERMS))
    if held == 0:
        return terms
    worth = float(WORTH[good, tokens, held])
    precious = good < DEAREST
    terms[SINGLE if held < LEAST_SOLD[good] else PRECIOUS if precious else CHEAP] = worth
    if other >= LEAST_SOLD[good]:
        terms[RIVALRY] = worth - float(WORTH[good, max(0, tokens - other), held])
    if held >= 2:
        terms[PRECIOUS_PAIR + min(held, 4) - 2 if precious else PAIR + min(held, 5) - 2] = 1
    return terms


def market_terms(good: int, tokens: int, cards: int) -> NDArray[np.float64]:
    """What a good in the market offers to whoever moves next."""
    terms = np.zeros(len(TERMS))
    value = float(TOKEN[good, tokens]) * cards
    terms[MARKET_PRECIOUS if good < DEAREST else MARKET_CHEAP] = value
    if good < DEAREST and cards >= 2:
        terms[MARKET_PAIR] = value
    return terms


@kernel
def evaluate(e: Any, s: Any) -> float:
    """Chance of the seat that waits to win the round, as log-odds."""
    opening = _value(e, s, 0)
    ending = _value(e, s, 1)
    left = share_left(s)
    return (opening * left + ending * (1 - left)) / (SPREAD[0] * left + SPREAD[1] * (1 - left))  # type: ignore[no-any-return]


@kernel
def _value(e: Any, s: Any, phase: int) -> float:
    """Expected final difference, by the weights of one phase."""
    mover = s.seat
    waiting = 1 - mover
    w = e.weights[phase]
    herds = s.herd[waiting] - s.herd[mover]
    value = w[TEMPO] + w[POINTS] * (points(s, waiting) - points(s, mover)) + w[HERD] * herds + w[CAMEL_TOKEN_TERM] * np.sign(herds)
    own = 0
    other = 0
    gap = MARKET_SIZE - s.market[CAMEL]
    for good in range(GOODS):
        tokens = s.tokens_left[good]
        mine = s.hand[waiting, good]
        theirs = s.hand[mover, good]
        cards = s.market[good]
        value += e.goods[phase, good, tokens, mine, theirs] + e.market[phase, good, tokens, cards]
        value += cards * (w[MARKET_WANTED] * min(theirs, 4) + w[MARKET_MINE] * min(mine, 4))
        own += mine
        other += theirs
        gap -= cards
    value += w[HAND] * (own - other) + w[CROWD] * (max(0, own - COMFORTABLE_HAND) - max(0, other - COMFORTABLE_HAND))
    return value + w[MARKET_CAMELS] * s.market[CAMEL] + w[MARKET_GAP] * gap  # type: ignore[no-any-return]


@kernel
def share_left(s: Any) -> float:
    """How much of the round is still to come, from 1 to 0: by the deck or by the three smallest piles, whichever is less."""
    first = 99
    second = 99
    third = 99
    for good in range(GOODS):
        tokens = s.tokens_left[good]
        if tokens < first:
            first, second, third = tokens, first, second
        elif tokens < second:
            second, third = tokens, second
        elif tokens < third:
            third = tokens
    return min(1.0, s.deck_left / FULL_DECK, (first + second + third) / FULL_PILES)  # type: ignore[no-any-return]


@kernel
def turn_back(s: Any, before: Any) -> None:
    """Take the cards that were turned up after a turn out of the market again: the turn did not earn them."""
    for i in range(s.deck_left, before.deck_left):
        s.market[before.deck[i]] -= 1
        s.deck[i] = before.deck[i]
    s.deck_left = before.deck_left

"""Observation level `seen`: everything a seat may know, as networks like it. `fields` and `observe` go in the same order."""

from __future__ import annotations

from typing import Any

import numpy as np

from meeple.core.encode import one_hot, scaled, thermometer, unit
from meeple.core.game import Field
from meeple.core.kernel import kernel
from meeple.games.jaipur.actions import SALE_CARDS, SALE_GOOD, SALES, SET_HIERARCHICAL, SET_SELL_ALL
from meeple.games.jaipur.components import (
    BONUS_OF,
    BONUS_PILES,
    BONUS_SORTED,
    CAMEL,
    CARDS_OF,
    GOODS,
    HAND_LIMIT,
    LEAST_SOLD,
    MARKET_SIZE,
    SEALS_TO_WIN,
    TOKEN,
    TOKENS_OF,
)
from meeple.games.jaipur.rules import hand_size, points

HELD = np.minimum(CARDS_OF[:GOODS], HAND_LIMIT).astype(np.int64)  # most cards of a good in a hand
CAMELS = int(CARDS_OF[CAMEL])
DEALT = 5  # unknown cards of a hand are those dealt to it
FIRST_DECK = 40  # cards in the deck when a round begins
LAST_CARDS, NEXT_TOKENS = 10, 3  # the end of the deck is counted card by card, the next tokens are shown
ALL_TOKENS, BEST_TOKEN, BEST_BONUS = int(TOKENS_OF.sum()), int(TOKEN.max()), int(BONUS_SORTED.max())
WORTH = TOKEN.sum(axis=1).astype(np.int64)  # of a full pile
BONUS_WORTH = BONUS_SORTED.sum(axis=1).astype(np.int64)
MOST_PAID = 40  # by a sale: six diamonds bring 29 and at most 10
LONG_ROUND, MANY_ROUNDS = 100, 5
POINTS, LEAD, MOST_POINTS = 100, 50, 221  # scales: a round is won with about 80 points


def fields(match: bool, sell_all: bool, two_steps: bool) -> tuple[Field, ...]:
    return (
        unit("to_move", 1, "it is the own turn"),
        unit("began", 1, "the own seat began the round"),
        unit("turns", 1, f"turns of the round, of {LONG_ROUND}; 1 when there were more"),
        *_card_fields(),
        *_token_fields(),
        *_point_fields(),
        *([unit("none_unseen", 2 * GOODS, "none of a good is among the unseen cards: the opponent's, own")] if sell_all else []),
        *([unit("seals", 2 * SEALS_TO_WIN, "own and the opponent's seals, thermometers")] if match else []),
        *([unit("rounds", 1, f"rounds completed, of {MANY_ROUNDS}; 1 when there were more")] if match else []),
        *([unit("step", 4, "what is decided now: kind, take, sell, exchange")] if two_steps else []),
    )


def _card_fields() -> tuple[Field, ...]:
    held = int(HELD.sum())
    return (
        unit("hand", held, "own goods, a thermometer each: diamond, gold, silver (6 places), cloth, spice, leather (7)"),
        unit("hand_size", HAND_LIMIT, "own goods together, thermometer"),
        unit("shown", GOODS, f"own goods that the opponent knows of, of {HAND_LIMIT}"),
        unit("market", 7 * MARKET_SIZE, f"market, a thermometer of {MARKET_SIZE} each: the goods, then camels"),
        unit("herds", 2 * CAMELS, "own and the opponent's camels, thermometers"),
        Field("herd_lead", 1, -1, 1, f"own camels less the opponent's, of {CAMELS}"),
        unit("opponent_known", held, "goods the opponent was seen to take and has not given away, thermometers as `hand`"),
        unit("opponent_unknown", DEALT, "its other goods, thermometer"),
        unit("opponent_size", HAND_LIMIT, "its goods together, thermometer"),
        unit("unseen", 7, "cards in the deck or unknown in the opponent's hand, as a share of their kind: the goods, then camels"),
        unit("deck", 1, f"cards in the deck, of {FIRST_DECK}"),
        unit("deck_last", LAST_CARDS, f"the last {LAST_CARDS} cards of the deck, thermometer"),
    )


def _token_fields() -> tuple[Field, ...]:
    return (
        unit("tokens", ALL_TOKENS, "goods tokens left, a thermometer each (5, 5, 5, 7, 7, 9 places)"),
        unit("next_tokens", NEXT_TOKENS * GOODS, f"values of the next {NEXT_TOKENS} tokens of each good, of {BEST_TOKEN}"),
        unit("tokens_worth", GOODS, "what the tokens left are worth together, as a share of the full pile"),
        unit("empty_piles", 3, "goods piles that are empty, thermometer: three end the round"),
        unit("bonus", int(BONUS_OF.sum()), "bonus tokens left, a thermometer each: for 3 (7 places), 4 (6), 5 cards (5)"),
        unit("bonus_mean", BONUS_PILES, f"what one of these is worth on average to who knows only its own, of {BEST_BONUS}"),
        unit("bonus_taken", 2 * BONUS_PILES, "bonus tokens taken, as a share of the pile: own, the opponent's"),
        unit("tokens_taken", 2, "goods tokens taken, as a share of all: own, the opponent's"),
    )


def _point_fields() -> tuple[Field, ...]:
    most = MOST_POINTS / POINTS
    return (
        Field("points", 1, 0, most, f"own points, of {POINTS}"),
        Field("opponent_open", 1, 0, most, f"the opponent's points that lie open, of {POINTS}"),
        Field("opponent_points", 1, 0, most, "the same with the mean of each bonus token"),
        Field("lead", 1, -MOST_POINTS / LEAD, MOST_POINTS / LEAD, f"own points less these, of {LEAD}"),
        unit(
            "sale",
            SALES,
            f"what each possible sale would pay, the mean bonus included, of {MOST_PAID}; in the order of the actions",
        ),
        unit("opponent_sale", GOODS, "what selling all cards of a good that are known would pay the opponent, likewise"),
    )


@kernel
def observe(s: Any, seat: int, out: Any) -> None:
    n = scaled(out, 0, s.seat == seat, 1)
    n = scaled(out, n, s.starter == seat, 1)
    n = scaled(out, n, min(s.round_turn, LONG_ROUND), LONG_ROUND)
    n = _observe_own(s, seat, out, n)
    n = _observe_opponent(s, seat, out, n)
    n = _observe_tokens(s, out, n)
    n = _observe_bonus(s, seat, out, n)
    n = _observe_points(s, seat, out, n)
    n = _observe_sales(s, seat, out, n)
    _observe_rest(s, seat, out, n)


@kernel
def _observe_own(s: Any, seat: int, out: Any, n: int) -> int:
    """Own cards and the market."""
    for good in range(GOODS):
        n = thermometer(out, n, s.hand[seat, good], HELD[good])
    n = thermometer(out, n, hand_size(s, seat), HAND_LIMIT)
    for good in range(GOODS):
        n = scaled(out, n, s.known[seat, good], HAND_LIMIT)
    for kind in range(7):
        n = thermometer(out, n, s.market[kind], MARKET_SIZE)
    n = thermometer(out, n, s.herd[seat], CAMELS)
    n = thermometer(out, n, s.herd[1 - seat], CAMELS)
    return scaled(out, n, s.herd[seat] - s.herd[1 - seat], CAMELS)


@kernel
def _observe_opponent(s: Any, seat: int, out: Any, n: int) -> int:
    """What is known of the opponent's cards, and what may be in the rest of them or in the deck."""
    other = 1 - seat
    unknown = hand_size(s, other)
    for good in range(GOODS):
        n = thermometer(out, n, s.known[other, good], HELD[good])
        unknown -= s.known[other, good]
    n = thermometer(out, n, unknown, DEALT)
    n = thermometer(out, n, hand_size(s, other), HAND_LIMIT)
    for kind in range(7):
        # A card may be in either place, so only the sum is known, and a redeal keeps it.
        unseen = s.hand[other, kind] - s.known[other, kind] if kind < GOODS else 0
        for i in range(s.deck_left):
            if s.deck[i] == kind:
                unseen += 1
        n = scaled(out, n, unseen, CARDS_OF[kind])
    n = scaled(out, n, s.deck_left, FIRST_DECK)
    return thermometer(out, n, s.deck_left, LAST_CARDS)


@kernel
def _observe_tokens(s: Any, out: Any, n: int) -> int:
    for good in range(GOODS):
        n = thermometer(out, n, s.tokens_left[good], TOKENS_OF[good])
    for good in range(GOODS):
        for i in range(NEXT_TOKENS):
            n = scaled(out, n, TOKEN[good, max(0, s.tokens_left[good] - i)], BEST_TOKEN)
    empty = 0
    for good in range(GOODS):
        worth = 0
        for left in range(1, s.tokens_left[good] + 1):
            worth += TOKEN[good, left]
        n = scaled(out, n, worth, WORTH[good])
        empty += s.tokens_left[good] == 0
    return thermometer(out, n, empty, 3)


@kernel
def _observe_bonus(s: Any, seat: int, out: Any, n: int) -> int:
    for pile in range(BONUS_PILES):
        n = thermometer(out, n, s.bonus_left[pile], BONUS_OF[pile])
    for pile in range(BONUS_PILES):
        n = scaled(out, n, bonus_mean(s, seat, pile), BEST_BONUS)
    for i in range(2):
        for pile in range(BONUS_PILES):
            n = scaled(out, n, bonus_taken(s, (seat + i) % 2, pile), BONUS_OF[pile])
    n = scaled(out, n, s.goods_tokens[seat], ALL_TOKENS)
    return scaled(out, n, s.goods_tokens[1 - seat], ALL_TOKENS)


@kernel
def bonus_taken(s: Any, seat: int, pile: int) -> int:
    """Bonus tokens of a pile that a seat has."""
    taken = 0
    for i in range(s.bonus_left[pile], BONUS_OF[pile]):
        taken += s.bonus_owner[pile, i] == seat
    return taken


@kernel
def bonus_mean(s: Any, seat: int, pile: int) -> float:
    """The mean of a pile's tokens that a seat has not turned over, be they the opponent's or still there."""
    worth = BONUS_WORTH[pile]
    for i in range(s.bonus_left[pile], BONUS_OF[pile]):
        if s.bonus_owner[pile, i] == seat:
            worth -= s.bonus[pile, i]
    return worth / max(1, BONUS_OF[pile] - bonus_taken(s, seat, pile))  # type: ignore[no-any-return]


@kernel
def _observe_points(s: Any, seat: int, out: Any, n: int) -> int:
    other = 1 - seat
    known = points(s, other) - s.bonus_points[other]
    reckoned = 1.0 * known
    for pile in range(BONUS_PILES):
        reckoned += bonus_taken(s, other, pile) * bonus_mean(s, seat, pile)
    n = scaled(out, n, points(s, seat), POINTS)
    n = scaled(out, n, known, POINTS)
    n = scaled(out, n, reckoned, POINTS)
    return scaled(out, n, points(s, seat) - reckoned, LEAD)


@kernel
def _observe_sales(s: Any, seat: int, out: Any, n: int) -> int:
    for sale in range(SALES):
        good, cards = SALE_GOOD[sale], SALE_CARDS[sale]
        n = scaled(out, n, sale_pays(s, seat, good, cards) if cards <= s.hand[seat, good] else 0.0, MOST_PAID)
    for good in range(GOODS):
        cards = s.known[1 - seat, good]
        n = scaled(out, n, sale_pays(s, seat, good, cards) if cards >= LEAST_SOLD[good] else 0.0, MOST_PAID)
    return n


@kernel
def sale_pays(s: Any, seat: int, good: int, cards: int) -> float:
    """What selling cards of a good pays now, with the bonus that the seat must expect."""
    paid = 0.0
    for i in range(min(cards, s.tokens_left[good])):
        paid += TOKEN[good, s.tokens_left[good] - i]
    if cards >= 3 and s.bonus_left[min(cards, 5) - 3] > 0:
        paid += bonus_mean(s, seat, min(cards, 5) - 3)
    return paid


@kernel
def _observe_rest(s: Any, seat: int, out: Any, n: int) -> None:
    """What only some action sets and the match have."""
    if s.action_set == SET_SELL_ALL:
        for i in range(1, 3):
            for good in range(GOODS):
                n = scaled(out, n, s.none_unseen[(seat + i) % 2, good], 1)
    if s.match:
        n = thermometer(out, n, s.seals[seat], SEALS_TO_WIN)
        n = thermometer(out, n, s.seals[1 - seat], SEALS_TO_WIN)
        n = scaled(out, n, min(s.rounds, MANY_ROUNDS), MANY_ROUNDS)
    if s.action_set == SET_HIERARCHICAL:
        one_hot(out, n, s.chosen, 4)

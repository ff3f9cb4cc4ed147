"""Jaipur's state and how a round is dealt."""

from __future__ import annotations

from typing import Any

from meeple.core.game import state_dtype
from meeple.core.kernel import kernel
from meeple.core.rng import derive, shuffle
from meeple.games.jaipur.components import (
    BONUS_OF,
    BONUS_PILES,
    BONUS_SORTED,
    CAMEL,
    CARDS_OF,
    GOODS,
    MARKET_SIZE,
    TOKENS_OF,
)

DECK = 52  # 55 cards less the three camels that start in the market
NOBODY = -1

STATE = state_dtype(
    [
        # Chosen before the game
        ("match", "i1"),  # 1: first to two seals; 0: a single round
        ("action_set", "i1"),
        ("rules_2017", "i1"),
        # The table
        ("market", "i1", (7,)),
        ("tokens_left", "i1", (GOODS,)),
        ("bonus_left", "i1", (BONUS_PILES,)),
        ("bonus", "i1", (BONUS_PILES, 7)),  # shuffled; token i of a pile is on top while i + 1 are left
        ("bonus_owner", "i1", (BONUS_PILES, 7)),  # the seat that took it, or NOBODY
        ("deck", "i1", (DECK,)),  # deck[deck_left - 1] is the next card; drawn places are NOBODY
        ("deck_left", "i1"),
        # The two players
        ("hand", "i1", (2, GOODS)),
        ("herd", "i1", (2,)),
        ("known", "i1", (2, GOODS)),  # cards of a hand that the other seat has seen go into it
        ("none_unseen", "i1", (2, GOODS)),  # 1: none of the cards the other seat has not seen is of this good
        ("goods_points", "i2", (2,)),
        ("bonus_points", "i2", (2,)),
        ("goods_tokens", "i1", (2,)),
        ("bonus_tokens", "i1", (2,)),
        ("camel_token", "i1"),  # who got it at the end of the round, or NOBODY
        # The turn and the match
        ("chosen", "i1"),  # kind of action chosen first, in the hierarchical action set (0: none yet)
        ("starter", "i1"),
        ("round_turn", "i2"),
        ("rounds", "i2"),  # rounds completed
        ("seals", "i1", (2,)),
        ("last_points", "i2", (2,)),  # of the round before this one: all is open once a round is over
    ]
)


@kernel
def deal(s: Any, config: Any, seed: Any) -> None:
    """config: variant (match, round), action set, rules (official, 2017)."""
    s.luck[0] = derive(seed, 0)
    s.ply = 0
    s.turn = 0
    s.match = 1 - config[0]
    s.action_set = config[1]
    s.rules_2017 = config[2]
    s.rounds = 0
    for seat in range(2):
        s.seals[seat] = 0
        s.last_points[seat] = 0
    deal_round(s, 0)


@kernel
def deal_round(s: Any, starter: int) -> None:
    """Rulebook, Setup: three camels and two cards to the market, five cards each, camels to the herds."""
    s.end = 0
    s.seat = starter
    s.starter = starter
    s.chosen = 0
    s.round_turn = 0
    s.camel_token = NOBODY
    for seat in range(2):
        s.herd[seat] = 0
        s.goods_points[seat] = 0
        s.bonus_points[seat] = 0
        s.goods_tokens[seat] = 0
        s.bonus_tokens[seat] = 0
        for good in range(GOODS):
            s.hand[seat, good] = 0
            s.known[seat, good] = 0
            s.none_unseen[seat, good] = 0
    for good in range(GOODS):
        s.tokens_left[good] = TOKENS_OF[good]
        s.market[good] = 0
    s.market[CAMEL] = 3
    _shuffle_bonus(s)
    _shuffle_deck(s)
    for _ in range(5):
        for seat in range(2):
            card = draw_card(s)
            if card == CAMEL:
                s.herd[seat] += 1
            else:
                s.hand[seat, card] += 1
    refill(s)


@kernel
def _shuffle_bonus(s: Any) -> None:
    for pile in range(BONUS_PILES):
        s.bonus_left[pile] = BONUS_OF[pile]
        for i in range(7):
            s.bonus[pile, i] = BONUS_SORTED[pile, i]
            s.bonus_owner[pile, i] = NOBODY
        shuffle(s.bonus[pile], BONUS_OF[pile], s.luck)


@kernel
def _shuffle_deck(s: Any) -> None:
    n = 0
    for kind in range(7):
        for _ in range(CARDS_OF[kind] - (3 if kind == CAMEL else 0)):
            s.deck[n] = kind
            n += 1
    s.deck_left = n
    shuffle(s.deck, n, s.luck)


@kernel
def draw_card(s: Any) -> int:
    """Take the top card. Its place is wiped: a drawn card left behind there would tell a copy's reader the hands."""
    s.deck_left -= 1
    card = s.deck[s.deck_left]
    s.deck[s.deck_left] = NOBODY
    return card  # type: ignore[no-any-return]


@kernel
def refill(s: Any) -> bool:
    """Fill the market to five cards; False if the deck does not allow it."""
    missing = MARKET_SIZE
    for kind in range(7):
        missing -= s.market[kind]
    while missing > 0 and s.deck_left > 0:
        s.market[draw_card(s)] += 1
        missing -= 1
    return missing == 0

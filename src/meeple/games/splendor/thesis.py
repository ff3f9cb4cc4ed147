"""The action set of the thesis: 371 actions, each a whole turn; cards are named by themselves, not by where they lie.

  0-29   take tokens, numbered as in actions.py    210-299  buy a card of one's own reserve
 30-119  reserve a face-up card                    300-370  return tokens: a turn of its own
120-209  buy a face-up card

The thesis gives the number, the five kinds and that a card is named; RULES.md says what it leaves open and what we decided.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Any

import numpy as np

from meeple.core.kernel import kernel
from meeple.games.splendor.actions import PAY, RESERVE, TAKE_SAME, TAKEN
from meeple.games.splendor.components import (
    BONUS,
    CARDS,
    COLOURS,
    COST,
    FACE_UP,
    LEAST_PILE_FOR_TWO,
    POINTS,
    RESERVED,
    SLOTS,
    TOKEN_LIMIT,
    TOKENS,
)
from meeple.games.splendor.purchase import affordable, card_at, decide_payment, start_purchase
from meeple.games.splendor.rules import free_reserve, reserve_face_up, take_gold, take_tokens
from meeple.games.splendor.state import NOBODY
from meeple.games.splendor.turns import attracts, next_turn, receive_noble, tokens_held

TAKES = RESERVE  # takes have the same numbers in both sets
RESERVE_CARD = TAKES
BUY_CARD = RESERVE_CARD + CARDS
BUY_RESERVED_CARD = BUY_CARD + CARDS
RETURN_TOKENS = BUY_RESERVED_CARD + CARDS

# One token, or two or three that are not all of one colour: 71 ways, which with the 300 actions before makes 371.
RETURNS = [
    group for size in (1, 2, 3) for group in combinations_with_replacement(range(TOKENS), size) if size == 1 or len(set(group)) > 1
]
RETURNED = np.array([[group.count(token) for token in range(TOKENS)] for group in RETURNS], np.int8)
ACTIONS = RETURN_TOKENS + len(RETURNS)
# With one token of each colour and two gold in hand 25 takes and 46 returns are possible, more with no other hand (the tests go
# through them all); and twelve reserves with two cards in reserve, and buys of all those.
MAX_LEGAL = 25 + 46 + FACE_UP + (FACE_UP + RESERVED - 1)

# What the thesis's network is told of a card: bonus and points, then the cost. The row of NOBODY, -1, is the last one.
CODE = 2 + COLOURS
CODES = np.zeros((CARDS + 1, CODE), np.float32)
CODES[:CARDS] = np.column_stack([BONUS, POINTS, COST])


@kernel
def legal(s: Any, out: Any) -> int:
    n = _legal_takes(s, out)
    n = _legal_cards(s, out, n)
    for i in range(RETURNED.shape[0]):
        if _covers(s.tokens[s.seat], RETURNED[i], TOKENS):
            out[n] = RETURN_TOKENS + i
            n += 1
    return n


@kernel
def _legal_takes(s: Any, out: Any) -> int:
    """One, two or three different tokens as one likes, or two of a colour; never more than ten in hand."""
    n = 0
    room = TOKEN_LIMIT - tokens_held(s, s.seat)
    for action in range(TAKES):
        tokens = 0
        for colour in range(COLOURS):
            tokens += TAKEN[action, colour]
        enough = _covers(s.bank, TAKEN[action], COLOURS)
        if action >= TAKE_SAME:
            enough = s.bank[action - TAKE_SAME] >= LEAST_PILE_FOR_TWO
        if enough and tokens <= room:
            out[n] = action
            n += 1
    return n


@kernel
def _legal_cards(s: Any, out: Any, n: int) -> int:
    free = free_reserve(s, s.seat) != NOBODY
    for place in range(FACE_UP + RESERVED):
        card = int(card_at(s, place))  # wide enough for an id, with and without the compiler
        if card == NOBODY:
            continue
        if place < FACE_UP and free:
            out[n] = RESERVE_CARD + card
            n += 1
        if affordable(s, s.seat, card):
            out[n] = (BUY_CARD if place < FACE_UP else BUY_RESERVED_CARD) + card
            n += 1
    return n


@kernel
def kind(action: int) -> int:
    """The five kinds of the thesis, numbered as dispatch.py names them."""
    if action < RESERVE_CARD:
        return 0
    if action < BUY_CARD:
        return 1
    if action < BUY_RESERVED_CARD:
        return 2
    return 3 if action < RETURN_TOKENS else 4


@kernel
def _covers(held: Any, asked: Any, kinds: int) -> bool:
    for kind in range(kinds):
        if held[kind] < asked[kind]:
            return False
    return True


@kernel
def apply(s: Any, action: int) -> None:
    if action < TAKES:
        take_tokens(s, action)
    elif action < BUY_CARD:
        reserve_face_up(s, _place_of(s, action - RESERVE_CARD))
        if tokens_held(s, s.seat) < TOKEN_LIMIT:
            take_gold(s)
    elif action < RETURN_TOKENS:
        start_purchase(s, _place_of(s, (action - BUY_CARD) % CARDS))
        if s.buying != NOBODY:
            decide_payment(s, PAY)  # with as little gold as possible: there is no action to choose
    else:
        for token in range(TOKENS):
            s.tokens[s.seat, token] -= RETURNED[action - RETURN_TOKENS, token]
            s.bank[token] += RETURNED[action - RETURN_TOKENS, token]
    _end_turn(s)


@kernel
def _place_of(s: Any, card: int) -> int:
    """Where a card lies that the seat to move may buy or reserve."""
    place = 0
    while card_at(s, place) != card:
        place += 1
    return place


@kernel
def _end_turn(s: Any) -> None:
    """Of several nobles the first one comes: there is no action to choose."""
    for slot in range(s.players + 1):
        if attracts(s, s.seat, slot):
            receive_noble(s, slot)
            break
    next_turn(s)


@kernel
def observe(s: Any, seat: int, out: Any) -> None:
    """156 numbers: twelve cards, the six reserved ones, the bank, and points, bonuses and tokens of both players."""
    n = 0
    for place in range(FACE_UP):
        n = _observe_card(s.face_up[place // SLOTS, place % SLOTS], out, n)
    for i in range(2):
        for slot in range(RESERVED):
            n = _observe_card(s.reserved[(seat + i) % 2, slot], out, n)
    for token in range(TOKENS):
        out[n] = s.bank[token]
        n += 1
    for i in range(2):
        n = _observe_player(s, (seat + i) % 2, out, n)


@kernel
def _observe_card(card: int, out: Any, n: int) -> int:
    for i in range(CODE):
        out[n + i] = CODES[card, i]
    return n + CODE


@kernel
def _observe_player(s: Any, seat: int, out: Any, n: int) -> int:
    out[n] = s.points[seat]
    n += 1
    for colour in range(COLOURS):
        out[n] = s.bonuses[seat, colour]
        n += 1
    for token in range(TOKENS):
        out[n] = s.tokens[seat, token]
        n += 1
    return n

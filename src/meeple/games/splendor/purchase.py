"""Buying a card: what can be afforded, and which tokens it is paid with. Kernels, as in rules.py."""

from __future__ import annotations

from typing import Any

from meeple.core.kernel import kernel
from meeple.games.splendor.actions import BUY, GOLD_FOR, PAY
from meeple.games.splendor.components import BONUS, COLOURS, COST, FACE_UP, GOLD, POINTS, RESERVED, SLOTS, TOKENS
from meeple.games.splendor.state import NOBODY, clear_purchase, refill


@kernel
def card_at(s: Any, place: int) -> int:
    """The card at a place where the seat to move can buy, or NOBODY."""
    if place < FACE_UP:
        return s.face_up[place // SLOTS, place % SLOTS]  # type: ignore[no-any-return]
    return s.reserved[s.seat, place - FACE_UP]  # type: ignore[no-any-return]


@kernel
def shortage(s: Any, seat: int, card: int) -> int:
    """Tokens a seat lacks for a card when its gold is left aside."""
    lacking = 0
    for colour in range(COLOURS):
        lacking += max(0, COST[card, colour] - s.bonuses[seat, colour] - s.tokens[seat, colour])
    return lacking


@kernel
def affordable(s: Any, seat: int, card: int) -> bool:
    """Rulebook, Buy: a gold token stands for any colour."""
    return shortage(s, seat, card) <= s.tokens[seat, GOLD]  # type: ignore[no-any-return]


@kernel
def legal_buys(s: Any, out: Any, n: int) -> int:
    for place in range(FACE_UP + RESERVED):
        card = card_at(s, place)
        if card != NOBODY and affordable(s, s.seat, card):
            out[n] = BUY + place
            n += 1
    return n


@kernel
def legal_payments(s: Any, out: Any) -> int:
    """A payment is a multiset of colours replaced by gold, so they are named in one order only."""
    n = 0
    for colour in range(s.gold_from, COLOURS):
        if s.price[colour] > 0:
            out[n] = GOLD_FOR + colour
            n += 1
    out[n] = PAY
    return n + 1


@kernel
def start_purchase(s: Any, place: int) -> None:
    """The price with as little gold as possible; whoever buys may then give more gold and keep other tokens."""
    seat = s.seat
    card = card_at(s, place)
    s.buying = place
    for colour in range(COLOURS):
        due = max(0, COST[card, colour] - s.bonuses[seat, colour])
        s.price[colour] = min(due, s.tokens[seat, colour])
        s.price[GOLD] += due - s.price[colour]
    if place >= FACE_UP:
        s.blind[seat, place - FACE_UP] = 0  # a card that is bought is shown
    _settle(s)


@kernel
def decide_payment(s: Any, action: int) -> None:
    """One more token of a colour is paid with gold, or enough of that."""
    if action == PAY:
        _finish_purchase(s)
        return
    colour = action - GOLD_FOR
    s.price[colour] -= 1
    s.price[GOLD] += 1
    s.gold_from = colour
    _settle(s)


@kernel
def _settle(s: Any) -> None:
    """Pay at once unless there is a choice: gold left, and a coloured token that it can still replace."""
    if s.tokens[s.seat, GOLD] > s.price[GOLD]:
        for colour in range(s.gold_from, COLOURS):
            if s.price[colour] > 0:
                return
    _finish_purchase(s)


@kernel
def _finish_purchase(s: Any) -> None:
    """Pay, take the card, and only then turn up the next one."""
    seat = s.seat
    place = s.buying
    card = card_at(s, place)
    for token in range(TOKENS):
        s.tokens[seat, token] -= s.price[token]
        s.bank[token] += s.price[token]
    clear_purchase(s)
    s.bonuses[seat, BONUS[card]] += 1
    s.points[seat] += POINTS[card]
    s.bought[seat] += 1
    if place < FACE_UP:
        refill(s, place // SLOTS, place % SLOTS)
    else:
        s.reserved[seat, place - FACE_UP] = NOBODY

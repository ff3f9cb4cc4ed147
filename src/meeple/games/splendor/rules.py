"""What a turn may do, and doing it. Kernels: legality is assumed, nothing is checked here."""

from __future__ import annotations

from typing import Any

from meeple.core.kernel import kernel
from meeple.games.splendor.actions import (
    BUY,
    BUY_RESERVED,
    GOLD_FOR,
    NOBLE,
    PASS,
    RESERVE,
    RESERVE_DECK,
    RETURN,
    TAKE_SAME,
    TAKEN,
    TAKES,
    TAKES_OF,
)
from meeple.games.splendor.components import (
    COLOURS,
    FACE_UP,
    GOLD,
    LEAST_PILE_FOR_TWO,
    LEVELS,
    RESERVED,
    SLOTS,
    TOKENS,
)
from meeple.games.splendor.purchase import card_at, decide_payment, legal_buys, legal_payments, start_purchase
from meeple.games.splendor.state import CHOOSING_NOBLE, NOBODY, PAYING, RETURNING, draw_card, refill
from meeple.games.splendor.turns import attracts, go_on, next_turn, receive_noble


@kernel
def free_reserve(s: Any, seat: int) -> int:
    """The first empty place of a reserve, or NOBODY: three cards are the most."""
    for slot in range(RESERVED):
        if s.reserved[seat, slot] == NOBODY:
            return slot
    return NOBODY


# ---- Legal actions -------------------------------------------------------------------------------------------------


@kernel
def legal(s: Any, out: Any) -> int:
    if s.phase == PAYING:
        return legal_payments(s, out)
    if s.phase == RETURNING:
        return _legal_returns(s, out)
    if s.phase == CHOOSING_NOBLE:
        return _legal_nobles(s, out)
    n = legal_takes(s, out, 0)
    n = legal_reserves(s, out, n)
    n = legal_buys(s, out, n)
    if n == 0:
        out[0] = PASS
        n = 1
    return n


@kernel
def legal_takes(s: Any, out: Any, n: int) -> int:
    """Rulebook: three different colours, fewer only where fewer are left; or two of a colour of which four are left."""
    left = 0
    for colour in range(COLOURS):
        if s.bank[colour] > 0:
            left |= 1 << colour
    for i in range(TAKES_OF[left]):
        out[n] = TAKES[left, i]
        n += 1
    for colour in range(COLOURS):
        if s.bank[colour] >= LEAST_PILE_FOR_TWO:
            out[n] = TAKE_SAME + colour
            n += 1
    return n


@kernel
def legal_reserves(s: Any, out: Any, n: int) -> int:
    """Rulebook, Reserve: at most three cards in hand; no gold need be left."""
    if free_reserve(s, s.seat) == NOBODY:
        return n
    for place in range(FACE_UP):
        if card_at(s, place) != NOBODY:
            out[n] = RESERVE + place
            n += 1
    for level in range(LEVELS):
        if s.deck_left[level] > 0:
            out[n] = RESERVE_DECK + level
            n += 1
    return n


@kernel
def _legal_returns(s: Any, out: Any) -> int:
    n = 0
    for token in range(TOKENS):
        if s.tokens[s.seat, token] > 0:
            out[n] = RETURN + token
            n += 1
    return n


@kernel
def _legal_nobles(s: Any, out: Any) -> int:
    n = 0
    for slot in range(s.players + 1):
        if attracts(s, s.seat, slot):
            out[n] = NOBLE + slot
            n += 1
    return n


@kernel
def kind(action: int) -> int:
    """Numbered as dispatch.py names them."""
    if action < RESERVE:
        return 0
    if action < BUY:
        return 1
    if action < PASS:
        return 2 if action < BUY_RESERVED else 3
    if action == PASS:
        return 5
    if action < NOBLE:
        return 4
    return 6 if action < GOLD_FOR else 7


# ---- Making an action ----------------------------------------------------------------------------------------------


@kernel
def apply(s: Any, action: int) -> None:
    if action > PASS:
        _decide(s, action)
        return
    s.passed[s.seat] = 1 if action == PASS else 0
    if action < RESERVE:
        take_tokens(s, action)
    elif action < RESERVE_DECK:
        reserve_face_up(s, action - RESERVE)
        take_gold(s)
    elif action < BUY:
        _keep(s, draw_card(s, action - RESERVE_DECK), 1)
        take_gold(s)
    elif action < PASS:
        start_purchase(s, action - BUY)
    go_on(s)


@kernel
def _decide(s: Any, action: int) -> None:
    """What is still open in a turn: the payment, tokens to return, a noble to choose."""
    if action >= GOLD_FOR:
        decide_payment(s, action)
        go_on(s)
    elif action >= NOBLE:
        receive_noble(s, action - NOBLE)
        next_turn(s)
    else:
        s.tokens[s.seat, action - RETURN] -= 1
        s.bank[action - RETURN] += 1
        go_on(s)


@kernel
def take_tokens(s: Any, action: int) -> None:
    for colour in range(COLOURS):
        s.bank[colour] -= TAKEN[action, colour]
        s.tokens[s.seat, colour] += TAKEN[action, colour]


@kernel
def reserve_face_up(s: Any, place: int) -> None:
    _keep(s, card_at(s, place), 0)
    refill(s, place // SLOTS, place % SLOTS)


@kernel
def _keep(s: Any, card: int, blind: int) -> None:
    slot = free_reserve(s, s.seat)
    s.reserved[s.seat, slot] = card
    s.blind[s.seat, slot] = blind


@kernel
def take_gold(s: Any) -> None:
    """Rulebook, Reserve: a gold token comes with the card, if there is one."""
    if s.bank[GOLD] > 0:
        s.bank[GOLD] -= 1
        s.tokens[s.seat, GOLD] += 1

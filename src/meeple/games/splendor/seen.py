"""Observation level `seen`: everything a seat may know, as networks like it. seen_fields.py has names and bounds.

Own side first, then the others in turn order. What a card would take to buy is worked out for everybody, since that is what the
counts of tokens and bonuses are for.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from meeple.core.encode import one_hot, scaled, thermometer
from meeple.core.kernel import kernel
from meeple.games.splendor.components import (
    BONUS,
    CARDS,
    CARDS_OF,
    COLOURS,
    COST,
    FACE_UP,
    GOLD,
    GOLD_TOKENS,
    LEVEL,
    LEVELS,
    NOBLE_NEEDS,
    POINTS,
    POINTS_TO_WIN,
    RESERVED,
    SLOTS,
    TOKEN_LIMIT,
    TOKENS,
)
from meeple.games.splendor.purchase import shortage
from meeple.games.splendor.state import NOBODY, PAYING
from meeple.games.splendor.turns import tokens_held

DEAREST = int(COST.max())  # more bonuses than that of a colour buy nothing more
MOST_SHORT = int(COST.sum(axis=1).max())
MOST_NEEDED = int(NOBLE_NEEDS.max())
NOBLE_SHORT = int(NOBLE_NEEDS.sum(axis=1).max())
MOST_POINTS = int(POINTS.max())
EXCESS = 3  # tokens above ten, at most
LONG_GAME, MANY_CARDS = 40, 20  # turns of a player; cards bought

# What a card shows: points, bonus, cost. The row of NOBODY, -1, is the last one, and all zeros.
FACE = 1 + 2 * COLOURS
FACES = np.zeros((CARDS + 1, FACE), np.float32)
FACES[:CARDS] = np.column_stack([POINTS / MOST_POINTS, np.eye(COLOURS)[BONUS], COST / DEAREST])
SIZES = np.array(CARDS_OF - SLOTS, np.int64)  # of the decks after the deal


@kernel
def observe(s: Any, seat: int, out: Any) -> None:
    n = _observe_turn(s, seat, out)
    most = 4 if s.players == 2 else (5 if s.players == 3 else 7)
    n = _observe_tokens(s.bank, most, out, n)
    for deck in range(LEVELS):
        n = scaled(out, n, s.deck_left[deck], SIZES[deck])
    for slot in range(s.players + 1):
        n = _observe_noble(s, seat, s.nobles[slot], out, n)
    for place in range(FACE_UP):
        n = _observe_card(s, seat, s.face_up[place // SLOTS, place % SLOTS], out, n)
    n = _observe_standing(s, seat, out, n)
    n = _observe_tokens(s.tokens[seat], most, out, n)
    for colour in range(COLOURS):
        n = thermometer(out, n, s.bonuses[seat, colour], DEAREST)
    n = _observe_reserve(s, seat, True, out, n)
    for i in range(1, s.players):
        n = _observe_other(s, (seat + i) % s.players, max(most, GOLD_TOKENS), out, n)


@kernel
def _observe_turn(s: Any, seat: int, out: Any) -> int:
    out[0] = min(1.0, s.turn / s.players / LONG_GAME)
    out[1] = s.last_round
    n = one_hot(out, 2, seat, s.players)
    n = one_hot(out, n, (s.seat - seat + s.players) % s.players, s.players)
    n = one_hot(out, n, s.phase, 4)
    n = one_hot(out, n, s.buying, FACE_UP + RESERVED)
    for token in range(TOKENS):
        n = scaled(out, n, s.price[token], DEAREST)
    n = one_hot(out, n, s.gold_from if s.phase == PAYING else NOBODY, COLOURS)
    return thermometer(out, n, tokens_held(s, s.seat) - TOKEN_LIMIT, EXCESS)


@kernel
def _observe_tokens(tokens: Any, most: int, out: Any, n: int) -> int:
    for colour in range(COLOURS):
        n = thermometer(out, n, tokens[colour], most)
    return thermometer(out, n, tokens[GOLD], GOLD_TOKENS)


@kernel
def _observe_noble(s: Any, seat: int, noble: int, out: Any, n: int) -> int:
    here = noble != NOBODY
    out[n] = 1.0 if here else 0.0
    for i in range(2 * COLOURS + s.players):
        out[n + 1 + i] = 0.0
    if here:
        for colour in range(COLOURS):
            needs = NOBLE_NEEDS[noble, colour]
            scaled(out, n + 1 + colour, needs, MOST_NEEDED)
            scaled(out, n + 1 + COLOURS + colour, max(0, needs - s.bonuses[seat, colour]), MOST_NEEDED)
        for i in range(s.players):
            scaled(out, n + 1 + 2 * COLOURS + i, noble_short(s, (seat + i) % s.players, noble), NOBLE_SHORT)
    return n + 1 + 2 * COLOURS + int(s.players)


@kernel
def noble_short(s: Any, seat: int, noble: int) -> int:
    """Bonuses that a seat lacks for a noble."""
    lacking = 0
    for colour in range(COLOURS):
        lacking += max(0, NOBLE_NEEDS[noble, colour] - s.bonuses[seat, colour])
    return lacking


@kernel
def _observe_card(s: Any, seat: int, card: int, out: Any, n: int) -> int:
    """A face-up card, and what everybody lacks for it."""
    n = _observe_face(card, out, n)
    n = _observe_lacking(s, seat, card, out, n)
    for i in range(s.players):
        _observe_price(s, (seat + i) % s.players, card, out, n + i, int(s.players))
    return n + 2 * int(s.players)


@kernel
def _observe_face(card: int, out: Any, n: int) -> int:
    for i in range(FACE):
        out[n + i] = FACES[card, i]
    return n + FACE


@kernel
def _observe_lacking(s: Any, seat: int, card: int, out: Any, n: int) -> int:
    for colour in range(COLOURS):
        lacking = COST[card, colour] - s.bonuses[seat, colour] - s.tokens[seat, colour] if card != NOBODY else 0
        n = scaled(out, n, max(0, lacking), DEAREST)
    return n


@kernel
def _observe_price(s: Any, seat: int, card: int, out: Any, n: int, step: int) -> None:
    """What a seat is short of at n, and whether it can pay at n + step."""
    short = max(0, shortage(s, seat, card) - s.tokens[seat, GOLD]) if card != NOBODY else 0
    out[n] = short / MOST_SHORT
    out[n + step] = 1.0 if card != NOBODY and short == 0 else 0.0


@kernel
def _observe_standing(s: Any, seat: int, out: Any, n: int) -> int:
    n = thermometer(out, n, s.points[seat], POINTS_TO_WIN)
    n = scaled(out, n, s.bought[seat], MANY_CARDS)
    n = thermometer(out, n, s.nobles_won[seat], s.players + 1)
    n = scaled(out, n, s.passed[seat], 1)
    return scaled(out, n, tokens_held(s, seat), TOKEN_LIMIT)


@kernel
def _observe_other(s: Any, seat: int, most: int, out: Any, n: int) -> int:
    n = _observe_standing(s, seat, out, n)
    for token in range(TOKENS):
        n = scaled(out, n, s.tokens[seat, token], most)
    for colour in range(COLOURS):
        n = scaled(out, n, s.bonuses[seat, colour], DEAREST)
    return _observe_reserve(s, seat, False, out, n)


@kernel
def _observe_reserve(s: Any, seat: int, own: bool, out: Any, n: int) -> int:
    """A blind reserve shows its back, so the others know its level and no more."""
    for slot in range(RESERVED):
        card = s.reserved[seat, slot]
        blind = s.blind[seat, slot]
        n = one_hot(out, n, LEVEL[card] if card != NOBODY else NOBODY, LEVELS)
        n = scaled(out, n, blind, 1)
        shown = card if own or not blind else NOBODY
        n = _observe_face(shown, out, n)
        if own:
            n = _observe_lacking(s, seat, shown, out, n)
        _observe_price(s, seat, shown, out, n, 1)
        n += 2
    return n

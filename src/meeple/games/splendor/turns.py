"""How a turn goes on after an action and ends: tokens to return, nobles, the next seat; and how the game ends."""

from __future__ import annotations

from typing import Any

from meeple.core.kernel import kernel
from meeple.games.splendor.components import COLOURS, NOBLE_NEEDS, NOBLE_POINTS, POINTS_TO_WIN, TOKEN_LIMIT, TOKENS, TURN_CAP
from meeple.games.splendor.state import CHOOSING_NOBLE, MAIN, NOBODY, PAYING, RETURNING

END_POINTS, END_STALEMATE, END_CAP = 1, 2, 3


@kernel
def tokens_held(s: Any, seat: int) -> int:
    held = 0
    for token in range(TOKENS):
        held += s.tokens[seat, token]
    return held


@kernel
def attracts(s: Any, seat: int, slot: int) -> bool:
    """Has the seat the bonuses that the noble of a slot asks for?"""
    noble = s.nobles[slot]
    if noble == NOBODY:
        return False
    for colour in range(COLOURS):
        if s.bonuses[seat, colour] < NOBLE_NEEDS[noble, colour]:
            return False
    return True


@kernel
def go_on(s: Any) -> None:
    """What comes next in the turn: the rest of a payment; tokens to return, down to ten; a noble, one a turn at most."""
    if s.buying != NOBODY:
        s.phase = PAYING
        return
    if tokens_held(s, s.seat) > TOKEN_LIMIT:
        s.phase = RETURNING
        return
    attracted = 0
    first = 0
    for slot in range(s.players, -1, -1):
        if attracts(s, s.seat, slot):
            attracted += 1
            first = slot
    if attracted > 1:
        s.phase = CHOOSING_NOBLE
        return
    if attracted == 1:
        receive_noble(s, first)
    next_turn(s)


@kernel
def receive_noble(s: Any, slot: int) -> None:
    s.points[s.seat] += NOBLE_POINTS[s.nobles[slot]]
    s.nobles_won[s.seat] += 1
    s.nobles[slot] = NOBODY


@kernel
def next_turn(s: Any) -> None:
    """Rulebook: at fifteen points the round is finished, so that all have had equally many turns."""
    if s.points[s.seat] >= POINTS_TO_WIN:
        s.last_round = 1
    s.phase = MAIN
    s.turn += 1
    s.seat = s.seat + 1 if s.seat + 1 < s.players else 0
    if s.last_round and s.seat == 0:
        s.end = END_POINTS
    elif _everybody_passed(s):
        s.end = END_STALEMATE
    elif s.turn >= TURN_CAP:
        s.end = END_CAP


@kernel
def _everybody_passed(s: Any) -> bool:
    for seat in range(s.players):
        if s.passed[seat] == 0:
            return False
    return True


@kernel
def ahead(s: Any, seat: int, other: int) -> bool:
    """Rulebook: most points; of equal points, fewest bought cards."""
    if s.points[seat] != s.points[other]:
        return s.points[seat] > s.points[other]  # type: ignore[no-any-return]
    return s.bought[seat] < s.bought[other]  # type: ignore[no-any-return]


@kernel
def outcome(s: Any, out: Any) -> None:
    """The winners share the win; a truncated game gives every seat an equal share."""
    best = 0
    for seat in range(1, s.players):
        if ahead(s, seat, best):
            best = seat
    winners = 0
    for seat in range(s.players):
        if s.end != END_POINTS or not ahead(s, best, seat):
            winners += 1
    for seat in range(s.players):
        out[seat] = 1.0 / winners if s.end != END_POINTS or not ahead(s, best, seat) else 0.0


@kernel
def scores(s: Any, out: Any) -> None:
    for seat in range(s.players):
        out[seat] = s.points[seat]

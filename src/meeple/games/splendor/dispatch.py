"""Which rules a state is played by: those of the game, or the action set and the observation of the thesis."""

from __future__ import annotations

from typing import Any

from meeple.core.kernel import kernel
from meeple.games.splendor import knowledge, rules, seen, thesis
from meeple.games.splendor.actions import BUY, BUY_RESERVED, GOLD_FOR, NOBLE, PASS, RESERVE, RESERVE_DECK, TAKEN
from meeple.games.splendor.components import SLOTS


@kernel
def legal(s: Any, out: Any) -> int:
    return thesis.legal(s, out) if s.thesis else rules.legal(s, out)


@kernel
def apply(s: Any, action: int) -> None:
    if s.thesis:
        thesis.apply(s, action)
    else:
        rules.apply(s, action)


# The kinds of the thesis; what it has no word for is a kind of its own.
KINDS = ("take", "reserve", "buy", "buy reserved", "return", "pass", "noble", "pay")
RETURN = KINDS.index("return")


@kernel
def kind(s: Any, action: int) -> int:
    return thesis.kind(action) if s.thesis else rules.kind(action)


@kernel
def meaning(s: Any, action: int) -> int:
    """The card or noble that an action is about: slots are filled again, so that the same slot is another card in another deal."""
    if s.thesis:  # names cards by themselves
        return 0
    if RESERVE <= action < RESERVE_DECK:
        return 1 + s.face_up[(action - RESERVE) // SLOTS, (action - RESERVE) % SLOTS]  # type: ignore[no-any-return]
    if BUY <= action < BUY_RESERVED:
        return 1 + s.face_up[(action - BUY) // SLOTS, (action - BUY) % SLOTS]  # type: ignore[no-any-return]
    if BUY_RESERVED <= action < PASS:
        return 1 + s.reserved[s.seat, action - BUY_RESERVED]  # type: ignore[no-any-return]
    if NOBLE <= action < GOLD_FOR:
        return 1 + s.nobles[action - NOBLE]  # type: ignore[no-any-return]
    return 0


@kernel
def observe(s: Any, seat: int, level: int, out: Any) -> None:
    """The variant of the thesis has a level of its own before the two that all have."""
    if s.thesis and level == 0:
        thesis.observe(s, seat, out)
    elif level == 1 + s.thesis:
        seen.observe(s, seat, out)
    else:
        knowledge.observe(s, seat, out)


@kernel
def earned(s: Any, action: int) -> float:
    """The fines of the thesis's reward: for taking a single token, and for returning tokens."""
    if action < RESERVE:  # takes have the same numbers in both sets
        return -1.0 if TAKEN[action].sum() == 1 else 0.0
    return -1.0 if kind(s, action) == RETURN else 0.0

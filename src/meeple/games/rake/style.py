"""What tells one way of playing Rake&Roll from another: what is rerolled, what combinations are made of, and who gets them."""

from __future__ import annotations

from typing import Any

from meeple.games.rake.actions import (
    ACORN_AT,
    ASSIGN,
    BUMP,
    NEWMAN_LEAF,
    PASS,
    REROLL_DICE,
    SIMPLE_PASS,
    SIMPLE_PROPERTY,
    TAKE_DICE,
)
from meeple.games.rake.components import PROPERTY_NAMES
from meeple.games.rake.state import SIMPLE


def noted(s: Any, action: int) -> dict[str, float]:
    if s.mode == SIMPLE:
        return {"passes": 1} if action == SIMPLE_PASS else {_at(int(SIMPLE_PROPERTY[action])): 1}
    if action < TAKE_DICE:
        return {"dice of a reroll": (action - REROLL_DICE + 1).bit_count()}
    if action < ASSIGN:
        return {"dice of a combination": (action - TAKE_DICE + 1).bit_count()}
    if action < NEWMAN_LEAF:
        return {_at(action - ASSIGN): 1}
    if action < PASS:
        return {}  # which leaf of Newman: he has been counted
    if action == PASS:
        return {"passes": 1}
    return {"bumps used": 1} if BUMP <= action < ACORN_AT else {"acorns placed": 1}


def _at(number: int) -> str:
    return f"chosen: {PROPERTY_NAMES[number].capitalize()}"  # where only one property can take a combination, nobody chooses

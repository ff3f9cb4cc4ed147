"""Moves as text.

reroll o1 o3 g | take o1 b2 | section busch | leaf 3 | pass | bump o1 | acorn suarez | acorn newman 3      (simple: busch | pass)
"""

from __future__ import annotations

from meeple.core.game import Variant
from meeple.games.rake.actions import (
    ACORN_AT,
    ACORN_LEAF,
    ASSIGN,
    BUMP,
    NEWMAN_LEAF,
    PASS,
    SIMPLE_PASS,
    SIMPLE_PROPERTY,
    TAKE_DICE,
)
from meeple.games.rake.components import DIE_NAMES, PROPERTY_NAMES


def format_action(variant: Variant, action: int) -> str:
    if variant.name == "simple":
        return "pass" if action == SIMPLE_PASS else PROPERTY_NAMES[SIMPLE_PROPERTY[action]]
    if action < TAKE_DICE:
        return f"reroll {_dice(action + 1)}"
    if action < ASSIGN:
        return f"take {_dice(action - TAKE_DICE + 1)}"
    if action < NEWMAN_LEAF:
        return f"section {PROPERTY_NAMES[action - ASSIGN]}"
    if action <= PASS:
        return "pass" if action == PASS else f"leaf {action - NEWMAN_LEAF + 1}"
    if action < ACORN_AT:
        return f"bump {DIE_NAMES[action - BUMP]}"
    if action < ACORN_LEAF:
        return f"acorn {PROPERTY_NAMES[action - ACORN_AT]}"
    return f"acorn newman {action - ACORN_LEAF + 1}"


def _dice(dice: int) -> str:
    return " ".join(name for die, name in enumerate(DIE_NAMES) if dice >> die & 1)

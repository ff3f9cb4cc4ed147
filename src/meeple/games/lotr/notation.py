"""Moves as text, both ways.

    buy rider of rohan | commit eowyn | commit northern tracker (1 damage) | travel forest gate | stay | stop
    defend eleanor | undefended | hit dunhere | attack gandalf > forest spider (2 damage)

Damage is part of a name only where it tells copies apart for a decision: with allies who commit or defend, and with enemies of
which there are several. Reading takes it everywhere, and leaves out what the name does not need.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from functools import cache

from meeple.core.errors import UnreadableMove
from meeple.core.game import Variant
from meeple.games.lotr.actions import (
    ATTACK_WITH,
    BUY,
    COMMIT,
    DEFEND,
    HIT,
    STAY,
    STOP,
    TRAVEL,
    UNDEFENDED,
)
from meeple.games.lotr.components import (
    CARD_NAMES,
    CARD_OF,
    DAMAGE_OF,
    ENCOUNTER_NAMES,
    ENEMIES,
    ENEMY_OF,
    HEROES,
    TARGET_DAMAGE,
    TARGETS,
)
from meeple.games.lotr.macros import ACTIONS_MACRO, NAMES, PLAN

FORMS = (
    "buy gandalf, commit eowyn, travel forest gate, stay, defend eleanor, undefended, hit dunhere, attack eowyn > king spider, stop"
)
_DAMAGE = re.compile(r" \(\d+ damage\)$")
# Whose damage is part of their name
TOLD_APART = tuple(
    [CARD_NAMES[card] for card, damage in zip(CARD_OF, DAMAGE_OF, strict=True) if damage == 1]
    + [ENCOUNTER_NAMES[kind] for kind, damage in zip(ENEMY_OF, TARGET_DAMAGE, strict=True) if damage == 1]
)


def format_action(variant: Variant, action: int) -> str:  # noqa: ARG001
    return _name(action)


def _name(action: int) -> str:
    if action >= PLAN:
        return NAMES[action - PLAN]
    if action in (STAY, UNDEFENDED, STOP):
        return {STAY: "stay", UNDEFENDED: "undefended", STOP: "stop"}[action]
    if action < COMMIT:
        return f"buy {CARD_NAMES[HEROES + action - BUY]}"
    if action < TRAVEL:
        return f"commit {format_character(action - COMMIT)}"
    if action < STAY:
        return f"travel {ENCOUNTER_NAMES[ENEMIES + action - TRAVEL]}"
    if action < UNDEFENDED:
        return f"defend {format_character(action - DEFEND)}"
    if action < STOP:
        return f"hit {CARD_NAMES[action - HIT]}"
    card, target = divmod(action - ATTACK_WITH, TARGETS)
    return f"attack {CARD_NAMES[card]} > {_with_damage(ENCOUNTER_NAMES[ENEMY_OF[target]], int(TARGET_DAMAGE[target]))}"


def format_character(character: int) -> str:
    return _with_damage(CARD_NAMES[CARD_OF[character]], int(DAMAGE_OF[character]))


def _with_damage(name: str, damage: int) -> str:
    return f"{name} ({damage} damage)" if damage else name


@cache
def _actions_by_name() -> dict[str, int]:
    return {_name(action): action for action in range(ACTIONS_MACRO)}


def parse_action(variant: Variant, text: str) -> int:
    names = _actions_by_name()
    canonical = _canonical(text)
    if canonical not in names or names[canonical] >= variant.shape.actions:
        close = get_close_matches(canonical, names, n=1)
        hint = f"did you mean '{close[0]}'?" if close else f"a move is one of: {FORMS}."
        raise UnreadableMove(f"'{text}' is no move of {variant.spec}; {hint}", text)
    return names[canonical]


def _canonical(text: str) -> str:
    """The text as we would write it, if it is a move."""
    text = " ".join(text.lower().replace(">", " > ").replace("(", " (").split()).replace(" (0 damage)", "")
    who, arrow, target = text.partition(" > ")
    return _without_needless_damage(who, bool(arrow)) + arrow + _without_needless_damage(target, False)


def _without_needless_damage(text: str, attacks: bool) -> str:
    """`commit eowyn` of `commit eowyn (1 damage)`; attackers never need it, others where the damage tells copies apart."""
    bare = _DAMAGE.sub("", text)
    return bare if attacks or not bare.endswith(TOLD_APART) else text

"""Moves as text, both ways.

    take white blue green | take 2 white | reserve 1-3 | reserve deck 2 | buy 2-4 | buy reserved 1 | pass
    return gold | noble 2 | gold for white | pay

A face-up card is named by its level and slot, a reserved card and a noble by its slot. In the action set of the thesis a card is
named by its bonus and cost, and tokens are returned together:

    reserve white 4g | buy black 1w 2b 1g 1r | buy reserved white 4g | return white white gold

Reading takes any case and order of the colours, and the letters of the board (w b g r k).
"""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache

from meeple.core.errors import UnreadableMove
from meeple.core.game import Variant
from meeple.games.splendor import thesis
from meeple.games.splendor.actions import (
    ACTIONS,
    BUY,
    BUY_RESERVED,
    GOLD_FOR,
    NOBLE,
    PASS,
    PAY,
    RESERVE,
    RESERVE_DECK,
    RETURN,
    TAKE_SAME,
    TAKEN,
)
from meeple.games.splendor.components import BONUS, COLOUR_NAMES, COST, SLOTS, TOKEN_NAMES

LETTERS = dict(zip("wbgrk", COLOUR_NAMES, strict=True))
FORMS = "take white blue green, take 2 white, reserve 1-3, reserve deck 2, buy 2-4, buy reserved 1"


def format_action(variant: Variant, action: int) -> str:
    return _thesis_name(action) if variant.name == "thesis" else _name(action)


def _name(action: int) -> str:
    if action < RESERVE:
        return _format_take(action)
    if action < RESERVE_DECK:
        return f"reserve {_format_place(action - RESERVE)}"
    if action < BUY:
        return f"reserve deck {action - RESERVE_DECK + 1}"
    if action < BUY_RESERVED:
        return f"buy {_format_place(action - BUY)}"
    if action < PASS:
        return f"buy reserved {action - BUY_RESERVED + 1}"
    return _format_decision(action)


def _format_take(action: int) -> str:
    if action >= TAKE_SAME:
        return f"take 2 {COLOUR_NAMES[action - TAKE_SAME]}"
    return " ".join(["take", *(name for name, n in zip(COLOUR_NAMES, TAKEN[action], strict=True) if n)])


def _format_place(place: int) -> str:
    """Level and slot, from 1."""
    return f"{place // SLOTS + 1}-{place % SLOTS + 1}"


def _format_decision(action: int) -> str:
    if action in (PASS, PAY):
        return "pass" if action == PASS else "pay"
    if action >= GOLD_FOR:
        return f"gold for {COLOUR_NAMES[action - GOLD_FOR]}"
    if action >= NOBLE:
        return f"noble {action - NOBLE + 1}"
    return f"return {TOKEN_NAMES[action - RETURN]}"


def _thesis_name(action: int) -> str:
    if action < thesis.RESERVE_CARD:
        return _format_take(action)
    if action < thesis.BUY_CARD:
        return f"reserve {_format_card(action - thesis.RESERVE_CARD)}"
    if action < thesis.BUY_RESERVED_CARD:
        return f"buy {_format_card(action - thesis.BUY_CARD)}"
    if action < thesis.RETURN_TOKENS:
        return f"buy reserved {_format_card(action - thesis.BUY_RESERVED_CARD)}"
    return " ".join(["return", *(TOKEN_NAMES[token] for token in thesis.RETURNS[action - thesis.RETURN_TOKENS])])


def _format_card(card: int) -> str:
    """Bonus and cost: no two cards have both in common."""
    cost = [f"{n}{letter}" for letter, n in zip(LETTERS, COST[card], strict=True) if n]
    return " ".join([COLOUR_NAMES[BONUS[card]], *cost])


@cache
def _actions_by_name(of_thesis: bool) -> dict[str, int]:
    if of_thesis:
        return {_thesis_name(action): action for action in range(thesis.ACTIONS)}
    return {_name(action): action for action in range(ACTIONS)}


def parse_action(variant: Variant, text: str) -> int:
    names = _actions_by_name(variant.name == "thesis")
    if (action := names.get(_canonical(text))) is None:
        close = get_close_matches(_canonical(text), names, n=1)
        hint = f"did you mean '{close[0]}'?" if close else f"a move is one of: {FORMS}."
        raise UnreadableMove(f"'{text}' is no move of {variant.spec}; {hint}", text)
    return action


def _canonical(text: str) -> str:
    """The text as we would write it, if it is a move."""
    words = [LETTERS.get(word, word) for word in text.lower().replace(",", " ").replace("-", " ").split()]
    if words[:1] in (["take"], ["return"]):
        tokens = sorted((word for word in words[1:] if word in TOKEN_NAMES), key=TOKEN_NAMES.index)
        others = [word for word in words[1:] if word not in TOKEN_NAMES]
        if words[0] == "take" and len(tokens) == 2 and len(set(tokens)) == 1 and not others:
            return f"take 2 {tokens[0]}"
        return " ".join([words[0], *others, *tokens])
    if len(words) == 3 and words[1].isdigit() and words[2].isdigit():
        return f"{words[0]} {words[1]}-{words[2]}"
    return " ".join(words)

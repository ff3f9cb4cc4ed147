"""The table as a picture (core/scene.py): the dice between the players' sheets, one's own sheet below."""

from __future__ import annotations

from typing import Any

from meeple.core.game import Variant
from meeple.core.scene import Fact, Parts, Piece, Scene, Zone
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
from meeple.games.rake.board import NEEDS
from meeple.games.rake.components import (
    COLOUR_NAMES,
    DIE_COLOUR,
    DIE_NAMES,
    FURTHER,
    GROUPS,
    LEAF_ACORN,
    LEAF_BUMP,
    LEAF_COLOUR,
    LEAF_MONEY,
    LEAVES,
    MONEY,
    NEEDED,
    NEWMAN,
    NEWMAN_MONEY,
    NOTHING,
    PROPERTY_NAMES,
)

ASK = {
    "reroll": "Choose dice to reroll or to take.",
    "take": "Which dice do you take?",
    "section": "Which yard do you rake?",
    "leaf": "Which of Newman's leaves?",
    "acorn": "Where does the acorn go?",
}


def scene(variant: Variant, seen: dict[str, Any]) -> Scene:  # noqa: ARG001
    own, *others = seen["sheets"]
    zones = [zone for sheet in others for zone in (_score(sheet, seen, f"seat {sheet['seat']}"), _short_sheet(sheet))]
    zones += [_dice(seen), _score(own, seen, "own"), _newman(own, seen), _sheet(own, seen)]
    return Scene(tuple(zones), ASK[seen["phase"]])


# ---- The dice ------------------------------------------------------------------------------------------------------


def _dice(seen: dict[str, Any]) -> Zone:
    left = seen["combinations"]
    note = "last round" if seen["last_round"] else f"{left} combination{'' if left == 1 else 's'} left"
    if seen["acorns"]:
        note = f"acorns to place: {', '.join(f'{n} {colour}' for colour, n in seen['acorns'].items())}"
    return Zone(
        "dice", "Dice", tuple(_die(number, name, seen) for number, name in enumerate(DIE_NAMES)), "die", note=note, wide=True
    )


def _die(number: int, name: str, seen: dict[str, Any]) -> Piece:
    colour = COLOUR_NAMES[DIE_COLOUR[number]]
    if name not in seen["dice"]:
        return Piece(name, label=f"{colour} die {name}, used", colour=colour, state="used")
    value, taken = seen["dice"][name], name in seen["taken"]
    label = f"{colour} die {name} shows {value}{', taken' if taken else ''}"
    return Piece(name, f"die:{name}", str(value), label, colour, state="active" if taken else "")


# ---- The sheets ----------------------------------------------------------------------------------------------------


def _score(sheet: dict[str, Any], seen: dict[str, Any], who: str) -> Zone:
    time = f"{sheet['time']}/{seen['time_limit']}"
    facts = [Piece("money", mark=str(sheet["score"]), picture="rake/coin"), Piece("time", mark=time, picture="rake/clock")]
    facts += [Piece(f"+1 {colour}", mark=str(n), colour=colour) for colour, n in sheet["bumps"].items() if n]
    return Zone(f"{who} score", "Score", tuple(facts), "fact", sheet["seat"])


def _short_sheet(sheet: dict[str, Any]) -> Zone:
    """Another player's: finished groups and money of each property."""
    pieces = tuple(
        Piece(name, mark=f"{found['groups']}/{found['of']}" if found["of"] else str(len(found["leaves"])), label=_told(name, found))
        for name, found in sheet["properties"].items()
    )
    return Zone(f"seat {sheet['seat']} sheet", "Sheet", pieces, "box", sheet["seat"])


def _sheet(sheet: dict[str, Any], seen: dict[str, Any]) -> Zone:
    pieces = tuple(_property(name, found, seen["bonuses"]) for name, found in sheet["properties"].items())
    note = "on leaves: +g raises a green die, @o is an orange acorn, $ money" if seen["bonuses"] else ""
    return Zone("own sheet", "Your yards", pieces, "tile", sheet["seat"], note, columns=3)


def _property(name: str, found: dict[str, Any], bonuses: bool) -> Piece:
    number = PROPERTY_NAMES.index(name)
    facts: list[Fact] = []
    for group in range(GROUPS[number]):
        facts += [
            _leaf(number, leaf, group, found, bonuses) for leaf in _leaves(int(NEEDED[number, group] | FURTHER[number, group]))
        ]
        pay = int(MONEY[number, group + 1] - MONEY[number, group])
        if pay:
            facts.append(Fact(f"group {group + 1}", str(pay), "gold", state="done" if group < found["groups"] else ""))
    if number == NEWMAN:
        facts += [Fact("pays", str(money), "gold", state="done" if money <= found["money"] else "") for money in NEWMAN_MONEY[1:]]
    label = f"{name}, for {NEEDS[name]}: {_told(name, found)}"
    return Piece(name, f"section:{name}", str(found["money"]), label, facts=(Fact("needs", NEEDS[name]), *facts))


def _told(name: str, found: dict[str, Any]) -> str:
    groups = f"{found['groups']} of {found['of']} groups" if found["of"] else f"{len(found['leaves'])} leaves"
    return f"{name}: {groups}, {found['money']} money"


def _leaf(number: int, leaf: int, group: int, found: dict[str, Any], bonuses: bool) -> Fact:
    """A shape for each colour; its bonus upon it while it is to be had; a leaf in brackets is a further one of its group."""
    colour = COLOUR_NAMES[LEAF_COLOUR[number, leaf]]
    crossed = leaf in found["leaves"]
    further = bool(FURTHER[number, group] >> leaf & 1)
    state = "done" if crossed else ("empty" if further else "")
    value = "✕" if crossed else (_bonus(number, leaf) if bonuses else "")
    return Fact(f"group {group + 1}", value, colour, f"rake/{colour}", state)


def _bonus(number: int, leaf: int) -> str:
    if LEAF_BUMP[number, leaf] != NOTHING:
        return f"+{COLOUR_NAMES[LEAF_BUMP[number, leaf]][0]}"
    if LEAF_ACORN[number, leaf] != NOTHING:
        return f"@{COLOUR_NAMES[LEAF_ACORN[number, leaf]][0]}"
    return f"${LEAF_MONEY[number, leaf]}" if LEAF_MONEY[number, leaf] else ""


def _leaves(bits: int) -> list[int]:
    return [leaf for leaf in range(bits.bit_length()) if bits >> leaf & 1]


def _newman(sheet: dict[str, Any], seen: dict[str, Any]) -> Zone:
    """Newman's leaves are chosen one by one."""
    found = sheet["properties"][PROPERTY_NAMES[NEWMAN]]
    pieces = tuple(_newman_leaf(leaf, leaf in found["leaves"], seen["bonuses"]) for leaf in range(LEAVES[NEWMAN]))
    return Zone("newman", "Newman's leaves", pieces, "token", sheet["seat"])


def _newman_leaf(leaf: int, crossed: bool, bonuses: bool) -> Piece:
    colour = COLOUR_NAMES[LEAF_COLOUR[NEWMAN, leaf]]
    bonus = _bonus(NEWMAN, leaf) if bonuses and not crossed else ""
    label = f"leaf {leaf + 1} of newman, {colour}{', crossed' if crossed else ''}{f', bonus {bonus}' if bonus else ''}"
    mark = "✕" if crossed else str(leaf + 1)
    return Piece(bonus or "leaf", "" if crossed else f"leaf:{leaf + 1}", mark, label, colour, state="empty" if crossed else "")


# ---- Moves ---------------------------------------------------------------------------------------------------------


def parts(variant: Variant, action: int) -> Parts:
    if variant.name == "simple":
        return () if action == SIMPLE_PASS else _section(int(SIMPLE_PROPERTY[action]))
    if action == PASS:
        return ()
    if action < ASSIGN:
        dice = action + 1 if action < TAKE_DICE else action - TAKE_DICE + 1
        return tuple((f"die:{name}", 1) for die, name in enumerate(DIE_NAMES) if dice >> die & 1)
    if action < PASS:
        return _section(action - ASSIGN) if action < NEWMAN_LEAF else _newman_part(action - NEWMAN_LEAF)
    if action < ACORN_AT:
        return ((f"die:{DIE_NAMES[action - BUMP]}", 1),)
    return _section(action - ACORN_AT) if action < ACORN_LEAF else _newman_part(action - ACORN_LEAF)


def _section(number: int) -> Parts:
    return ((f"section:{PROPERTY_NAMES[number]}", 1),)


def _newman_part(leaf: int) -> Parts:
    return ((f"leaf:{leaf + 1}", 1),)

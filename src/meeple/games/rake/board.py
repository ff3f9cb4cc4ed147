"""What a person sees: the dice, the clock and the sheets, as plain data and as text."""

from __future__ import annotations

from typing import Any

from meeple.games.rake.components import (
    COLOUR_NAMES,
    DICE,
    DIE_NAMES,
    ELLIOTT,
    FURTHER,
    GROUPS,
    LEAF_ACORN,
    LEAF_BUMP,
    LEAF_MONEY,
    LEAVES,
    MONEY,
    NEEDED,
    NEWMAN,
    NEWMAN_MONEY,
    NOTHING,
    PROPERTY_NAMES,
)
from meeple.games.rake.scoring import score
from meeple.games.rake.state import OFFICIAL, SIMPLE

PHASES = ("reroll", "take", "section", "leaf", "acorn")
NEEDS = {
    "harvick": "3 orange in a row",
    "elliott": "2-3 orange, 10 or more",
    "busch": "orange = brown",
    "newman": "green, its leaf",
    "johnson": "green = brown (= brown)",
    "suarez": "2-3 equal orange",
    "earnhardt": "2 equal brown",
    "patrick": "green = orange (= orange)",
    "hamlin": "one of each, equal or rising",
}
LEGEND = (
    "Dice: o1 o2 o3 orange, b1 b2 brown, g green. Leaves: x crossed, . empty, in brackets a further leaf of the group.",
    "Leaves with a bonus: +g a bump of a green die, @o an acorn for an orange one, a number money (o orange, b brown, g green).",
    "Behind the groups: what finished groups pay, and the money so far. What a group needs:",
    *(f"  {name:<9} {needs}" for name, needs in NEEDS.items()),
)
STYLES = {
    r"\bo[123]\b|[+@]o|\borange\b": "dark_orange",
    r"\bb[12]\b|[+@]b|\bbrown\b": "orange4",
    r"\bg\b|[+@]g|\bgreen\b": "green",
}


def view(s: Any, seat: int) -> dict[str, Any]:
    seats = int(s.seats)
    return {
        "to_move": int(s.seat),
        "over": bool(s.end),
        "phase": PHASES[s.phase],
        "dice": {name: int(s.dice[die]) for die, name in enumerate(DIE_NAMES) if s.free >> die & 1},
        "used": [name for die, name in enumerate(DIE_NAMES) if not s.free >> die & 1],
        "taken": [DIE_NAMES[die] for die in range(DICE) if s.taken >> die & 1],
        "combinations": int(s.combinations),
        "acorns": {name: int(n) for name, n in zip(COLOUR_NAMES, s.acorns, strict=True) if n},
        "last_round": bool(s.last_round),
        "time_limit": int(s.time_limit),
        "bonuses": bool(s.mode == OFFICIAL),
        "sheets": [_sheet(s, (seat + i) % seats) for i in range(seats)],
    }


def _sheet(s: Any, seat: int) -> dict[str, Any]:
    properties = {
        name: {
            "groups": int(s.groups[seat, number]),
            "of": int(GROUPS[number]),
            "leaves": [leaf for leaf in range(LEAVES[number]) if s.leaves[seat, number] >> leaf & 1],
            "money": _money(s, seat, number),
        }
        for number, name in enumerate(PROPERTY_NAMES)
        if not (number == ELLIOTT and s.mode == SIMPLE)
    }
    return {
        "seat": seat,
        "time": int(s.time[seat]),
        "score": int(score(s, seat)),
        "bumps": {name: int(n) for name, n in zip(COLOUR_NAMES, s.bumps[seat], strict=True)},
        "properties": properties,
    }


def _money(s: Any, seat: int, number: int) -> int:
    if number == ELLIOTT:
        return int(s.elliott_best[seat])
    if number == NEWMAN:
        return int(NEWMAN_MONEY[int(s.leaves[seat, NEWMAN]).bit_count()])
    return int(MONEY[number, s.groups[seat, number]])


# ---- The board -----------------------------------------------------------------------------------------------------


def board(seen: dict[str, Any]) -> str:
    """The sheets, one's own last: every property with its groups (x crossed, . empty; in brackets a further leaf), what it needs,
    what it pays and has paid. Leaves with a bonus show it: +g a bump, @o an acorn, a number money."""
    return _drawn([line for sheet in reversed(seen["sheets"]) for line in _sheet_lines(sheet, seen)], seen)


def compact(seen: dict[str, Any]) -> str:
    """One's own sheet without what the properties need (the legend has it); of the others what they have."""
    own, *others = seen["sheets"]
    lines = [line for sheet in reversed(others) for line in _short(sheet, seen)]
    return _drawn([*lines, *_sheet_lines(own, seen, needs=False)], seen)


def _short(sheet: dict[str, Any], seen: dict[str, Any]) -> list[str]:
    """Two lines: groups of each property that has any."""
    begun = {name: found for name, found in sheet["properties"].items() if found["leaves"]}
    groups = "  ".join(f"{name} {found['groups']}/{found['of']}" for name, found in begun.items())
    return [_head(sheet, seen), *([f"  {groups}"] if groups else [])]


def _drawn(lines: list[str], seen: dict[str, Any]) -> str:
    """The sheets, the dice, and what goes on."""
    dice = "  ".join(f"{name} {value}" for name, value in seen["dice"].items())
    used = f"    used: {' '.join(seen['used'])}" if seen["used"] else ""
    lines.append(f"Dice     {dice}{used}")
    return "\n".join([*lines, *_news(seen)])


def _head(sheet: dict[str, Any], seen: dict[str, Any]) -> str:
    bumps = ", ".join(f"{n} +1 {name}" for name, n in sheet["bumps"].items() if n)
    you = " (you)" if sheet is seen["sheets"][0] and len(seen["sheets"]) > 1 else ""
    time = f"time {sheet['time']} of {seen['time_limit']}"
    return f"Seat {sheet['seat']}{you}: {sheet['score']} money, {time}{', ' + bumps if bumps else ''}"


def _sheet_lines(sheet: dict[str, Any], seen: dict[str, Any], needs: bool = True) -> list[str]:
    lines = (_property_line(name, found, seen["bonuses"], needs) for name, found in sheet["properties"].items())
    return [_head(sheet, seen), *lines]


def _property_line(name: str, found: dict[str, Any], bonuses: bool, needs: bool) -> str:
    number = PROPERTY_NAMES.index(name)
    crossed = set(found["leaves"])
    if number == NEWMAN:
        cells = " ".join("x" if leaf in crossed else str(leaf + 1) for leaf in range(LEAVES[number]))
    else:
        cells = "  ".join(_group(number, group, crossed, bonuses) for group in range(found["of"]))
    return f"  {name:<9} {cells:<44} {_pays(number):<14} {found['money']:>3}  {NEEDS[name] if needs else ''}".rstrip()


def _group(number: int, group: int, crossed: set[int], bonuses: bool) -> str:
    needed = "".join(_leaf(number, leaf, crossed, bonuses) for leaf in _leaves(int(NEEDED[number, group])))
    further = "".join(_leaf(number, leaf, crossed, bonuses) for leaf in _leaves(int(FURTHER[number, group])))
    return needed + (f"({further})" if further else "")


def _leaf(number: int, leaf: int, crossed: set[int], bonuses: bool) -> str:
    if leaf in crossed or not bonuses:
        return "x" if leaf in crossed else "."
    if LEAF_BUMP[number, leaf] != NOTHING:
        return "+" + COLOUR_NAMES[LEAF_BUMP[number, leaf]][0]
    if LEAF_ACORN[number, leaf] != NOTHING:
        return "@" + COLOUR_NAMES[LEAF_ACORN[number, leaf]][0]
    return str(LEAF_MONEY[number, leaf]) if LEAF_MONEY[number, leaf] else "."


def _leaves(bits: int) -> list[int]:
    return [leaf for leaf in range(bits.bit_length()) if bits >> leaf & 1]


def _pays(number: int) -> str:
    """Money after each group that pays."""
    if number == NEWMAN:
        return " ".join(str(money) for money in NEWMAN_MONEY[1:])
    if number == ELLIOTT:
        return "the total"
    steps = [int(MONEY[number, group + 1] - MONEY[number, group]) for group in range(GROUPS[number])]
    return " ".join(str(step) for step in steps if step)


def _news(seen: dict[str, Any]) -> list[str]:
    if seen["over"]:
        return ["The time is up."]
    who = f"Seat {seen['to_move']}"
    news = ["Last round."] if seen["last_round"] else []
    if seen["phase"] == "acorn":
        news.append(f"{who} places an acorn: {next(iter(seen['acorns']))}.")
    elif seen["taken"]:
        news.append(f"{who} assigns {' '.join(seen['taken'])}.")
    return news

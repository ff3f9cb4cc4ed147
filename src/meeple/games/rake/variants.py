"""The sizes of each variant and the layout of its observations, as data that tables, environments and checks are made from."""

from __future__ import annotations

from collections.abc import Mapping

from meeple.core.game import Choice, Field, Level, Shape
from meeple.games.rake import seen
from meeple.games.rake.actions import (
    ACTIONS,
    ACTIONS_OFFICIAL,
    ACTIONS_SIMPLE,
    MAX_LEGAL,
    MAX_LEGAL_OFFICIAL,
)
from meeple.games.rake.components import (
    ACORNS,
    ALL_LEAVES,
    BUMPS,
    COLOURS,
    COMBINATIONS,
    DICE,
    ELLIOTT,
    LEAVES,
    MONEY,
    MOST_ELLIOTT,
    MOST_GROUPS,
    NEWMAN_MONEY,
    PROPERTIES,
    TIME,
    TIME_SIMPLE,
)
from meeple.games.rake.state import SEATS

VARIANTS = Choice(
    "variant",
    {
        "complete": "the thesis's: 142 actions in four phases, bonuses never take effect",
        "deterministic": "the same with dice that fall alike in every game",
        "simple": "the thesis's: one property a turn, no reroll, no Elliott, 60 units of time",
        "official": "the rulebook's, with bumps and acorns, alone",
        "official-2": "the same for two players",
        "official-3": "the same for three players",
    },
)

# All money there is, with every leaf counted once more: no score is higher.
MOST_MONEY = int(MONEY.max(axis=1).sum() + NEWMAN_MONEY.max() + MOST_ELLIOTT + ALL_LEAVES)
# Reroll, then take, section and leaf for each combination. A turn takes a unit of time at least.
PLIES_A_TURN = 1 + 3 * COMBINATIONS


def _table(seats: int, limit: int) -> Level:
    turn = (
        Field("to_move", seats, 0, 1, "whose turn it is: own, then the others in turn order"),
        Field("dice", DICE, 1, 6, "what they show: three orange, two brown, one green"),
        Field("free", DICE, 0, 1, "dice that no combination has used"),
        Field("taken", DICE, 0, 1, "dice that are being assigned"),
        Field("phase", 5, 0, 1, "what is decided: reroll, take, section, leaf, acorn"),
        Field("combinations", 1, 0, COMBINATIONS, "that may still be used in this turn"),
        Field("last_round", 1, 0, 1, "somebody's time is up"),
        Field("acorns", COLOURS, 0, ACORNS, "to be placed now: orange, brown, green"),
    )
    sheets = [field for i in range(seats) for field in _sheet("own" if i == 0 else f"other{i}", limit)]
    return Level("sheet", (*turn, *sheets), "everything on the table, plain counts")


def _sheet(name: str, limit: int) -> tuple[Field, ...]:
    return (
        Field(f"{name}_time", 1, 0, limit + 5, "time marked"),
        Field(f"{name}_score", 1, 0, MOST_MONEY, "score of the sheet as it is"),
        Field(f"{name}_elliott", 1, 0, MOST_ELLIOTT, "highest total written at Elliott"),
        Field(f"{name}_bumps", COLOURS, 0, max(BUMPS), "+1 in the bank: orange, brown, green"),
        Field(f"{name}_groups", PROPERTIES, 0, MOST_GROUPS, "finished rows or columns of each property"),
        Field(f"{name}_leaves", LEAVES_OF_SIMPLE if limit == TIME_SIMPLE else ALL_LEAVES, 0, 1, "crossed leaves"),
    )


LEAVES_OF_SIMPLE = ALL_LEAVES - int(LEAVES[ELLIOTT])


def _thesis(actions: int, leaves: int, name: str = "thesis") -> Level:
    simple = actions == ACTIONS_SIMPLE
    between = () if simple else (Field("phase", 4, 0, 1, "phase"), Field("left", 2, 0, 1, "rerolls and combinations left"))
    elliott = () if simple else (Field("elliott", 1, 0, 1, "Elliott's total, of 18"),)
    fields = (
        Field("dice", 7 * DICE, 0, 1, "dice one-hot, used ones as zero"),
        Field("leaves", leaves, 0, 1, "crossed leaves"),
        *between,
        Field("time", 1, 0, 1, "time left, as a share"),
        *elliott,
        Field("legal", actions, 0, 1, "legal actions"),
    )
    return Level(name, fields, "as the thesis describes it" if name == "thesis" else "as its program has it")


def _seen(seats: int, limit: int) -> Level:
    fields = seen.fields(seats, limit == TIME_SIMPLE, MOST_MONEY)
    return Level("seen", fields, "everything on the table, scaled for networks")


def shape(chosen: Mapping[str, str]) -> Shape:
    name = chosen["variant"]
    seats = SEATS[VARIANTS.index(name)]
    levels: tuple[Level, ...]
    if name == "simple":
        levels = (_table(1, TIME_SIMPLE), _thesis(ACTIONS_SIMPLE, LEAVES_OF_SIMPLE), _seen(1, TIME_SIMPLE))
        return Shape(1, ACTIONS_SIMPLE, ACTIONS_SIMPLE, TIME_SIMPLE, levels, winnable=False)
    if name.startswith("official"):
        # Every bonus of a sheet is one further ply.
        plies = seats * (TIME * PLIES_A_TURN + sum(BUMPS) + ACORNS)
        levels = (_table(seats, TIME), _seen(seats, TIME))
        return Shape(seats, ACTIONS_OFFICIAL, MAX_LEGAL_OFFICIAL, plies, levels, winnable=seats > 1)
    thesis = (_thesis(ACTIONS, ALL_LEAVES), _thesis(ACTIONS, ALL_LEAVES + 6, "thesis-code"))
    hidden = name != "deterministic"
    levels = (_table(1, TIME), *thesis, _seen(1, TIME))
    return Shape(1, ACTIONS, MAX_LEGAL, TIME * PLIES_A_TURN, levels, hidden=hidden, winnable=False)

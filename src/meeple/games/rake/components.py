"""What is printed on the sheet and on the dice, read from data/sheet.csv into constants that kernels can use.

A property's leaves lie in groups (rows or columns) that fill in order. A group is finished when its needed leaves are crossed; a
further leaf of it (the centre of a row, the third of a column) can be had only along with them.
"""

from __future__ import annotations

import numpy as np

from meeple.core.data import read_rows

COLOUR_NAMES = ("orange", "brown", "green")
ORANGE, BROWN, GREEN = 0, 1, 2
COLOURS = len(COLOUR_NAMES)

DICE = 6
DIE_NAMES = ("o1", "o2", "o3", "b1", "b2", "g")
DIE_COLOUR = np.array([ORANGE, ORANGE, ORANGE, BROWN, BROWN, GREEN], np.int64)
FIRST_BROWN, GREEN_DIE = 3, 5
SUBSETS = (1 << DICE) - 1  # of the dice, the empty one left out

_ROWS = read_rows(__file__, "sheet.csv")

PROPERTY_NAMES = tuple(dict.fromkeys(row["section"].lower() for row in _ROWS))
HARVICK, ELLIOTT, BUSCH, NEWMAN, JOHNSON, SUAREZ, EARNHARDT, PATRICK, HAMLIN = range(len(PROPERTY_NAMES))
PROPERTIES = len(PROPERTY_NAMES)
LEAVES = np.array([sum(row["section"].lower() == name for row in _ROWS) for name in PROPERTY_NAMES], np.int64)
ALL_LEAVES = len(_ROWS)
MOST_LEAVES = int(LEAVES.max())
MOST_GROUPS = 6
NOTHING = -1

LEAF_COLOUR = np.full((PROPERTIES, MOST_LEAVES), NOTHING, np.int64)
LEAF_BUMP = np.full((PROPERTIES, MOST_LEAVES), NOTHING, np.int64)  # colour of the +1 that the leaf brings
LEAF_ACORN = np.full((PROPERTIES, MOST_LEAVES), NOTHING, np.int64)  # colour of the acorn that it brings
LEAF_MONEY = np.zeros((PROPERTIES, MOST_LEAVES), np.int64)  # money printed on the leaf itself
GROUPS = np.zeros(PROPERTIES, np.int64)
NEEDED = np.zeros((PROPERTIES, MOST_GROUPS + 1), np.int64)  # leaves of a group as bits; of no group after the last
FURTHER = np.zeros((PROPERTIES, MOST_GROUPS + 1), np.int64)
MONEY = np.zeros((PROPERTIES, MOST_GROUPS + 1), np.int64)  # earned by so many finished groups
SCORED = np.zeros((PROPERTIES, MOST_GROUPS + 1), np.int64)  # leaves that so many finished groups have brought money for
NEWMAN_MONEY = np.array([0, 1, 3, 6, 10, 15, 25], np.int64)  # by the number of leaves


def _read_bonus(number: int, leaf: int, text: str) -> None:
    kind, _, what = text.partition(" ")
    if kind == "acorn":
        LEAF_ACORN[number, leaf] = COLOUR_NAMES.index(what)
    elif what == "money":
        LEAF_MONEY[number, leaf] = int(kind)
    elif kind == "+1":
        LEAF_BUMP[number, leaf] = COLOUR_NAMES.index(what)


def _read_property(number: int, rows: list[dict[str, str]]) -> None:
    names = [name for name in dict.fromkeys(row["group"] for row in rows) if not name.startswith(("shared", "any"))]
    GROUPS[number] = len(names)
    pays = np.zeros(len(names), bool)
    for row in rows:
        leaf, bit = int(row["leaf_index"]), 1 << int(row["leaf_index"])
        LEAF_COLOUR[number, leaf] = COLOUR_NAMES.index(row["leaf_color"])
        _read_bonus(number, leaf, row["bonus_on_leaf"])
        if row["position"] == "centre":
            for shared in row["group"].removeprefix("shared centre ").split("/"):
                FURTHER[number, [name.endswith(shared) for name in names].index(True)] |= bit
        elif row["group"] in names:
            group = names.index(row["group"])
            # Two equal dice complete a column of Suarez; two dice a row of Elliott, whose third leaf is for a third die.
            third = row["position"] == "3" and number in (SUAREZ, ELLIOTT)
            (FURTHER if third else NEEDED)[number, group] |= bit
            if row["money_when_group_completed"].isdecimal():
                MONEY[number, group + 1] = int(row["money_when_group_completed"])
                pays[group] = True
    MONEY[number] = np.cumsum(MONEY[number])
    for groups in range(1, len(names) + 1):
        paid = max((group + 1 for group in range(groups) if pays[group]), default=0)
        leaves = NEEDED[number, :paid] | (FURTHER[number, :paid] if number == SUAREZ else 0)  # a centre belongs to no row alone
        SCORED[number, groups] = np.bitwise_or.reduce(leaves) if paid else 0


for _number, _name in enumerate(PROPERTY_NAMES):
    _read_property(_number, [row for row in _ROWS if row["section"].lower() == _name])

# Leaves of each colour, as bits.
OF_COLOUR = np.array(
    [
        [sum(1 << leaf for leaf in range(MOST_LEAVES) if LEAF_COLOUR[number, leaf] == colour) for colour in range(COLOURS)]
        for number in range(PROPERTIES)
    ],
    np.int64,
)

LEAST_ELLIOTT = 10
MOST_ELLIOTT = 18
TIME, TIME_SIMPLE = 40, 60
COMBINATIONS = 2  # a turn
MOST_SEATS = 3
BUMPS = tuple(int((LEAF_BUMP == colour).sum()) for colour in range(COLOURS))  # that can be had
ACORNS = int((LEAF_ACORN != NOTHING).sum())

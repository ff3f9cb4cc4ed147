"""What each action is made of: its kind, dice, property, leaf. For learners that score an action by its parts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from meeple.core.encode import kinds, one_each, thermometers
from meeple.core.game import Variant
from meeple.games.rake.actions import (
    ACORN_AT,
    ACORN_LEAF,
    ACTIONS_OFFICIAL,
    ACTIONS_SIMPLE,
    ASSIGN,
    BUMP,
    NEWMAN_LEAF,
    PASS,
    REROLL_DICE,
    SIMPLE_PASS,
    SIMPLE_PROPERTY,
    TAKE_DICE,
)
from meeple.games.rake.components import BROWN, COLOURS, DICE, DIE_COLOUR, ORANGE, PROPERTIES, SUBSETS

Table = NDArray[np.float32]
KINDS = (REROLL_DICE, TAKE_DICE, ASSIGN, NEWMAN_LEAF, PASS, BUMP, ACORN_AT, ACORN_LEAF)  # the first action of each


def features(variant: Variant) -> Table:
    """A row an action: kind; dice rerolled; dice taken; property, leaf, bumped die, acorn's property and leaf, one-hot. `simple`:
    pass, property."""
    if variant.name == "simple":
        return _simple()
    actions = variant.shape.actions
    ends = (*KINDS[1:], ACTIONS_OFFICIAL)
    named = [(ASSIGN, NEWMAN_LEAF), (NEWMAN_LEAF, PASS), *zip(KINDS[5:], ends[5:], strict=True)]
    parts = [
        kinds(KINDS, actions),
        _dice(actions, REROLL_DICE),
        _dice(actions, TAKE_DICE),
        *(one_each(first, end, actions) for first, end in named if first < actions),
    ]
    return np.concatenate(parts, axis=1, dtype=np.float32)


def _simple() -> Table:
    table = np.zeros((ACTIONS_SIMPLE, 1 + PROPERTIES), np.float32)
    table[SIMPLE_PASS, 0] = 1
    table[np.arange(SIMPLE_PASS), 1 + SIMPLE_PROPERTY] = 1
    return table


def _dice(actions: int, first: int) -> Table:
    """The dice of each set, and how many of them are orange and brown: two of a colour are more than one and another."""
    sets = (np.arange(1, SUBSETS + 1)[:, None] >> np.arange(DICE)) & 1
    counts = np.stack([sets[:, DIE_COLOUR == colour].sum(axis=1) for colour in range(COLOURS)], axis=1)
    described = [sets, thermometers(counts[:, [ORANGE]], 3), thermometers(counts[:, [BROWN]], 2)]
    table = np.zeros((actions, sum(part.shape[1] for part in described)), np.float32)
    table[first : first + SUBSETS] = np.concatenate(described, axis=1)
    return table

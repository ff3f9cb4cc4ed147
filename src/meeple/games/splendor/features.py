"""What each action is made of: its kind, tokens, places, cards. For learners that score an action by its parts.

In the game's own set a card is named by its place, so an action can only tell the place: what lies there is in the observation.
In the set of the thesis a card is named by itself, and its properties are told.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from meeple.core.encode import kinds, one_each, thermometers
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
    TAKE,
    TAKEN,
)
from meeple.games.splendor.components import BONUS, CARDS, COLOURS, COST, LEVEL, LEVELS, POINTS, SLOTS, TOKENS

Table = NDArray[np.float32]
# The first action of each kind
KINDS = (TAKE, RESERVE, RESERVE_DECK, BUY, BUY_RESERVED, PASS, RETURN, NOBLE, GOLD_FOR, PAY)
THESIS_KINDS = (TAKE, thesis.RESERVE_CARD, thesis.BUY_CARD, thesis.BUY_RESERVED_CARD, thesis.RETURN_TOKENS)
# Runs of actions that name a place or deck, a place, a token, a noble, a colour
NAMED = ((RESERVE, BUY), (BUY, PASS), (RETURN, NOBLE), (NOBLE, GOLD_FOR), (GOLD_FOR, PAY))


def features(variant: Variant) -> Table:
    """A row an action; the columns of each set are those of the parts put together below."""
    return _thesis() if variant.name == "thesis" else _own()


def _own() -> Table:
    """Kind, tokens taken, level and slot of a card, then one-hot: place or deck reserved, place bought, and the other runs."""
    faces = np.zeros((ACTIONS, LEVELS + SLOTS), np.float32)
    levels, slots = np.divmod(np.arange(LEVELS * SLOTS), SLOTS)
    for first in (RESERVE, BUY):
        faces[first + np.arange(LEVELS * SLOTS), levels] = 1
        faces[first + np.arange(LEVELS * SLOTS), LEVELS + slots] = 1
    faces[RESERVE_DECK:BUY, :LEVELS] = np.eye(LEVELS)
    parts = [
        kinds(KINDS, ACTIONS),
        _take_counts(ACTIONS),
        faces,
        *(one_each(first, end, ACTIONS) for first, end in NAMED),
    ]
    return np.concatenate(parts, axis=1, dtype=np.float32)


def _take_counts(actions: int) -> NDArray[np.bool_]:
    counts = np.zeros((actions, COLOURS), np.int64)
    counts[: len(TAKEN)] = TAKEN
    return thermometers(counts, 2)


def _thesis() -> Table:
    """Kind, tokens taken, tokens returned; level, points, bonus and cost of the card reserved, bought, bought from the reserve."""
    returned = np.zeros((thesis.ACTIONS, TOKENS), np.int64)
    returned[thesis.RETURN_TOKENS :] = thesis.RETURNED
    cards = np.column_stack([np.eye(LEVELS)[LEVEL], POINTS / POINTS.max(), np.eye(COLOURS)[BONUS], COST / COST.max()])
    faces = np.zeros((thesis.ACTIONS, 3 * cards.shape[1]), np.float32)
    for i, first in enumerate((thesis.RESERVE_CARD, thesis.BUY_CARD, thesis.BUY_RESERVED_CARD)):
        faces[first : first + CARDS, i * cards.shape[1] : (i + 1) * cards.shape[1]] = cards
    parts = [kinds(THESIS_KINDS, thesis.ACTIONS), _take_counts(thesis.ACTIONS), thermometers(returned, 3), faces]
    return np.concatenate(parts, axis=1, dtype=np.float32)

"""The state of Rake&Roll and how it is dealt: there is nothing to deal but the first roll."""

from __future__ import annotations

from typing import Any

import numpy as np

from meeple.core.game import state_dtype
from meeple.core.kernel import kernel
from meeple.core.rng import derive, draw
from meeple.games.rake.components import COLOURS, COMBINATIONS, DICE, MOST_SEATS, NOTHING, PROPERTIES, SUBSETS, TIME, TIME_SIMPLE

REROLL, TAKE, SECTION, LEAF, ACORN = 0, 1, 2, 3, 4  # what is decided now

COMPLETE, DETERMINISTIC, SIMPLE, OFFICIAL = 0, 1, 2, 3  # what is played; the variants after OFFICIAL have more seats
SEATS = (1, 1, 1, 1, 2, 3)
FIXED_SEED = np.uint64(0)  # of the dice in `deterministic`

STATE = state_dtype(
    [
        # Chosen before the game
        ("mode", "i1"),
        ("seats", "i1"),
        ("time_limit", "i1"),
        # The turn
        ("dice", "i4", (DICE,)),
        ("free", "i4"),  # dice that no combination has used in this turn, as bits
        ("taken", "i4"),  # dice taken for the combination that is being assigned, as bits
        ("phase", "i1"),
        ("combinations", "i1"),  # that may still be used in this turn
        ("acorns", "i1", (COLOURS,)),  # still to be placed
        ("last_round", "i1"),  # 1: somebody's time is up
        # The sheets
        ("time", "i1", (MOST_SEATS,)),  # marked so far
        ("leaves", "i4", (MOST_SEATS, PROPERTIES)),  # crossed leaves, as bits
        ("groups", "i1", (MOST_SEATS, PROPERTIES)),  # finished rows or columns
        ("elliott_best", "i1", (MOST_SEATS,)),  # highest total written
        ("bumps", "i1", (MOST_SEATS, COLOURS)),  # +1 in the bank
    ]
)


@kernel
def deal(s: Any, config: Any, seed: Any) -> None:
    """config: the variant. In `deterministic` the dice do not depend on the seed."""
    s.mode = min(config[0], OFFICIAL)
    s.seats = SEATS[config[0]]
    s.time_limit = TIME_SIMPLE if s.mode == SIMPLE else TIME
    s.luck[0] = derive(FIXED_SEED if s.mode == DETERMINISTIC else seed, 0)
    s.ply = 0
    s.turn = 0
    s.seat = 0
    s.end = 0
    s.last_round = 0
    for seat in range(MOST_SEATS):
        s.time[seat] = 0
        s.elliott_best[seat] = 0
        for number in range(PROPERTIES):
            s.leaves[seat, number] = 0
            s.groups[seat, number] = 0
        for colour in range(COLOURS):
            s.bumps[seat, colour] = 0
    begin_turn(s)


@kernel
def phase(s: Any) -> int:
    return s.phase  # type: ignore[no-any-return]


@kernel
def begin_turn(s: Any) -> None:
    for die in range(DICE):
        s.dice[die] = draw(s.luck, 6) + 1
    s.free = SUBSETS
    s.taken = 0
    s.combinations = 1 if s.mode == SIMPLE else COMBINATIONS
    s.phase = SECTION if s.mode == SIMPLE else REROLL
    for colour in range(COLOURS):
        s.acorns[colour] = 0


@kernel
def acorn_colour(s: Any) -> int:
    """The colour of the acorn to be placed next, or NOTHING."""
    for colour in range(COLOURS):
        if s.acorns[colour] > 0:
            return colour
    return NOTHING

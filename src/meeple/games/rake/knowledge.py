"""What a seat knows: observations as numbers, redealing what is hidden, and the audit of what must always hold.

Everything lies open but the dice to come.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from meeple.core.kernel import kernel
from meeple.core.rng import derive
from meeple.games.rake import seen
from meeple.games.rake.actions import MAX_LEGAL_OFFICIAL
from meeple.games.rake.components import (
    COLOURS,
    COMBINATIONS,
    DICE,
    ELLIOTT,
    FURTHER,
    GROUPS,
    JOHNSON,
    LEAF_BUMP,
    LEAST_ELLIOTT,
    LEAVES,
    MOST_ELLIOTT,
    MOST_LEAVES,
    NEEDED,
    NEWMAN,
    PATRICK,
    PROPERTIES,
    SUBSETS,
)
from meeple.games.rake.rules import legal
from meeple.games.rake.scoring import score
from meeple.games.rake.state import DETERMINISTIC, OFFICIAL, REROLL, SIMPLE

SHEET, THESIS, THESIS_CODE = 0, 1, 2  # levels; the last of a variant is `seen`

# ---- Observations: the layout with its bounds is in variants.py ------------------------------------------------------


@kernel
def observe(s: Any, seat: int, level: int, out: Any) -> None:
    if level == SHEET:
        _observe_table(s, seat, out)
    elif level == seen.LEVEL_OF[s.mode]:
        seen.observe(s, seat, out)
    else:
        _observe_thesis(s, level, out)


@kernel
def _observe_table(s: Any, seat: int, out: Any) -> None:
    """Plain counts: the turn, then every sheet, one's own first."""
    n = 0
    for i in range(s.seats):
        out[n] = 1.0 if (seat + i) % s.seats == s.seat else 0.0
        n += 1
    for die in range(DICE):
        out[n + die] = s.dice[die]
        out[n + DICE + die] = s.free >> die & 1
        out[n + 2 * DICE + die] = s.taken >> die & 1
    n += 3 * DICE
    for phase in range(5):
        out[n + phase] = 1.0 if s.phase == phase else 0.0
    n += 5
    out[n] = s.combinations
    out[n + 1] = s.last_round
    n += 2
    for colour in range(COLOURS):
        out[n + colour] = s.acorns[colour]
    n += COLOURS
    for i in range(s.seats):
        n = _observe_sheet(s, (seat + i) % s.seats, out, n)


@kernel
def _observe_sheet(s: Any, seat: int, out: Any, n: int) -> int:
    out[n] = s.time[seat]
    out[n + 1] = score(s, seat)
    out[n + 2] = s.elliott_best[seat]
    n += 3
    for colour in range(COLOURS):
        out[n + colour] = s.bumps[seat, colour]
    n += COLOURS
    for number in range(PROPERTIES):
        out[n + number] = s.groups[seat, number]
    return _observe_leaves(s, seat, False, out, n + PROPERTIES)


@kernel
def _observe_leaves(s: Any, seat: int, centres_twice: bool, out: Any, n: int) -> int:
    for number in range(PROPERTIES):
        if number == ELLIOTT and s.mode == SIMPLE:
            continue
        for leaf in range(LEAVES[number]):
            out[n] = s.leaves[seat, number] >> leaf & 1
            n += 1
        if centres_twice and number in (JOHNSON, PATRICK):
            for leaf in range(LEAVES[number] - 3, LEAVES[number]):
                out[n] = s.leaves[seat, number] >> leaf & 1
                n += 1
    return n


@kernel
def _observe_thesis(s: Any, level: int, out: Any) -> None:
    """Dice one-hot with used ones as zero, leaves, phase, what is left, and the legal actions; all from 0 to 1."""
    for i in range(out.size):
        out[i] = 0.0
    for die in range(DICE):
        out[7 * die + (s.dice[die] if s.free >> die & 1 else 0)] = 1.0
    n = _observe_leaves(s, s.seat, level == THESIS_CODE, out, 7 * DICE)
    if s.mode != SIMPLE:
        out[n + int(s.phase)] = 1.0
        out[n + 4] = 1.0 if s.phase == REROLL else 0.0
        out[n + 5] = s.combinations / COMBINATIONS
        n += 6
    out[n] = max(0, s.time_limit - s.time[s.seat]) / s.time_limit
    n += 1
    if s.mode != SIMPLE:
        out[n] = s.elliott_best[s.seat] / MOST_ELLIOTT
        n += 1
    if s.end == 0:
        actions = np.empty(MAX_LEGAL_OFFICIAL + 1, np.int32)
        for i in range(legal(s, actions)):
            out[n + actions[i]] = 1.0


# ---- Redealing -----------------------------------------------------------------------------------------------------


@kernel
def redeal(s: Any, seat: int, seed: Any) -> None:  # noqa: ARG001
    """All later dice. In `deterministic` they are part of the rules, and nothing is hidden."""
    if s.mode != DETERMINISTIC:
        s.luck[0] = derive(seed, 1)


# ---- Audit ---------------------------------------------------------------------------------------------------------

INVARIANTS = (
    "groups are filled in order, and counted when they are full",
    "the clock runs as the green die says, and stops at the limit",
    "dice show one to six, and each is used at most once a turn",
    "the seats take turns, and have equally many at the end",
    "bonuses are earned before they are used, and only in the official game",
    "what is written at Elliott is ten to eighteen",
)


@kernel
def audit(s: Any) -> int:
    for seat in range(s.seats):
        if not _filled_in_order(s, seat):
            return 1
        if s.time[seat] < 0 or s.time[seat] >= s.time_limit + 6 or (s.time[seat] >= s.time_limit and not s.last_round):
            return 2
        if not _bonuses_earned(s, seat):
            return 5
        if s.elliott_best[seat] != 0 and not LEAST_ELLIOTT <= s.elliott_best[seat] <= MOST_ELLIOTT:
            return 6
    for die in range(DICE):
        if not 1 <= s.dice[die] <= 6:
            return 3
    if s.taken & ~s.free or not 0 <= s.free <= SUBSETS:
        return 3
    if s.seat != s.turn % s.seats or (s.end > 0 and s.seat != 0):
        return 4
    return 0


@kernel
def _filled_in_order(s: Any, seat: int) -> bool:
    for number in range(PROPERTIES):
        crossed = s.leaves[seat, number]
        done = s.groups[seat, number]
        if number == NEWMAN:
            if done != 0:
                return False
            continue
        allowed = 0
        for group in range(GROUPS[number]):
            full = NEEDED[number, group] & ~crossed == 0
            if full != (group < done):
                return False
            if group <= done:
                allowed |= NEEDED[number, group] | FURTHER[number, group]
        if crossed & ~allowed:
            return False
        # Only an acorn leaves a group half filled.
        if s.mode != OFFICIAL and NEEDED[number, done] & crossed:
            return False
    return True


@kernel
def _bonuses_earned(s: Any, seat: int) -> bool:
    for colour in range(COLOURS):
        earned = 0
        for number in range(PROPERTIES):
            for leaf in range(MOST_LEAVES):
                if LEAF_BUMP[number, leaf] == colour and s.leaves[seat, number] >> leaf & 1:
                    earned += 1
        if not 0 <= s.bumps[seat, colour] <= earned or s.acorns[colour] < 0:
            return False
        if s.mode != OFFICIAL and s.bumps[seat, colour] + s.acorns[colour] > 0:
            return False
    return True

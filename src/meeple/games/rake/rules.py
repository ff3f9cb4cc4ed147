"""What a turn may do, and doing it. Kernels: legality is assumed, nothing is checked here."""

from __future__ import annotations

from typing import Any

import numpy as np

from meeple.core.kernel import kernel
from meeple.core.rng import draw
from meeple.games.rake.actions import (
    ACORN_AT,
    ACORN_LEAF,
    ASSIGN,
    BUMP,
    NEWMAN_LEAF,
    PASS,
    REROLL_DICE,
    SIMPLE_PASS,
    SIMPLE_PROPERTY,
    TAKE_DICE,
)
from meeple.games.rake.combinations import accepted, bit, count, crossed_by, next_leaf, orange_sum
from meeple.games.rake.components import (
    DICE,
    DIE_COLOUR,
    ELLIOTT,
    GREEN,
    GREEN_DIE,
    GROUPS,
    LEAF_ACORN,
    LEAF_BUMP,
    MOST_LEAVES,
    NEEDED,
    NEWMAN,
    NOTHING,
    PROPERTIES,
    SUBSETS,
)
from meeple.games.rake.state import (
    ACORN,
    LEAF,
    OFFICIAL,
    REROLL,
    SECTION,
    SIMPLE,
    TAKE,
    acorn_colour,
    begin_turn,
)

END_TIME = 1

# ---- Legal actions -------------------------------------------------------------------------------------------------


@kernel
def legal(s: Any, out: Any) -> int:
    if s.mode == SIMPLE:
        return _legal_simple(s, out)
    if s.phase == ACORN:
        return _legal_acorns(s, out)
    n = 0
    if s.phase == REROLL:
        for dice in range(1, SUBSETS + 1):
            out[n] = REROLL_DICE + dice - 1
            n += 1
    if s.phase <= TAKE:
        n = _legal_takes(s, out, n)
    elif s.phase == SECTION:
        for number in range(PROPERTIES):
            if accepted(s, number) & bit(s.taken):
                out[n] = ASSIGN + number
                n += 1
    else:
        out[n] = NEWMAN_LEAF + int(s.dice[GREEN_DIE]) - 1
        n += 1
    out[n] = PASS
    n += 1
    if s.mode == OFFICIAL and s.phase <= TAKE:
        n = _legal_bumps(s, out, n)
    return n


@kernel
def _legal_simple(s: Any, out: Any) -> int:
    n = 0
    for i in range(SIMPLE_PASS):
        if accepted(s, SIMPLE_PROPERTY[i]):
            out[n] = i
            n += 1
    out[n] = SIMPLE_PASS
    return n + 1


@kernel
def _legal_takes(s: Any, out: Any, n: int) -> int:
    """Sets of dice that some property accepts."""
    fits = np.int64(0)
    for number in range(PROPERTIES):
        fits |= accepted(s, number)
    dice = 0
    while fits:
        if fits & 1:
            out[n] = TAKE_DICE + dice
            n += 1
        dice += 1
        fits >>= np.int64(1)
    return n


@kernel
def _legal_bumps(s: Any, out: Any, n: int) -> int:
    for die in range(DICE):
        if s.free >> die & 1 and s.dice[die] < 6 and s.bumps[s.seat, DIE_COLOUR[die]] > 0:
            out[n] = BUMP + die
            n += 1
    return n


@kernel
def _legal_acorns(s: Any, out: Any) -> int:
    """An acorn must be placed: there is no passing."""
    n = 0
    colour = acorn_colour(s)
    for number in range(PROPERTIES):
        if next_leaf(s, number, colour):
            out[n] = ACORN_AT + number
            n += 1
    if colour == GREEN:
        for leaf in range(6):
            if not s.leaves[s.seat, NEWMAN] >> leaf & 1:
                out[n] = ACORN_LEAF + leaf
                n += 1
    return n


# ---- Making an action ----------------------------------------------------------------------------------------------


@kernel
def apply(s: Any, action: int) -> None:
    if s.mode == SIMPLE:
        if action < SIMPLE_PASS:
            assign(s, SIMPLE_PROPERTY[action], most_dice(s, SIMPLE_PROPERTY[action]))
        _end_turn(s)
    elif action >= BUMP:
        _use_bonus(s, action)
    elif action == PASS:
        _end_turn(s)
    elif action < TAKE_DICE:
        _reroll(s, action - REROLL_DICE + 1)
    elif action < ASSIGN:
        s.taken = action - TAKE_DICE + 1
        s.phase = SECTION
    elif action == ASSIGN + NEWMAN:
        s.phase = LEAF
    else:
        assign(s, NEWMAN if action >= NEWMAN_LEAF else action - ASSIGN, s.taken)
        s.combinations -= 1
        _go_on(s)


@kernel
def _reroll(s: Any, dice: int) -> None:
    for die in range(DICE):
        if dice >> die & 1:
            s.dice[die] = draw(s.luck, 6) + 1
    s.phase = TAKE


@kernel
def most_dice(s: Any, number: int) -> int:
    """Simple: the dice chosen for the player, of several sets the largest: it crosses most leaves."""
    sets = accepted(s, number)
    best = 0
    dice = 1
    while sets:
        if sets & 1 and count(dice) > count(best):
            best = dice
        dice += 1
        sets >>= np.int64(1)
    return best


@kernel
def assign(s: Any, number: int, dice: int) -> None:
    """Use dice at a property: cross their leaves."""
    crossed = crossed_by(s, number, dice)
    if number == ELLIOTT:
        s.elliott_best[s.seat] = max(s.elliott_best[s.seat], orange_sum(s, dice))
    s.free &= ~dice
    s.taken = 0
    cross(s, number, crossed)


@kernel
def cross(s: Any, number: int, crossed: int) -> None:
    """Cross leaves; the group may be finished by that, and bonuses are earned where they count."""
    seat = s.seat
    s.leaves[seat, number] |= crossed
    group = s.groups[seat, number]
    if number != NEWMAN and group < GROUPS[number] and NEEDED[number, group] & ~s.leaves[seat, number] == 0:
        s.groups[seat, number] += 1
    if s.mode == OFFICIAL:
        for leaf in range(MOST_LEAVES):
            if crossed >> leaf & 1:
                if LEAF_BUMP[number, leaf] != NOTHING:
                    s.bumps[seat, LEAF_BUMP[number, leaf]] += 1
                if LEAF_ACORN[number, leaf] != NOTHING:
                    s.acorns[LEAF_ACORN[number, leaf]] += 1


@kernel
def _use_bonus(s: Any, action: int) -> None:
    if action < ACORN_AT:
        s.dice[action - BUMP] += 1
        s.bumps[s.seat, DIE_COLOUR[action - BUMP]] -= 1
        return
    colour = acorn_colour(s)
    s.acorns[colour] -= 1
    if action >= ACORN_LEAF:
        cross(s, NEWMAN, 1 << (action - ACORN_LEAF))
    else:
        cross(s, action - ACORN_AT, next_leaf(s, action - ACORN_AT, colour))
    _go_on(s)


@kernel
def _go_on(s: Any) -> None:
    """Acorns first, one by one; those that can cross nothing are lost. Then the second combination, or the end of the turn."""
    while acorn_colour(s) != NOTHING:
        if _can_place(s, acorn_colour(s)):
            s.phase = ACORN
            return
        s.acorns[acorn_colour(s)] -= 1
    if s.combinations > 0:
        s.phase = TAKE
    else:
        _end_turn(s)


@kernel
def _can_place(s: Any, colour: int) -> bool:
    if colour == GREEN and count(s.leaves[s.seat, NEWMAN]) < 6:
        return True
    for number in range(PROPERTIES):
        if next_leaf(s, number, colour):
            return True
    return False


@kernel
def _end_turn(s: Any) -> None:
    """The green die is the time the turn took. Whoever's time is up ends the game, when all have had equally many turns."""
    s.time[s.seat] += s.dice[GREEN_DIE]
    if s.time[s.seat] >= s.time_limit:
        s.last_round = 1
    s.turn += 1
    s.seat = s.seat + 1 if s.seat + 1 < s.seats else 0
    if s.last_round and s.seat == 0:
        s.end = END_TIME
        s.phase = SECTION if s.mode == SIMPLE else REROLL
        s.taken = 0
    else:
        begin_turn(s)

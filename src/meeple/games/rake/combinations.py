"""Which sets of dice a property accepts, and which leaves they cross. A set of dice is a number of six bits (actions.py).

A leaf that an acorn has crossed already needs no die, and stands for any value: the dice of the empty leaves must fit together
as part of a whole combination. Without acorns a group is always empty, and this is the table of the rulebook.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from meeple.core.kernel import kernel
from meeple.games.rake.components import (
    BROWN,
    BUSCH,
    EARNHARDT,
    ELLIOTT,
    FIRST_BROWN,
    FURTHER,
    GREEN,
    GREEN_DIE,
    GROUPS,
    HAMLIN,
    HARVICK,
    JOHNSON,
    LEAST_ELLIOTT,
    NEEDED,
    NEWMAN,
    OF_COLOUR,
    ORANGE,
    SUAREZ,
)

ORANGE_SETS = 8  # sets of orange dice: three bits


@kernel
def bit(dice: int) -> Any:
    """A set of dice as one bit of a word that holds all sets."""
    return np.int64(1) << np.int64(dice - 1)


@kernel
def count(bits: int) -> int:
    n = 0
    while bits:
        bits &= bits - 1
        n += 1
    return n


@kernel
def empty_of(number: int, bits: int, colour: int) -> int:
    """How many of these leaves of a property have a colour."""
    return count(bits & OF_COLOUR[number, colour])


@kernel
def needed_leaves(s: Any, number: int) -> int:
    """Leaves of the present group that are needed and still empty, as bits; 0 where the property is full."""
    return NEEDED[number, s.groups[s.seat, number]] & ~s.leaves[s.seat, number]  # type: ignore[no-any-return]


@kernel
def further_leaf(s: Any, number: int) -> int:
    """The further leaf of the present group, if it is empty."""
    return FURTHER[number, s.groups[s.seat, number]] & ~s.leaves[s.seat, number]  # type: ignore[no-any-return]


@kernel
def accepted(s: Any, number: int) -> Any:
    """All sets of free dice that a property accepts now, a bit for each."""
    if number == NEWMAN:
        free = s.free >> GREEN_DIE & 1 and not s.leaves[s.seat, NEWMAN] >> (s.dice[GREEN_DIE] - 1) & 1
        return bit(1 << GREEN_DIE) if free else np.int64(0)
    if s.groups[s.seat, number] >= GROUPS[number]:
        return np.int64(0)
    needed = needed_leaves(s, number)
    further = 1 if further_leaf(s, number) else 0
    if number == HARVICK:
        return _runs(s, count(needed))
    if number == ELLIOTT:
        return _sums(s, count(needed) + further)
    if number == SUAREZ:
        return _equal_oranges(s, count(needed), further)
    if number == HAMLIN:
        return _one_of_each(s, needed)
    if number == BUSCH:
        return _pairs(s, empty_of(BUSCH, needed, ORANGE), empty_of(BUSCH, needed, BROWN))
    if number == EARNHARDT:
        return _equal_browns(s, count(needed))
    colour = BROWN if number == JOHNSON else ORANGE
    return _with_green(s, colour, empty_of(number, needed, GREEN), empty_of(number, needed, colour), further)


@kernel
def _runs(s: Any, n: int) -> Any:
    """So many orange dice of a run of three: all different, at most two apart."""
    found = np.int64(0)
    for dice in range(1, ORANGE_SETS):
        if dice & ~s.free or count(dice) != n:
            continue
        low = 6
        high = 1
        values = 0
        for die in range(FIRST_BROWN):
            if dice >> die & 1:
                low = min(low, s.dice[die])
                high = max(high, s.dice[die])
                values |= 1 << s.dice[die]
        if high - low <= 2 and count(values) == n:
            found |= bit(dice)
    return found


@kernel
def _sums(s: Any, room: int) -> Any:
    """Two or three orange dice that make ten or more, as many as there is room for."""
    found = np.int64(0)
    for dice in range(1, ORANGE_SETS):
        if not dice & ~s.free and 2 <= count(dice) <= room and orange_sum(s, dice) >= LEAST_ELLIOTT:
            found |= bit(dice)
    return found


@kernel
def orange_sum(s: Any, dice: int) -> int:
    total = 0
    for die in range(FIRST_BROWN):
        if dice >> die & 1:
            total += s.dice[die]
    return total


@kernel
def _equal_oranges(s: Any, n: int, further: int) -> Any:
    found = np.int64(0)
    for dice in range(1, ORANGE_SETS):
        if not dice & ~s.free and n <= count(dice) <= n + further and _all_equal(s, dice):
            found |= bit(dice)
    return found


@kernel
def _all_equal(s: Any, dice: int) -> bool:
    value = 0
    for die in range(GREEN_DIE + 1):
        if dice >> die & 1:
            if value != 0 and s.dice[die] != value:
                return False
            value = s.dice[die]
    return True


@kernel
def _equal_browns(s: Any, n: int) -> Any:
    both = 3 << FIRST_BROWN
    found = np.int64(0)
    if n == 2:
        if not both & ~s.free and _all_equal(s, both):
            found |= bit(both)
    else:
        for die in (FIRST_BROWN, FIRST_BROWN + 1):
            if s.free >> die & 1:
                found |= bit(1 << die)
    return found


@kernel
def _pairs(s: Any, oranges: int, browns: int) -> Any:
    """An orange and a brown die of equal value, or the one that is still needed."""
    found = np.int64(0)
    for orange in range(FIRST_BROWN) if oranges else range(-1, 0):
        for brown in range(FIRST_BROWN, GREEN_DIE) if browns else range(-1, 0):
            dice = _one(orange) | _one(brown)
            if not dice & ~s.free and (orange < 0 or brown < 0 or s.dice[orange] == s.dice[brown]):
                found |= bit(dice)
    return found


@kernel
def _with_green(s: Any, colour: int, greens: int, others: int, further: int) -> Any:
    """The green die and one of a colour, equal; a second equal one where the centre leaf is empty."""
    first = FIRST_BROWN if colour == BROWN else 0
    green = greens << GREEN_DIE
    found = np.int64(0)
    if green & ~s.free:
        return found
    for part in range(1 << (2 if colour == BROWN else 3)):
        dice = part << first
        if dice & ~s.free or not others <= count(part) <= others + further or dice | green == 0:
            continue
        if _all_equal(s, dice | green):
            found |= bit(dice | green)
    return found


@kernel
def _one_of_each(s: Any, needed: int) -> Any:
    """One die for each empty leaf; all equal, or brown, green, orange one after another."""
    found = np.int64(0)
    for orange in range(FIRST_BROWN) if empty_of(HAMLIN, needed, ORANGE) else range(-1, 0):
        for brown in range(FIRST_BROWN, GREEN_DIE) if empty_of(HAMLIN, needed, BROWN) else range(-1, 0):
            green = GREEN_DIE if empty_of(HAMLIN, needed, GREEN) else -1
            dice = _one(orange) | _one(brown) | _one(green)
            if not dice & ~s.free and (_all_equal(s, dice) or _rising(s, brown, green, orange)):
                found |= bit(dice)
    return found


@kernel
def _one(die: int) -> int:
    return 1 << die if die >= 0 else 0


@kernel
def _rising(s: Any, brown: int, green: int, orange: int) -> bool:
    """Is there a green value from 2 to 5 that all dice fit, brown one below it and orange one above?"""
    for middle in range(2, 6):
        fits = brown < 0 or s.dice[brown] == middle - 1
        fits = fits and (green < 0 or s.dice[green] == middle)
        if fits and (orange < 0 or s.dice[orange] == middle + 1):
            return True
    return False


@kernel
def crossed_by(s: Any, number: int, dice: int) -> int:
    """The leaves that an accepted set of dice crosses, as bits."""
    if number == NEWMAN:
        return 1 << (s.dice[GREEN_DIE] - 1)  # type: ignore[no-any-return]
    needed = needed_leaves(s, number)
    if number == ELLIOTT:
        return _first_leaves(needed | further_leaf(s, number), count(dice))
    return needed | (further_leaf(s, number) if count(dice) > count(needed) else 0)


@kernel
def _first_leaves(bits: int, n: int) -> int:
    """The lowest n of these bits."""
    kept = 0
    for _ in range(n):
        kept |= bits & -bits
        bits &= bits - 1
    return kept


@kernel
def next_leaf(s: Any, number: int, colour: int) -> int:
    """The leaf that an acorn of a colour crosses at a property, as a bit; 0 where there is none. Newman's are chosen one by one."""
    if s.groups[s.seat, number] >= GROUPS[number]:
        return 0
    needed = needed_leaves(s, number) & OF_COLOUR[number, colour]
    if needed:
        return needed & -needed  # type: ignore[no-any-return]
    return further_leaf(s, number) & OF_COLOUR[number, colour]  # type: ignore[no-any-return]

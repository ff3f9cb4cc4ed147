"""What every roll of the dice can serve: tables made once, from the rules themselves.

A **use** is a way to use dice at a property whose present group needs certain leaves: plainly, with the further leaf, or at Elliott
for a total. Whether a roll allows a use, or two of them on different dice, depends on nothing else, so it is one bit of a table:
for each pair of uses, a bit for each of the 7,056 different rolls.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.core.kernel import kernel
from meeple.games.rake.combinations import accepted, count, empty_of, further_leaf, needed_leaves, orange_sum
from meeple.games.rake.components import (
    BROWN,
    COLOURS,
    ELLIOTT,
    FURTHER,
    GREEN,
    GROUPS,
    LEAST_ELLIOTT,
    MOST_ELLIOTT,
    NEEDED,
    NEWMAN,
    ORANGE,
    PROPERTIES,
    SUAREZ,
    SUBSETS,
)
from meeple.games.rake.state import OFFICIAL, STATE

ORANGE_ROLLS = list(combinations_with_replacement(range(1, 7), 3))
BROWN_ROLLS = list(combinations_with_replacement(range(1, 7), 2))
GREEN_ROLLS = [(value,) for value in range(1, 7)]
ORANGES, BROWNS = len(ORANGE_ROLLS), len(BROWN_ROLLS)
ROLLS = ORANGES * BROWNS  # with one value of the green die; number: orange roll * BROWNS + brown roll
WORDS = -(-ROLLS // 64)
NO_USE = -1
KEYS = 4 * 3 * 2 * 2  # empty needed leaves by colour, and whether the further one is empty
TOTALS = MOST_ELLIOTT - LEAST_ELLIOTT + 1
USES = 58  # in all

# All that is known of rolls, in one record: kernels are handed a pointer, which compiles faster than a tuple of arrays.
KNOWN_ROLLS = np.dtype(
    (
        np.record,
        [
            ("orange_chance", "f8", (8, 216, ORANGES)),  # dice rolled again, their old values -> chance of each roll
            ("brown_chance", "f8", (4, 36, BROWNS)),
            ("first", "i8", (PROPERTIES, KEYS)),  # the plain use of a need, or the first total; the further one is the next
            ("pairs", "u8", (USES, USES, 6, WORDS)),  # by green: rolls that allow both; of a use with itself: that allow it
            ("twice", "u8", (USES, 6, WORDS)),  # rolls that allow it and another one at the same property
        ],
    )
)


@kernel
def key_of(s: Any, number: int) -> int:
    """What the present group of a property still needs, as a number."""
    needed = needed_leaves(s, number)
    key = empty_of(number, needed, ORANGE) + 4 * empty_of(number, needed, BROWN) + 12 * empty_of(number, needed, GREEN)
    return key + (24 if further_leaf(s, number) else 0)


@kernel
def first_use(rolls: Any, s: Any, number: int) -> int:
    """The first use of a property as its present group is; NO_USE where it is full."""
    if number == NEWMAN:
        return rolls.first[NEWMAN, 0]  # type: ignore[no-any-return]
    return NO_USE if s.groups[s.seat, number] >= GROUPS[number] else rolls.first[number, key_of(s, number)]


@kernel
def kinds_of(s: Any, number: int) -> int:
    """How many uses there are of the present group."""
    if number == ELLIOTT:
        return TOTALS
    return 2 if number != NEWMAN and further_leaf(s, number) else 1


# ---- Making the tables ---------------------------------------------------------------------------------------------


@cache
def make_rolls() -> NDArray[Any]:
    """One for all: 4 MB, made once a process in half a second."""
    rolls = np.zeros(1, KNOWN_ROLLS)
    r = rolls[0]
    r.orange_chance[:] = _chances(ORANGE_ROLLS, 3)
    r.brown_chance[:] = _chances(BROWN_ROLLS, 2)
    r.first[:] = NO_USE
    sets: list[NDArray[np.int64]] = []  # of each use: (green, roll) -> sets of dice, a bit for each
    peers: list[tuple[int, int]] = []  # of each use: the first and the last one of the same need
    for s, number in _needs():
        r.first[number, 0 if number == NEWMAN else key_of(s, number)] = first = len(sets)
        sets += _sets_of(s, number)
        peers += [(first, len(sets))] * (len(sets) - first)
    _find_pairs(r, np.array(sets), peers)
    return rolls


def _chances(rolls: Sequence[tuple[int, ...]], dice: int) -> NDArray[np.float64]:
    """[dice that are rolled again as bits, their old values as a number of base six, new roll] -> its chance."""
    places = {roll: i for i, roll in enumerate(rolls)}
    chances = np.zeros((1 << dice, 6**dice, len(rolls)))
    values = list(product(range(1, 7), repeat=dice))
    for again in range(1 << dice):
        for old in values:
            number = sum((value - 1) * 6**die for die, value in enumerate(old))
            for new in product(range(1, 7), repeat=again.bit_count()):
                thrown = iter(new)
                after = [next(thrown) if again >> die & 1 else value for die, value in enumerate(old)]
                chances[again, number, places[tuple(sorted(after))]] += 6.0 ** -again.bit_count()
    return chances


def _needs() -> Iterator[tuple[Any, int]]:
    """A sheet for every need that a property can have: whole groups, and whatever acorns leave of them."""
    s = np.zeros(1, STATE)[0]
    s.mode, s.free = OFFICIAL, SUBSETS
    known = set()
    for number in range(PROPERTIES):
        if number == NEWMAN:
            yield s, number
            continue
        for group in range(GROUPS[number]):
            s.groups[0, number] = group
            needed = int(NEEDED[number, group])
            # The third leaves of Suarez and Elliott are not for acorns.
            parts = needed if number in (SUAREZ, ELLIOTT) else needed | int(FURTHER[number, group])
            crossed = parts
            while crossed:  # down through all parts of the group
                crossed = (crossed - 1) & parts
                s.leaves[0, number] = crossed
                if needed & ~crossed and (need := (number, key_of(s, number))) not in known:
                    known.add(need)
                    yield s, number


def _sets_of(s: Any, number: int) -> list[NDArray[np.int64]]:
    """For every use of the present need: the sets of dice, by green and roll. Dice of a colour that no leaf has do not matter."""
    needed = int(needed_leaves(s, number))
    leaves = needed | int(further_leaf(s, number))
    rolls = (ORANGE_ROLLS, BROWN_ROLLS, GREEN_ROLLS)
    matters = [number != NEWMAN and empty_of(number, leaves, colour) > 0 for colour in range(COLOURS)]
    shown = [list(enumerate(rolls[colour])) if matters[colour] else [(0, rolls[colour][0])] for colour in range(COLOURS)]
    sets = np.zeros((kinds_of(s, number), *(len(part) for part in shown)), np.int64)
    for (i, oranges), (j, browns), (k, green) in product(*shown):
        s.dice[:] = oranges + browns + green
        fits = int(accepted(s, number))
        for dice in (dice for dice in range(1, SUBSETS + 1) if fits >> (dice - 1) & 1):
            kind = (
                orange_sum(s, dice) - LEAST_ELLIOTT if number == ELLIOTT else int(number != NEWMAN and count(dice) > count(needed))
            )
            sets[kind, i, j, k] |= 1 << (dice - 1)
    whole = np.broadcast_to(sets, (len(sets), ORANGES, BROWNS, 6))
    return list(whole.transpose(0, 3, 1, 2).reshape(len(sets), 6, ROLLS))


def _find_pairs(r: Any, sets: NDArray[np.int64], peers: list[tuple[int, int]]) -> None:
    """For all uses at once, set of dice by set of dice."""
    for dice in range(1, SUBSETS + 1):
        holds = _pack(sets >> (dice - 1) & 1)
        if not holds.any():
            continue
        apart = [other for other in range(1, SUBSETS + 1) if not other & dice]
        beside = _pack(sets & sum(1 << (other - 1) for other in apart))
        # Two at one property: they bring what the lower set brings, and a second group.
        above = _pack(sets & sum(1 << (other - 1) for other in apart if other > dice))
        for use, (first, end) in enumerate(peers):
            if holds[use].any():
                r.pairs[use, : len(sets)] |= holds[use] & beside
                r.twice[use] |= holds[use] & np.bitwise_or.reduce(above[first:end])
    for use, single in enumerate(_pack(sets)):
        r.pairs[use, use] = single


def _pack(bits: NDArray[np.int64]) -> NDArray[np.uint64]:
    """(use, green, roll) numbers -> (use, green, word), a bit for each that is not zero."""
    whole = np.zeros((*bits.shape[:2], WORDS * 64), np.bool_)
    whole[:, :, :ROLLS] = bits != 0
    return np.packbits(whole, axis=2, bitorder="little").view("<u8").astype(np.uint64)

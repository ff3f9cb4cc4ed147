"""What each reroll leads to on average, over all dice that can come of it.

What a combination brings depends on the property, not on the roll, so those gains are found once. All ways to use a roll, one
combination or two, are then sorted by what they bring, and each is given to the rolls that allow it (a bit each, `rolls.py`) and
had nothing better. The mean for all 63 sets of dice follows colour by colour.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from meeple.core.kernel import kernel
from meeple.games.rake.combinations import count, needed_leaves
from meeple.games.rake.components import (
    ELLIOTT,
    FIRST_BROWN,
    GREEN_DIE,
    GROUPS,
    LEAST_ELLIOTT,
    MOST_ELLIOTT,
    NEWMAN,
    PROPERTIES,
    SUBSETS,
)
from meeple.games.rake.evaluation import at, evaluate, turns_left
from meeple.games.rake.rolls import BROWNS, NO_USE, ORANGES, ROLLS, TOTALS, WORDS, first_use, kinds_of
from meeple.games.rake.rules import assign
from meeple.games.rake.state import OFFICIAL

TWICE = 2  # index of gains: the second combination at the same property
HERE = 2 * (PROPERTIES - 1) + TOTALS  # uses that one sheet can have
WAYS = HERE * (HERE + 1) // 2 + HERE
SAME = 1e-9  # values this close differ by rounding only

# Place of the lowest bit of a word: it times DE_BRUIJN has that place in its six highest bits.
DE_BRUIJN = np.uint64(0x03F79D71B4CB0A89)
LOWEST = np.zeros(64, np.int64)
for _place in range(64):
    LOWEST[(int(DE_BRUIJN) << _place & (1 << 64) - 1) >> 58] = _place


# Room to reckon in, as one record: kernels are handed a pointer.
DESK = np.dtype(
    (
        np.record,
        [
            ("gains", "f8", (6, PROPERTIES, 3)),  # by green: plain, with a further leaf, as the second one
            ("elliott", "f8", (6, MOST_ELLIOTT + 1)),  # by green: for a total
            ("bases", "f8", (6,)),  # by green: the sheet as it is
            ("uses", "i8", (HERE, 3)),  # its number in KNOWN_ROLLS, the property, and 0 plain, 1 further, or Elliott's total
            ("ways", "i8", (WAYS, 2)),  # two uses, one use (the same number twice), or (use, -1): two at one property
            ("singles", "f8", (HERE,)),  # what a use brings, for the present value of the green die
            ("worths", "f8", (WAYS,)),  # what a way brings
            ("order", "i8", (WAYS,)),  # ways, best first
            ("waiting", "u8", (WORDS,)),  # rolls that have no value yet
            ("best", "f8", (7, WORDS * 64)),  # by green: what each roll leads to; in row 6 the mean of the greens
            ("browns_done", "f8", (4, ORANGES)),  # mean over the brown dice that are rolled again
            ("hoped", "f8", (SUBSETS + 1,)),  # what rolling a set of dice again leads to; 0: no reroll
        ],
    )
)


@kernel
def best_reroll(me: Any, s: Any) -> tuple[int, float]:
    """The dice to roll again, and what that leads to on average. Of equal ones the first."""
    expect_rerolls(me, s)
    r = me.desk[0]
    best = 1
    for again in range(2, SUBSETS + 1):
        if r.hoped[again] > r.hoped[best] + SAME:
            best = again
    return best, r.hoped[best]


@kernel
def expect_rerolls(me: Any, s: Any) -> None:
    """What each set of dice leads to if it is rolled again, on the desk. Of `me` are used evaluation, rolls, desk, tables[0]."""
    r = me.desk[0]
    for green in range(6):
        find_gains(r, me.evaluation, s, me.tables, green)
    value_rolls(me.rolls[0], r, s)
    _mean(me.rolls[0], r, s)


# ---- Gains ---------------------------------------------------------------------------------------------------------


@kernel
def find_gains(r: Any, e: Any, s: Any, tables: Any, green: int) -> None:
    """What one more combination at each property brings, if the green die (which is the time) shows green + 1."""
    clock = s.time[s.seat] + green + 1
    r.bases[green] = evaluate(e, s, s.seat, clock)
    if s.mode == OFFICIAL:
        _gains_with_bonuses(r, e, s, tables, green)
        return
    below, share = turns_left(e, s, clock)
    for number in range(PROPERTIES):
        groups = GROUPS[number]
        done = int(s.groups[s.seat, number])
        if number == NEWMAN:
            groups = 6
            done = count(s.leaves[s.seat, NEWMAN])
        if number == ELLIOTT:
            if done < groups:
                _gains_of_elliott(r, e, s, green, clock)
            continue
        now = at(e, number, done, below, share)
        once = at(e, number, done + 1, below, share) if done < groups else now
        twice = at(e, number, done + 2, below, share) if done + 1 < groups else once
        r.gains[green, number, 0] = once - now
        r.gains[green, number, 1] = once - now
        r.gains[green, number, TWICE] = twice - once


@kernel
def _gains_of_elliott(r: Any, e: Any, s: Any, green: int, clock: int) -> None:
    below, share = turns_left(e, s, clock)
    best = int(s.elliott_best[s.seat])
    done = int(s.groups[s.seat, ELLIOTT])
    now = best + max(0.0, e.goal - best) * at(e, ELLIOTT, done, below, share)
    later = at(e, ELLIOTT, done + 1, below, share) if done + 1 < GROUPS[ELLIOTT] else 0.0
    for total in range(LEAST_ELLIOTT, MOST_ELLIOTT + 1):
        most = max(best, total)
        r.elliott[green, total] = most + max(0.0, e.goal - most) * later - now


@kernel
def _gains_with_bonuses(r: Any, e: Any, s: Any, tables: Any, green: int) -> None:
    """Leaves bring bumps, acorns and money of their own, so the whole sheet is valued."""
    seat = s.seat
    clock = s.time[seat] + green + 1
    t = tables[0]
    base = r.bases[green]
    for number in range(PROPERTIES):
        if number == ELLIOTT:
            for total in range(LEAST_ELLIOTT, MOST_ELLIOTT + 1):
                tables[0] = s
                t.groups[seat, ELLIOTT] += 1
                t.elliott_best[seat] = max(t.elliott_best[seat], total)
                r.elliott[green, total] = evaluate(e, t, seat, clock) - base
            continue
        tables[0] = s
        _pretend(t, number, 1)
        r.gains[green, number, 1] = evaluate(e, t, seat, clock) - base
        tables[0] = s
        _pretend(t, number, 0)
        once = evaluate(e, t, seat, clock)
        r.gains[green, number, 0] = once - base
        _pretend(t, number, 0)
        r.gains[green, number, TWICE] = evaluate(e, t, seat, clock) - once


@kernel
def _pretend(s: Any, number: int, further: int) -> None:
    """Finish the present group of a property, whatever the dice."""
    if number == NEWMAN:
        free = ~s.leaves[s.seat, NEWMAN] & 63
        s.leaves[s.seat, NEWMAN] |= free & -free
        return
    needed = needed_leaves(s, number)
    if needed:
        s.free = SUBSETS
        assign(s, number, (1 << (count(needed) + further)) - 1)


# ---- Every roll ----------------------------------------------------------------------------------------------------


@kernel
def value_rolls(rolls: Any, r: Any, s: Any) -> None:
    """For every different roll: the sheet as it is, and the best pair of combinations on disjoint dice."""
    uses = _list_uses(rolls, r, s)
    n = _list_ways(r, uses)
    for i in range(n):
        r.order[i] = i
    for green in range(6):
        _price(r, uses, n, green, s.leaves[s.seat, NEWMAN] >> green & 1)
        _sort(r.order, r.worths, n)
        _give(rolls, r, n, green)


@kernel
def _list_uses(rolls: Any, r: Any, s: Any) -> int:
    """The uses that the sheet allows, whatever the roll. A further leaf brings something in the official game only."""
    n = 0
    for number in range(PROPERTIES):
        first = first_use(rolls, s, number)
        if first == NO_USE:
            continue
        kinds = kinds_of(s, number) if s.mode == OFFICIAL or number == ELLIOTT else 1
        for kind in range(kinds):
            r.uses[n, 0] = first + kind
            r.uses[n, 1] = number
            r.uses[n, 2] = LEAST_ELLIOTT + kind if number == ELLIOTT else kind
            n += 1
    return n


@kernel
def _list_ways(r: Any, uses: int) -> int:
    """One combination, two at different properties, or two at one, which cannot be Elliott or Newman."""
    n = 0
    for a in range(uses):
        for b in range(a, uses):
            if a == b or r.uses[a, 1] != r.uses[b, 1]:
                r.ways[n, 0] = a
                r.ways[n, 1] = b
                n += 1
        if r.uses[a, 1] != ELLIOTT and r.uses[a, 1] != NEWMAN:
            r.ways[n, 0] = a
            r.ways[n, 1] = -1
            n += 1
    return n


@kernel
def _price(r: Any, uses: int, n: int, green: int, crossed: int) -> None:
    """What each way to use the dice brings; nothing if a part of it brings less, since then the rest alone is as good."""
    for use in range(uses):
        number = r.uses[use, 1]
        if number == ELLIOTT:
            r.singles[use] = r.elliott[green, r.uses[use, 2]]
        else:
            r.singles[use] = 0.0 if number == NEWMAN and crossed else r.gains[green, number, r.uses[use, 2]]
    for way in range(n):
        one = r.singles[r.ways[way, 0]]
        b = r.ways[way, 1]
        if b < 0:
            r.worths[way] = one + r.gains[green, r.uses[r.ways[way, 0], 1], TWICE]
        elif b == r.ways[way, 0]:
            r.worths[way] = one
        else:
            r.worths[way] = one + r.singles[b] if one > 0 and r.singles[b] > 0 else 0.0


@kernel
def _sort(order: Any, worths: Any, n: int) -> None:
    """Best first. By insertion: from one value of the green die to the next the order hardly changes."""
    for i in range(1, n):
        way = order[i]
        worth = worths[way]
        place = i
        while place > 0 and worths[order[place - 1]] < worth:
            order[place] = order[place - 1]
            place -= 1
        order[place] = way


@kernel
def _give(rolls: Any, r: Any, n: int, green: int) -> None:
    base = r.bases[green]
    for word in range(WORDS):
        r.waiting[word] = ~np.uint64(0)
    for roll in range(WORDS * 64):
        r.best[green, roll] = base
    for i in range(n):
        way = r.order[i]
        if r.worths[way] <= 0:
            return
        a = r.uses[r.ways[way, 0], 0]
        b = r.ways[way, 1]
        value = base + r.worths[way]
        for word in range(WORDS):
            given = r.waiting[word] & (rolls.twice[a, green, word] if b < 0 else rolls.pairs[a, r.uses[b, 0], green, word])
            r.waiting[word] ^= given
            while given:
                lowest = given & (~given + np.uint64(1))
                r.best[green, 64 * word + LOWEST[(lowest * DE_BRUIJN) >> np.uint64(58)]] = value
                given ^= lowest


# ---- Every reroll --------------------------------------------------------------------------------------------------


@kernel
def _mean(rolls: Any, r: Any, s: Any) -> None:
    for roll in range(ROLLS):
        total = 0.0
        for green in range(6):
            total += r.best[green, roll]
        r.best[6, roll] = total / 6
    _mean_of(rolls, r, s, int(s.dice[GREEN_DIE]) - 1, 0)
    _mean_of(rolls, r, s, 6, 1 << GREEN_DIE)


@kernel
def _mean_of(rolls: Any, r: Any, s: Any, row: int, green_again: int) -> None:
    """The browns first, for every roll of the orange dice; then the oranges."""
    browns = int(s.dice[3]) - 1 + 6 * (int(s.dice[4]) - 1)
    oranges = int(s.dice[0]) - 1 + 6 * (int(s.dice[1]) - 1) + 36 * (int(s.dice[2]) - 1)
    for part in range(4):
        for i in range(ORANGES):
            total = 0.0
            for j in range(BROWNS):
                total += rolls.brown_chance[part, browns, j] * r.best[row, i * BROWNS + j]
            r.browns_done[part, i] = total
    for part in range(8):
        for other in range(4):
            total = 0.0
            for i in range(ORANGES):
                total += rolls.orange_chance[part, oranges, i] * r.browns_done[other, i]
            r.hoped[part | other << FIRST_BROWN | green_again] = total

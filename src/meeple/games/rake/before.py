"""What a sheet is worth before the dice of a turn fall: the mean over all first rolls, each with its best reroll.

The same reckoning for one roll is `reroll.py`. For all of them it goes colour by colour: first the mean for all dice that can be
kept, then for every roll the best of what it can keep. In `simple` there is no reroll, and a table of chances does.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, combinations_with_replacement, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.core.kernel import kernel
from meeple.games.rake.actions import SIMPLE_PASS, SIMPLE_PROPERTY
from meeple.games.rake.components import NEWMAN
from meeple.games.rake.reroll import find_gains, value_rolls
from meeple.games.rake.rolls import BROWN_ROLLS, BROWNS, ORANGE_ROLLS, ORANGES, ROLLS, first_use, make_rolls
from meeple.games.rake.state import SIMPLE, STATE

ORANGE_KEEPS = [keep for n in range(4) for keep in combinations_with_replacement(range(1, 7), n)]
BROWN_KEEPS = [keep for n in range(3) for keep in combinations_with_replacement(range(1, 7), n)]
KEPT_ORANGES, KEPT_BROWNS = len(ORANGE_KEEPS), len(BROWN_KEEPS)
ORANGE_LINKS, BROWN_LINKS = 364, 78  # ways from dice kept to a roll
SIMPLE_SETS = 1 << SIMPLE_PASS

# Tables, and room to reckon in.
KEEPS = np.dtype(
    (
        np.record,
        [
            ("orange_from", "i8", (ORANGE_LINKS,)),  # a roll
            ("orange_to", "i8", (ORANGE_LINKS,)),  # that can come of these dice, if they are kept,
            ("orange_chance", "f8", (ORANGE_LINKS,)),  # with this chance
            ("brown_from", "i8", (BROWN_LINKS,)),
            ("brown_to", "i8", (BROWN_LINKS,)),
            ("brown_chance", "f8", (BROWN_LINKS,)),
            ("orange_parts", "i8", (ORANGES, 8)),  # what a roll can keep
            ("brown_parts", "i8", (BROWNS, 4)),
            ("orange_odds", "f8", (ORANGES,)),  # of a roll
            ("brown_odds", "f8", (BROWNS,)),
            ("none_fits", "f8", (6, SIMPLE_SETS)),  # simple: chance of this green and that no property of a set fits
            ("by_orange", "f8", (KEPT_ORANGES, BROWNS)),
            ("by_both", "f8", (KEPT_ORANGES, KEPT_BROWNS)),
            ("best_brown", "f8", (KEPT_ORANGES, BROWNS)),
            ("best", "f8", (7, ORANGES, BROWNS)),
        ],
    )
)


def make_keeps() -> NDArray[Any]:
    keeps = np.zeros(1, KEEPS)
    keeps[:] = _tables()
    return keeps


@cache
def _tables() -> NDArray[Any]:
    keeps = np.zeros(1, KEEPS)
    k = keeps[0]
    for colour, rolls, kept, dice in (("orange", ORANGE_ROLLS, ORANGE_KEEPS, 3), ("brown", BROWN_ROLLS, BROWN_KEEPS, 2)):
        links: dict[tuple[int, int], float] = {}
        for to, keep in enumerate(kept):
            for new in product(range(1, 7), repeat=dice - len(keep)):
                link = (rolls.index(tuple(sorted(keep + new))), to)  # type: ignore[arg-type]
                links[link] = links.get(link, 0.0) + 6.0 ** -len(new)
        getattr(k, f"{colour}_from")[:] = [roll for roll, _ in links]
        getattr(k, f"{colour}_to")[:] = [keep for _, keep in links]
        getattr(k, f"{colour}_chance")[:] = list(links.values())
        getattr(k, f"{colour}_odds")[:] = [links[roll, 0] for roll in range(len(rolls))]
        for place, roll in enumerate(rolls):
            parts = [part for n in range(dice + 1) for part in combinations(roll, n)]
            getattr(k, f"{colour}_parts")[place] = [kept.index(part) for part in parts]
    k.none_fits[:] = _chances_of_simple(np.outer(k.orange_odds, k.brown_odds).ravel() / 6)
    return keeps


def _chances_of_simple(odds: NDArray[np.float64]) -> NDArray[np.float64]:
    """Which properties each roll fits, and from that which sets of properties it misses."""
    rolls = make_rolls()[0]
    empty = np.zeros(1, STATE)[0]
    fits = np.zeros((6, ROLLS), np.int64)
    for place, number in enumerate(SIMPLE_PROPERTY):
        use = first_use(rolls, empty, number)
        bits = np.unpackbits(rolls.pairs[use, use].astype("<u8").view(np.uint8), axis=1, bitorder="little")[:, :ROLLS]
        fits |= bits.astype(np.int64) << place
    chances = np.stack([np.bincount(fits[green], odds, SIMPLE_SETS) for green in range(6)])
    sets = np.arange(SIMPLE_SETS)
    missed = (sets[:, None] & sets[None, :]) == 0
    result: NDArray[np.float64] = chances @ missed
    return result


@kernel
def worth_before(me: Any, k: Any, s: Any) -> float:
    """What the sheet of the seat to move is worth before its turn. Of `me` are used evaluation, rolls, desk and tables[0]."""
    r = me.desk[0]
    for green in range(6):
        find_gains(r, me.evaluation, s, me.tables, green)
    if s.mode == SIMPLE:
        return _mean_of_simple(r, k, s.leaves[s.seat, NEWMAN])
    value_rolls(me.rolls[0], r, s)
    for roll in range(ROLLS):
        total = 0.0
        for green in range(6):
            total += r.best[green, roll]
        r.best[6, roll] = total / 6
    for row in range(7):
        _best_keeps(r, k, row)
    value = 0.0
    for i in range(ORANGES):
        for j in range(BROWNS):
            total = 0.0
            for green in range(6):
                total += max(k.best[green, i, j], k.best[6, i, j])
            value += k.orange_odds[i] * k.brown_odds[j] * total / 6
    return value


@kernel
def _best_keeps(r: Any, k: Any, row: int) -> None:
    """For every roll of orange and brown dice the best that can be kept, with the green die as the row says."""
    k.by_orange[:] = 0.0
    for link in range(ORANGE_LINKS):
        chance = k.orange_chance[link]
        kept = k.orange_to[link]
        roll = k.orange_from[link] * BROWNS
        for j in range(BROWNS):
            k.by_orange[kept, j] += chance * r.best[row, roll + j]
    k.by_both[:] = 0.0
    for i in range(KEPT_ORANGES):
        for link in range(BROWN_LINKS):
            k.by_both[i, k.brown_to[link]] += k.brown_chance[link] * k.by_orange[i, k.brown_from[link]]
    for i in range(KEPT_ORANGES):
        for j in range(BROWNS):
            most = k.by_both[i, k.brown_parts[j, 0]]
            for part in range(1, 4):
                most = max(most, k.by_both[i, k.brown_parts[j, part]])
            k.best_brown[i, j] = most
    for i in range(ORANGES):
        for j in range(BROWNS):
            k.best[row, i, j] = k.best_brown[k.orange_parts[i, 0], j]
        for part in range(1, 8):
            for j in range(BROWNS):
                k.best[row, i, j] = max(k.best[row, i, j], k.best_brown[k.orange_parts[i, part], j])


@kernel
def _mean_of_simple(r: Any, k: Any, leaves: int) -> float:
    """The best property that fits, by the chance that no better one does."""
    value = 0.0
    for green in range(6):
        left = k.none_fits[green, 0]
        value += r.bases[green] * left
        done = 0
        for _ in range(SIMPLE_PASS):
            best = -1
            most = 0.0
            for place in range(SIMPLE_PASS):
                number = SIMPLE_PROPERTY[place]
                gain = 0.0 if number == NEWMAN and leaves >> green & 1 else r.gains[green, number, 0]
                if not done >> place & 1 and gain > most:
                    best, most = place, gain
            if best < 0:
                break
            done |= 1 << best
            none = k.none_fits[green, done]
            value += most * (left - none)
            left = none
    return value

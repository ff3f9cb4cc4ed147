"""What a sheet is worth."""

from __future__ import annotations

from typing import Any

from meeple.core.kernel import kernel
from meeple.games.rake.combinations import count
from meeple.games.rake.components import (
    COLOURS,
    ELLIOTT,
    FURTHER,
    LEAF_MONEY,
    MONEY,
    MOST_LEAVES,
    NEEDED,
    NEWMAN,
    NEWMAN_MONEY,
    PROPERTIES,
    SCORED,
)
from meeple.games.rake.state import OFFICIAL


@kernel
def money(s: Any, seat: int) -> int:
    """What the properties pay. In the variants of the thesis this is the whole score: bonuses never take effect there."""
    total = int(s.elliott_best[seat]) + int(NEWMAN_MONEY[count(s.leaves[seat, NEWMAN])])
    for number in range(PROPERTIES):
        total += int(MONEY[number, s.groups[seat, number]])
    return total


@kernel
def leaf_money(s: Any, seat: int) -> int:
    """Money printed on crossed leaves."""
    total = 0
    for number in range(PROPERTIES):
        for leaf in range(MOST_LEAVES):
            if s.leaves[seat, number] >> leaf & 1:
                total += int(LEAF_MONEY[number, leaf])
    return total


@kernel
def unscored(s: Any, seat: int) -> int:
    """Crossed leaves that have brought no money: those of rows and columns that are not paid yet, and acorns at a centre."""
    total = 0
    for number in range(PROPERTIES):
        if number == NEWMAN:
            continue
        crossed = s.leaves[seat, number]
        if number == ELLIOTT:  # every finished row may hold the highest total
            for group in range(s.groups[seat, number]):
                crossed &= ~(NEEDED[number, group] | FURTHER[number, group])
        else:
            crossed &= ~SCORED[number, s.groups[seat, number]]
        for leaf in range(MOST_LEAVES):
            if crossed >> leaf & 1 and LEAF_MONEY[number, leaf] == 0:
                total += 1
    return total


@kernel
def score(s: Any, seat: int) -> int:
    if s.mode != OFFICIAL:
        return money(s, seat)
    total = money(s, seat) + leaf_money(s, seat) + unscored(s, seat)
    for colour in range(COLOURS):
        total += int(s.bumps[seat, colour])
    return total


@kernel
def scores(s: Any, out: Any) -> None:
    for seat in range(s.seats):
        out[seat] = score(s, seat)


@kernel
def outcome(s: Any, out: Any) -> None:
    """Most money; of equal ones the fewest un-scored leaves; then the win is shared. Alone there is nothing to win."""
    winners = 0
    for seat in range(s.seats):
        out[seat] = 0.0 if s.seats == 1 else 1.0
        for other in range(s.seats):
            if _ahead(s, other, seat):
                out[seat] = 0.0
        winners += int(out[seat])
    for seat in range(s.seats):
        out[seat] /= max(1, winners)


@kernel
def _ahead(s: Any, seat: int, other: int) -> bool:
    if score(s, seat) != score(s, other):
        return score(s, seat) > score(s, other)
    return unscored(s, seat) < unscored(s, other)

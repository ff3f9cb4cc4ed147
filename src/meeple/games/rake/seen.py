"""Observation level `seen`: everything a seat may know, as networks like it. `fields` and `observe` go in the same order."""

from __future__ import annotations

from typing import Any

import numpy as np

from meeple.core.encode import one_hot, scaled, thermometer, unit
from meeple.core.game import Field
from meeple.core.kernel import kernel
from meeple.games.rake.combinations import accepted, bit, count, orange_sum
from meeple.games.rake.components import (
    ALL_LEAVES,
    BUMPS,
    COLOURS,
    COMBINATIONS,
    DICE,
    DIE_COLOUR,
    ELLIOTT,
    GROUPS,
    LEAF_ACORN,
    LEAST_ELLIOTT,
    LEAVES,
    MONEY,
    MOST_ELLIOTT,
    MOST_GROUPS,
    NEWMAN,
    NEWMAN_MONEY,
    PROPERTIES,
)
from meeple.games.rake.scoring import score, unscored
from meeple.games.rake.state import SIMPLE

LEVEL_OF = (3, 3, 2, 1)  # number of this level, by what is played: it stands behind the thesis's
LAST_UNITS = 12  # the end of the time is counted unit by unit: two turns at most
TOTALS = MOST_ELLIOTT - LEAST_ELLIOTT + 1
ACORNS_OF = int(max((LEAF_ACORN == colour).sum() for colour in range(COLOURS)))
BUMPS_OF = np.array(BUMPS, np.int64)
DICE_OF = np.bincount(DIE_COLOUR)
SCORE, LEAD, UNPAID = 100, 50, 20  # scales
BEST_PAY, BEST_PROPERTY = 25, 30  # what a group and a whole property pay at most
LONGEST_WAIT = 3  # groups until a property pays


def _payments() -> np.ndarray[Any, np.dtype[np.int64]]:
    """[what, property, finished groups]: the next money a property pays, and after how many more groups."""
    table = np.zeros((2, PROPERTIES, MOST_GROUPS + 1), np.int64)
    for number in range(PROPERTIES):
        for groups in range(GROUPS[number]):
            more = MONEY[number] - MONEY[number, groups]
            if more.max() > 0:
                paid = int((more > 0).argmax())
                table[:, number, groups] = more[paid], paid - groups
    return table


PAYMENTS = _payments()

# ---- The layout ----------------------------------------------------------------------------------------------------


def fields(seats: int, simple: bool, most_money: int) -> tuple[Field, ...]:
    others = [field for i in range(1, seats) for field in _sheet(f"other{i}", most_money)]
    lead = (Field("lead", 1, -most_money / LEAD, most_money / LEAD, f"own score less the best of the others', of {LEAD}"),)
    return (
        *_turn(seats),
        *_sheet("own", most_money),
        unit("own_pays", PROPERTIES, f"money each property pays next, of {BEST_PAY}; at Elliott the most it could still add"),
        unit("own_wait", PROPERTIES, f"groups to finish until then, of {LONGEST_WAIT}; 0 where nothing more is paid"),
        unit("own_leaves", ALL_LEAVES - (int(LEAVES[ELLIOTT]) if simple else 0), "crossed leaves"),
        *others,
        *(lead if seats > 1 else ()),
    )


def _turn(seats: int) -> tuple[Field, ...]:
    return (
        unit("turns", 1, "turns a player had, as a share of the units of time"),
        unit("to_move", seats, "whose turn it is: own, then the others in turn order"),
        unit("dice", 6 * DICE, "what the dice show, one of six each: three orange, two brown, one green"),
        unit("free", DICE, "dice that no combination has used"),
        unit("taken", DICE, "dice that are being assigned"),
        unit("values", 6 * COLOURS, "how many free dice of a colour show 1 to 6, as a share: orange, brown, green"),
        unit("phase", 5, "what is decided: reroll, take, section, leaf, acorn"),
        unit("combinations", COMBINATIONS, "that may still be used in this turn, thermometer"),
        unit("last_round", 1, "somebody's time is up"),
        unit("acorns", COLOURS, f"to be placed now, of {ACORNS_OF}: orange, brown, green"),
        unit("fits", PROPERTIES, "some free dice fit the property, on the sheet of who is to move"),
        unit("fits_more", PROPERTIES, "so do some that cross a further leaf"),
        unit("taken_fits", PROPERTIES, "the taken dice fit"),
        unit("total", 1, f"highest total that could be written at Elliott, of {MOST_ELLIOTT}"),
    )


def _sheet(name: str, most_money: int) -> tuple[Field, ...]:
    return (
        unit(f"{name}_time", 1, "time left, as a share"),
        unit(f"{name}_last", LAST_UNITS, f"the last {LAST_UNITS} units of it, thermometer"),
        Field(f"{name}_score", 1, 0, most_money / SCORE, f"score of the sheet as it is, of {SCORE}"),
        Field(f"{name}_unpaid", 1, 0, ALL_LEAVES / UNPAID, f"un-scored leaves, of {UNPAID}"),
        unit(f"{name}_elliott", TOTALS, f"highest total written at Elliott, thermometer from {LEAST_ELLIOTT}"),
        unit(f"{name}_bumps", sum(BUMPS), f"+1 in the bank, a thermometer each: orange, brown, green ({BUMPS} places)"),
        unit(f"{name}_groups", int(GROUPS.sum()) + 6, "finished groups of each property, a thermometer each; at Newman leaves"),
        unit(f"{name}_money", PROPERTIES, f"what each property has paid, of {BEST_PROPERTY}"),
    )


# ---- The numbers ---------------------------------------------------------------------------------------------------


@kernel
def observe(s: Any, seat: int, out: Any) -> None:
    n = _observe_dice(s, seat, out)
    n = one_hot(out, n, s.phase, 5)
    n = thermometer(out, n, s.combinations, COMBINATIONS)
    n = scaled(out, n, s.last_round, 1)
    for colour in range(COLOURS):
        n = scaled(out, n, s.acorns[colour], ACORNS_OF)
    n = _observe_fits(s, out, n)
    n = _observe_sheet(s, seat, out, n)
    n = _observe_prospects(s, seat, out, n)
    best = 0
    for i in range(1, s.seats):
        n = _observe_sheet(s, (seat + i) % s.seats, out, n)
        best = max(best, score(s, (seat + i) % s.seats))
    if s.seats > 1:
        scaled(out, n, score(s, seat) - best, LEAD)


@kernel
def _observe_dice(s: Any, seat: int, out: Any) -> int:
    n = scaled(out, 0, s.turn / s.seats, s.time_limit)
    n = one_hot(out, n, (s.seat - seat + s.seats) % s.seats, s.seats)
    for die in range(DICE):
        n = one_hot(out, n, s.dice[die] - 1, 6)
    for die in range(DICE):
        out[n + die] = s.free >> die & 1
        out[n + DICE + die] = s.taken >> die & 1
    n += 2 * DICE
    for i in range(6 * COLOURS):
        out[n + i] = 0.0
    for die in range(DICE):
        if s.free >> die & 1:
            out[n + 6 * DIE_COLOUR[die] + s.dice[die] - 1] += 1.0 / DICE_OF[DIE_COLOUR[die]]
    return n + 6 * COLOURS


@kernel
def _observe_fits(s: Any, out: Any, n: int) -> int:
    """What can be done with the dice: it follows from them and the sheet, but no network should have to find the combinations."""
    total = 0
    for number in range(PROPERTIES):
        sets = accepted(s, number) if number != ELLIOTT or s.mode != SIMPLE else np.int64(0)
        least, most = DICE, 0
        dice = 1
        while sets >> np.int64(dice - 1):
            if sets & bit(dice):
                least = min(least, count(dice))
                most = max(most, count(dice))
                if number == ELLIOTT:
                    total = max(total, orange_sum(s, dice))
            dice += 1
        out[n + number] = 1.0 if sets else 0.0
        out[n + PROPERTIES + number] = 1.0 if most > least else 0.0
        out[n + 2 * PROPERTIES + number] = 1.0 if s.taken and sets & bit(s.taken) else 0.0
    return scaled(out, n + 3 * PROPERTIES, total, MOST_ELLIOTT)


@kernel
def _observe_sheet(s: Any, seat: int, out: Any, n: int) -> int:
    left = max(0, s.time_limit - s.time[seat])
    n = scaled(out, n, left, s.time_limit)
    n = thermometer(out, n, left, LAST_UNITS)
    n = scaled(out, n, score(s, seat), SCORE)
    n = scaled(out, n, unscored(s, seat), UNPAID)
    n = thermometer(out, n, s.elliott_best[seat] - LEAST_ELLIOTT + 1, TOTALS)
    for colour in range(COLOURS):
        n = thermometer(out, n, s.bumps[seat, colour], BUMPS_OF[colour])
    leaves = count(s.leaves[seat, NEWMAN])
    for number in range(PROPERTIES):
        if number == NEWMAN:
            n = thermometer(out, n, leaves, 6)
        else:
            n = thermometer(out, n, s.groups[seat, number], GROUPS[number])
    for number in range(PROPERTIES):
        paid = int(MONEY[number, s.groups[seat, number]])
        if number == ELLIOTT:
            paid = int(s.elliott_best[seat])
        elif number == NEWMAN:
            paid = int(NEWMAN_MONEY[leaves])
        n = scaled(out, n, paid, BEST_PROPERTY)
    return n


@kernel
def _observe_prospects(s: Any, seat: int, out: Any, n: int) -> int:
    """What each property pays next and when, then the leaves."""
    leaves = count(s.leaves[seat, NEWMAN])
    for number in range(PROPERTIES):
        groups = s.groups[seat, number]
        pays, wait = PAYMENTS[0, number, groups], PAYMENTS[1, number, groups]
        if number == NEWMAN and leaves < 6:
            pays, wait = NEWMAN_MONEY[leaves + 1] - NEWMAN_MONEY[leaves], np.int64(1)
        elif number == ELLIOTT and groups < GROUPS[ELLIOTT] and s.mode != SIMPLE:
            pays, wait = np.int64(MOST_ELLIOTT - s.elliott_best[seat]), np.int64(1)
        scaled(out, n + number, pays, BEST_PAY)
        scaled(out, n + PROPERTIES + number, wait, LONGEST_WAIT)
    n += 2 * PROPERTIES
    for number in range(PROPERTIES):
        if number != ELLIOTT or s.mode != SIMPLE:
            for leaf in range(LEAVES[number]):
                out[n] = s.leaves[seat, number] >> leaf & 1
                n += 1
    return n

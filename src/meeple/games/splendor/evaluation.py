"""What a table is worth to a seat: named terms, whose weights stand in data/heuristic.csv. All is counted in points.

What one has (points, bonuses, nobles near enough) and what one may soon have: every card that can be bought is a target, worth its
points and its bonus, less for every token that is lacking. The three best targets count.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.agent import Param
from meeple.core.data import read_rows
from meeple.core.kernel import kernel
from meeple.games.splendor.components import (
    BONUS,
    COLOURS,
    COST,
    FACE_UP,
    GOLD,
    MAX_NOBLES,
    NOBLE_NEEDS,
    NOBLE_POINTS,
    POINTS,
    RESERVED,
    SLOTS,
    TOKEN_LIMIT,
    TOKENS_OF_A_COLOUR,
)
from meeple.games.splendor.state import NOBODY
from meeple.games.splendor.turns import tokens_held

_ROWS = read_rows(__file__, "heuristic.csv")
WEIGHTS = tuple(Param(row["term"], float(row["weight"]), row["meaning"], least=0) for row in _ROWS)

COPIES = 5  # bonuses of a colour from here on are worth the same
COMFORTABLE = 8  # tokens
FULL = 9  # no room for three more
FARTHEST = 24  # tokens that can be lacking, and more than that


class Evaluation(NamedTuple):
    """The weights by name, with what depends on small numbers alone multiplied out."""

    points: float
    bonus: NDArray[np.float64]  # (copies held) what the next one is worth
    held: NDArray[np.float64]  # (copies held) what they are worth together
    noble: NDArray[np.float64]  # (bonuses lacking) of each of its points
    target_points: float
    target_bonus: float
    near: NDArray[np.float64]  # (tokens lacking) what is left of a card's worth
    steep: NDArray[np.float64]  # (tokens lacking of one colour)
    scarce: NDArray[np.float64]  # (tokens lacking that the bank does not have)
    beyond: NDArray[np.float64]  # (tokens of one colour that the price has and the box does not)
    target_open: float
    target_2: float
    target_3: float
    token: float
    gold: float
    crowd: float
    over: float
    stuck: float
    reserved: float
    reserve_full: float
    rival: float


def make_evaluation(**weights: float) -> Evaluation:
    copies = [weights[f"bonus_{n}"] for n in (1, 2, 3, 4)] + [weights["bonus_more"]] * 20
    steps = np.arange(FARTHEST + 1)

    def kept(name: str) -> NDArray[np.float64]:
        return np.asarray(np.exp(-weights[name] * steps))

    named = {name: float(weights[name]) for name in Evaluation._fields if name in weights}
    return Evaluation(
        **named
        | {  # type: ignore[arg-type]
            "bonus": np.array(copies),
            "held": np.concatenate([[0.0], np.cumsum(copies)]),
            "noble": weights["noble"] * kept("noble_far"),
            "near": kept("target_far"),
            "steep": kept("target_steep"),
            "scarce": kept("target_scarce"),
            "beyond": kept("target_beyond"),
        }
    )


@kernel
def evaluate(e: Any, s: Any, seat: int) -> float:
    """The table as a seat sees it: its own worth, less a part of the best opponent's."""
    best = 0.0
    for other in range(s.players):
        if other != seat:
            best = max(best, worth(e, s, other, seat))
    return worth(e, s, seat, seat) - e.rival * best  # type: ignore[no-any-return]


@kernel
def worth(e: Any, s: Any, seat: int, viewer: int) -> float:
    """A seat's table, by what the viewer can see of it."""
    value = e.points * s.points[seat]
    for colour in range(COLOURS):
        value += e.held[s.bonuses[seat, colour]]
    for slot in range(MAX_NOBLES):
        if s.nobles[slot] != NOBODY:
            value += e.noble[bonuses_lacking(s, seat, s.nobles[slot], NOBODY)] * NOBLE_POINTS[s.nobles[slot]]
    return value + _tokens_worth(e, s, seat) + _targets_worth(e, s, seat, viewer)  # type: ignore[no-any-return]


@kernel
def bonuses_lacking(s: Any, seat: int, noble: int, extra: int) -> int:
    """Bonuses a noble still asks of a seat, if it had one more of the colour `extra`."""
    lacking = 0
    for colour in range(COLOURS):
        bonuses = s.bonuses[seat, colour] + (1 if colour == extra else 0)
        lacking += max(0, NOBLE_NEEDS[noble, colour] - bonuses)
    return lacking


@kernel
def _tokens_worth(e: Any, s: Any, seat: int) -> float:
    held = tokens_held(s, seat)
    value = e.token * held + e.gold * s.tokens[seat, GOLD]
    value -= e.crowd * max(0, held - COMFORTABLE) + e.over * max(0, held - TOKEN_LIMIT)
    taken = 0
    for slot in range(RESERVED):
        if s.reserved[seat, slot] != NOBODY or s.blind[seat, slot]:
            taken += 1
    value -= e.reserved * taken
    if taken == RESERVED:
        value -= e.reserve_full
    return value  # type: ignore[no-any-return]


@kernel
def _targets_worth(e: Any, s: Any, seat: int, viewer: int) -> float:
    """The three best cards to buy next. Nobody sees the others' blind reserves, so a viewer leaves them out."""
    first = 0.0
    second = 0.0
    third = 0.0
    nearest = 0.0
    for place in range(FACE_UP + RESERVED):
        if place < FACE_UP:
            card = s.face_up[place // SLOTS, place % SLOTS]
        else:
            card = s.reserved[seat, place - FACE_UP]
            if s.blind[seat, place - FACE_UP] and seat != viewer:
                continue
        if card == NOBODY:
            continue
        near = nearness(e, s, seat, card)
        nearest = max(nearest, near)
        value = _card_worth(e, s, seat, card) * near
        if place < FACE_UP:
            value *= e.target_open
        if value > first:
            first, second, third = value, first, second
        elif value > second:
            second, third = value, second
        elif value > third:
            third = value
    value = first + e.target_2 * second + e.target_3 * third
    if nearest < 1.0 and tokens_held(s, seat) >= FULL:
        value -= e.stuck
    return value  # type: ignore[no-any-return]


@kernel
def _card_worth(e: Any, s: Any, seat: int, card: int) -> float:
    """Its points, its bonus, and how much nearer it brings the nobles."""
    colour = BONUS[card]
    value = e.target_points * POINTS[card] + e.target_bonus * e.bonus[s.bonuses[seat, colour]]
    for slot in range(MAX_NOBLES):
        noble = s.nobles[slot]
        if noble != NOBODY and NOBLE_NEEDS[noble, colour] > s.bonuses[seat, colour]:
            lacking = bonuses_lacking(s, seat, noble, NOBODY)
            value += NOBLE_POINTS[noble] * (e.noble[lacking - 1] - e.noble[lacking])
    return value  # type: ignore[no-any-return]


@kernel
def nearness(e: Any, s: Any, seat: int, card: int) -> float:
    """1 for a card that can be bought, less the farther away it is."""
    lacking = 0
    most = 0
    scarce = 0
    beyond = 0
    for colour in range(COLOURS):
        price = COST[card, colour] - s.bonuses[seat, colour]
        missing = price - s.tokens[seat, colour]
        if missing > 0:
            lacking += missing
            most = max(most, missing)
            scarce += max(0, missing - s.bank[colour])
            beyond += max(0, price - TOKENS_OF_A_COLOUR[s.players - 2])
    gold = s.tokens[seat, GOLD]
    near = e.near[max(0, lacking - gold)] * e.steep[max(0, most - gold)]
    return near * e.scarce[max(0, scarce - gold)] * e.beyond[max(0, beyond - gold)]  # type: ignore[no-any-return]

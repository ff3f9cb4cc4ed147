"""The three basic strategies of the 2017 thesis (section 4.2, Pseudocode C.1): none of them looks ahead or at the opponent.

What was chosen where the thesis leaves a choice stands in advanced_2017.py.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from meeple.core.agent import kernel_agent
from meeple.core.game import Variant
from meeple.core.kernel import kernel
from meeple.core.rng import draw
from meeple.games.jaipur.components import GOODS
from meeple.games.jaipur.heuristic_2017 import WORTH
from meeple.games.jaipur.turns import hand_change, is_sale, list_turns, next_step, order, sale

NO_SALE = -1


class Basic(NamedTuple):
    strategy: int  # 1: all at random; 2: sells if it can, else at random; 3: sells if it can, else makes its hand worth most


@kernel
def choose_basic(me: Any, s: Any, stream: Any, out: Any) -> int:
    n = list_turns(s, out)
    action = best_sale(s, out, n) if me.strategy > 1 else NO_SALE
    if action == NO_SALE:
        action = richest_hand(s, out, n) if me.strategy == 3 else out[draw(stream, n)]
    return next_step(s, action)


@kernel
def best_sale(s: Any, turns: Any, n: int) -> int:
    """The sale that brings the most points in goods tokens."""
    best = NO_SALE
    most = -1
    for i in range(n):
        if is_sale(s, turns[i]):
            good, cards = sale(s, turns[i])
            points = WORTH[good, s.tokens_left[good], cards]
            if points > most or (points == most and order(s, turns[i]) < order(s, best)):
                best, most = turns[i], points
    return best


@kernel
def richest_hand(s: Any, turns: Any, n: int) -> int:
    """The take or exchange after which the hand's cards are worth most, each good sold down its pile."""
    best = turns[0]
    most = -1
    for i in range(n):
        worth = 0
        for good in range(GOODS):
            worth += WORTH[good, s.tokens_left[good], s.hand[s.seat, good] + hand_change(s, turns[i], good)]
        if worth > most or (worth == most and order(s, turns[i]) < order(s, best)):
            best, most = turns[i], worth
    return best  # type: ignore[no-any-return]


kernel_agent(Basic, choose_basic)


def make_basic1(variant: Variant) -> Basic:  # noqa: ARG001
    return Basic(1)


def make_basic2(variant: Variant) -> Basic:  # noqa: ARG001
    return Basic(2)


def make_basic3(variant: Variant) -> Basic:  # noqa: ARG001
    return Basic(3)

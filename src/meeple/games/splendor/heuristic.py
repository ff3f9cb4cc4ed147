"""Players that look at the table right after each of their actions: `heuristic` by the evaluation, `greedy` by the next card.

A card turned up, or drawn blind, is luck that the action did not earn: it is removed before the table is valued.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.agent import kernel_agent
from meeple.core.game import Variant
from meeple.core.kernel import kernel
from meeple.core.rng import draw
from meeple.games.splendor.actions import PAY
from meeple.games.splendor.components import FACE_UP, GOLD, LEVELS, RESERVED, SLOTS, TOKEN_LIMIT
from meeple.games.splendor.dispatch import apply, legal
from meeple.games.splendor.evaluation import Evaluation, evaluate, make_evaluation
from meeple.games.splendor.purchase import shortage
from meeple.games.splendor.state import NOBODY, PAYING, STATE
from meeple.games.splendor.turns import END_POINTS, ahead, tokens_held

WON, LOST = 1e6, -1e6
CARDLESS = 99  # tokens lacking where there is no card


class Heuristic(NamedTuple):
    evaluation: Evaluation
    table: NDArray[Any]  # (1,) what each action leads to


class Greedy(NamedTuple):
    table: NDArray[Any]  # (1,)


class Best(NamedTuple):
    """The best action so far, and how many are as good."""

    action: int
    value: float
    alike: int


@kernel
def choose_heuristic(me: Any, s: Any, stream: Any, out: Any) -> int:
    """The action with the best table; equal ones by lot."""
    n = legal(s, out)
    best = Best(out[0], -np.inf, 0)
    for i in range(n if n > 1 else 0):
        foresee(me.table, s, out[i])
        t = me.table[0]
        value = _result(t, s.seat) if t.end == END_POINTS else evaluate(me.evaluation, t, s.seat)
        best = better(best, out[i], value, stream)
    return best.action


@kernel
def choose_greedy(me: Any, s: Any, stream: Any, out: Any) -> int:
    """Most points, then most cards, then the fewest tokens lacking for a next card, then most tokens."""
    n = legal(s, out)
    best = Best(out[0], -np.inf, 0)
    for i in range(n if n > 1 else 0):
        foresee(me.table, s, out[i])
        t = me.table[0]
        value = 1000.0 * t.points[s.seat] + 100.0 * t.bought[s.seat] - 4.0 * _next_card(t, s.seat)
        best = better(best, out[i], value + 0.1 * min(TOKEN_LIMIT, tokens_held(t, s.seat)), stream)
    return best.action


@kernel
def better(best: Any, action: int, value: float, stream: Any) -> Any:
    """The best so far with one more action looked at."""
    if value > best.value:
        return Best(action, value, 1)
    if value == best.value and draw(stream, best.alike + 1) == 0:
        return Best(action, value, best.alike + 1)
    return Best(best.action, best.value, best.alike + (1 if value == best.value else 0))


@kernel
def foresee(table: Any, s: Any, action: int) -> None:
    """The table after an action, as far as it can be foreseen; a purchase is paid with as little gold as possible."""
    table[0] = s
    t = table[0]
    apply(t, action)
    if t.phase == PAYING and s.phase != PAYING:
        apply(t, PAY)
    for level in range(LEVELS):
        if t.deck_left[level] < s.deck_left[level]:
            for slot in range(SLOTS):
                if t.face_up[level, slot] != s.face_up[level, slot]:
                    t.face_up[level, slot] = NOBODY
    for slot in range(RESERVED):
        if t.blind[s.seat, slot] > s.blind[s.seat, slot]:
            t.reserved[s.seat, slot] = NOBODY


@kernel
def _result(s: Any, seat: int) -> float:
    """A game that is over: won unless somebody is ahead."""
    for other in range(s.players):
        if ahead(s, other, seat):
            return LOST
    return WON


@kernel
def _next_card(s: Any, seat: int) -> int:
    """Tokens lacking for the nearest card; gold counts."""
    nearest = CARDLESS
    for place in range(FACE_UP + RESERVED):
        card = s.face_up[place // SLOTS, place % SLOTS] if place < FACE_UP else s.reserved[seat, place - FACE_UP]
        if card != NOBODY:
            nearest = min(nearest, shortage(s, seat, card) - s.tokens[seat, GOLD])
    return max(0, nearest)


kernel_agent(Heuristic, choose_heuristic)
kernel_agent(Greedy, choose_greedy)


def make_heuristic(variant: Variant, **weights: float) -> Heuristic:  # noqa: ARG001
    return Heuristic(make_evaluation(**weights), np.zeros(1, STATE))


def make_greedy(variant: Variant) -> Greedy:  # noqa: ARG001
    return Greedy(np.zeros(1, STATE))

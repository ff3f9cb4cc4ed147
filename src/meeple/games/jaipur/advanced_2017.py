"""The three advanced strategies of the 2017 thesis (section 4.3): one search, looking one, three or five turns ahead.

A turn is valued by points gained + value of the hand - value of the market, after it; the opponent is taken to choose what is worst
by the same measure. Strategies 2 and 3 look further than one turn only where `may_look_ahead` says so.

How the thesis is read, for all six players, where it leaves a choice or contradicts itself:

| question | reading |
|---|---|
| basic 1 and 2, at random | every legal move is equally likely, not every kind of move |
| basic 2 and 3, the best sale | most points in goods tokens, bonuses not counted; one worth nothing is still made (4.2) |
| which moves there are | all that the action set has; the thesis counted sales of all cards of a good only |
| sign of the market | minus, as the text says; C.5 prints plus, with which advanced 1 would lose to basic 3 |
| bonus for a set held | added, as the text says (4.3.3), in hand and market; C.4 leaves it out |
| bonus of six or seven cards | that of five, which C.5 leaves out; whether its pile is empty is not looked at |
| fraction of a card | worth that much of the last whole card's token, as C.4 prints; leather's is weighted too, which C.4 forgets |
| chances of the next card | of all cards not in the own hand, the market or sold (4.3.1; C.2 forgets to subtract) |
| opponent's cards seen | are not taken out of these chances, which stay the same all along the search |
| moves in a market of fractions | with whole cards only; fractions stay behind until they add up to one |
| points in a longer search | the own ones add up, the opponent's do not count; a true minimax is the parameter opponent=1 |
| end of the round in the search | three piles or the deck empty: not searched further, valued like any other table |
| ties | values within 1e-9 are equal; the first in the order of turns.py: camels, exchanges, takes, sales |
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.agent import Param, kernel_agent
from meeple.core.game import Variant
from meeple.core.kernel import kernel
from meeple.games.jaipur.actions import MAX_LEGAL
from meeple.games.jaipur.components import CAMEL, GOODS, HAND_LIMIT
from meeple.games.jaipur.heuristic_2017 import SAME, Weights
from meeple.games.jaipur.imagine_2017 import KINDS, NODE, finished, imagine, note_changes, value_of_table, value_of_turn
from meeple.games.jaipur.rules import hand_size
from meeple.games.jaipur.state import STATE
from meeple.games.jaipur.turns import list_turns, next_step, order

WEIGHTS = (
    Param("k1", 0.58, "weight of goods that could be sold", 0.0),
    Param("k2", 0.38, "weight of a single diamond, gold or silver", 0.0),
    Param("k3", 1.02, "value of a camel", 0.0),
)
OPPONENT = Param("opponent", 0.0, "weight of the points the opponent gains in the search", 0.0, 1.0)


class Advanced(NamedTuple):
    turns_ahead: int
    weights: Weights
    opponent: float
    chances: NDArray[np.float64]  # (7,) of each kind to be the next card
    nodes: NDArray[Any]  # (depths,) of NODE
    tables: NDArray[Any]  # (depths,) of STATE
    turns: NDArray[np.int32]  # (depths, room) what can be done at each table
    values: NDArray[np.float64]  # (room,) of the turns that are being sorted
    cards: NDArray[np.float64]  # (7,) a hand with its herd, for valuing


@kernel
def choose_advanced(me: Any, s: Any, stream: Any, out: Any) -> int:  # noqa: ARG001
    look_at(me, s)
    return next_step(s, search(me, me.turns_ahead if may_look_ahead(s) else 1))


@kernel
def may_look_ahead(s: Any) -> bool:
    """Not while a card of the opponent is unseen, nor with three of a good or a full hand: those are to be sold."""
    other = 1 - s.seat
    for good in range(GOODS):
        if s.hand[other, good] > s.known[other, good] or s.hand[s.seat, good] >= 3:
            return False
    return hand_size(s, s.seat) < HAND_LIMIT


@kernel
def look_at(me: Any, s: Any) -> None:
    """Set the root of the search, and the chances of the next card (C.2), which may be any not in sight and not sold.

    Those are the deck's and the opponent's; which of them a redealt state puts where does not matter here.
    """
    other = 1 - s.seat
    me.tables[0] = s
    root = me.nodes[0]
    root.gained = 0.0
    for kind in range(KINDS):
        root.market[kind] = s.market[kind]
        me.chances[kind] = s.herd[other] if kind == CAMEL else s.hand[other, kind]
    for i in range(s.deck_left):
        me.chances[s.deck[i]] += 1
    total = me.chances.sum()
    if total > 0:
        for kind in range(KINDS):
            me.chances[kind] /= total


@kernel
def search(me: Any, ahead: int) -> int:
    """The turn of the highest value, looking so many turns ahead (alpha-beta: what cannot change the choice is left out).

    A loop over depths, not a recursion: compiled, that one crashed when it was loaded from the cache (Numba 0.68).
    """
    depth = 0
    enter(me, 0, ahead)
    chosen = me.turns[0, 0]
    while depth >= 0:
        node = me.nodes[depth]
        if node.tried == node.turns or node.alpha >= node.beta:
            value = node.best
            depth -= 1
        else:
            action = me.turns[depth, node.tried]
            node.tried += 1
            if depth + 1 == ahead:
                value = value_of_turn(me, depth, action)
            else:
                imagine(me, depth, action)
                if not finished(me.tables[depth + 1]):
                    depth += 1
                    enter(me, depth, ahead)
                    continue
                value = value_of_table(me, depth + 1)
        if depth > 0:
            back_up(me.nodes[depth], value, depth % 2 == 0)
        elif depth == 0:
            chosen = better(me, value, chosen)
    return chosen  # type: ignore[no-any-return]


@kernel
def enter(me: Any, depth: int, ahead: int) -> None:
    """Start on the turns of a table. One without any, which fractions of cards can bring about, is valued as it is."""
    node = me.nodes[depth]
    note_changes(me, depth)
    node.turns = list_turns(me.tables[depth], me.turns[depth])
    node.tried = 0
    node.best = -np.inf if depth % 2 == 0 else np.inf
    node.alpha = me.nodes[depth - 1].alpha if depth > 0 else -np.inf
    node.beta = me.nodes[depth - 1].beta if depth > 0 else np.inf
    if node.turns == 0:
        node.best = node.value
    if depth + 2 < ahead:
        sort_turns(me, depth)


@kernel
def sort_turns(me: Any, depth: int) -> None:
    """The most promising first, which lets most of the others be left out. Just before the last turn that would not pay."""
    turns = me.turns[depth]
    values = me.values
    for i in range(me.nodes[depth].turns):
        turn = turns[i]
        value = value_of_turn(me, depth, turn)
        if depth % 2 == 0:
            value = -value
        j = i
        while j > 0 and values[j - 1] > value:
            turns[j] = turns[j - 1]
            values[j] = values[j - 1]
            j -= 1
        turns[j] = turn
        values[j] = value


@kernel
def back_up(node: Any, value: float, own: bool) -> None:
    """Let a table know what its last turn came to."""
    if own:
        node.best = max(node.best, value)
        node.alpha = max(node.alpha, value)
    else:
        node.best = min(node.best, value)
        node.beta = min(node.beta, value)


@kernel
def better(me: Any, value: float, chosen: int) -> int:
    """Of the chosen turn and the last one tried at the root, the one of higher value, or the earlier of equals."""
    root = me.nodes[0]
    turn = me.turns[0, root.tried - 1]
    if value > root.best + SAME:
        root.best = value
        # A little lower than what is sure: of a turn that is as good, this must come to light.
        root.alpha = value - 2 * SAME
        return turn  # type: ignore[no-any-return]
    if value > root.best - SAME and order(me.tables[0], turn) < order(me.tables[0], chosen):
        return turn  # type: ignore[no-any-return]
    return chosen


kernel_agent(Advanced, choose_advanced)


def make_advanced1(variant: Variant, k1: float, k2: float, k3: float) -> Advanced:  # noqa: ARG001
    return _make(1, Weights(k1, k2, k3), 0.0)


def make_advanced2(variant: Variant, k1: float, k2: float, k3: float, opponent: float) -> Advanced:  # noqa: ARG001
    return _make(3, Weights(k1, k2, k3), opponent)


def make_advanced3(variant: Variant, k1: float, k2: float, k3: float, opponent: float) -> Advanced:  # noqa: ARG001
    return _make(5, Weights(k1, k2, k3), opponent)


def _make(turns_ahead: int, weights: Weights, opponent: float) -> Advanced:
    depths = turns_ahead + 1
    return Advanced(
        turns_ahead=turns_ahead,
        weights=weights,
        opponent=opponent,
        chances=np.zeros(KINDS),
        nodes=np.zeros(depths, NODE),
        tables=np.zeros(depths, STATE),
        turns=np.zeros((depths, MAX_LEGAL + 1), np.int32),  # one more: the listing of exchanges writes ahead
        values=np.zeros(MAX_LEGAL),
        cards=np.zeros(KINDS),
    )

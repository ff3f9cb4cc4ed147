"""The three advanced strategies of the 2017 thesis (section 4.3): one search, looking one, three or five turns ahead.

A turn is valued by points gained + value of the hand - value of the market, after it. Cards that will come from the deck are
counted as fractions of each kind (C.2, C.3), so there are no chance nodes. The opponent is taken to choose what is worst by
the same measure. Strategies 2 and 3 look further than one turn only in positions that `may_look_ahead` describes.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.agent import Param, kernel_agent
from meeple.core.game import Variant
from meeple.core.kernel import kernel
from meeple.games.jaipur.actions import CAMELS, MAX_LEGAL
from meeple.games.jaipur.components import CAMEL, GOODS, HAND_LIMIT
from meeple.games.jaipur.heuristic_2017 import SALE_BONUS, SAME, Weights, value_of_cards, whole
from meeple.games.jaipur.rules import hand_size, make_exchange, make_sale
from meeple.games.jaipur.state import STATE
from meeple.games.jaipur.turns import first_exchange, is_sale, list_turns, next_step, sale

KINDS = 7
WEIGHTS = (
    Param("k1", 0.58, "weight of goods that could be sold", 0.0),
    Param("k2", 0.38, "weight of a single diamond, gold or silver", 0.0),
    Param("k3", 1.02, "value of a camel", 0.0),
)


# One table of the search: the position itself at depth 0, then what becomes of it turn by turn.
NODE = np.dtype(
    (
        np.record,
        [
            ("market", "f8", (KINDS,)),  # with fractions of cards
            ("gained", "f8"),  # points of the searching seat so far, average bonuses included
            ("turns", "i4"),  # how many turns there are to try,
            ("tried", "i4"),  # how many have been,
            ("best", "f8"),  # and the best value among these for the seat to move
            ("alpha", "f8"),  # the searching seat is sure of this much elsewhere,
            ("beta", "f8"),  # and the opponent of letting it have no more than this
        ],
    )
)


class Advanced(NamedTuple):
    turns_ahead: int
    weights: Weights
    chances: NDArray[np.float64]  # (7,) of each kind to be the next card
    nodes: NDArray[Any]  # (depths,) of NODE
    tables: NDArray[Any]  # (depths,) hands, herds and tokens of each; its market holds the whole cards only
    turns: NDArray[np.int32]  # (depths, room) what can be done there
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
    """Set the root of the search, and the chances of the next card (C.2): all cards but the own, the market's and those sold.

    Those are the deck and the opponent's cards; as in the thesis, the ones seen to go into its hand are not left out.
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
    """The first turn of the highest value, looking so many turns ahead (alpha-beta: what cannot change the choice is left out).

    A loop over depths, not a recursion: Numba crashes when it loads a function that calls itself from its cache.
    """
    enter(me, 0)
    depth = 0
    chosen = me.turns[0, 0]
    while depth >= 0:
        node = me.nodes[depth]
        if node.tried == node.turns or node.alpha >= node.beta:
            depth -= 1
            if depth >= 0 and back_up(me, depth, node.best):
                chosen = me.turns[0, me.nodes[0].tried - 1]
            continue
        imagine(me, depth, me.turns[depth, node.tried])
        node.tried += 1
        if depth + 1 < ahead:
            depth += 1
            enter(me, depth)
        elif back_up(me, depth, value_of_table(me, depth + 1)):
            chosen = me.turns[0, me.nodes[0].tried - 1]
    return chosen  # type: ignore[no-any-return]


@kernel
def enter(me: Any, depth: int) -> None:
    """Start on the turns of a table. One without any is valued as it is."""
    node = me.nodes[depth]
    node.turns = list_turns(me.tables[depth], me.turns[depth])
    node.tried = 0
    node.best = value_of_table(me, depth) if node.turns == 0 else (-np.inf if depth % 2 == 0 else np.inf)
    node.alpha = me.nodes[depth - 1].alpha if depth > 0 else -np.inf
    node.beta = me.nodes[depth - 1].beta if depth > 0 else np.inf


@kernel
def back_up(me: Any, depth: int, value: float) -> bool:
    """Let a table know what its last turn came to. True if that is a new best choice at the root: equal values are not."""
    node = me.nodes[depth]
    if depth % 2 == 0:
        better = value > node.best + (SAME if depth == 0 else 0.0)
        if better:
            node.best = value
            node.alpha = max(node.alpha, value)
        return better and depth == 0
    node.best = min(node.best, value)
    node.beta = min(node.beta, value)
    return False


@kernel
def imagine(me: Any, depth: int, action: int) -> None:
    """The table at depth + 1: what becomes of that at `depth` by an action."""
    me.tables[depth + 1] = me.tables[depth]
    s = me.tables[depth + 1]
    node = me.nodes[depth + 1]
    for kind in range(KINDS):
        node.market[kind] = me.nodes[depth].market[kind]
    gained = 0.0
    if action >= first_exchange(s):
        make_exchange(s, action - first_exchange(s))
        for kind in range(KINDS):
            node.market[kind] += s.market[kind] - me.tables[depth].market[kind]
    elif is_sale(s, action):
        gained = imagine_sale(s, action)
    else:
        imagine_take(me, s, node, action)
    # The opponent's points are no part of the measure.
    node.gained = me.nodes[depth].gained + (gained if depth % 2 == 0 else 0.0)
    s.chosen = 0
    s.seat = 1 - s.seat


@kernel
def imagine_sale(s: Any, action: int) -> float:
    """Its points in goods tokens, and what a bonus token is worth on average."""
    good, cards = sale(s, action)
    before = s.goods_points[s.seat]
    make_sale(s, good, cards)
    return s.goods_points[s.seat] - before + SALE_BONUS[cards]  # type: ignore[no-any-return]


@kernel
def imagine_take(me: Any, s: Any, node: Any, action: int) -> None:
    """C.3: a bit of every kind takes the place of each card taken."""
    cards = 1
    if action == CAMELS:
        cards = s.market[CAMEL]
        s.herd[s.seat] += cards
    else:
        s.hand[s.seat, action] += 1
    node.market[action] -= cards
    new = min(cards, s.deck_left)
    s.deck_left -= new
    for kind in range(KINDS):
        node.market[kind] += new * me.chances[kind]
        s.market[kind] = whole(node.market[kind])


@kernel
def value_of_table(me: Any, depth: int) -> float:
    """C.5, for the searching seat: points gained + value of the hand - value of the market."""
    s = me.tables[depth]
    seat = me.tables[0].seat
    for good in range(GOODS):
        me.cards[good] = s.hand[seat, good]
    me.cards[CAMEL] = s.herd[seat]
    hand = value_of_cards(me.cards, s.tokens_left, me.weights)
    return me.nodes[depth].gained + hand - value_of_cards(me.nodes[depth].market, s.tokens_left, me.weights)  # type: ignore[no-any-return]


kernel_agent(Advanced, choose_advanced)


def _make(turns_ahead: int, k1: float, k2: float, k3: float) -> Advanced:
    depths = turns_ahead + 1
    return Advanced(
        turns_ahead=turns_ahead,
        weights=Weights(float(k1), float(k2), float(k3)),
        chances=np.zeros(KINDS),
        nodes=np.zeros(depths, NODE),
        tables=np.zeros(depths, STATE),
        turns=np.zeros((depths, MAX_LEGAL + 1), np.int32),  # one more: the listing of exchanges writes ahead
        cards=np.zeros(KINDS),
    )


def make_advanced1(variant: Variant, k1: float, k2: float, k3: float) -> Advanced:  # noqa: ARG001
    return _make(1, k1, k2, k3)


def make_advanced2(variant: Variant, k1: float, k2: float, k3: float) -> Advanced:  # noqa: ARG001
    return _make(3, k1, k2, k3)


def make_advanced3(variant: Variant, k1: float, k2: float, k3: float) -> Advanced:  # noqa: ARG001
    return _make(5, k1, k2, k3)

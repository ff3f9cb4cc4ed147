"""Tables as the players of the 2017 thesis imagine them: after some turns, with fractions of cards for those still to come.

A search keeps one table for every depth, the position itself at depth 0. Hands, herds and tokens are in a state record, whose
market holds the whole cards only, so that the rules can list the turns; the market with its fractions is in a NODE.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from meeple.core.kernel import kernel
from meeple.games.jaipur.actions import CAMELS, EXCHANGE_GIVEN, EXCHANGE_TAKEN
from meeple.games.jaipur.components import CAMEL, EMPTY_PILES_TO_END, GOODS, MARKET_SIZE
from meeple.games.jaipur.heuristic_2017 import BONUS, value_of_cards, value_of_good, whole
from meeple.games.jaipur.multisets import MULTISETS, SIZE
from meeple.games.jaipur.rules import make_exchange, make_sale
from meeple.games.jaipur.turns import first_exchange, is_sale, sale

KINDS = GOODS + 1
NODE = np.dtype(
    (
        np.record,
        [
            ("market", "f8", (KINDS,)),
            ("gained", "f8"),  # points on the way here, average bonuses included
            # What value_of_turn needs to value exchanges
            ("value", "f8"),  # of the table as it is
            ("change", "f8", (GOODS, 2 * MARKET_SIZE + 1)),  # of that value if the hand gets n - 5 more cards of a good
            ("camel", "f8"),  # of that value by each camel given
            # The search
            ("turns", "i4"),  # how many there are to try,
            ("tried", "i4"),  # how many have been,
            ("best", "f8"),  # and the best value among these for the seat to move
            ("alpha", "f8"),  # the searching seat is sure of this much elsewhere,
            ("beta", "f8"),  # and the opponent of letting it have no more than this
        ],
    )
)


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
        imagine_take(s, node, action, me.chances)
    node.gained = me.nodes[depth].gained + (gained if depth % 2 == 0 else -me.opponent * gained)
    s.chosen = 0
    s.seat = 1 - s.seat


@kernel
def imagine_sale(s: Any, action: int) -> float:
    """Its points in goods tokens, and what a bonus token is worth on average."""
    good, cards = sale(s, action)
    before = s.goods_points[s.seat]
    make_sale(s, good, cards)
    return s.goods_points[s.seat] - before + BONUS[cards]  # type: ignore[no-any-return]


@kernel
def imagine_take(s: Any, node: Any, action: int, chances: Any) -> None:
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
        node.market[kind] += new * chances[kind]
        s.market[kind] = whole(node.market[kind])


@kernel
def finished(s: Any) -> bool:
    """The thesis's ends of a round."""
    empty = 0
    for good in range(GOODS):
        if s.tokens_left[good] == 0:
            empty += 1
    return s.deck_left == 0 or empty >= EMPTY_PILES_TO_END


@kernel
def value_of_table(me: Any, depth: int) -> float:
    """C.5, for the searching seat: points gained + value of the hand - value of the market."""
    s = me.tables[depth]
    node = me.nodes[depth]
    seat = me.tables[0].seat
    for good in range(GOODS):
        me.cards[good] = s.hand[seat, good]
    me.cards[CAMEL] = s.herd[seat]
    hand = value_of_cards(me.cards, s.tokens_left, me.weights)
    return node.gained + hand - value_of_cards(node.market, s.tokens_left, me.weights)  # type: ignore[no-any-return]


# ---- Exchanges, nine in ten of all turns, are valued without being made: good by good, they only move cards -----------------


@kernel
def note_changes(me: Any, depth: int) -> None:
    """Write down what each number of cards of a good, moved between hand and market, changes in the value of a table."""
    s = me.tables[depth]
    node = me.nodes[depth]
    own = depth % 2 == 0  # the value is the searching seat's: the opponent's hand is no part of it
    node.value = value_of_table(me, depth)
    node.camel = -me.weights.k3 * (2.0 if own else 1.0)
    for good in range(GOODS):
        left = s.tokens_left[good]
        hand = s.hand[s.seat, good]
        market = node.market[good]
        before = (value_of_good(good, hand, left, me.weights) if own else 0.0) - value_of_good(good, market, left, me.weights)
        for more in range(-min(hand, MARKET_SIZE), s.market[good] + 1):
            after = -value_of_good(good, market - more, left, me.weights)
            if own:
                after += value_of_good(good, hand + more, left, me.weights)
            node.change[good, more + MARKET_SIZE] = after - before


@kernel
def value_of_turn(me: Any, depth: int, action: int) -> float:
    """The value of the table an action leads to, once note_changes has been called for the one it is made at."""
    exchange = action - first_exchange(me.tables[depth])
    if exchange < 0:
        imagine(me, depth, action)
        return value_of_table(me, depth + 1)
    node = me.nodes[depth]
    taken = EXCHANGE_TAKEN[exchange]
    given = EXCHANGE_GIVEN[exchange]
    value = node.value + node.camel * (SIZE[taken] - SIZE[given])
    for good in range(GOODS):
        value += node.change[good, MULTISETS[taken, good] - MULTISETS[given, good] + MARKET_SIZE]
    return value  # type: ignore[no-any-return]

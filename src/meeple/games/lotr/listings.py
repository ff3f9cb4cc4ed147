"""The random player of the thesis: its listings 3.1 to 3.5, said in our small decisions, equal in distribution.

Questing and attacking: the listings draw how many characters act, any number from none to all being as likely, and then who. One by
one that is: with n characters untapped, stopping and each of them are equally likely (of those who got so far, 1 in n + 1 stops).

Planning: listing 3.1 draws how often it reaches into the hand, and buys what it finds there if it can be paid. How many of those
draws are left cannot be seen at the table. So the listing is run from the beginning of the phase, again and again until its first
purchases are those made already, in whatever order; what that run buys next is bought.

The listings know no macro-actions. Where one is to be chosen, all are equally likely.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.agent import kernel_agent
from meeple.core.game import Variant
from meeple.core.kernel import kernel
from meeple.core.rng import draw
from meeple.games.lotr.actions import ATTACK_WITH, BUY, COMMIT, DEFEND, HIT, STAY, STOP, TRAVEL
from meeple.games.lotr.combat import can_be_hit, heroes_to_hit, ready_characters, target_of
from meeple.games.lotr.components import ALLIES, CARD_OF, COST, HEROES, LANDS, TARGETS
from meeple.games.lotr.macros import by_macros, legal
from meeple.games.lotr.state import ATTACKING, DEFENDING, NOBODY, PLANNING, QUESTING, TRAVELLING


class Listings(NamedTuple):
    """Room for a run of listing 3.1."""

    hand: NDArray[np.int8]  # (ALLIES,)
    repeated: NDArray[np.int8]  # (ALLIES,) purchases made at the table that the run has not made yet


@kernel
def choose_listings(me: Any, s: Any, stream: Any, out: Any) -> int:
    if by_macros(s):
        return out[draw(stream, legal(s, out))]  # type: ignore[no-any-return]
    if s.phase == PLANNING:
        return _choose_purchase(me, s, stream)
    if s.phase == QUESTING:
        n = draw(stream, ready_characters(s) + 1)
        return STOP if n == 0 else COMMIT + _untapped(s, n - 1)
    if s.phase == TRAVELLING:
        return _choose_land(s, stream)
    if s.phase == DEFENDING:
        return DEFEND + _untapped(s, draw(stream, ready_characters(s)))
    if s.phase == ATTACKING:
        return _choose_attack(s, stream)
    return HIT + _hero_to_hit(s, draw(stream, heroes_to_hit(s)))


@kernel
def _untapped(s: Any, n: int) -> int:
    """The n-th untapped character, from 0."""
    character = 0
    while n >= s.ready[character]:
        n -= s.ready[character]
        character += 1
    return character


@kernel
def _hero_to_hit(s: Any, n: int) -> int:
    for hero in range(HEROES):
        if can_be_hit(s, hero):
            if n == 0:
                return hero
            n -= 1
    return NOBODY


@kernel
def _choose_land(s: Any, stream: Any) -> int:
    """Listing 3.3: any land of the staging area, or none."""
    n = 1
    for land in range(LANDS):
        n += s.lands[land]
    n = draw(stream, n)
    for land in range(LANDS):
        if n < s.lands[land]:
            return TRAVEL + land
        n -= s.lands[land]
    return STAY


@kernel
def _choose_attack(s: Any, stream: Any) -> int:
    """Listing 3.5: some of the untapped, each against any enemy."""
    n = draw(stream, ready_characters(s) + 1)
    if n == 0:
        return STOP
    card = CARD_OF[_untapped(s, n - 1)]
    return ATTACK_WITH + card * TARGETS + target_of(s, draw(stream, s.engaged_count))  # type: ignore[no-any-return]


# ---- Planning ------------------------------------------------------------------------------------------------------


@kernel
def _choose_purchase(me: Any, s: Any, stream: Any) -> int:
    kind = _run_listing(me, s, stream)
    while kind == ALLIES:
        kind = _run_listing(me, s, stream)
    return STOP if kind == NOBODY else BUY + kind


@kernel
def _run_listing(me: Any, s: Any, stream: Any) -> int:
    """Listing 3.1. What it buys after the purchases made already, or NOBODY; ALLIES if it makes others first."""
    resources = int(s.resources)
    cards = 0
    to_repeat = 0
    for kind in range(ALLIES):
        me.hand[kind] = s.hand[kind] + s.bought[kind]
        me.repeated[kind] = s.bought[kind]
        resources += COST[kind] * s.bought[kind]
        cards += me.hand[kind]
        to_repeat += s.bought[kind]
    for _ in range(draw(stream, cards + 1)):
        kind = _card_in_hand(me.hand, draw(stream, cards))
        if COST[kind] > resources:
            continue
        if to_repeat == 0:
            return kind
        if me.repeated[kind] == 0:
            return ALLIES
        me.repeated[kind] -= 1
        me.hand[kind] -= 1
        resources -= COST[kind]
        cards -= 1
        to_repeat -= 1
    return NOBODY if to_repeat == 0 else ALLIES


@kernel
def _card_in_hand(hand: Any, n: int) -> int:
    kind = 0
    while n >= hand[kind]:
        n -= hand[kind]
        kind += 1
    return kind


kernel_agent(Listings, choose_listings)


def make_listings(variant: Variant) -> Listings:  # noqa: ARG001
    return Listings(np.zeros(ALLIES, np.int8), np.zeros(ALLIES, np.int8))

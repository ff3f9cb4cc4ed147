"""What a seat knows: observations as numbers, redealing what is hidden, and the audit of what must always hold."""

from __future__ import annotations

from typing import Any

import numpy as np

from meeple.core.kernel import kernel
from meeple.core.rng import derive, draw, shuffle
from meeple.games.jaipur import seen
from meeple.games.jaipur.actions import CHOSEN_EXCHANGE, CHOSEN_SELL, CHOSEN_TAKE, SET_HIERARCHICAL
from meeple.games.jaipur.components import (
    BONUS_MOST,
    BONUS_OF,
    BONUS_PILES,
    BONUS_SORTED,
    CAMEL,
    CAMEL_TOKEN,
    CARDS_OF,
    GOODS,
    HAND_LIMIT,
    MARKET_SIZE,
    TOKEN,
    TOKENS_OF,
)
from meeple.games.jaipur.rules import hand_size, has_exchange, has_sale, points
from meeple.games.jaipur.state import NOBODY

OWN, TRACKED, FULL, SEEN = 0, 1, 2, 3


@kernel
def observe(s: Any, seat: int, level: int, out: Any) -> None:
    """Tables 4.1, 4.7 and 4.13 of the 2025 thesis; the layout with its bounds is in variants.py. `seen` is our own."""
    if level == SEEN:
        seen.observe(s, seat, out)
        return
    other = 1 - seat
    for good in range(GOODS):
        out[good] = s.hand[seat, good]
    for kind in range(7):
        out[6 + kind] = s.market[kind]
    out[13] = s.herd[seat]
    out[14] = points(s, seat)
    out[15] = s.herd[other]
    for good in range(GOODS):
        out[16 + good] = s.tokens_left[good]
    for pile in range(BONUS_PILES):
        out[22 + pile] = s.bonus_left[pile]
    n = 25
    if level == TRACKED:
        for good in range(GOODS):
            out[n + good] = s.known[other, good]
        out[n + GOODS] = estimated_points(s, other)
        n += GOODS + 1
    elif level == FULL:
        for good in range(GOODS):
            out[n + good] = s.hand[other, good]
        out[n + GOODS] = points(s, other)
        n += GOODS + 1
    if s.match:
        out[n] = s.seals[seat]
        out[n + 1] = s.seals[other]
        n += 2
    if s.action_set == SET_HIERARCHICAL:
        # Choosing the kind, then take, sell, exchange; the fifth, camels, is its own kind and never waits for a second step.
        for step in range(5):
            out[n + step] = 1.0 if s.chosen == step and s.seat == seat else 0.0


@kernel
def estimated_points(s: Any, seat: int) -> int:
    """What the other seat reckons: goods tokens are open, each bonus token is taken for the largest of its pile."""
    total = s.goods_points[seat]
    for pile in range(BONUS_PILES):
        for i in range(s.bonus_left[pile], BONUS_OF[pile]):
            if s.bonus_owner[pile, i] == seat:
                total += BONUS_MOST[pile]
    if s.camel_token == seat:
        total += CAMEL_TOKEN
    return total  # type: ignore[no-any-return]


@kernel
def redeal(s: Any, seat: int, seed: Any) -> None:
    """Deal again the opponent's unseen cards, the deck, the bonus tokens that seat has not turned over, and all later luck.

    The hidden cards are first put into a fixed order: were they only permuted by the seed, whoever knows the seed
    could permute them back. So the result depends on what the seat knows and on the seed, and on nothing else.
    """
    s.luck[0] = derive(seed, 1)
    _redeal_cards(s, seat)
    while s.chosen != 0 and s.seat != seat and not _choice_possible(s):
        _redeal_cards(s, seat)  # the opponent has announced a kind of action, so its hand must allow one
    for pile in range(BONUS_PILES):
        _redeal_bonus(s, seat, pile)


@kernel
def reshuffle(s: Any, seed: Any) -> None:
    """Another order of the deck and of the bonus tokens that nobody has taken, and other luck later."""
    s.luck[0] = derive(seed, 1)
    shuffle(s.deck, s.deck_left, s.luck)
    for pile in range(BONUS_PILES):
        shuffle(s.bonus[pile], s.bonus_left[pile], s.luck)


@kernel
def _redeal_cards(s: Any, seat: int) -> None:
    """Every hidden card is equally likely to be in the hand, except camels, which lie open in the herd, and goods of which
    the hand is known to hold no unseen card."""
    other = 1 - seat
    unseen = 0
    hidden = np.int64(0)  # cards of each kind, eight bits a kind: a kernel allocates no array
    for good in range(GOODS):
        cards = s.hand[other, good] - s.known[other, good]
        s.hand[other, good] = s.known[other, good]
        unseen += cards
        hidden += np.int64(cards) << np.int64(8 * good)
    for i in range(s.deck_left):
        hidden += np.int64(1) << (np.int64(8) * s.deck[i])
    pool = 0
    for kind in range(7):
        for _ in range((hidden >> np.int64(8 * kind)) & 255):
            s.deck[pool] = kind
            pool += 1
    while unseen > 0:
        i = draw(s.luck, pool)
        card = s.deck[i]
        if card != CAMEL and not s.none_unseen[other, card]:
            s.hand[other, card] += 1
            unseen -= 1
            pool -= 1
            s.deck[i] = s.deck[pool]
            s.deck[pool] = NOBODY
    shuffle(s.deck, pool, s.luck)


@kernel
def _choice_possible(s: Any) -> bool:
    if s.chosen == CHOSEN_SELL:
        return has_sale(s)
    if s.chosen == CHOSEN_EXCHANGE:
        return has_exchange(s)
    return True


@kernel
def _redeal_bonus(s: Any, seat: int, pile: int) -> None:
    """A seat knows its own tokens; all others of the pile are equally likely to be the opponent's or still there."""
    own = np.int64(0)  # own tokens of each value, four bits a value
    for i in range(s.bonus_left[pile], BONUS_OF[pile]):
        if s.bonus_owner[pile, i] == seat:
            own += np.int64(1) << (np.int64(4) * s.bonus[pile, i])
    n = 0
    for j in range(BONUS_OF[pile]):
        value = BONUS_SORTED[pile, j]
        if (own >> np.int64(4 * value)) & 15:
            own -= np.int64(1) << np.int64(4 * value)
        else:
            # Place the hidden values, sorted, where the hidden tokens are, then shuffle them among those places.
            while s.bonus_owner[pile, n] == seat:
                n += 1
            s.bonus[pile, n] = value
            n += 1
    _shuffle_hidden(s, seat, pile)
    s.bonus_points[1 - seat] = 0
    for p in range(BONUS_PILES):
        for i in range(s.bonus_left[p], BONUS_OF[p]):
            if s.bonus_owner[p, i] == 1 - seat:
                s.bonus_points[1 - seat] += s.bonus[p, i]


@kernel
def _shuffle_hidden(s: Any, seat: int, pile: int) -> None:
    """Fisher-Yates over the places of a pile that are not the seat's own."""
    bonus, owner = s.bonus[pile], s.bonus_owner[pile]
    for i in range(BONUS_OF[pile] - 1, 0, -1):
        if owner[i] == seat:
            continue
        below = 0  # hidden places up to and with i
        for j in range(i + 1):
            if owner[j] != seat:
                below += 1
        k = draw(s.luck, below)
        j = 0
        while owner[j] == seat or k > 0:
            if owner[j] != seat:
                k -= 1
            j += 1
        swapped = bonus[i]
        bonus[i] = bonus[j]
        bonus[j] = swapped


INVARIANTS = (
    "cards of every kind are conserved",
    "tokens and their points are conserved",
    "the market has five cards while the round goes on",
    "no hand has more than seven goods",
    "nobody is known to hold what is not held",
    "drawn places of the deck are wiped",
    "a kind of action is chosen first in the two-step set only, and where an action of that kind is possible",
)


@kernel
def audit(s: Any) -> int:
    if not 0 <= s.deck_left <= s.deck.size:
        return 6
    if not _cards_conserved(s):
        return 1
    if not _tokens_conserved(s):
        return 2
    cards = 0
    for kind in range(7):
        cards += s.market[kind]
    if s.end == 0 and cards != MARKET_SIZE:
        return 3
    for seat in range(2):
        if hand_size(s, seat) > HAND_LIMIT:
            return 4
        for good in range(GOODS):
            if not 0 <= s.known[seat, good] <= s.hand[seat, good]:
                return 5
            if s.none_unseen[seat, good] and s.known[seat, good] != s.hand[seat, good]:
                return 5
    for i in range(s.deck.size):
        if (s.deck[i] == NOBODY) != (i >= s.deck_left) or not NOBODY <= s.deck[i] <= CAMEL:
            return 6
    return 0 if s.chosen == 0 or _choice_sound(s) else 7


@kernel
def _choice_sound(s: Any) -> bool:
    """Else no redeal could explain the choice: it would deal again for ever."""
    if s.end != 0 or s.action_set != SET_HIERARCHICAL:
        return False
    if s.chosen == CHOSEN_TAKE:
        return hand_size(s, s.seat) < HAND_LIMIT and s.market[CAMEL] < MARKET_SIZE
    return (s.chosen == CHOSEN_SELL or s.chosen == CHOSEN_EXCHANGE) and _choice_possible(s)


@kernel
def _cards_conserved(s: Any) -> bool:
    """Sold goods leave the game, so goods may only become fewer; camels never do, and nothing is ever negative."""
    for kind in range(7):
        cards = s.market[kind]
        least = s.market[kind]
        for i in range(s.deck_left):
            if s.deck[i] == kind:
                cards += 1
        for seat in range(2):
            held = s.herd[seat] if kind == CAMEL else s.hand[seat, kind]
            cards += held
            least = min(least, held)
        if least < 0 or cards > CARDS_OF[kind]:
            return False
        if kind == CAMEL and cards != CARDS_OF[kind]:
            return False
        # A card that left was sold, and each sold card took a token while there was one.
        if kind < GOODS and min(CARDS_OF[kind] - cards, TOKENS_OF[kind]) != TOKENS_OF[kind] - s.tokens_left[kind]:
            return False
    return True


@kernel
def _tokens_conserved(s: Any) -> bool:
    for pile in range(BONUS_PILES):
        if not 0 <= s.bonus_left[pile] <= BONUS_OF[pile] or not _bonus_conserved(s, pile):
            return False
    gone = 0
    value = 0
    for good in range(GOODS):
        for left in range(s.tokens_left[good] + 1, TOKENS_OF[good] + 1):
            gone += 1
            value += TOKEN[good, left]
    if gone != s.goods_tokens[0] + s.goods_tokens[1] or value != s.goods_points[0] + s.goods_points[1]:
        return False
    for seat in range(2):
        tokens = 0
        total = 0
        for pile in range(BONUS_PILES):
            for i in range(BONUS_OF[pile]):
                if s.bonus_owner[pile, i] == seat:
                    tokens += 1
                    total += s.bonus[pile, i]
                if (s.bonus_owner[pile, i] == NOBODY) != (i < s.bonus_left[pile]):
                    return False
        if tokens != s.bonus_tokens[seat] or total != s.bonus_points[seat]:
            return False
    return True


@kernel
def _bonus_conserved(s: Any, pile: int) -> bool:
    """Are the tokens of a pile those that it has, in some order?"""
    counts = np.int64(0)  # four bits a value
    for i in range(BONUS_OF[pile]):
        if not 0 <= s.bonus[pile, i] <= BONUS_MOST[pile]:
            return False
        counts += np.int64(1) << (np.int64(4) * s.bonus[pile, i])
        counts -= np.int64(1) << (np.int64(4) * BONUS_SORTED[pile, i])
    return counts == 0  # type: ignore[no-any-return]

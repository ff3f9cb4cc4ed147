"""What a seat knows: observations as numbers, redealing what is hidden, and the audit of what must always hold."""

from __future__ import annotations

from typing import Any

import numpy as np

from meeple.core.kernel import kernel
from meeple.core.rng import derive, shuffle
from meeple.games.splendor.components import (
    BONUS,
    CARDS,
    CARDS_OF,
    COLOURS,
    COST,
    FACE_UP,
    FIRST_CARD,
    GOLD,
    GOLD_TOKENS,
    LARGEST_DECK,
    LEVEL,
    LEVELS,
    MAX_NOBLES,
    NOBLE_NEEDS,
    NOBLE_POINTS,
    NOBLES,
    POINTS,
    RESERVED,
    SLOTS,
    TOKEN_LIMIT,
    TOKENS,
    TOKENS_OF_A_COLOUR,
)
from meeple.games.splendor.purchase import affordable, card_at
from meeple.games.splendor.state import MAIN, NOBODY, PAYING
from meeple.games.splendor.turns import END_POINTS, tokens_held

# What a card shows: points, bonus, cost. The row of NOBODY, -1, is the last one, and all zeros.
FACE = 1 + 2 * COLOURS
FACES = np.zeros((CARDS + 1, FACE), np.float32)
FACES[:CARDS] = np.column_stack([POINTS, np.eye(COLOURS)[BONUS], COST])

# ---- Observations: the layout with its bounds is in variants.py ------------------------------------------------------


@kernel
def observe(s: Any, seat: int, out: Any) -> None:
    """All that the seat may know, its own side first, then the others in turn order."""
    n = _observe_turn(s, seat, out)
    for token in range(TOKENS):
        out[n + token] = s.bank[token]
    n += TOKENS
    for slot in range(s.players + 1):
        for colour in range(COLOURS):
            out[n + colour] = NOBLE_NEEDS[s.nobles[slot], colour] if s.nobles[slot] != NOBODY else 0
        n += COLOURS
    for deck in range(LEVELS):
        out[n] = s.deck_left[deck]
        n += 1
    for place in range(FACE_UP):
        n = _observe_card(s.face_up[place // SLOTS, place % SLOTS], out, n)
    for i in range(s.players):
        n = _observe_player(s, (seat + i) % s.players, i == 0, out, n)


@kernel
def _observe_turn(s: Any, seat: int, out: Any) -> int:
    out[0] = s.turn
    out[1] = s.last_round
    out[2] = seat
    for i in range(s.players):
        out[3 + i] = 1.0 if (seat + i) % s.players == s.seat else 0.0
    n = 3 + int(s.players)
    for phase in range(4):
        out[n + phase] = 1.0 if s.phase == phase else 0.0
    n += 4
    for place in range(FACE_UP + RESERVED):
        out[n + place] = 1.0 if s.buying == place else 0.0
    n += FACE_UP + RESERVED
    for token in range(TOKENS):
        out[n + token] = s.price[token]
    out[n + TOKENS] = s.gold_from
    return n + TOKENS + 1


@kernel
def _observe_player(s: Any, seat: int, own: bool, out: Any, n: int) -> int:
    out[n] = s.points[seat]
    out[n + 1] = s.bought[seat]
    out[n + 2] = s.nobles_won[seat]
    out[n + 3] = s.passed[seat]
    n += 4
    for token in range(TOKENS):
        out[n + token] = s.tokens[seat, token]
    n += TOKENS
    for colour in range(COLOURS):
        out[n + colour] = s.bonuses[seat, colour]
    n += COLOURS
    for slot in range(RESERVED):
        card = s.reserved[seat, slot]
        # A blind reserve shows its back, so the others know its level and no more.
        out[n] = LEVEL[card] + 1 if card != NOBODY else 0
        out[n + 1] = s.blind[seat, slot]
        n = _observe_card(card if own or not s.blind[seat, slot] else NOBODY, out, n + 2)
    return n


@kernel
def _observe_card(card: int, out: Any, n: int) -> int:
    for i in range(FACE):
        out[n + i] = FACES[card, i]
    return n + FACE


# ---- Redealing -----------------------------------------------------------------------------------------------------


@kernel
def redeal(s: Any, seat: int, seed: Any) -> None:
    """Deal again the decks, the other players' blind reserves, and all later luck.

    The hidden cards are first put into a fixed order: were they only permuted by the seed, whoever knows the seed
    could permute them back. So the result depends on what the seat knows and on the seed, and on nothing else.
    """
    s.luck[0] = derive(seed, 1)
    for level in range(LEVELS):
        _redeal_level(s, seat, level)
        while not _passes_explained(s, seat, level):
            _redeal_level(s, seat, level)


@kernel
def reshuffle(s: Any, seed: Any) -> None:
    """Another order of the decks, and other luck later."""
    s.luck[0] = derive(seed, 1)
    for level in range(LEVELS):
        shuffle(s.deck[level], s.deck_left[level], s.luck)


@kernel
def _redeal_level(s: Any, seat: int, level: int) -> None:
    """Every hidden card of a level is equally likely to be in any of its hidden places."""
    hidden = np.int64(0)  # a bit for each card of the level
    for i in range(s.deck_left[level]):
        hidden |= np.int64(1) << np.int64(s.deck[level, i] - FIRST_CARD[level])
    for other in range(s.players):
        for slot in range(RESERVED):
            if _hidden_reserve(s, seat, other, slot, level):
                hidden |= np.int64(1) << np.int64(s.reserved[other, slot] - FIRST_CARD[level])
    n = 0
    for i in range(CARDS_OF[level]):
        if (hidden >> np.int64(i)) & 1:
            s.deck[level, n] = FIRST_CARD[level] + i
            n += 1
    shuffle(s.deck[level], n, s.luck)
    for other in range(s.players):
        for slot in range(RESERVED):
            if _hidden_reserve(s, seat, other, slot, level):
                n -= 1
                s.reserved[other, slot] = s.deck[level, n]
                s.deck[level, n] = NOBODY


@kernel
def _hidden_reserve(s: Any, seat: int, other: int, slot: int, level: int) -> bool:
    """Is this a card of the level that the seat has not seen?"""
    return other != seat and s.blind[other, slot] == 1 and LEVEL[s.reserved[other, slot]] == level


@kernel
def _passes_explained(s: Any, seat: int, level: int) -> bool:
    """Whoever passed could buy nothing, and its tokens and bonuses are still the same: so it cannot afford a blind reserve."""
    for other in range(s.players):
        if s.passed[other]:
            for slot in range(RESERVED):
                if _hidden_reserve(s, seat, other, slot, level) and affordable(s, other, s.reserved[other, slot]):
                    return False
    return True


# ---- Audit ---------------------------------------------------------------------------------------------------------

INVARIANTS = (
    "tokens of every colour are conserved",
    "every card is in one place, or bought and counted",
    "nobles are conserved, and nobody has received more than one a turn",
    "nobody ends a turn with more than ten tokens",
    "all have equally many turns at the end, and the seats take turns",
    "drawn places of a deck are wiped",
    "what is paid is what is held, and nothing is paid outside a payment",
    "whoever passed could buy nothing that it has reserved, and only a card in hand is hidden from the others",
)


@kernel
def audit(s: Any) -> int:
    for level in range(LEVELS):
        if not 0 <= s.deck_left[level] <= CARDS_OF[level]:
            return 6
    if not _tokens_conserved(s):
        return 1
    if not _cards_conserved(s):
        return 2
    if not _nobles_conserved(s):
        return 3
    for seat in range(s.players):
        if (seat != s.seat or s.phase == MAIN) and tokens_held(s, seat) > TOKEN_LIMIT:
            return 4
    if s.seat != s.turn % s.players or (s.end == END_POINTS and s.seat != 0):
        return 5
    for level in range(LEVELS):
        for i in range(LARGEST_DECK):
            if (s.deck[level, i] == NOBODY) != (i >= s.deck_left[level]):
                return 6
    if not _payment_sound(s):
        return 7
    return 0 if _passes_sound(s) else 8


@kernel
def _passes_sound(s: Any) -> bool:
    """Else no redeal could explain a pass: it would deal again for ever."""
    for seat in range(s.players):
        for slot in range(RESERVED):
            card = s.reserved[seat, slot]
            if card == NOBODY:
                if s.blind[seat, slot]:
                    return False
            elif s.passed[seat] and affordable(s, seat, card):
                return False
    return True


@kernel
def _tokens_conserved(s: Any) -> bool:
    for token in range(TOKENS):
        total = s.bank[token]
        least = s.bank[token]
        for seat in range(s.players):
            total += s.tokens[seat, token]
            least = min(least, s.tokens[seat, token])
        if least < 0 or total != (GOLD_TOKENS if token == GOLD else TOKENS_OF_A_COLOUR[s.players - 2]):
            return False
    return True


@kernel
def _cards_conserved(s: Any) -> bool:
    """No card is in two places; those that are in none are bought, and make up the players' bonuses and points together."""
    cards = 0
    points = 0
    bonuses = np.int64(0)  # eight bits a colour
    for seat in range(s.players):
        cards += s.bought[seat]
        points += s.points[seat] - NOBLE_POINTS[0] * s.nobles_won[seat]
        for colour in range(COLOURS):
            bonuses += np.int64(s.bonuses[seat, colour]) << np.int64(8 * colour)
    for level in range(LEVELS):
        found = _cards_on_table(s, level)
        if found < 0:
            return False
        for i in range(CARDS_OF[level]):
            if not (found >> np.int64(i)) & 1:
                cards -= 1
                points -= POINTS[FIRST_CARD[level] + i]
                bonuses -= np.int64(1) << np.int64(8 * BONUS[FIRST_CARD[level] + i])
    return cards == 0 and points == 0 and bonuses == 0


@kernel
def _cards_on_table(s: Any, level: int) -> int:
    """A bit for each card of the level that is in the deck, face up or reserved; -1 if one is there twice or misplaced."""
    found: Any = np.int64(0)
    for i in range(LARGEST_DECK):
        found = _add_card(found, s.deck[level, i], level, True)
    for slot in range(SLOTS):
        found = _add_card(found, s.face_up[level, slot], level, True)
    for seat in range(s.players):
        for slot in range(RESERVED):
            found = _add_card(found, s.reserved[seat, slot], level, False)
    return found  # type: ignore[no-any-return]


@kernel
def _add_card(found: Any, card: int, level: int, only_level: bool) -> Any:
    if found < 0 or card == NOBODY:
        return found
    if not 0 <= card < CARDS:
        return np.int64(-1)
    if LEVEL[card] != level:
        return np.int64(-1) if only_level else found
    bit = np.int64(1) << np.int64(card - FIRST_CARD[level])
    return np.int64(-1) if found & bit else found | bit


@kernel
def _nobles_conserved(s: Any) -> bool:
    nobles = 0
    seen = np.int64(0)  # a bit for each noble
    for slot in range(MAX_NOBLES):
        if s.nobles[slot] == NOBODY:
            continue
        if not 0 <= s.nobles[slot] < NOBLES or (seen >> np.int64(s.nobles[slot])) & 1:
            return False
        seen |= np.int64(1) << np.int64(s.nobles[slot])
        nobles += 1
    for seat in range(s.players):
        nobles += s.nobles_won[seat]
        turns = (s.turn + s.players - 1 - seat) // s.players  # that the seat has completed
        if not 0 <= s.nobles_won[seat] <= turns:
            return False
    return nobles == s.players + 1  # type: ignore[no-any-return]


@kernel
def _payment_sound(s: Any) -> bool:
    total = 0
    for token in range(TOKENS):
        total += s.price[token]
        if not 0 <= s.price[token] <= s.tokens[s.seat, token]:
            return False
    if s.phase == PAYING:
        if not 0 <= s.buying < FACE_UP + RESERVED or not 0 <= s.gold_from < COLOURS:
            return False
        return total > 0 and card_at(s, s.buying) != NOBODY
    return total == 0 and s.buying == NOBODY

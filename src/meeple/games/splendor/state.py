"""Splendor's state and how it is dealt."""

from __future__ import annotations

from typing import Any

from meeple.core.game import state_dtype
from meeple.core.kernel import kernel
from meeple.core.rng import derive, shuffle
from meeple.games.splendor.components import (
    CARDS_OF,
    COLOURS,
    FIRST_CARD,
    GOLD,
    GOLD_TOKENS,
    LARGEST_DECK,
    LEVELS,
    MAX_NOBLES,
    MAX_PLAYERS,
    NOBLES,
    RESERVED,
    SLOTS,
    TOKENS,
    TOKENS_OF_A_COLOUR,
)

NOBODY = -1  # no card, no noble, no place
MAIN, PAYING, RETURNING, CHOOSING_NOBLE = 0, 1, 2, 3  # what the seat decides now
PLAYERS = (2, 3, 4, 2)  # of each variant
THESIS = 3  # the variant with the action set of the thesis

STATE = state_dtype(
    [
        # Chosen before the game
        ("players", "i1"),
        ("thesis", "i1"),  # 1: the action set of the thesis
        # The table
        ("bank", "i1", (TOKENS,)),  # white, blue, green, red, black, gold
        ("nobles", "i1", (MAX_NOBLES,)),  # by slot; NOBODY once one has gone to a player
        ("face_up", "i1", (LEVELS, SLOTS)),
        ("deck", "i1", (LEVELS, LARGEST_DECK)),  # deck[level, deck_left[level] - 1] is the next card; drawn places are NOBODY
        ("deck_left", "i1", (LEVELS,)),
        # The players. Cards bought are not listed: they are those that are nowhere else.
        ("tokens", "i1", (MAX_PLAYERS, TOKENS)),
        ("bonuses", "i1", (MAX_PLAYERS, COLOURS)),
        ("points", "i1", (MAX_PLAYERS,)),
        ("bought", "i1", (MAX_PLAYERS,)),
        ("nobles_won", "i1", (MAX_PLAYERS,)),
        ("reserved", "i1", (MAX_PLAYERS, RESERVED)),
        ("blind", "i1", (MAX_PLAYERS, RESERVED)),  # 1: reserved from a deck, seen by its owner alone
        ("passed", "i1", (MAX_PLAYERS,)),  # 1: its last turn was a pass
        # The turn
        ("phase", "i1"),
        ("buying", "i1"),  # the place of the card whose payment is being decided
        ("price", "i1", (TOKENS,)),  # what will be paid for it
        ("gold_from", "i1"),  # gold is given for colours in their order, so for this one or a later one
        ("last_round", "i1"),  # 1: somebody has fifteen points
    ]
)


@kernel
def deal(s: Any, config: Any, seed: Any) -> None:
    """config: the variant."""
    s.luck[0] = derive(seed, 0)
    s.ply = 0
    s.turn = 0
    s.seat = 0
    s.end = 0
    s.players = PLAYERS[config[0]]
    s.thesis = 1 if config[0] == THESIS else 0
    s.phase = MAIN
    s.last_round = 0
    clear_purchase(s)
    for colour in range(COLOURS):
        s.bank[colour] = TOKENS_OF_A_COLOUR[s.players - 2]
    s.bank[GOLD] = GOLD_TOKENS
    for seat in range(MAX_PLAYERS):
        _seat_player(s, seat)
    _deal_nobles(s)
    for level in range(LEVELS):
        _deal_level(s, level)


@kernel
def phase(s: Any) -> int:
    return s.phase  # type: ignore[no-any-return]


@kernel
def clear_purchase(s: Any) -> None:
    s.buying = NOBODY
    s.gold_from = 0
    for token in range(TOKENS):
        s.price[token] = 0


@kernel
def _seat_player(s: Any, seat: int) -> None:
    s.points[seat] = 0
    s.bought[seat] = 0
    s.nobles_won[seat] = 0
    s.passed[seat] = 0
    for token in range(TOKENS):
        s.tokens[seat, token] = 0
    for colour in range(COLOURS):
        s.bonuses[seat, colour] = 0
    for slot in range(RESERVED):
        s.reserved[seat, slot] = NOBODY
        s.blind[seat, slot] = 0


@kernel
def _deal_nobles(s: Any) -> None:
    """Rulebook, Setup: one noble more than players. The first deck is not dealt yet, so its room serves to shuffle them in."""
    pile = s.deck[0]
    for noble in range(NOBLES):
        pile[noble] = noble
    shuffle(pile, NOBLES, s.luck)
    for slot in range(MAX_NOBLES):
        s.nobles[slot] = pile[slot] if slot <= s.players else NOBODY


@kernel
def _deal_level(s: Any, level: int) -> None:
    for i in range(LARGEST_DECK):
        s.deck[level, i] = FIRST_CARD[level] + i if i < CARDS_OF[level] else NOBODY
    s.deck_left[level] = CARDS_OF[level]
    shuffle(s.deck[level], CARDS_OF[level], s.luck)
    for slot in range(SLOTS):
        refill(s, level, slot)


@kernel
def draw_card(s: Any, level: int) -> int:
    """Take the top card. Its place is wiped: a drawn card left behind there would tell a copy's reader the blind reserves."""
    s.deck_left[level] -= 1
    card = s.deck[level, s.deck_left[level]]
    s.deck[level, s.deck_left[level]] = NOBODY
    return card  # type: ignore[no-any-return]


@kernel
def refill(s: Any, level: int, slot: int) -> None:
    """Rulebook: a face-up card that leaves is replaced at once; an empty deck leaves the slot empty."""
    s.face_up[level, slot] = draw_card(s, level) if s.deck_left[level] > 0 else NOBODY

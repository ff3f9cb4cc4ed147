"""Positions for tests, written as cards: `position(market="D S L M M", hand="C C", deck="G")`."""

from __future__ import annotations

import meeple
from meeple.games.jaipur.components import LETTERS


def counts(cards: str, kinds: int) -> list[int]:
    letters = cards.split()
    return [letters.count(letter) for letter in LETTERS[:kinds]]


def position(
    market: str = "D G S C M",
    hand: str = "",
    herd: int = 0,
    other_hand: str = "",
    other_herd: int = 0,
    deck: str = "L L L L L L",
    spec: str = "jaipur:round",
) -> meeple.State:
    """Seat 0 to move. The deck's last card is drawn first. Bonus piles give their tokens in the order printed, last first."""
    state = meeple.new(spec, 1)
    s = state.data
    s.market[:] = counts(market, 7)
    s.hand[:] = [counts(hand, 6), counts(other_hand, 6)]
    s.herd[:] = [herd, other_herd]
    cards = [LETTERS.index(letter) for letter in deck.split()]
    s.deck[:] = -1
    s.deck[: len(cards)] = cards
    s.deck_left = len(cards)
    s.bonus[:] = [[1, 1, 2, 2, 2, 3, 3], [4, 4, 5, 5, 6, 6, 0], [8, 8, 9, 10, 10, 0, 0]]
    return state


def hand(state: meeple.State, seat: int = 0) -> str:
    return " ".join(letter * int(n) for letter, n in zip(LETTERS, state.data.hand[seat], strict=False) if n)


def market(state: meeple.State) -> str:
    return " ".join(letter * int(n) for letter, n in zip(LETTERS, state.data.market, strict=True) if n)

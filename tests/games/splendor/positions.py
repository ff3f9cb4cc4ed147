"""Positions for tests, in the letters of the board: `hold(state, 0, tokens="3w 1*")`, `lay(state, "1-1", "white 4g")`.

Tokens come from the bank and cards from where they are, so both stay conserved; bonuses are simply written down.
"""

from __future__ import annotations

from typing import Any

import meeple
from meeple.games.splendor.components import BONUS, CARDS_OF, COLOUR_NAMES, COST, FIRST_CARD, NOBLE_NEEDS, TOKENS

LETTERS = "wbgrk*"


def counts(text: str) -> list[int]:
    """ "3w 1*" -> [3, 0, 0, 0, 0, 1]."""
    amounts = {part[-1]: int(part[:-1]) for part in text.split()}
    return [amounts.get(letter, 0) for letter in LETTERS]


def tokens(state: meeple.State, seat: int = 0) -> str:
    return " ".join(f"{n}{letter}" for n, letter in zip(state.data.tokens[seat], LETTERS, strict=True) if n)


def bank(state: meeple.State) -> str:
    return " ".join(f"{n}{letter}" for n, letter in zip(state.data.bank, LETTERS, strict=True) if n)


def table(variant: int | str = 2, seed: int = 1) -> meeple.State:
    return meeple.new(f"splendor:{variant}", seed)


def hold(state: meeple.State, seat: int, tokens: str = "", bonuses: str = "", points: int = 0, bought: int = -1) -> None:
    """Give a seat these tokens from the bank (its own go back first), bonuses and points."""
    s = state.data
    for token, n in enumerate(counts(tokens)):
        s.bank[token] += s.tokens[seat, token] - n
        s.tokens[seat, token] = n
    s.bonuses[seat] = counts(bonuses)[:-1]
    s.points[seat] = points
    s.bought[seat] = int(s.bonuses[seat].sum()) if bought < 0 else bought


def find_card(level: int, face: str) -> int:
    """`find_card(1, "white 4g")`: the card of a level with this bonus and cost."""
    bonus, _, cost = face.partition(" ")
    for card in range(FIRST_CARD[level - 1], FIRST_CARD[level - 1] + CARDS_OF[level - 1]):
        if COLOUR_NAMES[BONUS[card]] == bonus and COST[card].tolist() == counts(cost)[:-1]:
            return int(card)
    raise ValueError(f"no card of level {level} has the bonus {bonus} and costs {cost}")


def swap(state: meeple.State, card: int, array: Any, index: Any) -> None:
    """Put a card into a place of the state; what was there goes where the card was."""
    s = state.data
    for name in ("face_up", "deck", "reserved"):
        if (s[name] == card).any():
            s[name][s[name] == card] = array[index]
    array[index] = card


def lay(state: meeple.State, place: str, face: str) -> int:
    """Lay a card face up at a place such as "1-3"; returns its id."""
    level, slot = (int(part) for part in place.split("-"))
    card = find_card(level, face)
    swap(state, card, state.data.face_up, (level - 1, slot - 1))
    return card


def draw_next(state: meeple.State, level: int, face: str) -> int:
    """Put a card on top of its deck; returns its id."""
    card = find_card(level, face)
    swap(state, card, state.data.deck, (level - 1, state.data.deck_left[level - 1] - 1))
    return card


def keep(state: meeple.State, seat: int, slot: int, level: int, face: str, blind: int = 0) -> int:
    """Give a seat a reserved card, taken from the face-up cards or the deck (whose top card then fills the gap)."""
    s = state.data
    card = draw_next(state, level, face) if find_card(level, face) not in s.face_up else lay(state, f"{level}-1", face)
    if card in s.face_up:
        s.face_up[level - 1, 0] = s.deck[level - 1, s.deck_left[level - 1] - 1]
    s.deck_left[level - 1] -= 1
    s.deck[level - 1, s.deck_left[level - 1]] = -1
    s.reserved[seat, slot - 1] = card
    s.blind[seat, slot - 1] = blind
    return card


def empty_deck(state: meeple.State, level: int) -> None:
    state.data.deck[level - 1] = -1
    state.data.deck_left[level - 1] = 0


def invite(state: meeple.State, slot: int, needs: str) -> None:
    """Lay the noble with these needs into a slot."""
    s = state.data
    noble = int((NOBLE_NEEDS == counts(needs)[:-1]).all(axis=1).argmax())
    if (s.nobles == noble).any():
        s.nobles[s.nobles == noble] = s.nobles[slot - 1]
    s.nobles[slot - 1] = noble


def strand(state: meeple.State) -> None:
    """A two-player table where nobody can move: no coloured token left, three dear cards reserved each, nothing affordable."""
    s = state.data
    s.face_up[:] = -1
    for level in (1, 2, 3):
        empty_deck(state, level)
    hold(state, 0, tokens="4w 4b 2g")
    hold(state, 1, tokens="2g 4r 4k")
    s.reserved[0] = find_card(3, "white 7k")
    s.reserved[1] = find_card(3, "blue 7w")
    assert s.bank[: TOKENS - 1].sum() == 0

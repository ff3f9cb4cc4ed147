"""The audit finds what it is there to find."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from meeple.games.splendor.components import BONUS, FIRST_CARD, POINTS
from meeple.games.splendor.knowledge import INVARIANTS, audit
from tests.games.splendor.positions import table


def lose_token(s: Any) -> None:
    s.bank[0] -= 1


def double_card(s: Any) -> None:
    s.face_up[0, 0] = s.face_up[0, 1]


def misplace_card(s: Any) -> None:
    s.face_up[0, 0], s.face_up[1, 0] = s.face_up[1, 0], s.face_up[0, 0]


def lose_card(s: Any) -> None:
    s.face_up[0, 0] = -1


def invent_bonus(s: Any) -> None:
    s.bonuses[1, 3] += 1


def invent_points(s: Any) -> None:
    s.points[0] += 1


def lose_noble(s: Any) -> None:
    s.nobles[0] = -1


def hurry_noble(s: Any) -> None:
    s.nobles[0] = -1
    s.nobles_won[0] = 1
    s.points[0] = 3


def hoard(s: Any) -> None:
    s.tokens[1] = [3, 3, 3, 2, 0, 0]
    s.bank[:] = [1, 1, 1, 2, 4, 5]


def skip_turn(s: Any) -> None:
    s.seat = 1


def leave_drawn_card(s: Any) -> None:
    s.deck[0, s.deck_left[0] - 1], s.deck[0, s.deck_left[0]] = -1, s.deck[0, s.deck_left[0] - 1]


def owe(s: Any) -> None:
    s.price[2] = 1


@pytest.mark.parametrize(
    ("damage", "word"),
    [
        (lose_token, "tokens"),
        (double_card, "card"),
        (misplace_card, "card"),
        (lose_card, "card"),
        (invent_bonus, "card"),
        (invent_points, "card"),
        (lose_noble, "nobles"),
        (hurry_noble, "nobles"),
        (hoard, "ten tokens"),
        (skip_turn, "turns"),
        (leave_drawn_card, "wiped"),
        (owe, "paid"),
    ],
)
def test_damage_is_found(damage: Callable[[Any], None], word: str) -> None:
    state = table()
    assert audit(state.data) == 0
    damage(state.data)
    assert word in INVARIANTS[audit(state.data) - 1]


def test_a_bought_card_is_one_that_is_nowhere_else() -> None:
    """The state does not list bought cards: a card of level 1 gone from the table must show as a bonus of somebody."""
    state = table()
    s = state.data
    s.face_up[0, 0] = -1
    assert audit(s) != 0
    gone = next(card for card in range(FIRST_CARD[1]) if card not in s.face_up and card not in s.deck)
    s.bonuses[0, BONUS[gone]] = s.bought[0] = 1
    s.points[0] = POINTS[gone]
    assert audit(s) == 0

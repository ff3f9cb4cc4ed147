"""The action space: its size, its names, and the largest number of legal actions."""

from __future__ import annotations

import pytest

import meeple
from meeple.games.splendor import actions
from tests.games.splendor.positions import hold, keep, table

VARIANT = meeple.find_variant("splendor:2")


def test_there_are_78_actions_and_every_name_reads_back() -> None:
    assert VARIANT.shape.actions == actions.ACTIONS == 78
    names = [VARIANT.format_action(action) for action in range(78)]
    assert len(set(names)) == 78
    assert [VARIANT.parse_action(name) for name in names] == list(range(78))


@pytest.mark.parametrize(
    ("action", "name"),
    [
        (0, "take white blue green"),
        (10, "take white blue"),
        (20, "take white"),
        (25, "take 2 white"),
        (32, "reserve 1-3"),
        (43, "reserve deck 2"),
        (52, "buy 2-4"),
        (57, "buy reserved 1"),
        (60, "pass"),
        (61, "return white"),
        (66, "return gold"),
        (68, "noble 2"),
        (72, "gold for white"),
        (77, "pay"),
    ],
)
def test_ids_are_numbered_as_the_rules_file_says(action: int, name: str) -> None:
    assert VARIANT.format_action(action) == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Take GREEN, white blue", "take white blue green"),
        ("take k w", "take white black"),
        ("take white white", "take 2 white"),
        ("take 2 w", "take 2 white"),
        ("reserve 1 3", "reserve 1-3"),
        ("BUY 2-4", "buy 2-4"),
        ("return K", "return black"),
        ("gold for g", "gold for green"),
    ],
)
def test_reading_is_generous_about_case_order_and_letters(text: str, name: str) -> None:
    assert VARIANT.format_action(VARIANT.parse_action(text)) == name


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "a move is one of"),
        ("hello there", "a move is one of"),
        ("take gold", "did you mean"),
        ("take 3 white", "did you mean 'take 2 white'"),
        ("take white white blue", "splendor:2"),
        ("buy 4-1", "did you mean"),
        ("noble 6", "did you mean 'noble"),
    ],
)
def test_what_is_no_move_is_refused_with_a_hint(text: str, why: str) -> None:
    with pytest.raises(meeple.UnreadableMove, match=why):
        VARIANT.parse_action(text)


def test_a_position_with_the_most_legal_actions_has_44() -> None:
    """All takes, all reserves with two cards in reserve, and all of those cards affordable."""
    state = table(4)
    keep(state, 0, 1, 1, "white 3b")
    keep(state, 0, 2, 1, "red 3w")
    hold(state, 0, bonuses="7w 7b 7g 7r 7k")
    assert len(set(state.legal())) == 44 == actions.MAX_LEGAL
    keep(state, 0, 3, 1, "blue 3k")
    assert len(state.legal()) == 30

"""The variant of the thesis: 371 actions, each a whole turn."""

from __future__ import annotations

from itertools import product
from math import comb

import pytest

import meeple
from meeple.games.splendor import thesis
from tests.games.splendor.positions import bank, draw_next, hold, invite, keep, lay, table, tokens

VARIANT = meeple.find_variant("splendor:thesis")


def test_there_are_371_actions_and_every_name_reads_back() -> None:
    assert VARIANT.shape.actions == 371
    names = [VARIANT.format_action(action) for action in range(371)]
    assert len(set(names)) == 371
    assert [VARIANT.parse_action(name) for name in names] == list(range(371))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("take GREEN white", "take white green"),
        ("buy White 4g", "buy white 4g"),
        ("return gold, k w", "return white black gold"),
        ("return white gold white", "return white white gold"),
    ],
)
def test_reading_is_generous_here_too(text: str, name: str) -> None:
    assert VARIANT.format_action(VARIANT.parse_action(text)) == name


def test_one_two_or_three_tokens_may_be_taken_as_one_likes() -> None:
    state = table("thesis")
    assert len([move for move in state.moves() if move.startswith("take")]) == 30
    state.play("take red")
    assert (tokens(state), state.seat) == ("1r", 1)
    assert "take 2 red" not in state.moves()


def test_nobody_takes_more_than_ten_tokens_into_hand() -> None:
    state = table("thesis")
    hold(state, 0, tokens="3w 3b 3g")
    takes = [move for move in state.moves() if move.startswith("take")]
    assert takes == ["take white", "take blue", "take green", "take red", "take black"]


def test_returning_tokens_is_a_turn_of_its_own() -> None:
    state = table("thesis")
    hold(state, 0, tokens="2w 1g")
    returns = [move for move in state.moves() if move.startswith("return")]
    assert returns == ["return white", "return green", "return white green", "return white white green"]
    state.play("return white white green")
    assert (tokens(state), bank(state), state.seat, state.turn) == ("", "4w 4b 4g 4r 4k 5*", 1, 1)


def test_a_card_is_named_by_itself_wherever_it_lies() -> None:
    state = table("thesis")
    card = lay(state, "2-3", "white 5r")
    following = draw_next(state, 2, "blue 5b")
    state.play("reserve white 5r")
    assert (state.data.reserved[0, 0], state.data.face_up[1, 2], tokens(state)) == (card, following, "1*")
    state.play("take white blue green")
    hold(state, 0, tokens="4r 1*")
    state.play("buy reserved white 5r")
    assert (state.data.points[0], tokens(state)) == (2, "")


def test_only_face_up_cards_are_reserved_so_nothing_but_the_decks_is_hidden() -> None:
    state = table("thesis")
    assert len([move for move in state.moves() if move.startswith("reserve")]) == 12


def test_with_ten_tokens_a_card_is_reserved_without_gold() -> None:
    state = table("thesis")
    lay(state, "2-3", "white 5r")
    hold(state, 0, tokens="4w 4b 2g")
    state.play("reserve white 5r")
    assert (tokens(state), state.seat) == ("4w 4b 2g", 1)


def test_a_price_is_paid_with_as_little_gold_as_possible() -> None:
    state = table("thesis")
    lay(state, "1-1", "blue 3k")
    hold(state, 0, tokens="2k 2*")
    state.play("buy blue 3k")
    assert (tokens(state), state.seat) == ("1*", 1)


def test_of_several_nobles_the_first_one_comes() -> None:
    state = table("thesis")
    invite(state, 1, "4w 4b")
    invite(state, 2, "4r 4k")
    invite(state, 3, "4w 4k")
    hold(state, 0, bonuses="4w 4r 4k")
    state.play("take white")
    assert (state.data.nobles >= 0).tolist() == [True, False, True, False, False]


def test_the_observation_has_156_numbers() -> None:
    state = table("thesis")
    lay(state, "1-1", "black 1w 2b 1g 1r")
    keep(state, 1, 3, 2, "white 5r")
    hold(state, 0, tokens="3w 1*", bonuses="2b", points=7)
    seen = state.observe(0).tolist()
    assert len(seen) == 156
    assert seen[:7] == [4, 0, 1, 2, 1, 1, 0]
    assert seen[84 + 35 : 84 + 42] == [0, 2, 0, 0, 0, 5, 0]
    assert seen[126:132] == [1, 4, 4, 4, 4, 4]
    assert seen[132:144] == [7, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0, 1]
    assert seen[144:] == [0] * 12


def test_no_hand_allows_more_than_71_takes_and_returns() -> None:
    """Every hand of at most ten tokens, all others in the bank; with the cards that makes MAX_LEGAL."""
    most = 0
    returns = [[(token, group.count(token)) for token in set(group)] for group in thesis.RETURNS]
    for hand in product(*[range(5)] * 5, range(6)):
        room = 10 - sum(hand)
        left = sum(n < 4 for n in hand[:5])  # colours in the bank
        full = hand[:5].count(0)  # piles of four
        takes = sum(comb(left, size) for size in (1, 2, 3) if size <= room) + (full if room >= 2 else 0)
        if room >= 0:
            most = max(most, takes + sum(all(hand[token] >= n for token, n in group) for group in returns))
    assert most == 71
    assert thesis.MAX_LEGAL == 71 + 12 + 14


def test_the_position_with_the_most_legal_actions() -> None:
    state = table("thesis")
    keep(state, 0, 1, 1, "white 3b")
    keep(state, 0, 2, 1, "red 3w")
    hold(state, 0, tokens="1w 1b 1g 1r 1k 2*", bonuses="7w 7b 7g 7r 7k")
    assert len(set(state.legal())) == 97

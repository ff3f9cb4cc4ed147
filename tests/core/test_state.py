"""The shell: specs, refusals, views."""

from __future__ import annotations

import json

import pytest

import meeple
from meeple.core.errors import MeepleError, UnknownName


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("jaipr", "Unknown game 'jaipr'; did you mean 'jaipur'."),
        ("jaipur:mach", "Unknown variant of jaipur 'mach'; did you mean 'match'."),
        ("jaipur:round,action=25469", "Unknown option of jaipur 'action'; did you mean 'actions'."),
        ("jaipur:round,actions=1", "Unknown value of jaipur's option actions '1'; known: 25499, 25469, 25502."),
        ("jaipur:round,actions", "'actions' in 'jaipur:round,actions' is no option; write it as OPTION=VALUE."),
        ("jaipur,variant=round", "Write the variant behind a colon: jaipur:round."),
        ("", "Unknown game ''"),
    ],
)
def test_an_unknown_spec_is_refused_with_what_would_be_right(spec: str, why: str) -> None:
    with pytest.raises(MeepleError) as caught:
        meeple.new(spec)
    assert why in str(caught.value)


def test_a_spec_is_shortened_to_what_differs_from_the_defaults() -> None:
    assert meeple.find_variant("jaipur").spec == "jaipur:match"
    assert meeple.find_variant("jaipur:round,rules=official,actions=25469").spec == "jaipur:round,actions=25469"


def test_a_move_after_the_end_is_refused() -> None:
    state = meeple.new("jaipur:round", 1)
    while not state.over:
        state.play(state.legal()[0])
    with pytest.raises(meeple.GameOver, match="The game is over"):
        state.play("take camels")
    assert state.legal() == []


def test_an_illegal_move_carries_the_position_and_names_legal_ones() -> None:
    state = meeple.new("jaipur:round", 1)
    with pytest.raises(meeple.IllegalMove, match="legal: take") as caught:
        state.play("sell 7 leather")
    assert caught.value.move == "sell 7 leather"
    assert "jaipur:round ply 0" in caught.value.position


def test_a_number_that_is_no_action_is_refused() -> None:
    with pytest.raises(meeple.IllegalMove, match="action 99999"):
        meeple.new("jaipur:round", 1).play(99_999)


def test_there_is_no_outcome_before_the_end() -> None:
    with pytest.raises(MeepleError, match="not over"):
        meeple.new("jaipur:round", 1).outcome()


def test_unknown_seats_levels_and_seeds_are_refused() -> None:
    state = meeple.new("jaipur:round", 1)
    with pytest.raises(UnknownName, match="seat '2'"):
        state.redealt(2, 0)
    with pytest.raises(UnknownName, match="level"):
        state.observe(0, "everything")
    with pytest.raises(MeepleError, match="seed must be from 0"):
        meeple.new("jaipur:round", -1)


def test_a_view_is_plain_data_and_is_made_without_the_truth() -> None:
    state = meeple.new("jaipur:round", 1)
    other = state.redealt(0, 99)
    assert json.dumps(state.view(0)) == json.dumps(other.view(0))
    assert state.view(1) != other.view(1)

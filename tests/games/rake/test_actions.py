"""The action space of each variant: its size, its numbers, its names."""

from __future__ import annotations

import pytest

import meeple
from meeple.games.rake import actions
from tests.games.rake.positions import cross, finish, hold, roll, table

SIZES = {"complete": 142, "deterministic": 142, "simple": 9, "official": 163, "official-2": 163, "official-3": 163}


def test_the_sizes_are_those_of_the_variants() -> None:
    assert (actions.ACTIONS, actions.ACTIONS_SIMPLE, actions.ACTIONS_OFFICIAL) == (142, 9, 163)
    assert {name: meeple.find_variant(f"rake:{name}").shape.actions for name in meeple.find_game("rake").variants.values} == SIZES


@pytest.mark.parametrize(("name", "size"), SIZES.items())
def test_every_name_is_different_and_reads_back(name: str, size: int) -> None:
    variant = meeple.find_variant(f"rake:{name}")
    names = [variant.format_action(action) for action in range(size)]
    assert len(set(names)) == size
    assert [variant.parse_action(text) for text in names] == list(range(size))
    assert [variant.parse_action(f"  {text.upper()} ") for text in names] == list(range(size))


@pytest.mark.parametrize(
    ("action", "name"),
    [
        (0, "reroll o1"),
        (1, "reroll o2"),
        (2, "reroll o1 o2"),
        (3, "reroll o3"),
        (7, "reroll b1"),
        (15, "reroll b2"),
        (31, "reroll g"),
        (62, "reroll o1 o2 o3 b1 b2 g"),
        (63, "take o1"),
        (63 + 0b101001 - 1, "take o1 b1 g"),
        (125, "take o1 o2 o3 b1 b2 g"),
        (126, "section harvick"),
        (127, "section elliott"),
        (128, "section busch"),
        (129, "section newman"),
        (130, "section johnson"),
        (131, "section suarez"),
        (132, "section earnhardt"),
        (133, "section patrick"),
        (134, "section hamlin"),
        (135, "leaf 1"),
        (140, "leaf 6"),
        (141, "pass"),
    ],
)
def test_ids_are_numbered_as_the_thesis_numbers_them_and_the_official_game_adds_its_own(action: int, name: str) -> None:
    for variant in ("complete", "deterministic", "official", "official-3"):
        assert meeple.find_variant(f"rake:{variant}").format_action(action) == name


@pytest.mark.parametrize(
    ("action", "name"),
    [
        (142, "bump o1"),
        (145, "bump b1"),
        (147, "bump g"),
        (148, "acorn harvick"),
        (156, "acorn hamlin"),
        (157, "acorn newman 1"),
        (162, "acorn newman 6"),
    ],
)
def test_ids_of_the_bonuses(action: int, name: str) -> None:
    assert meeple.find_variant("rake:official").format_action(action) == name


def test_simple_numbers_the_properties_without_elliott() -> None:
    names = ["harvick", "busch", "newman", "johnson", "suarez", "earnhardt", "patrick", "hamlin", "pass"]
    assert [meeple.find_variant("rake:simple").format_action(action) for action in range(9)] == names


@pytest.mark.parametrize(
    ("variant", "text"),
    [
        ("complete", ""),
        ("complete", "reroll"),
        ("complete", "reroll o4"),
        ("complete", "section nobody"),
        ("complete", "leaf 7"),
        ("complete", "bump o1"),  # only in the official game
        ("simple", "elliott"),
        ("simple", "section busch"),
        ("official", "acorn newman 7"),
    ],
)
def test_what_is_no_move_is_refused(variant: str, text: str) -> None:
    with pytest.raises(meeple.UnreadableMove, match=f"rake:{variant}"):
        meeple.find_variant(f"rake:{variant}").parse_action(text)


def test_six_equal_dice_offer_the_most_and_there_is_room_for_them() -> None:
    state = roll(table(), "666 66 6")
    assert len(set(state.legal())) == len(state.legal()) == 63 + 27 + 1 <= state.variant.shape.max_legal
    state = hold(roll(table("official"), "555 55 5"), orange=1, brown=2, green=2)
    cross(finish(state, harvick=1), "harvick", 3, 4)
    assert len(set(state.legal())) == len(state.legal()) == 63 + 27 + 3 + 1 + 6 <= state.variant.shape.max_legal

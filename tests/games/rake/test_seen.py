"""Level `seen` by example, its thermometers read back, and what actions are made of."""

from __future__ import annotations

import numpy as np
import pytest

import meeple
from meeple.games.rake.components import BUMPS, GROUPS, NEWMAN, PROPERTY_NAMES
from tests.games.named import counts, features, hot, positions, row, seen
from tests.games.rake.positions import after_reroll, clock, cross, finish, hold, roll, table

GROUP_PLACES = [6 if number == NEWMAN else int(n) for number, n in enumerate(GROUPS)]


def names(places: list[float]) -> set[str]:
    return {PROPERTY_NAMES[i] for i in hot(places)}


def test_dice_are_told_one_by_one_and_by_colour_and_value() -> None:
    state = after_reroll(roll(table(), "466 33 5"))
    told = seen(state)
    assert hot(told["dice"]) == [3, 6 + 5, 12 + 5, 18 + 2, 24 + 2, 30 + 4]
    assert told["values"] == [0, 0, 0, round(1 / 3, 5), 0, round(2 / 3, 5), 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0]
    state.play("take o2 o3")
    state.play("section suarez")
    told = seen(state)
    assert told["free"] == [1, 0, 0, 1, 1, 1]
    assert told["values"][:6] == [0, 0, 0, round(1 / 3, 5), 0, 0]
    assert counts(told["combinations"], [2]) == [1]


def test_what_fits_is_told() -> None:
    """466 33 5: pairs of six for Suarez and of three for Earnhardt, 16 for Elliott (12 with two), the five for Newman."""
    told = seen(roll(table(), "466 33 5"))
    assert names(told["fits"]) == {"suarez", "earnhardt", "elliott", "newman"}
    assert names(told["fits_more"]) == {"elliott"}
    assert told["total"] == [round(16 / 18, 5)]
    assert names(told["taken_fits"]) == set()


def test_taken_dice_tell_where_they_fit() -> None:
    state = after_reroll(roll(table(), "466 33 5"))
    state.play("take o2 o3")
    told = seen(state)
    assert told["phase"] == [0, 0, 1, 0, 0]
    assert told["taken"] == [0, 1, 1, 0, 0, 0]
    assert names(told["taken_fits"]) == {"suarez", "elliott"}


def test_a_property_tells_what_it_pays_next_and_when() -> None:
    state = finish(cross(table(), "newman", 0, 4), busch=2, earnhardt=5)
    told = seen(state)
    pays = dict(zip(PROPERTY_NAMES, told["own_pays"], strict=True))
    wait = dict(zip(PROPERTY_NAMES, told["own_wait"], strict=True))
    assert (pays["busch"], wait["busch"]) == (8 / 25, round(1 / 3, 5))
    assert (pays["earnhardt"], wait["earnhardt"]) == (0, 0)
    assert (pays["hamlin"], wait["hamlin"]) == (18 / 25, 1)
    assert (pays["newman"], wait["newman"]) == (3 / 25, round(1 / 3, 5))
    assert pays["elliott"] == 18 / 25
    assert dict(zip(PROPERTY_NAMES, told["own_money"], strict=True))["earnhardt"] == 1
    assert told["own_score"] == [0.33]


def test_other_sheets_are_summed_up_from_the_own_side() -> None:
    state = hold(clock(finish(table("official-3"), seat=2, harvick=1), 0, 30, 12), seat=2, green=2)
    told = seen(state, seat=1)
    assert told["to_move"] == [0, 0, 1]
    assert told["own_time"] == [0.25]
    assert counts(told["own_last"], [12]) == [10]
    assert told["other1_time"] == [0.7]
    assert counts(told["other1_bumps"], BUMPS) == [0, 0, 2]
    assert counts(told["other1_groups"], GROUP_PLACES)[0] == 1
    assert told["other1_score"] == [0.06]  # 4 for the column, 2 for the bumps
    assert told["lead"] == [-6 / 50]
    assert "other1_leaves" not in told


@pytest.mark.parametrize("spec", ["rake:complete", "rake:simple", "rake:official-2"])
def test_thermometers_read_back_to_the_counts_of_the_state(spec: str) -> None:
    for state in positions(spec):
        s = state.data
        for seat in range(state.variant.shape.seats):
            told = seen(state, seat)
            groups = s.groups[seat].tolist()
            groups[NEWMAN] = int(s.leaves[seat, NEWMAN]).bit_count()
            assert counts(told["own_groups"], GROUP_PLACES) == groups
            assert counts(told["own_bumps"], BUMPS) == s.bumps[seat].tolist()
            assert counts(told["own_elliott"], [9]) == [max(0, s.elliott_best[seat] - 9)]
            assert sum(told["own_leaves"]) == sum(int(x).bit_count() for x in s.leaves[seat])
            assert [hot(told["dice"][6 * i : 6 * i + 6])[0] + 1 for i in range(6)] == s.dice.tolist()


@pytest.mark.parametrize("variant", ["complete", "deterministic", "simple", "official", "official-2", "official-3"])
def test_the_level_is_the_last_of_every_variant(variant: str) -> None:
    levels = meeple.find_variant(f"rake:{variant}").shape.levels
    assert levels[-1].name == "seen"
    assert not levels[-1].clairvoyant
    assert levels[0].name == "sheet"


def test_a_set_of_dice_is_its_dice_and_how_many_of_a_colour() -> None:
    found = row("rake:complete", "take o1 o3 b2")
    assert hot(found[:8].tolist()) == [1]
    assert not found[8:19].any()  # nothing is rerolled
    assert found[19:25].tolist() == [1, 0, 1, 0, 1, 0]
    assert counts(found[25:30].tolist(), [3, 2]) == [2, 1]


@pytest.mark.parametrize(("variant", "shape"), [("complete", (142, 45)), ("simple", (9, 10)), ("official", (163, 66))])
def test_no_two_actions_have_the_same_features(variant: str, shape: tuple[int, int]) -> None:
    found = features(f"rake:{variant}")
    assert found.shape == shape
    assert len(np.unique(found, axis=0)) == len(found)

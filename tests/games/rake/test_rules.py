"""Rules by example: a position, one move, a position. Each test's name is the rule's sentence."""

from __future__ import annotations

from collections import Counter

import pytest
from scipy.stats import chisquare

import meeple
from meeple.core.kernel import JIT
from tests.games.rake.positions import (
    after_reroll,
    bank,
    clock,
    cross,
    crossed,
    finish,
    finished,
    fits,
    hold,
    moves,
    offer_acorn,
    rake,
    roll,
    shown,
    table,
    times,
)

PAIRS = {"o1 o2", "o1 o3", "o2 o3"}

# ---- What the properties accept ----


@pytest.mark.parametrize(
    ("name", "dice", "accepted"),
    [
        ("harvick", "123 44 6", {"o1 o2 o3"}),
        ("harvick", "645 44 6", {"o1 o2 o3"}),  # in any order
        ("harvick", "124 33 3", set()),
        ("harvick", "223 11 1", set()),
        ("harvick", "561 44 4", set()),  # six is not followed by one
        ("elliott", "551 11 1", {"o1 o2", "o1 o2 o3"}),
        ("elliott", "466 11 1", {*PAIRS, "o1 o2 o3"}),
        ("elliott", "334 66 6", {"o1 o2 o3"}),
        ("elliott", "333 66 6", set()),
        ("busch", "123 14 6", {"o1 b1"}),
        ("busch", "233 33 6", {"o2 b1", "o2 b2", "o3 b1", "o3 b2"}),
        ("busch", "123 45 1", set()),
        ("newman", "123 45 6", {"g"}),
        ("johnson", "123 46 4", {"b1 g"}),
        ("johnson", "123 44 4", {"b1 g", "b2 g", "b1 b2 g"}),
        ("johnson", "444 55 4", set()),
        ("suarez", "311 55 5", {"o2 o3"}),
        ("suarez", "222 55 5", {*PAIRS, "o1 o2 o3"}),
        ("suarez", "123 11 1", set()),
        ("earnhardt", "123 55 6", {"b1 b2"}),
        ("earnhardt", "555 56 5", set()),
        ("patrick", "123 44 2", {"o2 g"}),
        ("patrick", "344 11 4", {"o2 g", "o3 g", "o2 o3 g"}),
        ("patrick", "444 11 4", {"o1 g", "o2 g", "o3 g", "o1 o2 g", "o1 o3 g", "o2 o3 g"}),
        ("patrick", "123 44 4", set()),
        ("hamlin", "133 53 3", {"o2 b2 g", "o3 b2 g"}),
        ("hamlin", "466 24 3", {"o1 b1 g"}),  # brown 2, green 3, orange 4
        ("hamlin", "222 44 3", set()),  # the other way round
        ("hamlin", "333 22 4", set()),
        ("hamlin", "222 11 6", set()),
        ("hamlin", "344 33 4", set()),
    ],
)
def test_a_property_accepts_its_combination_and_nothing_else(name: str, dice: str, accepted: set[str]) -> None:
    for variant in ("complete", "official-3"):
        assert fits(roll(table(variant), dice), name) == accepted


def test_only_dice_that_some_property_accepts_can_be_taken() -> None:
    state = roll(table(), "124 25 6")
    assert moves(state, "take") == ["take o2 b1", "take g"]
    finish(state, busch=6)
    assert moves(state, "take") == ["take g"]
    with pytest.raises(meeple.IllegalMove, match="take o2 b1"):
        state.play("take o2 b1")


def test_a_set_of_dice_may_fit_several_properties_and_is_offered_once() -> None:
    state = roll(table(), "551 36 4")
    assert moves(state, "take").count("take o1 o2") == 1
    state.play("take o1 o2")
    assert state.moves() == ["section elliott", "section suarez", "pass"]


def test_a_second_equal_die_is_taken_only_while_the_centre_leaf_of_the_row_is_empty() -> None:
    state = cross(roll(table("official"), "144 44 4"), "johnson", 12)
    cross(state, "patrick", 12)
    assert fits(state, "johnson") == {"b1 g", "b2 g"}
    assert fits(state, "patrick") == {"o2 g", "o3 g"}


def test_the_last_column_of_suarez_has_no_third_leaf() -> None:
    assert fits(finish(roll(table(), "222 55 5"), suarez=4), "suarez") == PAIRS


# ---- Which leaves are crossed, and what is paid ----

SIX_ROWS = [{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}, {10, 11}]
IN_ROWS = [
    ("harvick", "123 11 6", "o1 o2 o3", [{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {9, 10, 11}], [4, 10, 18, 26]),
    ("busch", "123 14 6", "o1 b1", SIX_ROWS, [0, 0, 8, 8, 8, 16]),
    ("johnson", "123 46 4", "b1 g", SIX_ROWS, [0, 0, 15, 15, 15, 25]),
    ("suarez", "115 44 6", "o1 o2", [{0, 1}, {3, 4}, {6, 7}, {9, 10}, {12, 13}], [0, 8, 15, 21, 26]),
    ("earnhardt", "123 44 6", "b1 b2", SIX_ROWS[:5], [0, 0, 18, 18, 30]),
    ("patrick", "345 22 3", "o1 g", SIX_ROWS, [0, 0, 12, 12, 12, 28]),
    ("hamlin", "413 26 3", "o1 b1 g", [{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {9, 10, 11}, {12, 13, 14}], [0, 0, 18, 18, 30]),
]


@pytest.mark.parametrize(("name", "dice", "taken", "leaves", "paid"), IN_ROWS)
def test_rows_and_columns_fill_in_order_and_pay_when_they_are_complete(
    name: str, dice: str, taken: str, leaves: list[set[int]], paid: list[int]
) -> None:
    state = table()
    done: set[int] = set()
    for group, (added, money) in enumerate(zip(leaves, paid, strict=True), 1):
        rake(roll(clock(state, 0), dice), taken, name)
        done |= added
        assert crossed(state, name) == done
        assert finished(state, name) == group
        assert state.scores() == [money]
        state.play("pass")
    assert fits(roll(state, dice), name) == set()  # full


@pytest.mark.parametrize(
    ("name", "dice", "taken", "thirds"),
    [
        ("johnson", "123 44 4", "b1 b2 g", [12, 13, 14]),
        ("suarez", "111 44 6", "o1 o2 o3", [2, 5, 8, 11]),
        ("patrick", "334 22 3", "o1 o2 g", [12, 13, 14]),
    ],
)
def test_a_further_equal_die_crosses_the_further_leaf_too(name: str, dice: str, taken: str, thirds: list[int]) -> None:
    state = table()
    for group, third in enumerate(thirds):
        rake(roll(clock(state, 0), dice), taken, name)
        assert finished(state, name) == group + 1
        assert third in crossed(state, name)
        state.play("pass")


def test_a_centre_missed_in_the_first_three_rows_may_be_had_in_the_last_three_and_only_once() -> None:
    state = finish(table(), johnson=3)
    cross(state, "johnson", 13)  # row 2 was done with a second brown die
    found = []
    for _ in range(3):
        roll(clock(state, 0), "123 44 4")
        dice = "b1 b2 g" if "b1 b2 g" in fits(state, "johnson") else "b1 g"
        rake(state, dice, "johnson")
        found.append((dice, crossed(state, "johnson") & {12, 13, 14}))
        state.play("pass")
    assert found == [("b1 b2 g", {12, 13}), ("b1 g", {12, 13}), ("b1 b2 g", {12, 13, 14})]


def test_a_third_leaf_of_suarez_left_empty_stays_empty() -> None:
    state = finish(roll(table(), "111 44 6"), suarez=1)
    rake(state, "o1 o2 o3", "suarez")
    assert crossed(state, "suarez") == {0, 1, 3, 4, 5}


def test_elliott_pays_the_highest_total_and_crosses_a_leaf_for_each_die() -> None:
    state = table()
    for dice, taken, best, leaves in (
        ("551 44 6", "o1 o2", 10, {0, 1}),
        ("666 44 1", "o1 o2 o3", 18, {0, 1, 3, 4, 5}),
        ("456 44 1", "o2 o3", 18, {0, 1, 3, 4, 5, 6, 7}),
    ):
        rake(roll(clock(state, 0), dice), taken, "elliott")
        assert state.scores() == [best]
        assert crossed(state, "elliott") == leaves
        state.play("pass")
    assert finished(state, "elliott") == 3
    assert fits(roll(state, "666 44 1"), "elliott") == set()


def test_newman_is_crossed_in_any_order_and_pays_by_the_number_of_leaves() -> None:
    state = table()
    done = set()
    for green, money in zip((4, 6, 1, 3, 2, 5), (1, 3, 6, 10, 15, 25), strict=True):
        roll(clock(state, 0), f"124 35 {green}")
        assert fits(state, "newman") == {"g"}
        rake(state, "g", "newman")
        done.add(green - 1)
        assert crossed(state, "newman") == done
        assert state.scores() == [money]
        state.play("pass")
        assert fits(roll(state, f"124 35 {green}"), "newman") == set()


def test_newmans_leaf_is_chosen_by_a_move_of_its_own_and_only_the_one_that_the_green_die_shows() -> None:
    state = roll(table(), "124 35 6")
    state.play("take g")
    state.play("section newman")
    assert state.moves() == ["leaf 6", "pass"]


# ---- Rerolling ----


def test_any_set_of_dice_may_be_rerolled_once() -> None:
    state = table()
    assert len(moves(state, "reroll")) == 63
    state.play("reroll o2 b1 g")
    assert moves(state, "reroll") == []
    assert set(moves(state, "take", "pass")) == set(state.moves())


def test_a_reroll_throws_the_dice_that_are_named_and_no_others() -> None:
    state = roll(table(), "123 45 6")
    state.play("reroll o2 g")
    s = state.data
    assert [int(s.dice[die]) for die in (0, 2, 3, 4)] == [1, 3, 4, 5]
    state = roll(table(), "111 11 1")
    seen = Counter[tuple[int, int]]()
    for seed in range(600 if JIT else 60):
        again = state.redealt(0, seed)
        again.play("reroll o2 g")
        seen[int(again.data.dice[1]), int(again.data.dice[5])] += 1
    assert chisquare([seen[a, b] for a in range(1, 7) for b in range(1, 7)]).pvalue > 1e-4


def test_nobody_rerolls_after_taking_dice() -> None:
    state = roll(table(), "123 44 6")
    rake(state, "b1 b2", "earnhardt")
    assert moves(state, "reroll") == []


# ---- Two combinations ----


def test_a_turn_has_up_to_two_combinations_of_different_dice() -> None:
    state = roll(table(), "123 44 6")
    rake(state, "o1 o2 o3", "harvick")
    assert shown(state) == "... 44 6"
    assert moves(state, "take") == ["take b1 b2", "take g"]
    rake(state, "g", "newman")
    assert (state.turn, times(state)) == (1, [6])
    assert len(moves(state, "reroll")) == 63  # all six dice are thrown anew
    assert state.data.combinations == 2


def test_both_combinations_may_go_to_one_property() -> None:
    state = roll(table(), "245 24 6")
    rake(state, "o1 b1", "busch")
    rake(state, "o2 b2", "busch")
    assert crossed(state, "busch") == {0, 1, 2, 3}
    state = finish(roll(table(), "551 44 6"), elliott=2)
    rake(state, "o1 o2", "elliott")
    assert fits(state, "elliott") == set()


def test_the_second_combination_meets_the_sheet_as_the_first_left_it() -> None:
    state = finish(roll(table(), "245 24 6"), busch=5)
    rake(state, "o1 b1", "busch")
    assert moves(state, "take") == ["take g"]  # Busch is full


# ---- Passing ----


def test_passing_ends_the_turn_in_every_phase_and_gives_up_dice_that_were_taken() -> None:
    for played in ([], ["reroll o1"], ["take g"], ["take g", "section newman"], ["take g", "section newman", "leaf 6"]):
        state = roll(table(), "124 35 6")
        for move in played:
            state.play(move)
        before = state.copy()
        assert "pass" in state.moves()
        state.play("pass")
        assert (state.turn, times(state)) == (1, [6])
        assert state.data.leaves.tolist() == before.data.leaves.tolist()
        assert state.data.taken == 0 and state.data.phase == 0


def test_where_nothing_fits_a_pass_has_to_be_played() -> None:
    state = after_reroll(cross(roll(table(), "124 35 6"), "newman", 5))
    assert state.moves() == ["pass"]


# ---- Time ----


def test_a_turn_takes_as_long_as_the_green_die_shows_used_or_not() -> None:
    state = roll(table(), "124 35 5")
    state.play("pass")
    assert times(state) == [5]
    roll(state, "124 35 2")
    rake(state, "g", "newman")
    state.play("pass")
    assert times(state) == [7]


def test_a_rerolled_green_die_counts_as_it_falls() -> None:
    state = roll(table(seed=3), "124 35 5")
    state.play("reroll g")
    fell = int(state.data.dice[5])
    assert fell != 5
    state.play("pass")
    assert times(state) == [fell]


def test_a_bumped_green_die_takes_longer() -> None:
    state = hold(roll(table("official"), "124 35 5"), green=1)
    state.play("bump g")
    state.play("pass")
    assert times(state) == [6]


@pytest.mark.parametrize(("variant", "limit"), [("complete", 40), ("deterministic", 40), ("simple", 60), ("official", 40)])
def test_the_turn_that_reaches_the_limit_is_the_last(variant: str, limit: int) -> None:
    for marked, green, over in ((limit - 4, 3, False), (limit - 4, 4, True), (limit - 1, 6, True)):
        state = clock(roll(table(variant), f"124 35 {green}"), marked)
        state.play("pass")
        assert state.over == over
        assert times(state) == [marked + green]  # not cut off
    assert state.end.reason == "time is up"
    assert state.outcome() == [0]  # alone there is nothing to win


@pytest.mark.parametrize("seats", [2, 3])
def test_all_have_equally_many_turns(seats: int) -> None:
    for first in range(seats):
        state = clock(table(f"official-{seats}"), *[39 if seat == first else 10 for seat in range(seats)])
        for seat in range(seats):
            assert state.seat == seat
            assert state.data.last_round == (seat > first)
            roll(state, "124 35 1").play("pass")
            assert state.over == (seat == seats - 1)
        assert state.turn == seats


def test_the_seats_take_turns_and_mark_their_own_time_and_leaves() -> None:
    state = table("official-3")
    for seat in (0, 1, 2):
        assert state.seat == seat
        rake(roll(state, f"124 35 {seat + 2}"), "g", "newman")
        state.play("pass")
    assert state.seat == 0
    assert times(state) == [2, 3, 4]
    assert [crossed(state, "newman", seat) for seat in range(3)] == [{1}, {2}, {3}]


# ---- Simple ----


def test_simple_asks_for_a_property_at_once_and_has_neither_elliott_nor_rerolls() -> None:
    state = roll(table("simple"), "551 26 4")
    assert state.moves() == ["newman", "suarez", "pass"]
    state.play("suarez")
    assert (state.turn, times(state)) == (1, [4])  # one property a turn
    assert crossed(state, "suarez") == {0, 1}


@pytest.mark.parametrize(
    ("name", "dice", "leaves", "then"),
    [
        ("johnson", "123 44 4", {0, 1, 12}, {2, 3, 13}),
        ("suarez", "222 44 5", {0, 1, 2}, {3, 4, 5}),
        ("patrick", "442 55 4", {0, 1, 12}, {2, 3, 13}),
        ("patrick", "444 55 4", {0, 1, 12}, {2, 3, 13}),
        ("johnson", "123 46 4", {0, 1}, {2, 3}),
        ("harvick", "312 44 6", {0, 1, 2}, {3, 4, 5}),
        ("hamlin", "444 44 4", {0, 1, 2}, {3, 4, 5}),
        ("newman", "123 45 6", {5}, set()),
    ],
)
def test_simple_uses_the_dice_that_cross_most_leaves(name: str, dice: str, leaves: set[int], then: set[int]) -> None:
    state = roll(table("simple"), dice)
    state.play(name)
    assert crossed(state, name) == leaves
    roll(state, dice)
    assert (name in state.moves()) == bool(then)
    if then:
        state.play(name)
        assert crossed(state, name) == leaves | then


def test_simple_leaves_a_second_die_alone_where_the_centre_is_crossed() -> None:
    state = cross(finish(roll(table("simple"), "123 44 4"), johnson=3), "johnson", 12)
    state.play("johnson")
    assert crossed(state, "johnson") == {0, 1, 2, 3, 4, 5, 6, 7, 12}


# ---- Bonuses in the variants of the thesis ----


@pytest.mark.parametrize("variant", ["complete", "deterministic", "simple"])
def test_bonuses_never_take_effect_in_the_variants_of_the_thesis(variant: str) -> None:
    for name, dice, taken, groups in (
        ("johnson", "123 44 4", "b1 b2 g", 0),  # a centre with a green acorn
        ("johnson", "123 44 4", "b1 b2 g", 1),  # a centre with money
        ("harvick", "123 44 6", "o1 o2 o3", 1),  # +1 brown
        ("suarez", "111 44 6", "o1 o2 o3", 0),  # money on the third leaf
    ):
        state = finish(roll(table(variant), dice), **{name: groups})
        if variant == "simple":
            state.play(name)
        else:
            rake(state, taken, name)
        assert bank(state) == {}
        assert state.data.acorns.sum() == 0
        assert not moves(state, "bump", "acorn")
        assert state.scores() == [10 if name == "harvick" else 0]  # money alone: printed bonuses and un-scored leaves are nothing


# ---- Bumps ----


@pytest.mark.parametrize(
    ("name", "dice", "taken", "groups", "colour"),
    [
        ("harvick", "123 44 6", "o1 o2 o3", 1, "brown"),
        ("suarez", "115 44 6", "o1 o2", 1, "green"),
        ("earnhardt", "123 44 6", "b1 b2", 2, "orange"),
        ("hamlin", "413 26 3", "o1 b1 g", 1, "green"),
        ("hamlin", "413 26 3", "o1 b1 g", 3, "brown"),
    ],
)
def test_a_leaf_with_a_bump_puts_it_into_the_bank_of_its_colour(name: str, dice: str, taken: str, groups: int, colour: str) -> None:
    state = finish(roll(table("official"), dice), **{name: groups})
    assert bank(state) == {}
    rake(state, taken, name)
    assert bank(state) == {colour: 1}


def test_a_bump_raises_a_die_of_its_colour_by_one_and_is_spent() -> None:
    state = hold(roll(table("official"), "124 35 2"), brown=1)
    assert moves(state, "bump") == ["bump b1", "bump b2"]
    state.play("bump b1")
    assert shown(state) == "124 45 2"
    assert bank(state) == {}
    assert moves(state, "bump") == []
    assert state.turn == 0 and len(moves(state, "reroll")) == 63  # before the reroll as well


def test_no_die_is_raised_above_six() -> None:
    state = hold(roll(table("official"), "166 56 6"), orange=1, brown=2, green=1)
    assert moves(state, "bump") == ["bump o1", "bump b1"]
    state.play("bump b1")
    assert moves(state, "bump") == ["bump o1"]


def test_several_bumps_may_raise_one_die() -> None:
    state = hold(roll(table("official"), "124 35 2"), green=2)
    state.play("bump g")
    state.play("bump g")
    assert shown(state) == "124 35 4"


def test_a_bumped_die_that_is_rerolled_has_lost_its_bump() -> None:
    state = hold(roll(table("official"), "124 35 2"), brown=1)
    state.play("bump b1")
    state.play("reroll b1")
    assert bank(state) == {}
    assert moves(state, "bump") == []


def test_bumps_are_used_before_dice_are_taken_and_between_the_combinations_but_not_on_used_dice() -> None:
    state = finish(hold(roll(table("official"), "124 44 2"), brown=1, orange=1, green=1), harvick=1)
    state.play("take b1 b2")
    assert moves(state, "bump") == []
    state.play("section earnhardt")
    assert moves(state, "bump") == ["bump o1", "bump o2", "bump o3", "bump g"]
    state.play("take g")
    state.play("section newman")
    assert moves(state, "bump") == []


def test_a_bump_earned_by_the_first_combination_may_serve_the_second() -> None:
    state = finish(roll(table("official"), "123 34 6"), harvick=1)
    assert moves(state, "bump") == []
    rake(state, "o1 o2 o3", "harvick")
    state.play("bump b1")
    rake(state, "b1 b2", "earnhardt")
    assert finished(state, "earnhardt") == 1


def test_each_player_has_a_bank_of_its_own() -> None:
    state = hold(roll(table("official-2"), "124 35 2"), seat=1, brown=1)
    assert moves(state, "bump") == []
    state.play("pass")
    assert moves(roll(state, "124 35 2"), "bump") == ["bump b1", "bump b2"]
    assert moves(table("complete"), "bump") == []


# ---- Acorns ----


@pytest.mark.parametrize(
    ("name", "dice", "taken", "groups", "colour"),
    [
        ("harvick", "123 44 6", "o1 o2 o3", 3, "green"),
        ("elliott", "466 44 5", "o1 o2 o3", 1, "orange"),
        ("elliott", "466 44 5", "o1 o2 o3", 2, "brown"),
        ("busch", "123 14 6", "o1 b1", 4, "brown"),
        ("johnson", "123 44 4", "b1 b2 g", 0, "green"),
        ("suarez", "111 44 6", "o1 o2 o3", 2, "brown"),
        ("suarez", "111 44 6", "o1 o2 o3", 3, "green"),
        ("earnhardt", "123 44 6", "b1 b2", 4, "orange"),
        ("patrick", "334 22 3", "o1 o2 g", 0, "orange"),
        ("hamlin", "413 26 3", "o1 b1 g", 4, "brown"),
    ],
)
def test_a_leaf_with_an_acorn_asks_at_once_for_a_leaf_of_its_colour(
    name: str, dice: str, taken: str, groups: int, colour: str
) -> None:
    state = finish(roll(table("official"), dice), **{name: groups})
    rake(state, taken, name)
    assert set(moves(state, "acorn")) == set(state.moves())  # it must be placed: there is no passing
    asked = state.view(0)["acorns"]
    assert asked == {colour: 1}


@pytest.mark.parametrize(
    ("colour", "offered"),
    [
        ("orange", {"harvick": 0, "elliott": 0, "busch": 1, "suarez": 0, "patrick": 1, "hamlin": 0}),
        ("brown", {"busch": 0, "johnson": 1, "earnhardt": 0, "hamlin": 2}),
        ("green", {"johnson": 0, "patrick": 0, "hamlin": 1}),
    ],
)
def test_an_acorn_crosses_the_next_leaf_of_its_colour_at_a_property_of_choice(colour: str, offered: dict[str, int]) -> None:
    state = offer_acorn(table("official"), colour)
    names = [move.removeprefix("acorn ") for move in state.moves() if "newman" not in move]
    assert names == list(offered)
    for name, leaf in offered.items():
        after = state.copy()
        after.play(f"acorn {name}")
        assert crossed(after, name) == {leaf}
        assert finished(after, name) == 0
        assert after.data.phase == 1 and after.turn == 0  # the second combination is next


def test_a_green_acorn_may_cross_any_free_leaf_of_newman() -> None:
    state = cross(offer_acorn(table("official"), "green"), "newman", 0, 3)
    assert [move for move in state.moves() if "newman" in move] == [f"acorn newman {leaf}" for leaf in (2, 3, 5, 6)]
    state.play("acorn newman 5")
    assert crossed(state, "newman") == {0, 3, 4}
    assert state.scores() == [6]
    assert fits(roll(state, "124 35 5"), "newman") == set()
    assert "acorn newman 1" not in offer_acorn(table("official"), "orange").moves()


def test_empty_leaves_of_rows_and_columns_already_raked_are_not_available() -> None:
    state = offer_acorn(finish(table("official"), suarez=5, elliott=3, patrick=6), "orange")
    assert [move for move in state.moves() if move.split()[1] in ("suarez", "elliott", "patrick")] == []


def test_an_acorn_takes_the_needed_leaf_before_the_centre_and_the_centre_of_the_present_row_only() -> None:
    state = offer_acorn(table("official"), "brown")
    state.play("acorn johnson")
    assert crossed(state, "johnson") == {1}
    offer_acorn(state, "brown").play("acorn johnson")
    assert crossed(state, "johnson") == {1, 12}
    assert state.view(0)["acorns"] == {"green": 1}  # the centre's own bonus
    state.play("acorn hamlin")
    assert "acorn johnson" not in offer_acorn(state, "brown").moves()  # the row has no empty brown leaf


def test_the_third_leaf_of_suarez_and_elliott_is_never_reached_by_acorns() -> None:
    for name in ("suarez", "elliott"):
        state = table("official")
        for leaf in (0, 1, 3):
            offer_acorn(state, "orange").play(f"acorn {name}")
            assert max(crossed(state, name)) == leaf
        assert finished(state, name) == 1


def test_an_acorn_may_finish_a_group_and_its_money_is_paid() -> None:
    state = offer_acorn(cross(finish(table("official"), earnhardt=2), "earnhardt", 4), "brown")
    state.play("acorn earnhardt")
    assert finished(state, "earnhardt") == 3
    assert state.scores() == [18]


def test_a_bump_crossed_by_an_acorn_is_earned() -> None:
    state = offer_acorn(finish(table("official"), suarez=1), "orange")
    state.play("acorn suarez")
    assert bank(state) == {"green": 1}


def test_acorns_may_follow_from_acorns() -> None:
    state = finish(roll(table("official"), "334 22 3"), harvick=3, busch=4)
    rake(state, "o1 o2 g", "patrick")  # its centre: an orange acorn
    state.play("acorn harvick")  # the first leaf of column 4: a green acorn
    assert state.view(0)["acorns"] == {"green": 1}
    state.play("acorn newman 6")
    assert state.view(0)["phase"] == "take"
    cross(state, "busch", 8)
    offer_acorn(state, "orange").play("acorn busch")  # finishes row 5: a brown acorn
    assert (finished(state, "busch"), state.view(0)["acorns"]) == (5, {"brown": 1})


def test_the_acorn_of_the_second_combination_is_placed_before_the_turn_ends() -> None:
    state = roll(table("official-2"), "123 44 4")
    rake(state, "o1 o2 o3", "harvick")
    rake(state, "b1 b2 g", "johnson")
    assert (state.seat, state.turn) == (0, 0)
    state.play("acorn johnson")
    assert (state.seat, state.turn, times(state)) == (1, 1, [4, 0])
    assert crossed(state, "johnson") == {0, 1, 2, 12}


def test_an_acorn_that_can_cross_nothing_is_lost() -> None:
    state = finish(roll(table("official"), "123 44 6"), harvick=3, johnson=6, patrick=6, hamlin=5)
    cross(state, "newman", 0, 1, 2, 3, 4)
    one_left = state.copy()
    cross(state, "newman", 5)
    rake(state, "o1 o2 o3", "harvick")
    assert state.data.acorns.sum() == 0
    assert state.moves() == ["take b1 b2", "pass"]
    rake(one_left, "o1 o2 o3", "harvick")
    assert one_left.moves() == ["acorn newman 6"]


def test_an_acorn_of_the_last_turn_is_placed_before_the_game_ends() -> None:
    state = clock(finish(roll(table("official"), "123 14 4"), busch=4), 39)
    rake(state, "o1 b1", "busch")
    assert not state.over
    state.play("acorn earnhardt")
    state.play("pass")
    assert state.over


# ---- Groups that acorns have begun ----


@pytest.mark.parametrize(
    ("name", "leaves", "dice", "accepted"),
    [
        ("harvick", [0], "135 44 6", {"o1 o2", "o2 o3"}),  # two of a run of three
        ("harvick", [0], "233 44 6", {"o1 o2", "o1 o3"}),
        ("harvick", [0], "333 44 6", set()),
        ("harvick", [0], "163 44 6", {"o1 o3"}),
        ("harvick", [0, 1], "116 44 6", {"o1", "o2", "o3"}),
        ("elliott", [0], "556 44 1", PAIRS),  # the third leaf gives room for a second die
        ("elliott", [0], "541 44 1", set()),
        ("busch", [0], "124 33 6", {"o1", "o2", "o3"}),
        ("busch", [1], "124 35 6", {"b1", "b2"}),
        ("johnson", [0], "124 35 6", {"b1", "b2"}),
        ("johnson", [0], "124 33 6", {"b1", "b2", "b1 b2"}),
        ("johnson", [1], "124 35 6", {"g"}),
        ("johnson", [1], "124 35 5", {"g", "b2 g"}),
        ("johnson", [1, 12], "124 35 5", {"g"}),
        ("suarez", [0], "122 35 6", {"o1", "o2", "o3", "o2 o3"}),
        ("earnhardt", [0], "124 35 6", {"b1", "b2"}),
        ("patrick", [0], "114 35 6", {"o1", "o2", "o3", "o1 o2"}),
        ("patrick", [1], "114 35 1", {"g", "o1 g", "o2 g"}),
        ("patrick", [1, 12], "114 35 1", {"g"}),
        ("hamlin", [0], "666 32 3", {"b1 g", "b2 g"}),
        ("hamlin", [0], "666 54 6", set()),  # an orange seven would be needed
        ("hamlin", [1], "456 43 1", {"o1 b1", "o3 b1", "o2 b2"}),
        ("hamlin", [2], "345 66 3", {"o1 g", "o2 g"}),
        ("hamlin", [2], "222 66 1", set()),  # a brown zero would be needed
        ("hamlin", [0, 1], "124 35 6", {"b1", "b2"}),
        ("hamlin", [1, 2], "124 35 6", {"o1", "o2", "o3"}),
        ("hamlin", [0, 2], "124 35 6", {"g"}),
    ],
)
def test_a_leaf_crossed_by_an_acorn_needs_no_die_and_stands_for_any_value(
    name: str, leaves: list[int], dice: str, accepted: set[str]
) -> None:
    state = cross(roll(table("official"), dice), name, *leaves)
    assert fits(state, name) == accepted
    for taken in accepted:
        after = state.copy()
        rake(after, taken, name)
        assert finished(after, name) == 1
        assert len(crossed(after, name)) == len(leaves) + len(taken.split())


def test_two_dice_cross_the_second_and_third_leaf_of_an_elliott_row_that_an_acorn_began() -> None:
    state = cross(roll(finish(table("official"), elliott=1), "556 44 1"), "elliott", 3)
    rake(state, "o1 o2", "elliott")
    assert crossed(state, "elliott") == {0, 1, 3, 4, 5}
    assert state.view(0)["acorns"] == {"orange": 1}
    assert state.data.elliott_best[0] == 10


def test_an_elliott_row_that_acorns_finish_has_no_total() -> None:
    state = offer_acorn(cross(table("official"), "elliott", 0), "orange")
    state.play("acorn elliott")
    assert finished(state, "elliott") == 1
    assert state.scores() == [0]


# ---- The official score ----


def test_money_printed_on_leaves_is_paid() -> None:
    state = table("official")
    for name, leaf, money in (("johnson", 13, 5), ("johnson", 14, 5), ("patrick", 13, 2), ("patrick", 14, 3)):
        assert cross(table("official"), name, leaf).scores() == [money]
        cross(state, name, leaf)
    assert state.scores() == [15]
    state = roll(table("official"), "222 44 6")
    rake(state, "o1 o2 o3", "suarez")
    assert state.scores() == [2]
    state.play("pass")
    rake(roll(state, "222 44 6"), "o1 o2 o3", "suarez")
    assert state.scores() == [2 + 8 + 3 + 1]  # and the +1 that is not used


def test_each_unused_bump_is_worth_one() -> None:
    state = hold(table("official"), brown=2, green=1)
    assert state.scores() == [3]
    roll(state, "124 35 2").play("bump b1")
    assert state.scores() == [2]


@pytest.mark.parametrize(
    ("groups", "leaves", "score"),
    [
        ({"busch": 2}, {}, 4),
        ({"busch": 3}, {}, 8),
        ({"busch": 4}, {}, 8 + 2),
        ({"earnhardt": 4}, {}, 18 + 2),
        ({"hamlin": 1}, {}, 3),
        ({"harvick": 1}, {"harvick": [3]}, 4 + 1),  # a leaf of a column that is not finished
        ({"suarez": 1}, {}, 0),  # a finished column has scored, be it nothing
        ({"suarez": 1}, {"suarez": [3, 2]}, 2 + 1),
        ({"suarez": 3}, {"suarez": [8]}, 15),  # the third leaf goes with its column
        ({"johnson": 1}, {"johnson": [12]}, 3),
        ({"johnson": 3}, {"johnson": [12]}, 15 + 1),  # a centre belongs to no row: with an acorn it stays un-scored
        ({"patrick": 6}, {"patrick": [12]}, 28 + 1),
        ({"johnson": 3}, {"johnson": [13]}, 15 + 5),
        ({}, {"newman": [0, 4]}, 3),  # every leaf of Newman has scored
        ({}, {"elliott": [0]}, 1),
        ({"elliott": 2}, {"elliott": [2, 5]}, 0),  # each finished row may hold the highest total
    ],
)
def test_each_leaf_that_brought_no_money_is_worth_one(groups: dict[str, int], leaves: dict[str, list[int]], score: int) -> None:
    state = finish(table("official"), **groups)
    for name, several in leaves.items():
        cross(state, name, *several)
    assert state.scores() == [score]


def last_turn(seats: int) -> meeple.State:
    """Everybody's time is up but for the last seat's."""
    state = table(f"official-{seats}")
    state.data.seat = state.data.turn = seats - 1
    state.data.last_round = 1
    return roll(clock(state, *[40] * (seats - 1), 39), "124 35 1")


@pytest.mark.parametrize(
    ("sheets", "outcome"),
    [
        ([{"busch": 3}, {"earnhardt": 3}], [0, 1]),
        ([{"busch": 3, "harvick": 1}, {"busch": 3}], [1, 0]),
        ([{"harvick": 1}, {"busch": 2}], [1, 0]),  # four each, but four of them are un-scored leaves
        ([{"busch": 2}, {"harvick": 1}], [0, 1]),
        ([{"busch": 3}, {"busch": 3}], [0.5, 0.5]),
        ([{}, {}, {}], [1 / 3, 1 / 3, 1 / 3]),
        ([{"harvick": 1}, {"harvick": 1}, {"busch": 2}], [0.5, 0.5, 0]),
        ([{}, {"harvick": 1}, {"harvick": 2}], [0, 0, 1]),
    ],
)
def test_most_money_wins_then_fewest_unscored_leaves_then_the_win_is_shared(
    sheets: list[dict[str, int]], outcome: list[float]
) -> None:
    state = last_turn(len(sheets))
    for seat, groups in enumerate(sheets):
        finish(state, seat, **groups)
    state.play("pass")
    assert state.over
    assert state.outcome() == pytest.approx(outcome)


# ---- Deterministic ----


def test_the_dice_of_deterministic_fall_alike_in_every_game() -> None:
    games = [table("deterministic", seed) for seed in (0, 1, 2**64 - 1)]
    for move in ("pass", "reroll o1 b2", "pass", "reroll g", "pass"):
        for state in games:
            state.play(move)
        assert len({shown(state) for state in games}) == 1
    assert shown(table("deterministic", 7)) == shown(table("complete", 0))
    assert len({shown(table("complete", seed)) for seed in range(5)}) == 5

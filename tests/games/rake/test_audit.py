"""The audit finds what it is there to find."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import meeple
from meeple.games.rake.components import BUSCH, ELLIOTT, HARVICK, JOHNSON, NEWMAN
from meeple.games.rake.knowledge import INVARIANTS, audit
from tests.games.rake.positions import clock, cross, finish, hold, table

IN_ORDER, CLOCK, DICE, TURNS, BONUSES, TOTAL = INVARIANTS


def skip_column(s: Any) -> None:
    s.leaves[0, HARVICK] = 0b111000


def count_too_much(s: Any) -> None:
    s.groups[0, BUSCH] = 1


def forget_to_count(s: Any) -> None:
    s.leaves[0, BUSCH] = 0b11


def cross_half(s: Any) -> None:
    s.leaves[0, BUSCH] = 0b01


def cross_far_centre(s: Any) -> None:
    s.leaves[0, JOHNSON] = 1 << 14


def count_newman(s: Any) -> None:
    s.groups[0, NEWMAN] = 1


def run_backwards(s: Any) -> None:
    s.time[0] = -1


def overlook_the_end(s: Any) -> None:
    s.time[0] = s.time_limit


def run_on(s: Any) -> None:
    s.time[0] = s.time_limit + 6
    s.last_round = 1


def roll_seven(s: Any) -> None:
    s.dice[3] = 7


def roll_nothing(s: Any) -> None:
    s.dice[5] = 0


def use_twice(s: Any) -> None:
    s.free, s.taken = 0b111110, 0b000001


def invent_die(s: Any) -> None:
    s.free = 64


def skip_turn(s: Any) -> None:
    s.turn += 1


def earn_nothing(s: Any) -> None:
    s.bumps[0, 0] = 1


def overdraw(s: Any) -> None:
    s.bumps[0, 2] = -1


def owe_acorn(s: Any) -> None:
    s.acorns[1] = -1


def write_nine(s: Any) -> None:
    s.elliott_best[0] = 9


def write_nineteen(s: Any) -> None:
    s.elliott_best[0] = 19


DAMAGE = [
    (skip_column, IN_ORDER),
    (count_too_much, IN_ORDER),
    (forget_to_count, IN_ORDER),
    (cross_far_centre, IN_ORDER),
    (count_newman, IN_ORDER),
    (run_backwards, CLOCK),
    (overlook_the_end, CLOCK),
    (run_on, CLOCK),
    (roll_seven, DICE),
    (roll_nothing, DICE),
    (use_twice, DICE),
    (invent_die, DICE),
    (earn_nothing, BONUSES),
    (overdraw, BONUSES),
    (owe_acorn, BONUSES),
    (write_nine, TOTAL),
    (write_nineteen, TOTAL),
]


def broken(state: meeple.State) -> str:
    """The invariant that the audit finds broken."""
    found = audit(state.data)
    return INVARIANTS[found - 1] if found else ""


@pytest.mark.parametrize("variant", ["complete", "simple", "official", "official-3"])
@pytest.mark.parametrize(("damage", "invariant"), DAMAGE)
def test_damage_is_found(damage: Callable[[Any], None], invariant: str, variant: str) -> None:
    state = table(variant)
    assert broken(state) == ""
    damage(state.data)
    assert broken(state) == invariant


def test_damage_of_another_seats_sheet_is_found() -> None:
    for seat in (1, 2):
        state = finish(table("official-3"), seat, busch=2)
        assert broken(state) == ""
        state.data.groups[seat, BUSCH] = 3
        assert broken(state) == IN_ORDER


def test_half_filled_groups_are_right_only_where_there_are_acorns() -> None:
    for variant, found in (("complete", IN_ORDER), ("simple", IN_ORDER), ("official", "")):
        state = table(variant)
        cross_half(state.data)
        assert broken(state) == found


def test_bonuses_are_right_only_in_the_official_game_and_where_their_leaf_is_crossed() -> None:
    for variant, found in (("complete", BONUSES), ("simple", BONUSES), ("official", "")):
        state = hold(finish(table(variant), harvick=2), brown=1)
        assert broken(state) == found
        state = table(variant)
        state.data.acorns[0] = 1
        assert broken(state) == found
    state = hold(finish(table("official"), harvick=2), brown=2)
    assert broken(state) == BONUSES


def test_the_seats_take_turns_and_the_last_round_is_finished() -> None:
    state = table("official-2")
    skip_turn(state.data)
    assert broken(state) == TURNS
    state.data.seat = 1
    assert broken(state) == ""
    clock(state, 40, 10)
    state.data.last_round = 1
    assert broken(state) == ""
    state.data.end = 1
    assert broken(state) == TURNS


def test_further_leaves_may_be_crossed_or_not() -> None:
    state = cross(finish(table(), suarez=2, johnson=2, elliott=1), "suarez", 2)
    cross(cross(state, "johnson", 13), "elliott", 2)
    state.data.elliott_best[0] = 10
    assert broken(state) == ""
    state.data.leaves[0, ELLIOTT] |= 1 << 8
    assert broken(state) == IN_ORDER

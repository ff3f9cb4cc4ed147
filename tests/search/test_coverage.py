"""How honest intervals are, on games so small that the truth is known: of 200 searches, how many have it in their interval?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import meeple
from meeple.core.state import State
from meeple.search.analysis import MoveValue, analysis_of
from tests.search.conftest import a_search

SEARCHES = 200
PLAIN: dict[str, Any] = {"select": "ucb1", "cut": -1, "playouts": 1, "policy": "random", "c": 0.7}
POT = 5  # that a player has who may roll once more


def look(variant: Any, prepare: Callable[[State], None] = lambda _: None, **settings: Any) -> list[list[MoveValue]]:
    """So many searches of the same position, each with luck of its own; moves in the order of their actions."""
    search = a_search(variant, **{**PLAIN, **settings})
    found = []
    for seed in range(SEARCHES):
        state = meeple.new(variant, seed)
        prepare(state)
        search.set_root(state.redealt(0, seed).array)
        search.run(early=False)
        found.append(sorted(analysis_of(search).moves, key=lambda move: move.action))
    return found


def last_roll(state: State) -> None:
    state.array["pot"], state.array["rolls"] = POT, 3


def coverage(found: list[list[MoveValue]], action: int, truth: float) -> float:
    """Share of the searches that give an interval which contains the truth."""
    intervals = [interval for moves in found if (interval := moves[action].interval)]
    assert len(intervals) > SEARCHES / 10
    return sum(low <= truth <= high for low, high in intervals) / len(intervals)


@pytest.mark.parametrize("iterations", [60, 300])
def test_the_truth_lies_in_nine_intervals_of_ten(tiny: Any, iterations: int) -> None:
    named = look(tiny("guess"), iterations=iterations)
    assert all(coverage(named, action, 0.5) >= 0.9 for action in (0, 1))
    rolled = look(tiny("pot"), last_roll, iterations=iterations)
    assert coverage(rolled, 0, (3 * POT + 2 + 3 + 4) / 4) >= 0.9


@pytest.mark.parametrize("iterations", [100, 300, 1000])
def test_where_decisions_follow_whole_searches_agree_within_their_intervals(tiny: Any, iterations: int) -> None:
    # In a solitaire of points, where a search follows rare large gains, whole searches agree less (measured: 81% to 92%).
    for name, action, least in (("nim", 1, 0.9), ("pot", 0, 0.75)):
        found = look(tiny(name), iterations=iterations)
        values = [(moves[action].value or 0.0, moves[action].visits) for moves in found]
        mean = sum(value * visits for value, visits in values) / sum(visits for _, visits in values)
        assert coverage(found, action, mean) >= least


def test_only_what_ends_the_game_for_sure_has_an_interval_without_width(tiny: Any) -> None:
    for moves in look(tiny("pot"), last_roll, iterations=60):
        roll, stop = (move.interval for move in moves)
        assert stop == (POT, POT)
        assert roll is None or roll[0] < roll[1]
    for moves in look(tiny("nim"), lambda state: state.array.__setitem__("sticks", 3), iterations=60):
        assert moves[2].interval == (1.0, 1.0)
    for moves in look(tiny("guess"), iterations=60):  # ends soon, but the card is hidden
        assert all(move.interval is None or move.interval[0] < move.interval[1] for move in moves)


def test_two_visits_give_no_interval(tiny: Any) -> None:
    for moves in look(tiny("nim"), iterations=8):
        assert all(move.interval is None for move in moves)


def test_what_a_guide_says_is_an_estimate_without_an_interval(tiny: Any) -> None:
    for cut, estimated in ((0, True), (-1, False)):
        search = a_search(tiny("nim"), **PLAIN | {"select": "puct", "cut": cut}, iterations=100)
        search.set_root(meeple.new(tiny("nim"), 1).array)
        search.run(early=False)
        found = analysis_of(search)
        assert found.estimated is found.as_json()["estimated"] is estimated
        assert any(move.interval for move in found.moves) is not estimated

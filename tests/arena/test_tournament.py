"""Tournaments of any number of seats, and their ratings by hand."""

from __future__ import annotations

from math import log
from pathlib import Path

import numpy as np
import pytest

from meeple.arena.ratings import PER_UNIT, Wins, fit, fit_tables
from meeple.arena.store import Store
from meeple.arena.tournament import plan_tournament, play_tournament
from meeple.core.errors import MeepleError


@pytest.mark.xdist_group("rake")
def test_alone_all_agents_play_the_same_deals_and_the_best_score_is_first() -> None:
    plans = plan_tournament("rake:simple", ["random", "random-nopass"], 40, 1)
    assert [(plan.specs, plan.games) for plan in plans] == [(["random", "random-nopass"], 80)]
    result = play_tournament(plans, Store(None))
    assert result["measure"] == "score"
    assert [row["agent"] for row in result["ratings"]] == ["random-nopass", "random"]
    best = result["ratings"][0]
    assert best["ci"][0] < best["score"] == result["matches"][0]["scores"][1] < best["ci"][1]
    assert result["first_seat"] is None


@pytest.mark.xdist_group("splendor")
def test_of_three_seats_every_three_agents_play_and_the_strongest_is_first() -> None:
    plans = plan_tournament("splendor:3", ["random", "greedy", "heuristic", "random-kinds"], 12, 1)
    assert len(plans) == 4
    assert plans[0].seatings.tolist() == [[0, 1, 2], [1, 2, 0], [2, 0, 1]]
    result = play_tournament(plans, Store(None))
    assert result["games"] == 48
    assert [row["agent"] for row in result["ratings"]][:2] == ["heuristic", "greedy"]
    assert result["first_seat"]["ci"][0] < result["first_seat"]["elo"] < result["first_seat"]["ci"][1]


def test_too_few_agents_for_the_seats_is_one_sentence() -> None:
    with pytest.raises(MeepleError, match=r"splendor:3 has 3 seats, so a tournament needs at least 3 agents, not 2\."):
        plan_tournament("splendor:3", ["random", "greedy"], 12, 1)


def test_of_three_seats_by_hand() -> None:
    """Whoever sits where, a wins 2 of 4 and the others 1 of 4 each: a is stronger by the odds of 2 to 1."""
    wins: Wins = {(0, 1, 2): np.array([50.0, 25, 25]), (1, 2, 0): np.array([25.0, 25, 50]), (2, 0, 1): np.array([25.0, 50, 25])}
    ratings = fit_tables(("a", "b", "c"), wins, 3, prior=0)
    assert ratings.elo[0] - ratings.elo[1] == pytest.approx(PER_UNIT * log(2), abs=0.01)
    assert ratings.elo[1] == pytest.approx(ratings.elo[2], abs=1e-6)
    assert ratings.first == pytest.approx(0, abs=1e-6)


def test_the_first_of_three_seats_by_hand() -> None:
    """Equal agents; the first seat wins 2 of 4, so it is worth the odds of 2 to 1 beyond each other."""
    wins: Wins = {table: np.array([50.0, 25, 25]) for table in ((0, 1, 2), (1, 2, 0), (2, 0, 1))}
    ratings = fit_tables(("a", "b", "c"), wins, 3, prior=0)
    assert ratings.elo == pytest.approx([0, 0, 0], abs=1e-6)
    assert ratings.first == pytest.approx(PER_UNIT * log(2), abs=0.01)


def test_two_seats_are_the_model_of_bradley_and_terry() -> None:
    first, second = np.array([[0, 60.0], [20, 0]]), np.array([[0, 20.0], [60, 0]])
    pair: Wins = {(0, 1): np.array([60.0, 20]), (1, 0): np.array([20.0, 60])}
    assert fit(("a", "b"), first, second).elo == pytest.approx(fit_tables(("a", "b"), pair, 2).elo)


def test_a_tournament_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    plans = plan_tournament("jaipur:round", ["random", "basic1", "basic3"], 8, 1)
    store = Store(tmp_path / "r.sqlite")

    class Enough(Exception):
        pass

    def stop(_: int, seen: list[int] = []) -> None:  # noqa: B006
        seen.append(1)
        if len(seen) == 5:
            raise Enough

    with pytest.raises(Enough):
        play_tournament(plans, store, tick=stop)
    result = play_tournament(plans, store)
    assert len(store.matches()) == 3
    whole = play_tournament(plan_tournament("jaipur:round", ["random", "basic1", "basic3"], 8, 1), Store(None))
    assert result["ratings"] == whole["ratings"]

"""Luck taken out of a match: the same expectation, less noise."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import meeple
from meeple.arena.luck import Meter, without_luck
from meeple.arena.match import play_match
from meeple.arena.plan import Plan, make_plan
from meeple.arena.store import Store
from meeple.core.errors import MeepleError

TINY = Path(__file__).parent.parent / "search" / "tiny"
MOST_ROLLS, SIDES = 4, 4


def played(tmp_path: Path, plan: Plan) -> tuple[Store, int]:
    store = Store(tmp_path / "r.sqlite")
    return store, play_match(plan, store)["match"]


def pot_of_random(pot: int = 0, rolls: int = 0) -> float:
    """What a random player of `pot` scores on average: it stops or rolls with equal chances."""
    if rolls == MOST_ROLLS:
        return pot
    return pot / 2 + sum(pot_of_random(pot + die, rolls + 1) for die in range(2, SIDES + 1)) / SIDES / 2


def test_the_expectation_stays_and_the_interval_shrinks_though_the_guide_is_wrong(tmp_path: Path) -> None:
    """The guide takes a pot for what it is worth now, which is wrong for who goes on rolling."""
    plan = make_plan(f"{TINY}:pot", ["random"], 1000, 5)
    store, match = played(tmp_path, plan)
    found = without_luck(Meter(plan.variant), plan, store, match)
    raw = np.array([game.scores[0] for game in store.games(match)])
    low, high = found["ci"][0]
    error, raw_error = (high - low) / 3.92, raw.std() / len(raw) ** 0.5
    assert abs(found["means"][0] - pot_of_random()) < 4 * error
    assert error < 0.75 * raw_error


def test_two_agents_of_a_game_for_one_are_compared_deal_by_deal(tmp_path: Path) -> None:
    plan = make_plan(f"{TINY}:pot", ["random", "random"], 40, 5)
    store, match = played(tmp_path, plan)
    found = without_luck(Meter(plan.variant), plan, store, match)
    assert found["unit"] == "points"
    assert found["behind"][0] == 0.0
    assert found["behind"][1] == pytest.approx(found["means"][0] - found["means"][1])


def test_games_beyond_a_decision_do_not_count(tmp_path: Path) -> None:
    plan = make_plan(f"{TINY}:pot", ["random", "random"], 40, 5)
    store, match = played(tmp_path, plan)
    found = without_luck(Meter(plan.variant), plan, store, match, games=20)
    store, match = played(tmp_path / "short", replace(plan, games=20))
    assert found == without_luck(Meter(plan.variant), plan, store, match)
    assert found["games"] == 20


def test_what_deals_are_compared_with_is_only_known_so_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of fewer deals it is known less well, and so is every mean; but not the difference of two."""
    plan = make_plan("rake:simple", ["random", "beginner"], 80, 5)
    store, match = played(tmp_path, plan)
    meter = Meter(plan.variant)
    sure = without_luck(meter, plan, store, match)
    monkeypatch.setattr("meeple.arena.luck.OPENINGS", 4)
    unsure = without_luck(meter, plan, store, match)
    for agent in (0, 1):
        spread, less = (low_high[1] - low_high[0] for low_high in (unsure["ci"][agent], sure["ci"][agent]))
        assert spread > less
    assert unsure["behind_ci"] == [pytest.approx(pair) for pair in sure["behind_ci"]]


def test_luck_of_jaipur_is_one_seats_gain_and_the_others_loss_and_zero_on_average(tmp_path: Path) -> None:
    plan = make_plan("jaipur:round", ["greedy", "greedy"], 300, 7)
    store, match = played(tmp_path, plan)
    meter, games = Meter(plan.variant), store.games(match)
    luck = np.array([meter.of_game(game) for game in games])
    assert luck[:, 0] == pytest.approx(-luck[:, 1], abs=1e-6)
    assert abs(luck[:, 0].mean()) < 4 * luck[:, 0].std() / len(games) ** 0.5
    assert luck[:, 0].std() > 0.1
    shares = np.array([game.outcome[0] for game in games])
    assert (shares - luck[:, 0]).std() < shares.std()
    found = without_luck(meter, plan, store, match)
    assert sum(found["means"]) == pytest.approx(1)
    assert found["games"] == 300


def test_a_game_that_cannot_deal_its_luck_again_says_so() -> None:
    game = replace(meeple.find_game("jaipur"), reshuffle=None)
    with pytest.raises(MeepleError, match="cannot be measured: jaipur has not a reshuffle"):
        Meter(game.variant("round"))

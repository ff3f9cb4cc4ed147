"""The ladder: planned, climbed, taken up again, and its Elo by hand."""

from __future__ import annotations

from math import sqrt
from pathlib import Path
from typing import Any

import pytest

from meeple.arena.match import play_match
from meeple.arena.stats import elo
from meeple.arena.store import Store
from meeple.cli.ladder import verdict
from meeple.core.errors import MeepleError
from meeple.core.intervals import quantile
from meeple.lab import ladder
from meeple.lab.ladder import _each_against_the_one_below, climb, draw, elo_step, judge, plan_ladder

pytestmark = pytest.mark.xdist_group("rake")
PLAIN = "mcts:select=ucb1,cut=-1,playouts=1,policy=random"


def test_a_game_for_one_has_a_score_at_every_rung_and_steps_on_the_same_deals(tmp_path: Path) -> None:
    planned = plan_ladder("rake:simple", PLAIN, "iterations", 2, 3, games=8, seed=1)
    store = Store(tmp_path / "results.sqlite")
    result = climb(planned, store)
    assert [rung["budget"] for rung in result["rungs"]] == [2, 4, 8]
    assert result["measure"] == "score"
    assert {name: result[name] for name in ("monotonic", "rises")} == judge(result["rungs"])
    scores = [[game.scores[0] for game in store.games(rung["match"])] for rung in result["rungs"]]
    seeds = [[game.seed for game in store.games(rung["match"])] for rung in result["rungs"]]
    assert seeds[0] == seeds[1] == seeds[2]
    for low, high, rung in zip(scores, scores[1:], result["rungs"][1:], strict=False):
        assert rung["step"] == pytest.approx((sum(high) - sum(low)) / 8)
        assert rung["value"] == pytest.approx(sum(high) / 8)
    draw(result, tmp_path / "ladder.png")
    assert (tmp_path / "ladder.png").read_bytes().startswith(b"\x89PNG")


def test_of_two_each_rung_plays_the_one_below_and_what_is_finished_is_not_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    planned = plan_ladder("rake:official-2", PLAIN, "iterations", 2, 3, games=4, seed=1)
    store = Store(tmp_path / "results.sqlite")

    def interrupted(plan: Any, *rest: Any, **more: Any) -> Any:
        if plan is planned.plans[1]:
            raise KeyboardInterrupt
        return play_match(plan, *rest, **more)

    monkeypatch.setattr(ladder, "play_match", interrupted)
    with pytest.raises(KeyboardInterrupt):
        climb(planned, store)
    monkeypatch.undo()
    ticks: list[int] = []
    result = climb(planned, store, tick=ticks.append)
    assert len(store.matches()) == 2
    assert ticks[0] == 4  # the first match, taken from the store at once
    assert [m["agents"] for m in store.matches()] == [[planned.specs[1], planned.specs[0]], [planned.specs[2], planned.specs[1]]]
    assert [m["seed"] for m in store.matches()] == [2, 3]  # deals of its own for every step
    assert result["rungs"][2]["win_rate"] == pytest.approx(result["rungs"][2]["step"] + 0.5)


def match(win_rate: float, low: float, high: float, games: int = 400) -> dict[str, Any]:
    return {"win_rate": win_rate, "win_rate_ci": [low, high], "games": games, "match": 1}


def test_elo_adds_up_and_so_do_variances() -> None:
    rungs = _each_against_the_one_below([match(0.7, 0.65, 0.75), match(0.6, 0.55, 0.65)])
    steps = [elo_step(0.7, [0.65, 0.75], 400), elo_step(0.6, [0.55, 0.65], 400)]
    assert steps[0][0] == pytest.approx(elo(0.7), abs=1)
    assert quantile() * steps[0][1] == pytest.approx((elo(0.75) - elo(0.65)) / 2, rel=0.02)
    assert rungs[0]["value"] == 0
    assert rungs[2]["value"] == pytest.approx(steps[0][0] + steps[1][0])
    half = quantile() * sqrt(steps[0][1] ** 2 + steps[1][1] ** 2)
    assert rungs[2]["ci"] == pytest.approx([rungs[2]["value"] - half, rungs[2]["value"] + half])


def test_who_won_everything_is_stronger_by_a_finite_number() -> None:
    difference, error = elo_step(1.0, [0.98, 1.0], 200)
    assert 600 < difference < 1500
    assert 50 < error < 1000


ONE_UP = "Monotonic within its intervals: 1 of 2 steps up beyond their interval, none down beyond it."
BOTH_UP = "Monotonic within its intervals: 2 of 2 steps up beyond their interval, none down beyond it."
DOWN = "Not monotonic: down from 2 to 4, beyond the interval; 1 of 2 steps up beyond their interval."


@pytest.mark.parametrize(
    ("second", "said"),
    [
        ((0.6, 0.55, 0.65), BOTH_UP),
        ((0.6, 0.501, 0.7), BOTH_UP),
        ((0.6, 0.5, 0.7), ONE_UP),
        ((0.48, 0.44, 0.52), ONE_UP),
        ((0.4, 0.3, 0.5), ONE_UP),
        ((0.4, 0.3, 0.499), DOWN),
        ((0.3, 0.2, 0.4), DOWN),
    ],
)
def test_the_verdict_tells_a_step_up_or_down_from_chance(second: tuple[float, float, float], said: str) -> None:
    """A step counts where its whole interval is on one side of an even score; its very end may touch it."""
    rungs = _each_against_the_one_below([match(0.7, 0.65, 0.75), match(*second)])
    for budget, rung in zip((1, 2, 4), rungs, strict=True):
        rung["budget"] = budget
    assert verdict({"rungs": rungs, **judge(rungs)}) == said


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"param": "iteration"}, "Unknown number to double of mcts 'iteration'; did you mean 'iterations'"),
        ({"param": "policy"}, "Unknown number to double of mcts 'policy'"),
        ({"first": 0}, "--from must be above 0, not 0"),
        ({"first": float("nan")}, "--from must be above 0, not nan"),
        ({"first": 1.5}, "iterations must be a whole number, not '1.5'"),
        ({"rungs": 1}, "--rungs must be from 2 to 24, not 1"),
        ({"games": 3}, "--games must be at least 4 for an interval, not 3"),
        ({"games": 5}, "games must be a multiple of 2"),
        ({"seed": -5}, "The seed must be from 0 to .*, not -5"),
        ({"spec": "rake:official-3"}, "has 3 seats; a ladder is for games of one seat or two"),
    ],
)
def test_a_ladder_that_cannot_be_is_refused(changed: dict[str, Any], why: str) -> None:
    given = {"spec": "rake:official-2", "agent": PLAIN, "param": "iterations", "first": 16, "rungs": 3, "games": 8, "seed": 1}
    with pytest.raises(MeepleError, match=why):
        plan_ladder(**{**given, **changed})

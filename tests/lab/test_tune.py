"""Tuning: it climbs where there is something to climb, goes on where it was stopped, and refuses what makes no sense."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from meeple.core.errors import MeepleError
from meeple.core.kernel import JIT
from meeple.lab import tune as lab
from meeple.lab.tune import plan_tuning, tune

pytestmark = pytest.mark.skipif(not JIT, reason="thousands of games")


def plan(generations: int = 3, **changes: Any) -> Any:
    chosen = {"spec": "splendor:2", "agent": "heuristic", "against": ["greedy"], "names": ["points"], "games": 40}
    chosen |= {"generations": generations, "seed": 1, "step": 0.5} | changes
    return plan_tuning(**chosen)  # type: ignore[arg-type]


def test_the_top_of_a_known_hill_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In place of games: a hill whose top lies at 3 and, for the other number, below the least it may be."""

    def hill(_: Any, candidates: list[Any], *rest: Any) -> list[float]:  # noqa: ARG001
        return [-((x[0] - 3) ** 2) - (x[1] + 1) ** 2 for x in candidates]

    monkeypatch.setattr(lab, "measure", hill)
    result = tune(plan(60, names=["points", "token"]), tmp_path / "tuned.json", processes=1)
    assert result["weights"]["points"] == pytest.approx(3, abs=0.01)
    assert result["weights"]["token"] == pytest.approx(0, abs=0.01)
    assert result["shares"][-1] > result["shares"][0]


def test_a_tuning_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    path = tmp_path / "tuned.json"
    first = tune(plan(1), path, processes=1)
    ticks: list[int] = []
    again = tune(plan(2), path, processes=1, tick=lambda n, _: ticks.append(n))
    assert ticks == [2]
    assert again["shares"][0] == first["shares"][0]
    assert json.loads(path.read_text()) == again


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"agent": "greedy", "names": []}, "greedy has no numbers to tune"),
        ({"names": ["pints"]}, "has no number 'pints' to tune; it has: points, "),
        ({"games": 1}, "--games must be at least 2, not 1."),
        ({"generations": 0}, "--generations must be at least 1, not 0."),
        ({"step": 0.0}, "--step must be above 0 and at most 1, not 0."),
    ],
    ids=str,
)
def test_what_cannot_be_tuned_is_one_sentence(changes: dict[str, Any], why: str) -> None:
    with pytest.raises(MeepleError, match=why.replace("(", r"\(")):
        plan(**{"generations": 1} | changes)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"seed": 2}, "--seed was 1, not 2"),
        ({"against": ["random"]}, "--against was greedy, not random"),
        ({"agent": "heuristic:points=2"}, "the agent was heuristic, not heuristic:points=2"),
        ({"games": 20}, "--games was 40, not 20"),
        ({"names": ["points", "token"]}, "--only was points, not points,token"),
        ({"step": 0.4}, "--step was 0.5, not 0.4"),
        ({"spec": "splendor:3"}, "the game was splendor:2, not splendor:3"),
    ],
    ids=str,
)
def test_a_file_of_another_tuning_is_not_gone_on_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changes: dict[str, Any], why: str
) -> None:
    path = tmp_path / "tuned.json"
    monkeypatch.setattr(lab, "measure", lambda _, candidates, *rest: [0.5] * len(candidates))  # noqa: ARG005
    tune(plan(1), path, processes=1)
    before = path.read_text()
    with pytest.raises(MeepleError, match=why):
        tune(plan(2, **changes), path, processes=1)
    assert path.read_text() == before


def test_a_file_that_cannot_be_written_is_noticed_before_the_first_game(tmp_path: Path) -> None:
    with pytest.raises(MeepleError, match="cannot be written"):
        tune(plan(), tmp_path / "nowhere" / "tuned.json", processes=1)


def test_a_file_of_something_else_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "tuned.json"
    path.write_text("my diary")
    with pytest.raises(MeepleError, match="is no file of a tuning"):
        tune(plan(), path, processes=1)
    assert path.read_text() == "my diary"

"""Styles as an experiment: the same figures as `meeple style`, from games that an interrupted run finds again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from meeple.lab.style import plan_style, play, style
from meeple.lab.style_kind import run_style

CONFIG: dict[str, Any] = {"variant": "jaipur:round", "agents": ["basic3", "basic2"], "games": 20}


def test_an_experiment_tells_what_meeple_style_tells(tmp_path: Path) -> None:
    found = run_style(CONFIG, 3, tmp_path)
    assert found.command == "meeple style jaipur:round basic3 basic2 --games 20 --seed 3 --positions 0"
    plan = plan_style(CONFIG["variant"], CONFIG["agents"], CONFIG["games"], 3)
    for one in style(plan, play(plan, 1))["styles"]:
        told, sale, turn = found.more["styles"][one["agent"]], one["noted"]["cards of a sale"], one["points_by_turn"][7]
        assert told["cards of a sale"] == pytest.approx([sale["mean"], *sale["ci"]], abs=1e-3)
        assert told["points at own turn 8"] == pytest.approx([turn["points"]], abs=1e-2)
        assert sum(told[f"{kind} (% of decisions)"][0] for kind in one["kinds"]) == pytest.approx(100, abs=0.1)
    assert found.figures["wins"].value == pytest.approx(100 * style(plan, play(plan, 1))["styles"][0]["win_share"]["mean"])


def test_a_second_run_plays_nothing_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = run_style(CONFIG, 3, tmp_path)
    monkeypatch.setattr("meeple.arena.plan.Plan.play", None)
    assert run_style(CONFIG, 3, tmp_path).more == first.more

"""The evaluation that is fitted backwards from the end: what it is linear in, how near it comes to the exact solution, and how well
who plays by it does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from meeple.agents.mcts import make_guide
from meeple.agents.mcts_2026 import make_baseline
from meeple.arena.plan import make_plan
from meeple.core.registry import find_variant
from meeple.core.state import new
from meeple.games.rake import fit
from meeple.games.rake.before import make_keeps, worth_before
from meeple.games.rake.evaluation import evaluate, fitted_file, make_fitted, read_fitted
from meeple.games.rake.lookahead import make_foresight

OPTIMUM = 74.647  # of rake:simple, by meeple solve


@pytest.mark.parametrize("name", fit.FITTED)
def test_a_sheet_is_worth_the_sum_of_its_terms(name: str) -> None:
    variant = find_variant(f"rake:{name}")
    sheets = fit.play(variant, fit.by_hand(variant), 30, 1)[0]
    rng = np.random.default_rng(3)
    tables = np.repeat(rng.random((*read_fitted(fitted_file(variant)).shape[:2], 1)) * 20, fit.limit_of(variant) + 1, axis=2)
    full, empty = make_fitted(tables), make_fitted(np.zeros_like(tables))
    terms = fit.design(sheets, full)
    for sheet, row in zip(sheets, terms, strict=True):
        clock = sheet["time"][0]
        wanted = evaluate(full, sheet.view(np.recarray), 0, clock) - evaluate(empty, sheet.view(np.recarray), 0, clock)
        assert row @ tables[:, :, 0].ravel() == pytest.approx(wanted)


def test_a_quick_fit_of_simple_comes_near_the_exact_solution() -> None:
    variant = find_variant("rake:simple")
    ticks: list[int] = []
    tables = fit.fit(variant, 300, 1, 1, ticks.append)
    assert sum(ticks) == fit.work(variant, 1)
    player, empty = fit.player(tables), new(variant, 1).data
    assert worth_before(player, make_keeps()[0], empty) == pytest.approx(OPTIMUM, abs=1.5)
    found = fit.play(variant, player, 4000, 5)[1]
    assert found.mean() > OPTIMUM - 1.5
    assert found.mean() > fit.play(variant, fit.by_hand(variant), 4000, 5)[1].mean() - 0.2


def test_without_time_nothing_more_is_paid() -> None:
    tables = read_fitted("fitted_complete.csv")
    assert tables[5, :6, 0].tolist() == [0, 0, 8, 15, 21, 26]  # Suarez pays 0, 8, 7, 6, 5


def test_tables_are_read_as_they_were_written(tmp_path: Path) -> None:
    tables = read_fitted("fitted_official.csv")
    fit.write(tmp_path / "again.csv", tables)
    kept = Path(fit.__file__).parent / "data" / "fitted_official.csv"
    assert (tmp_path / "again.csv").read_text() == kept.read_text()


@pytest.mark.parametrize(("name", "better"), [("complete", 2.0), ("official", 9.0), ("simple", 0.1)])
def test_foresight_is_ahead_of_lookahead_on_the_same_deals(name: str, better: float) -> None:
    games = 4000 if name == "simple" else 200
    mine, theirs = (make_plan(f"rake:{name}", [agent], games, 7).play(range(games)) for agent in ("foresight", "lookahead"))
    ahead = np.asarray(mine.scores - theirs.scores)
    assert ahead.mean() > better


def said(guide: Any) -> Any:
    return guide.lookahead.evaluation.expected


def test_the_search_of_2026_keeps_the_evaluation_it_had() -> None:
    variant = find_variant("rake:complete")
    by_hand = fit.by_hand(variant).evaluation.expected
    assert np.array_equal(said(make_baseline(variant, 1, 0.0).search.guide), by_hand)
    assert np.array_equal(said(make_guide(variant, "2026")), by_hand)
    assert np.array_equal(said(make_guide(variant, "game")), make_foresight(variant).evaluation.expected)

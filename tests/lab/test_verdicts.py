"""Verdicts are reckoned from intervals: when a figure agrees, when a fault is shown, when nothing can be told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from meeple.lab import experiment, verdicts
from meeple.lab.experiment import Row, find_experiment
from meeple.lab.play_kinds import Figure

ONE = replace(find_experiment("pelle-6.7"), within=0.0)  # any experiment whose published figures are taken at their word


def row(theirs: float, ci: float = 0.0) -> Row:
    return Row("x", {}, {"": theirs}, {"": ci})


def cell(role: str, value: float, half: float) -> verdicts.Cell:
    measure = experiment.Measure(role, "match", role, "wins", {}, {})
    line = {"figures": {"wins": [value, value - half, value + half]}, "more": {}, "quick": True, "config": {}}
    return verdicts.Cell(measure, {"wins": Figure(value, value - half, value + half)}, (line,))


def test_verdicts_follow_from_the_intervals_of_the_difference() -> None:
    def of(theirs: Row, *cells: verdicts.Cell, fault: str = "") -> str:
        return verdicts.verdict(replace(ONE, fault=fault), theirs, list(cells))

    near, far = cell("published", 52.0, 2.0), cell("published", 56.0, 2.0)
    assert of(row(50, 2.0), near) == verdicts.REPRODUCED  # 2 apart, sqrt(2^2 + 2^2) = 2.8
    assert of(row(50, 2.0), far) == verdicts.DIFFERS
    assert of(row(50, 2.0), far, fault="it peeks") == verdicts.DIFFERS  # the fault does not explain that
    assert of(row(50, 2.0), far, cell("explains", 51.0, 1.0), fault="the best of many") == verdicts.CORRECTED
    assert of(row(50, 2.0), far, cell("explains", 57.0, 1.0), fault="the best of many") == verdicts.DIFFERS  # nor does that
    assert of(row(50, 2.0), near, cell("corrected", 40.0, 2.0), fault="it peeks") == verdicts.CORRECTED  # with it, and not without
    assert of(row(50, 2.0), near, cell("corrected", 51.0, 2.0), fault="it peeks") == verdicts.REPRODUCED  # it makes no difference
    assert (
        of(row(50, 2.0), near, cell("corrected", 54.0, 2.0), fault="it peeks") == verdicts.REPRODUCED
    )  # 4 from theirs, 2 from ours
    assert of(Row("x", {}, {}, {}), near) == verdicts.MEASURED
    assert of(row(50)) == verdicts.OPEN
    trained = replace(near, measure=replace(near.measure, kind="train"))
    assert of(row(50, 2.0), trained) == verdicts.UNTOLD  # of the small budget
    undertrained = cell("corrected", 20.0, 1.0)
    undertrained = replace(undertrained, measure=replace(undertrained.measure, kind="train"))
    assert of(row(50, 2.0), near, undertrained, fault="it peeks") == verdicts.REPRODUCED  # what learnt too little shows no fault
    assert of(row(50, 2.0), cell("published", 55.0, 30.0)) == verdicts.UNTOLD  # such an interval agrees with nearly everything
    assert of(row(50, 2.0), cell("published", 90.0, 25.0)) == verdicts.DIFFERS  # though not with this
    assert of(row(80, 2.0), cell("published", 84.0, 14.0)) == verdicts.UNTOLD  # as games won, 25 games tell nothing
    assert of(row(5, 1.3), cell("published", 4.0, 1.3)) == verdicts.REPRODUCED  # as sure as they were
    assert of(row(50, 2.0), replace(near, figures={})) == verdicts.DIFFERS  # all seeds diverged
    assert verdicts.surpassed(row(50, 2.0), [near, cell("ours", 60.0, 5.0)])
    assert not verdicts.surpassed(row(50, 2.0), [near, cell("ours", 60.0, 9.0)])
    assert not verdicts.surpassed(row(50, 2.0), [near, cell("ours", 60.0, 5.0)], 4.0)  # theirs may be off by so much
    assert not verdicts.surpassed(row(50, 2.0), [cell("control", 99.0, 0.1)])  # a control proves nothing
    assert not verdicts.surpassed(row(50, 2.0), [replace(near, figures={"wins": Figure(99.0)}, measure=cell("ours", 0, 0).measure)])


def test_one_seed_of_several_tells_nothing() -> None:
    played = cell("published", 52.0, 2.0)
    line = {**played.lines[0], "quick": False}
    trained = replace(played, measure=replace(played.measure, kind="train"), lines=(line,), seeds=3)
    two = replace(trained, lines=(line, line))
    assert verdicts.verdict(ONE, row(50, 2.0), [trained]) == verdicts.UNTOLD
    assert verdicts.verdict(ONE, row(50, 2.0), [two]) == verdicts.REPRODUCED
    ours = replace(trained, measure=replace(trained.measure, role="ours"), figures={"wins": Figure(90.0, 80.0, 99.0)})
    assert not verdicts.surpassed(row(50, 2.0), [ours]) and verdicts.surpassed(row(50, 2.0), [replace(ours, lines=(line, line))])


def test_several_seeds_give_their_mean_and_spread() -> None:
    found = verdicts.together([{"figures": {"wins": [x, x - 1, x + 1]}} for x in (50.0, 52.0, 54.0)])
    assert found["wins"].value == 52.0
    assert found["wins"].high == pytest.approx(52 + 4.303 * 2 / 3**0.5)  # Student's, two degrees of freedom
    assert verdicts.seed_quantile(6) == pytest.approx(2.571, abs=0.01)  # five

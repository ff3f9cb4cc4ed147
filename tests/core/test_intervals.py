"""Quantiles and intervals against SciPy's, and where they say nothing."""

from __future__ import annotations

import pytest
from scipy import stats

from meeple.core.intervals import FEWEST, interval_of_mean, interval_of_share, quantile, student, wilson

LEVELS = [0.8, 0.95, 0.99]


@pytest.mark.parametrize("level", LEVELS)
def test_quantiles_reach_to_both_sides(level: float) -> None:
    assert quantile(level) == pytest.approx(stats.norm.ppf((1 + level) / 2))
    assert quantile() == quantile(0.95)


@pytest.mark.parametrize("n", [6, 7, 10, 20, 100, 10_000])
@pytest.mark.parametrize(("level", "error"), [(0.8, 0.00012), (0.95, 0.0029), (0.99, 0.023)])
def test_students_quantile_is_that_of_tables(n: int, level: float, error: float) -> None:
    """The series has terms down to the third power of n: its error falls with the fourth."""
    assert student(n, level) == pytest.approx(stats.t.ppf((1 + level) / 2, n - 1), abs=error * (5 / (n - 1)) ** 4 + 1e-9)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("won", "n"), [(0, 5), (3, 10), (8, 10), (50, 100), (100, 100)])
def test_wilsons_interval_is_scipys(won: int, n: int, level: float) -> None:
    known = stats.binomtest(won, n).proportion_ci(level, "wilson")
    assert wilson(won / n, n, level) == pytest.approx((known.low, known.high))


def test_too_few_observations_have_no_interval() -> None:
    assert interval_of_share(0.5, FEWEST - 1) is None
    assert interval_of_share(0.5, FEWEST) == wilson(0.5, FEWEST)
    assert interval_of_mean(3.0, FEWEST - 1, 1.0) is None
    assert interval_of_mean(3.0, FEWEST, 1.0) is not None
    assert interval_of_mean(3.0, FEWEST, 0.0) is None
    assert FEWEST == 6  # from there on the test above holds


def test_the_mean_has_students_interval() -> None:
    low, high = interval_of_mean(3.0, 16, 4.0, 0.95) or (0.0, 0.0)
    assert (low, high) == pytest.approx((3 - student(16) / 2, 3 + student(16) / 2))


def test_a_share_that_rounding_put_outside_is_brought_back() -> None:
    assert interval_of_share(1.0000001, 50) == wilson(1.0, 50)
    assert interval_of_share(-0.0000001, 50) == wilson(0.0, 50)

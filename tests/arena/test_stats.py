"""Intervals keep what they promise, checked by simulation; tests and ratings by hand arithmetic."""

from __future__ import annotations

from math import inf, log

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats as scipy_stats

from meeple.arena.ratings import PER_UNIT, fit
from meeple.arena.stats import (
    Moments,
    elo,
    expected_share,
    log_likelihood_ratio,
    mean_interval,
    share_interval,
    sprt_bounds,
)
from meeple.core.intervals import quantile, student, wilson

TRIALS = 3000


def logistic(x: NDArray[np.float64]) -> NDArray[np.float64]:
    return 1 / (1 + np.exp(-x))


def paired(rng: np.random.Generator, n: int, strength: float, luck: float, draws: float) -> NDArray[np.float64]:
    """Deals in which luck favours a seat, played twice with seats exchanged."""
    seat = rng.normal(0, luck, n)
    games = [np.where(rng.random(n) < draws, 0.5, rng.random(n) < logistic(strength + side * seat)) for side in (1, -1)]
    return (games[0] + games[1]) / 2


@pytest.mark.parametrize("luck", [0.0, 1.0, 3.0])
@pytest.mark.parametrize(("strength", "n"), [(0.0, 50), (0.0, 400), (1.0, 50), (1.0, 400), (2.5, 200), (4.0, 400)])
def test_the_interval_of_a_win_rate_covers_the_truth_93_to_97_times_in_a_hundred(luck: float, strength: float, n: int) -> None:
    rng = np.random.default_rng(5)
    truth = float(paired(rng, 2_000_000, strength, luck, 0.02).mean())
    hits = 0
    for _ in range(TRIALS):
        low, high = share_interval(paired(rng, n, strength, luck, 0.02), 2)
        hits += low <= truth <= high
    assert 0.93 <= hits / TRIALS <= 0.97


@pytest.mark.parametrize("n", [10, 100])
def test_the_interval_of_a_mean_covers_the_truth_93_to_97_times_in_a_hundred(n: int) -> None:
    rng = np.random.default_rng(6)
    hits = 0
    for _ in range(TRIALS):
        low, high = mean_interval(rng.normal(3.0, 20.0, n))
        hits += low <= 3.0 <= high
    assert 0.93 <= hits / TRIALS <= 0.97


def test_wilsons_interval_by_hand() -> None:
    """8 of 10: centre (0.8 + 1.92/10) / (1 + 3.84/10), from the textbook formula."""
    assert wilson(0.8, 10) == pytest.approx((0.4901, 0.9433), abs=1e-3)


def test_where_everything_was_won_the_interval_is_still_honest() -> None:
    low, high = share_interval(np.ones(50), 2)
    assert high == 1.0
    assert 0.95 < low < 0.97


def test_where_every_deal_was_split_the_interval_does_not_collapse() -> None:
    low, high = share_interval(np.full(100, 0.5), 2)
    assert high - low > 0.15


def test_students_quantile_agrees_with_scipys() -> None:
    for n in (6, 10, 30, 1000):
        assert student(n) == pytest.approx(scipy_stats.t.ppf(0.975, n - 1), abs=0.011)


def test_elo_and_share_are_inverse() -> None:
    assert elo(0.5) == 0
    assert elo(10 / 11) == pytest.approx(400)
    assert expected_share(elo(0.73)) == pytest.approx(0.73)


def test_the_likelihood_ratio_by_hand() -> None:
    """Four deals with mean 0.75 and variance 1/12: 4 * 0.1 * (1.5 - 1.1) / (2/12) = 0.96."""
    deals = np.array([0.5, 0.5, 1.0, 1.0])
    assert log_likelihood_ratio(deals, 0.5, 0.6) == pytest.approx(4 * 0.1 * 0.4 / (2 / 12))
    assert sprt_bounds() == pytest.approx((-log(19), log(19)))


@pytest.mark.parametrize(("strength", "right"), [(0.0, "p0"), (0.4055, "p1")])
def test_the_sequential_test_errs_at_most_about_five_times_in_a_hundred(strength: float, right: str) -> None:
    """True share 0.5 or 0.6, tested 0.5 against 0.6."""
    rng = np.random.default_rng(7)
    low, high = sprt_bounds()
    correct = 0
    for _ in range(400):
        deals = paired(rng, 4000, strength, 0.5, 0.0)
        for n in range(10, 4000, 10):
            ratio = log_likelihood_ratio(deals[:n], 0.5, 0.6)
            if not low < ratio < high:
                correct += (ratio >= high) == (right == "p1")
                break
    assert correct / 400 > 0.92


# ---- Ratings ----


def counts(n: int, rows: dict[tuple[int, int], tuple[float, float]]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(first seat, second seat) -> what each of the two won in those games."""
    first, second = np.zeros((n, n)), np.zeros((n, n))
    for (i, j), (mine, theirs) in rows.items():
        first[i, j], second[i, j] = mine, theirs
    return first, second


def test_two_agents_without_a_seat_effect_differ_by_the_elo_of_their_share() -> None:
    """60 of 80 in either seat: 400 log10(3) = 190.85."""
    ratings = fit(("a", "b"), *counts(2, {(0, 1): (60, 20), (1, 0): (20, 60)}), prior=0)
    assert ratings.elo[0] - ratings.elo[1] == pytest.approx(190.85, abs=0.01)
    assert ratings.first == pytest.approx(0, abs=0.01)


def test_a_draw_is_half_a_win_for_each() -> None:
    """20 wins and 40 draws of 80 are 40 of 80: nobody is stronger; 40 wins and 40 draws are 60 of 80."""
    even = fit(("a", "b"), *counts(2, {(0, 1): (20 + 20, 20 + 20), (1, 0): (40, 40)}), prior=0)
    assert even.elo == pytest.approx([0, 0], abs=1e-6)
    ahead = fit(("a", "b"), *counts(2, {(0, 1): (40 + 20, 0 + 20), (1, 0): (20, 60)}), prior=0)
    assert ahead.elo[0] - ahead.elo[1] == pytest.approx(190.85, abs=0.01)


def test_the_first_seat_by_hand() -> None:
    """Equal agents, the first seat wins 3 of 4: the seat is worth 400 log10(3)."""
    ratings = fit(("a", "b"), *counts(2, {(0, 1): (60, 20), (1, 0): (60, 20)}), prior=0)
    assert ratings.first == pytest.approx(190.85, abs=0.01)
    assert ratings.elo == pytest.approx([0, 0], abs=1e-6)


def test_the_standard_error_of_two_agents_by_hand() -> None:
    """Fisher's information of 160 even games is 160/4: the difference has a standard error of sqrt(4/160), a rating half of it."""
    ratings = fit(("a", "b"), *counts(2, {(0, 1): (40, 40), (1, 0): (40, 40)}), prior=0)
    assert ratings.half[0] == pytest.approx(1.96 * PER_UNIT * (4 / 160) ** 0.5 / 2, rel=1e-3)


def test_a_chain_of_three_is_transitive() -> None:
    rows = {(0, 1): (75.0, 25.0), (1, 0): (25.0, 75.0), (1, 2): (75.0, 25.0), (2, 1): (25.0, 75.0)}
    ratings = fit(("a", "b", "c"), *counts(3, rows), prior=0)
    assert ratings.elo == pytest.approx([190.85, 0, -190.85], abs=0.01)


def test_somebody_who_won_everything_gets_a_finite_rating_and_a_wide_interval() -> None:
    ratings = fit(("a", "b"), *counts(2, {(0, 1): (50, 0), (1, 0): (0, 50)}))
    assert 300 < ratings.elo[0] - ratings.elo[1] < 3000
    assert ratings.half[0] > 50


def test_rating_intervals_cover_the_truth() -> None:
    rng = np.random.default_rng(8)
    truth = np.array([100.0, 0.0, -100.0])
    hits = np.zeros(3)
    for _ in range(300):
        first, second = np.zeros((3, 3)), np.zeros((3, 3))
        for i in range(3):
            for j in range(3):
                if i != j:
                    won = rng.binomial(100, expected_share(truth[i] - truth[j] + 30))
                    first[i, j], second[i, j] = won, 100 - won
        ratings = fit(("a", "b", "c"), first, second)
        hits += abs(ratings.elo - truth) <= ratings.half
    assert ((hits / 300 > 0.91) & (hits / 300 < 0.985)).all()


def test_moments_added_in_parts_are_those_of_the_whole() -> None:
    values = np.random.default_rng(7).normal(5.0, 3.0, 101)
    parts = Moments()
    for part in (values[:0], values[:1], values[1:40], values[40:]):
        parts.add(part)
    assert parts.n == 101
    assert parts.mean == pytest.approx(values.mean())
    assert parts.variance == pytest.approx(values.var(ddof=1))
    assert mean_interval(parts) == pytest.approx(mean_interval(values))


def test_one_observation_tells_nothing() -> None:
    assert Moments.of(np.array([3.0])).variance == 0.0
    assert mean_interval(np.array([3.0])) == (-inf, inf)
    assert log_likelihood_ratio(np.array([1.0]), 0.4, 0.6) == 0.0


def test_deals_that_all_end_alike_decide_a_sequential_test_too() -> None:
    low, high = sprt_bounds()
    assert log_likelihood_ratio(np.ones(2), 0.5, 0.55) == pytest.approx(2 * 0.05 * 0.95 / (2 * 0.125))
    assert log_likelihood_ratio(np.ones(10), 0.5, 0.55) > high
    assert log_likelihood_ratio(np.full(30, 0.5), 0.5, 0.55) < low


def test_shares_of_a_third_in_every_deal_have_the_interval_of_so_many_deals() -> None:
    for deals in range(2, 40):
        low, high = share_interval(np.full(deals, 1 / 3), 3)
        assert (low, high) == pytest.approx(wilson(1 / 3, deals))


def test_the_interval_of_two_observations_by_hand() -> None:
    low, high = mean_interval(np.array([1.0, 3.0]))
    assert (low + high) / 2 == 2.0 and (high - low) / 2 == pytest.approx(student(2) * 1.0)
    assert log_likelihood_ratio(np.array([1.0, 0.0, 1.0, 1.0]), 0.4, 0.6) == pytest.approx(4 * 0.2 * 0.5 / (2 * 0.25))


def test_without_games_a_rating_is_known_as_well_as_one_drawn_game_tells() -> None:
    """Information of a draw is a quarter; against the mean of two that is a variance of two."""
    found = fit(("a", "b"), np.zeros((2, 2)), np.zeros((2, 2)))
    assert found.elo == pytest.approx([0.0, 0.0])
    assert found.half == pytest.approx(quantile() * PER_UNIT * np.sqrt(2.0), rel=1e-6)
    assert fit(("a", "b"), np.zeros((2, 2)), np.zeros((2, 2)), prior=4.0).half == pytest.approx(found.half / 2, rel=1e-6)

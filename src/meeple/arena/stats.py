"""Intervals and tests on pairs of games. Small functions of plain numbers, checked by simulation (tests/arena/test_stats.py).

The same deal played with seats exchanged is one observation: its games share their luck and are not independent. So every
interval here is over deals, never over games.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, inf, log, sqrt

import numpy as np
from numpy.typing import NDArray

from meeple.core.intervals import Interval, student, wilson

NOTHING = 1e-12  # of a variance: thirds leave a rest of rounding


@dataclass
class Moments:
    """How many observations there were, their mean and their spread, without the observations themselves (Chan, Golub, LeVeque)."""

    n: int = 0
    mean: float = 0.0
    squares: float = 0.0  # sum of squared differences from the mean

    @classmethod
    def of(cls, values: NDArray[np.float64]) -> Moments:
        made = cls()
        made.add(values)
        return made

    def add(self, values: NDArray[np.float64]) -> None:
        """More observations."""
        n = len(values)
        if n == 0:
            return
        mean = float(values.mean())
        squares = float(((values - mean) ** 2).sum())
        total = self.n + n
        away = mean - self.mean
        self.squares += squares + away * away * self.n * n / total
        self.mean += away * n / total
        self.n = total

    @property
    def variance(self) -> float:
        """Of the observations, with n - 1."""
        return self.squares / (self.n - 1) if self.n > 1 else 0.0


Values = NDArray[np.float64] | Moments


def _moments(values: Values) -> Moments:
    return values if isinstance(values, Moments) else Moments.of(values)


def mean_interval(values: Values, level: float = 0.95) -> Interval:
    """Of the mean of independent observations."""
    found = _moments(values)
    if found.n < 2:
        return -inf, inf
    half = student(found.n, level) * sqrt(found.variance / found.n)
    return found.mean - half, found.mean + half


def share_interval(deals: Values, games_per_deal: int, level: float = 0.95) -> Interval:
    """Of a share of wins, from each deal's mean over its seatings.

    Wilson's, with as many independent games as would have the variance the deals show: fewer than were played where luck decides a
    deal for both seatings alike, more where draws or the seat decide. Where the deals show no spread at all (every game won),
    every game counts as one observation.
    """
    found = _moments(deals)
    n, p, variance = found.n, found.mean, found.variance
    if variance < NOTHING or p in (0.0, 1.0):
        return wilson(p, n * games_per_deal if p in (0.0, 1.0) else n, level)
    return wilson(p, n * p * (1 - p) / variance, level)


def log_likelihood_ratio(deals: Values, p0: float, p1: float) -> float:
    """Of a share p1 against p0, by the normal approximation over deals (the generalised test chess programs use).

    Deals that all ended alike show no spread; they count as if one of them had been half a game off, so that the clearest cases
    are decided too."""
    found = _moments(deals)
    if found.n < 2:
        return 0.0
    return found.n * (p1 - p0) * (2 * found.mean - p0 - p1) / (2 * max(found.variance, 0.25 / found.n))


def sprt_bounds(alpha: float = 0.05, beta: float = 0.05) -> Interval:
    """Wald's bounds: below the first p0 is accepted, above the second p1."""
    return log(beta / (1 - alpha)), log((1 - beta) / alpha)


def elo(share: float) -> float:
    """The rating difference at which a share of wins is expected."""
    return 400 * log(share / (1 - share)) / log(10)


def expected_share(difference: float) -> float:
    return 1 / (1 + exp(-difference * log(10) / 400))

"""Intervals and tests on pairs of games. Small functions of plain numbers, checked by simulation (tests/arena/test_stats.py).

The same deal played with seats exchanged is one observation: its games share their luck and are not independent. So every
interval here is over deals, never over games.
"""

from __future__ import annotations

from math import exp, inf, log, sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

Interval = tuple[float, float]


def quantile(level: float = 0.95) -> float:
    """How many standard errors reach to either side."""
    return NormalDist().inv_cdf((1 + level) / 2)


def student(n: int, level: float = 0.95) -> float:
    """Student's quantile with n - 1 degrees of freedom, by Cornish and Fisher's series: good to 0.01 from 6 observations on."""
    z, v = quantile(level), n - 1
    series = (z**3 + z) / (4 * v) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * v**2)
    return z + series + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * v**3)


def mean_interval(values: NDArray[np.float64], level: float = 0.95) -> Interval:
    """Of the mean of independent observations."""
    n = len(values)
    if n < 2:
        return -inf, inf
    half = student(n, level) * float(values.std(ddof=1)) / sqrt(n)
    return float(values.mean()) - half, float(values.mean()) + half


def wilson(p: float, n: float, level: float = 0.95) -> Interval:
    """Wilson's interval for a share p of n independent observations."""
    z2 = quantile(level) ** 2
    centre = (p + z2 / (2 * n)) / (1 + z2 / n)
    half = sqrt(max(0.0, p * (1 - p) * z2 / n + z2 * z2 / (4 * n * n))) / (1 + z2 / n)
    return max(0.0, centre - half), min(1.0, centre + half)


def share_interval(deals: NDArray[np.float64], games_per_deal: int, level: float = 0.95) -> Interval:
    """Of a share of wins, from each deal's mean over its seatings.

    Wilson's, with as many independent games as would have the variance the deals show: fewer than were played where luck decides a
    deal for both seatings alike, more where draws or the seat decide. Where the deals show no spread at all (every game won),
    every game counts as one observation.
    """
    n = len(deals)
    p = float(deals.mean())
    variance = float(deals.var(ddof=1)) if n > 1 else 0.0
    if variance == 0.0 or p in (0.0, 1.0):
        return wilson(p, n * games_per_deal if p in (0.0, 1.0) else n, level)
    return wilson(p, n * p * (1 - p) / variance, level)


def log_likelihood_ratio(deals: NDArray[np.float64], p0: float, p1: float) -> float:
    """Of a share p1 against p0, by the normal approximation over deals (the generalised test chess programs use)."""
    n = len(deals)
    if n < 2 or (variance := float(deals.var(ddof=1))) == 0.0:
        return 0.0
    return n * (p1 - p0) * (2 * float(deals.mean()) - p0 - p1) / (2 * variance)


def sprt_bounds(alpha: float = 0.05, beta: float = 0.05) -> Interval:
    """Wald's bounds: below the first p0 is accepted, above the second p1."""
    return log(beta / (1 - alpha)), log((1 - beta) / alpha)


def elo(share: float) -> float:
    """The rating difference at which a share of wins is expected."""
    return 400 * log(share / (1 - share)) / log(10)


def expected_share(difference: float) -> float:
    return 1 / (1 + exp(-difference * log(10) / 400))

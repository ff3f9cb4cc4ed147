"""Intervals and tests on pairs of games. Small functions of plain numbers, checked by simulation (tests/arena/test_stats.py).

The same deal played with seats exchanged is one observation: its games share their luck and are not independent. So every
interval here is over deals, never over games.
"""

from __future__ import annotations

from math import exp, inf, log, sqrt

import numpy as np
from numpy.typing import NDArray

from meeple.core.intervals import Interval, student, wilson


def mean_interval(values: NDArray[np.float64], level: float = 0.95) -> Interval:
    """Of the mean of independent observations."""
    n = len(values)
    if n < 2:
        return -inf, inf
    half = student(n, level) * float(values.std(ddof=1)) / sqrt(n)
    return float(values.mean()) - half, float(values.mean()) + half


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

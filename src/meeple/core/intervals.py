"""Quantiles and intervals that both matches and searches use: plain functions of plain numbers."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

Interval = tuple[float, float]

FEWEST = 6  # observations from which `student` can be trusted: fewer get no interval


def quantile(level: float = 0.95) -> float:
    """How many standard errors reach to either side."""
    return NormalDist().inv_cdf((1 + level) / 2)


def student(n: int, level: float = 0.95) -> float:
    """Student's quantile with n - 1 degrees of freedom, by Cornish and Fisher's series: good to 0.01 from 6 observations on."""
    z, v = quantile(level), n - 1
    series = (z**3 + z) / (4 * v) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * v**2)
    return z + series + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * v**3)


def wilson(p: float, n: float, level: float = 0.95) -> Interval:
    """Wilson's interval for a share p of n independent observations."""
    z2 = quantile(level) ** 2
    centre = (p + z2 / (2 * n)) / (1 + z2 / n)
    half = sqrt(max(0.0, p * (1 - p) * z2 / n + z2 * z2 / (4 * n * n))) / (1 + z2 / n)
    return max(0.0, centre - half), min(1.0, centre + half)


def around_the_median(n: int, level: float = 0.95) -> Interval:
    """Between which two quantiles of n observations their true median lies: order statistics, whatever the distribution."""
    half = min(0.5, quantile(level) / (2 * sqrt(n)))
    return 0.5 - half, 0.5 + half


def interval_of_share(p: float, n: int, level: float = 0.95) -> Interval | None:
    """Wilson's for the mean p of n observations between 0 and 1, each of which counts as one game won or lost: what spreads less,
    such as draws, is no surer for that. Nothing where there are too few."""
    return wilson(min(1.0, max(0.0, p)), n, level) if n >= FEWEST else None


def interval_of_mean(mean: float, n: int, variance: float, level: float = 0.95) -> Interval | None:
    """Student's; nothing where there are too few observations to tell their spread, or where they show none."""
    if n < FEWEST or variance <= 0:
        return None
    half = student(n, level) * sqrt(variance / n)
    return mean - half, mean + half

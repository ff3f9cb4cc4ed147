"""Ratings from a tournament: Bradley and Terry's model with a first-seat term, fitted by Newton's method, with intervals.

P(i beats j, i in the first seat) = 1 / (1 + exp(-(r_i - r_j + f))). A draw counts as half a win for each. Ratings are in Elo
points, their mean is zero. Where somebody won everything the likelihood has no maximum, so one drawn game of each
agent against the average is added: it moves a rating fitted from hundreds of games by a point or so, and the interval says how
little is known then.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray

from meeple.core.intervals import quantile

PER_UNIT = 400 / log(10)
PRIOR_GAMES = 1.0


@dataclass(frozen=True)
class Ratings:
    names: tuple[str, ...]
    elo: NDArray[np.float64]
    half: NDArray[np.float64]  # half of the 95% interval, against the mean of all
    first: float  # Elo points that the first seat is worth
    first_half: float


def fit(names: tuple[str, ...], first: NDArray[np.float64], second: NDArray[np.float64], prior: float = PRIOR_GAMES) -> Ratings:
    """Of the games with i in the first seat against j: first[i, j] counts what i won, second[i, j] what j won, draws as halves."""
    n = len(names)
    x = np.zeros(n + 1)  # ratings, then the first-seat term
    for _ in range(100):
        gradient, information = _derivatives(x, first, second, prior)
        step = np.linalg.solve(information, gradient)
        x += np.clip(step, -2, 2)
        if abs(step).max() < 1e-10:
            break
    _, information = _derivatives(x, first, second, prior)
    covariance = np.linalg.inv(information)
    centre = np.eye(n + 1)
    centre[:n, :n] -= 1 / n  # ratings mean something only against each other
    covariance = centre @ covariance @ centre.T
    half = quantile() * PER_UNIT * np.sqrt(np.maximum(0, np.diag(covariance)))
    elo = PER_UNIT * (x[:n] - x[:n].mean())
    return Ratings(names, elo, half[:n], PER_UNIT * float(x[n]), float(half[n]))


def _derivatives(
    x: NDArray[np.float64], first: NDArray[np.float64], second: NDArray[np.float64], prior: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Gradient of the log likelihood and Fisher's information at x."""
    n = len(x) - 1
    gradient, information = np.zeros(n + 1), np.zeros((n + 1, n + 1))
    for i in range(n):
        share = 1 / (1 + np.exp(-(x[i] - x[:n].mean())))
        gradient[i] += prior * (0.5 - share)
        information[i, i] += prior * share * (1 - share) + 1e-9
        for j in range(n):
            games = first[i, j] + second[i, j]
            if i == j or games == 0:
                continue
            share = 1 / (1 + np.exp(-(x[i] - x[j] + x[n])))
            direction = np.zeros(n + 1)
            direction[i], direction[j], direction[n] = 1, -1, 1
            gradient += (first[i, j] - games * share) * direction
            information += games * share * (1 - share) * np.outer(direction, direction)
    information[n, n] += 1e-9
    return gradient, information

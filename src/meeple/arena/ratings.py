"""Ratings from a tournament: Bradley and Terry's model with a term for each seat, fitted by Newton's method, with intervals.

Of agents at a table, P(the one in seat s wins) is proportional to exp(r + f_s), with r its rating and f_s what the seat is worth.
With two seats that is P(i beats j, i in the first seat) = 1 / (1 + exp(-(r_i - r_j + f))); with more it is Luce's choice among all.
A shared win counts in parts. Ratings are in Elo points, their mean is zero. Where somebody won everything the likelihood has no
maximum, so one drawn game of each agent against the average is added: it moves a rating fitted from hundreds of games by a point or
so, and the interval says how little is known then.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray

from meeple.core.intervals import quantile

PER_UNIT = 400 / log(10)
PRIOR_GAMES = 1.0

Array = NDArray[np.float64]
Wins = Mapping[tuple[int, ...], Array]  # (agents by seat) -> games each seat won in all, shared ones in parts


@dataclass(frozen=True)
class Ratings:
    names: tuple[str, ...]
    elo: Array
    half: Array  # half of the 95% interval, against the mean of all
    first: float  # Elo points that the first seat is worth beyond the mean of the others
    first_half: float


def fit(names: tuple[str, ...], first: Array, second: Array, prior: float = PRIOR_GAMES) -> Ratings:
    """Of the games with i in the first seat against j: first[i, j] counts what i won, second[i, j] what j won, draws as halves."""
    pairs = [(i, j) for i in range(len(names)) for j in range(len(names)) if i != j and first[i, j] + second[i, j]]
    return fit_tables(names, {(i, j): np.array([first[i, j], second[i, j]]) for i, j in pairs}, 2, prior)


def fit_tables(names: tuple[str, ...], wins: Wins, seats: int, prior: float = PRIOR_GAMES) -> Ratings:
    """Of any number of seats."""
    n = len(names)
    x = np.zeros(n + seats - 1)  # ratings, then the seats' terms; the last seat's is zero
    for _ in range(100):
        gradient, information = _derivatives(x, n, wins, prior)
        step = np.linalg.solve(information, gradient)
        step[:n] -= step[:n].mean()  # all of them higher is the same
        x += np.clip(step, -2, 2)
        if abs(step).max() < 1e-10:
            break
    _, information = _derivatives(x, n, wins, prior)
    centre = np.zeros((n + 1, len(x)))
    centre[:n, :n] = np.eye(n) - 1 / n  # ratings mean something only against each other
    centre[n, n] = 1
    centre[n, n + 1 :] = -1 / (seats - 1)
    half = quantile() * PER_UNIT * np.sqrt(np.maximum(0, np.diag(centre @ np.linalg.inv(information) @ centre.T)))
    value = PER_UNIT * (centre @ x)
    return Ratings(names, value[:n], half[:n], float(value[n]), float(half[n]))


def _derivatives(x: Array, n: int, wins: Wins, prior: float) -> tuple[Array, Array]:
    """Gradient of the log likelihood and Fisher's information at x."""
    gradient, information = np.zeros(len(x)), 1e-9 * np.eye(len(x))
    share = 1 / (1 + np.exp(-(x[:n] - x[:n].mean())))
    gradient[:n] += prior * (0.5 - share)
    information[np.arange(n), np.arange(n)] += prior * share * (1 - share)
    for table, won in wins.items():
        design = np.zeros((len(table), len(x)))
        design[np.arange(len(table)), table] = 1
        design[np.arange(len(table) - 1), n + np.arange(len(table) - 1)] = 1
        worth = np.exp(design @ x - (design @ x).max())
        chances, games = worth / worth.sum(), won.sum()
        gradient += design.T @ (won - games * chances)
        information += games * design.T @ (np.diag(chances) - np.outer(chances, chances)) @ design
    return gradient, information

"""Returns, advantages and losses as small functions of plain arrays; each is checked with numbers by hand (tests/learn)."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

Floats = NDArray[np.float32]


def by_seat(values: Floats, seats: NDArray[np.int8], count: int) -> Floats:
    """(..., k) values as the seat to move tells them -> (..., count) of seat 0, 1, ... One value of two seats: the other's is the
    opposite. One of one seat: itself. One a seat: the seat to move comes first, then whoever sits after it."""
    mover = seats.astype(np.int64)[..., None]
    if values.shape[-1] == 1:
        return np.where(np.arange(count) == mover, values, -values).astype(np.float32)
    return np.take_along_axis(values, (np.arange(count) - mover) % count, axis=-1)


def by_mover(values: Floats, seats: NDArray[np.int8], wanted: int) -> Floats:
    """The way back: (..., seats) -> (..., wanted), the seat to move first."""
    count = values.shape[-1]
    return np.take_along_axis(values, (np.arange(wanted) + seats.astype(np.int64)[..., None]) % count, axis=-1)


def advantages(rewards: Floats, values: Floats, ended: NDArray[Any], discount: float, trace: float) -> Floats:
    """Generalised advantage estimates (Schulman 2016) of every seat at every step: rewards (steps, n, seats), values (steps + 1,
    n, seats), ended (steps, n). Every decision of anybody is a step of everybody, so that a seat learns at once from what its
    opponent's position is worth."""
    found = np.zeros_like(rewards)
    after = np.zeros_like(rewards[0])
    for t in range(len(rewards) - 1, -1, -1):
        goes_on = (ended[t] == 0)[:, None].astype(np.float32)
        surprise = rewards[t] + discount * goes_on * values[t + 1] - values[t]
        after = surprise + discount * trace * goes_on * after
        found[t] = after
    return found


def returns(rewards: Floats, ended: NDArray[Any], last: Floats, discount: float) -> Floats:
    """Discounted sums of what is still to come, (steps, n, seats); `last` (n, seats) stands for what comes after the last step."""
    found, after = np.zeros_like(rewards), last
    for t in range(len(rewards) - 1, -1, -1):
        after = rewards[t] + discount * (ended[t] == 0)[:, None] * after
        found[t] = after
    return found


def one_step_errors(rewards: Floats, values: Floats, ended: NDArray[Any], factor: Floats) -> Floats:
    """What one step was better than expected, r + f V(next) - V, (steps, n, seats); f (steps, n) is the discount, and nothing is
    worth anything behind the end. Values are (steps + 1, n, seats)."""
    goes_on = (factor * (ended == 0))[..., None].astype(np.float32)
    return np.asarray(rewards + goes_on * values[1:] - values[:-1], np.float32)


def discounts_so_far(ended: NDArray[Any], before: NDArray[np.float64], discount: float) -> tuple[Floats, NDArray[np.float64]]:
    """The discount multiplied up since each game began, 1 at its first step: (steps, n), and (n,) for the step after the last;
    `before` (n,) is what it was left at."""
    found, now = np.zeros(ended.shape, np.float32), before.copy()
    for t in range(len(ended)):
        found[t] = now
        now = np.where(ended[t] != 0, 1.0, now * discount)
    return found, now


def first_games(ended: NDArray[Any]) -> NDArray[np.bool_]:
    """(steps, n) which steps belong to the first game of their place: all up to the first end."""
    before = np.cumsum(ended != 0, axis=0) - (ended != 0)
    return np.asarray(before == 0)


def normalised(values: Floats) -> Floats:
    """With mean 0 and deviation 1."""
    return ((values - values.mean()) / (values.std() + 1e-8)).astype(np.float32)  # type: ignore[no-any-return]


def clipped_loss(logs: torch.Tensor, old: torch.Tensor, advantage: torch.Tensor, clip: float) -> torch.Tensor:
    """PPO's (Schulman 2017): minus the mean of min(r A, clip(r, 1 - c, 1 + c) A), r = new / old probability."""
    ratio = (logs - old).exp()
    return -torch.minimum(ratio * advantage, ratio.clamp(1 - clip, 1 + clip) * advantage).mean()


def policy_gradient_loss(logs: torch.Tensor, advantage: torch.Tensor) -> torch.Tensor:
    """REINFORCE and actor-critic: minus the mean of log p A."""
    return -(logs * advantage).mean()


def squared_loss(values: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """Half the mean square."""
    return 0.5 * ((values - targets) ** 2).mean()


def divergence(logs: torch.Tensor, old: torch.Tensor) -> torch.Tensor:
    """How far the policy has moved: Schulman's estimate of KL(old, new), (r - 1) - log r, never negative."""
    difference = logs - old
    return (difference.exp() - 1 - difference).mean()


def cross_entropy(logs: torch.Tensor, policy: torch.Tensor, counted: int) -> torch.Tensor:
    """Of policies that are targets, one behind another: minus the sum of p log q, a decision of those `counted`."""
    return -(policy * logs).sum() / max(1, counted)

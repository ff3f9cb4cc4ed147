"""Losses, weights and schedules of value-based learners as small functions; each is checked with numbers by hand (tests/learn).
Their targets are computed by kernels: nets/targets.py."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

Tensor = torch.Tensor
Floats = NDArray[np.float32]


def epsilon(done: float, start: float, end: float, over: float, shape: str) -> float:
    """Exploration after so many decisions or games: `linear` reaches the end after `over` of them; `exponential` is multiplied
    by exp(-1 / over) each time, and never falls below the end."""
    if shape == "linear":
        return start + min(1.0, done / over) * (end - start)
    return float(max(end, start * np.exp(-done / over)))


def importance(chances: NDArray[np.float64], size: int, beta: float) -> Floats:
    """Weights (N P)^-beta that undo what drawing by priority prefers, over their greatest (Schaul 2016)."""
    weights = (size * chances) ** -beta
    return (weights / weights.max()).astype(np.float32)  # type: ignore[no-any-return]


def priority(errors: Floats, alpha: float, least: float) -> NDArray[np.float64]:
    """(|error| + least)^alpha."""
    return (np.abs(errors.astype(np.float64)) + least) ** alpha


def errors_squared(found: Tensor, wanted: Tensor) -> Tensor:
    """Half the square of each."""
    return 0.5 * (found - wanted) ** 2


def errors_huber(found: Tensor, wanted: Tensor) -> Tensor:
    """Half the square up to 1, straight beyond (Huber 1964)."""
    return torch.nn.functional.huber_loss(found, wanted, reduction="none")


def errors_unsquared(found: Tensor, wanted: Tensor) -> Tensor:
    """The thesis of 2022's: wanted - found as it is. Its gradient is the same whatever was paid."""
    return wanted - found


def cross_entropy(logits: Tensor, wanted: Tensor) -> Tensor:
    """(n,) of distributions over atoms: - sum of wanted * log found."""
    return -(wanted * torch.log_softmax(logits, 1)).sum(1)


def batch_mean_values(values: Floats, means: Floats, counts: NDArray[Any]) -> Floats:
    """Values V + A - mean with each mean over one list replaced by the mean over all lists of the minibatch (a thesis's)."""
    everywhere = float((means * counts).sum() / max(1, counts.sum()))
    return (values + means - everywhere).astype(np.float32)


def mix_into(target: Floats, online: Floats, tau: float) -> None:
    """A soft target: target += tau * (online - target), in place."""
    target += np.float32(tau) * (online - target)

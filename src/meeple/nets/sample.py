"""Choosing by scores: greedily, or at random at a temperature, from an explicit stream."""

from __future__ import annotations

from typing import Any

import numpy as np

from meeple.core.kernel import kernel
from meeple.core.rng import draw, uniform
from meeple.nets.forward import best_score, log_sum_exp


@kernel
def sample(net: Any, n: int, temperature: float, stream: Any) -> int:
    """Place of an action among the n last scored, drawn by softmax of score / temperature; 0: the best."""
    if n == 1 or temperature <= 0.0:
        return best_score(net, n)
    total = log_sum_exp(net.scores, n, temperature)
    left = uniform(stream)
    for j in range(n - 1):
        left -= np.exp(net.scores[j] / temperature - total)
        if left < 0.0:
            return j
    return n - 1


@kernel
def explore(net: Any, n: int, temperature: float, epsilon: float, stream: Any) -> int:
    """The same, but with probability epsilon any action."""
    if epsilon > 0.0 and uniform(stream) < epsilon:
        return draw(stream, n)
    return sample(net, n, temperature, stream)

"""Adam (Kingma, Ba 2015) on one flat tensor, with its state in plain arrays that a checkpoint keeps."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from meeple.learn.model import Model
from meeple.nets.gradient import Descent, fits, make_descent


class Adam:
    """PyTorch's fused Adam, whose moments and counter are arrays of ours."""

    def __init__(self, model: Model, eps: float = 1e-8) -> None:
        self.model, self.flat, self.eps = model, model.flat, eps
        self.first, self.second = np.zeros(model.layout.size, np.float32), np.zeros(model.layout.size, np.float32)
        self.count = np.zeros(1, np.float32)
        self.torch = torch.optim.Adam([model.flat], lr=1e-3, eps=eps, fused=True)
        self.torch.state[model.flat] = {
            "step": torch.from_numpy(self.count)[0],
            "exp_avg": torch.from_numpy(self.first),
            "exp_avg_sq": torch.from_numpy(self.second),
        }

    def step(self, lr: float, most_gradient: float = 0.0) -> float:
        """One step with the gradients as they are, scaled down to a norm if one is given; returns the norm they had."""
        assert self.flat.grad is not None
        norm = float(self.flat.grad.norm())
        if most_gradient and norm > most_gradient:
            self.flat.grad.mul_(most_gradient / norm)
        self.torch.param_groups[0]["lr"] = lr
        self.torch.step()
        return norm

    def by_kernels(self, most_legal: int) -> Descent | None:
        """Gradient steps by kernels with these moments, for networks that they fit."""
        layout = self.model.layout
        return make_descent(layout, self.model.weights, self.arrays(), self.eps, most_legal) if fits(layout) else None

    def arrays(self) -> dict[str, NDArray[Any]]:
        return {"first": self.first, "second": self.second, "count": self.count}

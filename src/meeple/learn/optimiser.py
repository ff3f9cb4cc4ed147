"""Adam (Kingma, Ba 2015) on one flat tensor, with its state in plain arrays that a checkpoint keeps."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from meeple.core.errors import MeepleError
from meeple.learn.model import Model
from meeple.nets.gradient import Descent, adam_numbers, fits, make_descent, move_rows


class Adam:
    """PyTorch's fused Adam, whose moments and counter are arrays of ours.

    Lazy: rows of actions that are not in the minibatch stay where they are, and so do their moments, as with
    torch.optim.SparseAdam. A step on a head of 25,499 rows, of which a minibatch has a few hundred, then takes a tenth of the time.
    """

    def __init__(self, model: Model, eps: float = 1e-8, lazy: bool = False) -> None:
        layout = model.layout
        if lazy and (layout.head not in ("flat", "embedding") or layout.after or layout.noisy):
            raise MeepleError("lazy is for the heads flat and embedding without noise; leave it false for others.")
        self.model, self.eps, self.lazy = model, eps, lazy
        self.first, self.second = np.zeros(layout.size, np.float32), np.zeros(layout.size, np.float32)
        self.count = np.zeros(1, np.float32)
        always = layout.parts["rows.weight"].start if lazy else layout.size
        assert model.flat.grad is not None
        self.dense = model.flat.detach()[:always].requires_grad_()
        self.dense.grad = model.flat.grad[:always]
        self.torch = torch.optim.Adam([self.dense], lr=1e-3, eps=eps, fused=True)
        self.torch.state[self.dense] = {
            "step": torch.from_numpy(self.count)[0],
            "exp_avg": torch.from_numpy(self.first[:always]),
            "exp_avg_sq": torch.from_numpy(self.second[:always]),
        }
        model.lazy = lazy

    def descend(self, loss: torch.Tensor, lr: float, most_gradient: float = 0.0) -> float:
        """One step down a loss; returns the norm that its gradient had."""
        assert self.dense.grad is not None
        self.dense.grad.zero_()
        loss.backward()  # type: ignore[no-untyped-call]
        return self.step(lr, most_gradient)

    def step(self, lr: float, most_gradient: float = 0.0) -> float:
        """One step with the gradients as they are, scaled down to a norm if one is given; returns the norm they had."""
        assert self.dense.grad is not None
        picked = self.model.picked if self.lazy else None
        leaves = [self.dense, *(picked[1:] if picked else ())]
        norm = float(torch.stack([leaf.grad.norm() for leaf in leaves if leaf.grad is not None]).norm())
        scale = most_gradient / norm if most_gradient and norm > most_gradient else 1.0
        if scale != 1.0:
            self.dense.grad.mul_(scale)
        self.torch.param_groups[0]["lr"] = lr
        self.torch.step()
        if picked is not None:
            self._step_rows(*picked, adam_numbers(lr, float(self.count[0]), scale, self.eps))
        return norm

    def _step_rows(self, ids: NDArray[np.int32], rows: torch.Tensor, biases: torch.Tensor, numbers: Any) -> None:
        layout, arrays = self.model.layout, (self.model.weights, self.first, self.second)
        for name, leaf in (("rows.weight", rows), ("rows.bias", biases)):
            assert leaf.grad is not None
            width = rows.shape[1] if leaf is rows else 1
            weights, first, second = (layout.of(array, name).reshape(-1, width) for array in arrays)
            move_rows(weights, leaf.grad.numpy().reshape(-1, width), first, second, ids, numbers)
        self.model.picked = None

    def by_kernels(self, most_legal: int) -> Descent | None:
        """Gradient steps by kernels with these moments, for networks that they fit, where no other device is asked for."""
        model = self.model
        if not fits(model.layout) or model.device.type != "cpu":
            return None
        return make_descent(model.layout, model.weights, self.arrays(), self.eps, most_legal, self.lazy)

    def arrays(self) -> dict[str, NDArray[Any]]:
        return {"first": self.first, "second": self.second, "count": self.count}

"""The network for PyTorch: the same weights in the same memory as the kernel's, so that nothing is ever copied between them.

All weights are one flat tensor and all gradients another; the parameters are views of both. So the optimiser makes one step on one
tensor, and rollouts see it at once.
"""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray

from meeple.nets.forward import Net, make_net, refresh_rows
from meeple.nets.layout import Layout

Tensor = torch.Tensor


class Model:
    """A layout with weights that can be learnt."""

    def __init__(self, layout: Layout, weights: NDArray[np.float32], features: NDArray[np.float32] | None = None) -> None:
        self.layout = layout
        self.features = features
        self.weights = weights  # shared with every tensor below
        self.flat = torch.from_numpy(self.weights).requires_grad_()
        self.flat.grad = torch.zeros(layout.size)
        self.parts = {name: self._part(name) for name in layout.parts}
        self.noise: dict[str, Tensor] = {}  # of noisy parts, while they learn
        self._described = None if features is None else torch.from_numpy(features)

    def _part(self, name: str) -> Tensor:
        """A leaf that views the flat weights, and whose gradient views the flat gradient."""
        part, grad = self.layout.parts[name], self.flat.grad
        assert grad is not None
        leaf = self.flat.detach()[part.start : part.stop].view(part.shape).requires_grad_()
        leaf.grad = grad[part.start : part.stop].view(part.shape)
        return leaf

    def disturb(self, noise: dict[str, NDArray[np.float32]]) -> None:
        """From now on compute with this noise; none: without any."""
        self.noise = {name: torch.from_numpy(drawn) for name, drawn in noise.items()}

    def part(self, name: str) -> Tensor:
        """A part with its noise."""
        part = self.parts[name]
        return part + self.parts[f"{name}.noise"] * self.noise[name] if name in self.noise else part

    def zero_grad(self) -> None:
        assert self.flat.grad is not None
        self.flat.grad.zero_()

    def trunk(self, observations: Tensor) -> Tensor:
        """(n, last hidden width)"""
        x = observations
        for i in range(len(self.layout.hidden)):
            x = self._linear(f"trunk.{i}", x).relu_()
        return x

    def heads(self, trunk: Tensor) -> tuple[Tensor, Tensor]:
        """Vectors to score actions with, (n, row width), and values, (n, values)."""
        return trunk if self.layout.head == "flat" else self._linear("query", trunk), self._linear("values", trunk)

    def __call__(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        return self.heads(self.trunk(observations))

    def rows(self, ids: NDArray[np.int32]) -> tuple[Tensor, Tensor]:
        """Rows and biases of some actions: only those that occur in a minibatch are ever computed."""
        index = torch.from_numpy(ids)
        if self.layout.head != "features":
            return self.part("rows.weight").index_select(0, index), self.part("rows.bias").index_select(0, index)
        assert self._described is not None
        x = self._described.index_select(0, index)
        for i in range(len(self.layout.row_hidden)):
            x = self._linear(f"rows.{i}", x).relu_()
        return self._linear(f"rows.{len(self.layout.row_hidden)}", x), torch.zeros(len(ids))

    def _linear(self, name: str, x: Tensor) -> Tensor:
        return torch.addmm(self.part(f"{name}.bias"), x, self.part(f"{name}.weight"))

    def net(self, most_legal: int) -> Net:
        """The kernel on the same memory."""
        return make_net(self.layout, self.weights, most_legal, self.features)

    def refresh(self, net: Net) -> None:
        """After the weights have changed: rows that are computed from features are computed anew."""
        if self.layout.head == "features":
            assert self.features is not None
            refresh_rows(self.layout, net, self.features)

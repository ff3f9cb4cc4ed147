"""The network for PyTorch: the same weights in the same memory as the kernel's, so that nothing is ever copied between them.

All weights are one flat tensor and all gradients another; the parameters are views of both. So the optimiser makes one step on one
tensor, and rollouts see it at once. Where there is a GPU, weights and observations go there for a gradient step and gradients come
back by themselves; the lists of legal actions stay here.
"""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray

from meeple.core.errors import MeepleError
from meeple.nets.forward import Net, make_net, refresh_rows
from meeple.nets.layout import AS_WIDE, Layout

Tensor = torch.Tensor


class Model:
    """A layout with weights that can be learnt."""

    def __init__(
        self, layout: Layout, weights: NDArray[np.float32], features: NDArray[np.float32] | None = None, device: str = "cpu"
    ) -> None:
        self.layout = layout
        self.device = torch.device(device)
        self.features = features
        self.weights = weights  # shared with every tensor below
        self.flat = torch.from_numpy(self.weights).requires_grad_()
        self.flat.grad = torch.zeros(layout.size)
        self.parts = {name: self._part(name) for name in layout.parts}
        self.noise: dict[str, Tensor] = {}  # of noisy parts, while they learn
        self._described = None if features is None else torch.from_numpy(features).to(self.device)

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
        x = observations.to(self.device)
        for i in range(len(self.layout.hidden)):
            x = self._linear(f"trunk.{i}", x).relu_()
        return x

    def heads(self, trunk: Tensor) -> tuple[Tensor, Tensor]:
        """Vectors to score actions with, (n, row width), and values, (n, values)."""
        queries = trunk if self.layout.head in AS_WIDE else self._linear("query", trunk)
        return queries.cpu(), self._linear("values", trunk).cpu()

    def extras(self, trunk: Tensor) -> Tensor:
        """What else is predicted, (n, extras)."""
        return self._linear("extras", trunk).cpu()

    def __call__(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        return self.heads(self.trunk(observations))

    def rows(self, ids: NDArray[np.int32]) -> tuple[Tensor, Tensor]:
        """Rows and biases of some actions: only those that occur in a minibatch are ever computed."""
        index = torch.from_numpy(ids)
        if self.layout.head != "features":
            return self.part("rows.weight").index_select(0, index), self.part("rows.bias").index_select(0, index)
        assert self._described is not None
        x = self._described.index_select(0, index.to(self.device))
        for i in range(len(self.layout.row_hidden)):
            x = self._linear(f"rows.{i}", x).relu_()
        return self._linear(f"rows.{len(self.layout.row_hidden)}", x).cpu(), torch.zeros(len(ids))

    def _linear(self, name: str, x: Tensor) -> Tensor:
        weight, bias = (self.part(f"{name}.{part}").to(self.device) for part in ("weight", "bias"))
        return torch.addmm(bias, x, weight)

    def net(self, most_legal: int) -> Net:
        """The kernel on the same memory."""
        return make_net(self.layout, self.weights, most_legal, self.features)

    def refresh(self, net: Net) -> None:
        """After the weights have changed: rows that are computed from features are computed anew."""
        if self.layout.head == "features":
            assert self.features is not None
            refresh_rows(self.layout, net, self.features)


def find_device(name: str) -> str:
    """Where gradients are computed: as asked for, or the GPU where there is one."""
    if not name:
        return "cuda" if torch.cuda.is_available() else "cpu"
    there = {"cpu": True, "cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    if not there.get(name, False):
        raise MeepleError(f"There is no device {name} for gradients here; there is {', '.join(n for n in there if there[n])}.")
    return name

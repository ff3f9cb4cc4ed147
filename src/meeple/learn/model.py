"""The network for PyTorch: the same weights in the same memory as the kernel's, so that nothing is ever copied between them.

All weights are one flat tensor and all gradients another; the parameters are views of both. So the optimiser makes one step on one
tensor, and rollouts see it at once. Where there is a GPU, weights and observations go there for a gradient step and gradients come
back by themselves; the lists of legal actions stay here.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from meeple.core.errors import MeepleError
from meeple.core.game import NO_ITEM, Items
from meeple.nets.forward import Net, make_net, refresh_rows
from meeple.nets.items import ITEM_SHARE
from meeple.nets.layout import AS_WIDE, Layout

Tensor = torch.Tensor


class Trunk(NamedTuple):
    """What the heads begin with."""

    out: Tensor  # (n, last hidden width)
    told: Tensor | None  # (n, items, width) what is said of each item


class Model:
    """A layout with weights that can be learnt."""

    def __init__(
        self,
        layout: Layout,
        weights: NDArray[np.float32],
        features: NDArray[np.float32] | None = None,
        device: str = "cpu",
        items: Items | None = None,
    ) -> None:
        self.layout = layout
        self.device = torch.device(device)
        self.features = features
        self.items = items if layout.items else None
        self.weights = weights  # shared with every tensor below
        self.flat = torch.from_numpy(self.weights).requires_grad_()
        self.flat.grad = torch.zeros(layout.size)
        self.parts = {name: self._part(name) for name in layout.parts}
        self.noise: dict[str, Tensor] = {}  # of noisy parts, while they learn
        self.lazy = False  # are rows copied out to be learnt, so that none but those of a minibatch has a gradient?
        self.picked: tuple[NDArray[np.int32], Tensor, Tensor] | None = None  # then: ids, rows and biases last asked for
        if self.items is not None:
            places = np.where(self.items.numbers == NO_ITEM, layout.inputs, self.items.numbers)  # behind the observation: a zero
            self._places = torch.from_numpy(places.ravel().astype(np.int64)).to(self.device)
            self._sorts = torch.from_numpy(self.items.sorts.astype(np.int64)).to(self.device)
            self._pairs, self._named = pairs_of(self.items)
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

    def trunk(self, observations: Tensor) -> Trunk:
        """Through the hidden layers."""
        x, told = observations.to(self.device), None
        if self.items is None:
            x = self._linear("trunk.0", x).relu_()
        else:
            told = self._tell_items(x)
            x = self._first_layer(x, told.sum(1) * float(ITEM_SHARE)).relu_()
        for i in range(1, len(self.layout.hidden)):
            x = self._linear(f"trunk.{i}", x).relu_()
        return Trunk(x, told)

    def _first_layer(self, x: Tensor, items: Tensor) -> Tensor:
        """Of the observation and of the items' sum. In two, since nobody asks for gradients of an observation."""
        weight, bias = (self.part(f"trunk.0.{part}").to(self.device) for part in ("weight", "bias"))
        return torch.addmm(torch.addmm(bias, x, weight[: self.layout.inputs]), items, weight[self.layout.inputs :])

    def _tell_items(self, x: Tensor) -> Tensor:
        """(n, items, width) every item through the layer they share."""
        assert self.items is not None
        padded = torch.nn.functional.pad(x, (0, 1))
        each = padded.index_select(1, self._places).view(-1, self.layout.items)
        told = (each @ self.part("items.weight").to(self.device)).view(len(x), len(self._sorts), -1)
        return (told + self.part("items.bias").to(self.device).index_select(0, self._sorts)).relu()

    def heads(self, trunk: Trunk) -> tuple[Tensor, Tensor]:
        """Vectors to score actions with, (n, row width), and values, (n, values). Where there are items, a vector goes on with the
        score of each use of each item, which the rows of actions pick out."""
        queries = trunk.out if self.layout.head in AS_WIDE else self._linear("query", trunk.out)
        if trunk.told is not None:
            asked = queries @ self.part("uses.weight").to(self.device).T
            asked = asked.view(len(queries), self.layout.item_uses, self.layout.item_width)
            each = torch.bmm(asked, trunk.told.transpose(1, 2)).flatten(1)
            queries = torch.cat([queries, each.index_select(1, self._pairs.to(self.device))], 1)
        return queries.cpu(), self._linear("values", trunk.out).cpu()

    def extras(self, trunk: Trunk) -> Tensor:
        """What else is predicted, (n, extras)."""
        return self._linear("extras", trunk.out).cpu()

    def __call__(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        return self.heads(self.trunk(observations))

    def rows(self, ids: NDArray[np.int32]) -> tuple[Tensor, Tensor]:
        """Rows and biases of some actions: only those that occur in a minibatch are ever computed."""
        index = torch.from_numpy(ids)
        rows, biases = self._rows(ids, index)
        if self.items is not None:
            rows = torch.cat([rows, self._named.index_select(0, index)], 1)
        return rows, biases

    def _rows(self, ids: NDArray[np.int32], index: Tensor) -> tuple[Tensor, Tensor]:
        if self.lazy:
            rows, biases = (self.parts[f"rows.{part}"].detach().index_select(0, index) for part in ("weight", "bias"))
            self.picked = ids, rows.requires_grad_(), biases.requires_grad_()
            return rows, biases
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
        return make_net(self.layout, self.weights, most_legal, self.features, self.items)

    def copy(self, most_legal: int) -> Net:
        """The kernel on weights of its own, which are the same at first."""
        return make_net(self.layout, self.weights.copy(), most_legal, self.features, self.items)

    def refresh(self, net: Net) -> None:
        """After the weights have changed: rows that are computed from features are computed anew."""
        if self.layout.head == "features":
            assert self.features is not None
            refresh_rows(self.layout, net, self.features)


def pairs_of(items: Items) -> tuple[Tensor, Tensor]:
    """Which uses of which items some action makes, as places in (uses, items); and of every action, 1 at the pair it names."""
    count = len(items.numbers)
    places = np.where(items.item == NO_ITEM, NO_ITEM, items.use * count + items.item)
    pairs = np.unique(places[places != NO_ITEM])
    return torch.from_numpy(pairs.astype(np.int64)), torch.from_numpy((places[:, None] == pairs).astype(np.float32))


def find_device(name: str) -> str:
    """Where gradients are computed: as asked for, or the GPU where there is one."""
    if not name:
        return "cuda" if torch.cuda.is_available() else "cpu"
    there = {"cpu": True, "cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    if not there.get(name, False):
        raise MeepleError(f"There is no device {name} for gradients here; there is {', '.join(n for n in there if there[n])}.")
    return name

"""The shape of a network: which parts it has, and where each lies in one flat array of weights.

Observation -> hidden layers (relu) -> values, and a vector that is scored against the row of each legal action. Where rows come
from is the head: `flat` has a row of the last layer's width for every action (the dense layer of the theses), `embedding` a learned
row of any width, `features` computes rows from what an action takes, gives, sells and pays, so that actions never seen generalise.
`dense` is `flat` learnt as published, over all actions with a mask: the same numbers at many times the cost.

Where a game names the items of an observation (`Game.items`), each goes through one small layer that all of them share. Their sum
is seen beside the observation, and an action that is about an item is scored by what that layer says of it, too.

A distributional network has a vector for each of its atoms. A noisy one has parts `NAME.noise` beside those they disturb; whoever
plays it never looks at them. A `table` is no network: a number for every observation met and every action, found by hashing.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import pairwise
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.errors import MeepleError, UnknownName

HEADS = ("flat", "embedding", "features", "dense", "table")
WITH_ITEMS = ("flat", "embedding", "features")
AS_WIDE = ("flat", "dense")  # heads whose rows are as wide as the last layer, so that no query is needed
INPUTS, OUTPUTS, WEIGHT, BIAS = range(4)  # columns of the table of layers


class Part(NamedTuple):
    """A tensor inside the flat array."""

    start: int
    shape: tuple[int, ...]

    @property
    def stop(self) -> int:
        return self.start + prod(self.shape)


@dataclass(frozen=True)
class Layout:
    """Everything that decides the number of weights. Another width or depth compiles nothing anew."""

    inputs: int
    actions: int
    hidden: tuple[int, ...] = (256, 256)
    head: str = "flat"
    width: int = 64  # of an action's row; a flat head's rows are as wide as the last layer
    features: int = 0  # numbers that describe an action
    row_hidden: tuple[int, ...] = (64,)  # layers between an action's features and its row
    items: int = 0  # numbers that tell an item; 0: items are not looked at one by one
    item_sorts: int = 0
    item_uses: int = 0  # what actions do with items
    item_width: int = 32
    values: int = 1  # one for the seat to move, or one a seat, the seat to move first
    extras: int = 0  # what else is predicted, to learn more from a game than its winner; whoever plays never computes it
    after: bool = False  # one more layer behind the mask, from all actions to all: a fault of a thesis, kept to show it
    dueling: bool = False  # rows score advantages: an action's value is V + A - mean of A over the legal actions
    relu_heads: bool = False  # V and A through a relu each, as in the thesis of 2023 on Rake&Roll
    q: bool = False  # scores are values of actions, and the value of a position is its best action's
    atoms: int = 1  # more than one: an action's value is a distribution over so many numbers from `low` to `high`
    low: float = -1.0
    high: float = 1.0
    noisy: bool = False  # the heads have noise of learned size while they learn

    def __post_init__(self) -> None:
        if self.head not in HEADS:
            raise UnknownName("head of a network", self.head, HEADS)
        if self.head == "features" and self.features < 1:
            raise MeepleError("This game does not describe its actions, so the head must be flat or embedding, not features.")
        if self.atoms > 1 and self.head not in ("embedding", "features"):
            raise MeepleError(f"A distribution over {self.atoms} atoms needs the head embedding or features, not {self.head}.")
        if self.atoms > 1 and (self.relu_heads or not self.low < self.high):
            raise MeepleError(f"Atoms need low < high and no relu_heads, not {self.low} and {self.high}.")
        if self.items and (self.atoms > 1 or self.after or self.head not in WITH_ITEMS):
            raise MeepleError(f"Items need one of the heads {', '.join(WITH_ITEMS)}, no atoms and no layer behind the mask.")
        if self.after and self.head not in AS_WIDE:
            raise MeepleError(f"A layer behind the mask needs the head dense or flat, not {self.head}.")
        if not self.hidden or min(*self.hidden, *self.row_hidden, self.width, self.inputs, self.actions, self.values) < 1:
            raise MeepleError(f"A network needs at least one hidden layer, and no layer without width: {self}.")

    @property
    def row_width(self) -> int:
        return self.hidden[-1] if self.head in AS_WIDE else self.width

    @property
    def first_inputs(self) -> int:
        """What the first layer sees: the observation, and the sum of the items."""
        return self.inputs + (self.item_width if self.items else 0)

    @cached_property
    def parts(self) -> dict[str, Part]:
        """Name -> where it lies."""
        shapes = {"keys": self.hidden[:1], "table": (self.hidden[0], self.actions)} if self.head == "table" else self._shapes()
        found, start = {}, 0
        for name, shape in shapes.items():
            found[name] = Part(start, shape)
            start = found[name].stop
        return found

    def _shapes(self) -> dict[str, tuple[int, ...]]:
        shapes: dict[str, tuple[int, ...]] = {}
        for i, (before, after) in enumerate(_pairs(self.first_inputs, *self.hidden)):
            shapes |= _linear(f"trunk.{i}", before, after)
        if self.items:
            shapes |= {"items.weight": (self.items, self.item_width), "items.bias": (self.item_sorts, self.item_width)}
            shapes["uses.weight"] = (self.item_uses * self.item_width, self.row_width)
        if self.head not in AS_WIDE:
            shapes |= _linear("query", self.hidden[-1], self.width * self.atoms)
        shapes |= _linear("values", self.hidden[-1], self.atoms if self.atoms > 1 else self.values)
        if self.extras:
            shapes |= _linear("extras", self.hidden[-1], self.extras)
        if self.head == "features":
            for i, (before, after) in enumerate(_pairs(self.features, *self.row_hidden, self.width)):
                shapes |= _linear(f"rows.{i}", before, after)
        else:
            shapes |= {"rows.weight": (self.actions, self.row_width), "rows.bias": (self.actions,)}
        if self.after:
            shapes |= _linear("after", self.actions, self.actions)
        if self.noisy:
            disturbed = ("rows" if self.head in AS_WIDE else "query", "values")
            shapes |= {f"{name}.noise": shape for name, shape in shapes.items() if name.split(".")[0] in disturbed}
        return shapes

    @property
    def size(self) -> int:
        """Number of weights."""
        return max(part.stop for part in self.parts.values())

    @cached_property
    def table(self) -> NDArray[np.int64]:
        """The layers as the kernel reads them: the hidden ones, then the query (no outputs in a flat head), then the values."""
        names = [*(f"trunk.{i}" for i in range(len(self.hidden))), "query", "values"]
        return np.array([self._row(name) for name in names], np.int64)

    def _row(self, name: str) -> tuple[int, int, int, int]:
        if f"{name}.weight" not in self.parts:
            return 0, 0, 0, 0
        weight, bias = self.parts[f"{name}.weight"], self.parts[f"{name}.bias"]
        return weight.shape[0], weight.shape[1], weight.start, bias.start

    def of(self, flat: NDArray[np.float32], name: str) -> NDArray[np.float32]:
        """A part of the flat array, as a view."""
        part = self.parts[name]
        return flat[part.start : part.stop].reshape(part.shape)

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    @staticmethod
    def from_dict(given: dict[str, Any]) -> Layout:
        filled: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in given.items()}
        return Layout(**filled)


def random_weights(layout: Layout, seed: int, spans: NDArray[np.float32] | None = None) -> NDArray[np.float32]:
    """Weights to begin with: hidden layers keep the size of what they pass on (He 2015), all actions are about alike, and inputs
    count alike whatever their spans (how large each may become)."""
    rng = np.random.default_rng(seed)
    flat = np.zeros(layout.size, np.float32)
    if layout.head == "table":
        return flat
    for name, part in layout.parts.items():
        if name.endswith("noise"):
            layout.of(flat, name)[:] = _noise(layout, name)
        elif name.endswith("weight"):
            layout.of(flat, name)[:] = rng.standard_normal(part.shape) * _spread(layout, name, part.shape[0])
        elif name.startswith("trunk"):  # so that not all relus bend at zero
            inputs = layout.parts[name.replace("bias", "weight")].shape[0]
            layout.of(flat, name)[:] = rng.uniform(-1, 1, part.shape) / np.sqrt(inputs)
    if spans is not None:
        layout.of(flat, "trunk.0.weight")[: layout.inputs] /= np.maximum(spans, 1)[:, None]
    return flat


def _spread(layout: Layout, name: str, inputs: int) -> float:
    if name == "rows.weight":
        return 0.01 if layout.head in AS_WIDE else 1.0
    if name.startswith("after"):
        return float(1.0 / np.sqrt(inputs))  # Glorot 2010, as Keras does
    if name.startswith("uses"):
        return float(np.sqrt(1.0 / layout.item_width))
    if name.startswith("query"):
        return float(0.1 / np.sqrt(inputs * layout.width))
    return float(np.sqrt((0.01 if name.startswith(("values", "extras")) else 2.0) / inputs))


def _noise(layout: Layout, name: str) -> float:
    """Fortunato 2018: half of one over the root of the inputs; shared among the numbers of a row where a query meets one."""
    return float(0.5 / np.sqrt(layout.hidden[-1] * (layout.width if name.startswith("query") else 1)))


def _pairs(*sizes: int) -> list[tuple[int, int]]:
    return list(pairwise(sizes))


def _linear(name: str, inputs: int, outputs: int) -> dict[str, tuple[int, ...]]:
    return {f"{name}.weight": (inputs, outputs), f"{name}.bias": (outputs,)}

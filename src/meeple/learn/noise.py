"""Noisy layers (Fortunato 2018): weights = mean + size * noise, both learned. The noise of a layer is the product of two vectors.

The sizes lie in the network's flat array as parts NAME.noise, so the optimiser, checkpoints and files know nothing of them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from meeple.nets.layout import Layout

Floats = NDArray[np.float32]


def draw_noise(layout: Layout, rng: np.random.Generator) -> dict[str, Floats]:
    """Part -> noise, for every part that has some."""
    found: dict[str, Floats] = {}
    for name in [name[: -len(".weight.noise")] for name in layout.parts if name.endswith(".weight.noise")]:
        rows, columns = (squashed(rng, n) for n in layout.parts[f"{name}.weight"].shape)
        found[f"{name}.weight"] = np.outer(rows, columns)
        found[f"{name}.bias"] = rows if name == "rows" else columns  # rows are an action's each, other layers' columns an output's
    return found


def squashed(rng: np.random.Generator, n: int) -> Floats:
    """sign(x) * sqrt(|x|) of normal x."""
    x = rng.standard_normal(n).astype(np.float32)
    return (np.sign(x) * np.sqrt(np.abs(x))).astype(np.float32)


def disturb(layout: Layout, weights: Floats, noise: dict[str, Floats], out: Floats) -> None:
    """Weights with their noise, for a network that explores by it."""
    out[:] = weights
    for name, drawn in noise.items():
        layout.of(out, name)[:] += layout.of(weights, f"{name}.noise") * drawn

"""Numbers in the form networks like.

Kernels write an observation from left to right: each writes from place n on and returns the next free place. Every place is
written, since a buffer may hold an older observation. The rest makes tables of what actions are made of, a row an action.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.core.game import Field
from meeple.core.kernel import kernel


@kernel
def thermometer(out: Any, n: int, value: int, size: int) -> int:
    """A count in unary: the first `value` of `size` places are one. The sum of the places is the count, up to `size`."""
    for i in range(size):
        out[n + i] = 1.0 if i < value else 0.0
    return n + int(size)  # small types of a state must not make the place one


@kernel
def one_hot(out: Any, n: int, which: int, size: int) -> int:
    """One place of `size` is one; none where `which` is outside."""
    for i in range(size):
        out[n + i] = 1.0 if i == which else 0.0
    return n + int(size)  # small types of a state must not make the place one


@kernel
def scaled(out: Any, n: int, value: float, most: float) -> int:
    """A number as a share of the most it usually is."""
    out[n] = value / most
    return n + 1


def unit(name: str, size: int, meaning: str) -> Field:
    """A field whose numbers go from 0 to 1."""
    return Field(name, size, 0, 1, meaning)


def thermometers(counts: NDArray[Any], places: int) -> NDArray[np.bool_]:
    """Rows of counts as rows of thermometers, `places` a count."""
    unary: NDArray[np.bool_] = counts[:, :, None] > np.arange(places)
    return unary.reshape(len(counts), -1)


def kinds(firsts: Sequence[int], actions: int) -> NDArray[np.float32]:
    """One-hot by the run of ids an action is in; `firsts` are the ids that begin one, rising."""
    which = np.searchsorted(np.array(firsts), np.arange(actions), side="right") - 1
    return np.eye(len(firsts), dtype=np.float32)[which]


def one_each(first: int, end: int, actions: int) -> NDArray[np.float32]:
    """A column for each id of a run: of actions that differ in one thing only, which it is."""
    part = np.zeros((actions, end - first), np.float32)
    part[first:end] = np.eye(end - first)
    return part

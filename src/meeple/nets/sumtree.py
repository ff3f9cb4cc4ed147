"""A sum tree (Schaul 2016): priorities as the leaves of a binary tree of sums, so that drawing in proportion to them takes log n.

tree[1] is the root, the children of k are 2k and 2k + 1, and the leaf of place i is tree[len(tree) // 2 + i].
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.core.kernel import kernel


def make_tree(places: int) -> NDArray[np.float64]:
    """Room for so many priorities, all zero."""
    size = 1
    while size < places:
        size *= 2
    return np.zeros(2 * size)


@kernel
def set_priority(tree: Any, place: int, priority: float) -> None:
    """Sums are taken anew on the way up, so that rounding never adds up."""
    k = tree.size // 2 + place
    tree[k] = priority
    while k > 1:
        k //= 2
        tree[k] = tree[2 * k] + tree[2 * k + 1]


@kernel
def find_place(tree: Any, mass: float) -> int:
    """The place in whose share of the total such a mass falls: 0 is at the very left, just under tree[1] at the right."""
    k, size = 1, tree.size // 2
    while k < size:
        k *= 2
        if mass >= tree[k] and tree[k + 1] > 0.0:  # rounding must not lead to where nothing is
            mass -= tree[k]
            k += 1
    return k - size  # type: ignore[no-any-return]

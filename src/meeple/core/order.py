"""Bringing the best few to the front, inside kernels."""

from __future__ import annotations

from typing import Any

from meeple.core.kernel import kernel


@kernel
def best_first(items: Any, worth: Any, n: int, kept: int) -> None:
    """Of the first n items the `kept` with the highest worth come first, best first; worth moves with them."""
    for i in range(kept):
        best = i
        for j in range(i + 1, n):
            if worth[j] > worth[best]:
                best = j
        items[i], items[best] = items[best], items[i]
        worth[i], worth[best] = worth[best], worth[i]

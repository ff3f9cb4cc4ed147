"""The part of a network that looks at items one by one, such as the cards on a table: one small layer that all of them share."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.game import NO_ITEM, Items
from meeple.core.kernel import fast
from meeple.nets.layout import Layout

ITEM_SHARE = np.float32(0.25)  # of the sum of the items, so that it is about as large as other inputs


class ItemNet(NamedTuple):
    """The part that looks at items; without any, all of it is empty."""

    weight: NDArray[np.float32]  # (numbers, width)
    bias: NDArray[np.float32]  # (sorts, width)
    uses: NDArray[np.float32]  # (uses * width, row width)
    numbers: NDArray[np.int32]  # (items, numbers): see core/game.py, Items
    sorts: NDArray[np.int32]  # (items,)
    item: NDArray[np.int32]  # (actions,)
    use: NDArray[np.int32]  # (actions,)
    told: NDArray[np.float32]  # (items, width) what the layer says of each
    asked: NDArray[np.float32]  # (uses * width,) what the query makes of each use
    seen: NDArray[np.float32]  # (inputs + width,) the observation, then the sum of the items


def make_items(layout: Layout, weights: NDArray[np.float32], items: Items | None) -> ItemNet:
    if not layout.items:
        table, row = np.zeros((0, 0), np.float32), np.zeros(0, np.float32)
        places, names = np.zeros((0, 0), np.int32), np.zeros(0, np.int32)
        return ItemNet(table, table, table, places, names, names, names, told=table, asked=row, seen=row)
    assert items is not None
    return ItemNet(
        weight=layout.of(weights, "items.weight"),
        bias=layout.of(weights, "items.bias"),
        uses=layout.of(weights, "uses.weight"),
        numbers=np.ascontiguousarray(items.numbers, np.int32),
        sorts=np.ascontiguousarray(items.sorts, np.int32),
        item=np.ascontiguousarray(items.item, np.int32),
        use=np.ascontiguousarray(items.use, np.int32),
        told=np.zeros((len(items.numbers), layout.item_width), np.float32),
        asked=np.zeros(layout.item_uses * layout.item_width, np.float32),
        seen=np.zeros(layout.first_inputs, np.float32),
    )


@fast
def tell_items(items: Any, observation: Any) -> None:
    """Every item through the layer they share, and what the trunk sees: the observation, then their sum."""
    width, inputs = items.told.shape[1], items.seen.size - items.told.shape[1]
    for i in range(inputs):
        items.seen[i] = observation[i]
    for j in range(width):
        items.seen[inputs + j] = np.float32(0.0)
    for i in range(items.numbers.shape[0]):
        told, bias = items.told[i], items.bias[items.sorts[i]]
        for j in range(width):
            told[j] = bias[j]
        for k in range(items.numbers.shape[1]):
            place = items.numbers[i, k]
            if place != NO_ITEM and observation[place] != 0.0:
                x, row = observation[place], items.weight[k]
                for j in range(width):
                    told[j] += x * row[j]
        for j in range(width):
            told[j] = max(told[j], np.float32(0.0))
            items.seen[inputs + j] += ITEM_SHARE * told[j]


@fast
def ask_items(items: Any, query: Any) -> None:
    """What the query looks for in an item, for each use of one."""
    for i in range(items.asked.size):
        row = items.uses[i]
        dot = np.float32(0.0)
        for k in range(row.size):
            dot += row[k] * query[k]
        items.asked[i] = dot


@fast
def score_item(items: Any, action: int) -> Any:
    """What its item adds to an action's score."""
    told, first = items.told[items.item[action]], items.use[action] * items.told.shape[1]
    dot = np.float32(0.0)
    for j in range(told.size):
        dot += told[j] * items.asked[first + j]
    return dot

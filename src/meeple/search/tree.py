"""The tree, as arrays that are allocated once.

A node stands for a sequence of actions from the root, whatever cards and dice come between them (open loop):
determinizations that differ in what is hidden or in luck share it. Its children are a linked list, one for each (seat, action) that
some determinization allowed, so a game with thousands of actions costs no more than one with ten. Node 0 is the root.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.game import Variant
from meeple.core.kernel import kernel

NONE = -1
ROOT, WORLD, LEAF = 0, 1, 2  # what Tree.states holds: the root, the determinization on its way down, a playout from the leaf
SUM, SQUARES, COUNT, SCALE = 0, 1, 2, 3  # what Tree.spread holds

NODE = np.dtype(
    (
        np.record,
        [
            ("action", "i4"),  # that leads here,
            ("meaning", "i4"),  # what it is about (Game.meaning), where determinizations are kept apart by it
            ("seat", "i1"),  # and the seat that chose it
            ("opened", "i1"),  # 1 once it was evaluated and may have children
            ("first", "i4"),  # child
            ("next", "i4"),  # sibling
            ("visits", "i4"),
            ("available", "i4"),  # how often its parent was visited in a determinization that allowed it
            ("weight", "f4"),  # prior among its siblings, from the guide
            ("total", "f8"),  # of the values for `seat`
            ("squares", "f8"),
            ("memo", "i4"),  # the guide's note of the table in which it was new, or NONE
            ("looked", "f8"),  # what the guide expected when it was chosen, summed over the visits
        ],
    )
)


class Tree(NamedTuple):
    """A tree and the working space of a search in it."""

    nodes: NDArray[Any]  # (capacity,)
    used: NDArray[np.int64]  # (1,)
    states: NDArray[Any]  # (3,)
    path: NDArray[np.int32]  # (plies,) nodes from the root down
    depth: NDArray[np.int64]  # (1,) how many
    fortune: NDArray[np.float64]  # (plies,) value that luck added after the action that leads there
    hopes: NDArray[np.float64]  # (2,) 1 if the last action drew luck within a turn, and what was expected of it
    out: NDArray[np.int32]  # (room,) legal actions
    logits: NDArray[np.float64]  # (room,)
    best_weight: NDArray[np.float64]  # (1,) the highest of the probabilities that logits become
    kids: NDArray[np.int32]  # (room,) children that the determinization allows
    looks: NDArray[np.float64]  # (room,) and what the guide expects of each in it
    mark: NDArray[np.int32]  # (actions,) stamp of the last listing an action was in
    place: NDArray[np.int32]  # (actions,) and where
    stamp: NDArray[np.int32]  # (1,)
    values: NDArray[np.float64]  # (seats,)
    sums: NDArray[np.float64]  # (seats,)
    stream: NDArray[np.uint64]  # (1,)
    spread: NDArray[np.float64]  # (4,) of the values that came in: sum, squares, count; and what exploration is measured by
    gains: NDArray[np.float64]  # (seats,) of the values that came in: the sum for every seat
    memos: NDArray[np.float32]  # (notes, numbers) of the guide, or nothing
    noted: NDArray[np.int64]  # (1,) how many
    forced: NDArray[np.int32]  # (1,) the child of the root that iterations must take, or NONE


def make_tree(variant: Variant, capacity: int, notes: tuple[int, int] = (0, 0)) -> Tree:
    """Room for so many nodes, and for so many notes of a guide of so many numbers each."""
    shape = variant.shape
    return Tree(
        nodes=np.zeros(capacity, NODE),
        used=np.zeros(1, np.int64),
        states=variant.empty(3),
        path=np.zeros(shape.max_plies + 2, np.int32),
        depth=np.zeros(1, np.int64),
        fortune=np.zeros(shape.max_plies + 2),
        hopes=np.zeros(2),
        out=np.zeros(shape.room, np.int32),
        logits=np.zeros(shape.room),
        best_weight=np.zeros(1),
        kids=np.zeros(shape.room, np.int32),
        looks=np.zeros(shape.room),
        mark=np.zeros(shape.actions, np.int32),
        place=np.zeros(shape.actions, np.int32),
        stamp=np.zeros(1, np.int32),
        values=np.zeros(shape.seats),
        sums=np.zeros(shape.seats),
        stream=np.zeros(1, np.uint64),
        spread=np.zeros(4),
        gains=np.zeros(shape.seats),
        memos=np.zeros(notes, np.float32),
        noted=np.zeros(1, np.int64),
        forced=np.full(1, NONE, np.int32),
    )


@kernel
def clear(tree: Any, scale: float) -> None:
    """Nothing but the root."""
    tree.used[0] = 0
    tree.noted[0] = 0
    add_node(tree, NONE, NONE, 0, 0, 1.0)
    for i in range(3):
        tree.spread[i] = 0.0
    tree.spread[SCALE] = scale
    tree.gains[:] = 0.0
    tree.forced[0] = NONE


@kernel
def add_node(tree: Any, parent: int, action: int, meaning: int, seat: int, weight: float) -> int:
    """A new node, first among its siblings; NONE when there is no room."""
    i = tree.used[0]
    if i == tree.nodes.size:
        return NONE
    tree.used[0] += 1
    node = tree.nodes[i]
    node.action = action
    node.meaning = meaning
    node.seat = seat
    node.opened = 0
    node.first = NONE
    node.next = NONE
    node.visits = 0
    node.available = 0
    node.weight = weight
    node.total = 0.0
    node.squares = 0.0
    node.looked = 0.0
    node.memo = NONE
    if parent != NONE:
        node.next = tree.nodes[parent].first
        tree.nodes[parent].first = i
    return i  # type: ignore[no-any-return]


@kernel
def find_child(tree: Any, parent: int, seat: int, action: int) -> int:
    child = tree.nodes[parent].first
    while child != NONE and (tree.nodes[child].action != action or tree.nodes[child].seat != seat):
        child = tree.nodes[child].next
    return child  # type: ignore[no-any-return]


@kernel
def keep_subtree(tree: Any, top: int, moved: Any) -> None:
    """Make a node the root and drop everything that is not below it. Children have higher numbers than their parents, so nodes
    can be moved down in place; `moved` has room for a number a node."""
    used = tree.used[0]
    for i in range(used):
        moved[i] = NONE
    moved[top] = 0
    kept = 1
    for i in range(top, used):
        if moved[i] != NONE:
            child = tree.nodes[i].first
            while child != NONE:
                moved[child] = 1  # only that it stays; its number comes below
                child = tree.nodes[child].next
    for i in range(top + 1, used):
        if moved[i] != NONE:
            moved[i] = kept
            kept += 1
    for i in range(top, used):
        if moved[i] != NONE:
            node = tree.nodes[i]
            node.first = moved[node.first] if node.first != NONE else NONE
            node.next = moved[node.next] if node.next != NONE and i != top else NONE
            tree.nodes[moved[i]] = node
    tree.used[0] = kept

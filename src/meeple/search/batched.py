"""The hook for a network that is asked about many tables at once.

A guide inside the kernel is asked leaf by leaf. A network in Python is worth its call only for a batch: so many descents are made
first, each counted as a loss for whoever chose it, so that the next one goes elsewhere (virtual loss); then the network is asked
once, the losses are taken back, and what it said is told to every node on the way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.game import Variant
from meeple.core.guide import NoGuide
from meeple.core.kernel import kernel
from meeple.search.driver import Search
from meeple.search.mcts import backward, descend, enter_world, result
from meeple.search.select import add_children, list_actions
from meeple.search.tree import WORLD


class Leaves(NamedTuple):
    """Tables that wait for an answer, one a row."""

    states: NDArray[Any]  # (size,)
    legal: NDArray[np.int32]  # (size, room) actions of the seat to move
    counts: NDArray[np.int32]  # (size,) how many; 0: the game is over there
    logits: NDArray[np.float64]  # (size, room) for the network to write: of each action,
    values: NDArray[np.float64]  # (size, seats) and of the table, for each seat
    paths: NDArray[np.int32]  # (size, plies)
    depths: NDArray[np.int64]  # (size,)


# Fills logits and values of the first n leaves.
Network = Callable[[Leaves, int], None]


def make_leaves(variant: Variant, size: int) -> Leaves:
    shape = variant.shape
    return Leaves(
        states=variant.empty(size),
        legal=np.zeros((size, shape.room), np.int32),
        counts=np.zeros(size, np.int32),
        logits=np.zeros((size, shape.room)),
        values=np.zeros((size, shape.seats)),
        paths=np.zeros((size, shape.max_plies + 2), np.int32),
        depths=np.zeros(size, np.int64),
    )


@kernel
def gather(tree: Any, rules: Any, guide: Any, leaves: Any, n: int, first: int) -> None:
    """Descend n times and write down where that led."""
    for k in range(n):
        enter_world(tree, rules, first + k)
        descend(tree, rules, guide)
        world = tree.states[WORLD]
        leaves.states[k] = world
        leaves.depths[k] = tree.depth[0]
        for i in range(tree.depth[0]):
            node = tree.nodes[tree.path[i]]
            node.visits += 1  # a loss: the visit counts, its value is nothing yet
            leaves.paths[k, i] = tree.path[i]
        leaves.counts[k] = 0
        if world.end > 0:
            result(world, rules.points, leaves.values[k])
        else:
            leaves.counts[k] = list_actions(tree, rules)
            leaves.legal[k] = tree.out


@kernel
def hand_back(tree: Any, rules: Any, leaves: Any, n: int) -> None:
    """Tell the tree what the leaves are worth, in the order in which they were found."""
    for k in range(n):
        tree.depth[0] = leaves.depths[k]
        for i in range(leaves.depths[k]):
            tree.path[i] = leaves.paths[k, i]
            tree.nodes[tree.path[i]].visits -= 1
        leaf = tree.path[tree.depth[0] - 1]
        tree.states[WORLD] = leaves.states[k]
        if leaves.counts[k] > 0 and not tree.nodes[leaf].opened:
            tree.nodes[leaf].opened = 1
            for i in range(leaves.counts[k]):
                tree.out[i] = leaves.legal[k, i]
                tree.logits[i] = leaves.logits[k, i]
            add_children(tree, rules, leaf, leaves.counts[k])
        for seat in range(tree.sums.size):
            tree.sums[seat] = leaves.values[k, seat]
        backward(tree, rules.points, 1)


class BatchedSearch(Search):
    """A search whose leaves are valued by a network, so many at a time. `rules.select` should be PUCT and `rules.cut` 0."""

    def ask(self, network: Network, size: int) -> None:
        """Whom to ask, and about how many tables at once."""
        self.network = network
        self.leaves = make_leaves(self.variant, size)

    def iterate(self, iterations: int) -> None:
        done = 0
        while done < iterations:
            n = min(len(self.leaves.counts), iterations - done)
            # Actions that no network was asked about, because another world had opened their node, count as average.
            gather(self.tree, self.rules, NoGuide(), self.leaves, n, self.first + self.iterations)
            self.network(self.leaves, n)
            hand_back(self.tree, self.rules, self.leaves, n)
            self.iterations += n
            done += n

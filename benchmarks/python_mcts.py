"""The search of `meeple.search` once more, as one would write it in plain Python: what compiling the tree gains is measured by it.

Same engine, same algorithm: every iteration redeals what the searching seat cannot know, goes down by UCB1 over the children that
this world allows, adds a node, plays out at random to the end, and tells every node on the way what came of it. The rules are the
game's own compiled kernels, called one by one. `meeple bench search` runs it beside the compiled one, on the same positions.
"""

from __future__ import annotations

import random
import time
from math import inf, log, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.core.game import Variant

WARM = 8  # values seen before their spread means anything


class Node:
    """A sequence of actions from the root, whatever cards come between them."""

    __slots__ = ("action", "available", "children", "opened", "seat", "total", "visits")

    def __init__(self, seat: int, action: int) -> None:
        self.seat = seat  # whose action leads here
        self.action = action
        self.children: dict[tuple[int, int], Node] = {}
        self.opened = False
        self.visits = 0
        self.available = 0
        self.total = 0.0


class PythonMcts:
    """Information-set search for one decision."""

    def __init__(self, variant: Variant, root: NDArray[Any], c: float, seed: int) -> None:
        self.variant = variant
        self.game = variant.game
        self.position = root
        self.seat = int(root[0].seat)
        self.c = c
        self.luck = random.Random(seed)
        self.out = np.zeros(variant.shape.room, np.int32)
        self.root = Node(self.seat, -1)
        self.scale = 1.0  # what exploration is measured by: where values are points, by how much they vary
        self.seen: list[float] = [0.0, 0.0, 0.0]

    def run(self, iterations: int) -> float:
        """Returns the seconds it took."""
        started = time.perf_counter()
        for _ in range(iterations):
            self.iterate()
        return time.perf_counter() - started

    def iterate(self) -> None:
        world = self.position.copy()
        s = world[0]
        self.game.redeal(s, self.seat, np.uint64(self.luck.getrandbits(64)))
        path = self.descend(s)
        path[-1].opened = True
        self.play_out(s)
        self.backward(path, self.result(s))

    def legal(self, s: Any) -> list[int]:
        n = self.game.legal(s, self.out)
        actions: list[int] = self.out[:n].tolist()
        return actions

    def apply(self, s: Any, action: int) -> None:
        s.ply += 1
        self.game.apply(s, action)

    def descend(self, s: Any) -> list[Node]:
        """Nodes from the root to one that is new, or to the end of the game; s moves along."""
        node = self.root
        path = [node]
        while not s.end and node.opened:
            node = self.select(node, int(s.seat), self.legal(s))
            self.apply(s, node.action)
            path.append(node)
        return path

    def select(self, parent: Node, seat: int, actions: list[int]) -> Node:
        """Any child that was never tried; else the best by mean + C sqrt(2 ln n / n_i), n counting when it was available."""
        present = [child for action in actions if (child := parent.children.get((seat, action)))]
        for child in present:
            child.available += 1
        if len(present) < len(actions):
            untried = [action for action in actions if (seat, action) not in parent.children]
            action = self.luck.choice(untried)
            child = parent.children[seat, action] = Node(seat, action)
            child.available = 1
            return child
        best, most = present[0], -inf
        for child in present:
            value = child.total / child.visits + self.c * self.scale * sqrt(2 * log(child.available) / child.visits)
            if value > most:
                best, most = child, value
        return best

    def play_out(self, s: Any) -> None:
        while not s.end:
            self.apply(s, self.luck.choice(self.legal(s)))

    def result(self, s: Any) -> list[float]:
        """What the end is worth to each seat."""
        values = np.zeros(self.variant.shape.seats)
        (self.game.outcome if self.variant.shape.winnable else self.game.scores)(s, values)
        worth: list[float] = values.tolist()
        return worth

    def backward(self, path: list[Node], values: list[float]) -> None:
        for node in path:
            node.visits += 1
            node.total += values[node.seat]
        if not self.variant.shape.winnable:
            value = values[self.seat]
            count, total, squares = self.seen = [self.seen[0] + 1, self.seen[1] + value, self.seen[2] + value * value]
            if count >= WARM:
                self.scale = max(1e-9, sqrt(max(0.0, squares / count - (total / count) ** 2)))

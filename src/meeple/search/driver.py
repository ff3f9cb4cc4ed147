"""A search in progress: the Python around the kernels. It watches the budget, keeps the tree from move to move, and reads it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.game import Variant
from meeple.core.guide import memo_size
from meeple.search.mcts import search
from meeple.search.select import Settings, forget_illegal, unit
from meeple.search.tree import NONE, ROOT, Tree, clear, find_child, keep_subtree, make_tree

SLICE = 0.004  # seconds between two looks at the clock
FIRST = 2  # iterations after which the speed is known well enough to reckon how many are left
CHILDREN = 24  # new nodes an iteration that a tree has room for: with a network Jaipur makes 16, Splendor 11; a full tree is blind
CHILDREN_A_TURN = 64  # the same where every iteration goes down whole turns
CHILDREN_NOTED = 12  # nodes for each of which there is room for a note: those that were never visited need none
CLOSE = 0.5  # of the best action's visits: an action that has more may still overtake it
LEAST_NODES = 1 << 12  # that there is room for in any case
MOST_NODES = 1 << 20  # and in no case more: then the tree stops growing


class Budget(NamedTuple):
    """How long to think: iterations, or milliseconds where these are given."""

    iterations: int
    ms: float = 0.0


class RootActions(NamedTuple):
    """What a search says of each action at the root."""

    actions: NDArray[np.int32]
    visits: NDArray[np.int64]
    totals: NDArray[np.float64]  # of the values for the seat to move
    squares: NDArray[np.float64]

    def best(self) -> int:
        """Most visited; of these the most valuable."""
        means = self.totals / np.maximum(1, self.visits)
        return int(self.actions[np.lexsort((-means, -self.visits))[0]])


class Search:
    """One seat's search at one table. With `memory`, a node visited again, in another determinization, asks the guide's note of the
    first, where the guide keeps notes."""

    def __init__(self, variant: Variant, settings: Settings, guide: Any, policy: Any, budget: Budget, memory: bool = False) -> None:
        self.variant = variant
        self.settings = settings
        self.guide = guide
        self.policy = policy
        self.budget = budget
        room = MOST_NODES if budget.ms else max(CHILDREN, CHILDREN_A_TURN * settings.turns) * budget.iterations
        nodes = max(LEAST_NODES, min(MOST_NODES, room))
        size = memo_size(guide) if memory else 0
        self.tree: Tree = make_tree(variant, nodes, (nodes // CHILDREN_NOTED if size else 0, size))
        self.first = 0  # number of the first iteration
        self.iterations = 0  # made since the last position was set

    def set_root(self, array: NDArray[Any], first: int = 0) -> None:
        """Start a new tree from a position: redealt for its seat, or the true one if the search is clairvoyant."""
        self.tree.states[ROOT] = array[0]
        clear(self.tree, 1.0)
        self.first = first
        self.iterations = 0

    def follow(self, array: NDArray[Any], played: Sequence[tuple[int, int]]) -> int:
        """Keep the subtree of a later position, to which the played (seat, action) pairs lead. Returns the visits kept."""
        node = 0
        for seat, action in played:  # a secret one is HIDDEN, and no node is
            node = find_child(self.tree, node, seat, action)
            if node == NONE:
                break
        # With trust, the values in nodes depend on where the root was; with meanings, an action may have several nodes.
        if node == NONE or not self.tree.nodes[node]["opened"] or self.settings.trust or self.settings.meanings:
            self.set_root(array)
            return 0
        keep_subtree(self.tree, node, np.zeros(int(self.tree.used[0]), np.int32))
        self.tree.states[ROOT] = array[0]
        self.tree.noted[0] = 0  # notes are of tables that were only imagined then, and there is no room for those of whole games
        self.tree.nodes["memo"][: self.tree.used[0]] = NONE
        forget_illegal(self.tree, self.settings)
        self.iterations = 0
        return int(self.tree.nodes[0]["visits"])

    def run(self, early: bool = True, saved: float = 0.0) -> float:
        """Think until the budget is spent; or, if `early`, until the rest of it can no longer change the answer. `saved`:
        milliseconds that may be added, at most as many as the budget has, where the answer is still open then. Returns what is left
        of both."""
        # The first iterations come before the clock starts, since they may load or compile kernels.
        while not self.root_actions().visits.any():
            self.iterate(1)
        started = time.perf_counter()
        size, ms = 16, self.budget.ms
        while True:
            left = self._left(started, ms)
            if left <= 0 and ms == self.budget.ms and saved > 0 and self._open():
                ms += min(saved, ms)
            elif left <= 0 or (early and self.iterations and self._decided(left)):
                return self.budget.ms + saved - (time.perf_counter() - started) * 1000
            size = max(1, min(size, left))
            before = time.perf_counter()
            self.iterate(size)
            if (seconds := time.perf_counter() - before) > 0:
                size = max(1, min(4 * size, int(size * SLICE / seconds)))

    def iterate(self, iterations: int) -> None:
        search(self.tree, self.settings, self.guide, self.policy, self.first + self.iterations, iterations)
        self.iterations += iterations

    def _left(self, started: float, ms: float) -> int:
        """Iterations that are left, as far as can be told. Where a leaf is played out several times, each playout counts, as in the
        thesis."""
        if not ms:
            return -(-self.budget.iterations // unit(self.settings)) - self.iterations
        spent = time.perf_counter() - started
        if self.iterations <= FIRST:
            return 1 << 30
        return int(self.iterations * (ms / 1000 - spent) / spent)

    def _decided(self, left: int) -> bool:
        visits = np.sort(np.append(self.root_actions().visits, 0))  # actions without a node may still get one
        return bool(visits[-1] - visits[-2] > left * unit(self.settings))

    def _open(self) -> bool:
        """Is another action nearly as good, as far as visits tell?"""
        visits = np.sort(np.append(self.root_actions().visits, 0))
        return bool(visits[-2] > CLOSE * visits[-1])

    def root_actions(self) -> RootActions:
        """The children of the root."""
        ids, child = [], int(self.tree.nodes[0]["first"])
        while child != NONE:
            ids.append(child)
            child = int(self.tree.nodes[child]["next"])
        nodes = self.tree.nodes[ids]
        return RootActions(nodes["action"], nodes["visits"].astype(np.int64), nodes["total"], nodes["squares"])

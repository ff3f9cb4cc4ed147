"""A decision from few iterations: Gumbel noise picks which actions are tried, sequential halving which of them are tried more.

Danihelka, Guez, Schrittwieser, Silver 2022. Unlike visits of PUCT with added noise, what it finds is an improvement of the prior
however few iterations there are: the target that expert iteration learns from.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.game import Variant
from meeple.core.kernel import kernel
from meeple.core.rng import uniform
from meeple.search.mcts import search
from meeple.search.tree import NONE, ROOT, SCALE

LEAST = 1e-300  # of which the logarithm is still a number


class Root(NamedTuple):
    """The actions of a root while they are compared. Places are those of the list of children."""

    size: NDArray[np.int64]  # (1,) how many
    kids: NDArray[np.int32]  # (room,) nodes
    actions: NDArray[np.int32]  # (room,)
    logits: NDArray[np.float64]  # (room,) logarithm of the prior
    noise: NDArray[np.float64]  # (room,) Gumbel's
    worth: NDArray[np.float64]  # (room,) what they are compared by
    order: NDArray[np.int32]  # (room,) places; those still in the running come first
    policy: NDArray[np.float64]  # (room,) the improved policy, when it is done
    value: NDArray[np.float64]  # (1,) what the seat may expect of that policy


class Thrift(NamedTuple):
    """How a budget is spent, and what a value is worth beside the prior."""

    considered: int  # actions that are tried at all
    noise: float  # weight of Gumbel's noise: 1 samples, 0 takes what looks best
    visits: float  # a value counts (visits + most visits of an action) * weight
    weight: float


def make_root(variant: Variant) -> Root:
    room = variant.shape.room
    whole = (np.zeros(room, np.int32) for _ in range(3))
    real = (np.zeros(room) for _ in range(4))
    kids, actions, order = whole
    logits, noise, worth, policy = real
    return Root(np.zeros(1, np.int64), kids, actions, logits, noise, worth, order, policy, np.zeros(1))


@kernel
def gumbel(stream: Any) -> float:
    """Gumbel's distribution: the greatest of logit + this is a sample of the softmax."""
    return -np.log(-np.log(max(LEAST, uniform(stream))))  # type: ignore[no-any-return]


@kernel
def list_root(tree: Any, root: Any) -> int:
    """The children of the root with their priors; returns how many."""
    n = 0
    child = tree.nodes[0].first
    while child != NONE:
        node = tree.nodes[child]
        root.kids[n] = child
        root.actions[n] = node.action
        root.logits[n] = np.log(max(1e-30, node.weight))
        n += 1
        child = node.next
    root.size[0] = n
    return n


@kernel
def gumbel_search(tree: Any, settings: Any, guide: Any, policy: Any, root: Any, plan: Any) -> int:
    """Search from tree.states[ROOT], a tree that holds nothing but its root. Returns the place of the action chosen among
    root.actions; root.policy is then the improved policy. plan = (thrift, iterations, stream)."""
    thrift, iterations, stream = plan
    search(tree, settings, guide, policy, 0, 1)  # the guide's priors and value of the root
    value = tree.gains[tree.states[ROOT].seat]
    n = list_root(tree, root)
    for j in range(n):
        root.order[j] = j
        root.noise[j] = thrift.noise * gumbel(stream)
        root.worth[j] = root.noise[j] + root.logits[j]
    running = min(n, thrift.considered)
    bring_forward(root, n, running)
    rounds = 1
    while (1 << rounds) < running:
        rounds += 1
    used = 1
    while used < iterations:
        each = max(1, (iterations - 1) // (rounds * running))
        for k in range(running):
            tree.forced[0] = root.kids[root.order[k]]
            for _ in range(each):
                if used < iterations:
                    search(tree, settings, guide, policy, used, 1)
                    used += 1
        weigh(tree, root, thrift, n, value)
        for k in range(running):
            j = root.order[k]
            root.worth[j] += root.noise[j]
        bring_forward(root, running, running)
        if running > 1:
            running = (running + 1) // 2
    tree.forced[0] = NONE
    improve(tree, root, thrift, n, value)
    return root.order[0]  # type: ignore[no-any-return]


@kernel
def bring_forward(root: Any, n: int, kept: int) -> None:
    """Of the first n places in root.order the `kept` with the highest worth come first, best first."""
    for i in range(kept):
        best = i
        for j in range(i + 1, n):
            if root.worth[root.order[j]] > root.worth[root.order[best]]:
                best = j
        root.order[i], root.order[best] = root.order[best], root.order[i]


@kernel
def weigh(tree: Any, root: Any, thrift: Any, n: int, value: float) -> None:
    """root.worth[j] = prior's logit + what the action's value adds. An action never visited counts as `mixed_value`."""
    most = 0
    for j in range(n):
        most = max(most, tree.nodes[root.kids[j]].visits)
    factor = (thrift.visits + most) * thrift.weight / max(1e-9, tree.spread[SCALE])
    unknown = mixed_value(tree, root, n, value)
    for j in range(n):
        node = tree.nodes[root.kids[j]]
        found = node.total / node.visits if node.visits > 0 else unknown
        root.worth[j] = root.logits[j] + factor * (found - unknown)


@kernel
def mixed_value(tree: Any, root: Any, n: int, value: float) -> float:
    """What is known of the root: the guide's value and the values of visited actions, these weighted by their priors."""
    visits, weights, total = 0, 0.0, 0.0
    for j in range(n):
        node = tree.nodes[root.kids[j]]
        if node.visits > 0:
            prior = np.exp(root.logits[j])
            visits += node.visits
            weights += prior
            total += prior * node.total / node.visits
    return (value + visits * total / weights) / (1 + visits) if visits > 0 else value


@kernel
def improve(tree: Any, root: Any, thrift: Any, n: int, value: float) -> None:
    """root.policy: softmax of prior and values. root.value: the mean of the actions' values by this policy, not by visits, of which
    actions that were only tried and given up have many."""
    weigh(tree, root, thrift, n, value)
    most = -np.inf
    for j in range(n):
        most = max(most, root.worth[j])
    total = 0.0
    for j in range(n):
        root.policy[j] = np.exp(root.worth[j] - most)
        total += root.policy[j]
    root.value[0] = 0.0
    unknown = mixed_value(tree, root, n, value)
    for j in range(n):
        root.policy[j] /= total
        node = tree.nodes[root.kids[j]]
        root.value[0] += root.policy[j] * (node.total / node.visits if node.visits > 0 else unknown)

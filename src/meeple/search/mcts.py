"""Information-set Monte Carlo tree search, for any number of seats: every iteration deals anew what the searching seat cannot know,
goes down the tree in that world, values where it ends, and tells all nodes on the way what it was worth to whoever chose them.

Four verbs: `search` repeats `descend` (selection and expansion), `evaluate_leaf` (guide or playout) and `backward`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from meeple.core.agent import choose
from meeple.core.guide import advise
from meeple.core.kernel import inlined, kernel
from meeple.core.rng import derive
from meeple.core.verbs import apply, legal, outcome, redeal, scores
from meeple.search.select import PUCT, add_children, list_actions, select, unit
from meeple.search.tree import COUNT, LEAF, NONE, ROOT, SCALE, SQUARES, SUM, WORLD

WARM = 8  # values seen before their spread means anything


@kernel
def search(tree: Any, rules: Any, guide: Any, policy: Any, first: int, iterations: int) -> None:
    """Iterations `first` to `first + iterations - 1` from tree.states[ROOT]; any split of the work gives the same tree."""
    for i in range(first, first + iterations):
        enter_world(tree, rules, i)
        fresh = descend(tree, rules, guide)
        evaluate_leaf(tree, rules, guide, policy, fresh)
        backward(tree, rules.points, unit(rules))


@inlined
def enter_world(tree: Any, rules: Any, number: int) -> None:
    """A world as it may be, and all luck of an iteration by its number."""
    root = tree.states[ROOT]
    seed = derive(root.luck[0], number)
    tree.states[WORLD] = root
    if not rules.clairvoyant:
        redeal(tree.states[WORLD], root.seat, seed)
    tree.stream[0] = derive(seed, 1)


@inlined
def descend(tree: Any, rules: Any, guide: Any) -> bool:
    """Go down to a node that was never evaluated, or to the end of the game. True where the node is new."""
    world = tree.states[WORLD]
    node = 0
    tree.path[0] = 0
    tree.depth[0] = 1
    while world.end == 0 and tree.nodes[node].opened:
        child = select(tree, rules, guide, node, list_actions(tree, rules))
        if child == NONE:
            return False
        node = child
        apply(world, tree.nodes[node].action)
        tree.path[tree.depth[0]] = node
        tree.depth[0] += 1
    return world.end == 0 and not tree.nodes[node].opened


@inlined
def evaluate_leaf(tree: Any, rules: Any, guide: Any, policy: Any, fresh: bool) -> None:
    """What the world is worth to each seat, summed over the playouts, in tree.sums. A new node gets its children."""
    world = tree.states[WORLD]
    if world.end > 0:
        result(world, rules.points, tree.values)
        _sum_up(tree, unit(rules))
        return
    if fresh:
        leaf = tree.path[tree.depth[0] - 1]
        tree.nodes[leaf].opened = 1
        if rules.select == PUCT or rules.cut == 0:
            n = list_actions(tree, rules)
            advise(guide, world, tree.out, n, tree.logits, tree.values)
            if rules.select == PUCT:
                add_children(tree, rules, leaf, n)
    elif rules.cut == 0:
        n = list_actions(tree, rules)
        advise(guide, world, tree.out, n, tree.logits, tree.values)
    if rules.cut == 0:
        _sum_up(tree, 1)
        return
    for seat in range(tree.sums.size):
        tree.sums[seat] = 0.0
    for _ in range(rules.playouts):
        play_on(tree, rules, guide, policy)
        for seat in range(tree.sums.size):
            tree.sums[seat] += tree.values[seat]


@kernel
def _sum_up(tree: Any, playouts: int) -> None:
    for seat in range(tree.sums.size):
        tree.sums[seat] = playouts * tree.values[seat]


@inlined
def play_on(tree: Any, rules: Any, guide: Any, policy: Any) -> None:
    """A playout from the world; what it comes to in tree.values."""
    tree.states[LEAF] = tree.states[WORLD]
    s = tree.states[LEAF]
    plies = 0
    while s.end == 0 and plies != rules.cut:
        apply(s, choose(policy, s, tree.stream, tree.out))
        plies += 1
    if s.end > 0:
        result(s, rules.points, tree.values)
    else:
        n = legal(s, tree.out)
        advise(guide, s, tree.out, n, tree.logits, tree.values)


@kernel
def result(s: Any, points: int, values: Any) -> None:
    if points:
        scores(s, values)
    else:
        outcome(s, values)


@kernel
def backward(tree: Any, points: int, playouts: int) -> None:
    """Tell every node on the way what came of it."""
    root_seat = tree.states[ROOT].seat
    tree.nodes[0].visits += playouts
    tree.nodes[0].total += tree.sums[root_seat]
    for i in range(1, tree.depth[0]):
        node = tree.nodes[tree.path[i]]
        value = tree.sums[node.seat]
        node.visits += playouts
        node.total += value
        node.squares += value * value / playouts
    if points:
        _widen_scale(tree.spread, tree.sums[root_seat] / playouts)


@kernel
def _widen_scale(spread: Any, value: float) -> None:
    """Where values are points, exploration is measured by how much they vary, or once did: when the search has settled on an action
    that is sure of its points, they no longer vary, and one unlucky look at another must not be the last."""
    spread[SUM] += value
    spread[SQUARES] += value * value
    spread[COUNT] += 1
    if spread[COUNT] >= WARM:
        mean = spread[SUM] / spread[COUNT]
        deviation = np.sqrt(max(0.0, spread[SQUARES] / spread[COUNT] - mean * mean))
        spread[SCALE] = deviation if spread[COUNT] == WARM else max(spread[SCALE], deviation)

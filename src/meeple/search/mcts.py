"""Information-set Monte Carlo tree search, for any number of seats.

Every iteration redeals what the searching seat cannot know, descends the tree in that determinization (world), values the leaf, and
adds the value to every node on the path, from the viewpoint of the seat that chose the node.

`search` repeats four steps: `enter_world` (redeal), `descend` (selection and expansion), `evaluate_leaf` (guide or playout) and
`backward`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from meeple.core.agent import choose
from meeple.core.guide import advise, look, value_before_luck
from meeple.core.kernel import inlined, kernel
from meeple.core.rng import PLAYOUT, derive
from meeple.core.verbs import apply, legal, outcome, redeal, scores
from meeple.search.select import PUCT, add_children, list_actions, note_luck, open_children, select, unit
from meeple.search.tree import COUNT, LEAF, NONE, ROOT, SCALE, SQUARES, SUM, WORLD

WARM = 8  # values seen before their spread means anything


@kernel
def search(tree: Any, settings: Any, guide: Any, policy: Any, first: int, iterations: int) -> None:
    """Iterations `first` to `first + iterations - 1` from tree.states[ROOT]; any split of the work gives the same tree."""
    for i in range(first, first + iterations):
        enter_world(tree, settings, i)
        fresh = descend(tree, settings, guide)
        evaluate_leaf(tree, settings, guide, policy, fresh)
        backward(tree, 1 if settings.points or settings.trust > 0 else 0, unit(settings))


@inlined
def enter_world(tree: Any, settings: Any, number: int) -> None:
    """Redeal: a determinization for this iteration. All its luck follows from the iteration's number."""
    root = tree.states[ROOT]
    seed = derive(root.luck[0], number)
    tree.states[WORLD] = root
    if not settings.clairvoyant:
        redeal(tree.states[WORLD], root.seat, seed)
    tree.stream[0] = derive(seed, PLAYOUT)


@inlined
def descend(tree: Any, settings: Any, guide: Any) -> bool:
    """Descend to a node that was never evaluated or to the end of the game; with a horizon (`turns`), to that, opening nodes on the
    way. Returns True if the node is new."""
    world = tree.states[WORLD]
    node = 0
    tree.path[0] = 0
    tree.depth[0] = 1
    tree.hopes[0] = 0.0
    last = tree.states[ROOT].turn + settings.turns
    while world.end == 0 and (world.turn < last if settings.turns else tree.nodes[node].opened):
        tree.nodes[node].opened = 1
        if node == 0 and tree.forced[0] != NONE:
            child = tree.forced[0]
        else:
            child = select(tree, settings, guide, node, list_actions(tree, settings))
        if child == NONE:
            return False
        node = child
        turn = world.turn
        luck = world.luck[0]
        apply(world, tree.nodes[node].action)
        tree.hopes[0] = 0.0
        if settings.trust > 0 and world.luck[0] != luck and world.end == 0:
            expect(tree, guide, node, world.turn == turn)
        tree.fortune[tree.depth[0]] = 0.0
        tree.path[tree.depth[0]] = node
        tree.depth[0] += 1
    return world.end == 0 and settings.turns == 0 and not tree.nodes[node].opened


@inlined
def expect(tree: Any, guide: Any, node: int, same_turn: bool) -> None:
    """The action drew luck: note the value expected before it. Within a turn this is what the guide expected of the action."""
    if same_turn:
        tree.hopes[0] = 1.0
    elif value_before_luck(guide, tree.states[WORLD], tree.values):
        tree.hopes[0] = 1.0
        tree.hopes[1] = tree.values[tree.nodes[node].seat]


@inlined
def evaluate_leaf(tree: Any, settings: Any, guide: Any, policy: Any, fresh: bool) -> None:
    """Value the leaf for each seat, summed over the playouts, in tree.sums. A new node gets its children."""
    world = tree.states[WORLD]
    if world.end > 0:
        result(world, settings.points, tree.values)
        _sum_up(tree, unit(settings))
        return
    if fresh:
        leaf = tree.path[tree.depth[0] - 1]
        tree.nodes[leaf].opened = 1
        if tree.noted[0] < tree.memos.shape[0]:
            take_note(tree, settings, guide, leaf)
        elif settings.select == PUCT or settings.cut == 0:
            n = list_actions(tree, settings)
            advise(guide, world, tree.out, n, tree.logits, tree.values)
            note_luck(tree)
            if settings.select == PUCT:
                add_children(tree, settings, leaf, n)
    elif tree.hopes[0] and settings.turns and world.turn > tree.states[ROOT].turn:
        tree.hopes[0] = 0.0  # tree.values are the guide's expectation from before the luck of the turn that begins
    elif settings.cut == 0:
        n = list_actions(tree, settings)
        advise(guide, world, tree.out, n, tree.logits, tree.values)
        note_luck(tree)
    if settings.cut == 0:
        _sum_up(tree, 1)
        return
    for seat in range(tree.sums.size):
        tree.sums[seat] = 0.0
    for _ in range(settings.playouts):
        play_on(tree, settings, guide, policy)
        for seat in range(tree.sums.size):
            tree.sums[seat] += tree.values[seat]


@inlined
def take_note(tree: Any, settings: Any, guide: Any, leaf: int) -> None:
    """Value a new node and keep the guide's note of it. Most nodes are never visited again, so its children come with the second
    visit; only the root has them at once."""
    memo = tree.noted[0]
    tree.noted[0] += 1
    tree.nodes[leaf].memo = memo
    look(guide, tree.states[WORLD], tree.values, tree.memos[memo])
    note_luck(tree)
    if leaf == 0:
        open_children(tree, settings, guide, leaf, list_actions(tree, settings))


@kernel
def _sum_up(tree: Any, playouts: int) -> None:
    for seat in range(tree.sums.size):
        tree.sums[seat] = playouts * tree.values[seat]


@inlined
def play_on(tree: Any, settings: Any, guide: Any, policy: Any) -> None:
    """A playout from the leaf; the result goes to tree.values."""
    tree.states[LEAF] = tree.states[WORLD]
    s = tree.states[LEAF]
    plies = 0
    while s.end == 0 and plies != settings.cut:
        apply(s, choose(policy, s, tree.stream, tree.out))
        plies += 1
    if s.end > 0:
        result(s, settings.points, tree.values)
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
def backward(tree: Any, measured: int, playouts: int) -> None:
    """Add the value to every node on the path, less the part that known luck contributed: no action earned that part."""
    root_seat = tree.states[ROOT].seat
    for seat in range(tree.gains.size):
        tree.gains[seat] += tree.sums[seat]
    for i in range(tree.depth[0] - 1, 0, -1):
        node = tree.nodes[tree.path[i]]
        tree.sums[node.seat] -= playouts * tree.fortune[i]
        value = tree.sums[node.seat]
        node.visits += playouts
        node.total += value
        node.squares += value * value / playouts
    tree.nodes[0].visits += playouts
    tree.nodes[0].total += tree.sums[root_seat]
    if measured:
        _widen_scale(tree.spread, tree.sums[root_seat] / playouts)


@kernel
def _widen_scale(spread: Any, value: float) -> None:
    """Where values are points, or luck is subtracted from them, exploration is scaled by their spread, which never shrinks. Once
    the search has settled on an action with certain points the values no longer vary, and another action must not be given up
    after one unlucky visit."""
    spread[SUM] += value
    spread[SQUARES] += value * value
    spread[COUNT] += 1
    if spread[COUNT] >= WARM:
        mean = spread[SUM] / spread[COUNT]
        deviation = np.sqrt(max(0.0, spread[SQUARES] / spread[COUNT] - mean * mean))
        spread[SCALE] = deviation if spread[COUNT] == WARM else max(spread[SCALE], deviation)

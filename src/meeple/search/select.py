"""Selection of a child: UCB1 as in the theses, or PUCT with priors from a guide.

Both count how often a child was available, because in an open-loop tree one determinization allows an action and another does not
(Cowling, Powley, Whitehouse 2012).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from meeple.core.guide import advise, recall
from meeple.core.kernel import inlined, kernel
from meeple.core.order import best_first
from meeple.core.rng import draw
from meeple.core.verbs import keep, legal, meaning
from meeple.search.tree import NONE, ROOT, SCALE, WORLD, add_node

UCB1, PUCT = 0, 1


class Settings(NamedTuple):
    """Settings of a search, as its kernels read them; `agents/mcts.py` declares the ones a user can set."""

    select: int  # UCB1 or PUCT
    c: float  # weight of exploration
    temperature: float  # of the prior: the guide's logits are divided by it
    top: int  # PUCT: at most so many children in a determinization, the best by the guide
    fpu: float  # PUCT: first-play urgency: an unvisited child counts as the mean of its siblings less this
    trust: float  # PUCT: weight of the guide's expectation of each action in each determinization; 0: none
    turns: int  # horizon: turns that every iteration descends; 0: to the first new node
    refresh: int  # PUCT: the guide is asked again in so many visits of a node, since determinizations differ
    cut: int  # plies of a playout before it is valued by the guide; -1: to the end
    playouts: int  # from a new leaf
    points: int  # 1: values are points, not shares of the win
    meanings: int  # 1: what an action means in one determinization and in another are two nodes (Game.meaning)
    reduce: int  # 1: only the actions that the game's filter keeps (Game.keep)
    clairvoyant: int  # 1: the true cards, never redealt


@inlined
def list_actions(tree: Any, settings: Any) -> int:
    """The actions of the world, in tree.out."""
    n = legal(tree.states[WORLD], tree.out)
    if settings.reduce:
        n = keep(tree.states[WORLD], tree.out, n)
    return n


@kernel
def mark_actions(tree: Any, n: int) -> None:
    if tree.stamp[0] == np.iinfo(np.int32).max:
        tree.mark[:] = 0
        tree.stamp[0] = 0
    tree.stamp[0] += 1
    for i in range(n):
        tree.mark[tree.out[i]] = tree.stamp[0]
        tree.place[tree.out[i]] = i


@kernel
def forget_illegal(tree: Any, settings: Any) -> None:
    """Of a root that was a node below another: drop the children that only other determinizations allowed."""
    tree.states[WORLD] = tree.states[ROOT]
    mark_actions(tree, list_actions(tree, settings))
    root = tree.nodes[0]
    last = NONE
    child = root.first
    while child != NONE:
        node = tree.nodes[child]
        if is_child(tree, settings, node):
            last = child
        else:
            root.visits -= node.visits
            if last == NONE:
                root.first = node.next
            else:
                tree.nodes[last].next = node.next
        child = node.next


@inlined
def meant(tree: Any, settings: Any, action: int) -> int:
    """What an action is about in the world, if that is looked at."""
    return meaning(tree.states[WORLD], action) if settings.meanings else 0


@inlined
def is_child(tree: Any, settings: Any, node: Any) -> bool:
    """Is it for a marked action of the seat to move, as that action is meant in the world?"""
    if node.seat != tree.states[WORLD].seat or tree.mark[node.action] != tree.stamp[0]:
        return False
    return node.meaning == meant(tree, settings, node.action)  # type: ignore[no-any-return]


@inlined
def collect(tree: Any, settings: Any, parent: int, n: int) -> int:
    """The children of a node that the world allows, in tree.kids, and how many; their actions lose their mark."""
    mark_actions(tree, n)
    present = 0
    child = tree.nodes[parent].first
    while child != NONE and present < n:
        node = tree.nodes[child]
        if is_child(tree, settings, node):
            tree.mark[node.action] = 0
            tree.kids[present] = child
            present += 1
        child = node.next
    return present


@inlined
def select(tree: Any, settings: Any, guide: Any, parent: int, n: int) -> int:
    """A child of a node in the world of tree.states[WORLD], whose n actions are in tree.out; NONE when the tree is full."""
    present = collect(tree, settings, parent, n)
    if settings.select == UCB1:
        if present < n:
            return _untried(tree, settings, parent, n)
        return _by_ucb1(tree, settings, present)
    asked = (settings.trust > 0 and parent != 0) or present < min(n, settings.top) or tree.nodes[parent].visits < settings.refresh
    if asked:
        present = open_children(tree, settings, guide, parent, n)
    return _by_puct(tree, settings, present, parent != 0)


@kernel
def unit(settings: Any) -> int:
    """What an iteration counts as: one visit for each of its playouts."""
    return settings.playouts if settings.cut != 0 else 1


@inlined
def _untried(tree: Any, settings: Any, parent: int, n: int) -> int:
    """A new child, for any of the actions that still carry their mark."""
    chosen = NONE
    seen = 0
    for i in range(n):
        if tree.mark[tree.out[i]] == tree.stamp[0]:
            seen += 1
            if draw(tree.stream, seen) == 0:
                chosen = tree.out[i]
    visits = 0
    for i in range(n - seen):
        node = tree.nodes[tree.kids[i]]
        node.available += unit(settings)
        visits += node.visits
    child = add_node(tree, parent, chosen, meant(tree, settings, chosen), tree.states[WORLD].seat, 1.0)
    if child != NONE:
        # As often as those of its siblings that this determinization allows were chosen.
        tree.nodes[child].available = visits + unit(settings)
    elif n > seen:
        child = tree.kids[draw(tree.stream, n - seen)]
    return child


@kernel
def _by_ucb1(tree: Any, settings: Any, present: int) -> int:
    """UCB1 as the thesis writes it: mean + C sqrt(2 ln n / n_i)."""
    best = NONE
    most = -np.inf
    for i in range(present):
        node = tree.nodes[tree.kids[i]]
        node.available += unit(settings)
        value = node.total / max(1, node.visits)
        value += settings.c * tree.spread[SCALE] * np.sqrt(2.0 * np.log(node.available) / max(1, node.visits))
        if value > most:
            best, most = tree.kids[i], value
    return best


@kernel
def _by_puct(tree: Any, settings: Any, present: int, below: bool) -> int:
    """mean + c P sqrt(n) / (1 + n_i); an unvisited child counts as the mean of its siblings less `fpu`. With `trust`, means are
    of the value less what the guide expected in each determinization, and what it expects in this one is added."""
    trusted = settings.trust > 0 and below  # at the root all determinizations look the same to the seat
    weights = 0.0
    total = 0.0
    visits = 0
    for i in range(present):
        node = tree.nodes[tree.kids[i]]
        weights += node.weight
        total += node.total - (node.looked if trusted else 0.0)
        visits += node.visits
    scale = tree.spread[SCALE]
    fpu = (total / visits if visits > 0 else 0.0) - settings.fpu * scale
    best = NONE
    look = 0.0
    most = -np.inf
    for i in range(present):
        node = tree.nodes[tree.kids[i]]
        node.available += unit(settings)
        value = (node.total - (node.looked if trusted else 0.0)) / node.visits if node.visits > 0 else fpu
        if trusted:
            value += tree.looks[i]
        value += settings.c * scale * node.weight / weights * np.sqrt(node.available) / (1 + node.visits)
        if value > most:
            best, most = tree.kids[i], value
            look = tree.looks[i]
    if trusted and best != NONE:
        tree.nodes[best].looked += look * unit(settings)
    tree.hopes[1] = look if trusted or best == NONE else tree.nodes[best].looked
    return best


@inlined
def open_children(tree: Any, settings: Any, guide: Any, parent: int, n: int) -> int:
    """Ask the guide, or its note of this node, and add children for the best actions of this determinization. Returns their number;
    they are in tree.kids."""
    memo = tree.nodes[parent].memo
    if memo != NONE:
        recall(guide, tree.memos[memo], tree.out, n, tree.logits)
    else:
        advise(guide, tree.states[WORLD], tree.out, n, tree.logits, tree.values)
        note_luck(tree)
    return add_children(tree, settings, parent, n)


@kernel
def note_luck(tree: Any) -> None:
    """The guide has valued a position: if luck came before it, note how much that luck changed the value."""
    if tree.hopes[0]:
        place = tree.depth[0] - 1
        tree.fortune[place] = tree.values[tree.nodes[tree.path[place]].seat] - tree.hopes[1]
        tree.hopes[0] = 0.0


@inlined
def add_children(tree: Any, settings: Any, parent: int, n: int) -> int:
    """Children for the best `top` of the n actions by tree.logits, which become probabilities. A child's prior is the mean
    over the determinizations in which it was listed."""
    _softmax(tree, settings.temperature, n)
    kept = min(n, settings.top)
    if kept < n:
        best_first(tree.out, tree.logits, n, kept)
    mark_actions(tree, kept)
    seat = tree.states[WORLD].seat
    present = 0
    child = tree.nodes[parent].first
    while child != NONE and present < kept:
        node = tree.nodes[child]
        if is_child(tree, settings, node):
            tree.mark[node.action] = 0
            seen = 0 if settings.trust > 0 else min(node.available, settings.refresh)
            node.weight += (tree.logits[tree.place[node.action]] - node.weight) / (1 + seen)
            tree.looks[present] = _look(tree, settings, tree.place[node.action])
            if parent == 0:
                node.looked = tree.looks[present]
            tree.kids[present] = child
            present += 1
        child = node.next
    for i in range(kept):
        if tree.mark[tree.out[i]] == tree.stamp[0]:
            child = add_node(tree, parent, tree.out[i], meant(tree, settings, tree.out[i]), seat, tree.logits[i])
            if child != NONE:
                tree.looks[present] = _look(tree, settings, i)
                if parent == 0:
                    tree.nodes[child].looked = tree.looks[present]
                tree.kids[present] = child
                present += 1
    return present


@kernel
def _look(tree: Any, settings: Any, i: int) -> float:
    """What the guide expects of an action in this determinization: the position's value, less the distance of its logit from the
    best. Where values are points, logits are points too; where values are shares of the win, logits are read as log-odds."""
    value = tree.values[tree.states[WORLD].seat]
    below = settings.temperature * np.log(max(1e-300, tree.logits[i] / tree.best_weight[0]))
    return value + settings.trust * below * (1.0 if settings.points else value * (1.0 - value))  # type: ignore[no-any-return]


@kernel
def _softmax(tree: Any, temperature: float, n: int) -> None:
    most = -np.inf
    for i in range(n):
        most = max(most, tree.logits[i])
    total = 0.0
    for i in range(n):
        tree.logits[i] = np.exp((tree.logits[i] - most) / temperature)
        total += tree.logits[i]
    for i in range(n):
        tree.logits[i] /= total
    tree.best_weight[0] = 1.0 / total

"""Selection by a guide (PUCT), written down once more as in a textbook, beside the compiled search."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import pytest

from meeple.core.guide import kernel_guide
from meeple.core.kernel import kernel
from meeple.core.state import State, new
from meeple.search.driver import Budget, Search
from meeple.search.tree import NONE
from tests.search.conftest import a_search


class Leaning(NamedTuple):
    """A guide that likes to take many, more so of an odd pile, and thinks that a large pile is good for seat 0."""

    strength: float = 0.9


@kernel
def advise(guide: Any, s: Any, actions: Any, n: int, logits: Any, values: Any) -> None:
    for i in range(n):
        logits[i] = guide.strength * actions[i] * (1 + s.sticks % 2)
    values[0] = 0.3 + 0.05 * s.sticks
    values[1] = 0.7 - 0.05 * s.sticks


kernel_guide(Leaning, advise)


def told(state: State) -> tuple[list[float], list[float]]:
    """The same in plain Python: logits of the legal actions, and values."""
    sticks = int(state.data.sticks)
    return [0.9 * action * (1 + sticks % 2) for action in state.legal()], [0.3 + 0.05 * sticks, 0.7 - 0.05 * sticks]


class Node:
    def __init__(self, weight: float = 1.0) -> None:
        self.children: dict[int, Node] = {}  # in the order they were made
        self.weight = weight
        self.visits = self.available = 0
        self.total = 0.0
        self.opened = False


class Plain:
    """PUCT on an open game, every leaf valued by the guide."""

    def __init__(self, c: float, fpu: float, temperature: float, top: int, refresh: int) -> None:
        self.c, self.fpu, self.temperature, self.top, self.refresh = c, fpu, temperature, top, refresh

    def run(self, state: State, iterations: int) -> Node:
        root = Node()
        for _ in range(iterations):
            world, node, path = state.copy(), root, []
            while not world.over and node.opened:
                seat, action = world.seat, self.choose(node, world)
                node = node.children[action]
                world.play(action)
                path.append((seat, node))
            values = list(world.outcome()) if world.over else told(world)[1]
            if not world.over:
                node.opened = True
                self.add(node, world)
            root.visits += 1
            for seat, visited in path:
                visited.visits += 1
                visited.total += values[seat]
        return root

    def add(self, node: Node, world: State) -> list[int]:
        """Children for the best actions; of those that are there, the prior becomes the mean over all times it was asked for."""
        logits, legal = told(world)[0], world.legal()
        weights = [math.exp(logit / self.temperature) for logit in logits]
        priors = {action: weight / sum(weights) for action, weight in zip(legal, weights, strict=True)}
        best = sorted(legal, key=lambda action: -priors[action])[: self.top]
        known = [action for action in reversed(node.children) if action in best]
        for action in known:
            child = node.children[action]
            child.weight += (priors[action] - child.weight) / (1 + min(child.available, self.refresh))
        for action in best if self.top < len(legal) else legal:
            if action not in node.children:
                node.children[action] = Node(priors[action])
                known.append(action)
        return known

    def choose(self, node: Node, world: State) -> int:
        legal = world.legal()
        kids = [action for action in reversed(node.children) if action in legal]
        if len(kids) < min(len(legal), self.top) or node.visits < self.refresh:
            kids = self.add(node, world)
        children = [node.children[action] for action in kids]
        visits = sum(child.visits for child in children)
        unvisited = (sum(child.total for child in children) / visits if visits else 0.0) - self.fpu
        best, most = kids[0], -math.inf
        for action, child in zip(kids, children, strict=True):
            child.available += 1
            value = child.total / child.visits if child.visits else unvisited
            share = child.weight / sum(each.weight for each in children)
            value += self.c * share * math.sqrt(child.available) / (1 + child.visits)
            if value > most:
                best, most = action, value
        return best


def compare(search: Search, number: int, node: Node) -> int:
    """The same children, visits, values and priors in both trees; returns how many nodes were compared."""
    child, seen, compared = int(search.tree.nodes[number]["first"]), set(), 0
    while child != NONE:
        mine = search.tree.nodes[child]
        theirs = node.children[int(mine["action"])]
        assert (int(mine["visits"]), int(mine["available"])) == (theirs.visits, theirs.available)
        assert float(mine["total"]) == pytest.approx(theirs.total)
        assert float(mine["weight"]) == pytest.approx(theirs.weight)
        seen.add(int(mine["action"]))
        compared += 1 + compare(search, child, theirs)
        child = int(mine["next"])
    assert seen == set(node.children)
    return compared


@pytest.mark.parametrize(
    ("c", "fpu", "temperature", "top", "refresh"),
    [(1.0, 0.1, 1.0, 1000, 4), (0.4, 0.0, 2.0, 1000, 1), (3.0, 0.5, 0.5, 2, 4), (1.0, -0.3, 1.0, 1, 0), (0.0, 0.2, 1.0, 3, 9)],
)
def test_on_an_open_game_the_search_is_plain_puct(
    tiny: Any, c: float, fpu: float, temperature: float, top: int, refresh: int
) -> None:
    state = new(tiny("nim"), 3)
    usual = a_search(tiny("nim"), select="puct", cut=0, c=c, fpu=fpu, temperature=temperature, top=top, refresh=refresh)
    search = Search(tiny("nim"), usual.settings, Leaning(), usual.policy, Budget(150))
    search.set_root(state.redealt(0, 5).array)
    search.iterate(150)
    assert compare(search, 0, Plain(c, fpu, temperature, top, refresh).run(state, 150)) >= 4
    assert int(search.tree.nodes[0]["visits"]) == 150

"""Gumbel search beside numbers by hand, and beside what it promises."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from meeple.agents.random import Random
from meeple.core.rng import stream
from meeple.core.state import new
from meeple.search.gumbel import Root, Thrift, gumbel_search, improve, list_root, make_root, mixed_value
from meeple.search.self_play import expect_by_policy
from meeple.search.tree import ROOT, SCALE, Tree, add_node, clear, make_tree
from tests.search.conftest import a_search
from tests.search.test_select import Leaning
from tests.search.tiny import GAME, Ignorant

NIM = GAME.variant("nim")


def a_tree(sticks: int = 10) -> Tree:
    state = new(NIM, 1)
    state.data.sticks = sticks
    tree = make_tree(NIM, 4096)
    tree.states[ROOT] = state.array[0]
    clear(tree, 1.0)
    return tree


@pytest.fixture
def known() -> tuple[Tree, Root]:
    """Three actions with priors 0.5, 0.3, 0.2; the first was visited four times with mean 0.5, the second once with 0.8."""
    tree, root = a_tree(), make_root(NIM)
    for action, (prior, visits, total) in enumerate([(0.5, 4, 2.0), (0.3, 1, 0.8), (0.2, 0, 0.0)]):
        child = add_node(tree, 0, action, 0, 0, prior)
        tree.nodes[child]["visits"], tree.nodes[child]["total"] = visits, total
    tree.spread[SCALE] = 1.0
    assert list_root(tree, root) == 3
    return tree, root


def by_action(root: Root, values: Any) -> list[float]:
    return [float(values[np.flatnonzero(root.actions[:3] == action)[0]]) for action in range(3)]


def test_what_is_known_of_the_root(known: tuple[Tree, Root]) -> None:
    # The guide says 0.4. Visited actions, by their priors: (0.5 * 0.5 + 0.3 * 0.8) / 0.8 = 0.6125, five visits.
    assert mixed_value(*known, 3, 0.4) == pytest.approx((0.4 + 5 * 0.6125) / 6)


def test_the_improved_policy_by_hand(known: tuple[Tree, Root]) -> None:
    tree, root = known
    improve(tree, root, Thrift(16, 1.0, 6.0, 0.5), 3, 0.4)
    unknown = (0.4 + 5 * 0.6125) / 6
    factor = (6 + 4) * 0.5
    weights = np.array([0.5 * np.exp(factor * (0.5 - unknown)), 0.3 * np.exp(factor * (0.8 - unknown)), 0.2])
    assert by_action(root, root.policy) == pytest.approx(list(weights / weights.sum()), rel=1e-5)


def search_once(
    guide: Any, sticks: int, iterations: int, seed: int, noise: float = 1.0, considered: int = 16
) -> tuple[Tree, Root, int]:
    tree, root = a_tree(sticks), make_root(NIM)
    settings = a_search(NIM, select="puct", cut=0).settings
    thrift = Thrift(considered, noise, 50.0, 0.2)
    place = gumbel_search(tree, settings, guide, Random(), root, (thrift, iterations, stream(seed)))
    return tree, root, int(root.actions[place])


def test_every_iteration_is_spent_and_the_better_half_gets_more() -> None:
    tree, root, _ = search_once(Ignorant(), 10, 40, 1)
    visits = sorted(tree.nodes[root.kids[:3]]["visits"].tolist())
    assert sum(visits) == 39  # the first one was of the root
    assert visits[0] < visits[1] <= visits[2]


def test_only_so_many_actions_are_considered() -> None:
    tree, root, _ = search_once(Leaning(), 10, 30, 1, noise=0.0, considered=2)
    assert sorted(tree.nodes[root.kids[:3]]["visits"].tolist())[0] == 0


def test_it_finds_the_winning_move_of_nim() -> None:
    for sticks in (5, 6, 7):  # four must be left
        _, root, action = search_once(Ignorant(), sticks, 64, 3, noise=0.0)
        assert action + 1 == sticks - 4
        assert int(root.actions[np.argmax(root.policy[:3])]) == action


def test_where_all_is_worth_the_same_actions_are_drawn_by_their_priors() -> None:
    """Gumbel's trick: the greatest of logit + noise is a sample of the softmax."""
    tree, root = a_tree(10), make_root(NIM)
    settings = a_search(NIM, select="puct", cut=0).settings
    luck, drawn = stream(7), np.zeros(3)
    for _ in range(2000):
        clear(tree, 1.0)
        place = gumbel_search(tree, settings, Leaning(), Random(), root, (Thrift(16, 1.0, 50.0, 0.0), 4, luck))
        drawn[root.actions[place]] += 1
    priors = np.exp(0.9 * np.arange(3))
    assert drawn / 2000 == pytest.approx(priors / priors.sum(), abs=0.04)


def test_the_value_of_the_root_is_that_of_the_improved_policy_not_of_what_was_tried(known: tuple[Tree, Root]) -> None:
    tree, root = known
    improve(tree, root, Thrift(16, 1.0, 6.0, 0.5), 3, 0.4)
    unknown = (0.4 + 5 * 0.6125) / 6
    assert root.value[0] == pytest.approx(np.dot(by_action(root, root.policy), [0.5, 0.8, unknown]), rel=1e-9)
    tree.gains[:] = 6 * 0.45, 6 * 0.55  # six iterations, most of them of actions that are worse
    tree.nodes[0]["visits"] = 6
    expected = np.zeros(2)
    expect_by_policy(tree, 0.7, 0, expected)
    assert expected == pytest.approx([0.7, 0.3])

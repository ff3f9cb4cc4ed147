"""What comes back from a leaf, by hand: who is told what, less what luck brought."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from meeple.core.state import new
from meeple.search.mcts import backward, result
from meeple.search.tree import COUNT, ROOT, SQUARES, SUM, Tree, make_tree


def a_path(tiny: Any, sums: list[float], fortune: list[float]) -> Tree:
    """Root, a child that seat 0 chose, a grandchild that seat 1 chose."""
    tree = make_tree(tiny("nim"), 8)
    tree.states[ROOT] = new(tiny("nim"), 1).array[0]
    tree.path[:3], tree.depth[0] = [0, 1, 2], 3
    tree.nodes["seat"][:3] = [0, 0, 1]
    tree.sums[:] = sums
    tree.fortune[:3] = fortune
    return tree


def test_every_node_is_told_the_value_of_the_seat_that_chose_it_by_hand(tiny: Any) -> None:
    tree = a_path(tiny, [1.4, 0.6], [0.0, 0.0, 0.0])
    backward(tree, 0, 2)
    assert tree.nodes["visits"][:4].tolist() == [2, 2, 2, 0]
    assert tree.nodes["total"][:4] == pytest.approx([1.4, 1.4, 0.6, 0.0])
    assert tree.nodes["squares"][:4] == pytest.approx([0.0, 0.98, 0.18, 0.0])  # two playouts, each of the mean
    assert tree.spread[COUNT] == 0
    backward(tree, 0, 2)
    assert tree.nodes["total"][:3] == pytest.approx([2.8, 2.8, 1.2])
    assert tree.nodes["squares"][:3] == pytest.approx([0.0, 1.96, 0.36])


def test_what_luck_brought_is_subtracted_from_its_action_and_all_above_by_hand(tiny: Any) -> None:
    tree = a_path(tiny, [0.9, 0.5], [0.0, 0.2, 0.1])
    backward(tree, 0, 1)
    assert tree.nodes["total"][:3] == pytest.approx([0.7, 0.7, 0.4])  # the root belongs to seat 0, who is to move there


def test_values_are_measured_where_points_count_by_hand(tiny: Any) -> None:
    tree = a_path(tiny, [6.0, 0.0], [0.0, 0.0, 0.0])
    backward(tree, 1, 2)
    assert tree.spread[[SUM, SQUARES, COUNT]].tolist() == [3.0, 9.0, 1.0]  # a playout's, not the sum of two


@pytest.mark.parametrize("variant", ["nim", "pot"])
def test_a_finished_game_is_worth_its_outcome_or_its_points_by_hand(tiny: Any, variant: str) -> None:
    state = new(tiny(variant), 1)
    while not state.over:
        state.play(state.legal()[-1])
    state.data.pot = 5
    values = np.zeros(state.variant.shape.seats)
    result(state.data, 0, values)
    assert values.tolist() == state.outcome()
    result(state.data, 1, values)
    assert values.tolist() == state.scores()
    assert variant == "nim" or state.scores() != state.outcome()

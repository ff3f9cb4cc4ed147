"""Layers of a minibatch are those of its positions, one by one, and so is their gradient."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from meeple.nets.forward import evaluate_query, make_net, run_layer
from meeple.nets.layout import Layout, random_weights
from meeple.nets.together import (
    ABREAST,
    Room,
    make_room,
    multiply,
    run_together,
    runs_together,
    trace_together,
    trace_values,
    turn_layers,
)

INPUTS, POSITIONS = 21, 13  # neither is a multiple of what is worked on together


def a_network(hidden: tuple[int, ...], head: str = "flat") -> tuple[Layout, NDArray[np.float32]]:
    layout = Layout(inputs=INPUTS, actions=30, hidden=hidden, head=head, width=11, values=2)
    weights = random_weights(layout, 3)
    return layout, weights + np.random.default_rng(4).standard_normal(weights.shape).astype(np.float32) * 0.1


def a_room(layout: Layout) -> Room:
    room = make_room(layout, POSITIONS, 9)
    room.seen[:POSITIONS] = np.random.default_rng(1).standard_normal((POSITIONS, INPUTS))
    return room


HIDDEN = pytest.mark.parametrize("hidden", [(16,), (33, 17), (16, 23, 8)], ids=str)


@HIDDEN
@pytest.mark.parametrize("head", ["flat", "embedding"])
def test_every_layer_says_what_it_says_of_each_position(hidden: tuple[int, ...], head: str) -> None:
    layout, weights = a_network(hidden, head)
    net, room, query = make_net(layout, weights, 9), a_room(layout), np.zeros(11, np.float32)
    turn_layers(weights, layout.table, room)
    run_together(weights, layout.table, room)
    for b in range(POSITIONS):
        evaluate_query(net, room.seen[b], query)
        assert np.allclose(room.values[b], net.values, atol=1e-5)
        said = room.seen[b]
        for i in range(len(hidden)):
            out = np.zeros(hidden[i], np.float32)
            run_layer(weights, layout.table[i], said, out, True)
            said = room.said[i, b, : hidden[i]]
            assert np.allclose(said, out, atol=1e-5)
        if head == "embedding":
            assert np.allclose(room.queries[b], query, atol=1e-5)


@HIDDEN
def test_the_gradient_is_what_a_small_change_of_each_weight_does(hidden: tuple[int, ...]) -> None:
    """Of what the last layer and the values say, weighed at random, by central differences in float64."""
    layout, weights = a_network(hidden)
    room, gradient = a_room(layout), np.zeros_like(weights)
    rng = np.random.default_rng(2)
    pull, pull_values = rng.standard_normal((POSITIONS, hidden[-1])), rng.standard_normal((POSITIONS, 2))
    turn_layers(weights, layout.table, room)
    run_together(weights, layout.table, room)
    room.values[:POSITIONS] = pull_values
    trace_values(weights, layout.table, gradient, room, POSITIONS)
    room.slopes[0, :POSITIONS, : hidden[-1]] += pull
    trace_together(weights, layout.table, gradient, room)

    def told(flat: NDArray[Any]) -> float:
        x = room.seen[:POSITIONS].astype(np.float64)
        for i in range(len(hidden)):
            x = np.maximum(x @ layout.of(flat, f"trunk.{i}.weight") + layout.of(flat, f"trunk.{i}.bias"), 0)
        values = x @ layout.of(flat, "values.weight") + layout.of(flat, "values.bias")
        return float((x * pull).sum() + (values * pull_values).sum())

    learnt = layout.parts["values.bias"].stop
    for place in rng.choice(learnt, 80, replace=False):
        step = np.zeros(weights.shape)
        step[place] = 1e-6
        wanted = (told(weights + step) - told(weights - step)) / 2e-6
        assert gradient[place] == pytest.approx(wanted, rel=1e-3, abs=1e-3)
    assert not gradient[learnt:].any()


@pytest.mark.parametrize("outputs", [1, 3, 4, 10])
def test_a_product_of_matrices(outputs: int) -> None:
    rng = np.random.default_rng(1)
    x, rows = (rng.standard_normal((n, 19)).astype(np.float32) for n in (ABREAST, outputs))
    out = np.zeros((ABREAST, outputs), np.float32)
    multiply(x, rows, out)
    assert np.allclose(out, x @ rows.T, atol=1e-5)


def test_networks_with_items_atoms_or_a_layer_behind_the_mask_are_looked_at_one_by_one() -> None:
    assert runs_together(Layout(inputs=5, actions=6))
    assert not runs_together(Layout(inputs=5, actions=6, head="embedding", atoms=5, low=-1.0, high=1.0))
    assert not runs_together(Layout(inputs=5, actions=6, head="flat", after=True))

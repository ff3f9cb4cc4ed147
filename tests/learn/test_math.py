"""Returns, advantages and losses, with numbers by hand."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from meeple.learn.math import (
    advantages,
    by_mover,
    by_seat,
    clipped_loss,
    discounts_so_far,
    divergence,
    first_games,
    one_step_errors,
    policy_gradient_loss,
    returns,
    squared_loss,
)


def a_column(*numbers: float) -> np.ndarray:
    """(steps, 1 game, 1 seat)"""
    return np.array(numbers, np.float32).reshape(-1, 1, 1)


def ended(*marks: int) -> np.ndarray:
    return np.array(marks, np.int8).reshape(-1, 1)


def test_returns_are_discounted_sums_that_stop_at_the_end_of_a_game() -> None:
    found = returns(a_column(1, 2, 4, 8), ended(0, 1, 0, 0), np.array([[16.0]], np.float32), 0.5)
    assert found.ravel().tolist() == [1 + 0.5 * 2, 2, 4 + 0.5 * 16, 8 + 0.5 * 16]


def test_advantages_by_hand() -> None:
    # surprises: 1 + 0.5 * 2 - 1 = 1; the game ends: 3 - 2 = 1; 0 + 0.5 * 6 - 4 = -1
    found = advantages(a_column(1, 3, 0), a_column(1, 2, 4, 6), ended(0, 1, 0), 0.5, 0.5)
    assert found.ravel().tolist() == [1 + 0.25 * 1, 1, -1]


def test_with_trace_1_an_advantage_is_the_return_less_the_value() -> None:
    rng = np.random.default_rng(1)
    rewards, values = (rng.standard_normal((n, 3, 2)).astype(np.float32) for n in (9, 10))
    stops = (rng.random((9, 3)) < 0.3).astype(np.int8)
    wanted = returns(rewards, stops, values[-1], 0.9) - values[:-1]
    assert np.allclose(advantages(rewards, values, stops, 0.9, 1.0), wanted, atol=1e-5)


def test_a_value_of_one_of_two_seats_is_the_opposite_of_the_others() -> None:
    values, seats = np.array([[0.5], [0.25]], np.float32), np.array([0, 1], np.int8)
    found = by_seat(values, seats, 2)
    assert found.tolist() == [[0.5, -0.5], [-0.25, 0.25]]
    assert by_mover(found, seats, 1).tolist() == values.tolist()


def test_several_values_begin_with_the_seat_to_move() -> None:
    values, seats = np.array([[1.0, 2.0, 3.0]], np.float32), np.array([2], np.int8)
    found = by_seat(values, seats, 3)
    assert found.tolist() == [[2.0, 3.0, 1.0]]
    assert by_mover(found, seats, 3).tolist() == values.tolist()


def test_losses_by_hand() -> None:
    old = torch.log(torch.tensor([0.5, 0.5, 0.5]))
    new = torch.log(torch.tensor([0.75, 0.25, 0.75]))  # ratios 1.5, 0.5, 1.5
    advantage = torch.tensor([1.0, -1.0, -2.0])
    # min(1.5, 1.2) = 1.2; min(-0.5, -0.8) = -0.8; min(-3, -2.4) = -3
    assert clipped_loss(new, old, advantage, 0.2).item() == pytest.approx(-(1.2 - 0.8 - 3) / 3)
    assert squared_loss(torch.tensor([1.0, 3.0]), torch.tensor([0.0, 1.0])).item() == 0.5 * (1 + 4) / 2
    assert policy_gradient_loss(torch.tensor([-1.0, -2.0]), torch.tensor([3.0, -1.0])).item() == -(-3 + 2) / 2
    assert divergence(new, old).item() == pytest.approx(
        np.mean([0.5 - np.log(1.5), -0.5 - np.log(0.5), 0.5 - np.log(1.5)]), rel=1e-5
    )


def test_one_step_errors_by_hand() -> None:
    factor = np.array([[0.5], [0.5], [0.25]], np.float32)
    # 1 + 0.5 * 2 - 1; the game ends: 3 - 2; 0 + 0.25 * 6 - 4
    found = one_step_errors(a_column(1, 3, 0), a_column(1, 2, 4, 6), ended(0, 1, 0), factor)
    assert found.ravel().tolist() == [1.0, 1.0, -2.5]
    assert np.allclose(found[:2], advantages(a_column(1, 3), a_column(1, 2, 4), ended(0, 1), 0.5, 0.0))


def test_the_accumulated_discount_begins_anew_with_every_game() -> None:
    found, after = discounts_so_far(ended(0, 0, 1, 0), np.array([0.5]), 0.5)
    assert found.ravel().tolist() == [0.5, 0.25, 0.125, 1.0]
    assert after.tolist() == [0.5]


def test_the_first_game_of_each_place_goes_up_to_its_first_end() -> None:
    marks = np.array([[0, 1], [1, 0], [0, 0], [1, 1]], np.int8)
    assert first_games(marks).astype(int).tolist() == [[1, 1], [1, 0], [0, 0], [0, 0]]

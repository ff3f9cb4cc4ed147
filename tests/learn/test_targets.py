"""Replay, priorities, targets and losses of value-based learners, with numbers by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from meeple.learn.targets import (
    batch_mean_values,
    cross_entropy,
    epsilon,
    errors_huber,
    errors_squared,
    errors_unsquared,
    importance,
    mix_into,
    priority,
)
from meeple.nets.collect import Trail, make_trail
from meeple.nets.replay import END, HEAD, OPEN, READY, TAIL, Replay, draw_by_priority, draw_evenly, make_replay, store
from meeple.nets.sumtree import find_place, make_tree, set_priority
from meeple.nets.targets import look_forward, make_ahead, project
from tests.search.tiny import GAME

NIM = GAME.variant("nim")


def test_exploration_falls_in_a_line_or_exponentially() -> None:
    assert epsilon(25, 1.0, 0.2, 100, "linear") == pytest.approx(0.8)
    assert epsilon(500, 1.0, 0.2, 100, "linear") == pytest.approx(0.2)
    assert epsilon(100, 0.5, 0.1, 100, "exponential") == pytest.approx(0.5 / np.e)
    assert epsilon(1000, 0.5, 0.1, 100, "exponential") == 0.1


def test_importance_weights_and_priorities_by_hand() -> None:
    # (4 * 1/2)^-1 = 1/2 and (4 * 1/8)^-1 = 2, over the greatest
    assert importance(np.array([0.5, 0.125]), 4, 1.0).tolist() == [0.25, 1.0]
    assert importance(np.array([0.5, 0.125]), 4, 0.0).tolist() == [1.0, 1.0]
    assert priority(np.array([3.0, -8.0], np.float32), 0.5, 1.0).tolist() == [2.0, 3.0]


def test_losses_of_values_by_hand() -> None:
    found, wanted = torch.tensor([0.0, 1.0], requires_grad=True), torch.tensor([3.0, 0.5])
    assert errors_squared(found, wanted).tolist() == [4.5, 0.125]
    assert errors_huber(found, wanted).tolist() == [2.5, 0.125]
    assert errors_unsquared(found, wanted).tolist() == [3.0, -0.5]
    errors_unsquared(found, wanted).sum().backward()  # type: ignore[no-untyped-call]
    assert found.grad is not None and found.grad.tolist() == [-1.0, -1.0]  # whatever was wanted
    logits = torch.log(torch.tensor([[0.25, 0.75]]))
    assert cross_entropy(logits, torch.tensor([[0.5, 0.5]])).item() == pytest.approx(-0.5 * np.log(0.25 * 0.75), rel=1e-6)


def test_a_soft_target_and_a_mean_over_the_batch_by_hand() -> None:
    target = np.array([0.0, 4.0], np.float32)
    mix_into(target, np.array([8.0, 0.0], np.float32), 0.25)
    assert target.tolist() == [2.0, 3.0]
    # the means 1 (of three actions) and 5 (of one) become 2
    values, means = np.array([10.0, 20.0], np.float32), np.array([1.0, 5.0], np.float32)
    assert batch_mean_values(values, means, np.array([3, 1])).tolist() == [9.0, 23.0]


def test_a_sum_tree_finds_whose_share_a_mass_falls_into() -> None:
    tree = make_tree(5)
    for place, weight in enumerate((1.0, 0.0, 2.0, 0.0, 5.0)):
        set_priority(tree, place, weight)
    assert tree[1] == 8.0
    assert [find_place(tree, mass) for mass in (0.0, 0.99, 1.0, 2.99, 3.0, 7.99)] == [0, 0, 2, 2, 4, 4]
    set_priority(tree, 2, 0.0)
    assert tree[1] == 6.0
    assert [find_place(tree, mass) for mass in (0.99, 1.0, 6.0)] == [0, 4, 4]


def a_trail(seats: list[int], rewards: list[tuple[float, float]], ended: list[int]) -> Trail:
    """One game of nim, a step each; action `t % 2` of two that are 3 t and 3 t + 1 (no real ones: only the memory sees them)."""
    trail = make_trail(NIM, NIM.level("open"), 1, len(seats), 1)
    for t, seat in enumerate(seats):
        trail.observations[t, 0] = t, 10 * t
        trail.starts[t, 0], trail.counts[t, 0] = 2 * t, 2
        trail.ids[2 * t : 2 * t + 2] = 3 * t, 3 * t + 1
        trail.chosen[t, 0] = t % 2
        trail.seats[t, 0], trail.ended[t, 0] = seat, ended[t]
        trail.rewards[t, 0] = rewards[t]
    return trail


def a_replay(capacity: int = 16, **more: Any) -> Replay:
    return make_replay(capacity, 2, 3, 1, 2, **{"prioritised": False, **more})


TWO_GAMES = a_trail([0, 1, 0, 0, 1, 1], [(1, 0), (0, 2), (4, 8), (16, -16), (0, 0), (0, 32)], [0, 0, 0, 1, 0, 0])


def test_a_decision_is_paid_all_that_its_seat_gets_until_its_own_next_one() -> None:
    replay = a_replay()
    assert store(replay, TWO_GAMES, 0, 0.5) == 5
    # seat 0: decisions 0, 2, 3; seat 1: 1; the game ends; seat 1: 4, 5 of the next game, the last of which is open
    assert replay.following[:6].tolist() == [2, END, 3, END, 5, OPEN]
    assert replay.rewards[:6].tolist() == [0.5, 0.5 * (2 + 8 - 16), 2, 8, 0, 16]
    assert replay.completed[:5].tolist() == [0, 2, 3, 1, 4]
    assert replay.numbers[[HEAD, TAIL, READY]].tolist() == [6, 0, 5]
    assert replay.ids[replay.acted[:6]].tolist() == [0, 4, 6, 10, 12, 16]


def test_returns_of_n_steps_by_hand() -> None:
    replay = a_replay()
    store(replay, TWO_GAMES, 0, 1.0)
    ahead = make_ahead(4, 1)
    picks = np.array([0, 1, 2, 4])
    look_forward(replay, picks, 1, 0.5, ahead)
    assert ahead.returns.tolist() == [1, -6, 4, 0]
    assert ahead.factors.tolist() == [0.5, 0, 0.5, 0.5]
    assert ahead.places.tolist() == [2, END, 3, 5]
    look_forward(replay, picks, 3, 0.5, ahead)
    assert ahead.returns.tolist() == [1 + 0.5 * 4 + 0.25 * 16, -6, 4 + 0.5 * 16, 0]  # what 5 is paid is not known yet
    assert ahead.factors.tolist() == [0, 0, 0, 0.5]
    look_forward(replay, picks[:1], 2, 0.5, make_ahead(1, 1))


def test_a_full_memory_forgets_the_oldest_and_never_draws_what_is_open() -> None:
    replay = a_replay(8, prioritised=True)
    for _ in range(3):
        store(replay, TWO_GAMES, 0, 1.0)
    head, tail, ready = replay.numbers[[HEAD, TAIL, READY]]
    assert (head, tail) == (18, 10)
    kept = [number for number in range(tail, head) if replay.following[number % 8] != OPEN]
    assert ready == len(kept) == np.count_nonzero(replay.tree[8:])
    picks, chances = np.zeros(200, np.int64), np.zeros(200)
    draw_evenly(replay, picks)
    assert set(picks.tolist()) == {number % 8 for number in kept}
    draw_by_priority(replay, picks, chances)
    assert set(picks.tolist()) == {number % 8 for number in kept}
    assert np.allclose(chances, 1 / ready)


def test_lists_that_need_more_room_than_there_is_push_the_oldest_out() -> None:
    replay = a_replay()._replace(ids=np.zeros(8, np.int32))
    store(replay, TWO_GAMES, 0, 1.0)
    assert replay.numbers[TAIL] == 2
    for number in range(2, 6):
        assert replay.ids[replay.starts[number]] == 3 * number


def test_draws_are_in_proportion_to_priorities() -> None:
    replay = a_replay(prioritised=True)
    store(replay, TWO_GAMES, 0, 1.0)
    set_priority(replay.tree, 3, 6.0)  # beside four of 1
    picks, chances = np.zeros(1000, np.int64), np.zeros(1000)
    draw_by_priority(replay, picks, chances)
    assert np.bincount(picks, minlength=6).tolist() == [100, 100, 100, 600, 100, 0]
    assert chances[picks == 3][0] == pytest.approx(0.6)


def test_the_second_memory_gets_a_decision_only_when_its_window_is_full() -> None:
    replay = a_replay(width=2)
    store(replay, TWO_GAMES, 0, 1.0)
    assert replay.second[:2].tolist() == [0, 2]  # seat 0 had three decisions, two windows; seat 1 never two complete ones


def test_a_distribution_is_projected_on_its_atoms_by_nearness() -> None:
    ahead = make_ahead(3, 3)
    ahead.returns[:], ahead.factors[:] = (0.25, 1.0, 0.0), (0.5, 1.0, 0.0)
    ahead.chances[:] = [0.5, 0.0, 0.5]
    project(ahead, np.array([-1, 0, 1], np.float32))
    # 0.25 + 0.5 * {-1, 1} = {-0.25, 0.75}: a quarter of a half to -1, ...; 1 + {-1, 1} = {0, 2}, cut off at 1; and all at 0
    assert ahead.wanted[0].tolist() == [0.125, 0.375 + 0.125, 0.375]
    assert ahead.wanted[1].tolist() == [0, 0.5, 0.5]
    assert ahead.wanted[2].tolist() == [0, 1, 0]

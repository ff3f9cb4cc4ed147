"""What the end of a game pays, by hand arithmetic; and which rewards there are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from meeple.agents.random import Random
from meeple.core.errors import MeepleError
from meeple.core.game import Reward
from meeple.core.registry import find_variant
from meeple.core.rng import stream
from meeple.core.verbs import earned
from meeple.rollout.batch import ALTERNATE, PLAN, SLOT, choose_uniformly
from meeple.rollout.rewards import SIGNALS, at_the_end, find_reward, rewards_of, weights
from meeple.rollout.stepper import Batch
from tests.search.tiny import GAME


def paid(reward: dict[str, float], shares: list[float], points: list[float], cut_off: bool = False) -> list[float]:
    """To each seat."""
    plan, slot = np.zeros(1, PLAN), np.zeros(1, SLOT)
    plan[0].weights[:] = weights(Reward("", **reward))
    plan[0].seats = len(shares)
    slot[0].outcome[: len(shares)] = shares
    slot[0].scores[: len(points)] = points
    return [float(at_the_end(plan[0], slot[0], seat, cut_off)) for seat in range(len(shares))]


@pytest.mark.parametrize(
    ("reward", "shares", "points", "wanted"),
    [
        ({"win": 1.0}, [1.0, 0.0], [7, 5], [1.0, -1.0]),
        ({"win": 1.0}, [0.5, 0.5], [7, 7], [0.0, 0.0]),
        ({"win": 1.0}, [1.0, 0.0, 0.0], [7, 5, 3], [1.0, -0.5, -0.5]),
        ({"win": 1.0}, [0.5, 0.5, 0.0], [7, 7, 3], [0.25, 0.25, -0.5]),
        ({"win": 1.0}, [1.0], [7], [1.0]),
        ({"win": 1.0}, [0.0], [7], [-1.0]),
        ({"win": 3.0}, [1.0, 0.0], [7, 5], [3.0, -3.0]),
        ({"share": 2.0}, [0.5, 0.5], [7, 7], [1.0, 1.0]),
        ({"difference": 1.0}, [1.0, 0.0], [7, 5], [2.0, -2.0]),
        ({"difference": 1.0}, [0.0, 1.0], [-7, -5], [-2.0, 2.0]),
        ({"difference": 0.5}, [1.0, 0.0, 0.0], [7, 5, 3], [1.0, -1.0, -2.0]),
        ({"difference": 1.0}, [0.0], [7], [7.0]),
        ({"points": 1.0}, [1.0, 0.0], [7, 5], [0.0, 0.0]),  # paid as they change, not at the end
        ({"win": 1.0, "share": 1.0, "difference": 0.1}, [1.0, 0.0], [7, 5], [2.2, -1.2]),
    ],
)
def test_the_end_is_paid(reward: dict[str, float], shares: list[float], points: list[float], wanted: list[float]) -> None:
    assert paid(reward, shares, points) == pytest.approx(wanted)


def test_a_truncated_game_pays_no_win_but_all_else() -> None:
    everything = {"win": 1.0, "share": 1.0, "difference": 1.0}
    assert paid(everything, [1.0, 0.0], [7, 5], cut_off=True) == [3.0, -2.0]
    assert paid(everything, [1.0, 0.0], [7, 5]) == [4.0, -3.0]


def test_weights_are_in_the_order_that_kernels_read() -> None:
    assert weights(Reward("", **{name: float(i) for i, name in enumerate(SIGNALS)})).tolist() == [0, 1, 2, 3, 4]


def test_where_nobody_wins_only_points_are_paid() -> None:
    assert list(rewards_of(GAME.variant("nim"))) == ["win", "share", "difference", "points"]
    assert list(rewards_of(GAME.variant("pot"))) == ["points", "difference"]
    assert find_reward(GAME.variant("nim")).win == 1.0 and find_reward(GAME.variant("pot")).points == 1.0


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("wins", "Unknown reward of tiny:pot 'wins'"),
        ("win", "Nobody wins tiny:pot: only points count, so its rewards are points, difference."),
        ({"wins": 1.0}, "Unknown part of a reward 'wins'; did you mean 'win'"),
    ],
)
def test_other_rewards_are_refused(given: Any, why: str) -> None:
    with pytest.raises(MeepleError, match=why):
        find_reward(GAME.variant("pot"), given)


def test_a_reward_of_ones_own_is_taken_as_it_is() -> None:
    own = Reward("mine", earned=2.0)
    assert find_reward(GAME.variant("nim"), own) is own
    assert find_reward(GAME.variant("nim"), {"points": 2, "win": 1}) == Reward("a sum of your own", points=2.0, win=1.0)


def test_what_an_action_earns_is_paid_to_who_made_it_in_the_game_it_was_made_in() -> None:
    """A step may end a game and open the next, where the learner has another seat and an opponent moves first."""
    batch = Batch(
        find_variant("splendor:2"),
        64,
        1,
        reward={"earned": 1.0},
        seat=ALTERNATE,
        opponents=[lambda variant: Random()],  # noqa: ARG005
    )
    actions, luck, over = np.zeros(64, np.int32), stream(5), 0
    batch.reset()
    for _ in range(400):
        choose_uniformly(batch.arrays, luck, actions)
        wanted = [float(earned(state, int(action))) for state, action in zip(batch.arrays.states, actions, strict=True)]
        batch.step(actions)
        over += int((batch.ended != 0).sum())
        assert batch.reward.tolist() == wanted
    assert over > 100

"""Every seat an agent, through PettingZoo."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pettingzoo
import pytest
from gymnasium.spaces import Discrete
from pettingzoo.utils import TerminateIllegalWrapper

import meeple
import meeple.envs
from meeple.core.errors import MeepleError


def play(env: Any, seed: int) -> dict[str, float]:
    """First legal actions; what each agent was told in all by `last`, as a learner would add it up."""
    env.reset(seed=seed)
    totals = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        totals[agent] += reward
        env.step(None if terminated or truncated else int(np.flatnonzero(seen["action_mask"])[0]))
    return totals


def test_what_the_issue_says() -> None:
    env = meeple.envs.aec("jaipur:round", observation="tracked", actions="25499")
    env.reset(seed=7)
    assert env.observe("player_0")["observation"].shape == (32,)
    assert env.action_space("player_1") == Discrete(25_499)
    assert np.array_equal(env.observe("player_1")["observation"], meeple.new("jaipur:round", seed=7).observe(1, "tracked"))


@pytest.mark.parametrize(
    ("spec", "reward"), [("jaipur:round", "win"), ("jaipur:match", "win"), ("splendor:4", "win"), ("rake:official-3", "win")]
)
def test_wins_and_defeats_cancel(spec: str, reward: str) -> None:
    assert sum(play(meeple.envs.aec(spec, reward=reward), seed=3).values()) == pytest.approx(0)


def test_every_seat_is_told_its_points() -> None:
    env = meeple.envs.aec("jaipur:round", reward="points")
    totals = play(env, seed=2)
    assert list(totals.values()) == env._batch.scores[0].tolist()


def test_an_illegal_action_is_refused_or_wrapped() -> None:
    env = meeple.envs.aec("jaipur:round")
    env.reset(seed=1)
    before = env._batch.arrays.states.copy()
    with pytest.raises(MeepleError, match="not legal"):
        env.step(25_000)
    with pytest.raises(MeepleError, match="needs an action"):
        env.step(None)
    for wrong in (2**40, "x", 1.7):
        with pytest.raises(MeepleError, match="whole number from 0 to 25498, not "):
            env.step(wrong)
    assert before.tobytes() == env._batch.arrays.states.tobytes()
    wrapped = TerminateIllegalWrapper(meeple.envs.aec("jaipur:round"), illegal_reward=-1)
    wrapped.reset(seed=1)
    wrapped.step(25_000)
    assert wrapped.terminations["player_0"] and wrapped.rewards["player_0"] == -1


def test_a_copy_goes_its_own_way() -> None:
    env = meeple.envs.aec("jaipur:round")
    env.reset(seed=1)
    twin = copy.deepcopy(env)
    env.step(env.legal_actions()[0])
    assert twin.agent_selection == "player_0"
    twin.step(twin.legal_actions()[0])
    assert np.array_equal(env.observe("player_1")["observation"], twin.observe("player_1")["observation"])
    assert np.array_equal(env.legal_actions(), twin.legal_actions())


@pytest.mark.xdist_group("rake")
def test_a_game_that_is_over_takes_no_steps() -> None:
    env = meeple.envs.aec("rake:simple")
    play(env, seed=1)
    with pytest.raises(MeepleError, match="reset"):
        env.step(0)


def test_a_seat_is_shown_its_own_board() -> None:
    env = meeple.envs.aec("jaipur:round", render_mode="ansi")
    with pytest.raises(MeepleError, match="reset"):
        env.render()
    env.reset(seed=1)
    assert env.render() == meeple.new("jaipur:round", seed=1).board(0)
    env.step(env.legal_actions()[0])
    assert "you" in env.render()


@pytest.mark.xdist_group("splendor")
def test_ids_are_registered_with_pettingzoo_too() -> None:
    env = pettingzoo.make("aec", "meeple/SplendorThesis-v1", reward="thesis")
    env.reset(seed=1)
    assert env.metadata["name"] == "splendor_thesis_v1"

"""Runs: PPO solves nim, a run that was killed goes on bit for bit, damaged and foreign checkpoints are refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from meeple.core.agent import Seen
from meeple.core.errors import MeepleError
from meeple.learn.checkpoint import write_checkpoint
from meeple.learn.config import read_config, read_settings
from meeple.learn.experience import Group, read_opponents, share_out
from meeple.learn.ppo import PPO, Config
from meeple.learn.train import CHECKPOINT, METRICS, Diverged, Run, find_learner, make_plan
from meeple.nets.forward import best_score, evaluate
from tests.search.tiny import GAME

UPDATES = 50
SMALL: dict[str, Any] = {"games": 32, "steps": 16, "hidden": (32,), "minibatch": 128}


def a_run(out: Path, updates: int, **settings: Any) -> Run:
    plan = make_plan("tiny:nim", "ppo", {**SMALL, **settings}, steps=updates * 512, games=4, evaluate=0, checkpoint=0.0)
    run = Run(plan, out)
    run.begin()
    return run


def scored(learner: PPO, legal: int, **seen: int) -> Any:
    """The network, asked about a table."""
    observation = np.zeros(33, np.float32)
    observation[[seen.get("sticks", 10), 11 + seen.get("pot", 0), 28 + seen.get("rolls", 0)]] = 1
    evaluate(learner.net, observation, np.arange(3, dtype=np.int32), legal)
    return learner.net


def test_ppo_learns_to_leave_a_multiple_of_four() -> None:
    learner = PPO(GAME.variant("nim"), Config(games=64, steps=16, hidden=(64,), minibatch=256, lr=3e-3), 1)
    for _ in range(UPDATES):
        learner.iterate()
    for sticks in (1, 2, 3, 5, 6, 7, 9, 10):
        net = scored(learner, min(3, sticks), sticks=sticks)
        assert best_score(net, min(3, sticks)) + 1 == sticks % 4
    assert scored(learner, 3, sticks=10).values[0] > 0.7
    assert scored(learner, 3, sticks=8).values[0] < -0.7


def test_ppo_learns_what_a_solitaire_is_worth() -> None:
    """Rolling adds 9/4 and loses the pot one time in four: worth it below 9, and the game 3.86; at random it is worth 1.46."""
    learner = PPO(GAME.variant("pot"), Config(games=64, steps=16, hidden=(64,), minibatch=256, lr=3e-3, scale=0.1), 1)
    for _ in range(UPDATES):
        learner.iterate()
    for rolls, pot in ((0, 0), (1, 2), (1, 4), (2, 4), (2, 6)):
        assert best_score(scored(learner, 2, pot=pot, rolls=rolls), 2) == 0
    assert scored(learner, 2).values[0] / 0.1 == pytest.approx(3.86, abs=0.5)


def test_a_run_that_was_killed_ends_with_the_same_weights(tmp_path: Path) -> None:
    opponents = "self 3; past 1"
    whole = a_run(tmp_path / "whole", 6, opponents=opponents, freeze=2)
    whole.run()
    killed = a_run(tmp_path / "killed", 6, opponents=opponents, freeze=2)
    for number in range(4):  # killed in the middle of the fourth, with a checkpoint of the third
        line = killed.update()
        killed.note(line)
        if number == 2:
            killed.keep()
    resumed = Run(killed.plan, killed.out)
    resumed.resume()
    assert resumed.learner.counters[1] == 3
    resumed.run()
    assert np.array_equal(whole.learner.weights, resumed.learner.weights)
    lines = [[json.loads(line) for line in (run.out / METRICS).read_text().splitlines()] for run in (whole, resumed)]
    for line in (*lines[0], *lines[1]):
        del line["rate"], line["cpu_rate"]
    assert lines[0] == lines[1]


class Historian:
    """A plain agent that plays by how much it was told of its game."""

    def choose(self, seen: Seen) -> int:
        assert len(seen.history) == seen.ply
        told.append((seen.ply, seen.history))
        return seen.legal[len(seen.history) % len(seen.legal)]


told: list[Any] = []


def test_opponents_that_are_asked_one_by_one_are_told_the_whole_game_after_a_resumption() -> None:
    learner = PPO(GAME.variant("nim"), Config(**SMALL), 1)

    def a_group() -> Group:
        return Group(learner.variant, learner.level, 4, 3, 1, 5, learner.reward, lambda _: Historian())

    net = learner.net
    whole, resumed = a_group(), a_group()
    whole.play(net)
    kept = {name: array.copy() for name, array in whole.arrays().items()}
    told.clear()
    whole.play(net)
    wanted = list(told)
    for name, array in resumed.arrays().items():
        array[...] = kept[name]
    told.clear()
    resumed.play(net)
    assert told == wanted and any(ply > 1 for ply, _ in told)


def test_checkpoints_that_are_damaged_or_of_another_run_are_refused_and_nothing_is_changed(tmp_path: Path) -> None:
    run = a_run(tmp_path / "a", 2)
    run.update()
    run.keep()
    path = run.out / CHECKPOINT
    whole = path.read_bytes()
    other = a_run(tmp_path / "b", 2, lr=1e-3)
    before = other.learner.weights.copy()
    (other.out / CHECKPOINT).write_bytes(whole)
    with pytest.raises(MeepleError, match=r"of another run: its setting lr is 0\.0005, not 0\.001"):
        other.resume()
    write_checkpoint(path, run.arrays(), {**run.identity(), "rules": 7})
    with pytest.raises(MeepleError, match="of another run: its version of the rules is 7, not 1"):
        Run(run.plan, run.out).resume()
    path.write_bytes(whole[:-100])
    with pytest.raises(MeepleError, match="damaged"):
        Run(run.plan, run.out).resume()
    assert np.array_equal(before, other.learner.weights)
    with pytest.raises(MeepleError, match="already holds a run"):
        run.begin()


def test_a_run_that_diverges_stops_with_a_sentence_and_keeps_its_last_good_checkpoint(tmp_path: Path) -> None:
    run = a_run(tmp_path / "a", 2)
    run.update()
    run.keep()
    kept = (run.out / CHECKPOINT).read_bytes()
    run.learner.weights[0] = np.nan
    with pytest.raises(Diverged, match="last good checkpoint"):
        run.run()
    assert (run.out / CHECKPOINT).read_bytes() == kept


def test_settings_are_read_and_refused() -> None:
    config = read_config(Config, read_settings(["lr=1e-3", "hidden=64,32", "games=7"]))
    assert (config.lr, config.hidden, config.games) == (1e-3, (64, 32), 7)
    with pytest.raises(MeepleError, match="did you mean 'entropy'"):
        read_config(Config, {"entopy": "1"})
    with pytest.raises(MeepleError, match="games must be a whole number"):
        read_config(Config, {"games": "many"})


def test_opponents_are_shared_out_by_weight() -> None:
    assert read_opponents("self 6; past; greedy:c=1 0.5") == [("self", 6.0), ("past", 1.0), ("greedy:c=1", 0.5)]
    assert share_out(64, [6, 1, 1]) == [48, 8, 8]


@pytest.mark.parametrize(("algorithm", "more"), [("reinforce", {"minibatch": 64}), ("qlearning", {"batch": 8}), ("qtable", {})])
def test_earlier_selves_are_kept_met_and_picked_by_every_learner(algorithm: str, more: dict[str, Any]) -> None:
    kind = find_learner(algorithm)
    small = {"games": 16, "steps": 8, "opponents": "self 2; past 2", "freeze": 2, **more}
    learner = kind(GAME.variant("nim"), read_config(kind.config_class, small), 1)
    for _ in range(12):
        learner.iterate()
    past = learner.past
    assert past.numbers[0] == 7  # as it began, and after every second update
    assert (past.rates[:7] != 0.5).any()
    assert past.policy is not None
    assert np.array_equal(past.policy.net.weights, past.kept[past.numbers[1]])

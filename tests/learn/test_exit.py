"""Expert iteration: it solves a tiny game, whoever plays its games, however often it is interrupted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from meeple.core.errors import MeepleError
from meeple.core.registry import find_variant
from meeple.core.state import new
from meeple.learn.config import read_config
from meeple.learn.exit import POINTS, Config, Exit, others_best
from meeple.learn.ppo import PPO
from meeple.learn.start import places, told_by
from meeple.learn.train import CHECKPOINT, Run, make_plan
from meeple.nets.file import read_net
from meeple.nets.forward import evaluate
from tests.search.tiny import GAME

FOLDER = Path(__file__).parents[1] / "search" / "tiny"
NIM = GAME.variant("nim")
SMALL: dict[str, Any] = {"games": 16, "hidden": (32,), "minibatch": 64, "window": 4000, "iterations": 24, "quick": 8, "workers": 0}

ROOT = Path(__file__).parent.parent.parent


def nim(**more: Any) -> Exit:
    return Exit(NIM, Config(**{**SMALL, **more}), 1)


def test_it_solves_nim() -> None:
    learner = nim(lr=3e-3)
    for _ in range(40):
        learner.iterate()
    state = new(NIM, 1)
    for sticks in (5, 6, 7, 10):  # nine are never left by who plays well
        state.data.sticks = sticks
        evaluate(learner.net, state.observe(0, "seen"), np.array(state.legal(), np.int32), len(state.legal()))
        assert (sticks - 1 - int(np.argmax(learner.net.scores[:3]))) % 4 == 0, sticks
        assert learner.net.values[0] > 0.5


def test_games_do_not_depend_on_who_plays_them() -> None:
    variant = find_variant(f"{FOLDER}:nim")  # by its folder, so that other processes find it too
    settings = {**SMALL, "past_share": 0.5, "freeze": 1}
    alone, helped = Exit(variant, Config(**settings), 1), Exit(variant, Config(**{**settings, "workers": 2}), 1)
    try:
        for _ in range(4):
            alone.iterate()
            helped.iterate()
        assert np.array_equal(alone.weights, helped.weights)
        assert np.array_equal(alone.window.states, helped.window.states)
    finally:
        helped.close()


def test_a_run_that_was_stopped_ends_with_the_same_weights(tmp_path: Path) -> None:
    steps = 1200

    def plan(decisions: int) -> Any:
        return make_plan(f"{FOLDER}:nim", "exit", SMALL, steps=decisions, games=4, evaluate=0, beside=False)

    whole = Run(plan(steps), tmp_path / "whole")
    whole.begin()
    whole.run()
    first = Run(plan(steps), tmp_path / "parts")
    first.begin()
    for _ in range(3):
        first.learner.progress = first.progress()
        first.learner.iterate()
    first.keep()
    second = Run(plan(steps), tmp_path / "parts")
    second.resume()
    second.run()
    assert np.array_equal(whole.learner.weights, second.learner.weights)
    assert (tmp_path / "parts" / CHECKPOINT).stat().st_size < 1_000_000


def test_what_a_position_is_worth() -> None:
    """Nine tenths of how the game ended and a tenth of what the search expected, as the network counts: -1 to 1."""
    learner = nim(mix=0.1)
    rows = {
        "states": NIM.empty(2),
        "actions": np.zeros((2, 16), np.int32),
        "policy": np.zeros((2, 16), np.float32),
        "counts": np.zeros(2, np.int8),
        "expected": np.array([[0.6, 0.4], [0.5, 0.5]], np.float32),
        "points": np.zeros((2, 2)),
        "outcomes": np.array([[1.0, 0.0], [1.0, 0.0]]),
        "scores": np.array([[7.0, 4.0], [7.0, 4.0]]),
    }
    rows["states"]["seat"] = [0, 1]
    learner.keep(rows)
    assert learner.window.targets[:2, 0] == pytest.approx([2 * (0.9 + 0.06) - 1, 2 * 0.05 - 1])
    assert learner.window.extras[:2, 0] == pytest.approx([3 * POINTS, -3 * POINTS])


def test_the_best_of_the_others() -> None:
    assert others_best(np.array([[3.0, 9.0, 5.0]])).tolist() == [[9.0, 5.0, 9.0]]
    assert others_best(np.array([[3.0]])).tolist() == [[0.0]]


def test_it_begins_with_a_network_that_predicts_less(tmp_path: Path) -> None:
    ppo = {"hidden": (32,), "games": 8, "steps": 4, "minibatch": 32}
    run = Run(make_plan(f"{FOLDER}:nim", "ppo", ppo, steps=32, games=4, evaluate=0, beside=False), tmp_path / "ppo")
    run.begin()
    run.keep()
    learner = nim()
    learner.begin_with(tmp_path / "ppo" / "latest.safetensors")
    card, weights = read_net(tmp_path / "ppo" / "latest.safetensors")
    for name in card.layout.parts:
        assert np.array_equal(learner.model.layout.of(learner.weights, name), card.layout.of(weights, name))
    with pytest.raises(MeepleError, match="cannot be begun with"):
        nim(hidden=(16,)).begin_with(tmp_path / "ppo" / "latest.safetensors")


def test_it_begins_with_a_network_of_another_variant(tmp_path: Path) -> None:
    """A round's network in a match: every number that both see counts as it did, what only the match has counts nothing yet."""
    settings = {"hidden": (16,), "games": 4, "steps": 4, "minibatch": 16}
    run = Run(make_plan("jaipur:round", "ppo", settings, steps=16, games=4, evaluate=0, beside=False), tmp_path / "round")
    run.begin()
    run.keep()
    path = tmp_path / "round" / "latest.safetensors"
    match = find_variant("jaipur:match")
    learner = PPO(match, read_config(PPO.config_class, settings), 2)
    learner.begin_with(path)
    card, weights = read_net(path)
    first, theirs = learner.model.layout.of(learner.weights, "trunk.0.weight"), card.layout.of(weights, "trunk.0.weight")
    seals = places(match.shape.levels[match.level("seen")])["seals"]
    kept = np.delete(np.arange(len(first)), [*seals, seals.stop])  # behind the seals comes the number of rounds
    assert np.array_equal(first[kept], theirs)
    assert not first[list(seals)].any()
    assert np.array_equal(learner.model.layout.of(learner.weights, "query.weight"), card.layout.of(weights, "query.weight"))
    with pytest.raises(MeepleError, match="plays jaipur, not splendor"):
        PPO(find_variant("splendor:2"), read_config(PPO.config_class, settings), 2).begin_with(path)


def test_what_is_told_of_an_item_is_found_again_at_a_larger_table() -> None:
    """Splendor for two at a table of three: a card's face and what the first two sides lack count as before, the third's not."""
    path = ROOT / "training" / "splendor-2" / "ppo.safetensors"
    three = find_variant("splendor:3")
    learner = PPO(three, read_config(PPO.config_class, {"games": 4, "steps": 4, "minibatch": 16}), 2)
    learner.begin_with(path)
    card, weights = read_net(path)
    ours, theirs = learner.model.layout.of(learner.weights, "items.weight"), card.layout.of(weights, "items.weight")
    fields = told_by(three, "seen")
    added = {fields["card_1_1_short", 2], fields["card_1_1_buys", 2]}
    assert len(ours) == len(theirs) + len(added)
    assert np.array_equal(np.delete(ours, sorted(added), axis=0), theirs)
    assert not ours[sorted(added)].any()


def test_impossible_settings_are_refused() -> None:
    with pytest.raises(MeepleError, match="leave policies at shared"):
        nim(policies="seat")

"""A learner of some phases of The Lord of the Rings: only these are asked, and its file plays with whom it learnt."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from meeple.agents.net import load_agent
from meeple.agents.phases import ByPhase
from meeple.agents.random import Random
from meeple.core.errors import MeepleError
from meeple.core.registry import find_variant
from meeple.core.verbs import phase
from meeple.learn.beside import Asked, judge_file
from meeple.learn.evaluate import Judge, Trained
from meeple.learn.qlearning import NetConfig, QLearning
from meeple.learn.train import LATEST, METRICS, train
from meeple.nets.file import write_net
from meeple.nets.policy import Policy
from meeple.nets.ready import load_policy

LOTR = find_variant("lotr:hard,decisions=macro")
SETTINGS = {"games": 8, "steps": 4, "hidden": (16,), "level": "questing0"}


@pytest.mark.xdist_group("lotr")
def test_only_the_named_phases_are_learnt_and_others_decides_the_rest(tmp_path: Path) -> None:
    learner = QLearning(LOTR, NetConfig(**SETTINGS, phases="questing"), 1)  # type: ignore[arg-type]
    questing = LOTR.game.phases.index("questing")
    for _ in range(3):
        learner.iterate()
        states = learner.groups[0].batch.arrays.states
        assert [int(phase(states[i])) for i in range(8)] == [questing] * 8
    assert not np.array_equal(learner.model.weights, QLearning(LOTR, learner.config, 1).model.weights)
    write_net(tmp_path / "net", learner.card(), learner.model.weights)
    agent = load_agent(tmp_path / "net", LOTR)
    assert isinstance(agent, ByPhase)
    assert isinstance(agent[questing], Policy)
    assert isinstance(agent[0], Random)


def test_unknown_phases_and_helpers_are_refused() -> None:
    with pytest.raises(MeepleError, match="did you mean 'questing'"):
        QLearning(LOTR, NetConfig(**SETTINGS, phases="questin"), 1)  # type: ignore[arg-type]
    with pytest.raises(MeepleError, match="nobody"):
        QLearning(LOTR, NetConfig(**SETTINGS, phases="questing", others="nobody"), 1)  # type: ignore[arg-type]


def test_networks_of_several_phases_are_one_agent_and_never_one_inside_another(tmp_path: Path) -> None:
    """One composed agent inside another calls the kernel of composed agents from within itself, which ended the process."""
    from meeple.agents.registry import find_agent

    learner = QLearning(LOTR, NetConfig(**SETTINGS, phases="questing"), 1)  # type: ignore[arg-type]
    write_net(tmp_path / "net", learner.card(), learner.model.weights)
    agent = find_agent(f"phases:questing=net({tmp_path / 'net'}),other=random", LOTR.game).make(LOTR)
    assert [type(part) for part in agent[:3]] == [Random, Policy, Random]


@pytest.mark.xdist_group("lotr")
def test_the_last_network_is_measured_with_whom_it_learnt_as_every_other_is(tmp_path: Path) -> None:
    easy = find_variant("lotr:easy,decisions=macro")
    settings = {**SETTINGS, "phases": "questing"}
    result = train(easy.spec, "qlearning", tmp_path / "run", settings, steps=64, evaluate=0, games=200, beside=False)
    update = json.loads((tmp_path / "run" / METRICS).read_text().splitlines()[-1])["update"]
    judge, last = Judge(easy, ("random",), 200, 1), tmp_path / "run" / LATEST
    assert result["last"] == judge_file(judge, Asked(update, last))
    assert result["last"] != judge.judge(Trained(load_policy(last, easy)), update)  # which would decide phases that it never learnt

"""Other people's learners, as they come, learn on our environments: better than the random players, with an interval."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from meeple.arena.stats import mean_interval
from meeple.core.kernel import JIT

pytestmark = pytest.mark.skipif(not JIT, reason="learning takes too many games for plain Python")
EXAMPLES = Path(__file__).parents[2] / "examples"


def example(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.xdist_group("rake")
@pytest.mark.parametrize("make", ["sb3_maskable_ppo as e; e.make(e.TASKS['rake'])", "tianshou_dqn as e; e.make()"])
def test_an_example_stands_alone(make: str) -> None:
    """Nothing that another test imported helps it."""
    done = subprocess.run([sys.executable, "-c", f"import {make}"], capture_output=True, text=True, cwd=EXAMPLES)
    assert done.returncode == 0, done.stderr


@pytest.mark.filterwarnings("default")  # the libraries' own
@pytest.mark.parametrize(
    ("task", "steps"),
    [
        pytest.param("rake", 16_384, marks=pytest.mark.xdist_group("rake")),
        pytest.param("jaipur", 2_048, marks=pytest.mark.xdist_group("jaipur")),
    ],
)
def test_maskable_ppo_learns(task: str, steps: int) -> None:
    """Less than the example's minute, and far from its strength."""
    sb3 = example("sb3_maskable_ppo")
    chosen = sb3.TASKS[task]
    model = sb3.train(chosen, seed=1, steps=steps)
    ours = sb3.scores(chosen, sb3.learner(model), 60, seed=500)
    theirs = sb3.scores(chosen, sb3.agent(chosen.baseline), 60, seed=500)
    assert mean_interval(ours - theirs)[0] > 0


@pytest.mark.filterwarnings("default")
@pytest.mark.xdist_group("rake")
def test_dqn_of_tianshou_learns() -> None:
    tianshou = example("tianshou_dqn")
    policy = tianshou.train(3_000, seed=1)
    ours, theirs = tianshou.scores(policy, 50, seed=500), tianshou.baseline(50, seed=500)
    assert mean_interval(ours - theirs)[0] > 0

"""Train with Stable-Baselines3: MaskablePPO as it comes, on a game of Meeple, in a minute or two.

    python examples/sb3_maskable_ppo.py rake            Rake&Roll `simple`, beside random-nopass
    python examples/sb3_maskable_ppo.py jaipur          a round of Jaipur against basic3, beside random

Afterwards learner and baseline play the same deals, and the difference is given with its interval. Needs `pip install
'meeple[envs,sb3]'`.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before torch: with few cores, more threads are slower

import gymnasium
import numpy as np
import torch
from gymnasium.wrappers import RescaleObservation
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env

import meeple.envs  # noqa: F401  (registers the ids)
from meeple.arena.stats import mean_interval

GAMES_AT_ONCE = 16


@dataclass(frozen=True)
class Task:
    """What is learnt, how long, and whom to be better than."""

    env: str
    arguments: dict[str, Any]
    baseline: str
    steps: int
    settings: dict[str, Any]


TASKS = {
    "rake": Task(
        "meeple/RakeSimple-v1",
        {"reward": "thesis"},
        baseline="random-nopass",
        steps=60_000,
        settings={"n_steps": 128, "batch_size": 256, "n_epochs": 4, "gamma": 1.0, "ent_coef": 0.01, "learning_rate": 1e-3},
    ),
    "jaipur": Task(
        "meeple/JaipurRound-v1",
        {"observation": "tracked", "reward": "thesis", "opponent": "basic3", "seat": "alternate"},
        baseline="random",
        steps=8_192,
        settings={"n_steps": 64, "batch_size": 256, "n_epochs": 2, "gamma": 0.95, "learning_rate": 1e-3},
    ),
}


def make(task: Task) -> gymnasium.Env[Any, Any]:
    """Networks like small numbers, and the game declares the bounds of each."""
    return RescaleObservation(gymnasium.make(task.env, **task.arguments), np.float32(0), np.float32(1))


def train(task: Task, seed: int, steps: int = 0, progress: bool = False) -> MaskablePPO:
    torch.set_num_threads(1)
    env = make_vec_env(lambda: make(task), GAMES_AT_ONCE, seed=seed)
    model = MaskablePPO("MlpPolicy", env, seed=seed, device="cpu", **task.settings)
    return model.learn(steps or task.steps, progress_bar=progress)


Chooser = Callable[[Any, NDArray[np.float32]], int]


def learner(model: MaskablePPO) -> Chooser:
    return lambda env, seen: int(model.predict(seen, action_masks=env.unwrapped.action_masks(), deterministic=True)[0])


def scores(task: Task, choose: Chooser, games: int, seed: int) -> NDArray[np.float64]:
    """Own points less the opponent's (alone: the points) of so many games; the same seed gives the same deals and seats."""
    env = make(task)
    found = []
    for number in range(games):
        seen, info = env.reset(seed=seed + number)
        over = False
        while not over:
            seen, _, terminated, truncated, end = env.step(choose(env, seen))
            over = terminated or truncated
        own, *others = np.roll(end["scores"], -info["seat"])
        found.append(own - max(others, default=0.0))
    return np.array(found)


def agent(name: str) -> Chooser:
    """One of Meeple's own agents at the same table."""
    return lambda env, _: int(env.unwrapped.ask(name))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("task", choices=TASKS)
    parser.add_argument("--steps", type=int, default=0, help="decisions to learn from; default: about a minute's worth")
    parser.add_argument("--games", type=int, default=200, help="games to compare over")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    task = TASKS[given.task]
    started = time.perf_counter()
    model = train(task, given.seed, given.steps, progress=False)
    print(f"{task.env}: {model.num_timesteps:,} decisions in {time.perf_counter() - started:.0f} s")
    ours = scores(task, learner(model), given.games, 10_000)
    theirs = scores(task, agent(task.baseline), given.games, 10_000)
    for name, found in (("MaskablePPO", ours), (task.baseline, theirs), ("difference", ours - theirs)):
        low, high = mean_interval(found)
        print(f"{name:>14}: {found.mean():6.1f} ({low:.1f} to {high:.1f})")


if __name__ == "__main__":
    main()

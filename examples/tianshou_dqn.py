"""Train with Tianshou: its DQN as it comes learns Rake&Roll `simple` as a client of PettingZoo, in a minute or so on one core.

    python examples/tianshou_dqn.py
    python examples/tianshou_dqn.py --steps 100000 --games 1000 --seed 2

Tianshou's own PettingZooEnv makes of the AEC environment what its collectors step, and hands each mask to the learner, which then
neither tries illegal actions nor counts on them. Afterwards learner and random-nopass play the same deals, and the difference is
given with its interval. Needs `pip install 'meeple[envs,tianshou]'`.
"""

from __future__ import annotations

import argparse
import logging
import os
import time
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before torch: with few cores, more threads are slower

import gymnasium
import numpy as np
import torch
from numpy.typing import NDArray
from tianshou.algorithm.modelfree.dqn import DQN, DiscreteQLearningPolicy
from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm, MultiAgentPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Batch, Collector, CollectStats, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

import meeple.envs
from meeple.arena.stats import mean_interval

BASELINE = "random-nopass"
GAMES_AT_ONCE = 32
COLLECTED = 6 * GAMES_AT_ONCE  # decisions between two rounds of learning
LEARNT = 0.1  # batches per decision; 20 or more a round, and Tianshou 2.0 draws a progress bar although told not to
KEPT = 10_000  # decisions to learn from again; Tianshou looks through all of them for NaN after every collecting


def make() -> PettingZooEnv:
    """The level `thesis` shows dice one-hot and everything from 0 to 1, as networks like it; a tenth of the points, likewise."""
    return PettingZooEnv(meeple.envs.aec("rake:simple", observation="thesis", reward={"points": 0.1}))


def train(steps: int, seed: int) -> MultiAgentPolicy:
    # One agent or many, PettingZooEnv's rewards have one column each, and the collector says so every time it counts them.
    logging.getLogger("tianshou.data.stats").setLevel(logging.ERROR)
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    np.random.seed(seed)  # Tianshou explores by NumPy's global generator
    envs = DummyVectorEnv([make] * GAMES_AT_ONCE)
    envs.seed(seed)
    table = make()
    actions = table.action_space
    net = Net(state_shape=table.observation_space["observation"].shape, action_shape=actions.n, hidden_sizes=[128, 128])
    policy = DiscreteQLearningPolicy(model=net, action_space=actions)
    # The game ends by itself, so nothing needs discounting; double Q-learning is Tianshou's default.
    dqn = DQN(policy=policy, optim=AdamOptimizerFactory(lr=5e-4), gamma=1.0, target_update_freq=100)
    # A solitaire is a game of one agent: this picks its column of the rewards and its observation out of what the wrapper gives.
    learner = MultiAgentOffPolicyAlgorithm(algorithms=[dqn], env=table)
    buffer = VectorReplayBuffer(KEPT, GAMES_AT_ONCE, random_seed=seed)
    collector = Collector[CollectStats](learner, envs, buffer, exploration_noise=True)
    collector.reset()

    def explore(_epoch: int, step: int) -> None:
        # For inference, since Tianshou 2.0 tells only the policy of all agents, not the agent's own, that this is training. It is
        # the collector that explores, not the policy, so that nothing of this is left in `scores`.
        policy.set_eps_inference(max(0.05, 1 - 2 * step / steps))

    learner.run_training(
        OffPolicyTrainerParams(
            training_collector=collector,
            training_fn=explore,
            max_epochs=1,
            epoch_num_steps=steps,
            collection_step_num_env_steps=COLLECTED,
            update_step_num_gradient_steps_per_sample=LEARNT,
            batch_size=256,
            verbose=False,
            show_progress=False,
        )
    )
    return learner.policy


def scores(policy: MultiAgentPolicy, games: int, seed: int) -> NDArray[np.float64]:
    """What the learner scores without exploring; the same seed gives the same deals."""
    table = make()
    found = []
    for number in range(games):
        seen, info = table.reset(seed=seed + number)
        over = False
        while not over:
            with torch.no_grad():
                action = policy(Batch(obs=Batch([seen]), info=Batch())).act[0]  # compute_action knows no observations with masks
            seen, _, terminated, truncated, info = table.step(action)
            over = terminated or truncated
        found.append(info["score"])
    return np.array(found)


def baseline(games: int, seed: int) -> NDArray[np.float64]:
    """What one of Meeple's own agents scores on these deals. The Gymnasium environment can ask it, and deals alike."""
    env = gymnasium.make("meeple/RakeSimple-v1")
    table: Any = env.unwrapped
    found = []
    for number in range(games):
        env.reset(seed=seed + number)
        over = False
        while not over:
            _, _, terminated, truncated, info = env.step(table.ask(BASELINE))
            over = terminated or truncated
        found.append(info["scores"][0])
    return np.array(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=40_000, help="decisions to learn from")
    parser.add_argument("--games", type=int, default=200, help="games to compare over")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    started = time.perf_counter()
    policy = train(given.steps, given.seed)
    print(f"rake:simple: {given.steps:,} decisions in {time.perf_counter() - started:.0f} s")
    ours, theirs = scores(policy, given.games, 10_000), baseline(given.games, 10_000)
    for name, found in (("DQN", ours), (BASELINE, theirs), ("difference", ours - theirs)):
        low, high = mean_interval(found)
        print(f"{name:>14}: {found.mean():6.1f} ({low:.1f} to {high:.1f})")


if __name__ == "__main__":
    main()

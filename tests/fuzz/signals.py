"""Ctrl-C and SIGTERM at random moments of work that would go on for long."""

from __future__ import annotations

import signal
from random import Random

from tests.fuzz.case import Case

MANY = "1000000"
WORK = [
    ["match", "tiny:nim", "mcts:iterations=8", "random", "--games", MANY, "--processes", "1"],
    ["match", "tiny:guess", "random", "random", "--games", MANY, "--processes", "2"],
    ["match", "tiny:nim", "mcts:ms=2000", "random", "--games", "100", "--processes", "1"],
    ["match", "tiny:nim", "mine", "random", "--games", MANY, "--processes", "1", "--code", "slow.py"],
    ["tournament", "tiny:nim", "mcts:iterations=8", "random", "guided", "--games", MANY, "--processes", "1"],
    [
        "tune",
        "tiny:pot",
        "mcts:iterations=8",
        "--only",
        "c",
        "--games",
        "200",
        "--generations",
        "999",
        "--processes",
        "1",
        "--out",
        "x.json",
    ],
    ["simulate", "tiny:nim", "--games", "100000000"],
    ["simulate", "tiny:nim", "--games", MANY, "--agents", "mcts:iterations=16"],
    ["study", "tiny:nim", "--games", MANY, "--agents", "random"],
    ["ladder", "tiny:nim", "mcts", "--from", "8", "--rungs", "9", "--games", "100000", "--processes", "1"],
    ["exploit", "tiny:nim", "random", "--ms", "20", "--games", "10000", "--processes", "1"],
    ["analyze", "tiny:nim", "--ms", "60000"],
    ["check", "tiny", "--games", "2000", "--envs", "0"],
    ["play", "tiny:nim", "--opponent", "mcts:ms=3000"],
    ["solve", "rake:simple", "--processes", "1", "--out", "solution.npz"],
    ["train", "tiny:nim", "ppo", "--minutes", "5", "--out", "run"],
    ["list", "agents"],
]
WEIGHTS = [6, 3, 2, 2, 3, 3, 2, 2, 1, 2, 1, 2, 2, 3, 1, 0.3, 1]
SLOW = b"""
import time
from meeple.core.agent import AgentKind
class Mine:
    def choose(self, seen):
        time.sleep(0.002)
        return seen.legal[0]
AGENTS = (AgentKind("mine", "slow", lambda variant: Mine()),)
"""


def draw_signal(random: Random) -> Case:
    fresh = random.random() < 0.1
    return Case(
        "signal",
        random.choices(WORK, WEIGHTS)[0],
        {"slow.py": SLOW},
        typed="1\n" * 20,
        signal=random.choice([signal.SIGINT, signal.SIGINT, signal.SIGINT, signal.SIGTERM]),
        after=random.uniform(0.0, 1.5) + (1.0 if fresh else 0.0),  # the interpreter itself must have started
        whole_group=random.random() < 0.7,
        fresh=fresh,
    )

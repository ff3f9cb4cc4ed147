"""The rules again with the compiler off: what only the compiler makes true would show here.

The rules by example, golden playthroughs, a little search and the core; what plays many games, or thinks long, is left to compiled
code.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from meeple.core.kernel import JIT

TESTS = Path(__file__).parents[1]


@pytest.mark.skipif(not JIT, reason="this is that run")
def test_the_rules_hold_without_the_compiler() -> None:
    plain = [str(path) for name in ("rules", "actions") for path in (TESTS / "games").glob(f"*/test_{name}.py")]
    golden = f"{TESTS / 'games' / 'test_every_game.py'}::test_golden_playthroughs_replay_to_the_letter"
    some = [f"{golden}[{spec}]" for spec in ("jaipur:match", "splendor:2", "rake:complete", "rake:official-2", "lotr:hard")]
    search = [str(TESTS / "search" / "test_flat.py") + "::test_the_win_is_found"]
    envs = [
        str(TESTS / "envs" / "test_one_seat.py") + f"::test_{name}"
        for name in ("rewards_can_be_mixed", "seats_alternate_and_a_seed_begins_with_the_first")
    ]
    envs += [str(TESTS / "envs" / "test_many_games.py") + "::test_so_is_one_who_answers_inside_the_step"]
    core = [str(TESTS / "core" / f"test_{name}.py") for name in ("ask", "records", "rng", "state")]
    command = [sys.executable, "-m", "pytest", "-p", "no:xdist", "-x", *plain, *some, *search, *envs, *core]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    environment.pop("PYTEST_XDIST_WORKER", None)
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=TESTS.parent)
    assert done.returncode == 0, done.stdout[-3000:]
    assert " passed" in done.stdout

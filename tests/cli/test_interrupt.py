"""Ctrl-C at any command: one sentence with the command that goes on, nothing lost, nobody left behind. No time is asserted; what
never ends by itself would run into the limit."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from meeple.cli import interrupt
from meeple.cli.compiling import SENTENCE
from meeple.core.kernel import JIT

LIMIT = 120  # seconds, on whatever machine

pytestmark = pytest.mark.skipif(not JIT, reason="games without end")


@pytest.fixture
def begin(quiet_environment: dict[str, str], tmp_path: Path) -> Any:
    def call(*arguments: str) -> subprocess.Popen[str]:
        environment = {**quiet_environment, "MEEPLE_STORE": str(tmp_path / "r.sqlite"), "XDG_DATA_HOME": str(tmp_path)}
        return subprocess.Popen(
            [sys.executable, "-m", "meeple", *arguments],
            env=environment,
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # even if the tests run where it is ignored
        )

    return call


def press(process: subprocess.Popen[str]) -> str:
    """As a terminal does it: to all processes of the command. Returns the sentence."""
    os.killpg(process.pid, signal.SIGINT)
    _, message = process.communicate(timeout=LIMIT)
    assert process.returncode == 130
    assert "Traceback" not in message
    lines = [line for line in message.splitlines() if line.strip() and line != SENTENCE]
    assert len(lines) == 1
    wait_until_nobody_is_left(process.pid)
    return lines[0]


def wait_until_nobody_is_left(group: int) -> None:
    until = time.monotonic() + LIMIT
    while time.monotonic() < until:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    pytest.fail("A worker lives on.")


def threads(process: subprocess.Popen[str]) -> int:
    found = re.search(r"Threads:\s*(\d+)", Path(f"/proc/{process.pid}/status").read_text())
    return int(found[1]) if found else 0


def games(path: Path) -> int:
    try:
        with closing(sqlite3.connect(path, timeout=10)) as db:
            return int(db.execute("SELECT count(*) FROM game").fetchone()[0])
    except sqlite3.OperationalError:
        return 0


@pytest.mark.parametrize("processes", ["1", "2"])
def test_a_match_says_how_far_it_was_and_goes_on(begin: Any, tmp_path: Path, processes: str) -> None:
    words = ["match", "jaipur:round", "basic3", "random", "--games", "2000000", "--processes", processes]
    process = begin(*words)
    while games(tmp_path / "r.sqlite") < 100:
        assert process.poll() is None
        time.sleep(0.1)
    told = press(process)
    found = re.fullmatch(r"Stopped after ([\d,]+) of 2,000,000 games; go on with: (.*)", told)
    assert found
    assert found[2] == " ".join(["meeple", *words])
    assert int(found[1].replace(",", "")) <= games(tmp_path / "r.sqlite")
    again = begin(*words)
    before = games(tmp_path / "r.sqlite")
    while games(tmp_path / "r.sqlite") == before:
        assert again.poll() is None
        time.sleep(0.1)
    press(again)
    with closing(sqlite3.connect(tmp_path / "r.sqlite")) as db:
        assert db.execute("SELECT count(*) FROM match").fetchone() == (1,)


@pytest.mark.parametrize(
    "words",
    [
        ["match", "jaipur:round", "mcts:ms=100000", "random", "--games", "2", "--processes", "1"],
        ["match", "jaipur:round", "mcts:ms=100000", "random", "--games", "2", "--processes", "2"],
        ["simulate", "jaipur", "--games", "1000000000"],
        ["study", "jaipur", "--games", "1000000000"],
        ["tune", "splendor:2", "heuristic", "--out", "t.json", "--games", "200000", "--processes", "1"],
        ["bench", "jaipur"],
        ["check", "jaipur", "--audit", "1000000000"],
        ["solve", "rake:simple", "--processes", "1"],
    ],
    ids=lambda words: " ".join(words[:3]),
)
@pytest.mark.parametrize("seconds", [0.2, 4.0])
def test_any_command_stops_with_one_sentence(begin: Any, words: list[str], seconds: float) -> None:
    """Early, while it loads or compiles; and later, while it works."""
    process = begin(*words)
    while threads(process) < 2:  # until it listens
        time.sleep(0.02)
    time.sleep(seconds)
    assert process.poll() is None
    assert press(process).endswith(" ".join(["meeple", *words]))


def test_the_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["/x/meeple", "match", "jaipur", "my agent"])
    monkeypatch.setattr(interrupt, "_doing", [])  # whatever tests before it in this process left
    assert interrupt.sentence() == "Stopped; start again with: meeple match jaipur 'my agent'"
    with interrupt.doing(2000, "games") as now:
        now.done = 412
        assert interrupt.sentence() == (
            "Stopped after 412 of 2,000 games; nothing is kept, start again with: meeple match jaipur 'my agent'"
        )
        with interrupt.resumable():
            assert interrupt.sentence() == "Stopped after 412 of 2,000 games; go on with: meeple match jaipur 'my agent'"

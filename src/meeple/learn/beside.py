"""Evaluation beside learning: a process of its own plays the matches, on another core, and learning does not wait for it.

Networks go there as files and results come back as lines of JSON, in the order they were asked for, so that a run ends with the
same best network whoever was faster. This module loads no PyTorch; it is also what that process runs.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, NamedTuple

from meeple.agents.net import load_agent
from meeple.core.errors import MeepleError
from meeple.core.registry import find_variant
from meeple.learn.evaluate import Judge, Trained


class Asked(NamedTuple):
    """A network whose strength was asked for."""

    update: int
    path: Path


def judge_file(judge: Judge, asked: Asked) -> dict[str, Any]:
    """The strength of a network in a file, on the deals of its update."""
    return judge.judge(Trained(load_agent(asked.path, judge.variant)), asked.update)


class Here:
    """The same questions answered at once, in this process."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self.found: list[tuple[Asked, dict[str, Any]]] = []

    def ask(self, asked: Asked) -> None:
        """How strong is this one?"""
        self.found.append((asked, judge_file(self.judge, asked)))

    def answers(self, wait: bool = False) -> list[tuple[Asked, dict[str, Any]]]:  # noqa: ARG002
        """What has been found out since the last call."""
        found, self.found = self.found, []
        return found

    def close(self) -> None:
        """Nothing to end."""


class Beside:
    """Questions go to a process that is started with the first; if it fails, they are answered here."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self.waiting: list[Asked] = []
        self.lines: queue.Queue[str | None] = queue.Queue()
        self.process: subprocess.Popen[str] | None = None

    def ask(self, asked: Asked) -> None:
        """How strong is this one?"""
        self.waiting.append(asked)
        if self.process is None:
            self._start()
        self._send({"update": asked.update, "path": str(asked.path)})

    def answers(self, wait: bool = False) -> list[tuple[Asked, dict[str, Any]]]:
        """What has been found out since the last call; `wait` for everything that was asked."""
        found = []
        while self.waiting and (wait or not self.lines.empty()):
            line = self.lines.get()
            asked = self.waiting.pop(0)
            result = json.loads(line).get("result") if line else None
            found.append((asked, result or judge_file(self.judge, asked)))
            if line is None:
                self.lines.put(None)  # it is gone, and all other answers are made here too
        return found

    def close(self) -> None:
        """End the process."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.listener.join()
            assert self.process.stdin is not None and self.process.stdout is not None
            with contextlib.suppress(OSError):
                self.process.stdin.close()
            self.process.stdout.close()
            self.process = None

    def _start(self) -> None:
        command = [sys.executable, "-m", "meeple.learn.beside"]
        env = {**os.environ, "OMP_NUM_THREADS": "1"}
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env)
        self.listener = threading.Thread(target=self._listen, args=(self.process.stdout,), daemon=True)
        self.listener.start()
        judge = self.judge
        self._send({"game": judge.variant.spec, "opponents": judge.opponents, "games": judge.games, "seed": judge.seed})

    def _listen(self, lines: Any) -> None:
        for line in lines:
            self.lines.put(line)
        self.lines.put(None)

    def _send(self, message: dict[str, Any]) -> None:
        assert self.process is not None and self.process.stdin is not None
        with contextlib.suppress(OSError):  # it is gone, as whoever listens will notice
            self.process.stdin.write(json.dumps(message) + "\n")
            self.process.stdin.flush()


def serve() -> None:
    """What the other process does: one line of JSON tells the judge, every other one asks; it ends when nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the run, which ends this process
    given = json.loads(sys.stdin.readline())
    judge = Judge(find_variant(given["game"]), tuple(given["opponents"]), given["games"], given["seed"])
    for line in sys.stdin:
        asked = json.loads(line)
        try:
            answer: dict[str, Any] = {"result": judge_file(judge, Asked(asked["update"], Path(asked["path"])))}
        except MeepleError as error:
            answer = {"error": str(error)}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    serve()

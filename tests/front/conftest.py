"""Games from outside, for programs of their own: nothing of them may stay in the process of the tests."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.docs.test_add_a_game import write_pig

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def pig(tmp_path: Path) -> Path:
    return write_pig(tmp_path)


@pytest.fixture
def run(tmp_path: Path, quiet_environment: dict[str, str]) -> Run:
    """`run("check", "pig")` is the command in the folder that has the game; `python=` runs a program instead."""

    def start(*arguments: str, python: str = "", path: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
        known = {**quiet_environment, "MEEPLE_STORE": str(tmp_path / "r.sqlite"), **environment}
        if path:
            known["PYTHONPATH"] = os.pathsep.join(filter(None, [str(path), known.get("PYTHONPATH", "")]))
        words = ["-c", python] if python else ["-m", "meeple"]
        command = [sys.executable, *words, *arguments]
        return subprocess.run(command, capture_output=True, text=True, env=known, cwd=tmp_path, timeout=600)

    return start

"""The README's commands and its Python run as they stand."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
README = (ROOT / "README.md").read_text()
COMMANDS = re.findall(r"^\$ meeple (.+)$", README, re.M)
CODE = re.findall(r"```python\n(.*?)```", README, re.S)


def test_there_is_something_to_run() -> None:
    assert len(COMMANDS) >= 4
    assert len(CODE) >= 1
    assert re.findall(r"^\$ make (\w+)$", README, re.M) == ["demo", "test"]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_readme_runs(command: str, tmp_path: Path) -> None:
    words = [str(tmp_path / word) if word.endswith((".sqlite", ".png")) else word for word in command.split()]
    done = subprocess.run([sys.executable, "-m", "meeple", *words], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert done.stdout


@pytest.mark.parametrize("code", CODE)
def test_the_python_of_the_readme_runs(code: str) -> None:
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, env={**os.environ})
    assert done.returncode == 0, done.stderr


PAGES = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", *(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    path = ROOT / page
    for target in re.findall(r"\]\(([^)#]+)\)", path.read_text()):
        assert target.startswith("http") or (path.parent / target).exists(), target

"""docs/spaces.md is what the games declare; docs/environments.md runs."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from meeple.core.places import places
from meeple.envs.page import page

DOCS = Path(__file__).parents[2] / "docs"
CODE = re.findall(r"```python\n(.*?)```", (DOCS / "environments.md").read_text(), re.S)


def test_the_page_is_what_the_games_declare(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a game has changed: meeple list spaces > docs/spaces.md. Games of folders that tests before it made known are none."""
    monkeypatch.delenv("MEEPLE_GAMES", raising=False)
    places.cache_clear()
    assert (DOCS / "spaces.md").read_text() == page() + "\n"


@pytest.mark.xdist_group("jaipur")
@pytest.mark.parametrize("code", CODE)
def test_the_python_of_the_page_runs(code: str) -> None:
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr

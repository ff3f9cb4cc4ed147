"""The scripts of the page on Python are run as they stand, each as a program of its own."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import meeple

PAGE = (Path(__file__).parent.parent.parent / "docs" / "python.md").read_text()
SCRIPTS = dict(re.findall(r"^## ([^\n]+)\n\n```python\n(.*?)```", PAGE, re.S | re.M))
SAYS = {  # a word that only a script that worked says
    "A game, move by move": "[0.0, 1.0]",
    "An agent of your own": "Herder",
    "A tournament": "Who begins",
    "What is the best move? And a thousand games at once": "(256, ",
}
pytestmark = pytest.mark.xdist_group("jaipur")


def test_the_page_has_four_scripts_that_import_meeple_alone() -> None:
    assert list(SCRIPTS) == list(SAYS)
    for script in SCRIPTS.values():
        assert re.findall(r"^\s*(?:import|from) .*", script, re.M) == ["import meeple"]


@pytest.mark.parametrize("title", SCRIPTS)
def test_a_script_runs(title: str, tmp_path: Path, quiet_environment: dict[str, str]) -> None:
    (tmp_path / "script.py").write_text(SCRIPTS[title])
    done = subprocess.run([sys.executable, "script.py"], capture_output=True, text=True, env=quiet_environment, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    assert SAYS[title] in done.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["script.py"]  # nothing is written


def test_the_page_names_what_there_is() -> None:
    for name in re.findall(r"`meeple\.(\w+)", PAGE):
        assert name in dir(meeple)
        assert getattr(meeple, name) is not None

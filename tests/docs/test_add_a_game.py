"""The page on adding a game is executed: its files are written down as they stand, and its commands run."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import meeple
from meeple.core.kernel import JIT

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "add_a_game.md").read_text()


def files() -> dict[str, str]:
    return dict(re.findall(r"`(pig/\w+\.py)`:\n\n```python\n(.*?)```", PAGE, re.S))


def commands() -> list[list[str]]:
    return [line[2:].split()[1:] for line in PAGE.splitlines() if line.startswith("$ meeple")]


def write_pig(folder: Path) -> Path:
    (folder / "pig").mkdir(parents=True)
    for name, text in files().items():
        (folder / name).write_text(text)
    (declared,) = re.findall(r"`(guide=.*,)`", PAGE)
    (imported,) = re.findall(r"`(from \. import guide, rules)`", PAGE)
    text = files()["pig/__init__.py"].replace("from . import rules", imported)
    (folder / "pig" / "__init__.py").write_text(text.replace("    board=board,\n", f"    board=board,\n    {declared}\n"))
    return folder / "pig"


def run(arguments: list[str], **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "meeple", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, "NO_COLOR": "1", **environment})


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package as it is, with one more folder and no other edit."""
    source = tmp_path_factory.mktemp("copy") / "src"
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(Path(meeple.__file__).parent, source / "meeple", ignore=ignore)
    write_pig(source / "meeple" / "games")
    return source


def test_the_page_has_its_files_and_commands() -> None:
    assert set(files()) == {"pig/rules.py", "pig/__init__.py", "pig/bots.py", "pig/guide.py"}
    assert [command[0] for command in commands()] == ["list", "check", "simulate", "bench", "match", "match"]


@pytest.mark.skipif(not JIT, reason="the tutorial measures speed")
@pytest.mark.parametrize("command", commands(), ids=" ".join)
def test_one_folder_makes_the_game_appear_everywhere(command: list[str], copy: Path, tmp_path: Path) -> None:
    done = run([*command, "--json"], PYTHONPATH=str(copy), MEEPLE_STORE=str(tmp_path / "r.sqlite"))
    assert done.returncode == 0, done.stderr
    assert "pig" in json.dumps(json.loads(done.stdout))
    if command[0] == "simulate":
        assert json.loads(done.stdout)["games"] == 10_000
    if command[0] == "check":
        assert json.loads(done.stdout)["pig"]["problems"] == []
    if "random" in command:
        assert json.loads(done.stdout)["win_rate"] > 0.6
    if command[0] == "bench":
        assert json.loads(done.stdout)["pig"]["playout_steps_per_s"] > 0


@pytest.mark.skipif(not JIT, reason="compiled code is what goes stale")
def test_an_edited_rule_is_never_played_from_a_stale_cache(copy: Path, tmp_path: Path) -> None:
    """The rule stands in one file, the compiled loop that plays it in another: Numba alone would not notice."""

    def mean_turns() -> float:
        done = run(["simulate", "pig:short", "--json"], PYTHONPATH=str(copy), MEEPLE_CACHE=str(tmp_path))
        assert done.returncode == 0, done.stderr
        return float(json.loads(done.stdout)["turns"]["mean"])

    rules = copy / "meeple" / "games" / "pig" / "rules.py"
    before = mean_turns()
    assert mean_turns() == before
    kept = set((tmp_path / "kernels").iterdir())
    rules.write_text(rules.read_text().replace("GOALS = (100, 20)", "GOALS = (100, 40)"))
    assert mean_turns() > before * 1.5
    assert set((tmp_path / "kernels").iterdir()) > kept  # other names, and nothing was overwritten


def test_a_game_may_live_in_a_folder_of_its_own(tmp_path: Path) -> None:
    pig = write_pig(tmp_path)
    done = run(["check", str(pig), "--games", "2", "--audit", "50"])
    assert done.returncode == 0, done.stdout + done.stderr
    assert "pig: keeps the contract" in done.stdout
    assert "pig" in run(["list"], MEEPLE_GAMES=str(pig)).stdout
    assert "pig" in run(["list"], MEEPLE_GAMES=str(tmp_path)).stdout


def test_a_broken_folder_is_refused_in_one_sentence(tmp_path: Path) -> None:
    pig = write_pig(tmp_path)
    rules = pig / "rules.py"
    rules.write_text(rules.read_text().replace("    out[0] = ROLL\n", "    out[0] = 7\n"))
    done = run(["check", str(pig), "--games", "1"])
    assert done.returncode == 1
    assert "legal" in done.stdout
    (pig / "__init__.py").write_text("x = ")
    done = run(["check", str(pig)])
    assert done.returncode == 2
    assert "cannot be imported" in done.stderr
    assert "Traceback" not in done.stderr
    done = run(["check", str(tmp_path / "nothing")])
    assert done.returncode == 2
    assert "no game in" in done.stderr

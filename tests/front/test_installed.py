"""A package of somebody else's, installed by pip, with a game, its bots, and a kernel agent for every game."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from meeple.core.kernel import JIT
from tests.docs.test_add_a_game import write_pig
from tests.front.conftest import Run

pytestmark = pytest.mark.xdist_group("installed")
PROJECT = """
[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"

[project]
name = "farmyard"
version = "1"

[project.entry-points."meeple.games"]
pig = "farmyard.pig"

[project.entry-points."meeple.agents"]
ours = "farmyard.agents"

[tool.setuptools]
packages = ["farmyard", "farmyard.pig"]
"""
AGENTS = '''
"""Plays the last legal action, in every game."""

from typing import Any, NamedTuple

from meeple.core.agent import AgentKind, kernel_agent
from meeple.core.kernel import kernel
from meeple.core.verbs import legal


class Last(NamedTuple):
    nothing: int = 0


@kernel
def choose_last(me: Any, s: Any, stream: Any, out: Any) -> int:
    return out[legal(s, out) - 1]


kernel_agent(Last, choose_last)
AGENTS = (AgentKind("last", "the last legal action", lambda variant: Last()),)
'''
BROKEN = "[meeple.games]\nowl = nowhere.owl\njaipur = farmyard.pig\n[meeple.agents]\nx = broken_agents\n"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of installed packages, which a path of Python's may name."""
    source, target = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("site")
    write_pig(source / "farmyard")
    (source / "farmyard" / "__init__.py").write_text("")
    (source / "farmyard" / "agents.py").write_text(AGENTS)
    (source / "pyproject.toml").write_text(PROJECT)
    command = [sys.executable, "-m", "pip", "install", "-q", "--no-build-isolation", "--no-deps", "--no-index"]
    done = subprocess.run([*command, "--target", str(target), str(source)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return target


def test_its_game_is_listed_and_keeps_the_contract(site: Path, run: Run) -> None:
    assert "pig" in json.loads(run("list", "--json", path=site).stdout)
    done = run("check", "pig", "--games", "2", "--audit", "50", "--envs", "1", "--json", path=site)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["pig"]["problems"] == []
    assert "pig" not in json.loads(run("list", "--json").stdout)


def test_its_bot_and_its_agent_play_in_this_process_and_in_others(site: Path, run: Run) -> None:
    for processes in "12":
        command = ("match", "pig:short", "holder", "last", "--games", "600", "--processes", processes, "--json")
        done = run(*command, path=site)
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["agents"] == ["holder", "last"]
    agents = json.loads(run("list", "agents", "--json", path=site).stdout)
    assert agents["holder"]["games"] == ["pig"]
    assert {"pig", "jaipur", "rake"} <= set(agents["last"]["games"])


@pytest.mark.skipif(not JIT, reason="compiled code is what is kept")
def test_its_kernels_are_compiled_once_and_again_when_the_package_changes(site: Path, run: Run, tmp_path: Path) -> None:
    shutil.copytree(site, tmp_path / "site")
    code = (
        "import meeple\nfrom meeple.core.cache import compiled\n"
        "result = meeple.match('pig:short', 'holder', 'last', games=2)\n"
        "print(len(compiled), result.games[0].turns)"
    )

    def kernels() -> int:
        done = run(python=code, path=tmp_path / "site", MEEPLE_CACHE=str(tmp_path / "cache"))
        assert done.returncode == 0, done.stderr
        return int(done.stdout.split()[0])

    first = kernels()
    assert first > 5
    assert kernels() == 0
    agents = tmp_path / "site" / "farmyard" / "agents.py"
    agents.write_text(agents.read_text().replace("- 1]", "- 1 + 0]"))
    assert 0 < kernels() <= first


def test_a_broken_package_is_named_in_one_sentence_and_leaves_all_others_alone(site: Path, run: Run, tmp_path: Path) -> None:
    """As pip would have written it down: metadata with entry points to what cannot be imported."""
    info = tmp_path / "ruin" / "ruin-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: ruin\nVersion: 1\n")
    (info / "entry_points.txt").write_text(BROKEN)
    (tmp_path / "ruin" / "broken_agents.py").write_text("\n\nx = 1 / 0\n")
    done = run("list", "agents", "--json", path=tmp_path / "ruin")
    assert done.returncode == 0, done.stderr
    assert {"mcts", "basic3"} <= set(json.loads(done.stdout))
    said = [" ".join(line.split()) for line in done.stderr.splitlines()]
    assert said.count("The package ruin cannot be imported: ModuleNotFoundError: No module named 'nowhere'.") == 1
    assert (
        said.count(
            "The agents of the package ruin cannot be imported: ZeroDivisionError: division by zero (broken_agents.py, line 3)."
        )
        == 1
    )
    assert said.count("The package ruin brings a game jaipur, but the game folder jaipur is called so already.") == 1
    assert len(said) == 3
    done = run("simulate", "owl", path=tmp_path / "ruin")
    assert done.returncode == 2
    assert "The package ruin cannot be imported" in done.stderr
    assert run("simulate", "jaipur:round", "--games", "2", path=tmp_path / "ruin").returncode == 0
    assert (site / "farmyard").is_dir()

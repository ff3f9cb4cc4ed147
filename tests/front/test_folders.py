"""A game in a folder of its own: by its path in every verb, with its own agents, in worker processes too."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.front.conftest import Run

pytestmark = pytest.mark.xdist_group("pig")
FEW = ("--games", "1", "--audit", "10", "--envs", "0", "--json")


@pytest.mark.parametrize("way", ["pig", "./pig", "pig/", "{}/pig", "{}/pig/"])
def test_a_folder_is_checked_however_it_is_named(way: str, pig: Path, run: Run) -> None:
    done = run("check", way.format(pig.parent), *FEW)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["pig"]["problems"] == []


@pytest.mark.parametrize(
    "command",
    [
        "simulate ./pig:short --games 10",
        "simulate pig:short --games 10 --agents holder --agents random",
        "match ./pig:short holder random --games 2 --processes 1",
        "list ./pig",
        "study ./pig:short --games 10",
    ],
)
def test_every_verb_takes_a_folder(command: str, pig: Path, run: Run) -> None:
    assert pig.is_dir()
    done = run(*command.split(), "--json")
    assert done.returncode == 0, done.stderr
    assert "pig" in done.stdout.lower()


def test_worker_processes_know_the_folder(pig: Path, run: Run) -> None:
    assert pig.is_dir()
    alone, together = (
        json.loads(run("match", "./pig:short", "holder", "random", "--games", "600", "--processes", n, "--json").stdout)
        for n in "12"
    )
    assert alone["wins"] == together["wins"]


def test_a_person_plays_a_folder(pig: Path, run: Run) -> None:
    done = run("play", str(pig) + ":short", "--seed", "1", "--hint", "random")
    assert done.returncode == 0, done.stderr
    assert "Pig (pig:short)" in done.stdout


def test_own_code_joins_a_simulation(pig: Path, run: Run, tmp_path: Path) -> None:
    assert pig.is_dir()
    (tmp_path / "mine.py").write_text(
        "from meeple.core.agent import AgentKind\n"
        "class Roller:\n    def choose(self, seen): return 'roll'\n"
        "AGENTS = (AgentKind('roller', 'rolls', lambda variant: Roller()),)\n"
    )
    done = run("simulate", "pig:short", "--games", "3", "--agents", "roller", "--code", "mine.py", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["agents"] == ["roller", "roller"]


def test_a_folder_with_the_name_of_another_game_is_refused(pig: Path, run: Run, tmp_path: Path) -> None:
    shutil.copytree(pig, tmp_path / "jaipur")
    done = run("check", "./jaipur")
    assert done.returncode == 2
    assert "Two games are called jaipur: the one that Meeple brings" in done.stderr
    shutil.copytree(pig, tmp_path / "other" / "pig")
    done = run("check", "other/pig", MEEPLE_GAMES=str(pig))
    assert done.returncode == 2
    assert "Two games are called pig" in done.stderr
    done = run("check", "pig", *FEW, MEEPLE_GAMES=str(pig))  # the same folder twice is one game
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", ["./nothing", "nothing/", "."])
def test_a_folder_without_a_game_is_refused(name: str, run: Run) -> None:
    done = run("simulate", name)
    assert done.returncode == 2
    assert "There is no game in" in done.stderr


def break_file(file: Path, text: str, run: Run, *command: str) -> str:
    file.write_text(text)
    done = run(*command)
    assert done.returncode == 2, done.stdout
    assert "Traceback" not in done.stderr
    return done.stderr


def test_bots_that_cannot_be_imported_are_named_with_file_and_line(pig: Path, run: Run) -> None:
    match = ("match", "./pig", "holder", "random", "--games", "2")
    text = "import meeple\n\nprint(nothing)\n"
    said = break_file(pig / "bots.py", text, run, *match)
    assert "bots.py of the game pig cannot be imported: NameError: name 'nothing' is not defined (bots.py, line 3)." in said
    assert "bots.py of the game pig has no AGENTS" in break_file(pig / "bots.py", "x = 1\n", run, *match)
    assert "must be a tuple of AgentKind(...), not 5" in break_file(pig / "bots.py", "AGENTS = 5\n", run, "check", "pig")


def test_a_solver_is_found_beside_the_game(pig: Path, run: Run) -> None:
    assert "solver.py of the game pig cannot be imported: SyntaxError" in break_file(
        pig / "solver.py", "x = \n", run, "solve", "./pig"
    )
    (pig / "solver.py").write_text(
        "from pathlib import Path\n"
        "SOLVED = ('short',)\n"
        "def default_path(): return Path('solution')\n"
        "def build(path, threads, tick): path.write_text('7')\n"
        "def optimum(path): return float(path.read_text())\n"
    )
    done = run("solve", "./pig:short", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["optimum"] == 7
    assert "what can: pig:short" in run("solve", "./pig:long").stderr


def test_a_game_that_cannot_be_imported_is_named_with_file_and_line_and_leaves_the_others_alone(pig: Path, run: Run) -> None:
    rules = pig / "rules.py"
    rules.write_text(rules.read_text().replace("GOALS = (100, 20)", "GOALS = (100, 20\n"))
    done = run("check", "pig")
    assert done.returncode == 2
    assert "The game folder pig cannot be imported: SyntaxError: '(' was never closed (rules.py, line " in done.stderr
    done = run("list", "--json", MEEPLE_GAMES=str(pig))
    assert done.returncode == 0
    assert "jaipur" in json.loads(done.stdout)
    assert done.stderr.count("The game folder pig cannot be imported") == 1

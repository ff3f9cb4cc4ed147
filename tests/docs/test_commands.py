"""Every command that a page or the program itself prints runs as it is printed; those that take long, with smaller budgets."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from tests.cli.commands import call, hurry
from tests.docs import test_add_a_game, test_add_an_agent

ROOT = Path(__file__).parent.parent.parent
PAGES = ["README.md", *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))]
VERB = re.compile(r"meeple \w+( (check|search|envs|agents|spaces|--agents|--match))?")
# Minutes, hours; what writes into docs or into the package; and what never ends
LONG = re.compile(r"meeple (train|serve|lab run(?!.* --quick)|lab report --out docs|levels .*--write)")
ELSEWHERE = {"docs/add_a_game.md"}  # run by tests of their own, with the game they are about

# What stands for something in a page, and what it may be.
NAMES = {
    "rake:simple AGENT": "rake:simple random",
    "lotr:VARIANT AGENT": "lotr:easy random",
    "heuristic OPPONENT": "heuristic greedy",
    "check GAME": "check jaipur --games 1 --audit 10 --envs 1",
    "list GAME": "list jaipur",
    "GAME": "jaipur:round",
    "AGENT": "basic3",
    "OPPONENT": "basic3",
    "VARIANT": "easy",
    "RECORD": "game.txt",
    "--ply N": "--ply 3",
    "--games N": "--games 2",
    "splendor:N": "splendor:3",
    "…": "random",
}
# Budgets of the pages, and what is enough to see a command run. A match needs as many games as it has seatings.
BUDGETS = {
    r"--games \d+": "--games 12",
    r"(check \S+) --games \d+": r"\1 --games 1",
    r"--audit \d+": "--audit 10",
    r"--(from) \d+": "--from 1",
    r"--rungs \d+": "--rungs 2",
    r"--generations \d+": "--generations 1",
    r"--ms \d+": "--ms 5",
    r"--iterations \d+": "--iterations 4",
    r"\bms=\d+": "ms=5",
    r"\biterations=\d+": "iterations=4",
    r"\bmcts(?=[ ]|$)": "mcts:iterations=4",
    r"\bchampion(?=[ ]|$)": "champion:level=1",
    r"\blookahead(?=[ ]|$)": "random",
    r"\boptimal(?=[ ]|$)": "random",
    r"tournament jaipur:round,rules=2017 .*? --games \d+": "tournament jaipur:round,rules=2017 basic1 basic2 --games 2",
}


def commands(page: str) -> list[str]:
    """Those of console blocks, and those in the text between backquotes; the mere name of a verb is none. Trainings, and what plays
    with their networks, are left to tests/learn and tests/docs/test_learning.py: they take minutes, or need what took minutes.
    Servers are left to tests/serve: they never end."""
    text = (ROOT / page).read_text()
    found = re.findall(r"^\$ (meeple .+)$", text, re.M) + re.findall(r"`(meeple [^`]+)`", text)
    found = [line for line in dict.fromkeys(found) if not VERB.fullmatch(line.split(" --json")[0])]
    return [line for line in found if not LONG.match(line) and "runs/" not in line and not line.endswith("\\")]


def runnable(line: str) -> list[str]:
    for name, value in NAMES.items():
        line = line.replace(name, value)
    for pattern, value in BUDGETS.items() if not line.startswith("meeple list") else ():
        line = re.sub(pattern, value, line)
    return shlex.split(line)[1:]


ALL = [(page, line) for page in PAGES if page not in ELSEWHERE for line in commands(page)]
DIFFERENT = list({tuple(runnable(line)): (page, line) for page, line in reversed(ALL)}.values())  # once where pages say the same


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with what the pages speak of: a record, an agent of one's own; benchmarks are short, solving is not done."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("MEEPLE_STORE", str(tmp_path / "r.sqlite"))
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    shutil.copy(ROOT / "examples" / "jaipur_round.txt", tmp_path / "game.txt")
    (tmp_path / "my_agent.py").write_text(re.findall(r"```python\n(.*?)```", test_add_an_agent.PAGE, re.S)[0])
    hurry(monkeypatch, tmp_path)
    monkeypatch.setattr("sys.stdin", None)  # a person who leaves at once
    return tmp_path


def test_the_pages_have_commands() -> None:
    assert len(ALL) > 50
    assert [line for page, line in ALL if page == "docs/search.md" and line == "meeple list agents jaipur"]
    assert {line.split()[1] for _, line in ALL} >= {"play", "match", "list", "solve", "ladder", "exploit", "study", "analyze"}
    assert [line for page in ELSEWHERE for line in commands(page) if line.startswith("meeple bench")]
    assert test_add_a_game.commands()


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize(("page", "line"), DIFFERENT)
def test_a_command_of_a_page_runs(page: str, line: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = runnable(line)
    if line.endswith("--resume"):
        call(capsys, "play", "jaipur:round")
    if "--match" in arguments:  # of a match that a command before it has played
        played = ["match", "jaipur:round", "random", "basic3", "--games", "2", "--processes", "1"]
        call(capsys, *played, "--store", arguments[arguments.index("--store") + 1])
    if arguments[0] in ("match", "tournament", "ladder", "exploit", "solve", "tune") and "--processes" not in arguments:
        arguments += ["--processes", "1"]
    done = call(capsys, *arguments)
    assert done.code == 0, f"{page}: {shlex.join(arguments)}: {done.err}"
    assert done.out


PRINTING = [
    "match jaipur:round random mine --games 2 --processes 1 --store 'my results.sqlite' --code 'my agent.py'",
    "tune jaipur:round mine --out t.json --games 2 --generations 1 --processes 1 --code 'my agent.py'",
    "play jaipur:round --opponent mine --code 'my agent.py' --save 'my game.txt'",
    "list agents",
    "list agents jaipur",
]
MINE = """
from meeple.core.agent import AgentKind, Param


class Mine:
    def __init__(self, variant, weight): ...

    def choose(self, seen):
        return seen.legal[0]


AGENTS = (AgentKind("mine", "the first move", Mine, (Param("weight", 1.0, "nothing"),), games=("jaipur",)),)
"""


@pytest.mark.parametrize("width", ["30", "200"])
@pytest.mark.parametrize("line", PRINTING)
def test_what_the_program_suggests_runs_as_printed(
    line: str, width: str, place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    (place / "my agent.py").write_text(MINE)
    done = call(capsys, *shlex.split(line))
    assert done.code == 0, done.err
    suggested = re.findall(r"(?:^|: )(meeple [a-z].*)$", done.out, re.M)
    assert suggested, done.out
    for command in suggested:
        short = re.sub(r"--games \d+", "--games 2", command)
        again = call(capsys, *shlex.split(short)[1:], *(["--processes", "1"] if short.startswith("meeple match") else []))
        assert again.code == 0, f"{command}: {again.err}"

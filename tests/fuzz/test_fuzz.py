"""A short run of the fuzzing script; and that it notices what it looks for."""

from __future__ import annotations

import signal
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from meeple.cli.main import VERBS
from meeple.core.kernel import JIT
from tests.fuzz import run
from tests.fuzz.__main__ import fuzz
from tests.fuzz.arguments import SOUND
from tests.fuzz.case import Case
from tests.fuzz.run import Runner, judge_end, lost

pytestmark = [pytest.mark.skipif(not JIT, reason="starts processes of both kinds itself"), pytest.mark.xdist_group("tiny")]


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runner]:
    runner = Runner(tmp_path_factory.mktemp("fuzz"))
    yield runner
    runner.close()


def test_every_verb_is_among_the_cases() -> None:
    assert sorted(SOUND) == sorted(VERBS)


def test_sixty_cases_without_a_failure(runner: Runner, capsys: pytest.CaptureFixture[str]) -> None:
    ran, failures = fuzz(runner, 1, range(60))
    assert sum(ran.values()) == 60 and len(ran) == len(run.SHARES)
    assert failures == 0, capsys.readouterr().out


KIND = b"from meeple.core.agent import AgentKind\nAGENTS = (AgentKind(%s),)\n"
MATCH = ["match", "tiny:nim", "mine", "random", "--games", "2", "--processes", "1", "--code", "mine.py"]


@pytest.mark.parametrize(
    "case",
    [
        Case("arguments", ["simulate", "tiny:nim", "--games", "2", "--code", "y" * 300]),
        Case("arguments", ["play", "tiny:nim", "--save", "loop", "--opponent", "random"]),
        Case("arguments", ["play", "\udcff", "--resume"]),
        Case("agent", MATCH, {"mine.py": KIND % b"'mine', 'x', print, (5,)"}),
        Case("agent", MATCH, {"mine.py": KIND % b"'mine', 'x', print, 5"}),
        Case("agent", MATCH, {"mine.py": KIND % b"'mine', 5, print"}),
        Case("agent", MATCH, {"mine.py": KIND % b"'a b', 'x', print"}),
        Case("agent", MATCH, {"mine.py": KIND % b"'mine', 'x', None"}),
        Case("agent", MATCH, {"mine.py": KIND % b"'mine', 'x', print, games=5"}),
        Case("agent", ["play", "tiny:nim", "--code", "mine.py"], {"mine.py": b"raise KeyboardInterrupt\n"}),
    ],
)
def test_what_was_found_once_is_not_found_again(runner: Runner, case: Case) -> None:
    assert runner.run(case) == []


AGENT = """
import pathlib, subprocess, sys, time
from meeple.core.agent import AgentKind
class Mine:
    def choose(self, seen):
        {does}
        return seen.legal[0]
AGENTS = (AgentKind("mine", "does harm", lambda variant: Mine()),)
"""


@pytest.mark.parametrize(
    ("does", "noticed"),
    [
        ("pass", ""),
        ("print('Traceback (most recent call last)')", "printed: Traceback"),
        ("subprocess.Popen(['sleep', '60'])", "left a process"),
        ("pathlib.Path('game.part').write_text('')", "left a file: here/game.part"),
        ("time.sleep(60)", "hung"),
        ("import os; os.abort()", "ended with -6"),
    ],
)
def test_harm_is_noticed(runner: Runner, does: str, noticed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "LIMIT", 3.0 if noticed == "hung" else run.LIMIT)
    argv = ["simulate", "tiny:nim", "--games", "1", "--agents", "mine", "--code", "mine.py"]
    wrong = runner.run(Case("agent", argv, {"mine.py": AGENT.format(does=does).encode()}))
    assert noticed in " ".join(wrong) if noticed else wrong == []


@pytest.mark.parametrize(
    ("code", "out", "err", "noticed"),
    [
        (0, "", "", ""),
        (2, "", "There is no game 'x'.\n", ""),
        (1, "", "", "said nothing"),
        (2, "", "a\nb\nc\nd\n", "said 4 lines"),
        (-11, "", "", "ended with -11"),
        (3, "", "no\n", "ended with 3"),
        (-signal.SIGTERM, "", "", "ended with -15"),
    ],
)
def test_ends_are_judged(code: int, out: str, err: str, noticed: str) -> None:
    wrong = judge_end(Case("arguments", []), code, out, err)
    assert noticed in " ".join(wrong) if noticed else wrong == []


def test_lost_games_are_noticed(tmp_path: Path) -> None:
    store = tmp_path / "results.sqlite"
    said = "Stopped after 3 of 1,000 games; go on with: meeple match\n"
    assert lost(store, said) and not lost(store, "")
    db = sqlite3.connect(store)
    db.executescript("CREATE TABLE game (number INTEGER); INSERT INTO game VALUES (0), (1); PRAGMA user_version = 2;")
    assert lost(store, said) == ["2 games are kept, but it said after 3 of 1,000 games"]
    db.executescript("INSERT INTO game VALUES (2);")
    assert lost(store, said) == []

"""Runs cases in folders of their own, and judges what came of each."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random
from typing import Any

from tests.fuzz.arguments import draw_arguments
from tests.fuzz.case import GAMES, REPOSITORY, Case, Shelf
from tests.fuzz.damage import draw_record, draw_store, first_format
from tests.fuzz.own_code import draw_agent, draw_game
from tests.fuzz.signals import draw_signal

LIMIT = 60.0  # seconds of the clock; most cases take a tenth of one, but machines are shared
LIMIT_FRESH = 180.0  # imports, and sometimes compiles
MOST_LINES = 3
SHARES = {"arguments": 55, "record": 15, "store": 14, "agent": 8, "game": 4, "signal": 4}
FAULTS = ("Traceback (most recent call last)", "A fault in meeple", "Segmentation fault", "Fatal Python error", "Exception ignored")
LEFT = re.compile(r"\.(part|tmp|lock|temp)\b|.~$")
STOPPED = re.compile(r"after ([\d,]+) of [\d,]+ games")


def draw(seed: int, number: int, shelf: Shelf) -> Case:
    """Case `number` of a seed, whatever ran before it."""
    random = Random(f"{seed} {number}")
    kind = random.choices(list(SHARES), list(SHARES.values()))[0]
    if kind in ("record", "store"):
        return (draw_record if kind == "record" else draw_store)(random, shelf)
    case = {"arguments": draw_arguments, "agent": draw_agent, "game": draw_game, "signal": draw_signal}[kind](random)
    case.files = {"record.txt": shelf.records[-1], "save.txt": shelf.records[0], "store.sqlite": shelf.store, **case.files}
    return case


class Runner:
    """Two loaded processes, with and without the compiler, and a folder for all cases."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.zygotes: dict[bool, subprocess.Popen[str]] = {}
        self.count = 0

    def close(self) -> None:
        for zygote in self.zygotes.values():
            assert zygote.stdin and zygote.stdout
            zygote.stdin.close()
            zygote.wait()
            zygote.stdout.close()

    def run(self, case: Case, keep: bool = False) -> list[str]:
        """What is wrong; nothing, if all is well."""
        self.count += 1
        folder = Path(tempfile.mkdtemp(dir=self.folder, prefix=f"case{self.count}_"))
        lay_out(case, folder)
        answer = self._ask(case, folder)
        wrong = judge(case, answer, folder)
        if keep:
            print((folder / "out").read_text(errors="replace") + (folder / "err").read_text(errors="replace"))
        shutil.rmtree(folder, ignore_errors=True)
        return wrong

    def _ask(self, case: Case, folder: Path) -> dict[str, Any]:
        zygote = self.zygotes.get(case.compiled) or self._start(case.compiled)
        here = {
            "MEEPLE_STORE": "here/results.sqlite",
            "XDG_DATA_HOME": "here/data",
            "XDG_CONFIG_HOME": "config",
            "HOME": "home",
            "TMPDIR": "tmp",
        }
        order = {
            "argv": case.argv,
            "folder": str(folder),
            "mark": folder.name,
            "environment": {name: str(folder / place) for name, place in here.items()},
            "limit": LIMIT_FRESH if case.fresh or not case.compiled else LIMIT,
            **{name: getattr(case, name) for name in ("signal", "after", "whole_group", "fresh")},
        }
        assert zygote.stdin and zygote.stdout
        zygote.stdin.write(json.dumps(order) + "\n")
        zygote.stdin.flush()
        if not (line := zygote.stdout.readline()):
            del self.zygotes[case.compiled]
            return {"code": 0, "hung": False, "seconds": 0.0, "left": ["the process that runs cases ended"]}
        return json.loads(line)  # type: ignore[no-any-return]

    def _start(self, compiled: bool) -> subprocess.Popen[str]:
        path = os.pathsep.join(filter(None, [str(REPOSITORY / "src"), str(REPOSITORY), os.environ.get("PYTHONPATH", "")]))
        environment = {
            **{
                name: value for name, value in os.environ.items() if not name.startswith(("MEEPLE_STORE", "MEEPLE_DEBUG", "PYTEST"))
            },
            "PYTHONPATH": path,
            "PYTHONFAULTHANDLER": "1",
            "MEEPLE_GAMES": os.pathsep.join(map(str, GAMES)),
            "COLUMNS": "500",
            "NO_COLOR": "1",
            "TERM": "dumb",
            "OMP_NUM_THREADS": "1",
            "NUMBA_DISABLE_JIT": "0" if compiled else "1",
        }
        if compiled:
            environment.setdefault("MEEPLE_CACHE", str(Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "meeple"))
        command = [sys.executable, "-m", "tests.fuzz.zygote"]
        zygote = subprocess.Popen(
            command, env=environment, cwd=REPOSITORY, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert zygote.stdout
        assert json.loads(zygote.stdout.readline()) == "ready"
        self.zygotes[compiled] = zygote
        return zygote

    def shelf(self) -> Shelf:
        """Sound files to be damaged, made by the program itself."""
        folder = Path(tempfile.mkdtemp(dir=self.folder, prefix="shelf_"))
        keep = ["--store", str(folder / "store.sqlite"), "--processes", "1"]
        made = [
            Case(
                "shelf",
                ["play", "tiny:nim", "--opponent", "random", "--save", str(folder / "a.txt"), "--seed", "3"],
                typed="1\nquit\n",
            ),
            Case(
                "shelf",
                ["play", "sticks:three", "--opponent", "random", "--save", str(folder / "b.txt"), "--seed", "3"],
                typed="1\nquit\n",
            ),
            *(
                Case("shelf", ["simulate", f"tiny:{name}", "--games", "1", "--save", str(folder / f"{name}.txt")])
                for name in ("nim", "guess", "pot")
            ),
            Case("shelf", ["match", "tiny:nim", "random", "guided", "--games", "6", *keep]),
            Case("shelf", ["tournament", "tiny:nim", "random", "guided", "expectimax:nodes=8", "--games", "2", *keep]),
            Case("shelf", ["match", "sticks:three", "random", "random", "random", "--games", "3", *keep]),
        ]
        for case in made:
            if wrong := self.run(case):
                raise SystemExit(f"meeple {' '.join(case.argv)} does not even work as it should: {wrong}")
        db = sqlite3.connect(folder / "store.sqlite")
        db.execute("PRAGMA journal_mode = DELETE")  # all of it in one file
        db.close()
        store = (folder / "store.sqlite").read_bytes()
        records = [(folder / f"{name}.txt").read_bytes() for name in ("a", "b", "nim", "guess", "pot")]
        return Shelf(records, store, first_format(store))


def lay_out(case: Case, folder: Path) -> None:
    """The files of a case, and what paths of it may meet: a folder, rubbish, a full disk."""
    for name in ("here/folder", "home", "tmp", "config"):
        (folder / name).mkdir(parents=True)
    (folder / "typed").write_bytes(case.typed.encode(errors="surrogateescape"))
    here = folder / "here"
    (here / "garbage.txt").write_bytes(b"\x93rubbish\n\0" * 20)
    (here / "empty").write_bytes(b"")
    (here / "full").symlink_to("/dev/full")
    (here / "loop").symlink_to("loop")
    for name, data in case.files.items():
        (here / name).parent.mkdir(parents=True, exist_ok=True)
        (here / name).write_bytes(data)


def judge(case: Case, answer: dict[str, Any], folder: Path) -> list[str]:
    """Everything that must not be."""
    out, err = ((folder / name).read_text(errors="replace") if (folder / name).exists() else "" for name in ("out", "err"))
    wrong = [f"printed: {fault}" for fault in FAULTS if fault in out + err]
    if answer["hung"]:
        return [*wrong, f"hung: not over after {answer['seconds']:.0f} s"]
    wrong += [f"left a process: {process}" for process in answer["left"]]
    # What solving has found so far is kept on purpose: the same command goes on from it.
    left = [path for path in folder.rglob("*") if LEFT.search(path.name) and case.argv[:1] != ["solve"]]
    wrong += [f"left a file: {path.relative_to(folder)}" for path in left]
    wrong += [f"left a file: {path.relative_to(folder)}" for path in (folder / "tmp").iterdir()]
    wrong += judge_end(case, answer["code"], out, err)
    if case.signal:
        wrong += lost(folder / "here" / "results.sqlite", err)
    return wrong


def judge_end(case: Case, code: int, out: str, err: str) -> list[str]:
    if case.signal == signal.SIGTERM and code == -signal.SIGTERM:
        return []
    if code not in (0, 1, 2, 130):
        return [f"ended with {code}: {(out + err).strip()[-300:]}"]
    said = [line for line in err.splitlines() if line.strip()]
    if code and not said and not out.strip():
        return [f"ended with {code} and said nothing"]
    if code and len(said) > MOST_LINES:
        return [f"said {len(said)} lines where one sentence is enough: {err[:300]}"]
    return []


def lost(store: Path, err: str) -> list[str]:
    """Every game that was told of is in the results file, and the file is sound."""
    told = STOPPED.search(err)
    if told and "nothing is kept" in err:
        told = None
    if not store.exists():
        return [f"no results file, but it said {told[0]}"] if told and told[1] != "0" else []
    db = sqlite3.connect(store)
    try:
        (sound,) = db.execute("PRAGMA integrity_check").fetchone()
        kept = db.execute("SELECT count(*) FROM game").fetchone()[0] if db.execute("PRAGMA user_version").fetchone()[0] else 0
    finally:
        db.close()
    if sound != "ok":
        return [f"the results file is not sound: {sound}"]
    if told and kept < int(told[1].replace(",", "")):
        return [f"{kept} games are kept, but it said {told[0]}"]
    return []

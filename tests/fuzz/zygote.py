"""A process that has loaded everything and is copied for each case, which then starts in milliseconds instead of seconds.

Reads a case as a line of JSON, runs it in its own session and folder, waits for its end, and answers with what became of it.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import io
import json
import os
import resource
import select
import signal
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import Any, NoReturn

MARK = "MEEPLE_FUZZ"
MEMORY = 6 << 30  # more than any case needs; a case that asks for all there is must not take the machine down
FILE = 1 << 30
GRACE = 5.0  # seconds in which whatever a case started must have ended after it


def serve() -> None:
    """Answer until nobody asks any more."""
    asked, answers = os.fdopen(os.dup(0), "r"), os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_RDWR), 0)
    os.dup2(2, 1)
    warm()
    print(json.dumps("ready"), file=answers, flush=True)
    for line in asked:
        print(json.dumps(run(json.loads(line))), file=answers, flush=True)


WARM = [
    ["list", "environments"],
    ["match", "tiny:nim", "mcts:iterations=8", "flat:iterations=8", "--games", "2", "--processes", "1"],
    ["tournament", "tiny:nim", "expectimax:nodes=8", "guided", "random", "--games", "2", "--processes", "1"],
    ["match", "tiny:nim", "mcts:iterations=8,select=puct", "mcts-clairvoyant:iterations=4", "--games", "2", "--processes", "1"],
    ["match", "sticks:three", "random", "mcts:iterations=4", "flat:iterations=4", "--games", "3", "--processes", "1"],
    ["analyze", "tiny:nim", "--iterations", "8"],
    ["check", "tiny", "--games", "1", "--audit", "1", "--envs", "1"],
    ["check", "sticks", "--games", "1", "--audit", "1", "--envs", "0"],
    ["simulate", "tiny:nim", "--games", "2"],
    ["study", "tiny:nim", "--games", "2", "--plot", "x.png"],
    ["ladder", "tiny:pot", "mcts", "--from", "2", "--rungs", "2", "--games", "4", "--processes", "1"],
    ["exploit", "tiny:nim", "random", "--iterations", "4", "--games", "2", "--processes", "1"],
    ["results"],
]


def warm() -> None:
    """Load the program, its libraries and the kernels that most cases need, by doing a little of everything."""
    from meeple.cli.main import app
    from meeple.core.kernel import JIT

    before = dict(os.environ)
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        os.environ.update({"MEEPLE_STORE": f"{folder}/results.sqlite", "XDG_DATA_HOME": folder, "HOME": folder})
        for argv in WARM if JIT else WARM[:1] + WARM[-1:]:
            with (
                contextlib.redirect_stdout(io.StringIO()),
                contextlib.redirect_stderr(io.StringIO()),
                contextlib.suppress(Exception),
            ):
                app(argv, standalone_mode=False)
        gc.collect()
    os.environ.clear()
    os.environ.update(before)
    gc.freeze()  # copies share what is here, as long as nobody touches it


def run(case: dict[str, Any]) -> dict[str, Any]:
    """One case, from its start to the end of all that it started."""
    began = time.monotonic()
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])  # an early Ctrl-C waits until the program could hear it
    child = os.fork()
    if child == 0:
        become(case)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    watched = os.pidfd_open(child)
    limit = case["limit"]
    hung = False
    if case["signal"] and not _ended(watched, case["after"]):
        _send(child, case["signal"], case["whole_group"])
        began = time.monotonic()
    if not _ended(watched, limit):
        hung = True
        _send(child, signal.SIGKILL, True)
    _, status = os.waitpid(child, 0)
    os.close(watched)
    took = time.monotonic() - began
    left = _left_over(child, case["mark"])
    return {"code": os.waitstatus_to_exitcode(status), "hung": hung, "seconds": took, "left": left}


def _ended(watched: int, seconds: float) -> bool:
    poll = select.poll()
    poll.register(watched, select.POLLIN)
    return bool(poll.poll(seconds * 1000))


def _send(child: int, number: int, whole_group: bool) -> None:
    try:
        (os.killpg if whole_group else os.kill)(child, number)
    except ProcessLookupError:
        os.kill(child, number)  # it has no session yet


def become(case: dict[str, Any]) -> NoReturn:
    """The copy: as a fresh process would find the world."""
    code: Any = 99
    try:
        _settle(case)
        if case["fresh"]:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
            os.execv(sys.executable, [sys.executable, "-m", "meeple", *case["argv"]])
        code = _call(case["argv"])
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def _settle(case: dict[str, Any]) -> None:
    os.setsid()
    folder = Path(case["folder"])
    os.environ.update(case["environment"])
    os.environ[MARK] = case["mark"]
    os.chdir(folder / "here")
    tempfile.tempdir = None
    for number, name, how in (
        (0, "typed", os.O_RDONLY),
        (1, "out", os.O_WRONLY | os.O_CREAT),
        (2, "err", os.O_WRONLY | os.O_CREAT),
    ):
        os.dup2(os.open(folder / name, how), number)
    sys.stdin = open(0, errors="surrogateescape", closefd=False)  # noqa: SIM115
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE, FILE))
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _call(argv: list[str]) -> int:
    """As `python -m meeple` ends: what is left to do at exit is done, and what cannot be written is no fault."""
    from meeple.__main__ import main
    from meeple.cli import interrupt

    sys.argv = ["meeple", *argv]
    code: Any = 0
    interrupt.install()
    try:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
        main()
    except SystemExit as exit_:
        code = exit_.code
    except KeyboardInterrupt:  # before the program's first line
        interrupt.stop()
    atexit._run_exitfuncs()
    sys.stdout.flush()
    return code if isinstance(code, int) else (1 if code else 0)


def _left_over(session: int, mark: str) -> list[str]:
    """Processes that outlived the case, looked for until they are gone or time is up; then they are ended."""
    until = time.monotonic() + GRACE
    while (found := _relatives(session, mark)) and time.monotonic() < until:
        time.sleep(0.05)
    for process in found:
        os.kill(process, signal.SIGKILL)
    return [str(process) for process in found]


def _relatives(session: int, mark: str) -> list[int]:
    """By their session, or by the mark in their environment."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            state, _, _, its_session = (entry / "stat").read_text().rpartition(") ")[2].split()[:4]
            environment = (entry / "environ").read_bytes()
        except OSError:
            continue
        if state != "Z" and (int(its_session) == session or f"{MARK}={mark}\0".encode() in environment):
            found.append(int(entry.name))
    return found


if __name__ == "__main__":
    serve()

"""Ctrl-C: within a second, one sentence, and the command that goes on.

An interrupt should reach Python as KeyboardInterrupt and end the command in order. But it may come while compiled code runs, or the
compiler, which shows it as some other error or swallows it. So whatever goes wrong after it counts as the interrupt; and a thread,
which the system tells of the signal too, ends the process if nothing happens for a while. What is finished is on disk by then.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any, NoReturn

GRACE = 0.4  # seconds that an orderly end may take
CODE = 130  # exit code of who was interrupted
SHOW_CURSOR = "\r\x1b[K\x1b[?25h"  # a progress bar has hidden it


@dataclass
class Doing:
    """What the command is at, for the sentence."""

    total: int | None
    unit: str
    done: int = 0


_doing: list[Doing] = []
_kept: list[bool] = []  # does the same command go on where it was stopped?
_pressed: list[bool] = []
_told: list[bool] = []  # does the command say itself what an interrupt left?
_said = threading.Lock()


def install() -> None:
    """Listen for Ctrl-C, unless this process was started so that it is ignored; before anything heavy is imported."""
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return
    signal.signal(signal.SIGINT, _press)
    sys.unraisablehook = _quiet_once_pressed(sys.unraisablehook)
    threading.excepthook = _quiet_once_pressed(threading.excepthook)
    if not _playing():  # there a game is saved first, and a second Ctrl-C means it
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        threading.Thread(target=_watch, args=(reader,), daemon=True).start()


def pressed() -> bool:
    """Has there been a Ctrl-C? Then whatever goes wrong is its consequence."""
    return bool(_pressed)


def unexplained() -> bool:
    """Does nobody else say what an interrupt left? A game in the terminal, once begun, says that it is saved."""
    return not _told


def leave_it_to_others() -> None:
    """From here on the command itself says what an interrupt leaves."""
    _told.append(True)


def _playing() -> bool:
    return sys.argv[1:2] == ["play"]


def _press(number: int, frame: FrameType | None) -> None:
    _pressed.append(True)
    signal.default_int_handler(number, frame)


def _quiet_once_pressed(hook: Any) -> Any:
    return lambda what: None if _pressed else hook(what)


def _watch(reader: int) -> None:
    """The system writes the number of each signal into a pipe at once, whatever the other thread is doing."""
    while True:
        if os.read(reader, 1) == bytes([signal.SIGINT]) and signal.getsignal(signal.SIGINT) is _press:
            _pressed.append(True)
            time.sleep(GRACE)
            stop()


def stop() -> NoReturn:
    """Say the sentence and end: everything was left in order by now, or never will be; workers end by themselves."""
    say()
    with contextlib.suppress(OSError, ValueError, RuntimeError):
        sys.stdout.flush()
    os._exit(CODE)


def say() -> None:
    """The sentence, once."""
    if _said.acquire(blocking=False):
        terminal = os.isatty(2)
        red = terminal and not os.environ.get("NO_COLOR")
        text = f"\x1b[31m{sentence()}\x1b[0m" if red else sentence()
        os.write(2, f"{SHOW_CURSOR if terminal else ''}{text}\n".encode())


def sentence() -> str:
    """What was done, and what to type."""
    command = shlex.join(["meeple", *sys.argv[1:]])
    after = "Stopped"
    if _doing and (doing := _doing[-1]).total:
        after += f" after {doing.done:,} of {doing.total:,} {doing.unit}"
    if _kept:
        return f"{after}; go on with: {command}"
    return f"{after}; nothing is kept, start again with: {command}" if _doing else f"{after}; start again with: {command}"


@contextmanager
def doing(total: int | None, unit: str) -> Iterator[Doing]:
    """Count what is done; after an error or an interrupt it is still known how far it was."""
    now = Doing(total, unit)
    _doing.append(now)
    yield now
    _doing.remove(now)


@contextmanager
def resumable() -> Iterator[None]:
    """Here finished work is kept, and the same command goes on with it."""
    _kept.append(True)
    yield
    _kept.pop()

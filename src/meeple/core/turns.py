"""Processes that need the same kernel at the same time: one compiles it, the others wait for its file.

A turn is a lock on one byte of one file, which the system gives back when a process ends, however it ends. Who cannot have it, on a
disk without locks, say, or because its owner stands still, compiles for itself, as if there were no turns.
"""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None  # type: ignore[assignment]

FILE = "turns"
LONGEST = 60.0  # seconds that a process waits for another's kernel
BETWEEN = 0.05  # seconds between two looks
BYTES = 1 << 28

_files: dict[Path, int] = {}  # open as long as the process lives: closing a file would give back every lock on it
_held: set[Path] = set()


def take(path: Path) -> bool:
    """Wait until nobody else compiles this kernel. Has somebody? Then it may be there now."""
    if path in _held or fcntl is None:
        return False
    until = time.monotonic() + LONGEST
    waited = False
    while time.monotonic() < until:
        try:
            fcntl.lockf(_file(path.parent), fcntl.LOCK_EX | fcntl.LOCK_NB, 1, _place(path))
            _held.add(path)
            return waited
        except (BlockingIOError, PermissionError):  # both stand for: it is another's
            waited = True
            time.sleep(BETWEEN)
        except OSError:
            return waited
    return waited


def give_back(path: Path) -> None:
    """It is compiled, or will not be."""
    if path in _held:
        _held.remove(path)
        with contextlib.suppress(OSError):
            fcntl.lockf(_file(path.parent), fcntl.LOCK_UN, 1, _place(path))


def give_all_back() -> None:
    for path in tuple(_held):
        give_back(path)


def _place(path: Path) -> int:
    return int(path.name.rpartition("-")[2][:8], 16) % BYTES


def _file(folder: Path) -> int:
    if folder not in _files:
        _files[folder] = os.open(folder / FILE, os.O_WRONLY | os.O_CREAT, 0o666)
    return _files[folder]

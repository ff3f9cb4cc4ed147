"""A few numbers that the server and its search workers both see while a search runs: memory shared through a file.

The server writes which question should stop; a worker writes how far its compiling is. Single words of 64 bits, written by one side
and read by the other, need no lock.
"""

from __future__ import annotations

import mmap
import os
import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

STOP, COMPILED, WAITING = range(3)  # the question with this number stops; functions compiled; is a kernel being compiled now?
WORDS = 3


class Board:
    """Rows of numbers, one for each worker."""

    def __init__(self, path: str, rows: int, handle: int = -1) -> None:
        self.path, self.handle = path, handle
        with Path(path).open("r+b") as file:
            self.memory = mmap.mmap(file.fileno(), rows * WORDS * 8)
        self.rows: NDArray[np.int64] = np.frombuffer(self.memory, np.int64).reshape(rows, WORDS)

    def forget(self) -> None:
        """Nobody will open it any more."""
        if self.handle >= 0:
            os.close(self.handle)
        else:
            Path(self.path).unlink(missing_ok=True)


def make_board(rows: int) -> Board:
    """In memory where the system has such files, so that not even a killed server leaves one behind."""
    if hasattr(os, "memfd_create"):
        handle = os.memfd_create("meeple_serve")
        os.ftruncate(handle, rows * WORDS * 8)
        return Board(f"/proc/{os.getpid()}/fd/{handle}", rows, handle)
    handle, path = tempfile.mkstemp(prefix="meeple_serve_")
    with os.fdopen(handle, "wb") as file:
        file.write(bytes(rows * WORDS * 8))
    return Board(path, rows)

"""What somebody who waits should hear of: kernels being compiled. Knows nothing of the compiler, so it is cheap to load."""

from __future__ import annotations

import time
from collections.abc import Callable

# Called with the name of the kernel that Python asked for, functions compiled for it so far, seconds since it was asked for, and
# whether it is there now.
Listener = Callable[[str, int, float, bool], None]

listeners: list[Listener] = []
_asked: list[tuple[str, float]] = []  # the kernel that is being compiled, and since when
_count = [0]


def asked(name: str) -> None:
    """A kernel that Python called has to be compiled."""
    _asked[:] = [(name, time.perf_counter())]
    _count[0] = 0
    _tell()


def made() -> None:
    """One more function has been compiled."""
    _count[0] += 1
    _tell()


def finished() -> None:
    """The kernel that was asked for is there."""
    _tell(done=True)
    _asked.clear()


def _tell(done: bool = False) -> None:
    if _asked:
        name, since = _asked[0]
        for listener in listeners:
            listener(name, _count[0], time.perf_counter() - since, done)

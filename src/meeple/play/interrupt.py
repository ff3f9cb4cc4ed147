"""Ctrl-C at a moment that suits."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Ctrl-C waits until this is done; pressed twice it does not. Compiled code cannot be interrupted anyway, and an interrupt
    in the middle of compiling shows itself as an error of the compiler."""
    pressed: list[int] = []

    def wait(number: int, _: object) -> None:
        if pressed:
            raise KeyboardInterrupt
        pressed.append(number)

    before = signal.signal(signal.SIGINT, wait)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if pressed:
        raise KeyboardInterrupt

"""Work cut by time: numbers in order, as many at once as take about half a second, whatever the agents."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

SECONDS = 0.5  # that a piece should take: an interrupt loses no more, and handing it over costs little beside
GROWTH = 4  # a piece is at most so many times as long as one that was measured
MOST = 4096  # numbers of a piece, so that it needs little memory

T = TypeVar("T")


class Pieces:
    """Hands out pieces of some ranges; told how long pieces took, it cuts the next to measure."""

    def __init__(self, ranges: Iterable[range], size: int = 1) -> None:
        self._ranges = iter(ranges)
        self._rest = range(0)
        self.size = size

    def __iter__(self) -> Iterator[range]:
        return self

    def __next__(self) -> range:
        while not self._rest:
            self._rest = next(self._ranges)
        piece, self._rest = self._rest[: self.size], self._rest[self.size :]
        return piece

    def took(self, piece: range, seconds: float) -> None:
        """Sets the next size by the time measured. Early pieces may include compiling, so the size may grow fourfold."""
        fitting = int(len(piece) * SECONDS / max(seconds, 1e-6))
        if fitting > self.size:
            fitting = min(fitting, max(self.size, GROWTH * len(piece)))
        self.size = max(1, min(MOST, fitting))


def timed(numbers: range, work: Callable[[range], T], tick: Callable[[int], None] = lambda _: None) -> Iterator[T]:
    """Do work on all numbers in this process, piece by piece."""
    pieces = Pieces([numbers])
    for piece in pieces:
        started = time.perf_counter()
        result = work(piece)
        pieces.took(piece, time.perf_counter() - started)
        yield result
        tick(len(piece))


def gaps(done: Iterable[range], total: int) -> Iterator[range]:
    """What is left of 0 to total - 1; `done` is in order."""
    at = 0
    for part in done:
        if part.start > at:
            yield range(at, min(part.start, total))
        at = max(at, part.stop)
    if at < total:
        yield range(at, total)

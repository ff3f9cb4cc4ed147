"""Where the work of a match is done: here, by processes of this machine, or by a cluster (cluster/), with the same results.

Work is a function that can be imported and plain words for it (specs, numbers, ranges), so that it can be sent anywhere. What
comes back must not depend on where it was done nor when, so executors differ in time alone.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.connection import Connection, wait
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

from meeple.agents.registry import load_code
from meeple.core.workers import Worker

Words = tuple[Any, ...]
AHEAD = 2  # pieces a worker has at a time: one that it does and one that waits

CODE: list[Path] = []  # files of --code, which every process must load too


class Executor(Protocol):
    """Takes pieces of work and hands out what came of them, in whatever order they are finished."""

    @property
    def width(self) -> int:
        """Pieces that are done at once; it may change while a cluster grows."""
        ...

    def submit(self, function: Callable[..., Any], *words: Any) -> int:
        """Hand over a piece; returns its ticket."""
        ...

    def next(self) -> tuple[int, Any]:
        """Wait for a finished piece: its ticket and what came of it; raises what went wrong in it."""
        ...

    def cancel(self) -> None:
        """Drop all that is not finished."""
        ...

    def close(self) -> None:
        """Leave nothing behind."""
        ...


class Opened(Executor, Protocol):
    """An executor that `with` closes."""

    def __enter__(self) -> Executor: ...

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None: ...


class Base:
    """`with` closes an executor, whatever happens."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None: ...


class Here(Base):
    """In this process, one piece after another."""

    width = 1

    def __init__(self) -> None:
        self._waiting: deque[tuple[int, Callable[..., Any], Words]] = deque()
        self._tickets = 0

    def submit(self, function: Callable[..., Any], *words: Any) -> int:
        self._tickets += 1
        self._waiting.append((self._tickets, function, words))
        return self._tickets

    def next(self) -> tuple[int, Any]:
        ticket, function, words = self._waiting.popleft()
        return ticket, function(*words)

    def cancel(self) -> None:
        self._waiting.clear()


class Local(Base):
    """Processes of this machine, started when there is work for them, ended at once when that is dropped."""

    def __init__(self, processes: int) -> None:
        self.width = processes
        self._workers: dict[Connection, Worker] = {}
        self._tasks: dict[Connection, deque[int]] = {}  # tickets of what each worker still has to do
        self._tickets = 0

    def submit(self, function: Callable[..., Any], *words: Any) -> int:
        place = self._free_worker()
        self._tickets += 1
        self._tasks[place].append(self._tickets)
        self._workers[place].send(function, *words)
        return self._tickets

    def _free_worker(self) -> Connection:
        least = min(self._tasks, key=lambda place: len(self._tasks[place]), default=None)
        if least is not None and (not self._tasks[least] or len(self._workers) == self.width):
            return least
        worker = Worker(load_all_code, list(CODE))
        self._workers[worker.connection] = worker
        self._tasks[worker.connection] = deque()
        return worker.connection

    def next(self) -> tuple[int, Any]:
        busy = [place for place, tasks in self._tasks.items() if tasks]
        while True:
            ready = wait(busy)[0]
            assert isinstance(ready, Connection)
            if self._workers[ready].prepared():
                return self._tasks[ready].popleft(), self._workers[ready].receive()

    def cancel(self) -> None:
        for place in [place for place, tasks in self._tasks.items() if tasks]:
            self._workers.pop(place).kill()
            del self._tasks[place]

    def close(self) -> None:
        for worker in self._workers.values():
            worker.kill()
        self._workers.clear()
        self._tasks.clear()


def load_all_code(paths: list[Path]) -> None:
    """What a worker does first."""
    for path in paths:
        load_code(path)


def make_executor(processes: int, cluster: str = "") -> Opened:
    """One process is this one; `cluster` is the address of a Ray cluster, which then does it all."""
    if cluster:
        from meeple.arena.cluster.pieces import Cluster  # only now: Ray is an extra

        return Cluster(cluster)
    return Local(processes) if processes > 1 else Here()


def each(executor: Executor, function: Callable[..., Any], pieces: Iterable[Words]) -> Iterator[tuple[Words, Any]]:
    """What comes of every piece, as it is finished.

    Pieces are asked for as they are needed, a few at a time, so there may be any number of them. The first is done alone: it may
    compile kernels, which the others then find.
    """
    waiting: dict[int, Words] = {}
    rest = iter(pieces)
    room = 1
    try:
        while True:
            while len(waiting) < room and (words := next(rest, None)) is not None:
                waiting[executor.submit(function, *words)] = words
            if not waiting:
                return
            ticket, result = executor.next()
            room = AHEAD * executor.width if executor.width > 1 else 1
            yield waiting.pop(ticket), result
    finally:
        if waiting:
            executor.cancel()

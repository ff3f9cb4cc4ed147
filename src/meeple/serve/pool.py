"""Search workers and the questions that wait for them.

Moves of agents come before hints, hints before bars, bars before reviews. A newer question of the same kind at the same table
replaces the older one. When many wait, everybody thinks more briefly. A worker that dies is replaced and its question asked again.
"""

from __future__ import annotations

import asyncio
import contextlib
import heapq
import itertools
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from meeple.core.errors import MeepleError
from meeple.core.workers import Worker, WorkerFault
from meeple.serve import minds
from meeple.serve.board import COMPILED, STOP, WAITING, make_board
from meeple.serve.errors import BUSY, Refused
from meeple.serve.minds import Question

AGENT, HINT, BAR, REVIEW = range(4)  # priorities
LEAST_MS = 40.0
MOST_WAITING = 5000
TRIES = 3  # a question that brings its worker down is given up after so many,
CHECKS = 1  # and one that asks whether a position can be after so many: its worker goes down over nonsense, or at its deadline


class Superseded(Exception):
    """A newer question has taken this one's place."""


@dataclass(order=True)
class Job:
    """A question that waits or is being answered."""

    priority: int
    number: int
    question: Question = field(compare=False)
    key: tuple[str, str] = field(compare=False)
    answer: asyncio.Future[Any] = field(compare=False)
    tries: int = field(default=0, compare=False)


class Pool:
    """Lives on the event loop: nothing here blocks it for longer than a message takes."""

    def __init__(self, workers: int, code: list[Path] | None = None) -> None:
        self.size = workers
        self.code = code or []
        self.board = make_board(workers)
        self.workers: list[Worker | None] = [None] * workers
        self.ready = [False] * workers
        self.running: list[Job | None] = [None] * workers
        self.waiting: list[Job] = []
        self.numbers = itertools.count(1)
        self.latest: dict[tuple[str, str], Job] = {}
        self.answered = 0
        self.closed = False

    async def start(self) -> None:
        """Workers take a second to be there; they come with the first question at the latest."""
        for row, worker in enumerate(self.workers):
            if worker is None:
                self._hire(row)

    async def close(self) -> None:
        self.closed = True
        for row, worker in enumerate(self.workers):
            if worker is not None:
                asyncio.get_running_loop().remove_reader(worker.connection.fileno())
                worker.kill()
                self.workers[row] = None
        for job in [*self.waiting, *filter(None, self.running)]:
            job.answer.cancel()
        self.board.forget()

    async def ask(self, question: Question, priority: int, key: tuple[str, str]) -> Any:
        """The answer. Raises Superseded when a newer question with this key comes, MeepleError when there is none."""
        if len(self.waiting) >= MOST_WAITING:
            raise Refused(BUSY, "Too many searches are waiting; ask again in a minute.")
        await self.start()
        number = next(self.numbers)
        job = Job(priority, number, replace(question, number=number), key, asyncio.get_running_loop().create_future())
        self._replace(key, job)
        heapq.heappush(self.waiting, job)
        self._hurry(priority)
        self._hand_out()
        try:
            return await job.answer
        finally:
            if self.latest.get(key) is job:
                del self.latest[key]

    def drop(self, key: tuple[str, str]) -> None:
        """The question is of no interest any more."""
        self._replace(key, None)

    def preparing(self) -> int | None:
        """Functions compiled so far, if one is being compiled."""
        rows = self.board.rows
        return int(rows[:, COMPILED].sum()) if rows[:, WAITING].any() else None

    def _replace(self, key: tuple[str, str], job: Job | None) -> None:
        older = self.latest.pop(key, None)
        if job is not None:
            self.latest[key] = job
        if older is None or older.answer.done():
            return
        older.answer.set_exception(Superseded())
        if older in self.running:
            self.board.rows[self.running.index(older), STOP] = older.number

    def _hurry(self, priority: int) -> None:
        """Whoever thinks about something less important answers now, if nobody is free."""
        if None in self.running:
            return
        less = [(job.priority, row) for row, job in enumerate(self.running) if job is not None and job.priority > priority]
        if less:
            _, row = max(less)
            job = self.running[row]
            assert job is not None
            self.board.rows[row, STOP] = job.number

    def _hire(self, row: int) -> None:
        worker = Worker(minds.prepare, self.board.path, self.size, row, self.code)
        self.workers[row], self.ready[row] = worker, False
        self.board.rows[row] = 0
        asyncio.get_running_loop().add_reader(worker.connection.fileno(), self._readable, row)

    def _hand_out(self) -> None:
        for row in range(self.size):
            if not self.ready[row] or self.running[row] is not None:
                continue
            job = self._next()
            if job is None:
                return
            self.running[row] = job
            worker = self.workers[row]
            assert worker is not None
            worker.send(minds.answer, replace(job.question, ms=self._shrunk(job.question.ms)))

    def _next(self) -> Job | None:
        while self.waiting:
            job = heapq.heappop(self.waiting)
            if not job.answer.done():
                return job
        return None

    def _shrunk(self, ms: float) -> float:
        """Everybody thinks less when many wait."""
        waiting = sum(1 for job in self.waiting if job.priority == AGENT and not job.answer.done())
        return max(min(ms, LEAST_MS), ms / (1 + waiting / 2)) if ms else 0.0

    def _readable(self, row: int) -> None:
        """A worker has answered, or is gone."""
        worker = self.workers[row]
        assert worker is not None
        job, failure, value = self.running[row], None, None
        try:
            if not self.ready[row]:
                worker.prepared()
                self.ready[row] = True
                self._hand_out()
                return
            value = worker.receive()
        except (MeepleError, WorkerFault) as error:
            failure = error
        if failure is not None and (not self.ready[row] or not _alive(worker)):
            self._replaced(row, failure)
            return
        self.running[row] = None
        self.answered += 1
        if job is not None and not job.answer.done():
            job.answer.set_result(value) if failure is None else job.answer.set_exception(_sentence(failure))
        self._hand_out()

    def _replaced(self, row: int, failure: Exception) -> None:
        """The process is gone: another takes its place and is asked the same."""
        worker, job = self.workers[row], self.running[row]
        assert worker is not None
        with contextlib.suppress(OSError, ValueError):
            asyncio.get_running_loop().remove_reader(worker.connection.fileno())
        worker.kill()
        self.running[row] = None
        if self.closed:
            return
        if job is not None and not job.answer.done():
            job.tries += 1
            if job.tries >= (CHECKS if job.question.kind == "check" else TRIES):
                job.answer.set_exception(_sentence(failure))
            else:
                heapq.heappush(self.waiting, job)
        if self.ready[row]:
            self._hire(row)
        else:
            self._give_up(row, failure)

    def _give_up(self, row: int, failure: Exception) -> None:
        """A process that could not even begin: nor could the next. Who waits is told why, if no other is there; the next question
        tries again."""
        self.workers[row] = None
        while not any(self.workers) and (job := self._next()) is not None:
            job.answer.set_exception(_sentence(failure))


def _alive(worker: Worker) -> bool:
    return worker.process.poll() is None and not worker.connection.closed


def _sentence(failure: Exception) -> MeepleError:
    if isinstance(failure, MeepleError):
        return failure
    return MeepleError(f"The search failed: {failure}.")

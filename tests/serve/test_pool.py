"""Search workers: what comes first, what is replaced, and what happens when a worker dies."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from meeple.core.errors import MeepleError
from meeple.core.state import new
from meeple.serve.minds import Question
from meeple.serve.pool import AGENT, BAR, HINT, LEAST_MS, REVIEW, Pool, Superseded

pytestmark = pytest.mark.xdist_group("page")
MINE = """
from meeple.agents.random import Random
from meeple.core.agent import AgentKind

AGENTS = (AgentKind("mine", "at random", lambda variant: Random()),)
"""


def with_pool(test: Callable[[Pool], Coroutine[Any, Any, None]]) -> None:
    async def run() -> None:
        pool = Pool(1)
        await pool.start()
        try:
            await test(pool)
        finally:
            await pool.close()

    asyncio.run(run())


def test_workers_that_cannot_begin_are_not_hired_for_ever_and_are_tried_again_when_asked(tmp_path: Path) -> None:
    code = tmp_path / "mine.py"
    code.write_text("1 / 0\n")

    async def test() -> None:
        pool = Pool(2, [code])
        try:
            with pytest.raises(MeepleError, match=r"mine\.py"):
                await pool.ask(question(1), AGENT, ("a", "agent"))
            code.write_text(MINE)
            assert await pool.ask(question(1), AGENT, ("a", "agent")) in new("rake:simple", 1).legal()
        finally:
            await pool.close()

    asyncio.run(asyncio.wait_for(test(), 120))


def question(ms: float, kind: str = "choose") -> Question:
    return Question(kind, "rake:simple", "mcts", new("rake:simple", 1).array, 1, (), ms)


def test_a_killed_worker_is_replaced_and_its_question_answered() -> None:
    async def test(pool: Pool) -> None:
        await pool.ask(question(1), AGENT, ("a", "agent"))
        asked = asyncio.ensure_future(pool.ask(question(500), AGENT, ("a", "agent")))
        await asyncio.sleep(0.1)
        worker = pool.workers[0]
        assert worker is not None and pool.running[0] is not None
        os.kill(worker.process.pid, signal.SIGKILL)
        assert await asked in new("rake:simple", 1).legal()
        assert pool.workers[0] is not worker

    with_pool(test)


def test_a_question_that_brings_every_worker_down_is_given_up() -> None:
    async def test(pool: Pool) -> None:
        with pytest.raises(MeepleError, match="Unknown game"):
            await pool.ask(Question("choose", "no_such_game"), AGENT, ("a", "agent"))
        deadly = pool.ask(question(20_000), AGENT, ("a", "agent"))
        asked = asyncio.ensure_future(deadly)
        killed = 0
        while not asked.done():
            if pool.running[0] is not None and pool.ready[0] and pool.workers[0] is not None:
                os.kill(pool.workers[0].process.pid, signal.SIGKILL)
                killed += 1
                while pool.running[0] is not None:
                    await asyncio.sleep(0.01)
            await asyncio.sleep(0.01)
        with pytest.raises(MeepleError, match="SIGKILL"):
            asked.result()
        assert killed == 3

    with_pool(test)


def test_newer_questions_replace_older_ones_and_more_important_ones_come_first() -> None:
    async def test(pool: Pool) -> None:
        await pool.ask(question(1), AGENT, ("a", "agent"))
        order: list[str] = []

        async def ask(name: str, priority: int, ms: float, key: str) -> None:
            await pool.ask(question(ms), priority, (key, "x"))
            order.append(name)

        running = asyncio.ensure_future(ask("review", REVIEW, 5000, "r"))
        await asyncio.sleep(0.05)
        older = asyncio.ensure_future(ask("older", BAR, 50, "b"))
        tasks = [
            asyncio.ensure_future(ask(*each)) for each in (("bar", BAR, 50, "b"), ("hint", HINT, 50, "h"), ("move", AGENT, 50, "m"))
        ]
        await asyncio.gather(running, *tasks)
        with pytest.raises(Superseded):
            await older
        assert order == ["review", "move", "hint", "bar"]  # the review was told to answer at once

    with_pool(test)


def test_everybody_thinks_less_when_many_wait() -> None:
    async def test(pool: Pool) -> None:
        assert pool._shrunk(200) == 200
        asked = [asyncio.ensure_future(pool.ask(question(100), AGENT, (str(i), "agent"))) for i in range(9)]
        await asyncio.sleep(0)
        assert pool._shrunk(400) == pytest.approx(400 / (1 + len(pool.waiting) / 2))
        assert pool._shrunk(60) == LEAST_MS and pool._shrunk(20) == 20 and pool._shrunk(0) == 0
        for task in asked:
            task.cancel()

    with_pool(test)

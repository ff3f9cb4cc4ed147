"""First use: rules and searches compile in processes of their own, so that the page answers meanwhile and shows how far that is.
Rules and agents that answer at once do not wait for searches, which take longest."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from meeple.core.game import Variant
from meeple.core.state import new
from meeple.serve.levels import Level
from meeple.serve.minds import Question, use_rules
from meeple.serve.pool import AGENT, Pool

RULES = ""  # stands for them where an agent is named


class Ready:
    """What is compiled, what is being compiled, and what to do when it is."""

    def __init__(self, code: list[Path] | None = None) -> None:
        self.quick, self.slow = Pool(1, code), Pool(1, code)
        self.tasks: dict[tuple[str, str], asyncio.Task[None]] = {}

    async def close(self) -> None:
        for task in self.tasks.values():
            task.cancel()
        await self.quick.close()
        await self.slow.close()

    async def rules(self, variant: Variant) -> None:
        """Return when a table of this variant can be shown and played."""
        await self._once(variant, RULES, self.quick)

    async def agent(self, variant: Variant, level: Level) -> None:
        """Return when the workers will load this agent rather than compile it."""
        await self.rules(variant)
        await self._once(variant, level.spec, self.slow if level.ms else self.quick)

    def is_ready(self, variant: Variant, agent: str = RULES) -> bool:
        task = self.tasks.get((variant.spec, agent))
        return task is not None and task.done() and not task.cancelled() and task.exception() is None

    def progress(self, variant: Variant) -> dict[str, Any]:
        """For the page: what of a variant is ready, what is being compiled and how many functions that made so far."""
        names = {agent: task for (spec, agent), task in self.tasks.items() if spec == variant.spec}
        return {
            "rules": self.is_ready(variant),
            "agents": sorted(agent for agent in names if agent and self.is_ready(variant, agent)),
            "compiling": sorted(agent or "rules" for agent, task in names.items() if not task.done()),
            "functions": (self.quick.preparing() or 0) + (self.slow.preparing() or 0),
        }

    async def _once(self, variant: Variant, agent: str, pool: Pool) -> None:
        key = (variant.spec, agent)
        task = self.tasks.get(key)
        if task is None or (task.done() and (task.cancelled() or task.exception())):
            task = self.tasks[key] = asyncio.ensure_future(self._compile(variant, agent, pool))
        await asyncio.shield(task)

    async def _compile(self, variant: Variant, agent: str, pool: Pool) -> None:
        await pool.ask(Question("prepare", variant.spec, agent, ms=1.0), AGENT, (variant.spec, agent))
        if agent == RULES:
            await asyncio.to_thread(lambda: use_rules(new(variant, 1)))  # here it is only loaded

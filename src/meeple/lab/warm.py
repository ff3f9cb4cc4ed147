"""Kernels compiled ahead, so that nobody waits for them at the first move: a game a process, all cores at once."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from meeple.agents.registry import find_agent
from meeple.arena.executor import make_executor
from meeple.arena.plan import make_plan
from meeple.arena.table import Piece
from meeple.core import cache
from meeple.core.agent import ask
from meeple.core.registry import find_variant
from meeple.core.state import new
from meeple.rollout.playout import play_random_games

SEARCH = "champion:iterations=2"  # whom people meet first; a search of any length is the same code


def warm(specs: list[str], search: bool, processes: int, tick: Callable[[int], None]) -> dict[str, dict[str, Any]]:
    """Compile what playing and measuring these variants takes; of each: functions compiled, and seconds."""
    found = {}
    with make_executor(processes) as workers:
        tickets = {workers.submit(warm_one, spec, search): spec for spec in specs}
        for _ in specs:
            ticket, result = workers.next()
            found[tickets[ticket]] = result
            tick(1)
    return {spec: found[spec] for spec in specs}


def warm_one(spec: str, search: bool) -> dict[str, Any]:
    """A move at the table, random games, a match, and a decision of the search: that compiles, or loads, all they need."""
    started, before = time.perf_counter(), len(cache.compiled)
    variant = find_variant(spec)
    state = new(variant, 1)
    state.board(0)
    state.copy().play(state.legal()[0])
    play_random_games(variant, 1, 1)
    plan = make_plan(variant, ["random"] * variant.shape.seats, variant.shape.seats, 1)
    seeds, seating = plan.tables(range(plan.games))
    Piece(variant, plan.players, seeds, seating).play()
    if search:
        ask(find_agent(SEARCH, variant.game).make(variant), state, 1)
    return {"compiled": len(cache.compiled) - before, "seconds": time.perf_counter() - started}

"""Exact solutions, where a game brings a `solver.py`; and how far an agent is from the best."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.agents.registry import find_agent
from meeple.arena.stats import mean_interval
from meeple.arena.table import Chunk
from meeple.core.errors import MeepleError
from meeple.core.game import Variant
from meeple.core.registry import part_of_game
from meeple.core.rng import child
from meeple.core.state import new
from meeple.lab.simulate import check_size

CHUNK = 500
TIED = 1e-2  # a stored value is exact to 1/512, so moves this close are equally good


def solver_for(variant: Variant) -> ModuleType:
    """The solver of a variant, or a sentence on which can be solved."""
    solver = part_of_game(variant.game, "solver")
    if solver is None:
        raise MeepleError(f"{variant.game.title} has no exact solver.")
    if variant.name not in solver.SOLVED:
        known = ", ".join(f"{variant.game.name}:{name}" for name in solver.SOLVED)
        raise MeepleError(f"{variant.spec} cannot be solved exactly; what can: {known}.")
    return solver


def solve(variant: Variant, path: Path | None, threads: int, tick: Callable[[int], None]) -> dict[str, Any]:
    """The value of optimal play; computed unless it has been before."""
    solver = solver_for(variant)
    place: Path = path or solver.default_path()
    built = not place.exists()
    if built:
        try:
            solver.build(place, threads=threads, tick=tick)
        except OSError as error:
            raise MeepleError(f"The solution cannot be written to {place}: {error.strerror}; --out names another file.") from None
    return {
        "game": variant.game.name,
        "variant": variant.spec,
        "optimum": solver.optimum(place),
        "built_now": built,
        "file": str(place),
        "bytes": place.stat().st_size,
    }


def regret(variant: Variant, agent: str, games: int, seed: int, path: Path | None = None) -> dict[str, Any]:
    """How much an agent gives away: a move, a game, and how often its move is a best one."""
    check_size(games, seed)
    solver = solver_for(variant)
    player = find_agent(agent, variant.game)
    solution = solver.load(path or solver.default_path())
    out = np.zeros(variant.shape.room, np.int32)
    per_game: list[NDArray[np.float64]] = []
    for first in range(0, games, CHUNK):
        seeds = [child(seed, number) for number in range(first, min(first + CHUNK, games))]
        finished = Chunk(variant, [player], seeds, np.zeros((len(seeds), 1), np.int8)).play()
        for dealt, actions in zip(seeds, finished.actions, strict=True):
            lost = np.zeros(len(actions))
            solver.regrets(solution, new(variant, dealt).data, actions, out, lost)
            per_game.append(lost)
    moves = np.concatenate(per_game)
    totals = np.array([lost.sum() for lost in per_game])
    return {
        "agent": player.spec,
        "clairvoyant": player.clairvoyant,
        "games": games,
        "seed": seed,
        "moves": len(moves),
        "regret_per_move": float(moves.mean()),
        "regret_per_game": float(totals.mean()),
        "regret_per_game_ci": list(mean_interval(totals)),
        "best_moves": float((moves <= TIED).mean()),
    }

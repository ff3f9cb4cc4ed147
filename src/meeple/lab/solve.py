"""Exact solutions, where a game brings a `solver.py`, and how far an agent is from the best; evaluations fitted backwards from the
end, where it brings a `fit.py`."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.agents.registry import find_agent
from meeple.arena.executor import each, make_executor
from meeple.arena.pieces import Pieces
from meeple.arena.plan import Plan, make_plan
from meeple.arena.stats import mean_interval
from meeple.core.errors import MeepleError
from meeple.core.game import Variant
from meeple.core.registry import part_of_game
from meeple.core.rng import child
from meeple.core.state import new
from meeple.lab.simulate import check_size

FRESH = 1000  # of the deals on which a fitted evaluation is tried, beside those that it was fitted to
TIED = 1e-2  # a stored value is exact to 1/512, so moves this close are equally good


def solver_for(variant: Variant) -> ModuleType:
    """The solver of a variant, or a sentence on which can be solved."""
    return _part_for(variant, "solver", "SOLVED", "has no exact solver", "cannot be solved exactly; what can")


def fitter_for(variant: Variant) -> ModuleType:
    """What fits a variant's evaluation, or a sentence on which can be fitted."""
    nobody = "has no evaluation that could be fitted"
    return _part_for(variant, "fit", "FITTED", nobody, "has no tables of its own to be fitted; what has")


def _part_for(variant: Variant, name: str, served: str, nobody: str, others: str) -> ModuleType:
    """A file of the game that serves some of its variants, which it lists."""
    part = part_of_game(variant.game, name)
    if part is None:
        raise MeepleError(f"{variant.game.title} {nobody}.")
    if variant.name not in getattr(part, served):
        known = ", ".join(f"{variant.game.name}:{name}" for name in getattr(part, served))
        raise MeepleError(f"{variant.spec} {others}: {known}.")
    return part


def fit(variant: Variant, out: Path, games: int, rounds: int, seed: int, tick: Callable[[int], None]) -> dict[str, Any]:
    """Fit the game's evaluation backwards from the end, write it, and play by it: the mean score on fresh deals."""
    check_size(games, seed)
    fitter = fitter_for(variant)
    tables = fitter.fit(variant, games, rounds, seed, tick)
    try:
        fitter.write(out, tables)
    except OSError as error:
        raise MeepleError(f"The tables cannot be written to {out}: {error.strerror}; --out names another file.") from None
    _, found = fitter.play(variant, fitter.player(tables), games, child(seed, FRESH))
    figures = {"score": float(found.mean()), "ci": list(mean_interval(found)), "games": games, "rounds": rounds, "seed": seed}
    return {"game": variant.game.name, "variant": variant.spec, **figures, "file": str(out)}


def check_player(variant: Variant, agent: str, path: Path | None = None) -> None:
    """Refuse an agent that does not exist or cannot be made; one that needs the solution may have to wait for it."""
    player = find_agent(agent, variant.game)
    solver = solver_for(variant)
    if player.kind.name not in getattr(solver, "NEEDED_BY", ()) or (path or solver.default_path()).exists():
        player.make(variant)


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


def regret(
    variant: Variant,
    agent: str,
    games: int,
    seed: int,
    path: Path | None = None,
    processes: int = 1,
    tick: Callable[[int], None] = lambda _: None,
) -> dict[str, Any]:
    """How much an agent gives away: a move, a game, and how often its move is a best one."""
    check_size(games, seed)
    place = path or solver_for(variant).default_path()
    player = find_agent(agent, variant.game)
    pieces = Pieces([range(games)])
    found: dict[int, list[NDArray[np.float64]]] = {}
    with make_executor(processes) as workers:
        work = ((variant.spec, player.spec, seed, place, numbers) for numbers in pieces)
        for (*_, numbers), (lost, seconds) in each(workers, regret_of, work):
            pieces.took(numbers, seconds)
            found[numbers.start] = lost
            tick(len(numbers))
    per_game = [lost for first in sorted(found) for lost in found[first]]
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


def regret_of(spec: str, agent: str, seed: int, path: Path, numbers: range) -> tuple[list[NDArray[np.float64]], float]:
    """What every move of some games gave away, and the seconds it took."""
    started = time.perf_counter()
    plan = _plan(spec, agent, seed)
    solver = solver_for(plan.variant)
    solution, out = solver.load(path), np.zeros(plan.variant.shape.room, np.int32)
    seeds, _ = plan.tables(numbers)
    per_game = []
    for dealt, actions in zip(seeds, plan.play(numbers).actions, strict=True):
        lost = np.zeros(len(actions))
        solver.regrets(solution, new(plan.variant, dealt).data, actions, out, lost)
        per_game.append(lost)
    return per_game, time.perf_counter() - started


@lru_cache(4)
def _plan(spec: str, agent: str, seed: int) -> Plan:
    return make_plan(spec, [agent], 1, seed)  # however many games: their numbers tell them apart

"""How fast is the search? Beside the same search in plain Python, on the same positions and in turns.

The positions are spread over random games of the variant that the game is measured by. The rate is all iterations by all seconds,
so early positions, with a long way to the end, weigh as much as they last.
"""

from __future__ import annotations

import importlib.util
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from meeple.agents.registry import find_agent
from meeple.core.agent import Seen
from meeple.core.errors import MeepleError
from meeple.core.game import Game, Variant
from meeple.core.kernel import JIT
from meeple.core.rng import child, draw, stream
from meeple.core.state import new
from meeple.search.driver import Search

PLAIN = "mcts:select=ucb1,cut=-1,policy=random,playouts=1,reduce=0"  # playouts to the end, as the theses measure it
GAMES, POSITIONS = 2, 12  # random games, and positions of each
ITERATIONS, PYTHON_ITERATIONS = 1000, 100  # at each position
PROGRAM = Path(__file__).parents[3] / "benchmarks" / "python_mcts.py"  # of a clone; elsewhere there is none

Tick = Callable[[str], None]
Timed = Callable[[NDArray[Any]], tuple[int, float]]  # position -> iterations, seconds


def bench_search(game: Game, seed: int, tick: Tick = lambda _: None) -> dict[str, Any]:
    """Iterations a second of one game's search, one core."""
    if not JIT:
        raise MeepleError("NUMBA_DISABLE_JIT is set, so there is nothing to measure; unset it for bench.")
    variant = game.variant(game.bench)
    tick(f"{variant.spec}: compiling the search")
    roots = positions(variant, seed)
    ways = {"iterations_per_s": _compiled(variant, PLAIN, roots[0])}
    if game.guide is not None:
        ways["guided_iterations_per_s"] = _compiled(variant, "mcts", roots[0])
    if PROGRAM.is_file():
        ways["python_iterations_per_s"] = _in_python(variant, roots[0])
    rates = in_turns(ways, roots, lambda n: tick(f"{variant.spec}: position {n} of {len(roots)}"))
    figures: dict[str, Any] = {"variant": variant.spec, "seed": seed, "positions": len(roots), "iterations": ITERATIONS}
    figures |= {name: rates.get(name) for name in ("iterations_per_s", "python_iterations_per_s", "guided_iterations_per_s")}
    figures["ratio"] = rates["iterations_per_s"] / rates["python_iterations_per_s"] if PROGRAM.is_file() else None
    return figures


def positions(variant: Variant, seed: int) -> list[NDArray[Any]]:
    """Positions spread evenly over random games, each redealt for its seat."""
    found = []
    for number in range(GAMES):
        state, luck, game = new(variant, child(seed, number)), stream(child(seed, number)), []
        while not state.over:
            game.append(Seen(state, child(seed, state.ply)).sample(seed).array)
            legal = state.legal()
            state.play(legal[draw(luck, len(legal))])
        found += [game[i * len(game) // POSITIONS] for i in range(min(POSITIONS, len(game)))]
    return found


def in_turns(ways: dict[str, Timed], roots: list[NDArray[Any]], tick: Callable[[int], None]) -> dict[str, float]:
    """Each way at each position before the next, so that whatever else the machine does hits all of them."""
    spent = {name: [0.0, 0.0] for name in ways}
    for number, root in enumerate(roots, 1):
        tick(number)
        for name, way in ways.items():
            iterations, seconds = way(root)
            spent[name][0] += iterations
            spent[name][1] += seconds
    return {name: iterations / seconds for name, (iterations, seconds) in spent.items()}


def _compiled(variant: Variant, agent: str, warm: NDArray[Any]) -> Timed:
    search: Search = find_agent(agent, variant.game).make(variant).search
    search.set_root(warm)
    search.iterate(1)  # compile, or load

    def timed(root: NDArray[Any]) -> tuple[int, float]:
        search.set_root(root)
        started = time.perf_counter()
        search.iterate(ITERATIONS)
        return ITERATIONS, time.perf_counter() - started

    return timed


def _in_python(variant: Variant, warm: NDArray[Any]) -> Timed:
    program = python_search()
    c = find_agent(PLAIN, variant.game).make(variant).search.settings.c
    program.PythonMcts(variant, warm, c, 0).run(1)  # compile, or load

    def timed(root: NDArray[Any]) -> tuple[int, float]:
        return PYTHON_ITERATIONS, program.PythonMcts(variant, root, c, 0).run(PYTHON_ITERATIONS)

    return timed


def python_search() -> Any:
    """The program benchmarks/python_mcts.py of a clone."""
    if "python_mcts" not in sys.modules:
        spec = importlib.util.spec_from_file_location("python_mcts", PROGRAM)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        sys.modules["python_mcts"] = module
    return sys.modules["python_mcts"]

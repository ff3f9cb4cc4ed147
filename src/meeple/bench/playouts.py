"""Speed, always as a figure beside another of the same run.

A game may bring `reference.cpp` in its folder: the same rules in C++, called as `reference SEED FIRST GAMES`, which plays the
same random games and prints JSON with their number of steps, a checksum of every action, and the seconds it took. It is compiled
with g++ -O3 here and now, and the two take turns, so that whatever else the machine does hits both.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from meeple.core.errors import MeepleError
from meeple.core.game import Game, Variant
from meeple.core.kernel import JIT
from meeple.core.registry import package_of_game
from meeple.core.rng import child, stream
from meeple.core.state import new
from meeple.rollout.batch import choose_uniformly
from meeple.rollout.playout import copy_around, play_random_games
from meeple.rollout.stepper import Batch

ROUNDS = 5  # turns each side takes
SECONDS = 0.5  # about as long is one turn
BATCH = 1024
PYTHON_GAMES = 50
SOURCES = Path(__file__).parents[3]  # of a clone; elsewhere there are no tests

Tick = Callable[[str], None]


def bench_game(game: Game, seed: int, tick: Tick = lambda _: None) -> dict[str, Any]:
    """All figures of one game, one core."""
    if not JIT:
        raise MeepleError("NUMBA_DISABLE_JIT is set, so there is nothing to measure; unset it for bench.")
    variant = game.variant(game.bench)
    tick(f"{game.name}: start-up")
    figures: dict[str, Any] = {"variant": variant.spec, "seed": seed, "state_bytes": game.dtype.itemsize}
    figures |= start_up(variant)
    tick(f"{game.name}: playouts")
    figures |= side_by_side(variant, seed)
    tick(f"{game.name}: batches")
    figures["batch_steps_per_s"] = batch_speed(variant, seed)
    figures["copy_ns"] = copy_time(variant, seed)
    figures |= beside_python(variant, seed, figures["playout_games_per_s"])
    figures["also"] = {}
    for name in game.bench_also:
        other = game.variant(name)
        tick(f"{other.spec}: playouts")
        speed = playout_speed(other, seed)
        figures["also"][other.spec] = speed | beside_python(other, seed, speed["playout_games_per_s"])
    return figures


def playout_speed(variant: Variant, seed: int) -> dict[str, float]:
    """Random playouts alone."""
    games = _games_per_turn(variant, seed)
    turns = [_our_turn(variant, seed, turn * games, games) for turn in range(ROUNDS)]
    return {
        "playout_steps_per_s": statistics.median(turn["steps"] / turn["seconds"] for turn in turns),
        "playout_games_per_s": statistics.median(games / turn["seconds"] for turn in turns),
    }


def beside_python(variant: Variant, seed: int, games_per_s: float) -> dict[str, float]:
    """The plain Python engine that the tests compare with, where the sources are at hand and it can be run:
    `tests/reference/GAME.py VARIANT GAMES SEED` prints how many seconds so many random games took."""
    program = SOURCES / "tests" / "reference" / f"{variant.game.name}.py"
    if not program.is_file() or "__main__" not in program.read_text():
        return {}
    timed = json.loads(_run([sys.executable, str(program), variant.name, str(PYTHON_GAMES), str(seed)]))
    python = timed["games"] / timed["seconds"]
    return {"python_games_per_s": python, "python_ratio": games_per_s / python}


def side_by_side(variant: Variant, seed: int) -> dict[str, Any]:
    """Random playouts of ours and, where there is one, of the C++ reference, in turns and over the same games."""
    games = _games_per_turn(variant, seed)
    with tempfile.TemporaryDirectory() as folder:
        program, why_not = compile_reference(variant.game, Path(folder))
        ours, theirs, equal = [], [], True
        per_game = []
        for turn in range(ROUNDS):
            mine = _our_turn(variant, seed, turn * games, games)
            ours.append(mine["steps"] / mine["seconds"])
            per_game.append(games / mine["seconds"])
            if program:
                other = json.loads(_run([str(program), str(seed), str(turn * games), str(games)]))
                theirs.append(other["steps"] / other["seconds"])
                equal &= all(str(other[key]) == str(mine[key]) for key in ("steps", "legal_sum", "checksum"))
    figures: dict[str, Any] = {
        "playout_steps_per_s": statistics.median(ours),
        "playout_games_per_s": statistics.median(per_game),
        "games": games * ROUNDS,
    }
    if program:
        figures["reference"] = {
            "name": "C++ -O3",
            "playout_steps_per_s": statistics.median(theirs),
            "checksums_equal": equal,
        }
        figures["ratio"] = statistics.median(a / b for a, b in zip(ours, theirs, strict=True))
    else:
        figures["reference"] = None
        figures["reference_missing"] = why_not
    return figures


def _games_per_turn(variant: Variant, seed: int) -> int:
    """Enough games for about SECONDS, found by doubling; this also warms everything up."""
    _our_turn(variant, seed, 0, 1)  # compile, or load
    games = 64
    while (seconds := _our_turn(variant, seed, 0, games)["seconds"]) < SECONDS / 4:
        games *= 2
    return max(1, int(games * SECONDS / seconds))


def _our_turn(variant: Variant, seed: int, first: int, games: int) -> dict[str, Any]:
    started = time.perf_counter()
    results = play_random_games(variant, games, seed, first)
    seconds = time.perf_counter() - started
    return {
        "seconds": seconds,
        "steps": int(results["plies"].sum()),
        "legal_sum": int(results["legal_sum"].sum()),
        "checksum": int(np.add.reduce(results["checksum"])),
    }


def compile_reference(game: Game, folder: Path) -> tuple[Path | None, str]:
    """Build the game's reference.cpp, or say why not."""
    source = _source_folder(game) / "reference.cpp"
    if not source.is_file():
        return None, "the game has no reference.cpp"
    if not (compiler := shutil.which("g++")):
        return None, "there is no g++ on this machine"
    program = folder / "reference"
    _run([compiler, "-O3", "-march=native", "-std=c++17", "-o", str(program), str(source)])
    return program, ""


def _source_folder(game: Game) -> Path:
    module = sys.modules[package_of_game(game) or game.shape.__module__]
    return Path(str(module.__file__)).parent


def batch_speed(variant: Variant, seed: int) -> float:
    """1,024 games in one call a step, observations and legal lists written, random legal actions."""
    batch = Batch(variant, BATCH, seed)
    batch.reset()
    actions = np.zeros(BATCH, np.int32)
    chooser = stream(seed)

    def steps(n: int) -> float:
        started = time.perf_counter()
        for _ in range(n):
            choose_uniformly(batch.arrays, chooser, actions)
            batch.step(actions)
        return n * BATCH / (time.perf_counter() - started)

    steps(2)  # compile, or load
    n = max(2, int(SECONDS * steps(20) / BATCH))
    return statistics.median(steps(n) for _ in range(ROUNDS))


def copy_time(variant: Variant, seed: int) -> float:
    """Nanoseconds to copy a state inside a kernel."""
    states = np.concatenate([new(variant, child(seed, i)).array for i in range(8)])

    def nanoseconds(copies: int) -> float:
        started = time.perf_counter()
        copy_around(states, copies)
        return (time.perf_counter() - started) / copies * 1e9

    nanoseconds(1)  # compile, or load
    return statistics.median(nanoseconds(1_000_000) for _ in range(ROUNDS))


_FIRST_GAME = """
import meeple
from meeple.rollout.playout import play_random_games
play_random_games(meeple.find_variant({spec!r}), 1, 0)
"""


def start_up(variant: Variant) -> dict[str, float]:
    """Whole processes, from start to the first finished game: once with an empty cache, then again."""
    code = _FIRST_GAME.format(spec=variant.spec)
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "MEEPLE_CACHE": folder}
        times = []
        for _ in range(2):
            started = time.perf_counter()
            _run([sys.executable, "-c", code], environment)
            times.append(time.perf_counter() - started)
    return {"cold_compile_s": times[0], "warm_start_s": times[1]}


def _run(command: list[str], environment: dict[str, str] | None = None) -> str:
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise MeepleError(f"{Path(command[0]).name} failed while measuring: {last}")
    return done.stdout

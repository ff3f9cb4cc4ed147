"""Tuning an agent's parameters by CMA-ES (covariance matrix adaptation evolution strategy), judged by games on paired deals.

Each generation plays new deals, the same for all its candidates, against the same opponents, so no candidate profits from lucky
deals for long. The result is the centre of the last generation, not its best candidate: the best of many noisy measurements is
mostly lucky.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from meeple.agents.registry import AgentSpec, find_agent
from meeple.arena.executor import Executor, each, make_executor
from meeple.core.errors import MeepleError
from meeple.core.game import Variant
from meeple.core.record import write_atomically
from meeple.core.registry import find_variant
from meeple.core.rng import child
from meeple.lab.tuning.candidate import play_candidate

LEAST_STEP = 0.05  # a weight near zero still has to be able to move
Tick = Callable[[int, float], None]


@dataclass(frozen=True)
class Tuning:
    """What is tuned, and with how many games."""

    variant: Variant
    player: AgentSpec  # where it starts
    opponents: tuple[AgentSpec, ...]  # each fills all other seats in turn; none in a solitaire
    names: tuple[str, ...]  # parameters that may change
    games: int  # of a candidate against each of them, a generation
    generations: int
    seed: int
    step: float  # first step, as a share of each parameter


def plan_tuning(
    spec: str, agent: str, against: list[str], names: list[str], games: int, generations: int, seed: int, step: float
) -> Tuning:
    """Read and check everything before the first game."""
    variant = find_variant(spec)
    player = find_agent(agent, variant.game)
    numbers = [param.name for param in player.kind.params if isinstance(param.default, float)]
    if not numbers:
        raise MeepleError(f"{player.kind.name} has no numbers to tune; meeple list agents tells what can be set.")
    for name in names:
        if name not in numbers:
            raise MeepleError(f"{player.kind.name} has no number '{name}' to tune; it has: {', '.join(numbers)}.")
    seats = variant.shape.seats
    if against and seats == 1:
        raise MeepleError(f"{variant.spec} is played alone, so --against has no meaning there.")
    opponents = tuple(find_agent(text, variant.game) for text in against) or ((player,) if seats > 1 else ())
    for value, name, least in ((games, "games", seats), (generations, "generations", 1)):
        if value < least:
            raise MeepleError(f"--{name} must be at least {least}, not {value}.")
    if not 0 < step <= 1:
        raise MeepleError(f"--step must be above 0 and at most 1, not {step:g}.")
    return Tuning(variant, player, opponents, tuple(names or numbers), games // seats * seats, generations, seed, step)


def tune(tuning: Tuning, path: Path, processes: int, tick: Tick = lambda *_: None, cluster: str = "") -> dict[str, Any]:
    """Run it, writing the centre after every generation; an existing file is continued."""
    import cma  # here, because it brings matplotlib along, which no other command should wait for

    before = read_tuning(tuning, path)
    start = np.array([before["weights"].get(name, tuning.player.settings[name]) for name in tuning.names], float)
    scale = np.maximum(np.abs(start), LEAST_STEP)
    # Its own stopping rules are for functions without noise; here the generations are counted.
    options = {"seed": tuning.seed % 2**31 + 1 + before["generations"], "verbose": -9, "CMA_stds": scale, "tolfun": 0}
    strategy = cma.CMAEvolutionStrategy(start, before["step"] or tuning.step, options)
    shares: list[float] = before["shares"]
    with make_executor(processes, cluster) as pool:
        while len(shares) < tuning.generations:
            candidates = strategy.ask()
            values = measure(tuning, [within(tuning, x) for x in candidates], len(shares), pool)
            strategy.tell(candidates, [-value for value in values])
            shares.append(float(np.mean(values)))
            weights = dict(zip(tuning.names, within(tuning, strategy.mean).tolist(), strict=True))
            result = {
                **about(tuning),
                "clairvoyant": tuning.player.clairvoyant,
                "generations": len(shares),
                "candidates": len(candidates),
                "step": float(strategy.sigma),
                "weights": weights,
                "shares": shares,
            }
            write_atomically(path, json.dumps(result, indent=2) + "\n")
            tick(len(shares), shares[-1])
    return read_tuning(tuning, path)


def about(tuning: Tuning) -> dict[str, Any]:
    """What a tuning must have in common with the file that it goes on from."""
    return {
        "variant": tuning.variant.spec,
        "agent": tuning.player.spec,
        "against": [player.spec for player in tuning.opponents],
        "only": list(tuning.names),
        "games": tuning.games,
        "first_step": tuning.step,
        "seed": tuning.seed,
    }


def read_tuning(tuning: Tuning, path: Path) -> dict[str, Any]:
    """What the file holds of this tuning; nothing if there is no file, and a file of another tuning is refused."""
    if not path.exists():
        if not os.access(path.parent, os.W_OK):
            raise MeepleError(f"--out {path} cannot be written; name a file in a folder that is there and may be written to.")
        return {"weights": {}, "shares": [], "generations": 0, "step": 0.0}
    try:
        found: dict[str, Any] = json.loads(path.read_text())
        before = {"only": list(found["weights"]), "first_step": tuning.step, **found}
        differing = [name for name, value in about(tuning).items() if before[name] != value]
    except (OSError, ValueError, KeyError, TypeError):
        raise MeepleError(f"{path} is no file of a tuning; name another with --out, or move it away.") from None
    if differing:
        told = "; ".join(f"{WORDS[name]} was {_plain(before[name])}, not {_plain(about(tuning)[name])}" for name in differing)
        raise MeepleError(f"{path} is of another tuning ({told}); give the same to go on with it, or name another file with --out.")
    return found


WORDS = {"variant": "the game", "agent": "the agent", "first_step": "--step"} | {
    name: f"--{name}" for name in ("against", "only", "games", "seed")
}


def _plain(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def within(tuning: Tuning, x: Any) -> Any:
    """A point with every number inside the bounds its parameter declares."""
    bounds = {param.name: (param.least, param.most) for param in tuning.player.kind.params}
    return np.array([np.clip(value, *bounds[name]) for name, value in zip(tuning.names, x, strict=True)])


def measure(tuning: Tuning, candidates: list[Any], generation: int, pool: Executor) -> list[float]:
    """The share of wins of each candidate, or its mean score in a solitaire."""
    seed = child(tuning.seed, generation)
    settings = [dict(zip(tuning.names, map(float, x), strict=True)) for x in candidates]
    others = [player.spec for player in tuning.opponents] or [""]
    words = (tuning.variant.spec, tuning.player.spec)
    rest = (range(tuning.games // tuning.variant.shape.seats), seed, "win" if tuning.opponents else "score")
    pieces = [(*words, one, other, *rest) for one in settings for other in others]
    found = {id(piece): float(np.mean(deals)) for piece, deals in each(pool, play_candidate, pieces)}
    values = [found[id(piece)] for piece in pieces]
    return [float(np.mean(values[i : i + len(others)])) for i in range(0, len(values), len(others))]

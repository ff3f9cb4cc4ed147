"""How fast are the environments? Each kind beside the others, and beside PettingZoo's own games, in turns and in one run.

A step is one decision of a random player, with everything a program must do for it: choosing a legal action, stepping, reading what
comes back, and dealing again when a game is over.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from meeple.core.errors import MeepleError
from meeple.core.game import Game, Variant
from meeple.core.kernel import JIT
from meeple.core.rng import stream
from meeple.envs import aec, batch, env_id, vector
from meeple.envs.needs import need
from meeple.rollout.batch import choose_uniformly

GAMES = 1024
ROUNDS = 5  # turns each way takes
SECONDS = 0.4  # about as long is one turn
OTHERS = {"connect_four": "classic/connect_four-v3", "hanabi": "classic/hanabi-v5"}

Tick = Callable[[str], None]
Stepping = Callable[[int], None]  # makes at least so many steps


def bench_envs(games: list[Game], seed: int, tick: Tick = lambda _: None) -> dict[str, Any]:
    """Steps a second of every way, one core."""
    if not JIT:
        raise MeepleError("NUMBA_DISABLE_JIT is set, so there is nothing to measure; unset it for bench.")
    need("gymnasium")
    need("pettingzoo")
    ways: dict[tuple[str, str], tuple[Stepping, int]] = {}
    for game in games:
        variant = game.variant(game.bench)
        tick(f"{variant.spec}: compiling")
        ways |= {(game.name, name): (way, n) for name, (way, n) in _ways(variant, seed).items()}
    for name, other in OTHERS.items():
        if way := _other(other, seed):
            ways["pettingzoo", name] = (way, 1)
    rates = in_turns(ways, tick)
    figures: dict[str, Any] = {}
    for game in games:
        mine = {f"{name}_steps_per_s": rate for (owner, name), rate in rates.items() if owner == game.name}
        ratio = mine["vector_steps_per_s"] / mine["pettingzoo_steps_per_s"]
        figures[game.name] = {"variant": game.variant(game.bench).spec, "seed": seed, **mine, "vector_to_pettingzoo": ratio}
    figures["pettingzoo"] = {f"{name}_steps_per_s": rates.get(("pettingzoo", name)) for name in OTHERS}
    return figures


def in_turns(ways: dict[Any, tuple[Stepping, int]], tick: Tick) -> dict[Any, float]:
    """Median of each way's turns; every way has its turn before the next round, so that what else the machine does hits all."""
    steps: dict[Any, int] = {}
    found: dict[Any, list[float]] = {key: [] for key in ways}
    for key, (way, n) in ways.items():
        way(n)  # compile, or load
        many = max(20 * n, 200)
        steps[key] = max(n, int(SECONDS * _rate(way, many)))
    for turn in range(ROUNDS):
        tick(f"round {turn + 1} of {ROUNDS}")
        for key, (way, _) in ways.items():
            found[key].append(_rate(way, steps[key]))
    return {key: statistics.median(rates) for key, rates in found.items()}


def _rate(way: Stepping, steps: int) -> float:
    started = time.perf_counter()
    way(steps)
    return steps / (time.perf_counter() - started)


def _ways(variant: Variant, seed: int) -> dict[str, tuple[Stepping, int]]:
    """Name -> how to make steps, and how many at least."""
    return {
        "batch": (_batch(variant, seed), GAMES),
        "vector": (_vector(variant, seed), GAMES),
        "gymnasium": (_gymnasium(variant, seed, masked=False), 1),
        "gymnasium_masked": (_gymnasium(variant, seed, masked=True), 1),
        "pettingzoo": (pettingzoo_steps(aec(variant), seed), 1),
    }


def _batch(variant: Variant, seed: int) -> Stepping:
    """Our own interface, every seat stepped."""
    games, actions, luck = batch(variant, GAMES, seed=seed), np.zeros(GAMES, np.int32), stream(seed)

    def steps(n: int) -> None:
        for _ in range(n // GAMES):
            choose_uniformly(games.arrays, luck, actions)
            games.step(actions)

    return steps


def _vector(variant: Variant, seed: int) -> Stepping:
    """gymnasium.vector's interface; opponents play at random inside."""
    env, actions, luck = vector(variant, GAMES), np.zeros(GAMES, np.int32), stream(seed)
    env.reset(seed=seed)

    def steps(n: int) -> None:
        for _ in range(n // GAMES):
            choose_uniformly(env.batch.arrays, luck, actions)
            env.step(actions)

    return steps


def _gymnasium(variant: Variant, seed: int, masked: bool) -> Stepping:
    """gymnasium.make's environment with the wrappers it comes in, against random."""
    import gymnasium

    options: dict[str, Any] = {c.name: variant.chosen[c.name] for c in variant.game.options}
    env = gymnasium.make(env_id(variant), mask=masked, **options)
    luck = np.random.default_rng(seed).random(1 << 16).tolist()
    legal = env.get_wrapper_attr("legal_actions")
    env.reset(seed=seed)

    def steps(n: int) -> None:
        for i in range(n):
            actions = legal()
            _, _, terminated, truncated, _ = env.step(actions.item(int(luck[i & 0xFFFF] * actions.size)))
            if terminated or truncated:
                env.reset()

    return steps


def pettingzoo_steps(env: Any, seed: int) -> Stepping:
    """As PettingZoo's documentation plays at random: last, sample by the mask, step."""
    env.reset(seed=seed)

    def steps(n: int) -> None:
        for _ in range(n):
            if not env.agents:
                env.reset()
            seen, _, terminated, truncated, info = env.last()
            mask = seen["action_mask"] if isinstance(seen, dict) else info["action_mask"]
            env.step(None if terminated or truncated else env.action_space(env.agent_selection).sample(mask))

    return steps


def _other(name: str, seed: int) -> Stepping | None:
    """One of PettingZoo's own games, where what it needs is installed."""
    import pettingzoo
    from pettingzoo.env_registry.exceptions import FailedToImport

    try:
        return pettingzoo_steps(pettingzoo.make("aec", name), seed)
    except (ImportError, FailedToImport):
        return None

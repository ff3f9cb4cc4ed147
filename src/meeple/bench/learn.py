"""How fast is learning? PPO beside sb3-contrib's MaskablePPO on our own environment, and networks in kernels beside PyTorch.

Both learners have the same hidden layers, epochs and minibatch and see the same observation; a decision counts once it has been
learnt from, so the rate is of playing and learning together. They take turns, so that whatever else the machine does hits both, and
rates by processor time are given too, which a busy machine spoils less.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from meeple.core.errors import MeepleError
from meeple.core.game import Game, Variant
from meeple.core.kernel import JIT
from meeple.envs.needs import installed

Tick = Callable[[str], None]
Work = Callable[[], int]  # does some work, and tells how much


@dataclass(frozen=True)
class Size:
    """What is measured, and how much of it."""

    hidden: tuple[int, ...] = (256, 256)
    epochs: int = 3
    minibatch: int = 2048
    games: int = 512  # ours, side by side
    steps: int = 64
    envs: int = 16  # theirs
    turns: int = 2  # of each learner
    batches: tuple[int, ...] = (1, 512)  # of inference
    seconds: float = 1.0  # of each way of inference


def bench_learn(game: Game, seed: int, tick: Tick = lambda _: None, size: Size | None = None) -> dict[str, Any]:
    """Decisions a second with learning, ours and theirs, and inference, one core."""
    if not JIT:
        raise MeepleError("NUMBA_DISABLE_JIT is set, so there is nothing to measure; unset it for bench.")
    if not installed("torch"):
        raise MeepleError("Learning needs PyTorch, which is not installed; pip install 'meeple[learn]' brings it.")
    size, variant = size or Size(), game.variant(game.bench)
    tick(f"{variant.spec}: compiling")
    ways = {"ppo": _ours(variant, seed, size)}
    theirs = _theirs(variant, seed, size)
    if theirs is not None:
        ways["maskable_ppo"] = theirs
    figures: dict[str, Any] = {"variant": variant.spec, "actions": variant.shape.actions, "seed": seed}
    figures |= {name: getattr(size, name) for name in ("hidden", "epochs", "minibatch")}
    figures |= in_turns(ways, size.turns, tick)
    for kind in ("", "_cpu"):
        rates = [figures.get(f"{name}_decisions_per{kind}_s") for name in ("ppo", "maskable_ppo")]
        figures[f"ratio{kind}"] = rates[0] / rates[1] if rates[0] and rates[1] else None
    tick(f"{variant.spec}: inference")
    return figures | {"inference": {str(n): _inference(variant, seed, n, size) for n in size.batches}}


def in_turns(ways: dict[str, Work], turns: int, tick: Tick) -> dict[str, float]:
    """Each way once a turn; all its work by all its seconds, of the clock and of the processor."""
    spent = {name: np.zeros(3) for name in ways}
    for turn in range(turns):
        for name, way in ways.items():
            tick(f"{name}: turn {turn + 1} of {turns}")
            clock, busy = time.perf_counter(), time.process_time()
            made = way()
            spent[name] += made, time.perf_counter() - clock, time.process_time() - busy
    found = {f"{name}_decisions_per_s": float(made / clock) for name, (made, clock, _) in spent.items()}
    return found | {f"{name}_decisions_per_cpu_s": float(made / busy) for name, (made, _, busy) in spent.items()}


def _ours(variant: Variant, seed: int, size: Size) -> Work:
    """An update of PPO against itself."""
    from meeple.learn.ppo import PPO, Config

    config = Config(
        games=size.games, steps=size.steps, hidden=size.hidden, epochs=size.epochs, minibatch=size.minibatch, most_kl=0.0
    )
    learner = PPO(variant, config, seed)
    learner.iterate()  # compile, or load

    def work() -> int:
        before = learner.decisions
        learner.iterate()
        return learner.decisions - before

    return work


def _theirs(variant: Variant, seed: int, size: Size) -> Work | None:
    """An update of MaskablePPO with a dense head and masks, as it comes, or nothing where it is not installed."""
    try:
        import gymnasium
        import torch
        from sb3_contrib import MaskablePPO
        from stable_baselines3.common.env_util import make_vec_env
    except ImportError:
        return None
    from meeple.envs import env_id
    from meeple.learn.learner import default_level

    torch.set_num_threads(1)
    options: dict[str, Any] = {choice.name: variant.chosen[choice.name] for choice in variant.game.options}
    if variant.shape.seats > 1:
        options |= {"opponent": "random", "seat": "alternate"}
    name, level = env_id(variant), default_level(variant)
    env = make_vec_env(lambda: gymnasium.make(name, observation=level, **options), size.envs, seed=seed)
    net = {"net_arch": list(size.hidden), "activation_fn": torch.nn.ReLU}
    steps = max(1, size.minibatch // size.envs)
    given: dict[str, Any] = {"n_steps": steps, "batch_size": size.minibatch, "n_epochs": size.epochs, "policy_kwargs": net}
    model = MaskablePPO("MlpPolicy", env, seed=seed, device="cpu", **given)

    def work() -> int:
        before = model.num_timesteps
        model.learn(steps * size.envs, reset_num_timesteps=False)
        return int(model.num_timesteps - before)

    return work


def _inference(variant: Variant, seed: int, games: int, size: Size) -> dict[str, float]:
    """Microseconds a table: values, scores of the legal actions, and a choice among them, in the kernel and in PyTorch."""
    from meeple.learn.ppo import PPO, Config
    from meeple.nets.collect import decide

    learner = PPO(variant, Config(games=games, steps=1, hidden=size.hidden, minibatch=games), seed)
    group = learner.groups[0]
    arrays, orders = group.batch.arrays, group.batch.orders
    kernel = _microseconds(lambda: decide(group.trail, 0, arrays, orders, learner.net), games, size.seconds)
    torch_ = _microseconds(_in_pytorch(learner, arrays), games, size.seconds)
    return {"kernel_us": kernel, "pytorch_us": torch_, "ratio": torch_ / kernel}


def _in_pytorch(learner: Any, arrays: Any) -> Callable[[], Any]:
    """The same choice with every row computed beforehand and lists of legal actions padded to one length."""
    import torch

    count = torch.from_numpy(arrays.slots["count"].astype(np.int64))
    legal = torch.from_numpy(arrays.legal[:, : int(count.max())].astype(np.int64))
    listed = torch.arange(legal.shape[1]) < count[:, None]
    legal = legal * listed
    observations = torch.from_numpy(arrays.observations)
    rows, biases = torch.from_numpy(learner.net.rows), torch.from_numpy(learner.net.biases)

    def choose() -> Any:
        with torch.no_grad():
            queries, values = learner.model(observations)
            scores = (rows[legal] @ queries[:, :, None])[..., 0] + biases[legal]
            chosen = torch.multinomial(torch.softmax(scores.masked_fill(~listed, -torch.inf), dim=1), 1)
        return values, chosen

    return choose


def _microseconds(work: Callable[[], Any], tables: int, seconds: float) -> float:
    """A tenth of all calls is faster: about what one takes when nobody interferes."""
    work()
    found, started = [], time.perf_counter()
    while time.perf_counter() - started < seconds:
        now = time.process_time()  # of the processor: a call of milliseconds is seldom left alone on a busy machine
        work()
        found.append(time.process_time() - now)
    return float(np.percentile(found, 10)) / tables * 1e6

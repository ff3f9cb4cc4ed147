"""The run around a learner: seeds, metrics, checkpoints, evaluation, the best network. Knows no algorithm.

A folder holds all of a run: config.json, metrics.jsonl (a line an update, and a line an evaluation when its result has come),
checkpoint.safetensors (to resume), latest.safetensors and best.safetensors (networks: `net:FOLDER/best.safetensors` is an agent).
"""

from __future__ import annotations

import importlib
import json
import os
import pkgutil
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import meeple.learn
from meeple.core.errors import MeepleError, UnknownName
from meeple.core.game import Variant
from meeple.core.record import write_atomically
from meeple.core.registry import find_variant
from meeple.learn.beside import Asked, Beside, Here, judge_file
from meeple.learn.checkpoint import read_checkpoint, write_checkpoint
from meeple.learn.config import read_config
from meeple.learn.evaluate import Judge
from meeple.learn.learner import Learner
from meeple.learn.seats import Seats, make_learner
from meeple.nets.file import read_net, write_net

CONFIG, METRICS, CHECKPOINT, LATEST, BEST = (
    "config.json",
    "metrics.jsonl",
    "checkpoint.safetensors",
    "latest.safetensors",
    "best.safetensors",
)
WAITING = "evaluating-{}.safetensors"
FRESH = 1 << 40  # number of the deals on which the best is tested at the end: no update has it
Report = Callable[[dict[str, Any]], None]


class Diverged(MeepleError):
    """Weights or losses are no numbers any more."""

    exit_code = 1


@dataclass(frozen=True)
class Plan:
    """What a run is to do; kept in config.json, so that --resume needs nothing else."""

    game: str
    algorithm: str
    config: dict[str, Any]
    seed: int = 1
    minutes: float = 0.0
    processor: bool = False  # minutes are of this process's processor time, so that other work beside it takes nothing away
    steps: int = 0  # decisions; 0: until the minutes are over
    opponents: tuple[str, ...] = ("random",)
    evaluate: int = 20  # updates between two evaluations; 0: only at the end
    games: int = 200  # of each evaluation, a named opponent
    checkpoint: float = 60.0  # seconds between two checkpoints
    beside: bool = True  # evaluate in a process of its own, where the machine has a second core


@cache
def algorithms() -> dict[str, type[Learner]]:
    """Learners are found, never listed: a module of this folder with LEARNERS has some."""
    found: dict[str, type[Learner]] = {}
    for module in pkgutil.iter_modules(meeple.learn.__path__):
        found |= getattr(importlib.import_module(f"meeple.learn.{module.name}"), "LEARNERS", {})
    return found


def cores() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def find_learner(name: str) -> type[Learner]:
    """A learner by name."""
    if name not in algorithms():
        raise UnknownName("learner", name, algorithms())
    return algorithms()[name]


def make_plan(game: str, algorithm: str, settings: Mapping[str, Any], **rest: Any) -> Plan:
    """Read and check everything before the first card is dealt."""
    variant = find_variant(game)
    config = read_config(find_learner(algorithm).config_class, settings)
    known = [f.name for f in fields(Plan) if f.name not in ("game", "algorithm", "config")]
    for name in rest:
        if name not in known:
            raise UnknownName("part of a run", name, known)
    plan = Plan(variant.spec, algorithm, asdict(config), **rest)
    if plan.minutes <= 0 and plan.steps <= 0:
        raise MeepleError("How long? Give --minutes or --steps.")
    return plan


class Run:
    """A run in its folder."""

    def __init__(self, plan: Plan, out: Path, cluster: str = "") -> None:
        self.plan, self.out, self.cluster = plan, out, cluster
        self.variant: Variant = find_variant(plan.game)
        kind = find_learner(plan.algorithm)
        self.config = read_config(kind.config_class, plan.config)
        self.learner: Learner | Seats = make_learner(kind, self.variant, self.config, plan.seed)
        self.judge = Judge(self.variant, plan.opponents, plan.games, plan.seed)
        self.judging: Here | Beside = Beside(self.judge) if plan.beside and cores() > 1 else Here(self.judge)
        self.best = -np.inf
        self.spent = np.zeros(1)  # seconds, of all sittings
        self.warm = False  # has this process compiled what it needs?
        self.board: Any = None  # TensorBoard, where it is installed

    # ---- Keeping ----

    def arrays(self) -> dict[str, Any]:
        return {**self.learner.arrays(), "run.spent": self.spent}

    def identity(self) -> dict[str, Any]:
        plan = self.plan
        config = json.loads(json.dumps(plan.config))
        return {
            "game": plan.game,
            "rules": self.variant.game.version,
            "algorithm": plan.algorithm,
            "config": config,
            "seed": plan.seed,
        }

    def begin(self) -> None:
        """A new folder; an old one is not overwritten."""
        if (self.out / CONFIG).exists():
            raise MeepleError(f"{self.out} already holds a run; go on with --resume, or choose another folder.")
        self.set_out()
        self.out.mkdir(parents=True, exist_ok=True)
        write_atomically(self.out / CONFIG, json.dumps(asdict(self.plan), indent=2).encode())

    def set_out(self) -> None:
        """From random weights, or from a network's file."""
        if self.config.start:
            self.learner.begin_with(Path(self.config.start).expanduser())

    def resume(self) -> None:
        """From the last checkpoint; metrics written after it are forgotten, since they are written again."""
        if (self.out / CHECKPOINT).exists():
            read_checkpoint(self.out / CHECKPOINT, self.arrays(), self.identity())
            self.learner.restored()
        else:
            self.set_out()
        kept = self._forget_metrics()
        if (self.out / BEST).exists():  # of a later update perhaps, which will then be found again: evaluations have fixed deals
            self.best = read_net(self.out / BEST)[0].result.get("strength", -np.inf)
        self._ask_again({_update_of(line) for line in kept if "evaluation" in json.loads(line)})

    def _forget_metrics(self) -> list[str]:
        metrics = self.out / METRICS
        if not metrics.exists():
            return []
        kept = [line for line in metrics.read_text().splitlines() if _update_of(line) <= self.learner.counters[1]]
        write_atomically(metrics, "".join(f"{line}\n" for line in kept).encode())
        return kept

    def _ask_again(self, answered: set[int]) -> None:
        """Networks that waited for their evaluation when the run ended."""
        for asked in sorted(Asked(int(path.stem.partition("-")[2]), path) for path in self.out.glob(WAITING.format("*"))):
            if asked.update in answered or asked.update > self.learner.counters[1]:
                asked.path.unlink()
            else:
                self.judging.ask(asked)

    def keep(self) -> None:
        weights = self.good_weights()
        write_checkpoint(self.out / CHECKPOINT, self.arrays(), self.identity())
        write_net(self.out / LATEST, self.learner.card(), weights)

    def good_weights(self) -> NDArray[np.float32]:
        """Nothing that has diverged is ever written. Asked only then: of 25,499 rows a look costs more than a small update."""
        weights = self.learner.weights
        if not np.isfinite(weights).all():
            raise self.diverged()
        return weights

    def diverged(self) -> Diverged:
        return Diverged(
            f"The run diverged at update {self.learner.counters[1]}: its figures are no numbers any more; a smaller lr "
            f"may help, and the last good checkpoint is {self.out / CHECKPOINT}."
        )

    def note(self, line: dict[str, Any]) -> None:
        with (self.out / METRICS).open("a") as file:
            file.write(json.dumps(line) + "\n")
        if self.board is not None:
            for name, value in line.items():
                if isinstance(value, (int, float)):
                    self.board.add_scalar(name, value, line["decisions"])
            for spec, result in line.get("evaluation", {}).get("against", {}).items():
                self.board.add_scalar(f"evaluation/{spec}", result["mean"], line["decisions"])

    # ---- Running ----

    def over(self) -> bool:
        plan = self.plan
        return bool((plan.steps and self.learner.decisions >= plan.steps) or (plan.minutes and self.spent[0] >= 60 * plan.minutes))

    def progress(self) -> float:
        """From 0 to 1. By steps where they are given, since time would make two runs of one seed differ."""
        plan = self.plan
        done = self.learner.decisions / plan.steps if plan.steps else self.spent[0] / (60 * plan.minutes)
        return float(min(1.0, done))

    def update(self) -> dict[str, Any]:
        """One update of the learner, with its figures."""
        started, busy, before = time.perf_counter(), time.process_time(), self.learner.decisions
        self.learner.progress = self.progress()
        figures = self.learner.iterate()
        seconds, busy = time.perf_counter() - started, time.process_time() - busy
        counted = busy if self.plan.processor else seconds
        self.spent += counted if self.warm else 0.0  # the first update of a sitting loads or compiles its kernels
        self.warm = True
        if not np.isfinite(list(figures.values())).all():
            raise self.diverged()
        made = self.learner.decisions - before
        rates = {"rate": made / seconds, "cpu_rate": made / busy}  # the second is what a core of its own would give
        return {"update": int(self.learner.counters[1]), "decisions": self.learner.decisions, **rates, **figures}

    def ask(self) -> None:
        """Let the network as it is now be evaluated."""
        asked = Asked(int(self.learner.counters[1]), self.out / WAITING.format(int(self.learner.counters[1])))
        write_net(asked.path, self.learner.card(), self.good_weights())
        self.judging.ask(asked)

    def hear(self, report: Report, wait: bool = False) -> None:
        """Write down what evaluations have found; the best network so far is kept, with its result."""
        for asked, result in self.judging.answers(wait):
            card, weights = read_net(asked.path)
            if result["strength"] > self.best:
                self.best = result["strength"]
                write_net(self.out / BEST, replace(card, result=result), weights)
            line = {"update": asked.update, "decisions": card.steps, "evaluation": result}
            self.note(line)
            asked.path.unlink()
            report(line)

    def run(self, report: Report = lambda _: None) -> dict[str, Any]:
        """Until it is over. Interrupted or killed, it goes on from its last checkpoint."""
        players = self.learner.spread_over(self.plan.algorithm, self.cluster) if self.cluster else None
        try:
            self.learn(report)
            self.hear(report, wait=True)
        finally:
            self.judging.close()
            if players is not None:
                players.close()
        self.keep()
        # As a file, like all the others: a network of some phases is measured with whom it learnt with.
        last = judge_file(self.judge, Asked(int(self.learner.counters[1]), self.out / LATEST))
        if last["strength"] > self.best:
            self.best = last["strength"]
            write_net(self.out / BEST, self.learner.card(last), self.learner.weights)
        return {"decisions": self.learner.decisions, "seconds": float(self.spent[0]), "last": last, "best": self.test_best()}

    def learn(self, report: Report) -> None:
        """Updates, evaluations beside them, and checkpoints."""
        kept = time.perf_counter()
        if self.learner.counters[1] == 0:
            self.keep()
        while not self.over():
            line = self.update()
            self.note(line)
            report(line)
            if self.plan.evaluate and line["update"] % self.plan.evaluate == 0:
                self.ask()
            self.hear(report)
            if time.perf_counter() - kept > self.plan.checkpoint:
                self.keep()
                kept = time.perf_counter()

    def test_best(self) -> dict[str, Any]:
        """The best network on deals it was not chosen by, since a maximum of several noisy results is mostly lucky; its card keeps
        both."""
        card, weights = read_net(self.out / BEST)
        result = judge_file(self.judge, Asked(FRESH, self.out / BEST))
        write_net(self.out / BEST, replace(card, result={**card.result, "fresh": result}), weights)
        return {"decisions": card.steps, **result}


def _update_of(line: str) -> int:
    try:
        return int(json.loads(line)["update"])
    except (ValueError, KeyError, TypeError):
        return 1 << 62  # half a line that a crash left


def read_plan(out: Path) -> Plan:
    """The plan of a run that is to be resumed."""
    try:
        given = json.loads((out / CONFIG).read_text())
        return Plan(**{**given, "opponents": tuple(given["opponents"])})
    except FileNotFoundError:
        raise MeepleError(f"There is no run in {out} to resume: {CONFIG} is missing.") from None
    except (ValueError, TypeError, KeyError):
        raise MeepleError(f"{out / CONFIG} cannot be read, so the run cannot be resumed.") from None


def train(
    game: str,
    algorithm: str,
    out: str | Path,
    settings: Mapping[str, Any] | None = None,
    *,
    report: Report = lambda _: None,
    tensorboard: bool = False,
    cluster: str = "",
    **plan: Any,
) -> dict[str, Any]:
    """Train a network: `train("jaipur:round", "ppo", "runs/j1", {"lr": 3e-4}, minutes=30)`. See Plan for what else can be set."""
    run = Run(make_plan(game, algorithm, settings or {}, **plan), Path(out), cluster)
    run.begin()
    return _run(run, report, tensorboard)


def resume(
    out: str | Path, *, report: Report = lambda _: None, tensorboard: bool = False, cluster: str = "", **changed: Any
) -> dict[str, Any]:
    """Go on with a run; a longer time or more steps may be given."""
    plan = replace(read_plan(Path(out)), **changed)
    run = Run(plan, Path(out), cluster)
    run.resume()
    write_atomically(run.out / CONFIG, json.dumps(asdict(plan), indent=2).encode())
    return _run(run, report, tensorboard)


def _run(run: Run, report: Report, tensorboard: bool) -> dict[str, Any]:
    if tensorboard:
        try:
            from torch.utils.tensorboard import SummaryWriter
        except ImportError:
            raise MeepleError("TensorBoard is not installed; pip install 'meeple[learn]' brings it.") from None
        run.board = SummaryWriter(run.out / "tensorboard")
    return run.run(report)

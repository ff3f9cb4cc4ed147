"""Learners as candidates: a setting trains a network for a while, part by part, and what it has become is measured.

A part of a training is a piece of work like any other: the files of the run so far go with it, and come back. So it may be done
by any process of any machine, and whoever is killed loses one part.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from meeple.core.errors import MeepleError
from meeple.core.game import Variant

Files = dict[str, bytes]


@dataclass(frozen=True)
class Part:
    """What a part of a training left."""

    files: Files
    value: float
    lines: list[dict[str, Any]]  # figures of every update so far that had games


def train_part(
    game: str,
    algorithm: str,
    settings: Mapping[str, Any],
    plan: Mapping[str, Any],
    before: Part | None,
    until: int,
    metric: str,
    window: int,
) -> Part:
    """Go on until so many decisions."""
    from meeple.learn.checkpoint import read_checkpoint
    from meeple.learn.train import CHECKPOINT, LATEST, Run, make_plan

    with TemporaryDirectory(prefix="meeple-trial-") as folder:
        out = Path(folder)
        run = Run(make_plan(game, algorithm, settings, evaluate=0, beside=False, **plan), out)
        lines = list(before.lines) if before else []
        if before is None:
            run.set_out()
        else:
            (out / CHECKPOINT).write_bytes(before.files[CHECKPOINT])
            read_checkpoint(out / CHECKPOINT, run.arrays(), {"game": run.plan.game, "algorithm": algorithm})
            run.learner.restored()
        while run.learner.decisions < until:
            lines.append(short(run.update()))
        run.keep()
        value = judged(run, metric, window, lines)
        return Part({name: (out / name).read_bytes() for name in (CHECKPOINT, LATEST)}, value, lines)


def short(line: Mapping[str, Any]) -> dict[str, Any]:
    """What measures need of an update's figures."""
    return {name: line[name] for name in ("decisions", "games", "return") if name in line}


def judged(run: Any, metric: str, window: int, lines: Sequence[Mapping[str, Any]]) -> float:
    """By a match on deals of their own, or by what self-play paid."""
    from meeple.learn.beside import Asked, judge_file
    from meeple.learn.train import LATEST

    if metric == "match":
        return float(judge_file(run.judge, Asked(int(run.learner.counters[1]), run.out / LATEST))["strength"])
    rows = [(line["games"], line["return"]) for line in lines if "return" in line]
    if metric == "joint":
        return last_mean(rows, window) * int(run.variant.shape.seats)
    return best_mean(rows, window)


def last_mean(rows: Sequence[tuple[float, float]], window: int) -> float:
    """The mean of the last so many games; rows are (games, their mean)."""
    games = total = 0.0
    for count, mean in reversed(rows):
        taken = min(count, window - games)
        games, total = games + taken, total + taken * mean
        if games >= window:
            break
    return total / games if games else float("-inf")


def best_mean(rows: Sequence[tuple[float, float]], window: int) -> float:
    """The best mean of so many games in a row, ending with any update; with fewer games in all, the mean of those."""
    ends = [i for i in range(len(rows)) if sum(count for count, _ in rows[: i + 1]) >= window] or [len(rows) - 1]
    return max((last_mean(rows[: i + 1], window) for i in ends), default=float("-inf"))


@dataclass(frozen=True)
class LearnerSubject:
    """A learner whose settings are tuned."""

    variant: Variant
    algorithm: str
    opponents: tuple[str, ...]
    metric: str
    steps: int  # decisions of a trial
    games: int  # of a match that measures it
    window: int
    seed: int
    function: Callable[..., Any] = train_part

    @property
    def name(self) -> str:
        return self.algorithm

    @property
    def plan(self) -> dict[str, Any]:
        """What every trial's run has in common."""
        given = {"steps": self.steps, "games": self.games, "seed": self.seed}
        return given | ({"opponents": self.opponents} if self.opponents else {})

    def check(self, settings: Mapping[str, Any]) -> None:
        """Refuse a setting that cannot be, before the first game."""
        from meeple.learn.train import make_plan

        make_plan(self.variant.spec, self.algorithm, settings, **self.plan)

    def spec(self, settings: Mapping[str, Any]) -> str:
        """The setting as a person would type it."""
        words = [f"{name}={','.join(map(str, v)) if isinstance(v, (tuple, list)) else v}" for name, v in settings.items()]
        return " ".join(words)

    def words(self, settings: Mapping[str, Any], rung: int, rungs: int, parts: list[Any]) -> tuple[Any, ...]:
        """Go on from the last part."""
        until = self.steps * (rung + 1) // rungs
        return (*self._run(settings), parts[-1] if parts else None, until, self.metric, self.window)

    def _run(self, settings: Mapping[str, Any]) -> tuple[Any, ...]:
        return (self.variant.spec, self.algorithm, dict(settings), self.plan)

    def value(self, parts: list[Part]) -> float:
        return parts[-1].value


def learner_subject(
    variant: Variant, algorithm: str, against: tuple[str, ...], metric: str, steps: int, games: int, window: int, seed: int
) -> LearnerSubject:
    """Read and check."""
    chosen = metric or "match"
    if chosen not in ("match", "joint", "return"):
        raise MeepleError(f"The metric {chosen} is for agents; of a learner match, joint or return can be measured.")
    if steps < 1:
        raise MeepleError("How long is a trial of a learner? Give --steps, or steps in the space.")
    return LearnerSubject(variant, algorithm, against, chosen, steps, games, window, seed)


def judge_network(subject: LearnerSubject, network: bytes, number: int, games: int) -> dict[str, Any]:
    """A network against the opponents, on fresh deals."""
    from meeple.agents.net import load_agent
    from meeple.learn.evaluate import Judge, Trained

    with TemporaryDirectory() as folder:
        path = Path(folder) / "net.safetensors"
        path.write_bytes(network)
        judge = Judge(subject.variant, subject.opponents or ("random",), games, subject.seed)
        found = judge.judge(Trained(load_agent(path, subject.variant)), 1_000_000 + number)
    ends = np.mean([one["ci"] for one in found["against"].values()], axis=0)
    single = len(found["against"]) == 1
    return {"value": found["strength"], "ci": ends.tolist() if single else None, "against": found["against"], "games": games}

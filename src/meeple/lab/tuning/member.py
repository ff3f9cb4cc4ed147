"""A member of a population, as Ray Tune trains it: a run that can be stopped, copied, and gone on with under other settings."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ray.tune import Trainable

from meeple.arena.cluster.luggage import Luggage, unpack
from meeple.lab.tuning.space import Space
from meeple.lab.tuning.trained import LearnerSubject, judged, short
from meeple.learn.checkpoint import read_checkpoint, write_checkpoint
from meeple.learn.train import CHECKPOINT, LATEST, Run, make_plan
from meeple.nets.file import write_net

LINES = "lines.json"


class Member(Trainable):
    """One step is `space.part` decisions and a look at what has become of it."""

    def setup(  # type: ignore[override]
        self, config: dict[str, Any], subject: LearnerSubject, space: Space, brought: Luggage
    ) -> None:
        unpack(brought)
        self.subject, self.space = subject, space
        self.lines: list[dict[str, Any]] = []
        self.folder = TemporaryDirectory(prefix="meeple-member-")
        self.begin(config)

    def begin(self, config: dict[str, Any]) -> None:
        """A run with these settings. How long all lasts is not its business, so nothing in it changes with progress."""
        subject, settings = self.subject, self.space.full(config)
        plan = make_plan(subject.variant.spec, subject.algorithm, settings, evaluate=0, beside=False, **subject.plan)
        self.run = Run(plan, Path(self.folder.name))

    def step(self) -> dict[str, Any]:
        until = self.run.learner.decisions + self.space.part
        while self.run.learner.decisions < until:
            self.lines.append(short(self.run.update()))
        value = judged(self.run, self.subject.metric, self.subject.window, self.lines)
        return {"value": value, "decisions": self.run.learner.decisions}

    def reset_config(self, new_config: dict[str, Any]) -> bool:
        self.begin(new_config)
        return True

    def save_checkpoint(self, checkpoint_dir: str) -> None:
        folder, run = Path(checkpoint_dir), self.run
        write_checkpoint(folder / CHECKPOINT, run.arrays(), run.identity())
        write_net(folder / LATEST, run.learner.card(), run.good_weights())
        (folder / LINES).write_text(json.dumps(self.lines))

    def load_checkpoint(self, checkpoint: Any) -> None:
        folder, run = Path(checkpoint), self.run
        same = {"game": run.plan.game, "algorithm": run.plan.algorithm}  # the settings may be another's
        read_checkpoint(folder / CHECKPOINT, run.arrays(), same)
        run.learner.restored()
        self.lines = json.loads((folder / LINES).read_text())

    def cleanup(self) -> None:
        self.folder.cleanup()

"""Grid, TPE and random search by Optuna. Every trial is kept in Optuna's own SQLite file as it ends, with its parts on the way.

A trial is measured in parts (rungs), and one that lags behind the median of the others is given up between two of them; a grid is
always measured whole. Whoever is killed loses the parts that were being worked on: the same command goes on.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import Any, Protocol

from meeple.arena.executor import Executor
from meeple.core.errors import MeepleError
from meeple.lab.tuning.keep import forget_parts, keep_part, kept_parts
from meeple.lab.tuning.space import Axis, Space

STORE = "trials.sqlite"
STARTUP = 8  # trials before anything is given up
Tick = Callable[[int], None]


class Subject(Protocol):
    """What is tuned: an agent or a learner."""

    @property
    def function(self) -> Callable[..., Any]: ...

    def check(self, settings: Mapping[str, Any]) -> None: ...

    def words(self, settings: Mapping[str, Any], rung: int, rungs: int, parts: list[Any]) -> tuple[Any, ...]: ...

    def value(self, parts: list[Any]) -> float: ...


@dataclass
class Going:
    """A trial that is being measured."""

    trial: Any
    settings: dict[str, Any]
    parts: list[Any] = field(default_factory=list)


def load_optuna() -> Any:
    """The library, quiet, or the sentence on how to get it."""
    try:
        import optuna
    except ImportError:
        raise MeepleError("This kind of tuning needs Optuna, which is not installed: pip install 'meeple[tune]'.") from None
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    return optuna


class Search:
    """A study in its folder."""

    def __init__(self, space: Space, subject: Subject, about: Mapping[str, Any], out: Path, seed: int) -> None:
        self.optuna = load_optuna()
        self.space, self.subject, self.out = space, subject, out
        self.rungs = 1 if space.method == "grid" else space.rungs
        self.study = self._open(seed)
        same_study(self.study, about, out)
        self._interrupted()

    def _open(self, seed: int) -> Any:
        samplers, pruners = self.optuna.samplers, self.optuna.pruners
        store = self.optuna.storages.RDBStorage(f"sqlite:///{(self.out / STORE).absolute()}")
        known = store.get_all_studies()
        seed += sum(
            len(store.get_all_trials(study._study_id, deepcopy=False)) for study in known
        )  # or it would draw the same again
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # constant_liar is called experimental
            tpe = samplers.TPESampler(seed=seed % 2**32, multivariate=True, constant_liar=True, n_startup_trials=STARTUP)
        sampler = tpe if self.space.method == "tpe" else samplers.RandomSampler(seed=seed % 2**32)
        pruner = pruners.MedianPruner(STARTUP) if self.rungs > 1 else pruners.NopPruner()
        given = {"study_name": "tune", "storage": store, "sampler": sampler, "pruner": pruner}
        return self.optuna.create_study(**given, direction="maximize", load_if_exists=True)

    def _interrupted(self) -> None:
        """Trials that nobody finished are asked again, first of all."""
        states = self.optuna.trial.TrialState
        for trial in self.study.get_trials(deepcopy=False, states=(states.RUNNING,)):
            self.study.tell(trial.number, state=states.FAIL)
            if self.space.method != "grid":
                self.study.enqueue_trial(trial.params)

    def ended(self) -> list[Any]:
        """Trials that were measured, to the end or until they were given up."""
        states = self.optuna.trial.TrialState
        return list(self.study.get_trials(deepcopy=False, states=(states.COMPLETE, states.PRUNED)))

    def _todo(self) -> int:
        """How many trials are left; those of a grid are put in line."""
        if self.space.method != "grid":
            return max(0, self.space.trials - len(self.ended()))
        waiting = (self.optuna.trial.TrialState.WAITING,)
        there = [trial.params for trial in self.ended()]
        there += [trial.system_attrs["fixed_params"] for trial in self.study.get_trials(deepcopy=False, states=waiting)]
        points = self.space.grid()
        told = [{name: word(axis, point[name]) for name, axis in self.by_name().items()} for point in points]
        missing = [point for point in told if point not in there]
        for point in missing:
            self.study.enqueue_trial(point)
        return len(points) - len(self.ended())

    def by_name(self) -> dict[str, Axis]:
        return {axis.name: axis for axis in self.space.axes}

    def run(self, executor: Executor, tick: Tick = lambda _: None) -> None:
        """Until all trials are measured; `tick` is told of each."""
        todo = self._todo()
        going: dict[int, Going] = {}
        room = 1  # the first alone: it may compile what the others then find
        try:
            while todo or going:
                while todo and len(going) < room:
                    todo -= 1
                    self._begin(executor, going)
                ticket, part = executor.next()
                room = executor.width
                tick(self._took(executor, going, going.pop(ticket), part))
        finally:
            if going:
                executor.cancel()

    def _begin(self, executor: Executor, going: dict[int, Going]) -> None:
        trial = self.study.ask()
        point = {axis.name: suggested(trial, axis) for axis in self.space.axes}
        one = Going(trial, self.space.full(point))
        one.parts = kept_parts(self.out, one.settings)[: self.rungs - 1]
        self._submit(executor, going, one)

    def _submit(self, executor: Executor, going: dict[int, Going], one: Going) -> None:
        words = self.subject.words(one.settings, len(one.parts), self.rungs, one.parts)
        going[executor.submit(self.subject.function, *words)] = one

    def _took(self, executor: Executor, going: dict[int, Going], one: Going, part: Any) -> int:
        """A part has come; returns 1 if the trial is over with it."""
        one.parts.append(part)
        keep_part(self.out, one.settings, one.parts)
        value = self.subject.value(one.parts)
        one.trial.report(value, len(one.parts))
        if len(one.parts) < self.rungs and not one.trial.should_prune():
            self._submit(executor, going, one)
            return 0
        pruned = len(one.parts) < self.rungs
        states = self.optuna.trial.TrialState
        self.study.tell(one.trial, None if pruned else value, state=states.PRUNED if pruned else states.COMPLETE)
        forget_parts(self.out, one.settings, one.parts[-1])
        return 1

    def rows(self) -> list[dict[str, Any]]:
        """Of every trial that ended: its number, settings, value, and whether it was given up."""
        pruned = self.optuna.trial.TrialState.PRUNED
        made = []
        for trial in self.ended():
            point = {name: value_of(axis, trial.params[name]) for name, axis in self.by_name().items()}
            value = trial.value if trial.value is not None and isfinite(trial.value) else None
            made.append({"trial": trial.number, "point": point, "value": value, "pruned": trial.state == pruned})
        return made


def suggested(trial: Any, axis: Axis) -> Any:
    """What Optuna proposes for one of the numbers."""
    if axis.values:
        return value_of(axis, trial.suggest_categorical(axis.name, [word(axis, value) for value in axis.values]))
    if axis.whole:
        return trial.suggest_int(axis.name, int(axis.low), int(axis.high), log=axis.log)
    return trial.suggest_float(axis.name, axis.low, axis.high, log=axis.log)


def word(axis: Axis, value: Any) -> Any:
    """A value as Optuna can keep it: a list as text."""
    return json.dumps(value) if axis.values and isinstance(value, tuple) else value


def value_of(axis: Axis, kept: Any) -> Any:
    """And back."""
    return next((value for value in axis.values if word(axis, value) == kept), kept)


def same_study(study: Any, about: Mapping[str, Any], out: Path) -> None:
    """A folder of another tuning is refused."""
    plain = json.loads(json.dumps(about))
    for name, value in plain.items():
        before = study.user_attrs.get(name, value)
        if before != value:
            raise MeepleError(f"{out} is of another tuning: its {name} was {before}, not {value}; name another folder with --out.")
        if name not in study.user_attrs:
            study.set_user_attr(name, value)

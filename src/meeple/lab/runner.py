"""Running experiments: what is still to do, in which order, by how many processes; and how long it will take."""

from __future__ import annotations

import importlib.metadata
import platform
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from meeple.arena.executor import Here, Local, each
from meeple.core.errors import MeepleError
from meeple.core.faults import sentence
from meeple.lab import lines
from meeple.lab.bundled import BUNDLED, bundled
from meeple.lab.experiment import Experiment, find_experiment
from meeple.lab.lines import Line
from meeple.lab.play_kinds import Kind, Outcome
from meeple.lab.trial import NETS, WORK, Trial, located, trials_of

DEFAULT_COSTS = {
    "match": 5.0,
    "simulate": 5.0,
    "study": 8.0,
    "tournament": 5.0,
    "exploit": 1000.0,
    "style": 500.0,
    "grid": 5.0,
    "train": 0.4,
    "solve": 60.0,
    "search-2022": 60.0,
}
TRIES = 2  # of a run whose process went wrong
SOLVING = 540.0  # seconds to solve a game that has not been solved before
OVERHEAD = 2.0  # seconds of a run beside its games: loading kernels
Tell = Callable[[Line], None]


class RunsFailed(MeepleError):
    """Some runs went wrong; the others are kept."""

    exit_code = 1


@cache
def kinds() -> dict[str, Kind]:
    from meeple.lab import play_kinds, search_2022, style_kind, train_kind

    return {**play_kinds.KINDS, **style_kind.KINDS, **train_kind.KINDS, **search_2022.KINDS}


@dataclass(frozen=True)
class Todo:
    """What a command has to run."""

    waves: tuple[tuple[Trial, ...], ...]  # a later one plays networks of an earlier one
    done: int  # runs that are finished already
    again: bool = False  # run finished ones once more

    def __len__(self) -> int:
        return sum(map(len, self.waves))


def label(trial: Trial) -> str:
    return f"{trial.key} {trial.row} {trial.measure}"


def needed_by(chosen: Iterable[Experiment]) -> list[Experiment]:
    """Those whose networks they play, whole: of the chosen ones perhaps only some rows are asked for."""
    found: dict[str, Experiment] = {}

    def add(one: Experiment) -> None:
        for name in one.needs:
            add(find_experiment(name))
            found[name] = find_experiment(name)

    for one in chosen:
        add(one)
    return list(found.values())


def plan(chosen: list[Experiment], quick: bool, seeds: int, out: Path, again: bool = False) -> Todo:
    """Runs without a line, and trainings whose networks are asked for and gone."""
    there = lines.read_lines(out)

    def trials(those: Iterable[Experiment]) -> list[Trial]:
        return [trial for one in those for trial in trials_of(one, quick, seeds or (1 if quick else one.seeds))]

    def finished(trial: Trial) -> bool:
        return not again and label(trial) in there.get(trial.experiment, {})

    asked = trials(chosen)
    open_ones = [trial for trial in asked if not finished(trial)]
    wanted = set().union(*(trial.wanted for trial in open_ones)) if open_ones else set()
    sources = [*needed_by(chosen), *(find_experiment(one.name) for one in chosen)]  # whole, of which some rows may be asked for
    missing = {trial.key: trial for trial in trials(sources) if trial.key in wanted and not trial.net(out).exists()}
    first = {label(trial): trial for trial in [*missing.values(), *(trial for trial in open_ones if not trial.wanted)]}
    leaders = {trial.key: trial for trial in reversed(first.values())}  # who shares a training with another waits for it
    followers = [trial for trial in first.values() if leaders[trial.key] is not trial]
    second = {label(trial): trial for trial in open_ones if trial.wanted}
    done = sum(map(finished, asked))
    return Todo((tuple(reversed(leaders.values())), tuple(followers), tuple(second.values())), done, again)


def run(todo: Todo, out: Path, processes: int, tell: Tell) -> list[Line]:
    """Run everything; returns what failed. Finished runs are on disk when they are told. 0 processes: in this one."""
    failed, clock, tried = [], Clock(out), Counter[str]()
    known = {} if todo.again else {line["key"]: line for line in all_lines(out)}
    if todo.again:
        for trial in (trial for wave in todo.waves for trial in wave if trial.kind == "train"):
            shutil.rmtree(out / NETS / trial.key, ignore_errors=True)  # else it would be found finished

    def finish(line: Line) -> None:
        if "error" in line:
            failed.append(line)
        else:
            known[line["key"]] = line
            lines.append(out, line)
        tell(line)

    for wave in todo.waves:
        waiting = {}
        for trial in sorted(wave, key=clock.seconds):  # short ones first: an interrupted run has shown what it could
            if trial.key in known and (trial.kind != "train" or trial.net(out).exists()):
                finish({**known[trial.key], **about(trial)})  # another row, or another table, has the very same run
            else:
                waiting[label(trial)] = trial
        while waiting:
            try:
                for name, line in run_some(list(waiting.values()), out, processes):
                    tried[name] += 1
                    if "fault" in line and processes and tried[name] < TRIES:
                        break  # a process that went wrong once may go on doing so: all begin anew
                    del waiting[name]
                    finish(line)
            except MeepleError as error:  # a process ended, and the run first in line is blamed for it
                name = next(iter(waiting))
                tried[name] += 1
                if tried[name] >= TRIES:
                    finish({**about(waiting.pop(name)), "error": str(error)})
    return failed


def all_lines(out: Path) -> Iterator[Line]:
    return (line for found in lines.read_lines(out).values() for line in found.values())


def run_some(trials: list[Trial], out: Path, processes: int) -> Iterator[tuple[str, Line]]:
    """Runs as they are finished."""
    with Local(processes) if processes else Here() as workers:
        for (trial, _), line in each(workers, run_trial, ((trial, str(out)) for trial in trials)):
            yield label(trial), line


def run_trial(trial: Trial, folder: str) -> Line:
    """In whichever process: the line, or one sentence on what went wrong."""
    out = Path(folder)
    work = out / (NETS if trial.kind == "train" else WORK) / trial.key
    started, busy = time.perf_counter(), time.process_time()
    try:
        outcome = kinds()[trial.kind](located(trial.config, out), trial.seed, work)
    except MeepleError as error:
        if type(error).__name__ != "Diverged":
            return {**about(trial), "error": str(error)}
        outcome = Outcome({}, {"diverged": str(error)}, f"meeple lab run {trial.experiment}", "")
    except Exception as error:
        return {**about(trial), "error": sentence(error), "fault": True}
    if trial.kind != "train":
        shutil.rmtree(work, ignore_errors=True)
    packed = bundled(trial.config)
    return {
        **about(trial),
        "config": trial.config,
        **({BUNDLED: packed} if packed else {}),
        "command": outcome.command,
        "clairvoyant": outcome.clairvoyant,
        "figures": {name: [shortened(x) for x in figure] for name, figure in outcome.figures.items()},
        "more": outcome.more,
        "seconds": round(time.perf_counter() - started, 2),
        "cpu_seconds": round(time.process_time() - busy, 2),
        "size": trial.size,
        "sources": outcome.sources[:16],
        "versions": versions(),
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
    }


def about(trial: Trial) -> Line:
    """Which run it is."""
    return {
        "experiment": trial.experiment,
        "row": trial.row,
        "measure": trial.measure,
        "role": trial.role,
        "kind": trial.kind,
        "figure": trial.figure,
        "seed": trial.seed,
        "quick": trial.quick,
        "key": trial.key,
        "lab": f"meeple lab run {trial.experiment}{' --quick' if trial.quick else ''}",
    }


def shortened(x: float | None) -> float | None:
    """Five digits are more than any interval here tells."""
    return None if x is None else float(f"{x:.6g}")


@cache
def versions() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for name in ("meeple", "numpy", "numba", "torch"):
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


# ---- How long it takes ----


class Clock:
    """Seconds of a core that runs take: as measured of the same row, of the same experiment, of the same kind, or as the experiment
    says; where it says so of every row, other rows tell nothing. What was measured with the small budget, which may differ in more
    than its length, comes after what it says."""

    def __init__(self, out: Path) -> None:
        self.rates: dict[tuple[Any, ...], list[float]] = {}
        for line in all_lines(out):
            rate = max(0.0, line["cpu_seconds"] - OVERHEAD) / max(line["size"], 1e-6)
            for key in self._keys(line["experiment"], line["row"], line["measure"], line["kind"], line["quick"]):
                self.rates.setdefault(key, []).append(rate)

    def _keys(self, experiment: str, row: str, measure: str, kind: str, quick: bool) -> Iterator[tuple[Any, ...]]:
        yield quick, experiment, row, measure
        yield quick, experiment, measure
        yield quick, experiment.partition("-")[0], kind

    def seconds(self, trial: Trial) -> float:
        keys = list(self._keys(trial.experiment, trial.row, trial.measure, trial.kind, trial.quick))
        known = [self.rates[key] for key in keys[: 1 if trial.own_cost else 2] if key in self.rates]
        if not known and not trial.cost:
            others = self._keys(trial.experiment, trial.row, trial.measure, trial.kind, not trial.quick)
            known = [self.rates[key] for key in [*others, keys[2]] if key in self.rates]
        rate = sum(known[0]) / len(known[0]) if known else trial.cost or DEFAULT_COSTS[trial.kind]
        return (SOLVING if trial.kind == "solve" else OVERHEAD) + trial.size * rate

    def total(self, trials: Iterable[Trial]) -> float:
        """Of all; the same run under several names is made once."""
        return sum(self.seconds(trial) for trial in {trial.key: trial for trial in trials}.values())

"""Population based training (Jaderberg et al. 2017) by Ray Tune: members train side by side, the worst go on as copies of the best
with settings moved a little.

The folder holds all of it: Ray Tune's own state and checkpoints, members.jsonl (every look at every member), perturbations.jsonl,
and clock.json (how long it has run, in all sittings). The same command goes on with it.
"""

from __future__ import annotations

import json
import logging
import os
import random
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from meeple.arena.cluster.connection import connect, disconnect
from meeple.arena.cluster.luggage import luggage
from meeple.core.errors import MeepleError
from meeple.core.record import write_atomically
from meeple.lab.tuning.space import Axis, Space
from meeple.lab.tuning.trained import LearnerSubject, train_part
from meeple.learn.train import LATEST

NAME, MEMBERS, PERTURBED, CLOCK, ABOUT = "population", "members.jsonl", "perturbations.jsonl", "clock.json", "about.json"
# Checkpoints of a member: another may be about to copy one of them, and the state of the population that a killed command left
# behind may speak of one that is some looks old.
KEPT = 12
STATE_EVERY = 5  # seconds between two such states; Ray Tune's own habit is five minutes, and by then the checkpoints are gone
QUIET = {"TUNE_DISABLE_AUTO_CALLBACK_LOGGERS": "1", "TUNE_GLOBAL_CHECKPOINT_S": str(STATE_EVERY), "RAY_AIR_NEW_OUTPUT": "0"}
Tick = Callable[[float, str], None]


def train_population(
    space: Space, subject: LearnerSubject, about: Mapping[str, Any], out: Path, cluster: str, tick: Tick = lambda *_: None
) -> list[dict[str, Any]]:
    """Until its minutes are over; returns the members as they are then, with their networks."""
    same_population(about, out)
    os.environ.update(QUIET)
    ray = connect(cluster or "local")
    from ray import tune

    from meeple.lab.tuning.member import Member

    logging.getLogger("ray.tune").setLevel(logging.ERROR)
    compile_once(space, subject)
    cores = float(ray.cluster_resources().get("CPU", 1))
    random.seed(subject.seed)
    scheduler = tune.schedulers.PopulationBasedTraining(
        time_attr="training_iteration",
        metric="value",
        mode="max",
        perturbation_interval=space.interval,
        resample_probability=space.resample,
        hyperparam_mutations={axis.name: domain(axis, tune) for axis in space.axes},
        custom_explore_fn=within(space),
    )
    on: Any = tune.ResumeConfig.ResumeType.RESUME  # with more minutes also those that had ended
    begun = any((out / NAME).glob("experiment_state-*.json"))
    clock = Clock(out / CLOCK, 60 * space.minutes)
    try:
        found = tune.run(
            tune.with_parameters(Member, subject=subject, space=space, brought=luggage()),
            name=NAME,
            storage_path=str(out.absolute()),
            config={axis.name: first(axis, tune) for axis in space.axes},
            num_samples=space.population,
            search_alg=tune.search.BasicVariantGenerator(random_state=subject.seed % 2**31),
            scheduler=scheduler,
            stop=stopper(tune, clock),
            resources_per_trial={"cpu": min(1.0, cores / space.population)},
            sync_config=tune.SyncConfig(sync_period=STATE_EVERY),
            checkpoint_config=tune.CheckpointConfig(checkpoint_frequency=1, num_to_keep=KEPT),
            callbacks=[listener(tune, space, clock, out, tick)],
            max_failures=-1,
            resume_config=tune.ResumeConfig(finished=on, unfinished=on, errored=on) if begun else None,
            reuse_actors=True,
            raise_on_failed_trial=False,
            verbose=0,
        )
        trials = [trial for trial in found.trials if trial.checkpoint]
        return [member(trial, space) for trial in trials]
    finally:
        write_perturbations(space, out)
        disconnect()


def compile_once(space: Space, subject: LearnerSubject) -> None:
    """What members need is compiled here, by one, before all of them would."""
    point = {axis.name: axis.values[0] if axis.values else axis.low for axis in space.axes}
    train_part(subject.variant.spec, subject.algorithm, space.full(point), subject.plan, None, 1, "match", 1)


def same_population(about: Mapping[str, Any], out: Path) -> None:
    """A folder of another tuning is refused; minutes may be added."""
    path, plain = out / ABOUT, json.loads(json.dumps(about))
    if not path.exists():
        write_atomically(path, json.dumps(plain, indent=2).encode())
        return
    before = json.loads(path.read_text())
    for name, value in plain.items():
        if before.get(name) != value:
            raise MeepleError(
                f"{out} is of another tuning: its {name} was {before.get(name)}, not {value}; name another folder with --out."
            )


def member(trial: Any, space: Space) -> dict[str, Any]:
    """One of the population."""
    network = Path(trial.checkpoint.path) / LATEST
    point = {name: trial.config[name] for name in space.names}
    return {
        "member": trial.trial_id,
        "settings": space.full(point),
        "point": point,
        "value": trial.last_result["value"],
        "decisions": trial.last_result["decisions"],
        "network": network,
    }


def domain(axis: Axis, tune: Any) -> Any:
    """Where a perturbed setting may be drawn anew."""
    if axis.values:
        return [list(value) if isinstance(value, tuple) else value for value in axis.values]
    return first(axis, tune)


def first(axis: Axis, tune: Any) -> Any:
    """Where members begin."""
    if axis.values:
        return tune.choice(list(axis.values))
    if axis.whole:
        return tune.randint(int(axis.low), int(axis.high) + 1)
    return tune.loguniform(axis.low, axis.high) if axis.log else tune.uniform(axis.low, axis.high)


def within(space: Space) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """A perturbed number is 0.8 or 1.2 times what it was, and stays within its bounds: a discount above 1 would mean nothing."""

    def bounded(config: dict[str, Any]) -> dict[str, Any]:
        for axis in space.axes:
            if not axis.values:
                config[axis.name] = type(config[axis.name])(min(axis.high, max(axis.low, config[axis.name])))
        return config

    return bounded


class Clock:
    """Seconds of all sittings together, kept as they pass, and how many there may be.

    Ray Tune writes whoever asks a clock into its own state and takes it out again in the next sitting. So what travels there is the
    name of the file alone: time that nobody trained does not count, and minutes that were added do."""

    def __init__(self, path: Path, seconds: float = 0.0) -> None:
        kept = json.loads(path.read_text()) if path.exists() else {}
        self.path, self.seconds = path, seconds or float(kept.get("until", 0.0))
        self.before = float(kept.get("seconds", 0.0))
        self.started = time.monotonic()
        self.write()

    def __reduce__(self) -> tuple[Any, ...]:
        return Clock, (self.path,)

    def write(self) -> None:
        self.written = time.monotonic()
        write_atomically(self.path, json.dumps({"seconds": self.spent, "until": self.seconds}).encode())

    @property
    def spent(self) -> float:
        return self.before + time.monotonic() - self.started

    def over(self) -> bool:
        if time.monotonic() - self.written > 1:
            self.write()
        return self.spent >= self.seconds


def stopper(tune: Any, clock: Clock) -> Any:
    """Ray Tune asks it after every step, and now and then."""

    class OutOfTime(tune.Stopper):  # type: ignore[misc]
        def __call__(self, trial_id: str, result: dict[str, Any]) -> bool:  # noqa: ARG002
            return clock.over()

        def stop_all(self) -> bool:
            return clock.over()

    return OutOfTime()


def listener(tune: Any, space: Space, clock: Clock, out: Path, tick: Tick) -> Any:
    """Writes down every look at a member, and tells whoever waits."""

    class Listener(tune.Callback):  # type: ignore[misc]
        def on_trial_result(self, iteration: int, trials: list[Any], trial: Any, result: dict[str, Any], **_: Any) -> None:  # noqa: ARG002
            look = {"seconds": clock.spent, "member": trial.trial_id, "look": result["training_iteration"]}
            look |= {"decisions": result["decisions"], "value": result["value"]}
            with (out / MEMBERS).open("a") as file:
                file.write(json.dumps(look | {"point": {name: trial.config[name] for name in space.names}}) + "\n")
            tick(clock.spent, f"{trial.trial_id} {result['value']:.3f}")

        def on_trial_error(self, iteration: int, trials: list[Any], trial: Any, **_: Any) -> None:  # noqa: ARG002
            tick(clock.spent, f"{trial.trial_id} was lost and goes on from its last checkpoint")

    return Listener()


def looks(out: Path) -> list[dict[str, Any]]:
    """Every look at every member."""
    path = out / MEMBERS
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def perturbations(out: Path) -> list[dict[str, Any]]:
    path = out / PERTURBED
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def write_perturbations(space: Space, out: Path) -> None:
    """Ray Tune's log of who became whose copy, with names instead of places; in the order they happened."""
    names, rows = space.names, []
    for path in sorted((out / NAME).glob("**/pbt_global.txt")):
        for line in path.read_text().splitlines():
            mine, other, at, of, before, after = json.loads(line)
            changed = {name: [before[name], after[name]] for name in names if before[name] != after[name]}
            rows.append({"member": mine, "look": at, "copies": other, "its_look": of, "changed": changed})
    write_atomically(out / PERTURBED, "".join(json.dumps(row) + "\n" for row in rows).encode())


def best_start(out: Path, space: Space) -> dict[str, Any]:
    """The settings of the member that was best before anybody was perturbed."""
    begun = [look for look in looks(out) if look["look"] <= space.interval]
    last = {look["member"]: look for look in begun}
    return dict(max(last.values(), key=lambda look: look["value"])) if last else {}

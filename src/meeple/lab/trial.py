"""One run: a frozen configuration, a seed, and a line of JSON that comes of it."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from meeple.core.errors import UnknownName
from meeple.lab.experiment import Experiment, Measure, Row, Words, find_experiment

NETS, WORK = "nets", "work"
BEST = "best.safetensors"
HERE = "@lab/"  # in a configuration: the folder of results


@dataclass(frozen=True)
class Trial:
    """What is run once."""

    experiment: str
    row: str
    measure: str
    role: str
    kind: str
    figure: str
    seed: int
    quick: bool
    config: dict[str, Any]
    cost: float = 0.0  # seconds of a core for a thousand games or decisions, as the experiment says
    own_cost: bool = False  # does it say so of this row alone? Then what other rows took tells nothing.

    @property
    def key(self) -> str:
        """The same configuration and seed have the same, whoever asks."""
        words = json.dumps([self.kind, self.config, self.seed], sort_keys=True)
        return hashlib.sha256(words.encode()).hexdigest()[:16]

    @property
    def size(self) -> float:
        """Games or decisions, in thousands: what its time is reckoned by."""
        config = self.config
        parts = (len(config.get("stages", "x")), len(config.get("agents", "x")) if self.kind == "tournament" else 1)
        cells = 1
        for axis in config.get("axes", {}).values():
            cells *= len(axis)
        tables = parts[1] * (parts[1] - 1) // 2 or 1
        return float(config.get("steps", config.get("games", 1000)) * parts[0] * tables * cells / 1000)

    @property
    def wanted(self) -> set[str]:
        """Keys of the trainings whose networks it plays."""
        return set(re.findall(rf"{HERE}{NETS}/(\w+)/", json.dumps(self.config)))

    def net(self, out: Path) -> Path:
        """Where its network is, of a training."""
        return out / NETS / self.key / BEST


def trials_of(one: Experiment, quick: bool, seeds: int) -> list[Trial]:
    """Every row by every measure; trainings by every seed."""
    found = []
    for row in one.rows:
        for measure in one.measures:
            several = seeds if measure.kind == "train" else 1
            found += [make_trial(one, row, measure, seed, quick) for seed in range(1, several + 1)]
    return found


def make_trial(one: Experiment, row: Row, measure: Measure, seed: int, quick: bool) -> Trial:
    words = Words(one.words, row.words, {"seed": seed}, measure.config.get("words", {}), net=partial(net_of, quick))
    config = {name: value for name, value in measure.config.items() if name not in ("use", "words")}
    sets: dict[str, Any] = {}
    for name in words.fill([*measure.config.get("use", []), *(measure.quick.get("use", []) if quick else [])]):
        if name not in one.sets:
            raise UnknownName(f"set of {one.name}", name, one.sets)
        sets |= one.sets[name]
    if "use" in measure.config or "set" in config:
        config["set"] = sets | config.get("set", {})
    if quick:
        changed = {name: value for name, value in measure.quick.items() if name != "use"}
        if "set" in changed:
            changed["set"] = config.get("set", {}) | changed["set"]
        config |= changed
    names = (one.name, row.label, measure.name, measure.role, measure.kind, measure.figure)
    return Trial(*names, seed, quick, words.fill(config), words.fill(measure.cost), isinstance(measure.cost, str))


def net_of(quick: bool, name: str) -> str:
    """`cutajar-5.3/ppo`, or with a measure `simonsson-2/all/corrected`: the network of the first seed."""
    experiment, _, rest = name.partition("/")
    label, _, measure = rest.partition("/")
    one = find_experiment(experiment)
    rows = {row.label: row for row in one.rows}
    if label not in rows:
        raise UnknownName(f"row of {one.name}", label, rows)
    trained = [each for each in one.measures if each.kind == "train" and measure in ("", each.name)]
    if not trained:
        raise UnknownName(f"training of {one.name}", measure, [each.name for each in one.measures])
    return f"{HERE}{NETS}/{make_trial(one, rows[label], trained[0], 1, quick).key}/{BEST}"


def located(config: Any, out: Path) -> Any:
    """The configuration with the networks where they are; it is frozen without, so that it is the same in every folder."""
    return json.loads(json.dumps(config).replace(HERE, f"{out}/"))

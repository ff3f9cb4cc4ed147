"""Search spaces: TOML files that say what is tuned, within which bounds, and by which measure. Those of the theses are shipped.

about = "what it is"
game = "jaipur:round"
tunes = "advanced1"              # an agent or a learner
method = "tpe"                   # grid, tpe, random or pbt
against = ["basic3"]
metric = "difference"            # see METRICS
games = 300                      # of a candidate against each opponent

[settings]                       # fixed
k3 = 1.02

[space]
k1 = [0.5, 0.54, 0.58]           # one of these
k2 = {low = 0.3, high = 0.5}     # any number between; log = true, whole = true, also = ["names that get the same value"]

[published]                      # optional: figures of a thesis over a grid
figure = "Figure 5.2"
axes = ["k1", "k2"]
values = [[…], …]

`like = "NAME"` takes everything from another one first.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from importlib.resources import files
from itertools import product
from math import isfinite, log
from pathlib import Path
from typing import Any

from meeple.core.errors import MeepleError, UnknownName

METHODS = ("grid", "tpe", "random", "pbt")
METRICS = {
    "win": "share of the wins against the opponents",
    "difference": "mean difference of scores to the opponents (2017)",
    "score": "mean score",
    "match": "a learner's share of the wins (score where nobody wins) against the opponents, on fresh deals",
    "joint": "mean score of all seats together in the last games of self-play (2025)",
    "return": "best mean reward of the last games in a row (2022)",
}
OF_LEARNERS = ("match", "joint", "return")


@dataclass(frozen=True)
class Axis:
    """One number or word that is searched for."""

    name: str
    values: tuple[Any, ...] = ()  # one of these; none: from low to high
    low: float = 0.0
    high: float = 0.0
    log: bool = False
    whole: bool = False
    also: tuple[str, ...] = ()  # names that get the same value

    def place(self, value: Any) -> float:
        """Where a value lies, from 0 to 1."""
        if self.values:
            return self.values.index(value) / max(1, len(self.values) - 1) if value in self.values else 0.5
        scale = log if self.log else float
        return (scale(value) - scale(self.low)) / (scale(self.high) - scale(self.low))


@dataclass(frozen=True)
class Published:
    """A thesis's figures over a grid: `values` is as deep as there are axes."""

    figure: str
    axes: tuple[str, ...]
    grid: tuple[tuple[Any, ...], ...]  # what each axis was tried at
    values: Any

    def at(self, point: Mapping[str, Any]) -> float | None:
        """The figure of a setting, if it was published."""
        found = self.values
        for name, tried in zip(self.axes, self.grid, strict=True):
            if point.get(name) not in tried:
                return None
            found = found[tried.index(point[name])]
        return float(found)


@dataclass(frozen=True)
class Space:
    """What is searched, where, how and by which measure."""

    name: str = ""
    about: str = ""
    game: str = ""
    tunes: str = ""
    method: str = "tpe"
    metric: str = ""  # none: win of an agent, match of a learner
    against: tuple[str, ...] = ()
    games: int = 400
    trials: int = 40
    rungs: int = 4  # parts in which a trial is measured; one that lags behind is given up between two of them
    steps: int = 0  # decisions of a learner's trial
    minutes: float = 0.0  # of population based training
    window: int = 1000  # last games of self-play that `joint` and `return` look at
    population: int = 4
    part: int = 100_000  # decisions between two looks at a member of a population
    interval: int = 4  # looks between two perturbations
    resample: float = 0.25  # how often a perturbed setting is drawn anew
    settings: Mapping[str, Any] = field(default_factory=dict)
    axes: tuple[Axis, ...] = ()
    published: Published | None = None

    @property
    def names(self) -> list[str]:
        return [axis.name for axis in self.axes]

    def grid(self) -> list[dict[str, Any]]:
        """Every setting of a grid."""
        for axis in self.axes:
            if not axis.values:
                raise MeepleError(f"A grid needs a list of values for {axis.name}, not from {axis.low:g} to {axis.high:g}.")
        return [dict(zip(self.names, point, strict=True)) for point in product(*(axis.values for axis in self.axes))]

    def full(self, point: Mapping[str, Any]) -> dict[str, Any]:
        """All settings of a point: the fixed ones, its own, and those that go with them."""
        tied = {name: point[axis.name] for axis in self.axes for name in axis.also if axis.name in point}
        return {**self.settings, **point, **tied}

    def fixed(self, given: Mapping[str, Any]) -> Space:
        """The same with some settings no longer searched for."""
        settings = {**self.settings, **given}
        return replace(self, settings=settings, axes=tuple(axis for axis in self.axes if axis.name not in given))


def shipped() -> dict[str, Path]:
    """Names of the spaces that come with Meeple, and their files."""
    folder = Path(str(files("meeple.lab.tuning") / "spaces"))
    return {path.stem: path for path in sorted(folder.glob("*.toml"))}


def read_space(name: str) -> Space:
    """By the name of a shipped one, or from a file."""
    known = shipped()
    path = known.get(name) or Path(name)
    if name not in known and not path.is_file():
        raise UnknownName("search space, nor a file", name, known)
    return parse_space(_load(path), path)


def _load(path: Path) -> dict[str, Any]:
    try:
        given = tomllib.loads(path.read_text())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise MeepleError(f"{path} cannot be read as TOML: {error}.") from None
    if "like" not in given:
        return given
    base = _load(shipped()[given["like"]]) if given["like"] in shipped() else None
    if base is None:
        raise UnknownName("search space", str(given["like"]), shipped())
    del given["like"]
    tables = {name: {**base.get(name, {}), **given.get(name, {})} for name in ("space", "settings")}
    return {**base, **given, **tables}


def parse_space(given: Mapping[str, Any], path: Path) -> Space:
    """Every key known and of its kind."""
    known = {f.name: f.default for f in fields(Space) if f.name not in ("name", "axes", "published", "settings")}
    made: dict[str, Any] = {"name": path.stem}
    for name, value in given.items():
        if name in ("space", "settings", "published"):
            continue
        if name not in known:
            raise UnknownName(f"key of {path}", name, [*known, "space", "settings", "published", "like"])
        made[name] = _plain(name, value, known[name], path)
    if made.get("method", "tpe") not in METHODS:
        raise UnknownName("method of tuning", str(made["method"]), METHODS)
    if made.get("metric") and made["metric"] not in METRICS:
        raise UnknownName("metric of tuning", str(made["metric"]), METRICS)
    axes = tuple(_axis(name, value, path) for name, value in _table(given, "space", path).items())
    if not axes:
        raise MeepleError(f"{path} searches for nothing: [space] is missing or empty.")
    return Space(**made, settings=_table(given, "settings", path), axes=axes, published=_published(given.get("published"), path))


def _table(given: Mapping[str, Any], name: str, path: Path) -> Mapping[str, Any]:
    value = given.get(name, {})
    if not isinstance(value, dict):
        raise MeepleError(f"{name} in {path} must be a table, [{name}], not {value!r}.")
    return value


def _plain(name: str, value: Any, default: Any, path: Path) -> Any:
    if isinstance(default, tuple):
        if isinstance(value, list) and all(isinstance(part, str) for part in value):
            return tuple(value)
        raise MeepleError(f"{name} in {path} must be a list of texts, not {value!r}.")
    wanted = (int, float) if isinstance(default, float) else type(default)
    if isinstance(value, bool) or not isinstance(value, wanted) or (not isinstance(value, str) and value < 0):
        what = {str: "a text", int: "a whole number, not negative"}.get(type(default), "a number, not negative")
        raise MeepleError(f"{name} in {path} must be {what}, not {value!r}.")
    return value


def _axis(name: str, value: Any, path: Path) -> Axis:
    wrong = MeepleError(
        f"{name} in [space] of {path} must be a list of values or {{low = …, high = …}} with low below high (above 0 with log), "
        f"not {value!r}."
    )
    if isinstance(value, list) and value:
        return Axis(name, tuple(tuple(part) if isinstance(part, list) else part for part in value))
    if not isinstance(value, dict) or not {"low", "high"} <= set(value) or set(value) - {"low", "high", "log", "whole", "also"}:
        if isinstance(value, dict) and value.get("values"):
            return Axis(name, tuple(value["values"]), also=tuple(value.get("also", ())))
        raise wrong
    try:
        made = Axis(
            name, **{**value, "low": float(value["low"]), "high": float(value["high"]), "also": tuple(value.get("also", ()))}
        )
    except (TypeError, ValueError):
        raise wrong from None
    if not (isfinite(made.low) and isfinite(made.high) and made.low < made.high) or (made.log and made.low <= 0):
        raise wrong
    return made


def _published(given: Any, path: Path) -> Published | None:
    if given is None:
        return None
    try:
        made = Published(given["figure"], tuple(given["axes"]), tuple(tuple(part) for part in given["grid"]), given["values"])
        for point in product(*made.grid):
            assert made.at(dict(zip(made.axes, point, strict=True))) is not None
    except (KeyError, TypeError, ValueError, IndexError, AssertionError):
        raise MeepleError(
            f"[published] in {path} must have a figure, axes, their grid, and values as deep as there are axes."
        ) from None
    return made

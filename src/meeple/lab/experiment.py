"""An experiment: a table or figure of a thesis as a TOML file, read and checked; docs/lab.md explains its keys.

A file has rows (what the thesis varies, and what it published) and measures (what is run for each row). Texts may name a column or
a word in braces, `variant = "lotr:{difficulty}"`; `{net cutajar-5.3/ppo}` is the file of a network that another experiment
trained.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from meeple.core.errors import MeepleError, UnknownName

FOLDER = Path(__file__).parent / "experiments"
THESES = {
    "cutajar": "Cutajar 2025, Jaipur: four learners and six techniques",
    "pelle": "Pellè 2023, Rake&Roll: REINFORCE and PerD3QN",
    "godlewski": "Godlewski 2022, The Lord of the Rings: tree search and learners by phase",
    "obrien": "O'Brien 2017, Jaipur: heuristics and expectiminimax",
    "simonsson": "Simonsson 2023, Splendor: deep Q-learning",
    "meeple": "what the theses could not do",
}
ROLES = ("published", "corrected", "explains", "control", "ours")
KEYS = {"title", "covers", "about", "then", "choices", "columns", "rows", "measure", "needs", "aliases", "fault", "artefact"} | {
    "within",
    "include",
    "sets",
    "words",
    "seeds",
    "asks",
}
PLAIN = ("title", "about", "then", "fault", "artefact", "within", "seeds", "asks")
MEASURE_KEYS = {"name", "kind", "role", "figure", "quick", "use", "set", "cost"}
BRACES = re.compile(r"\{([^{}]+)\}")


@dataclass(frozen=True)
class Measure:
    """What is run for every row."""

    name: str
    kind: str
    role: str  # as published, corrected, what explains the published figure, a control, or ours
    figure: str  # the one that stands in tables
    config: dict[str, Any]  # with braces
    quick: dict[str, Any]  # what a small budget has instead
    cost: float | str = 0.0  # seconds of a core for a thousand games or decisions, until one was measured; or a column that says it


@dataclass(frozen=True)
class Row:
    """What the thesis varied, and what it published."""

    label: str
    words: dict[str, Any]
    theirs: dict[str, float]  # figure -> published; "" is the figure of the measure
    theirs_ci: dict[str, float]  # half of its interval, where given


@dataclass(frozen=True)
class Experiment:
    """A file."""

    name: str
    thesis: str
    title: str
    covers: tuple[str, ...]  # numbered tables and figures
    about: str
    then: str  # hours it took, as published
    choices: tuple[tuple[str, str], ...]  # what had to be chosen, and why so
    rows: tuple[Row, ...]
    measures: tuple[Measure, ...]
    needs: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    fault: str = ""  # the fault of the thesis that this shows
    artefact: str = ""  # its short name
    within: float = 0.0  # how far off a published figure may be by itself: read off a plot, or "about"
    asks: str = ""  # where nothing was published: the question
    seeds: int = 3  # of a training
    words: dict[str, Any] = field(default_factory=dict)
    sets: dict[str, dict[str, Any]] = field(default_factory=dict)


@cache
def experiments() -> dict[str, Experiment]:
    """All of them by name, in the order of the theses."""
    found = {}
    for thesis in THESES:
        for path in sorted((FOLDER / thesis).glob("*.toml"), key=lambda path: natural(path.stem)):
            if not path.stem.startswith("_"):
                found[path.stem] = read_experiment(path, thesis)
    return found


def natural(text: str) -> tuple[Any, ...]:
    """So that 6.10 comes after 6.9."""
    return tuple((1, int(part)) if part.isdigit() else (0, part) for part in re.split(r"(\d+)", text))


def find_experiment(name: str) -> Experiment:
    """By its name, or by the name of a figure that it covers too."""
    known = experiments()
    if name in known:
        return known[name]
    for one in known.values():
        if name in one.aliases:
            return one
    raise UnknownName("experiment", name, known)


def read_experiment(path: Path, thesis: str) -> Experiment:
    try:
        given = tomllib.loads(path.read_text())
        if common := given.get("include"):
            shared = tomllib.loads((path.parent / common).read_text())
            for name in ("sets", "words"):
                given[name] = {**shared.get(name, {}), **given.get(name, {})}
    except (tomllib.TOMLDecodeError, OSError, UnicodeDecodeError) as error:
        raise MeepleError(f"{path} cannot be read as TOML: {error}.") from None
    for key in given:
        if key not in KEYS:
            raise UnknownName(f"key of {path}", key, KEYS)
    plain: dict[str, Any] = {key: given[key] for key in PLAIN if key in given}
    lists: dict[str, Any] = {key: tuple(given.get(key, ())) for key in ("covers", "needs", "aliases")}
    return Experiment(
        name=path.stem,
        thesis=thesis,
        choices=tuple((what, why) for what, why in given.get("choices", ())),
        rows=read_rows(given),
        measures=tuple(read_measure(one, path) for one in given["measure"]),
        words=given.get("words", {}),
        sets=given.get("sets", {}),
        **{"about": "", "then": "", **plain},
        **lists,
    )


def read_measure(given: dict[str, Any], path: Path) -> Measure:
    role = given.get("role", "published")
    if role not in ROLES:
        raise UnknownName(f"role of a measure in {path}", role, ROLES)
    config = {name: value for name, value in given.items() if name not in MEASURE_KEYS}
    config |= {name: given[name] for name in ("use", "set") if name in given}
    name = given.get("name", "as published" if role == "published" else role)
    return Measure(name, given["kind"], role, given["figure"], config, given.get("quick", {}), given.get("cost", 0.0))


def read_rows(given: Mapping[str, Any]) -> tuple[Row, ...]:
    """Columns that begin with `theirs` or `ci` are what was published, the others name the row."""
    columns = given.get("columns", [])
    found = []
    for values in given.get("rows", [[]]):
        cells = dict(zip(columns, values, strict=True))
        theirs: dict[str, float] = {}
        spreads: dict[str, float] = {}
        words: dict[str, Any] = {}
        for name, value in cells.items():
            kind, _, figure = name.partition(".")
            if kind in ("theirs", "ci"):
                if value != "":
                    (theirs if kind == "theirs" else spreads)[figure] = float(value)
            else:
                words[name] = value
        shown = [str(value) for name, value in words.items() if not name.startswith("_")]
        found.append(Row(words.get("_label", " ".join(shown)) or "all", words, theirs, spreads))
    return tuple(found)


class Words:
    """Fills braces."""

    def __init__(self, *tables: Mapping[str, Any], net: Any = None) -> None:
        self.table = {name: value for table in tables for name, value in table.items()}
        self.net = net  # (experiment/row, seed) -> a path

    def fill(self, value: Any) -> Any:
        """Words in braces inside texts, lists and tables; a text that is one word becomes what that word is."""
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, list):
            return [self.fill(each) for each in value]
        if isinstance(value, dict):
            return {name: self.fill(each) for name, each in value.items()}
        return value

    def _text(self, text: str) -> Any:
        if whole := BRACES.fullmatch(text):
            found = self._word(whole[1])
            return self.fill(found) if found != text else found
        filled = BRACES.sub(lambda match: str(self._word(match[1])), text)
        return self._text(filled) if filled != text else text

    def _word(self, name: str) -> Any:
        if name.startswith("net ") and self.net is not None:
            return self.net(name[4:])
        if name not in self.table:
            raise UnknownName("word in braces", name, self.table)
        return self.table[name]

"""Theirs beside ours: does it agree, is a fault shown, is it surpassed? Reckoned from the lines, never written down by hand."""

from __future__ import annotations

import json
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np

from meeple.core.intervals import student
from meeple.lab.experiment import Experiment, Measure, Row
from meeple.lab.lines import Line
from meeple.lab.play_kinds import Figure
from meeple.lab.trial import HERE, trials_of

REPRODUCED, CORRECTED, SURPASSED, DIFFERS, MEASURED, UNTOLD, OPEN = (
    "reproduced",
    "corrected",
    "surpassed",
    "differs",
    "measured",
    "too few seeds or games to tell",
    "not run yet",
)
T_TWO_SIDED = {2: 12.71, 3: 4.303, 4: 3.182, 5: 2.776}  # Student's quantiles for so many seeds
TELLING = 0.25  # of a figure: an interval that reaches further to each side agrees with nearly everything
SHARES = ("wins", "fair", "first_seat")  # figures in percent of games; of a training also wins against a named agent
TELLING_SHARE = 5.0  # points that the interval of a share may reach to each side; fewer near 0 and near 100
LEAST_SEEDS = 2  # of a training that several are asked of: one shows no spread


@dataclass(frozen=True)
class Cell:
    """One row by one measure: what was found, over all its seeds."""

    measure: Measure
    figures: dict[str, Figure]
    lines: tuple[Line, ...]
    seeds: int = 1  # that the experiment asks for

    @property
    def figure(self) -> Figure | None:
        return self.figures.get(self.measure.figure)

    @property
    def short(self) -> bool:
        """A network trained with the small budget, or with one seed where several are asked for: neither does it confirm anything,
        nor refute. Of games alone, intervals tell."""
        trained = self.measure.kind == "train"
        if trained and len(self.lines) < min(LEAST_SEEDS, self.seeds):
            return True
        return any(line["quick"] and (trained or HERE in json.dumps(line["config"])) for line in self.lines)

    @property
    def diverged(self) -> int:
        """How many of its runs."""
        return sum("diverged" in line["more"] for line in self.lines)


@dataclass(frozen=True)
class Compared:
    """A row with all its measures, and the verdict."""

    row: Row
    cells: tuple[Cell, ...]
    verdict: str
    surpassed: bool


def lines_of(one: Experiment, found: dict[str, Line], quick: bool) -> dict[tuple[str, str], list[Line]]:
    """(row, measure) -> its lines of the full budget, or of the small one."""
    wanted = {(trial.key, trial.row, trial.measure) for trial in trials_of(one, quick, 9)}
    sorted_lines: dict[tuple[str, str], list[Line]] = {}
    for line in found.values():
        if (line["key"], line["row"], line["measure"]) in wanted:
            sorted_lines.setdefault((line["row"], line["measure"]), []).append(line)
    return sorted_lines


def compare(one: Experiment, found: dict[str, Line]) -> tuple[list[Compared], bool]:
    """Every row; and whether any figure is of the small budget."""
    full, small = lines_of(one, found, False), lines_of(one, found, True)
    compared, quick = [], False
    for row in one.rows:
        cells = []
        for measure in one.measures:
            place = (row.label, measure.name)
            lines = full.get(place) or small.get(place) or []
            quick |= bool(lines) and place not in full
            cells.append(Cell(measure, together(lines), tuple(lines), one.seeds))
        compared.append(Compared(row, tuple(cells), verdict(one, row, cells), surpassed(row, cells, one.within)))
    return compared, quick


def together(lines: list[Line]) -> dict[str, Figure]:
    """Figures of several seeds as one: the mean, with Student's interval over the seeds."""
    lines = [line for line in lines if line["figures"]]
    if len(lines) < 2:
        return {name: Figure(*values) for line in lines for name, values in line["figures"].items()}
    found = {}
    for name in lines[0]["figures"]:
        values = np.array([line["figures"][name][0] for line in lines if name in line["figures"]])
        half = seed_quantile(len(values)) * values.std(ddof=1) / sqrt(len(values)) if len(values) > 1 else 0.0
        found[name] = Figure(float(values.mean()), float(values.mean() - half), float(values.mean() + half))
    return found


def seed_quantile(seeds: int) -> float:
    """How many standard errors the interval of so many seeds reaches to either side."""
    return T_TWO_SIDED.get(seeds) or student(seeds)


def published(row: Row, name: str) -> tuple[float, float] | None:
    """Theirs for a figure, with half its interval."""
    for key in ("", name):
        if key in row.theirs:
            return row.theirs[key], row.theirs_ci.get(key, 0.0)
    return None


def half_of(figure: Figure) -> float:
    """How far its interval reaches."""
    return 0.0 if figure.low is None or figure.high is None else max(figure.high - figure.value, figure.value - figure.low)


def agrees(figure: Figure, theirs: tuple[float, float], within: float) -> bool:
    """Does the 95% interval of the difference contain 0, give or take what the published figure may be off by?"""
    return abs(figure.value - theirs[0]) <= sqrt(theirs[1] ** 2 + half_of(figure) ** 2) + within


def apart(one: Figure, other: Figure) -> bool:
    """Does the interval of their difference leave out 0?"""
    return abs(one.value - other.value) > sqrt(half_of(one) ** 2 + half_of(other) ** 2)


def is_share(measure: Measure) -> bool:
    return measure.figure in SHARES or measure.figure in measure.config.get("against", [])


def tells(figure: Figure, theirs: tuple[float, float], within: float, share: bool) -> bool:
    """Is its interval short enough that it might have disagreed?"""
    enough = TELLING * max(abs(figure.value), abs(theirs[0]))
    if share:
        enough = min(TELLING_SHARE, 1 + min(figure.value, 100 - figure.value) / 2)
    return half_of(figure) <= max(enough, theirs[1] + within)


def verdict(one: Experiment, row: Row, cells: list[Cell]) -> str:
    """Of the measure that does as was published: with a fault that is shown it is corrected, if the figure is reproduced with the
    fault and is another without it (than theirs, and than ours with the fault), or if what explains the published figure, such as
    the best of many tries, gives it."""
    there = [cell for cell in cells if cell.lines]
    if not there or not any(cell.lines for cell in cells if cell.measure.role == cells[0].measure.role):
        return OPEN
    asked = [(cell, published(row, cell.measure.figure)) for cell in there if cell.measure.role == "published"]
    if any(theirs and cell.short for cell, theirs in asked):
        return UNTOLD
    known = [(cell, cell.figure, theirs) for cell, theirs in asked if theirs and cell.figure]
    if not known:
        diverged = any(theirs for _, theirs in asked)
        return DIFFERS if diverged else SURPASSED if surpassed(row, cells, one.within) else MEASURED
    close = [(cell, figure, theirs) for cell, figure, theirs in known if agrees(figure, theirs, one.within)]
    if not close:
        return CORRECTED if one.fault and any(beside(one, row, there, "explains")) else DIFFERS
    telling = [figure for cell, figure, theirs in close if tells(figure, theirs, one.within, is_share(cell.measure))]
    if not telling:
        return UNTOLD
    return CORRECTED if one.fault and shown(one, row, there, telling) else REPRODUCED


def of_role(row: Row, cells: list[Cell], role: str) -> list[tuple[Figure, tuple[float, float]]]:
    """What the measures of a role found that were run in full, beside what was published."""
    asked = [(cell.figure, published(row, cell.measure.figure)) for cell in cells if cell.measure.role == role and not cell.short]
    return [(figure, theirs) for figure, theirs in asked if figure and theirs]


def beside(one: Experiment, row: Row, cells: list[Cell], role: str) -> list[bool]:
    """Does each of them agree with the published figure?"""
    return [agrees(figure, theirs, one.within) for figure, theirs in of_role(row, cells, role)]


def shown(one: Experiment, row: Row, cells: list[Cell], faulty: list[Figure]) -> bool:
    """Does the figure become another without the fault?"""
    without = of_role(row, cells, "corrected")
    return any(
        not agrees(figure, theirs, one.within) and all(apart(figure, other) for other in faulty) for figure, theirs in without
    )


def surpassed(row: Row, cells: list[Cell], within: float = 0.0) -> bool:
    """Is one of ours, by its whole interval, above all that was published?"""
    for cell in cells:
        theirs = published(row, cell.measure.figure)
        if cell.measure.role in ("ours", "corrected") and theirs and cell.figure and not cell.short:
            low = cell.figure.low
            if low is not None and low > theirs[0] + theirs[1] + within:
                return True
    return False


def summary(compared: list[Compared]) -> dict[str, Any]:
    """How many rows have which verdict."""
    counts: dict[str, int] = {}
    for each in compared:
        counts[each.verdict] = counts.get(each.verdict, 0) + 1
    return {"rows": len(compared), "counts": counts, "surpassed": sum(each.surpassed for each in compared)}


def in_words(compared: list[Compared]) -> str:
    """`reproduced 18 of 21, differs 3; surpassed 21`."""
    found = summary(compared)
    parts = [f"{name} {n}" if len(found["counts"]) > 1 else name for name, n in found["counts"].items()]
    text = ", ".join(parts)
    return f"{text}; surpassed {found['surpassed']} of {found['rows']}" if found["surpassed"] else text


# ---- As words ----


def told(one: Experiment, found: dict[str, Line]) -> dict[str, Any]:
    """An experiment for people and programs: theirs, ours, verdicts."""
    compared, quick = compare(one, found)
    rows = [
        {
            "row": each.row.label,
            "theirs": theirs_in_words(each.row),
            "ours": [cell_in_words(cell) for cell in each.cells],
            "verdict": each.verdict + (" and surpassed" if each.surpassed and each.verdict != SURPASSED else ""),
        }
        for each in compared
    ]
    return {"experiment": one.name, "title": one.title, "quick": quick, "rows": rows, "verdict": in_words(compared)}


def theirs_in_words(row: Row) -> str:
    """Their figures, with intervals where they gave them."""
    parts = []
    for name, value in row.theirs.items():
        half = f" ± {row.theirs_ci[name]:g}" if name in row.theirs_ci else ""
        parts.append(f"{name + ' ' if name else ''}{value:g}{half}")
    return ", ".join(parts)


def cell_in_words(cell: Cell) -> str:
    if cell.diverged and not cell.figures:
        return "diverged"
    if cell.figure is None:
        return ""
    value, low, high = cell.figure
    lost = f"; {cell.diverged} of {len(cell.lines)} diverged" if cell.diverged else ""
    return f"{value:.4g}" + (f" ({low:.4g} to {high:.4g})" if low is not None and high is not None else "") + lost

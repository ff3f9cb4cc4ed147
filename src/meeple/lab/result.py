"""An experiment with everything that was found: what the report and its summary are made from."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from meeple.lab import lines, verdicts
from meeple.lab.experiment import Experiment, experiments
from meeple.lab.lines import Line
from meeple.lab.verdicts import Compared

SMALL = "small budget"


@dataclass(frozen=True)
class Result:
    """An experiment with everything that was found."""

    one: Experiment
    rows: list[Compared]
    quick: bool
    lines: list[Line]

    @property
    def minutes(self) -> float:
        return minutes_of(self.lines)

    @property
    def words(self) -> str:
        return verdicts.in_words(self.rows)


def minutes_of(those: list[Line]) -> float:
    """A run that stands under several names was made once."""
    return float(sum(line["cpu_seconds"] for line in {line["key"]: line for line in those}.values())) / 60


def read(folder: Path) -> list[Result]:
    """All experiments, run or not."""
    there = lines.read_lines(folder)
    found = []
    for one in experiments().values():
        mine = there.get(one.name, {})
        rows, quick = verdicts.compare(one, mine)
        found.append(Result(one, rows, quick, [line for each in rows for cell in each.cells for line in cell.lines]))
    return found


def counts(results: list[Result]) -> dict[str, int]:
    """Rows by verdict; and of how many a figure of ours is better by its whole interval."""
    found: dict[str, int] = {}
    for result in results:
        for each in result.rows:
            found[each.verdict] = found.get(each.verdict, 0) + 1
    found["surpassed"] = sum(each.surpassed for result in results for each in result.rows)
    return found

"""The report in short, as a table of Markdown between two marks of a page."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from meeple.core.errors import MeepleError
from meeple.core.record import write_atomically
from meeple.lab import verdicts
from meeple.lab.experiment import THESES
from meeple.lab.ledger import in_short
from meeple.lab.result import SMALL, Result, read

BEGIN, END = "<!-- lab: made by meeple lab report -->", "<!-- lab: end -->"
COLUMNS = ("experiment", "makes again", "theirs (row)", "ours", "verdict of all rows", "then", "minutes now")


def write(folder: Path, page: Path) -> None:
    """Put the table between the marks of a page; whatever else it says stays."""
    try:
        before, found, rest = page.read_text().partition(BEGIN)
        _, ended, after = rest.partition(END)
    except (OSError, UnicodeDecodeError) as error:
        raise MeepleError(f"{page} cannot be read: {getattr(error, 'strerror', None) or error}.") from None
    if not found or not ended:
        raise MeepleError(f"{page} has no place for the summary: a line '{BEGIN}' and below it a line '{END}'.")
    results = read(folder)
    write_atomically(page, f"{before}{BEGIN}\n{in_all(results)}\n\n{table(results)}\n{END}{after}")


def in_all(results: list[Result]) -> str:
    """How much was run, and what came of its rows."""
    there = [result for result in results if result.lines]
    small = sum(result.quick for result in there)
    rows = Counter(each.verdict for result in there for each in result.rows)
    surpassed = sum(each.surpassed for result in there for each in result.rows)
    told = ", ".join(f"{name} {n}" for name, n in rows.most_common())
    return (
        f"{len(there)} of {len(results)} experiments have been run, {small} of them with the small budget alone or in part. "
        f"Of their {rows.total()} rows: {told}. In {surpassed} rows a figure of ours is better by its whole interval."
    )


def table(results: list[Result]) -> str:
    lines = [f"| {' | '.join(COLUMNS)} |", f"|{'---|' * len(COLUMNS)}"]
    for thesis in THESES:
        lines += [row(result) for result in results if result.one.thesis == thesis]
    return "\n".join(lines)


def row(result: Result) -> str:
    one, (theirs, ours) = result.one, example(result)
    verdict = result.words + (f" ({SMALL})" if result.quick else "")
    minutes = f"{result.minutes:.1f}" if result.lines else ""
    cells = (one.name, in_short(list(one.covers)), theirs, ours, verdict, one.then, minutes)
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"


def example(result: Result) -> tuple[str, str]:
    """The first row that has both; else the first that was run."""
    for each in result.rows:
        cell = each.cells[0]
        theirs = verdicts.published(each.row, cell.measure.figure)
        if theirs and cell.figure:
            half = f" ± {theirs[1]:g}" if theirs[1] else ""
            return f"{theirs[0]:g}{half} ({each.row.label})", verdicts.cell_in_words(cell)
    for each in result.rows:
        for cell in each.cells:
            if cell.figure:
                return "", f"{each.row.label}, {cell.measure.name}: {verdicts.cell_in_words(cell)}"
    return "", ""

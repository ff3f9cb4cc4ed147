"""The report: one page of HTML with all results, made from the lines alone; nothing in it is loaded from elsewhere."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

from meeple.core.record import write_atomically
from meeple.lab import verdicts
from meeple.lab.experiment import THESES
from meeple.lab.ledger import grouped, in_short, ledger
from meeple.lab.markup import number, table
from meeple.lab.result import SMALL, Result, counts, minutes_of, read
from meeple.lab.section import section

STYLE = Path(__file__).parent / "report.css"
ROLES = {
    "published": "as published",
    "control": "control: one thing changed",
    "corrected": "corrected",
    "explains": "what explains it",
    "ours": "this project's",
}
TILES = {
    "reproduced": "rows reproduced",
    "corrected": "rows corrected",
    "differs": "rows that differ",
    "surpassed": "rows surpassed",
}


def write(folder: Path, out: Path) -> dict[str, Any]:
    """The page; returns what it holds."""
    results = read(folder)
    body = [head(results), ledger_table(results), artefacts(results)]
    for thesis, name in THESES.items():
        body.append(f'<h2 id="{thesis}">{escape(name)}</h2>')
        body += [section(result) for result in results if result.one.thesis == thesis]
    style = STYLE.read_text()
    page = (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Five theses, made again</title><style>{style}</style></head><body><main>{''.join(body)}</main></body></html>\n"
    )
    write_atomically(out, page)
    return {
        "file": str(out),
        "experiments": len(results),
        "run": sum(bool(result.lines) for result in results),
        "lines": sum(len(result.lines) for result in results),
        "items": len(ledger()),
        "quick": any(result.quick for result in results),
        "bytes": len(page.encode()),
        "verdicts": counts(results),
    }


def head(results: list[Result]) -> str:
    found = counts(results)
    made = [line for result in results for line in result.lines]
    tiles = [
        (f"{len(ledger())}", "tables and figures in the ledger"),
        (f"{sum(bool(r.lines) for r in results)} of {len(results)}", "experiments run"),
        (f"{len({line['key'] for line in made}):,}", "runs"),
        (f"{minutes_of(made):,.0f} min", "of one core"),
        *((str(found.get(name, 0)), words) for name, words in TILES.items()),
    ]
    shown = "".join(f"<div class=tile><b>{value}</b>{escape(name)}</div>" for value, name in tiles)
    links = "".join(f'<a href="#{name}">{escape(words.partition(",")[0])}</a>' for name, words in THESES.items())
    small = sum(result.quick for result in results)
    banner = (
        f"<p class=banner><b>{small} experiments have figures of the small budget</b> (<code>--quick</code>, marked): they show "
        "that everything runs and where it leads. The full budget takes their place as it is run.</p>"
        if small
        else ""
    )
    key = "".join(f"<span class={role}><i></i>{escape(words)}</span>" for role, words in {"theirs": "published", **ROLES}.items())
    return (
        "<h1>Five theses, made again</h1><p>Every numbered table and result figure of five theses on AI for modern tabletop games: "
        "their figure, ours with its 95% interval, and a verdict. All of it is made by <code>meeple lab run --all</code>; each "
        "line below names the command that makes it alone.</p>"
        f"<nav><a href=#ledger>Ledger</a><a href=#artefacts>Artefacts</a>{links}</nav><div class=tiles>{shown}</div>{banner}"
        "<p><b>Verdicts.</b> <i>Reproduced</i>: the 95% interval of the difference contains zero, give or take what the experiment "
        "says that a published figure may be off by. <i>Corrected</i>: with a "
        "fault of the original it does, and without the fault it does not; or what explains the published figure gives it. "
        "<i>Differs</i>: it does not, and no fault explains it. "
        "<i>Surpassed</i>: a "
        "figure of this project is better by its whole interval. <i>Measured</i>: nothing was published to compare with. A "
        "training with the small budget tells nothing of these.</p>"
        f"<p class=key>{key}</p>"
    )


def ledger_table(results: list[Result]) -> str:
    by_name = {result.one.name: result for result in results}
    columns = ("table or figure", "experiment", "theirs, first row", "ours", "verdict", "time then", "minutes now")
    parts = ["<h2 id=ledger>Ledger</h2>"]
    for thesis, name in THESES.items():
        rows = [
            _ledger_row(names, by_name.get(made), reason) for whose, names, made, reason in grouped(ledger()) if whose == thesis
        ]
        if rows:
            parts.append(f"<h3>{escape(name)}</h3>{table(columns, rows, right=(6,))}")
    return "".join(parts)


def _ledger_row(names: list[str], result: Result | None, reason: str) -> list[str]:
    if result is None:
        return [escape(in_short(names)), "<span class=soft>not made</span>", f"<span class=soft>{escape(reason)}</span>"]
    theirs, ours = example(result)
    verdict = escape(result.words) + (f" <span class=soft>({SMALL})</span>" if result.quick else "")
    minutes = f"{result.minutes:.1f}" if result.lines else ""
    link = f'<a href="#{result.one.name}">{result.one.name}</a>'
    return [escape(in_short(names)), link, theirs, ours, verdict, escape(result.one.then), minutes]


def example(result: Result) -> tuple[str, str]:
    """The first row that has both."""
    for each in result.rows:
        cell = each.cells[0]
        theirs = verdicts.published(each.row, cell.measure.figure)
        if theirs and cell.figure:
            half = f" ± {theirs[1]:g}" if theirs[1] else ""
            return f"{escape(each.row.label)}: {theirs[0]:g}{half}", number(cell.figure)
    first = result.rows[0]
    return "", f"{escape(first.row.label)}: {number(first.cells[0].figure)}" if first.cells[0].figure else ""


def artefacts(results: list[Result]) -> str:
    """Each known fault with its control."""
    rows = []
    for result in results:
        if not result.one.artefact:
            continue
        for each in result.rows:
            told = [f"{escape(cell.measure.name)}: {number(cell.figure)}" for cell in each.cells if cell.figure]
            if told:
                link = f'<a href="#{result.one.name}">{result.one.name}</a>'
                small = f" <span class=soft>({SMALL})</span>" if result.quick else ""
                fault = f"<b>{escape(result.one.artefact)}</b><br><span class=soft>{escape(result.one.fault)}</span>"
                rows.append([fault, link + small, escape(each.row.label), "<br>".join(told)])
                break
    return (
        "<h2 id=artefacts>Artefacts and their controls</h2><p>Figures that an error of the original made, each beside the same "
        "thing without it: one row of each experiment.</p>" + table(("artefact", "experiment", "row", "with it and without"), rows)
    )

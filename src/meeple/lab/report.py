"""The report: one page of HTML with all results, made from the lines alone; nothing in it is loaded from elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from meeple.core.record import write_atomically
from meeple.lab import lines, svg, verdicts
from meeple.lab.experiment import THESES, Experiment, experiments
from meeple.lab.ledger import grouped, in_short, ledger
from meeple.lab.lines import Line
from meeple.lab.play_kinds import Figure
from meeple.lab.verdicts import Cell, Compared

STYLE = Path(__file__).parent / "report.css"
ROLES = {
    "published": "as published",
    "control": "control: one thing changed",
    "corrected": "corrected",
    "explains": "what explains it",
    "ours": "this project's",
}
SMALL = "small budget"
FEW = 2  # points that make no curve
BOX = "_box"  # column of an experiment: least, quartiles and most of a published box plot
RATED = {"elo": "Elo, mean 0", "win_rate": "games won, %", "score": "points"}
TILES = {
    "reproduced": "rows reproduced",
    "corrected": "rows corrected",
    "differs": "rows that differ",
    "surpassed": "rows surpassed",
}


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


# ---- Words ----


def chip(verdict: str) -> str:
    style = {verdicts.OPEN: "open", verdicts.UNTOLD: "open"}.get(verdict, verdict)
    return f'<span class="chip {style}">{escape(verdict)}</span>'


def chips(each: Compared) -> str:
    extra = f" {chip(verdicts.SURPASSED)}" if each.surpassed and each.verdict != verdicts.SURPASSED else ""
    return chip(each.verdict) + extra


def number(figure: Figure | None) -> str:
    if figure is None:
        return ""
    value, low, high = figure
    interval = f" <span class=soft>({_short(low)} to {_short(high)})</span>" if low is not None and high is not None else ""
    return f"{_short(value)}{interval}"


def _short(x: float) -> str:
    return f"{x:,.0f}" if abs(x) >= 1000 else f"{x:.1f}" if abs(x) >= 10 else f"{x:.2f}"


def table(columns: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> str:
    """A row that is too short has its last cell as wide as what is missing."""
    heads = "".join(f"<th{' class=n' if i in right else ''}>{escape(name)}</th>" for i, name in enumerate(columns))
    body = []
    for row in rows:
        cells = [f"<td{' class=n' if i in right else ''}>{cell}</td>" for i, cell in enumerate(row)]
        if len(row) < len(columns):
            cells[-1] = f"<td colspan={len(columns) - len(row) + 1}>{row[-1]}</td>"
        body.append(f"<tr>{''.join(cells)}</tr>")
    return f"<div class=wide><table><thead><tr>{heads}</tr></thead><tbody>{''.join(body)}</tbody></table></div>"


def counts(results: list[Result]) -> dict[str, int]:
    """Rows by verdict; and of how many a figure of ours is better by its whole interval."""
    found: dict[str, int] = {}
    for result in results:
        for each in result.rows:
            found[each.verdict] = found.get(each.verdict, 0) + 1
    found["surpassed"] = sum(each.surpassed for result in results for each in result.rows)
    return found


# ---- The top of the page ----


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


# ---- One experiment ----


def section(result: Result) -> str:
    one = result.one
    parts = [f'<h3 id="{one.name}">{escape(one.title)} <span class=meta>{one.name}</span></h3>']
    time = f"{result.minutes:.1f} minutes of one core" if result.lines else "not run yet"
    covers = in_short(list(one.covers)) if one.covers else "nothing numbered"
    parts.append(
        f"<p class=meta>{escape(covers)} · then: {escape(one.then)} · now: {time}{f' · {SMALL}' if result.quick else ''}</p>"
    )
    parts.append(f"<p>{escape(one.about)}</p>" if one.about else "")
    parts.append(f"<p class=fault><b>Fault:</b> {escape(one.fault)}.</p>" if one.fault else "")
    parts.append(f"<p><b>{escape(one.asks)}</b></p>" if one.asks else "")
    parts.append(f"<p class=meta>A published figure may be off by {one.within:g} here.</p>" if one.within else "")
    if result.lines:
        parts += [results_table(result), *plots(result)]
    parts.append(details(result))
    return "".join(parts)


def results_table(result: Result) -> str:
    if result.one.measures[0].kind == "tournament":
        return ""
    measures = result.one.measures
    heads = [f"{measure.name}, {measure.figure}" for measure in measures]
    rows = []
    for each in result.rows:
        cells = [cell_text(cell) for cell in each.cells]
        rows.append([escape(each.row.label), escape(verdicts.theirs_in_words(each.row)), *cells, chips(each)])
    return table(("row", "theirs", *heads, "verdict"), rows, right=range(1, 2 + len(heads)))


def cell_text(cell: Cell) -> str:
    if not cell.lines:
        return ""
    if cell.diverged and not cell.figures:
        return "diverged"
    label = " <span class=soft>clairvoyant</span>" if any(line["clairvoyant"] for line in cell.lines) else ""
    seeds = [line["figures"][cell.measure.figure][0] for line in cell.lines if cell.measure.figure in line["figures"]]
    spread = f"<br><span class=soft>seeds {', '.join(_short(x) for x in seeds)}</span>" if len(seeds) > 1 else ""
    return number(cell.figure) + label + spread + beside(cell)


def beside(cell: Cell) -> str:
    """What else a trained network was measured by: wins against others, in percent."""
    against = cell.measure.config.get("against", [])
    told = [
        f"{spec} {_short(cell.figures[spec].value)}" for spec in against if spec in cell.figures and spec != cell.measure.figure
    ]
    return f"<br><span class=soft>wins against {', '.join(map(escape, told))}</span>" if told else ""


def plots(result: Result) -> list[str]:
    """What suits what was measured."""
    kind = result.one.measures[0].kind
    found = [ratings(result)] if kind == "tournament" else [heats(result)] if kind == "grid" else [comparison(result)]
    if kind == "train":
        found += [learning(result), paid_while_learning(result), score_boxes(result)]
    elif kind == "style":
        found = [style_tables(result)]
    elif any(BOX in each.row.words for each in result.rows):
        found.append(boxes_beside(result))
    return [f"<figure>{picture}</figure>" for picture in found if picture]


def mark(style: str, figure: Figure, told: str) -> svg.Mark:
    low, high = (x if x is not None else figure.value for x in (figure.low, figure.high))
    return svg.Mark(style, figure.value, low, high, f"{told}: {figure.value:.4g} ({low:.4g} to {high:.4g})")


def comparison(result: Result) -> str:
    """Rows whose measures have the same figure, with theirs; other figures stand in the table."""
    name = result.one.measures[0].figure
    rows = []
    for each in result.rows:
        theirs = verdicts.published(each.row, name)
        marks = [mark("theirs", Figure(theirs[0], theirs[0] - theirs[1], theirs[0] + theirs[1]), "published")] if theirs else []
        marks += [
            mark(cell.measure.role, cell.figure, cell.measure.name)
            for cell in each.cells
            if cell.figure and cell.measure.figure == name
        ]
        if marks:
            rows.append((each.row.label, marks))
    return svg.intervals(rows, name)


def learning(result: Result) -> str:
    """How good the networks of the first seed were while they learnt."""
    curves = []
    for each in result.rows:
        cell = each.cells[0]
        for line in cell.lines[:1]:
            measured = line["more"].get("curve", {})
            name = next((name for name in measured if name != "return"), "")
            if len(measured.get(name, [])) > FEW:
                curves.append((f"{each.row.label} ({name})", measured[name]))
    return svg.curves(curves[:12], "share of wins, or points") if curves else ""


def paid_while_learning(result: Result) -> str:
    """Points of both seats of the first seed, where there is a policy a seat."""
    curves = []
    for each in result.rows:
        for line in each.cells[0].lines[:1]:
            measured = line["more"].get("curve", {})
            curves += [(f"{each.row.label}, {seat}", measured[seat]) for seat in ("P1", "P2") if len(measured.get(seat, [])) > FEW]
    return svg.curves(curves[:12], "points a game while it learns") if curves else ""


def style_tables(result: Result) -> str:
    """What two agents do, side by side."""
    found = []
    for each in result.rows:
        for line in each.cells[0].lines[:1]:
            styles = line["more"]["styles"]
            names = {name: None for style in styles.values() for name in style}
            rows = [[escape(name), *(style_cell(style.get(name)) for style in styles.values())] for name in names]
            found.append(table((each.row.label, *styles), rows, right=range(1, 1 + len(styles))))
    return "".join(found)


def style_cell(told: list[float] | None) -> str:
    """A mean with its interval; what never happened is 0."""
    return number(Figure(*told)) if told else "0"


def score_boxes(result: Result) -> str:
    rows = []
    for each in result.rows:
        for cell in each.cells[:1]:
            for line in cell.lines[:1]:
                for seat, spread in enumerate(line["more"].get("scores", [])):
                    rows.append((f"{each.row.label}, seat {seat + 1}", spread))
    return svg.boxes(rows, "points in games of the network with itself") if rows else ""


def boxes_beside(result: Result) -> str:
    """The published box of scores and ours, one below the other."""
    rows = []
    for each in result.rows:
        if BOX in each.row.words:
            rows.append((f"{each.row.label}, published", each.row.words[BOX]))
        for cell in each.cells:
            for line in cell.lines[:1]:
                if "quantiles" in line["more"]:
                    rows.append((f"{each.row.label}, {cell.measure.name}", list(line["more"]["quantiles"].values())))
    return svg.boxes(rows, "points; boxes: middle half and median; whiskers: ours from 5% to 95%, published as drawn")


def heats(result: Result) -> str:
    """Theirs beside ours, slice by slice."""
    found = []
    for each in result.rows:
        for line in each.cells[0].lines[:1]:
            axes = list(line["more"]["axes"].values())
            ours = [line["more"]["values"][i : i + len(axes[1])] for i in range(0, len(line["more"]["values"]), len(axes[1]))]
            theirs = each.row.words["_grid"]
            both = [value for grid in (ours, theirs) for row in grid for value in row]
            low, high = min(both), max(both)
            name = f"{next(iter(each.row.words))} = {each.row.label}"
            pair = (
                svg.heat(theirs, axes[0], axes[1], low, high, f"{name}, theirs"),
                svg.heat(ours, axes[0], axes[1], low, high, f"{name}, ours"),
            )
            found.append("".join(pair))
    return "<br>".join(found)


def ratings(result: Result) -> str:
    found = [line for each in result.rows for line in each.cells[0].lines]
    if not found:
        return ""
    measured = found[0]["more"]["measure"]
    scale = 100 if measured == "win_rate" else 1
    figures = {name: Figure(*(scale * x for x in values)) for name, values in found[0]["figures"].items()}
    order = sorted(figures, key=lambda name: -figures[name].value)
    styles = {
        name: "published" if name[0].isdigit() else "control" if name.startswith(("basic", "advanced")) else "ours"
        for name in order
    }
    rows = [(name, [mark(styles[name], figures[name], name)]) for name in order]
    note = "<p class=soft>Blue: learners of 2025 (by table); violet: players of 2017; red: ours.</p>"
    return svg.intervals(rows, RATED[measured]) + (note if "published" in styles.values() else "")


def details(result: Result) -> str:
    choices = "".join(f"<li>{escape(what)} <span class=soft>({escape(why)})</span></li>" for what, why in result.one.choices)
    chosen = f"<details><summary>What had to be chosen</summary><ul>{choices}</ul></details>" if choices else ""
    commands = dict.fromkeys(line["command"] or line["lab"] for line in result.lines)
    told = escape("\n".join([f"meeple lab run {result.one.name}", *list(commands)[:8]]))
    rest = f"\n… {len(commands) - 8} more in the JSON lines" if len(commands) > 8 else ""
    return f"{chosen}<details><summary>Commands</summary><pre>{told}{rest}</pre></details>"

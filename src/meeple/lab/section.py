"""One experiment in the report: its table, what was chosen, and the plots that suit what was measured."""

from __future__ import annotations

from html import escape
from typing import Any

from meeple.lab import svg, verdicts
from meeple.lab.ledger import in_short
from meeple.lab.markup import chips, number, short, table
from meeple.lab.play_kinds import Figure
from meeple.lab.result import SMALL, Result
from meeple.lab.style_kind import REACHED
from meeple.lab.verdicts import Cell

FEW = 2  # points that make no curve
BOX = "_box"  # column of an experiment: least, quartiles and most of a published box plot
RATED = {"elo": "Elo, mean 0", "win_rate": "games won, %", "score": "points"}


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
    spread = f"<br><span class=soft>seeds {', '.join(short(x) for x in seeds)}</span>" if len(seeds) > 1 else ""
    return number(cell.figure) + label + spread + beside(cell)


def beside(cell: Cell) -> str:
    """What else a trained network was measured by: wins against others, in percent."""
    against = cell.measure.config.get("against", [])
    told = [f"{spec} {short(cell.figures[spec].value)}" for spec in against if spec in cell.figures and spec != cell.measure.figure]
    return f"<br><span class=soft>wins against {', '.join(map(escape, told))}</span>" if told else ""


def plots(result: Result) -> list[str]:
    """What suits what was measured."""
    kind = result.one.measures[0].kind
    found = [ratings(result)] if kind == "tournament" else [heats(result)] if kind == "grid" else [comparison(result)]
    if kind == "train":
        found += [learning(result), paid_while_learning(result), score_boxes(result)]
    elif kind == "style":
        found = [style_tables(result)]
    elif kind in ("study", "search-2022"):
        found.append(lengths(result))
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


def lengths(result: Result) -> str:
    """How long games lasted: the share of games by rounds."""
    drawn = []
    for each in result.rows:
        for line in each.cells[0].lines[:1]:
            counts = rounds_of(line["more"].get("lengths", {}))
            games = sum(counts.values())
            if len(counts) > FEW:
                drawn.append((each.row.label, [[rounds, 100 * counts[rounds] / games] for rounds in sorted(counts)]))
    return svg.curves(drawn[:12], "percent of games by their rounds") if drawn else ""


def rounds_of(told: dict[str, Any]) -> dict[int, int]:
    """Rounds -> games; a study tells them apart by how games ended."""
    found: dict[int, int] = {}
    for counts in told.values() if any(isinstance(counts, dict) for counts in told.values()) else [told]:
        for rounds, games in counts.items():
            found[int(rounds)] = found.get(int(rounds), 0) + games
    return found


def style_tables(result: Result) -> str:
    """What two agents do, side by side."""
    found = []
    for each in result.rows:
        for line in each.cells[0].lines[:1]:
            styles = line["more"]["styles"]
            names = {name: None for style in styles.values() for name in style}
            rows = [[escape(name), *(style_cell(name, style.get(name)) for style in styles.values())] for name in names]
            found.append(table((each.row.label, *styles), rows, right=range(1, 1 + len(styles))))
    return "".join(found)


def style_cell(name: str, told: list[float] | None) -> str:
    """A mean with its interval; what never happened is 0, and points at a turn that is not told are nothing."""
    return number(Figure(*told)) if told else "" if name.startswith(REACHED) else "0"


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

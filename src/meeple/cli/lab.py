"""`meeple lab`: the tables and figures of five theses, each made again by one command."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from meeple.cli.interrupt import resumable
from meeple.cli.options import Json, Processes, cores, counted, written
from meeple.cli.show import console, errors, print_json, progress, table
from meeple.core.errors import MeepleError, UnknownName
from meeple.lab import lines, runner, verdicts
from meeple.lab.experiment import THESES, Experiment, experiments, find_experiment
from meeple.lab.trial import trials_of

WHAT = ("list", "show", "run", "report")
QUICK = "a small budget: it shows that everything runs and about where it leads, not the figures to quote"


def a_folder(param: typer.CallbackParam, value: Path) -> Path:
    """One that is there, or can be made."""
    try:
        if value.exists() and not value.is_dir():
            raise MeepleError(f"{param.opts[-1]} {value} is no folder; name one, or a place for a new one.")
    except (OSError, ValueError) as error:
        raise MeepleError(f"{param.opts[-1]} {value} cannot be used: {getattr(error, 'strerror', None) or error}.") from None
    return value


def lab(
    what: Annotated[str, typer.Argument(help="list, show NAME, run NAME…, or report.")],
    names: Annotated[list[str] | None, typer.Argument(help="Experiments, such as godlewski-3.2.", show_default=False)] = None,
    everything: Annotated[bool, typer.Option("--all", help="All experiments.")] = False,
    quick: Annotated[bool, typer.Option("--quick", help=f"With {QUICK}.")] = False,
    seeds: Annotated[int, counted("Seeds of every training; 0: as the experiment says, or 1 with --quick.", least=0, most=9)] = 0,
    rows: Annotated[str, typer.Option(help="With run: only rows that have this in their name.", show_default=False)] = "",
    again: Annotated[bool, typer.Option("--again", help="Run what is finished once more.")] = False,
    folder: Annotated[Path, typer.Option("--folder", help="Where results and networks are kept.", callback=a_folder)] = Path("lab"),
    out: Annotated[Path | None, written("The report's file; default: report.html in the folder.")] = None,
    summary: Annotated[
        Path | None, typer.Option(help="With report: a Markdown page between whose marks the summary is put.", show_default=False)
    ] = None,
    processes: Processes = 0,
    as_json: Json = False,
) -> None:
    """Make the tables and figures of five theses again: each is an experiment with their figure, ours and a verdict."""
    if what not in WHAT:
        raise UnknownName("thing that the lab does", what, WHAT)
    if names and everything:
        raise MeepleError("--all means every experiment; leave the names away, or --all.")
    if what == "list":
        show_list(chosen(names or []), folder, quick, as_json)
    elif what == "show":
        show_experiments(chosen(needed(names, everything, what)), folder, as_json)
    elif what == "run":
        those = with_rows(chosen(needed(names, everything, what)), rows)
        run(those, folder, quick, seeds, again, cores(processes), as_json)
    else:
        make_report(folder, out or folder / "report.html", summary, as_json)


def needed(names: list[str] | None, everything: bool, what: str) -> list[str]:
    if not names and not everything:
        raise MeepleError(f"Which experiments? meeple lab {what} NAME…, or --all; meeple lab list tells their names.")
    return names or []


def chosen(names: list[str]) -> list[Experiment]:
    """By name; a thesis means all of it, nothing all there are."""
    found: dict[str, Experiment] = {}
    for name in names:
        several = [one for one in experiments().values() if one.thesis == name] if name in THESES else [find_experiment(name)]
        found |= {one.name: one for one in several}
    return list(found.values()) if names else list(experiments().values())


def with_rows(those: list[Experiment], text: str) -> list[Experiment]:
    """The experiments with those of their rows that have the text in their names."""
    found = [replace(one, rows=tuple(row for row in one.rows if text.lower() in row.label.lower())) for one in those]
    if not any(one.rows for one in found):
        raise UnknownName("part of a row's name", text, [row.label for one in those for row in one.rows])
    return found


# ---- Listing ----


def show_list(those: list[Experiment], folder: Path, quick: bool, as_json: bool) -> None:
    there, clock = lines.read_lines(folder), runner.Clock(folder)
    rows = [listed(one, there.get(one.name, {}), clock, quick) for one in those]
    if as_json:
        print_json(rows)
        return
    columns = ("experiment", "runs", "minutes", "quick", "verdict")
    title = f"{len(rows)} experiments; minutes of one core, as reckoned; meeple lab show NAME tells more"
    shown = table(title, *columns, right=("runs", "minutes", "quick"), prose=("verdict",))
    for row in rows:
        runs = f"{row['done']}/{row['runs']}"
        shown.add_row(row["experiment"], runs, f"{row['minutes']:.1f}", f"{row['quick_minutes']:.1f}", row["verdict"])
    console.print(shown)
    total, small = sum(row["minutes"] for row in rows), sum(row["quick_minutes"] for row in rows)
    text = f"Everything: {total / 60:.1f} hours of one core; with --quick {small:.0f} minutes."
    console.print(f"{text} meeple lab run --all goes on where it stopped.", highlight=False)


def listed(one: Experiment, found: dict[str, Any], clock: runner.Clock, quick: bool) -> dict[str, Any]:
    trials, small = trials_of(one, False, one.seeds), trials_of(one, True, 1)
    counted_ones = small if quick else trials
    compared, is_quick = verdicts.compare(one, found)
    return {
        "experiment": one.name,
        "thesis": one.thesis,
        "title": one.title,
        "covers": list(one.covers),
        "runs": len(counted_ones),
        "done": sum(runner.label(trial) in found for trial in counted_ones),
        "minutes": clock.total(trials) / 60,
        "quick_minutes": clock.total(small) / 60,
        "quick": is_quick,
        "verdict": verdicts.in_words(compared),
    }


def show_experiments(those: list[Experiment], folder: Path, as_json: bool) -> None:
    there = lines.read_lines(folder)
    found = [verdicts.told(one, there.get(one.name, {})) for one in those]
    if as_json:
        print_json(found)
        return
    for one, told in zip(those, found, strict=True):
        show_one(one, told)


def show_one(one: Experiment, told: dict[str, Any]) -> None:
    small = f" ({QUICK})" if told["quick"] else ""
    console.print(f"[bold]{one.name}[/bold]: {one.title}{small}", highlight=False)
    for text in (
        f"{THESES[one.thesis]}; covers {', '.join(one.covers) or 'nothing numbered'}.",
        one.about,
        one.fault and f"Fault: {one.fault}.",
    ):
        if text:
            console.print(text, highlight=False, markup=False)
    for what, why in one.choices:
        console.print(f"  Chosen: {what}; because {why}.", highlight=False, markup=False)
    names = [f"{measure.name} ({measure.role})" for measure in one.measures]
    shown = table("theirs beside ours", "row", "theirs", *names, "verdict", right=("theirs", *names))
    for row in told["rows"]:
        shown.add_row(row["row"], row["theirs"], *row["ours"], row["verdict"])
    console.print(shown)


# ---- Running ----


def run(those: list[Experiment], folder: Path, quick: bool, seeds: int, again: bool, processes: int, as_json: bool) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    todo = runner.plan(those, quick, seeds, folder, again)
    clock = runner.Clock(folder)
    minutes = clock.total(trial for wave in todo.waves for trial in wave) / 60
    if not as_json:
        words = f"{len(todo)} runs to do, {todo.done} done before; about {minutes:.0f} minutes of one core, {processes} processes."
        console.print(f"{words}{f' Quick: {QUICK}.' if quick else ''}", highlight=False)
    made: list[dict[str, Any]] = []
    with resumable(), progress("lab", len(todo), "runs") as tick:

        def tell(line: dict[str, Any]) -> None:
            made.append(line)
            tick(1)
            if not as_json:
                errors.print(told_line(line), highlight=False, markup=False)

        failed = runner.run(todo, folder, processes, tell)
    if as_json:
        print_json({"done_before": todo.done, "runs": [line for line in made if "error" not in line], "failed": failed})
    else:
        show_list(those, folder, quick, False)
    if failed:
        first = f"{failed[0]['experiment']} {failed[0]['row']}: {failed[0]['error']}"
        raise runner.RunsFailed(
            f"{len(failed)} runs failed; the first, {first} The others are kept, and the same command tries again."
        )


def told_line(line: dict[str, Any]) -> str:
    name = f"{line['experiment']} {line['row']}, {line['measure']}, seed {line['seed']}"
    if "error" in line:
        return f"{name}: {line['error']}"
    value, low, high = line["figures"].get(line["figure"], [None, None, None])
    if value is None:
        return f"{name}: {'diverged' if 'diverged' in line['more'] else 'no figure'}; {line['seconds']:.0f} s"
    interval = f" ({low:.4g} to {high:.4g})" if low is not None and high is not None else ""
    return f"{name}: {line['figure']} {value:.4g}{interval}; {line['seconds']:.0f} s{', quick' if line['quick'] else ''}"


# ---- Reporting ----


def make_report(folder: Path, out: Path, page: Path | None, as_json: bool) -> None:
    from meeple.lab import report, summary

    out.parent.mkdir(parents=True, exist_ok=True)
    found = report.write(folder, out)
    if page is not None:
        summary.write(folder, page)
    if as_json:
        print_json(found)
        return
    console.print(
        f"{out}: {found['experiments']} experiments, {found['lines']} runs, {found['items']} tables and figures.", highlight=False
    )

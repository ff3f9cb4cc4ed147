"""Printing: tables and progress bars for people, JSON for programs, one red line for errors."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from meeple.cli import interrupt

console = Console()
errors = Console(stderr=True, soft_wrap=True)

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of tables.")]
Seed = Annotated[int, typer.Option(help="Everything random follows from it.")]


def print_json(value: Any) -> None:
    print(json.dumps(value, indent=2))


def table(title: str, *columns: str, right: tuple[str, ...] = ()) -> Table:
    """A plain table; the columns named in `right` hold numbers."""
    made = Table(title=title, title_justify="left")
    for column in columns:
        made.add_column(column, justify="right" if column in right else "left")
    return made


@contextmanager
def progress(what: str, total: int | None, unit: str = "games") -> Iterator[Callable[[int], None]]:
    """A bar on stderr while the work lasts; gone afterwards, and silent where stderr is no terminal."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    hidden = not errors.is_terminal
    with interrupt.doing(total, unit) as now, Progress(*columns, console=errors, transient=True, disable=hidden) as bar:
        task = bar.add_task(what, total=total)

        def tick(n: int) -> None:
            now.done += n
            bar.advance(task, n)

        yield tick


@contextmanager
def status(what: str) -> Iterator[Callable[[str], None]]:
    """A spinner whose text changes as the work goes on."""
    if not errors.is_terminal:
        yield lambda _: None
        return
    with errors.status(what) as shown:
        yield lambda text: shown.update(text)

"""Printing: tables and progress bars for people, JSON for programs, one red line for errors."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from meeple.cli.tables import Wide

console = Console()
errors = Console(stderr=True, soft_wrap=True)

live: list[Callable[[str], None]] = []  # displays on the screen, the latest last: each takes words to add to its own

Words = Sequence[str]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of tables.")]
Seed = Annotated[int, typer.Option(help="Everything random follows from it.")]


def print_json(value: Any) -> None:
    print(json.dumps(value, indent=2))


def table(title: str, *columns: str, right: Words = (), prose: Words = (), agents: Words = ()) -> Wide:
    """A plain table: the columns named in `right` hold numbers, those in `prose` running text; letters may stand for `agents`."""
    return Wide(title, columns, tuple(right), tuple(prose), tuple(agents))


@contextmanager
def progress(what: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """A bar on stderr while the work lasts; gone afterwards, and silent where stderr is no terminal."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal) as bar:
        task = bar.add_task(what, total=total)
        with _shown(lambda more: bar.update(task, description=f"{what} ({more})" if more else what)):
            yield lambda n: bar.advance(task, n)


@contextmanager
def status(what: str) -> Iterator[Callable[[str], None]]:
    """A spinner whose text changes as the work goes on."""
    if not errors.is_terminal:
        yield lambda _: None
        return
    now = [what]
    with errors.status(what) as shown, _shown(lambda more: shown.update(f"{now[0]} ({more})" if more else now[0])):

        def tick(text: str) -> None:
            now[0] = text
            shown.update(text)

        yield tick


@contextmanager
def _shown(add: Callable[[str], None]) -> Iterator[None]:
    """What is on the screen now can be given a few more words."""
    if errors.is_terminal:
        live.append(add)
    try:
        yield
    finally:
        if errors.is_terminal:
            live.pop()

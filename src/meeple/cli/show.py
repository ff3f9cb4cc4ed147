"""Printing: tables and progress bars for people, JSON for programs, one red line for errors."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import isfinite
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from meeple.cli import interrupt
from meeple.cli.tables import Wide

console = Console()
errors = Console(stderr=True, soft_wrap=True)

live: list[Callable[[str], None]] = []  # displays on the screen, the latest last: each takes words to add to its own

Words = Sequence[str]


def print_json(value: Any) -> None:
    """JSON that every parser reads."""
    print(json.dumps(plain(value), indent=2, allow_nan=False))


def plain(value: Any) -> Any:
    """Numbers, texts, lists and objects alone. JSON has neither infinity nor "not a number": what is not known is null."""
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if isinstance(value, Path):
        return str(value)
    if hasattr(value, "tolist"):  # NumPy's own numbers and arrays
        return plain(value.tolist())
    return None if isinstance(value, float) and not isfinite(value) else value


def suggest(text: str, command: str) -> None:
    """A sentence and a command that runs as it stands: in a line of its own, never broken."""
    console.print(text, highlight=False, markup=False)
    console.print(command, soft_wrap=True, highlight=False, markup=False)


def interval(pair: list[float], form: str) -> str:
    """`0.41 to 0.52`; of too few games it is not known."""
    return f"{pair[0]:{form}} to {pair[1]:{form}}" if all(map(isfinite, pair)) else "unknown: too few games"


def table(title: str, *columns: str, right: Words = (), prose: Words = (), agents: Words = ()) -> Wide:
    """A plain table: the columns named in `right` hold numbers, those in `prose` running text; letters may stand for `agents`."""
    return Wide(title, columns, tuple(right), tuple(prose), tuple(agents))


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

        with _shown(lambda more: bar.update(task, description=f"{what} ({more})" if more else what)):
            yield tick


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

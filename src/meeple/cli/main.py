"""Entry point. Whatever is wrong with what a person typed ends as one sentence and exit code 2, never as a traceback."""

from __future__ import annotations

import os
import sys

import typer
from rich.text import Text

from meeple.cli import (
    analyze,
    bench,
    check,
    exploit,
    interrupt,
    ladder,
    list_things,
    match,
    play,
    replay,
    simulate,
    solve,
    study,
    tune,
)
from meeple.cli.show import errors
from meeple.core.errors import MeepleError
from meeple.core.workers import WorkerFault

app = typer.Typer(
    name="meeple",
    help="Play, search, train and measure AI for modern tabletop games.",
    no_args_is_help=True,
    add_completion=False,
)
app.command("list")(list_things.list_things)
app.command("check")(check.check)
app.command("bench")(bench.bench)
app.command("analyze")(analyze.analyze)
app.command("replay")(replay.replay)
app.command("simulate")(simulate.simulate)
app.command("match")(match.match)
app.command("tournament")(match.tournament)
app.command("ladder")(ladder.ladder)
app.command("results")(match.results)
app.command("play")(play.play)
app.command("tune")(tune.tune)
app.command("solve")(solve.solve)
app.command("study")(study.study)
app.command("exploit")(exploit.exploit)


def main() -> None:
    interrupt.install()
    try:
        code = app(standalone_mode=False)
        if code == interrupt.CODE and interrupt.unexplained():  # typer makes a plain exit of an interrupt
            interrupt.stop()
    except (KeyboardInterrupt, typer.Abort):
        interrupt.stop()
    except Exception as error:
        if interrupt.pressed():
            interrupt.stop()
        code = _explain(error)
    sys.exit(code if isinstance(code, int) else 0)


def _explain(error: Exception) -> int:
    """One sentence about what went wrong; returns the exit code."""
    if isinstance(error, MeepleError):
        return _refuse(str(error), error.exit_code)
    if isinstance(error, typer.TyperException):
        message = error.format_message().rstrip(".")
        return _refuse(f"{message}; see meeple --help." if message else "See meeple --help.")
    if isinstance(error, MemoryError):
        return _refuse("There is not enough memory for that; ask for fewer games at once.", 1)
    if os.environ.get("MEEPLE_DEBUG"):
        if isinstance(error, WorkerFault):
            print(error.trace, file=sys.stderr)
        raise error
    # A fault of ours: still no traceback for a person who did nothing wrong.
    what = str(error) if isinstance(error, WorkerFault) else f"{type(error).__name__}: {error}"
    return _refuse(f"A fault in meeple: {what}; MEEPLE_DEBUG=1 shows where.".replace("\n", " "), 1)


def _refuse(message: str, code: int = 2) -> int:
    errors.print(Text(message, style="red"))
    return code

"""Entry point. Whatever is wrong with what a person typed ends as one sentence and exit code 2, never as a traceback."""

from __future__ import annotations

import os
import sys
from importlib.metadata import version
from typing import Annotated

import typer
from rich.text import Text

from meeple.cli import analyze, bench, check, exploit, ladder, list_things, match, play, replay, simulate, solve, study, tune
from meeple.cli.show import errors
from meeple.core.errors import MeepleError

app = typer.Typer(
    name="meeple",
    help="Play, search, train and measure AI for modern tabletop games.",
    no_args_is_help=True,
    add_completion=False,
)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"meeple {version('meeple')}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)] = False,
) -> None:
    """Play, search, train and measure AI for modern tabletop games."""


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
    try:
        code = app(standalone_mode=False)
    except MeepleError as error:
        code = _refuse(str(error), error.exit_code)
    except typer.TyperException as error:
        message = error.format_message().rstrip(".")
        code = _refuse(f"{message}; see meeple --help." if message else "See meeple --help.")
    except (KeyboardInterrupt, typer.Abort):
        code = _refuse("Stopped.", 130)
    except MemoryError:
        code = _refuse("There is not enough memory for that; ask for fewer games at once.", 1)
    except Exception as error:  # a fault of ours: still no traceback for a person who did nothing wrong
        if os.environ.get("MEEPLE_DEBUG"):
            raise
        from meeple.core.faults import sentence

        code = _refuse(sentence(error), 1)
    _say_what_was_not_kept()
    sys.exit(code if isinstance(code, int) else 0)


def _say_what_was_not_kept() -> None:
    """A full or read-only disk costs time, not results: one sentence at the end."""
    cache = sys.modules.get("meeple.core.cache")  # where nothing was compiled it was never loaded
    if cache is not None and cache.trouble:
        text = f"Compiled code could not be kept in {cache.trouble[0]}; the next start compiles it again."
        errors.print(Text(f"{text} MEEPLE_CACHE names another folder.", style="yellow"))


def _refuse(message: str, code: int = 2) -> int:
    errors.print(Text(message, style="red"))
    return code

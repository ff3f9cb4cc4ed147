"""Entry point. Whatever is wrong with what a person typed ends as one sentence and exit code 2, never as a traceback."""

from __future__ import annotations

import os
import sys

import typer
from rich.text import Text

from meeple.cli import analyze, bench, check, exploit, ladder, listing, match, play, replay, simulate, solve, study, train, tune
from meeple.cli.show import errors
from meeple.core.errors import MeepleError

app = typer.Typer(
    name="meeple",
    help="Play, search, train and measure AI for modern tabletop games.",
    no_args_is_help=True,
    add_completion=False,
)
app.command("list")(listing.list_things)
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
app.command("train")(train.train)
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
        code = _refuse(f"A fault in meeple: {type(error).__name__}: {error}; MEEPLE_DEBUG=1 shows where.".replace("\n", " "), 1)
    sys.exit(code if isinstance(code, int) else 0)


def _refuse(message: str, code: int = 2) -> int:
    errors.print(Text(message, style="red"))
    return code

"""Entry point. Whatever is wrong with what a person typed ends as one sentence and exit code 2, never as a traceback."""

from __future__ import annotations

import os
import sys
import warnings
from importlib import import_module
from typing import Annotated, Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup

from meeple.cli import interrupt
from meeple.cli.compiling import listen
from meeple.cli.options import with_addresses
from meeple.core.errors import MeepleError, MeepleWarning
from meeple.core.workers import WorkerFault


class Verb(NamedTuple):
    """A command: its function is `meeple.cli.<module>.<function>`, imported when it is called, and `help` its first words."""

    module: str
    function: str
    help: str


# In the order of the help. A function's docstring begins with the sentence that stands here (tests/cli/test_lazy.py).
VERBS = {
    "list": Verb(
        "list_things",
        "list_things",
        "List the games; the agents (all, of a game, or one with its parameters); the ids of environments; every observation and "
        "action as a page; or all about one game.",
    ),
    "check": Verb("check", "check", "Check that a game fulfils the contract; also for games of your own."),
    "bench": Verb(
        "bench",
        "bench",
        "Measure playouts, batches and start-up on one core; search; environments; learning; or a cluster.",
    ),
    "analyze": Verb(
        "analyze", "analyze", "Value every legal move of a position by search, knowing what the seat to move may know."
    ),
    "replay": Verb("replay", "replay", "Replay a record: every move is checked, and the table is shown as one seat sees it."),
    "simulate": Verb("simulate", "simulate", "Play at random, or by agents: lengths, scores, branching, ends."),
    "match": Verb(
        "match", "match", "Play agents against each other: the same deals with seats exchanged, intervals, every game kept."
    ),
    "tournament": Verb(
        "tournament", "tournament", "Everybody against everybody: a table of win rates, and ratings with intervals."
    ),
    "ladder": Verb(
        "ladder",
        "ladder",
        "Does thinking longer help? Each rung plays the one below it; alone, each plays the same deals. Every game is kept.",
    ),
    "results": Verb("match", "results", "List the matches that are kept."),
    "play": Verb("play", "play", "Play in the terminal against agents. The game is saved after every move and can be resumed."),
    "serve": Verb("serve", "serve", "Play in the browser: every game, against any agent, with hints, reviews and replays."),
    "tune": Verb(
        "tune",
        "tune",
        "Tune the numbers of an agent or a learner, by grid, TPE, evolution or population; the best is measured on fresh deals.",
    ),
    "warm": Verb("warm", "warm", "Compile the kernels of games ahead, on all cores, so that no first move has to wait for it."),
    "train": Verb("train", "train", "Train a network by self-play; `net:OUT/best.safetensors` is then an agent for every command."),
    "crown": Verb(
        "crown",
        "crown",
        "Let a network challenge the champion of a game; it takes its place only by winning on fresh paired deals.",
    ),
    "levels": Verb(
        "levels",
        "levels",
        "Find ten levels of a game's champion, as evenly spaced in strength as they can be, by matches.",
    ),
    "solve": Verb(
        "solve",
        "solve",
        "Solve a game exactly, where that is possible, at once when it has been solved before; or fit an evaluation (--fit).",
    ),
    "lab": Verb(
        "lab",
        "lab",
        "Make the tables and figures of five theses again: each is an experiment with their figure, ours and a verdict.",
    ),
    "study": Verb(
        "study", "study", "Decisions with a real choice, branching, lengths and how games ended, the worth of the first seat."
    ),
    "style": Verb(
        "style",
        "style",
        "How agents play: sorts of action by stage, sizes and counts, points by turn; of two also where they differ most.",
    ),
    "exploit": Verb(
        "exploit",
        "exploit",
        "Play a search against an agent with the agent itself as its model: a lower bound on how exploitable it is.",
    ),
}


class Verbs(TyperGroup):
    """Names and first sentences are known without importing anything: the compiler alone takes a second to load."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.commands = {name: TyperCommand(name, help=verb.help) for name, verb in VERBS.items()}

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        """Whole sentences; the original cuts them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, verb.help) for name, verb in VERBS.items()])

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that was typed, with all its options."""
        name, _, rest = super().resolve_command(ctx, args)
        return name, load(str(name)), with_addresses(rest)


def load(name: str) -> Any:
    """A verb's own command."""
    verb = VERBS[name]
    alone = typer.Typer(add_completion=False)
    alone.command(name)(getattr(import_module(f"meeple.cli.{verb.module}"), verb.function))
    return typer.main.get_command(alone)


app = typer.Typer(
    name="meeple",
    invoke_without_command=True,
    add_completion=False,
    cls=Verbs,
    rich_markup_mode=None,  # its panels take as long to load as all else together; a verb's own help has them
)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"meeple {version('meeple')}")
        raise typer.Exit


@app.callback()
def _meeple(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)] = False,  # noqa: ARG001
) -> None:
    """Play, search, train and measure AI for modern tabletop games."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit(2)


def main() -> None:
    interrupt.install()
    warnings.showwarning = _show_warning
    listen()
    try:
        code = app(standalone_mode=False)
        if code == interrupt.CODE and interrupt.unexplained():  # Typer turns an interrupt into a plain exit
            interrupt.stop()
    except (KeyboardInterrupt, typer.Abort):
        interrupt.stop()
    except Exception as error:
        if interrupt.pressed():
            interrupt.stop()
        code = _explain(error)
    _say_what_was_not_kept()
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
    if isinstance(error, OSError) and error.filename is not None:  # a name too long, a disk that fails: nobody's fault in here
        return _refuse(f"{error.filename} cannot be used: {error.strerror}.", 1)
    if os.environ.get("MEEPLE_DEBUG"):
        if isinstance(error, WorkerFault):
            print(error.trace, file=sys.stderr)
        raise error
    # A fault of ours: still no traceback for a person who did nothing wrong.
    from meeple.core.faults import sentence

    return _refuse(sentence(error), 1)


def _say_what_was_not_kept() -> None:
    """A full or read-only disk costs time, not results: one sentence at the end."""
    cache = sys.modules.get("meeple.core.cache")  # where nothing was compiled it was never loaded
    if cache is not None and cache.trouble:
        text = f"Compiled code could not be kept in {cache.trouble[0]}; the next start compiles it again."
        _say(f"{text} MEEPLE_CACHE names another folder.", "yellow")


def _refuse(message: str, code: int = 2) -> int:
    _say(message, "red")
    return code


_shown = warnings.showwarning


def _show_warning(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
    """Meeple's own warnings become one sentence; others are shown as Python does."""
    if issubclass(category, MeepleWarning):
        _say(str(message), "yellow")
    else:
        _shown(message, category, *where, **more)


def _say(message: str, style: str) -> None:
    from rich.text import Text

    from meeple.cli.show import errors

    errors.print(Text(message, style=style))

"""`meeple play`: a person against agents."""

from __future__ import annotations

import contextlib
import io
import secrets
import sys
from pathlib import Path
from typing import Annotated

import typer

from meeple.agents.registry import find_agent, load_code
from meeple.cli import interrupt
from meeple.cli.options import Code, MaybeSeed, written
from meeple.cli.show import console, status
from meeple.core.errors import MeepleError
from meeple.core.registry import find_variant, game_names
from meeple.play.interrupt import uninterrupted
from meeple.play.saves import claim, fresh_path, newest_unfinished
from meeple.play.session import DEFAULT_ADVISER, DEFAULT_OPPONENT, Session, begin, default_adviser, resume
from meeple.play.terminal import Terminal


def play(
    game: Annotated[str, typer.Argument(help="GAME[:VARIANT][,OPTION=VALUE…]; with --resume a saved game's file.")] = "",
    opponent: Annotated[
        list[str] | None,
        typer.Option(
            help=f"An agent, such as advanced1:k1=0.6 (default: {DEFAULT_OPPONENT}): one for all other seats, or one for each."
        ),
    ] = None,
    seat: Annotated[int | None, typer.Option(help="Where you sit (default: 0).")] = None,
    seed: MaybeSeed = None,
    hint: Annotated[str, typer.Option(help=f"The agent that 'hint' asks (default: {DEFAULT_ADVISER}).")] = "",
    code: Code = None,
    save: Annotated[Path | None, written("Where to save (default: a new file in the user's data folder).")] = None,
    go_on: Annotated[
        bool, typer.Option("--resume", help="Go on with a saved game: GAME is its file (default: the newest).")
    ] = False,
) -> None:
    """Play in the terminal against agents. The game is saved after every move and can be resumed."""
    for path in code or []:
        load_code(path)
    with status("setting up the table"), uninterrupted():
        session = _resumed(game, opponent, seat, seed, save) if go_on else _begun(game, opponent, seat, seed, save)
        adviser = find_agent(hint, session.variant.game) if hint else default_adviser(session)
        _compile(session)
        if not go_on:
            claim(session.path)
        session.save()  # only now: a game that could not begin leaves no file
    _prepare_input()
    interrupt.leave_it_to_others()
    raise typer.Exit(Terminal(session, adviser, console, status, code or ()).run())


def _begun(game: str, opponents: list[str] | None, seat: int | None, seed: int | None, save: Path | None) -> Session:
    if not game:
        raise MeepleError(f"Which game? There are: {', '.join(game_names())}; or go on with a saved one by --resume.")
    variant = find_variant(game)
    seed = secrets.randbelow(2**32) if seed is None else seed
    return begin(variant, opponents or [], seat or 0, seed, save or fresh_path(variant))


def _resumed(file: str, *settings: object) -> Session:
    if any(setting is not None and setting != [] for setting in settings):
        raise MeepleError("A saved game knows its opponents, seat, seed and file, so --resume goes only with --hint and --code.")
    path = Path(file) if file else newest_unfinished()
    claim(path)  # before it is read: somebody else may be writing it
    return resume(path)


def _compile(session: Session) -> None:
    """Kernels compile at their first use, at worst for many seconds: better here than after the person's first move."""
    trial = session.state.copy()
    trial.board(session.seat)
    trial.play(trial.legal()[0])


def _prepare_input() -> None:
    """Lines can be edited and recalled where there is readline, and a byte that is no text is a wrong move, not a crash."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401

"""`meeple serve`: play in the browser."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from meeple.agents.registry import load_code
from meeple.cli import interrupt
from meeple.cli.options import Code, StoreToRead, counted, written
from meeple.cli.show import console
from meeple.core.errors import MeepleError
from meeple.core.registry import find_game

WEB = "meeple serve needs FastAPI, uvicorn and websockets; install them with: pip install 'meeple[web]'"


def serve(
    games: Annotated[
        list[str] | None, typer.Argument(metavar="[FOLDER]...", help="Folders with games of your own, offered besides the others.")
    ] = None,
    host: Annotated[str, typer.Option(help="The address to listen on; 0.0.0.0 lets others in.")] = "127.0.0.1",
    port: Annotated[int, counted("The port; 0 takes a free one.", least=0, most=65535)] = 8000,
    name: Annotated[
        list[str] | None, typer.Option(help="A host name that visitors may use, besides localhost; may be repeated.")
    ] = None,
    agent: Annotated[list[str] | None, typer.Option(help="An agent to offer besides the usual ones; may be repeated.")] = None,
    workers: Annotated[int, counted("Processes that search; 0 is one for each core.", least=0, most=64)] = 0,
    data: Annotated[Path | None, written("SQLite file of the games (default: in the user's data folder).", folders=True)] = None,
    store: StoreToRead = None,
    code: Code = None,
    browser: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in a browser.")] = True,
) -> None:
    """Play in the browser: every game, against any agent, with hints, reviews and replays."""
    try:
        from meeple.serve.club import Settings, default_data
        from meeple.serve.run import serve as run
    except ImportError as error:
        raise MeepleError(f"{WEB}.") from error
    from meeple.cli.options import cores

    for path in code or []:
        load_code(path)
    for game in games or []:
        find_game(game)
    settings = Settings(
        data=data or default_data(),
        results=store,
        workers=cores(workers),
        names=tuple(name or ()) + ((host,) if host not in ("0.0.0.0", "::") else ()),
        agents=tuple(agent or ()),
        code=tuple(path.resolve() for path in code or ()),
    )

    def began(address: str) -> None:
        text = f"Meeple is at {address} (games in {settings.data}); Ctrl-C ends it."
        console.print(text, highlight=False, soft_wrap=True, markup=False)
        if browser:
            webbrowser.open(address)

    interrupt.leave_it_to_others()
    run(settings, host, port, began)
    console.print("Ended; every game is kept and goes on when the server is started again.", highlight=False)

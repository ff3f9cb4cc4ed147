"""What several verbs take, checked in one place before anything else is done: numbers with their bounds, files to be written."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Sequence
from itertools import zip_longest
from math import isfinite
from pathlib import Path
from typing import Annotated, Any

import typer

from meeple.core.errors import MeepleError

HERE, AUTO = "local", "auto"  # a cluster for this command alone; the one that Ray knows of on this machine
ADDRESS = re.compile(rf"{HERE}|{AUTO}|(ray://)?[\w.-]+:\d{{3,5}}")  # splendor:2 is none

MOST_GAMES = 10**9
MOST_SEED = 2**64 - 1
DAY_MS = 86_400_000.0
MOST_PROCESSES = 1024

Check = Callable[[typer.CallbackParam, Any], Any]


def within(least: float, most: float, above: bool = False) -> Check:
    """Refuses what is not from least to most; `above`: nor least itself. What "is not a number" is refused too."""

    def check(param: typer.CallbackParam, value: Any) -> Any:
        if value is not None and not (isfinite(value) and (least < value if above else least <= value) and value <= most):
            raise MeepleError(f"{param.opts[-1]} must be {_bounds(least, most, above)}, not {value}.")
        return value

    return check


def _bounds(least: float, most: float, above: bool) -> str:
    if most == MOST_SEED:
        return "from 0 to 2^64 - 1"
    if above:
        return f"above {least:g} and at most {most:,.12g}"
    return f"from {least:g} to {most:,.12g}"


def counted(help_text: str, name: str = "", least: int = 1, most: int = MOST_GAMES) -> Any:
    """An option that counts something."""
    return typer.Option(*filter(None, [name]), help=help_text, callback=within(least, most))


def measured(help_text: str, name: str = "", least: float = 0.0, most: float = DAY_MS) -> Any:
    """An option that is a number above `least`."""
    return typer.Option(*filter(None, [name]), help=help_text, callback=within(least, most, above=True))


def written(help_text: str, name: str = "", kinds: Callable[[], Sequence[str]] | None = None, folders: bool = False) -> Any:
    """An option that names a file to write: whether that is possible is looked at before the work, not after it.
    `kinds`: how its name may end; `folders`: those that it lies in are made if need be."""

    def check(param: typer.CallbackParam, value: Path | None) -> Path | None:
        if value is not None:
            refuse_unwritable(param.opts[-1], value, folders)
            if kinds is not None and value.suffix.lower().lstrip(".") not in kinds():
                raise MeepleError(f"{param.opts[-1]} {value}: its name must end in one of: {', '.join(kinds())}; box.png would do.")
        return value

    return typer.Option(*filter(None, [name]), help=help_text, callback=check, show_default=False)


def refuse_unwritable(option: str, path: Path, folders: bool = False) -> None:
    """A folder, a place in no folder, or one where nothing can be written."""
    try:
        if folders and not path.parent.exists():
            return refuse_unwritable(option, path.parent, folders)
        if path.is_dir():
            raise MeepleError(f"{option} {path} cannot be written: it is a folder; name a file in it.")
        if not path.parent.is_dir():
            raise MeepleError(f"{option} {path} cannot be written: there is no folder {path.parent}.")
        if not os.access(path if path.exists() else path.parent, os.W_OK):
            raise MeepleError(f"{option} {path} cannot be written: {path if path.exists() else path.parent} is read-only.")
    except (OSError, ValueError) as error:
        raise MeepleError(f"{option} {path} cannot be written: {getattr(error, 'strerror', None) or error}.") from None


def checked_address(address: str) -> str:
    """An address of a cluster, or nothing."""
    if address and not ADDRESS.fullmatch(address):
        raise MeepleError(f"--ray {address} is no address of a cluster; HOST:PORT or auto would be, or nothing for this machine.")
    if address:
        from meeple.arena.cluster.connection import check  # only now: nobody else waits for it

        check(address)
    return address


def clustered(more: str) -> Any:
    """--ray, with what it means there."""
    text = f"Use a Ray cluster: HOST:PORT, auto, or nothing for one of this machine's cores. {more}"
    return typer.Option("--ray", metavar="[ADDRESS]", help=text, callback=checked_address, show_default=False)


def picture_kinds() -> Sequence[str]:
    from meeple.lab.plots import kinds  # only now: it loads matplotlib

    return kinds()


def command(*words: object, **options: object) -> str:
    """A command that runs as it is printed: `meeple replay --match 1 --store 'my results.sqlite'`. None leaves an option out."""
    found = [str(word) for word in words]
    for name, value in options.items():
        for each in value if isinstance(value, (list, tuple)) else [value]:
            found += [] if each is None else [f"--{name}", str(each)]
    return shlex.join(["meeple", *found])


Json = Annotated[bool, typer.Option("--json", help="Print one JSON value instead of tables; docs/json.md tells its keys.")]
Seed = Annotated[int, typer.Option(help="Everything random follows from it.", callback=within(0, MOST_SEED))]
MaybeSeed = Annotated[
    int | None,
    typer.Option(help="Everything random follows from it (default: a random one, which is shown).", callback=within(0, MOST_SEED)),
]
Game = Annotated[str, typer.Argument(help="GAME[:VARIANT][,OPTION=VALUE…]")]
Agents = Annotated[list[str], typer.Argument(help="Agents, such as advanced1:k1=0.6; meeple list agents explains each.")]
Games = Annotated[int, counted("Games in all; every deal is played once for each seating.")]
SAME = "The result does not depend on it, unless an agent thinks by the clock."
Processes = Annotated[int, counted(f"Processes to use; 0 is one for each core. {SAME}", least=0, most=MOST_PROCESSES)]
Ray = Annotated[str, clustered(SAME)]
RayToTrain = Annotated[str, clustered("Its cores play, this process learns; such a run is not the same twice.")]
StorePath = Annotated[Path | None, written("SQLite file that keeps every game.", "--store", folders=True)]
StoreToRead = Annotated[Path | None, typer.Option("--store", help="The results file.", show_default=False)]  # only read
Code = Annotated[list[Path] | None, typer.Option("--code", help="A Python file with agents of your own; may be repeated.")]
Plot = Annotated[Path | None, written("Draw a picture of it into this file.", kinds=picture_kinds)]


def with_addresses(words: list[str]) -> list[str]:
    """Who says --ray and no address means this machine: click's options take a value or none, never either."""
    found = []
    for word, after in zip_longest(words, words[1:], fillvalue=""):
        found += [word, HERE] if word == "--ray" and not ADDRESS.fullmatch(after) else [word]
    return found


def cores(processes: int) -> int:
    return processes or len(os.sched_getaffinity(0))

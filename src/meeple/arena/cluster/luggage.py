"""What a worker of a cluster must have before it does anything: the same Meeple, the folders of games, and the files of --code."""

from __future__ import annotations

import contextlib
import hashlib
import socket
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from meeple.arena import executor
from meeple.arena.executor import load_all_code
from meeple.core.errors import MeepleError
from meeple.core.places import add_folder, places
from meeple.core.sources import PACKAGE
from meeple.core.workers import answer_to

SUFFIXES = {".py", ".csv", ".toml", ".safetensors", ".json"}  # of what decides how a game goes


class Luggage(NamedTuple):
    """What a worker must have before it does anything: the same Meeple, the folders of games, and the files of --code."""

    meeple: str
    folders: tuple[str, ...]
    code: tuple[tuple[str, bytes], ...]


def luggage() -> Luggage:
    folders = tuple(str(place.folder) for place in places().values() if place.folder)
    return Luggage(our_sources(), folders, tuple((str(path.resolve()), path.read_bytes()) for path in executor.CODE))


@cache
def our_sources() -> str:
    """A digest of this Meeple: its code, its data, and the networks and levels that decide what its champion plays."""
    total = hashlib.sha256()
    for path in sorted(path for path in PACKAGE.rglob("*") if path.suffix in SUFFIXES):
        total.update(str(path.relative_to(PACKAGE)).encode() + path.read_bytes())
    return total.hexdigest()


@cache
def unpack(luggage: Luggage) -> None:
    """What a worker does first, once."""
    if luggage.meeple != our_sources():
        raise MeepleError(
            f"The machine {socket.gethostname()} of the cluster has another version of Meeple than this one, so its games could "
            "differ; install the same on all."
        )
    for folder in luggage.folders:
        add_folder(Path(folder))
    load_all_code([_at_hand(Path(name), text) for name, text in luggage.code])


def _at_hand(path: Path, text: bytes) -> Path:
    """The file itself where this machine has it, else a copy."""
    with contextlib.suppress(OSError):
        if path.read_bytes() == text:
            return path
    folder = Path(tempfile.gettempdir()) / f"meeple-code-{hashlib.sha256(text).hexdigest()[:16]}"
    folder.mkdir(mode=0o700, exist_ok=True)
    (folder / path.name).write_bytes(text)
    return folder / path.name


def do_piece(luggage: Luggage, function: Callable[..., Any], words: tuple[Any, ...]) -> tuple[str, Any, Any]:
    """A piece of work, or the sentence why not."""
    prepared = answer_to(unpack, (luggage,))
    return prepared if prepared[0] != "done" else answer_to(function, words)

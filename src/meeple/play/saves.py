"""Where games of people are kept."""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import time
from pathlib import Path
from typing import IO

from meeple.core.errors import MeepleError
from meeple.core.folders import data_folder
from meeple.core.game import Variant

RESIGNED = re.compile(r"^# seat ([0-9]) resigned$", re.M)  # a comment, so a resigned game is a record like any other
UNFINISHED = re.compile(r"^end: still playing$", re.M)
FINISHED = re.compile(r"^end: ", re.M)


def games_folder() -> Path:
    """The user's data folder."""
    return data_folder() / "games"


_CLAIMS: list[IO[bytes]] = []  # locks last as long as their file is open: until this process ends


def claim(path: Path) -> None:
    """This process alone plays the game of a file, until it ends; whoever comes second is told so.

    The file itself cannot be locked, since every save puts a new one in its place; so a byte of one common file stands for it.
    """
    place = int.from_bytes(hashlib.sha256(os.fsencode(os.path.realpath(path))).digest()[:7])
    try:
        folder = data_folder()
        folder.mkdir(parents=True, exist_ok=True)
        file = (folder / "being_played").open("ab")
    except OSError:  # a read-only home: nobody can be told
        return
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
    except OSError:
        file.close()
        raise MeepleError(f"The game in {path} is being played already, by another meeple play; leave it there first.") from None
    _CLAIMS.append(file)


def fresh_path(variant: Variant) -> Path:
    """A new file in the games folder, named by game and time."""
    folder = games_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise MeepleError(f"The folder {folder} cannot be made: {error.strerror}; --save FILE saves elsewhere.") from error
    name = f"{re.sub('[^a-z0-9]+', '_', variant.spec.lower())}_{time.strftime('%Y-%m-%d_%H%M%S')}"
    taken = {path.stem for path in folder.iterdir()}
    names = [name, *(f"{name}_{number}" for number in range(2, len(taken) + 3))]
    return folder / f"{next(free for free in names if free not in taken)}.txt"


def newest_unfinished() -> Path:
    """The game to resume where none is named. A damaged file is taken too: it should be heard of, not passed over."""
    folder = games_folder()
    for path in sorted(folder.glob("*.txt"), key=lambda path: path.stat().st_mtime_ns, reverse=True):
        text = path.read_text(encoding="utf-8", errors="replace")
        if not FINISHED.search(text) or (UNFINISHED.search(text) and not RESIGNED.search(text)):
            return path
    raise MeepleError(f"There is no unfinished game in {folder}; meeple play GAME begins one.")

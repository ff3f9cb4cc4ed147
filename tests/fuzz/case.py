"""A case: a command line, the files it finds in its folder, what is typed, and perhaps a signal at some moment."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from random import Random

REPOSITORY = Path(__file__).resolve().parents[2]
GAMES = [REPOSITORY / "tests" / "search" / "tiny", REPOSITORY / "tests" / "play" / "sticks"]  # small, so they compile in seconds


@dataclass
class Case:
    """Drawn from a seed; `files` are relative to the folder in which the command runs."""

    kind: str
    argv: list[str]
    files: dict[str, bytes] = field(default_factory=dict)
    typed: str = ""
    signal: int = 0
    after: float = 0.0  # seconds from the start to the signal
    whole_group: bool = False  # as Ctrl-C in a terminal: the signal reaches the workers too
    fresh: bool = False  # a process of its own from the start, not a copy of one that has everything loaded
    compiled: bool = True  # with the compiler, or with NUMBA_DISABLE_JIT=1


@dataclass(frozen=True)
class Shelf:
    """Sound files, made once, of which damaged ones are made."""

    records: list[bytes]  # the first ones are of unfinished games
    store: bytes
    first_format: bytes


def some(random: Random, values: list[str]) -> str:
    return values[random.randrange(len(values))]

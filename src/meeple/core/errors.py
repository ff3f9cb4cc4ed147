"""Errors a person may see: one sentence that says what is wrong and what would be right."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any


class MeepleError(Exception):
    """Base of everything this package raises on bad input. The command line prints it and exits with its code."""

    exit_code = 2

    def __reduce__(self) -> tuple[Any, ...]:
        """For the way from a worker: subclasses take other arguments than the message, so they are not asked again."""
        return _again, (type(self), self.args, self.__dict__)


def _again(kind: type[MeepleError], args: tuple[Any, ...], attributes: dict[str, Any]) -> MeepleError:
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(attributes)
    return error


def check_seed(seed: int) -> None:
    """Seeds are words of 64 bits."""
    if not 0 <= seed < 2**64:
        raise MeepleError(f"The seed must be from 0 to 2^64 - 1, not {seed}.")


class UnknownName(MeepleError):
    """A game, variant, option, level or agent that does not exist."""

    def __init__(self, what: str, given: str, known: Iterable[str]) -> None:
        self.given = given
        self.known = tuple(known)
        super().__init__(f"Unknown {what} '{given}'{suggestion(given, self.known)}.")


class MoveError(MeepleError):
    """A move that cannot be made; carries the text and the position it was tried in."""

    def __init__(self, message: str, move: str, position: str = "") -> None:
        self.move = move
        self.position = position
        super().__init__(message)


class UnreadableMove(MoveError):
    """The text is not a move of this game in any position."""


class IllegalMove(MoveError):
    """A move of this game, but not one that may be made here and now."""


class GameOver(MoveError):
    """A move after the end."""


class RecordError(MeepleError):
    """A game record that cannot be read or does not replay."""


class BrokenGame(MeepleError):
    """A game folder that does not fulfil the contract so badly that it cannot even be loaded."""


class MeepleWarning(UserWarning):
    """Something of somebody else's (an installed package, a folder) is left out, and why."""


def suggestion(given: str, known: tuple[str, ...]) -> str:
    """`; did you mean 'x'?` where something is close, otherwise the whole list if it is short."""
    folded = {name.lower(): name for name in known}
    close = difflib.get_close_matches(given.lower(), folded, n=1, cutoff=0.6)
    if close:
        return f"; did you mean '{folded[close[0]]}'"
    return f"; known: {listing(known)}" if known else ""


def listing(names: Iterable[str], most: int = 12) -> str:
    """Comma-separated, cut after `most` with the number left out."""
    names = list(names)
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown}, … ({len(names) - most} more)"

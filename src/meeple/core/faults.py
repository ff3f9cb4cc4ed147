"""What somebody else's code did wrong, in one sentence: whose it is, in which file and line, and what was expected.

An agent or a game may be anybody's. Its exceptions are not ours, so they are named by the innermost line of the person's own file;
what a compiler says over thirty lines becomes its reason and the line it is about.
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

import numpy as np
from numba.core.errors import NumbaError
from numba.core.ir import Loc

from meeple.core.errors import MeepleError, MoveError, listing
from meeple.core.sources import LIBRARIES, PACKAGE
from meeple.core.workers import WorkerFault

EXPECTED = "an action of seen.legal or a move of seen.moves"
FAILED = re.compile(r"Failed in nopython mode pipeline.*")
FILE_LINE = re.compile(r'File "([^"]+)", line (\d+)')


class AgentFault(MeepleError):
    """An agent raised something, or answered with what is no legal action."""


class Place(NamedTuple):
    """A line of a file."""

    file: str
    line: int

    @property
    def own(self) -> bool:
        """Is it a person's own file: neither of this package nor of an installed library?"""
        path = Path(self.file).resolve()
        return not self.file.startswith("<frozen") and not any(path.is_relative_to(folder) for folder in (PACKAGE, *LIBRARIES))

    @property
    def ours(self) -> bool:
        return Path(self.file).resolve().is_relative_to(PACKAGE)

    def __str__(self) -> str:
        path = Path(self.file).resolve()
        for folder in (PACKAGE.parent, Path.cwd()):
            path = path.relative_to(folder) if path.is_relative_to(folder) else path
        return f"{path}, line {self.line}"


def asked(agent: Any, seen: Any, name: str = "") -> int:
    """The legal action that a plain agent chooses. Whatever it does wrong is an AgentFault that names it."""
    name = name or type(agent).__name__
    with blamed(name, f" at move {seen.ply + 1}"):
        answer = agent.choose(seen)
    return _action(answer, seen, name, _of_choose(agent))


def _action(answer: Any, seen: Any, name: str, where: str) -> int:
    variant = seen.variant
    if isinstance(answer, str):
        try:
            action = int(variant.parse_action(answer))
        except MoveError as error:
            raise AgentFault(f"The agent {name} made no legal move: {error} Expected is {EXPECTED}{where}.") from error
    elif isinstance(answer, (int, np.integer)) and not isinstance(answer, bool):
        action = int(answer)
    else:
        raise AgentFault(f"The agent {name} made no legal move: it answered {_shown(answer)}; expected is {EXPECTED}{where}.")
    if action not in seen.legal:
        move = variant.format_action(action) if 0 <= action < variant.shape.actions else f"action {action}"
        legal = f"'{move}' is not legal for seat {seen.seat} at ply {seen.ply}; legal: {listing(seen.moves)}"
        raise AgentFault(f"The agent {name} made no legal move: {legal}{where}.")
    return action


def _shown(answer: Any) -> str:
    text = repr(answer)
    return f"{text if len(text) <= 40 else text[:39] + '…'} ({type(answer).__name__})"


def _of_choose(agent: Any) -> str:
    inside = getattr(agent, "__wrapped__", agent)
    code = getattr(getattr(type(inside), "choose", None), "__code__", None)
    return f"; its choose is in {Place(code.co_filename, code.co_firstlineno)}" if code else ""


@contextmanager
def blamed(name: str, when: str = "") -> Iterator[None]:
    """Whatever is raised inside is the agent's fault; said so, with file and line."""
    try:
        yield
    except (AgentFault, MemoryError):  # said already by an agent inside it; or nobody's fault
        raise
    except (Exception, SystemExit) as error:
        raise AgentFault(f"The agent {name} failed{when}: {told(error)}.") from error


def told(error: BaseException) -> str:
    """`ValueError: boom (mine.py, line 14)`, in one line."""
    found = place(error)
    return f"{_reason(error)}{f' ({found})' if found else ''}"


def sentence(error: BaseException) -> str:
    """What nobody expected, for a person: whose fault it is, and where."""
    found = place(error)
    who = str(found) if found and found.own else "meeple"
    where = f" ({found})" if found and not found.own else ""
    return f"A fault in {who}: {_reason(error)}{where}; MEEPLE_DEBUG=1 shows more."


def _reason(error: BaseException) -> str:
    if isinstance(error, NumbaError):
        lines = [line.strip() for line in _tail(str(error)).splitlines() if line.strip()]
        of_types = [line[3:].strip() for line in lines[1:2] if line.startswith(">>>")]  # the call that has no implementation
        return " ".join(["cannot be compiled:", *lines[:1], *of_types]).rstrip(".:")
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    if isinstance(error, KeyError) and frames and frames[-1].f_code.co_filename.endswith("npytypes.py"):
        return f"cannot be compiled: the state has no field {error.args[0]!r}"
    text = " ".join(str(error).split()).rstrip(".")
    if isinstance(error, WorkerFault):  # it tells the type itself
        return text
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _tail(text: str) -> str:
    """What the compiler says of the innermost function."""
    return FAILED.split(text)[-1]


def place(error: BaseException) -> Place | None:
    """The innermost line of a person's own file; else of this package; or nothing."""
    found = list(_places(error))
    for wanted in ("own", "ours"):
        if fitting := [each for each in found if getattr(each, wanted)]:
            return fitting[-1]
    return None


def _places(error: BaseException) -> Iterator[Place]:
    """From the outermost to the innermost: calls here, calls in another process, what was being compiled."""
    frames = list(traceback.walk_tb(error.__traceback__))
    for frame, line in frames:
        yield Place(frame.f_code.co_filename, line)
    if isinstance(error, WorkerFault):
        yield from (Place(file, int(line)) for file, line in FILE_LINE.findall(error.trace))
    if isinstance(error, SyntaxError) and error.filename:
        yield Place(error.filename, error.lineno or 1)
    for frame in _frames(error):
        yield from _compiling(frame)
    if isinstance(error, NumbaError):
        yield from (Place(file, int(line)) for file, line in reversed(FILE_LINE.findall(_tail(str(error)))))


def _frames(error: BaseException | None) -> Iterator[FrameType]:
    """Of an error, then of those that it came from: the compiler says an inner function's anew for the one around it."""
    for _ in range(20):
        if error is None:
            return
        yield from (frame for frame, _ in traceback.walk_tb(error.__traceback__))
        error = error.__cause__ or error.__context__


def _compiling(frame: FrameType) -> Iterator[Place]:
    """What a frame of the compiler works on, where it is one."""
    if f"{Path('numba', 'core')}" not in frame.f_code.co_filename:
        return
    for name in ("func", "pyfunc", "func_ir", "self", "inst"):
        found = frame.f_locals.get(name)
        loc = getattr(found, "loc", None)
        if isinstance(loc, Loc) and loc.filename:
            yield Place(loc.filename, loc.line)
        elif isinstance(code := getattr(getattr(found, "py_func", found), "__code__", None), CodeType):
            yield Place(code.co_filename, code.co_firstlineno)

"""Game records: game, variant, seed, actions, as text that people can read and that replays exactly.

    meeple record 1
    game: jaipur:round
    rules: 1
    seed: 42
    players: advanced1, random

    1. seat 0: take diamond
    2. seat 1: sell 3 leather

    end: the market cannot be refilled
    scores: 72, 58

An unfinished game ends with `end: still playing`. A record without its last two lines has been cut off and is refused.
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from meeple.core.errors import MoveError, RecordError
from meeple.core.registry import find_variant
from meeple.core.state import State, new

FIRST_LINE = "meeple record 1"
_MOVE = re.compile(r"([0-9]{1,9})\. seat ([0-9]): (.+)")


@dataclass
class Record:
    """A game as it was played."""

    spec: str
    seed: int
    moves: list[str] = field(default_factory=list)
    players: tuple[str, ...] = ()
    rules: int = 0

    def states(self) -> Iterator[State]:
        """The state before the first move and after each; every move is checked."""
        state = new(self.spec, self.seed)
        yield state.copy()
        for move in self.moves:
            state.play(move)
            yield state.copy()

    def text(self) -> str:
        """Write it down, with what came of it."""
        state = new(self.spec, self.seed)
        lines = []
        for number, move in enumerate(self.moves, 1):
            seat = state.seat
            action = state.play(move)
            lines.append(f"{number}. seat {seat}: {state.variant.format_action(action)}")
        head = [
            FIRST_LINE,
            f"game: {state.variant.spec}",
            f"rules: {state.variant.game.version}",
            f"seed: {self.seed}",
        ]
        if self.players:
            head.append(f"players: {', '.join(self.players)}")
        return "\n".join([*head, "", *lines, "", *_result(state), ""])

    def save(self, path: Path) -> None:
        """Written whole or not at all, so that a crash never leaves half a record."""
        write_atomically(path, self.text())


def _result(state: State) -> list[str]:
    return [f"end: {state.end.reason}", f"scores: {', '.join(f'{x:g}' for x in state.scores())}"]


def write_atomically(path: Path, content: str | bytes) -> None:
    """All of it or nothing: a reader never sees half a file, and neither does whoever comes after a crash."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}.part")
    try:
        with beside.open("wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def write_record(record: Record, path: Path) -> None:
    """Save where a person said, or say why not."""
    try:
        record.save(path)
    except OSError as error:
        raise RecordError(f"{path} cannot be written: {error.strerror}.") from error


def read_record(path: Path) -> Record:
    """Read and check a record file."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise RecordError(f"The record {path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError:
        raise RecordError(f"{path} is no record: it is not text; a record begins with '{FIRST_LINE}'.") from None
    return parse_record(text, str(path))


def parse_record(text: str, name: str = "the record") -> Record:
    """Read a record and replay it: every move must be legal and the result must be the one written down."""
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1)]
    lines = [(number, line) for number, line in lines if line and not line.startswith("#")]
    if not lines or lines[0][1] != FIRST_LINE:
        raise RecordError(f"{name} is no record: its first line must be '{FIRST_LINE}'.")
    head, state = _read_head(lines[1:], name)
    record = Record(state.variant.spec, int(head["seed"]), [], _names(head.get("players", "")), int(head["rules"]))
    body = [(number, line) for number, line in lines[1:] if line.partition(":")[0] not in _HEAD]
    result = []
    for number, line in body:
        if line.startswith(("end:", "scores:")):
            result.append((number, line))
        else:
            record.moves.append(_read_move(line, number, state, name))
    _check_result(result, state, name)
    return record


_HEAD = ("game", "rules", "seed", "players")


def _read_head(lines: list[tuple[int, str]], name: str) -> tuple[dict[str, str], State]:
    head: dict[str, str] = {}
    for number, line in lines:
        key, _, value = line.partition(":")
        if key in head:
            raise RecordError(f"{name}, line {number}: says '{key}:' a second time; a record says it once.")
        if key in _HEAD:
            head[key] = value.strip()
    for key in ("game", "rules", "seed"):
        if not head.get(key):
            raise RecordError(f"{name} does not say '{key}: …', which a record needs.")
    for key in ("rules", "seed"):
        if not re.fullmatch(r"[0-9]{1,20}", head[key]):
            raise RecordError(f"{name} says '{key}: {head[key]}' where a whole number is needed.")
    variant = find_variant(head["game"])
    if int(head["rules"]) != variant.game.version:
        raise RecordError(
            f"{name} was played under version {head['rules']} of {variant.game.name}'s rules; this is {variant.game.version}."
        )
    return head, new(variant, int(head["seed"]))


def _names(text: str) -> tuple[str, ...]:
    """Names stand apart by comma and space: an agent with parameters, `advanced1:k1=0.6,k2=0.4`, has commas of its own."""
    return tuple(re.split(r",\s+", text)) if text else ()


def _read_move(line: str, number: int, state: State, name: str) -> str:
    where = f"{name}, line {number}"
    match = _MOVE.fullmatch(line)
    if not match:
        raise RecordError(f"{where}: '{line}' is not '{state.ply + 1}. seat {state.seat}: MOVE'; the line seems cut off.")
    if int(match[1]) != state.ply + 1:
        raise RecordError(f"{where}: move {match[1]} stands where move {state.ply + 1} must follow.")
    if not state.over and int(match[2]) != state.seat:
        raise RecordError(f"{where}: seat {match[2]} moves, but it is seat {state.seat}'s turn.")
    try:
        state.play(match[3])
    except MoveError as error:
        raise RecordError(f"{where}: {error}") from error
    return match[3]


def _check_result(result: list[tuple[int, str]], state: State, name: str) -> None:
    expected = _result(state)
    if len(result) < len(expected):
        raise RecordError(f"{name} is cut off after move {state.ply}: its last lines must be '{'; '.join(expected)}'.")
    for (number, line), right in zip(result, expected, strict=False):
        if line != right:
            raise RecordError(f"{name}, line {number}: says '{line}', but the moves give '{right}'.")
    for number, line in result[len(expected) :]:
        raise RecordError(f"{name}, line {number}: says '{line}', but a record says its result once.")


def replay(path: str | Path) -> State:
    """The state at the end of a record file, every move checked."""
    record = read_record(Path(path))
    *_, last = record.states()
    return last

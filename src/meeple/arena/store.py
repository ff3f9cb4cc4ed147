"""Results kept in one SQLite file: every match, every game with its actions, so that any of them can be replayed; and trainings.

Finished games are committed as they come, so Ctrl-C or a crash loses only what was being played; the same command goes on
from there. docs/results_file.md explains the tables.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.agents.registry import labelled
from meeple.arena.file import Database
from meeple.arena.schema import enter
from meeple.arena.table import Finished
from meeple.core.errors import MeepleError
from meeple.core.folders import data_folder

BLOCK = 4096  # games that are read at once


def default_path() -> Path:
    if given := os.environ.get("MEEPLE_STORE"):
        return Path(given).expanduser()
    return data_folder() / "results.sqlite"


class Entrant(NamedTuple):
    """An agent as it enters a match: its name, and a digest of what decides how it plays."""

    spec: str
    digest: str
    clairvoyant: bool = False

    @property
    def label(self) -> str:
        """Its name where people read it, who may open the file when the agent is long gone."""
        return labelled(self.spec, self.clairvoyant)


@dataclass(frozen=True)
class StoredGame:
    """One game of a match."""

    number: int
    seed: int
    seating: list[int]
    scores: list[float]
    outcome: list[float]
    end: int
    turns: int
    own_turns: list[int]
    actions: NDArray[np.int32]


class Block(NamedTuple):
    """Many games of a match, without their actions."""

    numbers: NDArray[np.int64]  # (n,)
    seating: NDArray[np.int64]  # (n, seats) which agent sat where
    scores: NDArray[np.float64]  # (n, seats) by seat
    outcomes: NDArray[np.float64]  # (n, seats)
    ends: NDArray[np.int64]  # (n,)
    turns: NDArray[np.int64]  # (n,)
    own_turns: NDArray[np.float64]  # (n, seats)


class Store(Database):
    """Matches, tournaments and trainings in a results file."""

    @classmethod
    def to_read(cls, path: Path) -> Store:
        """A file that must be there already."""
        if not path.is_file():
            raise MeepleError(f"There is no results file at {path} yet; meeple match makes one.")
        return cls(path, reading=True)

    # ---- Matches ----

    def begin(
        self,
        variant: str,
        rules: int,
        agents: list[Entrant],
        seed: int,
        games: int,
        sources: str = "",
        tournament: int = 0,
        kept: bool = False,
    ) -> int:
        """The match with these choices that was begun and not finished, or a new one; with `kept`, a finished one will do. Results
        of other code are never mixed in."""
        key = json.dumps([variant, rules, agents, seed, games, sources])
        with self.transaction():
            row = self.db.execute(
                "SELECT id FROM match WHERE key = ? AND tournament = ? AND (done = 0 OR tournament > 0 OR ?) ORDER BY id",
                (key, tournament, kept),
            ).fetchone()
            if row:
                return int(row[0])
            names = json.dumps([agent.label for agent in agents])
            cursor = self.db.execute(
                "INSERT INTO match (key, variant, rules, agents, seed, games, tournament, started) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, datetime('now'))",
                (key, variant, rules, names, str(seed), games, tournament),
            )
            number = int(cursor.lastrowid or 0)
            enter(self.db, number, agents)
            return number

    def add(self, match: int, numbers: range, seeds: list[int], seating: NDArray[np.int32], done: Finished, seconds: float) -> None:
        """Finished games, all or none. Somebody else may have added them meanwhile: those stay."""
        rows = [
            (
                match,
                number,
                str(seeds[i]),
                json.dumps(seating[i].tolist()),
                json.dumps(done.scores[i].tolist()),
                json.dumps(done.outcomes[i].tolist()),
                int(done.ends[i]),
                int(done.turns[i]),
                json.dumps(done.own_turns[i].tolist()),
                zlib.compress(done.actions[i].astype("<i4").tobytes()),
            )
            for i, number in enumerate(numbers)
        ]
        with self.transaction():
            self.db.executemany("INSERT OR IGNORE INTO game VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
            self.db.execute("UPDATE match SET seconds = seconds + ? WHERE id = ?", (seconds, match))

    def finish(self, match: int) -> None:
        with self.transaction():
            self.db.execute("UPDATE match SET done = 1 WHERE id = ?", (match,))

    def played(self, match: int) -> list[range]:
        """Numbers of the finished games, in order."""
        found: list[range] = []
        with self.explained():
            for (number,) in self.db.execute("SELECT number FROM game WHERE match = ? ORDER BY number", (match,)):
                if found and found[-1].stop == number:
                    found[-1] = range(found[-1].start, number + 1)
                else:
                    found.append(range(number, number + 1))
        return found

    def blocks(self, match: int, agents: int, games: int) -> Iterator[Block]:
        """Games 0 to `games` - 1 in order, in blocks; a deal is left out until all its seatings are finished."""
        step = BLOCK // agents * agents
        for first in range(0, games, step):
            with self.explained():
                rows = self.db.execute(
                    "SELECT number, seating, scores, outcome, end, turns, own_turns FROM game "
                    "WHERE match = ? AND number >= ? AND number < ? ORDER BY number",
                    (match, first, min(first + step, games)),
                ).fetchall()
                if rows:
                    yield _whole_deals(_block(rows), agents)

    def games(self, match: int) -> list[StoredGame]:
        """All at once, with their actions: for matches that are not too long."""
        return self._games("match = ?", match)

    def game(self, match: int, number: int) -> StoredGame:
        found = self._games("match = ? AND number = ?", match, number)
        if not found:
            raise MeepleError(f"Match {match} in {self.path} has no game {number}.")
        return found[0]

    def _games(self, where: str, *values: int) -> list[StoredGame]:
        columns = "number, seed, seating, scores, outcome, end, turns, own_turns, actions"
        with self.explained():
            rows = self.db.execute(f"SELECT {columns} FROM game WHERE {where} ORDER BY number", values)
            return [_game(row) for row in rows]

    def matches(self) -> list[dict[str, Any]]:
        return self._matches("1")

    def match(self, number: int) -> dict[str, Any]:
        if found := self._matches("id = ?", number):
            return found[0]
        with self.explained():
            latest = self.db.execute("SELECT id FROM match ORDER BY id DESC LIMIT 10").fetchall()
        known = ", ".join(str(row[0]) for row in reversed(latest)) or "none"
        raise MeepleError(f"There is no match {number} in {self.path}; the latest are: {known}.")

    def specs(self, match: int) -> list[str]:
        """The agents of a match as commands name them."""
        with self.explained():
            rows = self.db.execute(
                "SELECT spec FROM entrant JOIN agent ON agent.id = entrant.agent WHERE match = ? ORDER BY place", (match,)
            )
            return [str(spec) for (spec,) in rows]

    def _matches(self, where: str, *values: int) -> list[dict[str, Any]]:
        games = "(SELECT count(*) FROM game WHERE match = match.id)"
        columns = f"id, variant, rules, agents, seed, games, started, seconds, {games}"
        with self.explained():
            rows = self.db.execute(f"SELECT {columns} FROM match WHERE {where}", values).fetchall()
            return [_match(row) for row in rows]

    # ---- Tournaments ----

    def begin_tournament(self, variant: str, rules: int, agents: list[str], seed: int, games: int, sources: str = "") -> int:
        """The tournament with these choices that was begun and not finished, or a new one. Finished matches of it stay so."""
        key = json.dumps([variant, rules, agents, seed, games, sources])
        with self.transaction():
            row = self.db.execute("SELECT id FROM tournament WHERE key = ? AND done = 0", (key,)).fetchone()
            return int(row[0]) if row else int(self.db.execute("INSERT INTO tournament (key) VALUES (?)", (key,)).lastrowid or 0)

    def finish_tournament(self, tournament: int) -> None:
        with self.transaction():
            self.db.execute("UPDATE tournament SET done = 1 WHERE id = ?", (tournament,))

    # ---- Trainings ----

    def begin_run(self, game: str, algo: str, config: Mapping[str, Any], seed: int, digest: str = "") -> int:
        """A new training; `config` is all that was set."""
        with self.transaction():
            cursor = self.db.execute(
                "INSERT INTO run (game, algo, config, seed, digest, started) VALUES (?, ?, ?, ?, ?, datetime('now'))",
                (game, algo, json.dumps(dict(config)), str(seed), digest),
            )
            return int(cursor.lastrowid or 0)

    def add_metrics(self, run: int, step: int, values: Mapping[str, float]) -> None:
        """What was measured at a step of a training; measured again it is replaced."""
        rows = [(run, step, name, float(value)) for name, value in values.items()]
        with self.transaction():
            self.db.executemany("INSERT OR REPLACE INTO metric VALUES (?, ?, ?, ?)", rows)

    def finish_run(self, run: int) -> None:
        with self.transaction():
            self.db.execute("UPDATE run SET finished = datetime('now') WHERE id = ?", (run,))

    def runs(self) -> list[dict[str, Any]]:
        """All trainings, without their metrics."""
        names = ("id", "game", "algo", "config", "seed", "digest", "started", "finished")
        with self.explained():
            rows = self.db.execute(f"SELECT {', '.join(names)} FROM run").fetchall()
            return [{**dict(zip(names, row, strict=True)), "config": json.loads(row[3]), "seed": int(row[4])} for row in rows]

    def metrics(self, run: int, name: str) -> list[tuple[int, float]]:
        """(step, value) of one metric, in order."""
        with self.explained():
            return self.db.execute(
                "SELECT step, value FROM metric WHERE run = ? AND name = ? ORDER BY step", (run, name)
            ).fetchall()


@lru_cache(1 << 14)
def _numbers(text: str) -> tuple[float, ...]:
    """A list of numbers in JSON. Most repeat themselves: seatings, outcomes, even scores."""
    values = json.loads(text)
    if not isinstance(values, list) or not all(isinstance(value, (int, float)) for value in values):
        raise ValueError(f"'{text[:40]}' is no list of numbers")
    return tuple(values)


def _match(row: tuple[Any, ...]) -> dict[str, Any]:
    """A match as it is listed. SQLite lets anything stand in any column, so what is there is looked at."""
    number, variant, rules, agents, seed, games, started, seconds, finished = row
    for text in (variant, started):
        if not isinstance(text, str):
            raise ValueError(f"match {number} has {text!r} where a text should be")
    return {
        "id": number,
        "variant": variant,
        "rules": int(rules),
        "agents": _texts(agents),
        "seed": int(seed),
        "games": int(games),
        "started": started,
        "seconds": float(seconds),
        "finished": finished,
    }


def _texts(text: str) -> list[str]:
    values = json.loads(text)
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise ValueError(f"'{text[:40]}' is no list of agents")
    return values


def _block(rows: Iterable[tuple[Any, ...]]) -> Block:
    numbers, seating, scores, outcomes, ends, turns, own = zip(*rows, strict=True)
    table = [np.array([_numbers(text) for text in texts], float) for texts in (seating, scores, outcomes, own)]
    if len({part.shape for part in table}) > 1:
        raise ValueError("its games have different numbers of seats")
    whole = [np.array(values, np.int64) for values in (numbers, ends, turns)]
    return Block(whole[0], table[0].astype(np.int64), table[1], table[2], whole[1], whole[2], table[3])


def _whole_deals(block: Block, agents: int) -> Block:
    deals, counts = np.unique(block.numbers // agents, return_counts=True)
    if (counts == agents).all():
        return block
    kept = np.isin(block.numbers // agents, deals[counts == agents])
    return Block._make(part[kept] for part in block)


def _game(row: tuple[Any, ...]) -> StoredGame:
    number, seed, seating, scores, outcome, end, turns, own_turns, actions = row
    return StoredGame(
        number=number,
        seed=int(seed),
        seating=[int(who) for who in _numbers(seating)],
        scores=list(_numbers(scores)),
        outcome=list(_numbers(outcome)),
        end=int(end),
        turns=int(turns),
        own_turns=[int(n) for n in _numbers(own_turns)],
        actions=np.frombuffer(zlib.decompress(actions), "<i4").astype(np.int32),
    )

"""Results kept in one SQLite file: every match, every game with its actions, so that any of them can be replayed.

Finished chunks are committed as they come, so Ctrl-C or a crash loses only what was being played; the same command goes on
from there.
"""

from __future__ import annotations

import json
import os
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.arena.table import Finished
from meeple.core.errors import MeepleError
from meeple.core.folders import data_folder
from meeple.core.sources import digest

FORMAT = 1
SCHEMA = """
CREATE TABLE IF NOT EXISTS match (
    id INTEGER PRIMARY KEY, key TEXT, variant TEXT, rules INTEGER, agents TEXT, seed TEXT, games INTEGER, started TEXT,
    tournament INTEGER, done INTEGER DEFAULT 0
);
CREATE TABLE IF NOT EXISTS tournament (id INTEGER PRIMARY KEY, key TEXT, done INTEGER DEFAULT 0);
CREATE INDEX IF NOT EXISTS match_key ON match (key);
CREATE TABLE IF NOT EXISTS chunk (match INTEGER, number INTEGER, seconds REAL, PRIMARY KEY (match, number));
CREATE TABLE IF NOT EXISTS game (
    match INTEGER, number INTEGER, chunk INTEGER, seed TEXT, seating TEXT, scores TEXT, outcome TEXT, end INTEGER, turns INTEGER,
    own_turns TEXT, actions BLOB, PRIMARY KEY (match, number)
);
"""


def default_path() -> Path:
    if given := os.environ.get("MEEPLE_STORE"):
        return Path(given).expanduser()
    return data_folder() / "results.sqlite"


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


class Store:
    """The file. Several processes may use one at a time: SQLite makes them wait for each other."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with self._explained():
            path.parent.mkdir(parents=True, exist_ok=True)
            self.db = sqlite3.connect(path, timeout=60, isolation_level=None)
            self.db.execute("PRAGMA journal_mode = WAL")
            (version,) = self.db.execute("PRAGMA user_version").fetchone()
            if version not in (0, FORMAT):
                raise MeepleError(f"{path} has format {version} of the results file; this program writes format {FORMAT}.")
            self.db.executescript(SCHEMA)
            self.db.execute(f"PRAGMA user_version = {FORMAT}")

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            why = str(error).rstrip(".")
            raise MeepleError(
                f"The results file {self.path} cannot be used ({why}); name another with --store, or move this one away."
            ) from error

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._explained():
            self.db.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self.db.execute("ROLLBACK")
                raise
            self.db.execute("COMMIT")

    def begin(self, variant: str, rules: int, agents: list[str], seed: int, games: int, tournament: int = 0) -> int:
        """The match with these choices that was begun and not finished, or a new one. Results of other code are never mixed in."""
        key = json.dumps([variant, rules, agents, seed, games, digest()])
        with self._transaction():
            row = self.db.execute(
                "SELECT id FROM match WHERE key = ? AND tournament = ? AND (done = 0 OR tournament > 0)", (key, tournament)
            ).fetchone()
            if row:
                return int(row[0])
            cursor = self.db.execute(
                "INSERT INTO match (key, variant, rules, agents, seed, games, tournament, started) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, datetime('now'))",
                (key, variant, rules, json.dumps(agents), str(seed), games, tournament),
            )
            return int(cursor.lastrowid or 0)

    def add(
        self, match: int, chunk: int, first: int, seeds: list[int], seating: NDArray[np.int8], done: Finished, seconds: float
    ) -> None:
        """A finished chunk, whole or not at all. Somebody else may have added it meanwhile: it is the same then."""
        rows = [
            (
                match,
                first + i,
                chunk,
                str(seed),
                json.dumps(seating[i].tolist()),
                json.dumps(done.scores[i].tolist()),
                json.dumps(done.outcomes[i].tolist()),
                int(done.ends[i]),
                int(done.turns[i]),
                json.dumps(done.own_turns[i].tolist()),
                zlib.compress(done.actions[i].astype("<i4").tobytes()),
            )
            for i, seed in enumerate(seeds)
        ]
        with self._transaction():
            self.db.execute("INSERT OR IGNORE INTO chunk VALUES (?, ?, ?)", (match, chunk, seconds))
            self.db.executemany("INSERT OR IGNORE INTO game VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)

    def begin_tournament(self, variant: str, rules: int, agents: list[str], seed: int, games: int) -> int:
        """The tournament with these choices that was begun and not finished, or a new one. Finished matches of it stay so."""
        key = json.dumps([variant, rules, agents, seed, games, digest()])
        with self._transaction():
            row = self.db.execute("SELECT id FROM tournament WHERE key = ? AND done = 0", (key,)).fetchone()
            return int(row[0]) if row else int(self.db.execute("INSERT INTO tournament (key) VALUES (?)", (key,)).lastrowid or 0)

    def finish(self, match: int) -> None:
        with self._transaction():
            self.db.execute("UPDATE match SET done = 1 WHERE id = ?", (match,))

    def finish_tournament(self, tournament: int) -> None:
        with self._transaction():
            self.db.execute("UPDATE tournament SET done = 1 WHERE id = ?", (tournament,))

    def chunks(self, match: int) -> dict[int, float]:
        """Finished chunks and the seconds they took."""
        with self._explained():
            return dict(self.db.execute("SELECT number, seconds FROM chunk WHERE match = ?", (match,)))

    def games(self, match: int, chunk: int | None = None) -> list[StoredGame]:
        columns = "number, seed, seating, scores, outcome, end, turns, own_turns, actions"
        where, values = ("match = ?", [match]) if chunk is None else ("match = ? AND chunk = ?", [match, chunk])
        with self._explained():
            rows = self.db.execute(f"SELECT {columns} FROM game WHERE {where} ORDER BY number", values).fetchall()
        return [_game(row) for row in rows]

    def game(self, match: int, number: int) -> StoredGame:
        found = [game for game in self.games(match) if game.number == number]
        if not found:
            raise MeepleError(f"Match {match} in {self.path} has no game {number}.")
        return found[0]

    def matches(self) -> list[dict[str, Any]]:
        with self._explained():
            rows = self.db.execute(
                "SELECT id, variant, rules, agents, seed, games, started, "
                "(SELECT count(*) FROM game WHERE match = match.id) FROM match"
            ).fetchall()
        names = ("id", "variant", "rules", "agents", "seed", "games", "started", "finished")
        return [{**dict(zip(names, row, strict=True)), "agents": json.loads(row[3]), "seed": int(row[4])} for row in rows]

    def match(self, number: int) -> dict[str, Any]:
        matches = self.matches()
        for found in matches:
            if found["id"] == number:
                return found
        known = ", ".join(str(m["id"]) for m in matches[-10:]) or "none"
        raise MeepleError(f"There is no match {number} in {self.path}; the latest are: {known}.")

    def close(self) -> None:
        self.db.close()


def _game(row: tuple[Any, ...]) -> StoredGame:
    number, seed, seating, scores, outcome, end, turns, own_turns, actions = row
    return StoredGame(
        number=number,
        seed=int(seed),
        seating=json.loads(seating),
        scores=json.loads(scores),
        outcome=json.loads(outcome),
        end=end,
        turns=turns,
        own_turns=json.loads(own_turns),
        actions=np.frombuffer(zlib.decompress(actions), "<i4").astype(np.int32),
    )

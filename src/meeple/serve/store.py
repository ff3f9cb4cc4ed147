"""Games of people in one SQLite file: every game, everything that happened in it, digests of who may sit where.

A game is its events: moves, takebacks, resignations, in order. A position is never stored: it follows from the deal and the moves.
Everything is written before anybody is told of it, so whoever kills the server loses nothing that was seen.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from meeple.core.errors import MeepleError

VERSION = 1
SCHEMA = """
CREATE TABLE IF NOT EXISTS game (
    id TEXT PRIMARY KEY, kind TEXT NOT NULL, variant TEXT NOT NULL, rules INTEGER NOT NULL, seed TEXT NOT NULL, start BLOB,
    seats TEXT NOT NULL, coach INTEGER NOT NULL, created REAL NOT NULL, ended REAL, result TEXT
);
CREATE TABLE IF NOT EXISTS event (
    game TEXT NOT NULL, number INTEGER NOT NULL, kind TEXT NOT NULL, seat INTEGER NOT NULL, value INTEGER NOT NULL,
    at REAL NOT NULL, PRIMARY KEY (game, number)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS token (
    digest TEXT PRIMARY KEY, game TEXT NOT NULL, seat INTEGER NOT NULL, role TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS sitting (
    player TEXT NOT NULL, game TEXT NOT NULL, seat INTEGER NOT NULL, PRIMARY KEY (player, game, seat)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS finding (
    game TEXT NOT NULL, ply INTEGER NOT NULL, found TEXT NOT NULL, PRIMARY KEY (game, ply)
) WITHOUT ROWID;
"""


class Event(NamedTuple):
    """Something that happened in a game. `value` is an action of a move, a ply for a takeback."""

    kind: str  # move, ask (for a takeback), back (it is granted), decline, resign, hint, sit
    seat: int
    value: int = 0


@dataclass(frozen=True)
class GameRow:
    """A game as it began; its events tell the rest."""

    id: str
    kind: str  # game, watch (agents among themselves), record (read from a file or from the arena)
    variant: str
    rules: int
    seed: int
    start: bytes | None  # the position it began with, where that was set up by hand
    seats: list[dict[str, Any]]
    coach: bool
    created: float = 0.0


class Store:
    """One connection, used by the one thread that serves."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with self._explained():
            path.parent.mkdir(parents=True, exist_ok=True)
            self.db = sqlite3.connect(path, isolation_level=None)
            path.chmod(0o600)  # it holds the seeds of games that are being played
            version = self.db.execute("PRAGMA user_version").fetchone()[0]
            if version not in (0, VERSION):
                raise MeepleError(f"{path} was written by another version of meeple serve; --data FILE names another file.")
            # NORMAL: a crash of this program loses nothing, one of the machine at most the last moves; FULL takes 80 times as long.
            self.db.executescript("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0;")
            self.db.executescript(f"PRAGMA user_version = {VERSION}; {SCHEMA}")

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except (OSError, sqlite3.Error) as error:
            reason = getattr(error, "strerror", None) or error
            raise MeepleError(f"{self.path} cannot be used for games: {reason}; --data FILE names another file.") from error

    @contextmanager
    def transaction(self) -> Iterator[None]:
        self.db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self.db.execute("ROLLBACK")
            raise
        self.db.execute("COMMIT")

    def tidy(self) -> None:
        """Move what was written from the log into the file; in another thread, since the disk may take seconds."""
        db = sqlite3.connect(self.path)
        try:
            db.execute("PRAGMA wal_checkpoint(PASSIVE)")
        finally:
            db.close()

    def close(self) -> None:
        self.db.close()

    # ---- Games ----

    def add_game(self, game: GameRow) -> None:
        self.db.execute(
            "INSERT INTO game (id, kind, variant, rules, seed, start, seats, coach, created) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                game.id,
                game.kind,
                game.variant,
                game.rules,
                str(game.seed),
                game.start,
                json.dumps(game.seats),
                game.coach,
                time.time(),
            ),
        )

    def game(self, name: str) -> GameRow | None:
        columns = "id, kind, variant, rules, seed, start, seats, coach, created"
        row = self.db.execute(f"SELECT {columns} FROM game WHERE id = ?", (name,)).fetchone()
        if row is None:
            return None
        return GameRow(row[0], row[1], row[2], row[3], int(row[4]), row[5], json.loads(row[6]), bool(row[7]), row[8])

    def set_seats(self, game: str, seats: list[dict[str, Any]]) -> None:
        self.db.execute("UPDATE game SET seats = ? WHERE id = ?", (json.dumps(seats), game))

    def end(self, game: str, result: dict[str, Any] | None) -> None:
        """A game is over, or, by a takeback, is not."""
        ended = None if result is None else time.time()
        self.db.execute("UPDATE game SET ended = ?, result = ? WHERE id = ?", (ended, json.dumps(result) if result else None, game))

    def games(self) -> int:
        return int(self.db.execute("SELECT count(*) FROM game").fetchone()[0])

    # ---- Events ----

    def add_event(self, game: str, number: int, event: Event) -> None:
        self.db.execute("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?)", (game, number, *event, time.time()))

    def events(self, game: str) -> list[Event]:
        rows = self.db.execute("SELECT kind, seat, value FROM event WHERE game = ? ORDER BY number", (game,))
        return [Event(*row) for row in rows]

    # ---- Who may sit where ----

    def add_token(self, digest: str, game: str, seat: int, role: str) -> None:
        self.db.execute("INSERT INTO token VALUES (?, ?, ?, ?)", (digest, game, seat, role))

    def drop_token(self, digest: str) -> None:
        self.db.execute("DELETE FROM token WHERE digest = ?", (digest,))

    def token(self, digest: str, game: str) -> tuple[int, str] | None:
        """(seat, role) that a token opens at a game."""
        row = self.db.execute("SELECT seat, role FROM token WHERE digest = ? AND game = ?", (digest, game)).fetchone()
        return (int(row[0]), str(row[1])) if row else None

    # ---- Players over time ----

    def add_sitting(self, player: str, game: str, seat: int) -> None:
        self.db.execute("INSERT OR IGNORE INTO sitting VALUES (?, ?, ?)", (player, game, seat))

    def sittings(self, player: str) -> list[tuple[str, int, str, float, str | None, str]]:
        """(game, seat, variant, created, result, seats) of a player's games, the oldest first."""
        return self.db.execute(
            "SELECT game.id, sitting.seat, game.variant, game.created, game.result, game.seats FROM sitting "
            "JOIN game ON game.id = sitting.game WHERE sitting.player = ? ORDER BY game.created",
            (player,),
        ).fetchall()

    # ---- What a review found ----

    def add_finding(self, game: str, ply: int, found: dict[str, Any]) -> None:
        self.db.execute("INSERT OR REPLACE INTO finding VALUES (?, ?, ?)", (game, ply, json.dumps(found)))

    def findings(self, game: str) -> dict[int, dict[str, Any]]:
        rows = self.db.execute("SELECT ply, found FROM finding WHERE game = ?", (game,))
        return {int(ply): json.loads(found) for ply, found in rows}

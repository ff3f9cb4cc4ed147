"""The results file as a file: opened to write or only to read, migrated, and every fault of it told in one sentence."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from meeple.arena.schema import FORMAT, prepare
from meeple.core.errors import MeepleError

DAMAGED = (zlib.error, ValueError, TypeError, KeyError, IndexError, OverflowError)  # a UnicodeError is a ValueError, as JSON's is


class Database:
    """A connection to one SQLite file. Several processes may use one at a time: SQLite makes them wait for each other.

    Without a path it is a file without a name, which is gone when it is closed. To read, nothing is written beside the file or
    into it, so it may be on a disk that cannot be written.
    """

    def __init__(self, path: Path | None, reading: bool = False) -> None:
        self.path = path
        with self.explained():
            self.db = self._open_to_read(path) if reading and path else self._open(path)
            if not reading:
                self._prepare()

    def _open(self, path: Path | None) -> sqlite3.Connection:
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
        db = sqlite3.connect(path or "", timeout=60, isolation_level=None)
        db.execute("PRAGMA journal_mode = WAL")
        return db

    def _prepare(self) -> None:
        if self._version(self.db) != FORMAT:
            with self.transaction():
                if (version := self._version(self.db)) != FORMAT:  # somebody else may have been quicker
                    prepare(self.db, version)

    def _version(self, db: sqlite3.Connection) -> int:
        (version,) = db.execute("PRAGMA user_version").fetchone()
        if not 0 <= version <= FORMAT:
            raise MeepleError(f"{self.path} has format {version} of the results file; this program writes format {FORMAT}.")
        if version == 0 and db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            raise MeepleError(f"{self.path} is a database, but no results file; name another with --store.")
        return int(version)

    def _open_to_read(self, path: Path) -> sqlite3.Connection:
        db = _readable(path)
        if self._version(db) == FORMAT:
            return db
        copy = sqlite3.connect("", isolation_level=None)  # an older format is read from a copy in today's
        db.backup(copy)
        copy.execute("BEGIN")
        prepare(copy, self._version(copy))
        copy.execute("COMMIT")
        return copy

    @contextmanager
    def explained(self) -> Iterator[None]:
        """What is wrong with the file as one sentence."""
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            why = str(error).rstrip(".")
            raise MeepleError(
                f"The results file {self.path} cannot be used ({why}); name another with --store, or move this one away."
            ) from error
        except DAMAGED as error:
            why = str(error).rstrip(".").partition("\n")[0]
            raise MeepleError(
                f"The results file {self.path} is damaged ({why}); name another with --store, or move this one away."
            ) from error

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing."""
        with self.explained():
            self.db.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                if self.db.in_transaction:
                    self.db.execute("ROLLBACK")
                raise
            self.db.execute("COMMIT")

    def close(self) -> None:
        self.db.close()


def _readable(path: Path) -> sqlite3.Connection:
    """SQLite wants to write a little file beside even to read; where it cannot, the file is declared unchanging."""
    address = f"file:{quote(str(path.absolute()))}?mode=ro"
    try:
        db = sqlite3.connect(address, uri=True, timeout=60, isolation_level=None)
        db.execute("SELECT count(*) FROM sqlite_master").fetchone()
        return db
    except sqlite3.OperationalError:
        beside = path.with_name(path.name + "-wal")
        if not path.is_file() or (beside.exists() and beside.stat().st_size):
            raise
        return sqlite3.connect(f"{address}&immutable=1", uri=True, isolation_level=None)

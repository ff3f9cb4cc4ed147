"""Records and results files, damaged as disks, editors, other programs and other versions do."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Callable
from random import Random

from tests.fuzz.case import Case, Shelf, some

# ---- Bytes ----


def cut(random: Random, data: bytes) -> bytes:
    return data[: random.randrange(len(data))]


def flip(random: Random, data: bytes) -> bytes:
    flipped = bytearray(data)
    for _ in range(random.choice([1, 1, 2, 10, 100])):
        flipped[random.randrange(len(data))] ^= 1 << random.randrange(8)
    return bytes(flipped)


def overwrite(random: Random, data: bytes) -> bytes:
    start, length = random.randrange(len(data)), random.choice([1, 16, 512, 4096])
    return data[:start] + random.choice([b"\0", b"\xff", b"A"]) * length + data[start + length :]


def head(random: Random, data: bytes) -> bytes:
    """Only where a file says what it is."""
    return flip(random, data[:100]) + data[100:]


def other(random: Random, data: bytes) -> bytes:  # noqa: ARG001
    """Something else altogether."""
    return random.choice(
        [b"", b"\0" * 5000, b"hello\n", b"\xff\xfe\x00", random.randbytes(3000), b"SQLite format 3\0", b"PK\x03\x04"]
    )


BYTES = (cut, flip, overwrite, head, other)

# ---- Records ----

VALUES = [
    "0",
    "-1",
    "2",
    "99",
    "nan",
    "",
    "99999999999999999999999",
    "1.5",
    "tiny",
    "tiny:nim",
    "tiny:pot",
    "jaipur:round",
    "x=[",
    "\u202e",
    "🎲",
    "'",
]


def lines(random: Random, data: bytes) -> bytes:
    """Lines swapped, doubled, missing, or one of them changed."""
    text = data.decode().split("\n")
    for _ in range(random.choice([1, 1, 2, 5])):
        a, b = random.randrange(len(text)), random.randrange(len(text))
        what = random.randrange(7)
        if what == 0:
            text[a], text[b] = text[b], text[a]
        elif what == 1:
            text.insert(a, text[b])
        elif what == 2 and len(text) > 1:
            del text[a]
        elif what == 3:
            text[a] = text[a].partition(":")[0] + ": " + some(random, VALUES)
        elif what == 4:
            text[a] = text[a] + some(random, VALUES)
        elif what == 5:
            text.insert(
                a, some(random, ["# note", "meeple record 1", "seat: 7", "\t", "x" * 10_000, "1. seat 9: take 1", "end: over"])
            )
        else:
            text[0] = some(
                random, ["meeple record 2", "meeple record 0", "meeple record", "meeple record 1.0", "\ufeffmeeple record 1"]
            )
    return random.choice(["\n", "\n", "\n", "\r\n", "\r"]).join(text).encode()


def draw_record(random: Random, shelf: Shelf) -> Case:
    """A damaged record, read by everything that reads one."""
    damaged = random.choice([*BYTES, lines, lines, lines])(random, random.choice(shelf.records))
    if random.random() < 0.1:
        damaged = random.choice(shelf.records)
    at = ["--ply", str(random.choice([-2, 0, 1, 2, 5, 99]))] if random.random() < 0.3 else []
    words = [
        ["replay", "record.txt", *at],
        ["replay", "record.txt", "--json", "--seat", some(random, ["0", "1", "2", "-1", "9"])],
        ["replay", "record.txt", "--save", some(random, ["copy.txt", "record.txt", "folder", "full", "nowhere/x"])],
        ["analyze", "record.txt", "--iterations", "8", *at],
        ["play", "record.txt", "--resume"],
        ["play", "--resume"],
    ]
    kept = {"record.txt": damaged, "data/meeple/games/mine.txt": damaged}
    return Case("record", random.choice(words), kept, typed="1\nquit\n", fresh=random.random() < 0.005)


# ---- Results files ----

COLUMNS: dict[str, list[str]] = {
    "match": ["key", "variant", "rules", "agents", "seed", "games", "started", "tournament", "done", "seconds"],
    "game": ["match", "number", "seed", "seating", "scores", "outcome", "end", "turns", "own_turns", "actions"],
    "tournament": ["id", "key", "done"],
    "entrant": ["place", "agent"],
    "agent": ["spec", "digest", "clairvoyant"],
}
CELLS: list[object] = [
    None,
    b"",
    b"\xff\xfe",
    "",
    "not json",
    "[]",
    "[1, 2",
    '{"a": 1}',
    "[NaN, 1]",
    '["a", "b"]',
    "[[0], [1]]",
    '["\\ud800"]',
    "null",
]
CELLS += [
    -1,
    0,
    1,
    99,
    2**62,
    -(2**62),
    1.5,
    1e308,
    "nan",
    "1e999",
    "tiny:pot",
    "jaipur:round",
    "x" * 9999,
    "\x00",
    "[0, 1, 2]",
    "[5, 6]",
]
CELLS += [
    zlib.compress(b""),
    zlib.compress(b"abc"),
    zlib.compress(b"\xff" * 8),
    zlib.compress(b"\1\0\0\0" * 99),
    zlib.compress(b"\0" * 40)[:-3],
]


def cells(random: Random, db: sqlite3.Connection) -> None:
    """Some cell holds what nobody wrote."""
    for _ in range(random.choice([1, 1, 3])):
        table = random.choice([name for name in COLUMNS if _has(db, name)])
        where = "" if random.random() < 0.3 else f"WHERE rowid = (SELECT rowid FROM {table} LIMIT 1 OFFSET {random.randrange(3)})"
        column = random.choice(COLUMNS[table])
        db.execute(f"UPDATE OR IGNORE {table} SET {column} = ? {where}", (random.choice(CELLS),))


def _has(db: sqlite3.Connection, table: str) -> bool:
    return bool(db.execute("SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = ?", (table,)).fetchone()[0])


def tables(random: Random, db: sqlite3.Connection) -> None:
    """A table is missing, empty or another one."""
    table = random.choice([name for name in COLUMNS if _has(db, name)])
    what = random.randrange(4)
    if what == 0:
        db.execute(f"DROP TABLE {table}")
    elif what == 1:
        db.execute(f"DELETE FROM {table}")
    elif what == 2:
        db.execute(f"ALTER TABLE {table} RENAME TO something")
    else:
        db.execute(f"ALTER TABLE {table} RENAME COLUMN {COLUMNS[table][-1]} TO something")


def version(random: Random, db: sqlite3.Connection) -> None:
    db.execute(f"PRAGMA user_version = {random.choice([0, 1, 2, 3, 99, -1, 2147483647])}")


def text(random: Random, db: sqlite3.Connection) -> None:
    """Letters that are no Unicode."""
    column = random.choice(["variant", "agents", "seed", "started", "key"])
    db.execute(f"UPDATE match SET {column} = CAST(x'ff80fe' AS TEXT)")


def draw_store(random: Random, shelf: Shelf) -> Case:
    """A damaged results file, given to everything that reads or writes one."""
    data = shelf.store if random.random() < 0.8 else shelf.first_format
    if random.random() < 0.35:
        data = random.choice(BYTES)(random, data)
    else:
        data = edited(data, random.choice([cells, cells, cells, tables, version, text]), random)
    number = some(random, ["1", "1", "2", "3", "0", "-1", "99"])
    game = some(random, ["0", "0", "1", "3", "-1", "99"])
    given = ["--store", "store.sqlite"]
    words = [
        ["results", *given],
        ["results", "--json", *given],
        ["replay", "--match", number, "--game", game, *given],
        ["replay", "--match", number, "--game", game, "--json", *given],
        ["match", "tiny:nim", "random", "guided", "--games", "4", "--processes", "1", *given],
        ["tournament", "tiny:nim", "random", "guided", "expectimax:nodes=8", "--games", "2", "--processes", "1", *given],
    ]
    return Case("store", random.choice(words), {"store.sqlite": data}, fresh=random.random() < 0.005)


def edited(data: bytes, edit: Callable[[Random, sqlite3.Connection], None], random: Random) -> bytes:
    db = sqlite3.connect(":memory:", isolation_level=None)
    db.deserialize(data)
    try:
        edit(random, db)
    except sqlite3.Error:  # this edit cannot be made to this file
        db.execute("DELETE FROM game")
    made = db.serialize()
    db.close()
    return made


def first_format(store: bytes) -> bytes:
    """The same results as the first version of the program kept them."""
    db = sqlite3.connect(":memory:", isolation_level=None)
    db.deserialize(store)
    if _has(db, "entrant"):
        db.executescript("""
            DROP VIEW IF EXISTS result;
            DROP TABLE entrant; DROP TABLE agent; DROP TABLE run; DROP TABLE metric;
            ALTER TABLE match DROP COLUMN seconds;
            CREATE TABLE chunk (match INTEGER, number INTEGER, seconds REAL, PRIMARY KEY (match, number));
            ALTER TABLE game ADD COLUMN chunk INTEGER DEFAULT 0;
            INSERT INTO chunk SELECT id, 0, 1.0 FROM match;
        """)
    db.execute("PRAGMA user_version = 1")
    made = db.serialize()
    db.close()
    return made

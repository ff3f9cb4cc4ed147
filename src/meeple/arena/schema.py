"""The tables of the results file, and how a file of an older format becomes one of today's. docs/results_file.md explains them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence

from meeple.agents.registry import LABEL

FORMAT = 2

TABLES = """
CREATE TABLE agent (
    id INTEGER PRIMARY KEY, spec TEXT NOT NULL, digest TEXT NOT NULL, clairvoyant INTEGER NOT NULL, UNIQUE (spec, digest)
);
CREATE TABLE tournament (id INTEGER PRIMARY KEY, key TEXT, done INTEGER DEFAULT 0);
CREATE TABLE match (
    id INTEGER PRIMARY KEY, key TEXT, variant TEXT, rules INTEGER, agents TEXT, seed TEXT, games INTEGER, started TEXT,
    tournament INTEGER, done INTEGER DEFAULT 0, seconds REAL DEFAULT 0
);
CREATE INDEX match_key ON match (key);
CREATE TABLE game (
    match INTEGER, number INTEGER, seed TEXT, seating TEXT, scores TEXT, outcome TEXT, end INTEGER, turns INTEGER,
    own_turns TEXT, actions BLOB, PRIMARY KEY (match, number)
);
"""

ADDED_BY_2 = """
CREATE TABLE entrant (match INTEGER, place INTEGER, agent INTEGER REFERENCES agent (id), PRIMARY KEY (match, place));
CREATE TABLE run (
    id INTEGER PRIMARY KEY, game TEXT, algo TEXT, config TEXT, seed TEXT, digest TEXT, started TEXT, finished TEXT
);
CREATE TABLE metric (run INTEGER, step INTEGER, name TEXT, value REAL, PRIMARY KEY (run, name, step)) WITHOUT ROWID;
CREATE VIEW result AS
    SELECT game.match, game.number AS game, match.variant, seats.key AS seat,
        json_extract(match.agents, '$[' || seats.value || ']') AS agent,
        json_extract(game.scores, '$[' || seats.key || ']') AS score,
        json_extract(game.outcome, '$[' || seats.key || ']') AS outcome,
        json_extract(game.own_turns, '$[' || seats.key || ']') AS turns
    FROM game JOIN match ON match.id = game.match, json_each(game.seating) AS seats;
"""

FROM_1 = """
CREATE TABLE agent (
    id INTEGER PRIMARY KEY, spec TEXT NOT NULL, digest TEXT NOT NULL, clairvoyant INTEGER NOT NULL, UNIQUE (spec, digest)
);
ALTER TABLE match ADD COLUMN seconds REAL DEFAULT 0;
UPDATE match SET seconds = coalesce((SELECT sum(seconds) FROM chunk WHERE chunk.match = match.id), 0);
DROP TABLE chunk;
ALTER TABLE game DROP COLUMN chunk;
"""


def prepare(db: sqlite3.Connection, version: int) -> None:
    """Make a new file's tables, or bring an old one's up to date; the caller holds a transaction, so it is all or nothing."""
    if version == 0:
        _run(db, TABLES + ADDED_BY_2)
    elif version == 1:
        _run(db, FROM_1 + ADDED_BY_2)
        _name_entrants(db)
    db.execute(f"PRAGMA user_version = {FORMAT}")


def _run(db: sqlite3.Connection, script: str) -> None:
    """Statement by statement: `executescript` would end the transaction first."""
    for statement in script.split(";\n"):
        if statement.strip():
            db.execute(statement)


def _name_entrants(db: sqlite3.Connection) -> None:
    """The first format kept the agents' names alone: their digests stay empty."""
    for match, agents in db.execute("SELECT id, agents FROM match").fetchall():
        enter(db, match, [(name.removesuffix(LABEL), "", "clairvoyant" in name) for name in json.loads(agents)])


def enter(db: sqlite3.Connection, match: int, agents: Sequence[tuple[str, str, bool]]) -> None:
    """Write down who plays a match: (spec, digest, clairvoyant) of each."""
    for place, (spec, digest, clairvoyant) in enumerate(agents):
        db.execute("INSERT OR IGNORE INTO agent (spec, digest, clairvoyant) VALUES (?, ?, ?)", (spec, digest, int(clairvoyant)))
        (agent,) = db.execute("SELECT id FROM agent WHERE spec = ? AND digest = ?", (spec, digest)).fetchone()
        db.execute("INSERT INTO entrant VALUES (?, ?, ?)", (match, place, agent))

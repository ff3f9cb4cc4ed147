"""The results file: plain SQL, older formats, disks that cannot be written, and damage."""

from __future__ import annotations

import json
import re
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from meeple.arena.match import play_match
from meeple.arena.plan import make_plan
from meeple.arena.records import stored_record
from meeple.arena.schema import FORMAT
from meeple.arena.store import Entrant, Store
from meeple.core.errors import MeepleError
from meeple.core.registry import find_game

FIRST_FORMAT = """
CREATE TABLE match (
    id INTEGER PRIMARY KEY, key TEXT, variant TEXT, rules INTEGER, agents TEXT, seed TEXT, games INTEGER, started TEXT,
    tournament INTEGER, done INTEGER DEFAULT 0
);
CREATE TABLE tournament (id INTEGER PRIMARY KEY, key TEXT, done INTEGER DEFAULT 0);
CREATE INDEX match_key ON match (key);
CREATE TABLE chunk (match INTEGER, number INTEGER, seconds REAL, PRIMARY KEY (match, number));
CREATE TABLE game (
    match INTEGER, number INTEGER, chunk INTEGER, seed TEXT, seating TEXT, scores TEXT, outcome TEXT, end INTEGER, turns INTEGER,
    own_turns TEXT, actions BLOB, PRIMARY KEY (match, number)
);
PRAGMA user_version = 1;
"""
ACTIONS = zlib.compress(np.array([3, 1, 4], "<i4").tobytes())


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A file as the first format wrote it: one match of two games."""
    path = tmp_path / "old.sqlite"
    with closing(sqlite3.connect(path)) as db, db:
        db.executescript(FIRST_FORMAT)
        agents = json.dumps(["mcts-clairvoyant", "random"])
        db.execute("INSERT INTO match VALUES (1, 'key', 'jaipur:round', 1, ?, '7', 2, '2026-01-01', 0, 1)", (agents,))
        db.executemany("INSERT INTO chunk VALUES (1, ?, 1.5)", [(0,), (1,)])
        for number, seating in enumerate(("[0, 1]", "[1, 0]")):
            row = (number, seating, "[70.0, 50.0]", "[1.0, 0.0]", "[20, 19]", ACTIONS)
            db.execute("INSERT INTO game VALUES (1, ?, 0, '99', ?, ?, ?, 1, 39, ?, ?)", row)
    return path


def test_a_file_of_the_first_format_is_brought_up_to_date(old: Path) -> None:
    store = Store(old)
    assert [game.actions.tolist() for game in store.games(1)] == [[3, 1, 4]] * 2
    (match,) = store.matches()
    assert (match["agents"], match["seed"], match["seconds"], match["finished"]) == (["mcts-clairvoyant", "random"], 7, 3.0, 2)
    agents = store.db.execute("SELECT spec, digest, clairvoyant FROM agent ORDER BY id").fetchall()
    assert agents == [("mcts-clairvoyant", "", 1), ("random", "", 0)]
    rows = store.db.execute("SELECT agent, outcome FROM result WHERE game = 1").fetchall()
    assert rows == [("random", 1.0), ("mcts-clairvoyant", 0.0)]
    assert store.db.execute("PRAGMA user_version").fetchone() == (FORMAT,)
    assert store.begin("jaipur:round", 1, [Entrant("random", "x")], 1, 2) == 2
    store.close()
    assert len(Store(old).matches()) == 2


def test_a_migration_that_fails_changes_nothing(old: Path) -> None:
    with closing(sqlite3.connect(old)) as db, db:
        db.execute("UPDATE match SET agents = 'no JSON'")
        before = list(db.iterdump())
    with pytest.raises(MeepleError, match="is damaged"):
        Store(old)
    with closing(sqlite3.connect(old)) as db:
        assert list(db.iterdump()) == before
        assert db.execute("PRAGMA user_version").fetchone() == (1,)


def test_to_read_an_old_file_it_is_not_changed(old: Path) -> None:
    before = old.read_bytes()
    assert Store(old, reading=True).match(1)["finished"] == 2
    assert old.read_bytes() == before
    assert [path.name for path in old.parent.iterdir()] == ["old.sqlite"]


def test_a_file_on_a_disk_that_cannot_be_written_can_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite cannot make its little files there, as here (a superuser may write everywhere)."""
    path = tmp_path / "r.sqlite"
    store = Store(path)
    store.begin("jaipur:round", 1, [Entrant("random", "x")], 1, 2)
    store.close()
    real = sqlite3.connect

    def connect(address: str, **more: object) -> sqlite3.Connection:
        if "immutable" not in address:
            raise sqlite3.OperationalError("unable to open database file")
        return real(address, **more)  # type: ignore[call-overload, no-any-return]

    monkeypatch.setattr("meeple.arena.file.sqlite3.connect", connect)
    assert len(Store(path, reading=True).matches()) == 1
    assert [each.name for each in tmp_path.iterdir()] == ["r.sqlite"]


def test_another_program_s_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "diary.sqlite"
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("CREATE TABLE diary (day TEXT)")
    for reading in (False, True):
        with pytest.raises(MeepleError, match="is a database, but no results file"):
            Store(path, reading)
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT name FROM sqlite_master").fetchall() == [("diary",)]


def test_a_file_of_a_later_format_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "later.sqlite"
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("PRAGMA user_version = 9")
    with pytest.raises(MeepleError, match="has format 9 of the results file"):
        Store(path)


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE game SET actions = x'00'",
        "UPDATE game SET actions = 'text'",
        "UPDATE game SET actions = NULL",
        "UPDATE game SET scores = 'no JSON'",
        "UPDATE game SET scores = '{}'",
        "UPDATE game SET seating = '[7, 8]'",
        "UPDATE game SET seating = '[null]'",
        "UPDATE game SET seed = 'x'",
        "UPDATE match SET agents = '[1'",
        "UPDATE match SET agents = '[1]'",
        "UPDATE match SET agents = '[]'",
        "UPDATE match SET agents = CAST(x'ff5b' AS TEXT)",
        "UPDATE match SET seed = 'x'",
        "DROP TABLE game",
    ],
)
def test_damage_is_one_sentence(old: Path, damage: str) -> None:
    store = Store(old)
    store.db.execute("UPDATE match SET rules = ?", (find_game("jaipur").version,))
    store.db.execute(damage)
    with pytest.raises(MeepleError, match=r"is damaged|cannot be used"):
        stored_record(store, 1, 0)


@pytest.mark.parametrize("column", ["variant", "rules", "agents", "seed", "games", "started", "seconds"])
@pytest.mark.parametrize("cell", ["NULL", "x'ff80'"])
def test_a_list_of_matches_holds_nothing_that_nobody_wrote(old: Path, column: str, cell: str) -> None:
    store = Store(old)
    store.db.execute(f"UPDATE match SET {column} = {cell}")
    with pytest.raises(MeepleError, match="is damaged"):
        store.matches()


def test_damaged_blocks_are_one_sentence(old: Path) -> None:
    store = Store(old)
    assert [block.numbers.tolist() for block in store.blocks(1, 2, 2)] == [[0, 1]]
    for damage in ("scores = '[1.0]'", "scores = '[\"x\", 1]'", "end = 'x'", "outcome = NULL"):
        store.db.execute("BEGIN")
        store.db.execute(f"UPDATE game SET {damage} WHERE number = 1")
        with pytest.raises(MeepleError, match="is damaged"):
            list(store.blocks(1, 2, 2))
        store.db.execute("ROLLBACK")


def test_a_deal_counts_when_all_its_seatings_are_finished(old: Path) -> None:
    store = Store(old)
    store.db.execute("DELETE FROM game WHERE number = 1")
    assert [block.numbers.tolist() for block in store.blocks(1, 2, 2)] == [[]]
    assert store.played(1) == [range(1)]


def test_the_queries_of_the_page_run(tmp_path: Path) -> None:
    page = Path(__file__).parent.parent.parent / "docs" / "results_file.md"
    first, second, third = re.findall(r"```sql\n(.*?)```", page.read_text(), re.DOTALL)
    store = Store(tmp_path / "r.sqlite")
    result = play_match(make_plan("jaipur:round", ["basic3", "random"], 20, 1), store)
    (best, _) = store.db.execute(first).fetchall()
    assert best[:3] == ("basic3", 20, round(result["win_rate"], 3))
    assert store.db.execute(second).fetchall() == [("jaipur:round", round(result["first_seat"]["share"], 3))]
    run = store.begin_run("jaipur:round", "ppo", {"rate": 0.1}, 3, "digest")
    store.add_metrics(run, 1, {"win_rate": 0.4, "loss": 2.0})
    store.add_metrics(run, 2, {"win_rate": 0.6})
    assert store.db.execute(third).fetchall() == store.metrics(run, "win_rate") == [(1, 0.4), (2, 0.6)]
    assert store.runs()[0]["finished"] is None
    store.finish_run(run)
    (about,) = store.runs()
    assert about["finished"] is not None
    assert (about["algo"], about["config"], about["seed"]) == ("ppo", {"rate": 0.1}, 3)


def test_every_table_and_column_is_on_the_page() -> None:
    page = (Path(__file__).parent.parent.parent / "docs" / "results_file.md").read_text()
    store = Store(None)
    for (name,) in store.db.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')").fetchall():
        assert f"`{name}`" in page
        for column in store.db.execute(f"PRAGMA table_info({name})").fetchall():
            assert f"`{column[1]}`" in page, (name, column[1])


def test_without_a_path_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert play_match(make_plan("jaipur:round", ["random", "random"], 4, 1), Store(None))["games"] == 4
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_match_is_refused_with_the_latest(tmp_path: Path) -> None:
    store = Store(tmp_path / "r.sqlite")
    with pytest.raises(MeepleError, match=r"There is no match 3 in .*; the latest are: none"):
        store.match(3)
    for seed in range(12):
        play_match(make_plan("jaipur:round", ["random", "basic3"], 2, seed), store)
    assert store.match(3) == store.matches()[2]
    with pytest.raises(MeepleError, match="the latest are: 3, 4, 5, 6, 7, 8, 9, 10, 11, 12"):
        store.match(13)

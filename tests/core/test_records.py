"""Records: written, read, replayed; whatever is wrong in one is said with its line and with what would be right."""

from __future__ import annotations

from pathlib import Path

import pytest

import meeple
from meeple.cli.simulate import random_record
from meeple.core.errors import MeepleError, RecordError
from meeple.core.record import Record, parse_record, read_record, write_record

TEXT = random_record(meeple.find_variant("jaipur:round"), seed=1).text()


def broken(old: str, new: str) -> str:
    assert old in TEXT
    return TEXT.replace(old, new, 1)


def test_a_record_reads_back_to_the_letter() -> None:
    assert parse_record(TEXT).text() == TEXT


def test_an_unfinished_game_is_a_record_too() -> None:
    record = parse_record(TEXT)
    half = Record(record.spec, record.seed, record.moves[:5])
    assert "end: still playing" in half.text()
    assert parse_record(half.text()).moves == record.moves[:5]


def test_players_keep_the_commas_of_their_parameters() -> None:
    players = ("advanced1:k1=0.6,k2=0.4", "random")
    assert parse_record(Record("jaipur:round", 3, [], players).text()).players == players


def test_replay_gives_the_state_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    parse_record(TEXT).save(path)
    state = meeple.replay(path)
    assert state.over
    assert f"scores: {state.scores()[0]:g}, {state.scores()[1]:g}" in TEXT


def test_comments_and_blank_lines_are_passed_over() -> None:
    assert parse_record("\n# mine\n" + TEXT.replace("1. seat", "# a comment\n\n1. seat", 1)).text() == TEXT


LINES = TEXT.splitlines()
MOVE_3 = next(line for line in LINES if line.startswith("3. "))
NUMBER_3 = LINES.index(MOVE_3) + 1

FAULTS = [
    ("", "its first line must be 'meeple record 1'"),
    ("hello", "its first line must be 'meeple record 1'"),
    (broken("meeple record 1", "meeple record 9"), "its first line must be"),
    (broken("seed: ", "sead: "), "does not say 'seed: …'"),
    (broken("seed: ", "seed: x"), "where a whole number is needed"),
    (broken("seed: ", "seed: ²"), "where a whole number is needed"),
    (broken("rules: 1", "rules: 7"), "version 7 of jaipur's rules; this is 1"),
    (broken("jaipur:round", "jaipr:round"), "Unknown game 'jaipr'; did you mean 'jaipur'"),
    (broken("jaipur:round", "jaipur:rond"), "Unknown variant of jaipur 'rond'; did you mean 'round'"),
    (broken(MOVE_3, "3. seat 0: fly away"), f"line {NUMBER_3}: 'fly away' is no move"),
    (broken(MOVE_3, "3. seat 0: exchange L L >"), f"line {NUMBER_3}: 'exchange L L >' is no move"),
    (broken(MOVE_3, "3. seat 0: sell 7 leather"), f"line {NUMBER_3}: 'sell 7 leather' is not legal"),
    (broken(MOVE_3, MOVE_3[:6]), f"line {NUMBER_3}: '{MOVE_3[:6]}' is not '3. seat 0: MOVE'; the line seems cut off"),
    (broken(MOVE_3, MOVE_3.replace("seat 0", "seat 1")), "it is seat 0's turn"),
    (broken(MOVE_3 + "\n", ""), "move 4 stands where move 3 must follow"),
    (TEXT[: TEXT.index("\nend:")], "is cut off after move"),
    (TEXT + TEXT[TEXT.index("end:") :], "but a record says its result once"),
    (TEXT.replace("seed:", "seed: 5\nseed:"), "says 'seed:' a second time"),
    (TEXT[: TEXT.index("\nscores:")], "is cut off after move"),
    (broken("\nscores: ", "\nscores: 1"), "but the moves give"),
    (TEXT.replace("\nend:", f"\n{len(parse_record(TEXT).moves) + 1}. seat 0: take camels\nend:"), "The game is over"),
]


@pytest.mark.parametrize(("text", "why"), FAULTS, ids=[why[:30] for _, why in FAULTS])
def test_a_fault_is_named_with_its_place_and_what_would_be_right(text: str, why: str) -> None:
    with pytest.raises(MeepleError) as caught:
        parse_record(text)
    assert why in str(caught.value)
    assert "\n" not in str(caught.value)


def test_every_truncation_of_a_record_is_refused() -> None:
    for end in range(0, len(TEXT.rstrip()), 37):
        with pytest.raises(MeepleError):
            parse_record(TEXT[:end])


def test_a_missing_or_binary_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="cannot be read: No such file"):
        read_record(tmp_path / "nothing")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(RecordError, match="not text"):
        read_record(tmp_path / "binary")


def test_a_save_that_fails_leaves_the_old_record_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.txt"
    path.write_text("old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("meeple.core.record.os.fsync", full)
    with pytest.raises(RecordError, match=r"game\.txt cannot be written: No space left on device"):
        write_record(parse_record(TEXT), path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_saving_replaces_the_old_record_whole(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text("old")
    parse_record(TEXT).save(path)
    assert path.read_text() == TEXT
    assert list(tmp_path.iterdir()) == [path]

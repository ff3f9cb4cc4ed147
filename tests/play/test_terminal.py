"""The prompt loop where a process cannot be brought to it: the disk that fails, the interrupt at a bad moment."""

from __future__ import annotations

import io
import os
import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest
from rich.console import Console

import meeple
from meeple.core.record import read_record
from meeple.play.interrupt import uninterrupted
from meeple.play.session import CannotSave, Session, begin, default_adviser
from meeple.play.terminal import Terminal, clean


@pytest.fixture
def session(tmp_path: Path) -> Session:
    (tmp_path / "games").mkdir()
    return begin(meeple.find_variant("jaipur:round"), [], 0, 7, tmp_path / "games" / "game.txt")


def terminal(session: Session, monkeypatch: pytest.MonkeyPatch, typing: Callable[[str], str]) -> tuple[Terminal, io.StringIO]:
    """One that reads what `typing` returns and writes into a text."""
    shown = io.StringIO()
    monkeypatch.setattr("builtins.input", typing)
    return Terminal(session, default_adviser(session), Console(file=shown, width=200), lambda _: nullcontext()), shown


def test_a_game_that_can_no_longer_be_saved_ends_with_that_sentence(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    def play_without_a_disk(_: str) -> str:
        shutil.rmtree(session.path.parent)
        return "1"

    table, _ = terminal(session, monkeypatch, play_without_a_disk)
    with pytest.raises(CannotSave, match="cannot be saved in"):
        table.run()


def test_a_move_whose_saving_was_interrupted_is_saved_on_leaving(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: str) -> str:
        session._make(session.state.moves()[0])
        raise KeyboardInterrupt

    table, shown = terminal(session, monkeypatch, interrupted)
    assert table.run() == 130
    assert "go on with: meeple play --resume" in shown.getvalue()
    assert len(read_record(session.path).moves) == 1


def press_ctrl_c(times: int, done: list[int]) -> None:
    with uninterrupted():
        for _ in range(times):
            os.kill(os.getpid(), signal.SIGINT)
        done.append(times)


@pytest.fixture
def hearing_ctrl_c() -> Iterator[None]:
    """Also where the tests were started in a background that ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("hearing_ctrl_c")
def test_ctrl_c_waits_for_what_must_not_be_interrupted_unless_pressed_twice() -> None:
    done: list[int] = []
    for times in (1, 2):
        with pytest.raises(KeyboardInterrupt):
            press_ctrl_c(times, done)
    assert done == [1]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_what_was_typed_is_shown_again_without_control_characters() -> None:
    assert clean("  take\t gold ") == "take gold"
    assert clean("\x1b[2Jx\udcff") == "\N{REPLACEMENT CHARACTER}[2Jx\N{REPLACEMENT CHARACTER}"

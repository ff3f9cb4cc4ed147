"""Processes that need the same kernel: one compiles, the others wait for its file, and nobody waits for ever."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from meeple.core import cache, turns
from meeple.core.kernel import JIT, kernel

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no locks on Windows")
OTHER = """
import sys, time
from pathlib import Path
from meeple.core import turns
turns.take(Path(sys.argv[1]))
print("mine", flush=True)
time.sleep(60)
"""


@pytest.fixture
def other(tmp_path: Path) -> Any:
    """A process that compiles the same kernel, as far as anybody can tell."""
    process = subprocess.Popen([sys.executable, "-c", OTHER, str(tmp_path / "f-0123abcd")], stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    yield process
    process.kill()
    process.wait()
    process.stdout.close()


def test_whoever_comes_second_waits_until_the_first_has_ended(tmp_path: Path, other: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == 3:
            other.kill()
            other.wait()

    monkeypatch.setattr(time, "sleep", sleep)
    assert turns.take(tmp_path / "f-0123abcd")
    assert len(slept) >= 3
    turns.give_back(tmp_path / "f-0123abcd")


@pytest.mark.usefixtures("other")
def test_nobody_waits_for_another_kernel_nor_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not turns.take(tmp_path / "g-0123abce")
    monkeypatch.setattr(turns, "LONGEST", 0.2)
    assert turns.take(tmp_path / "f-0123abcd")
    assert turns._held == {tmp_path / "g-0123abce"}
    turns.give_all_back()
    assert not turns._held


def test_a_folder_without_locks_is_none_to_wait_in(tmp_path: Path) -> None:
    assert not turns.take(tmp_path / "nowhere" / "f-0123abcd")
    assert not turns._held


@pytest.mark.skipif(not JIT, reason="compiles")
def test_what_another_process_has_compiled_meanwhile_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    def made(x: int) -> int:
        return x + 41

    assert kernel(made)(1) == 42
    kept: dict[Path, bytes] = {}
    for path in cache.kernel_folder().glob("made-*"):
        kept[path] = path.read_bytes()
        path.unlink()

    def take(path: Path) -> bool:
        path.write_bytes(kept[path])
        return True

    monkeypatch.setattr(turns, "take", take)
    before = len(cache.compiled)
    assert kernel(made)(1) == 42
    assert len(cache.compiled) == before


@pytest.mark.skipif(not JIT, reason="compiles")
def test_a_turn_ends_when_a_kernel_cannot_be_compiled() -> None:
    @kernel
    def wrong(x: Any) -> Any:
        return x.nothing_like_that

    with pytest.raises(Exception, match="nothing_like_that"):
        wrong(1)
    assert not turns._held

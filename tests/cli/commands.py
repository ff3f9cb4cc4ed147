"""Running the command in this process: what it compiled once stays compiled for the next."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple
from unittest.mock import patch

import pytest

from meeple.agents import registry
from meeple.arena import executor, match
from meeple.bench import envs, playouts, search
from meeple.cli import interrupt
from meeple.cli.main import main
from meeple.lab import levels, solve


class Done(NamedTuple):
    code: int
    out: str
    err: str


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> Done:
    """`meeple ARGUMENTS`, as main sees it; its exit code and what it printed."""
    before, sys.argv = sys.argv, ["meeple", *arguments]
    capsys.readouterr()
    try:
        # Ctrl-C stays the test runner's.
        with pytest.raises(SystemExit) as ended, patch.object(interrupt, "install"):
            main()
    finally:
        sys.argv = before
    printed = capsys.readouterr()
    return Done(int(ended.value.code or 0), printed.out, printed.err)


def hurry(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Nothing is measured and nothing solved: benchmarks are short, and the solver is a stand-in that knows no better. What a test
    loads by --code is forgotten after it."""
    loaded: list[Path] = []
    for place in (match, executor):
        monkeypatch.setattr(place, "CODE", loaded)
    for name in ("_OWN", "_FILE"):
        monkeypatch.setattr(registry, name, {})
    for module in (playouts, envs):
        monkeypatch.setattr(module, "SECONDS", 0.01)
    monkeypatch.setattr(search, "POSITIONS", 1)
    monkeypatch.setattr(levels, "RUNGS", levels.RUNGS[::5])  # of fourteen
    monkeypatch.setattr(levels, "BEGINNERS", 1)
    monkeypatch.setattr(playouts, "start_up", lambda _: {"cold_compile_s": 1.0, "warm_start_s": 1.0})
    solver = SimpleNamespace(
        SOLVED=("simple",),
        default_path=lambda: folder / "solution",
        build=lambda path, **_: path.write_bytes(b"x"),
        optimum=lambda _: 74.6,
        load=lambda _: None,
        regrets=lambda *_: None,
    )
    monkeypatch.setattr(solve, "solver_for", lambda _: solver)

"""An edit changes the digest of what it can change, and of nothing else."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from meeple.core import sources

JAIPUR = ("meeple.games.jaipur.rules",)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    copy = tmp_path / "meeple"
    shutil.copytree(sources.PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(sources, "PACKAGE", copy)
    forget()
    yield copy
    forget()


def forget() -> None:
    sources.generic.cache_clear()
    sources.owners.cache_clear()


def edited(path: Path, modules: tuple[str, ...] = JAIPUR) -> bool:
    """Does a line added to a file change the digest of a Jaipur kernel?"""
    forget()
    before = sources.digest(modules)
    path.write_text(path.read_text() + "\n# edited\n")
    forget()
    return sources.digest(modules) != before


@pytest.mark.parametrize("room", ["envs", "arena", "lab", "bench", "play", "cli", "learn", "serve"])
def test_an_edit_where_no_kernels_are_changes_nothing(package: Path, room: str) -> None:
    (package / room).mkdir(exist_ok=True)
    (package / room / "__init__.py").touch()
    assert not edited(package / room / "__init__.py")


@pytest.mark.parametrize("room", sources.KERNEL_ROOMS)
def test_an_edit_of_generic_kernels_changes_every_game(package: Path, room: str) -> None:
    (package / room).mkdir(exist_ok=True)
    (package / room / "__init__.py").touch()
    assert edited(package / room / "__init__.py")


@pytest.mark.parametrize("picture", ["core/scene.py", "games/jaipur/scene.py"])
def test_an_edit_of_a_picture_changes_nothing(package: Path, picture: str) -> None:
    (package / picture).touch()
    assert not edited(package / picture)


def test_an_edit_of_a_game_or_of_its_data_changes_that_game_alone(package: Path) -> None:
    assert edited(package / "games" / "jaipur" / "turns.py")
    assert edited(package / "games" / "jaipur" / "data" / "cards.csv")
    assert not edited(package / "games" / "splendor" / "rules.py")
    assert edited(package / "games" / "splendor" / "rules.py", (*JAIPUR, "meeple.games.splendor.rules"))


def test_an_agent_of_a_file_is_told_by_that_file_and_what_it_imports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_agent_of_test.py").write_text("from my_helper_of_test import X\nimport json\n")
    (tmp_path / "my_helper_of_test.py").write_text("X = 1\n")
    (tmp_path / "my_other_of_test.py").write_text("Y = 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    own = ("my_agent_of_test",)
    assert edited(tmp_path / "my_agent_of_test.py", own)
    assert edited(tmp_path / "my_helper_of_test.py", own)
    assert not edited(tmp_path / "my_other_of_test.py", own)
    assert "my_agent_of_test" not in sys.modules  # nothing is run to find out

"""Importing the package and asking for help need no compiler: nothing heavy is loaded until something is used."""

from __future__ import annotations

import importlib
import inspect
import subprocess
import sys

import pytest

import meeple
from meeple.cli.main import VERBS

HEAVY = ("numba", "numpy", "matplotlib", "gymnasium", "torch")


def loaded_after(code: str) -> list[str]:
    """Which heavy modules a fresh process has loaded."""
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys\nprint([m for m in {HEAVY} if m in sys.modules], file=sys.stderr)"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return eval(done.stderr.splitlines()[-1])  # type: ignore[no-any-return]


def test_importing_loads_no_compiler() -> None:
    assert loaded_after("import meeple") == []
    assert loaded_after("import meeple; meeple.MeepleError, dir(meeple)") == []


@pytest.mark.parametrize("arguments", [["--help"], [], ["mach"]], ids=["help", "nothing", "a wrong verb"])
def test_help_loads_no_compiler(arguments: list[str]) -> None:
    code = f"import sys\nsys.argv = ['meeple', *{arguments}]\nfrom meeple.cli.main import main\n"
    code += "try:\n    main()\nexcept SystemExit:\n    pass"
    assert loaded_after(code) == []


def test_using_it_does() -> None:
    """So that the tests above can fail."""
    assert "numba" in loaded_after("import meeple; meeple.game_names()")


@pytest.mark.parametrize("name", VERBS)
def test_the_list_of_verbs_says_what_each_says_itself(name: str) -> None:
    verb = VERBS[name]
    told = inspect.getdoc(getattr(importlib.import_module(f"meeple.cli.{verb.module}"), verb.function)) or ""
    assert " ".join(told.split("\n\n")[0].split()) == verb.help


def test_everything_offered_is_there() -> None:
    assert {"match", "tournament", "agent", "analyze", "batch", "play", "new", "Agent"} <= set(dir(meeple))
    for name in meeple.__all__:
        assert getattr(meeple, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        meeple.nonsense  # noqa: B018

"""Importing what other people wrote: a folder, a single file; and saying in half a sentence where it went wrong."""

from __future__ import annotations

import importlib.util
import sys
import traceback
from pathlib import Path
from types import ModuleType

PACKAGE = Path(__file__).resolve().parent.parent


def import_file(name: str, path: Path, package: bool = False) -> ModuleType:
    """Run a file as the module `name`; of a package, its folder's other files can be imported too. A failed one leaves no trace."""
    spec = importlib.util.spec_from_file_location(name, path, submodule_search_locations=[str(path.parent)] if package else None)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        for loaded in [key for key in sys.modules if key == name or key.startswith(f"{name}.")]:
            del sys.modules[loaded]
        raise
    return module


def blame(error: BaseException) -> str:
    """`NameError: name 'x' is not defined (rules.py, line 12)`: what happened, and where in somebody's own code."""
    what = f"{type(error).__name__}: {error.msg if isinstance(error, SyntaxError) else error}".rstrip(".")
    if isinstance(error, SyntaxError) and error.filename:
        return f"{what} ({Path(error.filename).name}, line {error.lineno})"
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if _somebodys_own(frame.filename):
            return f"{what} ({Path(frame.filename).name}, line {frame.lineno})"
    return what


def _somebodys_own(file: str) -> bool:
    """Neither this package (but for its games) nor Python's imports nor a compiler's inside: they tell the person nothing."""
    path = Path(file)
    ours = path.is_relative_to(PACKAGE) and not path.is_relative_to(PACKAGE / "games")
    return path.is_file() and not ours and not {"importlib", "numba", "numpy"} & set(path.parts)

"""Importing what other people wrote: a folder, a single file; and saying in half a sentence where it went wrong."""

from __future__ import annotations

import importlib.util
import sys
import traceback
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType

PACKAGE = Path(__file__).resolve().parent.parent


class FromSource(SourceFileLoader):
    """Never by bytecode: Python takes that for current if an edit left the size of the file and the second of its change alone."""

    def get_code(self, fullname: str) -> CodeType:
        file = self.get_filename(fullname)
        code: CodeType = self.source_to_code(self.get_data(file), file)
        return code


def import_file(name: str, path: Path, package: bool = False) -> ModuleType:
    """Run a file as the module `name`; of a package, its folder's other files can be imported too. A failed one leaves no trace."""
    places = [str(path.parent)] if package else None
    spec = importlib.util.spec_from_file_location(name, path, loader=FromSource(name, str(path)), submodule_search_locations=places)
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

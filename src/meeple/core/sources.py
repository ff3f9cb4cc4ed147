"""Which source files decide what a piece of code does, and a digest of them.

Compiled kernels are kept on disk under such digests (core/cache.py), and so are the games of a match (arena/store.py): an edit of
what matters gives another digest, an edit of anything else (a page, a picture, a learner, an environment) does not.

A kernel is generic code compiled for some game and some agents. The generic part is the same for all: the rooms of KERNEL_ROOMS.
The rest is told by the modules that the game's and the agents' types come from: a game's whole folder with its data, a package
from elsewhere as a whole, a single file with the files it imports.
"""

from __future__ import annotations

import ast
import hashlib
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent
KERNEL_ROOMS = ("core", "rollout", "search", "nets")  # generic code that ends up in kernels; nothing else does
SUFFIXES = {".py", ".csv"}  # data files become constants inside kernels
PICTURES = {"scene.py"}  # how a table looks (core/scene.py); nothing compiled imports it: tests/core/test_layers.py
LIBRARIES = tuple(Path(sysconfig.get_path(name)).resolve() for name in ("stdlib", "platstdlib", "purelib", "platlib"))


def digest(modules: Iterable[str] = ()) -> str:
    """Of the generic kernel sources and of all that the named modules belong to."""
    total = hashlib.sha256(generic().encode())
    for owner in sorted({part for module in modules for part in owners(module)}):
        total.update(owner.encode())
    return total.hexdigest()


@cache
def generic() -> str:
    """Digest of the rooms whose code is compiled for every game."""
    return _digest_of([path for room in KERNEL_ROOMS for path in _files_below(PACKAGE / room)], PACKAGE)


@cache
def owners(module: str) -> tuple[str, ...]:
    """Digests of what a module belongs to, besides the generic kernel sources."""
    parts = module.split(".")
    if parts[0] == "meeple":
        if parts[1:2] == ["games"] and len(parts) > 2:
            folder = PACKAGE / "games" / parts[2]
            return (_digest_of(_files_below(folder), folder),)
        return () if parts[1:2] and parts[1] in KERNEL_ROOMS else tuple(_digest_of([path]) for path in _closure(module))
    if around := _package_folder(parts):
        return (_digest_of(_files_below(around), around),)
    return tuple(_digest_of([path]) for path in _closure(module))


def _package_folder(parts: list[str]) -> Path | None:
    """Of the outermost package that a module is in; a namespace that several packages share is none."""
    for end in range(1, len(parts) + 1):
        loaded = sys.modules.get(".".join(parts[:end]))
        if getattr(loaded, "__path__", None) and (file := getattr(loaded, "__file__", None)):
            return Path(file).resolve().parent
    return None


def _files_below(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    return sorted(path for path in folder.rglob("*") if path.suffix in SUFFIXES and path.name not in PICTURES)


def _digest_of(paths: Iterable[Path], root: Path | None = None) -> str:
    total = hashlib.sha256()
    for path in paths:
        total.update(str(path.relative_to(root) if root else path.name).encode())
        total.update(path.read_bytes())
    return total.hexdigest()


def _closure(module: str) -> list[Path]:
    """The file of a module, wherever it is, and those it imports, as far as they are neither generic kernel sources nor of an
    installed library."""
    found: dict[str, Path] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        path = None if name in found else _own_file(name, installed=name == module)
        if path is not None:
            found[name] = path
            waiting += _imported(path, name)
    return [found[name] for name in sorted(found)]


def _own_file(module: str, installed: bool = False) -> Path | None:
    loaded = sys.modules.get(module)
    file = getattr(loaded, "__file__", None)
    if file is None:
        try:
            spec = find_spec(module) if loaded is None else None
        except (ImportError, ValueError, AttributeError):
            spec = None
        file = spec.origin if spec else None
    path = Path(file).resolve() if file and Path(file).suffix == ".py" else None
    if path is None or not path.is_file() or (not installed and any(path.is_relative_to(library) for library in LIBRARIES)):
        return None
    inside = path.relative_to(PACKAGE).parts[0] if path.is_relative_to(PACKAGE) else ""
    return None if inside in (*KERNEL_ROOMS, "games", "__init__.py") else path


def _imported(path: Path, module: str) -> Iterator[str]:
    """Names of modules that a file's import statements may mean; `from x import y` may mean x.y."""
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*parents, *([node.module] if node.module else [])])
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)

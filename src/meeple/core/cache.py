"""Compiled kernels on disk, one file each.

Numba's own cache notices an edit of the file a function stands in, but not of the files it calls into: change a rule in
`games/x/rules.py` and the cached playout of `rollout/playout.py` still plays the old one. It also keeps one index a function for
all types, which nobody can read any more where one of these types cannot be imported. So the cache is our own: a file is named by
a hash of the function, its types, the sources that decide what it does (core/sources.py), the compiler's version and the processor.
An edit gives another name, nothing stale is ever loaded, nothing of one game or agent stands in the way of another, and a damaged
file is compiled again.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, cast

from numba.core import types
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from meeple.core import linking, notices, sources, turns

DAYS_KEPT = 14
DAY = 86400.0

trouble: list[str] = []  # why kernels could not be kept, if so: the command line says it once
compiled: list[str] = []  # names of the kernels that this process had to compile; others were loaded

_FROM: dict[Any, str] = {}  # a record's type -> the module of its game


def belongs_to(record: Any, module: str) -> None:
    """Let the cache know which game a record's type is of."""
    _FROM[record] = module


def cache_root() -> Path:
    """MEEPLE_CACHE, else the user's cache folder."""
    if given := os.environ.get("MEEPLE_CACHE"):
        return Path(given).expanduser()
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "meeple"


@cache
def kernel_folder() -> Path:
    """Where compiled kernels are; made when it is first asked for."""
    folder = cache_root() / "kernels"
    with contextlib.suppress(OSError):  # a read-only home: what is compiled is kept in memory only
        folder.mkdir(parents=True, exist_ok=True)
        _forget_old(folder)
    return folder


def _forget_old(folder: Path) -> None:
    """Every edit makes new files, so those that nobody used for two weeks go; looked at once a day."""
    mark = folder / "looked_at"
    now = time.time()
    if mark.exists() and now - mark.stat().st_mtime < DAY:
        return
    mark.touch()
    for path in folder.iterdir():
        with contextlib.suppress(OSError):  # somebody else may be tidying up too
            if path not in (mark, folder / turns.FILE) and now - path.stat().st_mtime > DAYS_KEPT * DAY:
                path.unlink()


class KernelCache:
    """What Numba's dispatcher asks before it compiles a function, and tells when it has."""

    def __init__(self, function: Callable[..., Any], inner: bool = False) -> None:
        self.function = function
        self.inner = inner  # which half of the kernel: see core/linking.py
        self.name = f"{function.__module__}.{function.__qualname__}"

    @property
    def cache_path(self) -> str:
        return str(kernel_folder())

    def enable(self) -> None: ...

    def disable(self) -> None: ...

    def flush(self) -> None: ...

    def load_overload(self, signature: Any, context: Any) -> Any:
        """The compiled function, or None. Whatever is wrong with the file, compiling mends it."""
        context.refresh()
        path = self._path(signature, context.codegen())
        found = self._read(path, context)
        if found is None:
            if not self.inner:
                notices.asked(self.name)
            if turns.take(path) and (found := self._read(path, context)) is not None:
                turns.give_back(path)
                if not self.inner:
                    notices.finished()
        return found

    def _read(self, path: Path, context: Any) -> Any:
        try:
            data = path.read_bytes()
            if time.time() - path.stat().st_mtime > DAY:
                os.utime(path)
            rebuild = linking.rebuilt if self.inner else CompileResult._rebuild
            return rebuild(context, *pickle.loads(data))
        except Exception:
            return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep a compiled function, whole or not at all. Where that is impossible it is compiled again next time."""
        compiled.append(self.name)
        notices.made() if self.inner else notices.finished()
        if result.library.has_dynamic_globals or any(not part.can_cache for part in result.lifted):
            return
        path = self._path(signature, result.codegen)
        try:
            parts = linking.reduced(result) if self.inner else result._reduce()
            _write(path, dumps(parts))  # type: ignore[no-untyped-call]
        except OSError as error:
            trouble.append(f"{kernel_folder()} ({error.strerror or error})")
        except Exception as error:  # a type that cannot be named by its module: an agent defined in a notebook
            trouble.append(f"{self.name} ({type(error).__name__}: {error})")
        turns.give_back(path)

    def _path(self, signature: Any, codegen: Any) -> Path:
        found = list(_walk(signature))
        modules = {self.function.__module__, *(module for _, module in found if module)}
        words = [sources.digest(modules), self.name, str(signature), *(f"{name} of {module}" for name, module in found)]
        words += ["inner" if self.inner else "outer", str(self.function.__code__.co_firstlineno)]
        words += [str(codegen.magic_tuple()), *_versions()]
        key = hashlib.sha256("\n".join(words).encode()).hexdigest()[:40]
        return kernel_folder() / f"{self.function.__name__}-{key}"


@cache
def _versions() -> tuple[str, ...]:
    return (sys.version, version("numba"), version("numpy"), version("llvmlite"))


def _walk(kind: Any) -> Iterator[tuple[str, str]]:
    """(name, module) of every game's record and every agent's class among the types of a signature."""
    if isinstance(kind, types.Array):
        yield from _walk(kind.dtype)
    elif isinstance(kind, types.Record):
        yield "record", _FROM.get(kind, "")
    elif isinstance(kind, (tuple, types.BaseTuple)):
        if instance := getattr(kind, "instance_class", None):
            yield instance.__qualname__, instance.__module__
        for part in cast(Iterator[Any], kind):
            yield from _walk(part)


def _write(path: Path, data: bytes) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(name).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise

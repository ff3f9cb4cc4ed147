"""Where compiled kernels are kept on disk.

Numba's own cache notices an edit of the file a function stands in, but not of the files it calls into: change a rule in
`games/x/rules.py` and the cached playout of `core/playout.py` still plays the old one. So the folder is named by a
hash of every source that can end up in a kernel; an edit gives a new folder, and nothing stale is ever loaded.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import time
from importlib.metadata import version
from pathlib import Path

import llvmlite.binding

PACKAGE = Path(__file__).resolve().parent.parent
SOURCES = {".py", ".csv"}  # data files become constants inside kernels
NO_KERNELS = {"cli", "learn", "play", "lab"}  # folders that have none, so that editing them recompiles nothing
DAYS_KEPT = 14


def game_folders() -> list[Path]:
    """Folders of third-party games: MEEPLE_GAMES, separated as PATH is."""
    given = os.environ.get("MEEPLE_GAMES", "")
    return [Path(part).expanduser().resolve() for part in given.split(os.pathsep) if part]


def fingerprint() -> str:
    """Hash of all kernel sources, the versions of the compiler, and the processor."""
    digest = hashlib.sha256()
    for part in (version("numba"), version("numpy"), llvmlite.binding.get_host_cpu_name()):
        digest.update(part.encode())
    for root in (PACKAGE, *game_folders()):
        for path in sorted(root.rglob("*")):
            inside = path.relative_to(root)
            if path.suffix in SOURCES and not (root == PACKAGE and inside.parts[0] in NO_KERNELS):
                digest.update(str(inside).encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def cache_root() -> Path:
    """MEEPLE_CACHE, else the user's cache folder."""
    if given := os.environ.get("MEEPLE_CACHE"):
        return Path(given).expanduser()
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "meeple"


def prepare_cache() -> Path:
    """Point Numba at the folder for these sources, before the first kernel is declared."""
    folder = cache_root() / "kernels" / fingerprint()
    os.environ["NUMBA_CACHE_DIR"] = str(folder)
    try:
        if not folder.is_dir():
            folder.mkdir(parents=True, exist_ok=True)
            _forget_old(folder.parent)
        os.utime(folder)
    except OSError:
        pass  # a read-only home: Numba falls back to compiling in memory
    return folder


def _forget_old(parent: Path) -> None:
    """Every edit makes a folder, so those that nobody used for two weeks go."""
    limit = time.time() - DAYS_KEPT * 86400
    for other in parent.iterdir():
        if other.is_dir() and other.stat().st_mtime < limit:
            shutil.rmtree(other, ignore_errors=True)

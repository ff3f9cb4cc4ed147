"""Where games come from: folders in meeple/games, installed packages, folders of MEEPLE_GAMES, and paths given as a game.

An installed package adds games by entry points of the group `meeple.games` (name = module that has GAME). Nothing is imported
here: that is left until somebody asks for the game.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import warnings
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import meeple.games
from meeple.core.errors import BrokenGame, MeepleError, MeepleWarning
from meeple.core.importing import import_file

GAMES, AGENTS = "meeple.games", "meeple.agents"  # the groups of entry points
VARIABLE = "MEEPLE_GAMES"


@dataclass(frozen=True)
class Place:
    """Where a game is: a module that can be imported, or a folder on its own."""

    module: str
    told: str  # how messages call it
    folder: Path | None = None

    def load(self) -> ModuleType:
        """Import it."""
        if self.folder is None:
            return importlib.import_module(self.module)
        return import_file(self.module, self.folder / "__init__.py", package=True)

    def root(self) -> Path | None:
        """The folder it is in, if that can be told."""
        if self.folder is not None:
            return self.folder
        try:
            spec = find_spec(self.module)
        except Exception:  # a package that cannot be imported is nobody's folder
            return None
        return Path(spec.origin).resolve().parent if spec and spec.origin else None


@lru_cache(maxsize=1)
def places() -> dict[str, Place]:
    """Name -> place, of all games there are."""
    own = [module.name for module in pkgutil.iter_modules(meeple.games.__path__) if module.ispkg]
    found = {name: Place(f"meeple.games.{name}", f"the game folder {name}") for name in own}
    for entry in entry_points(group=GAMES):
        if entry.name in found:
            warn(f"{package_of(entry)} brings a game {entry.name}, but {found[entry.name].told} is called so already.")
        else:
            found[entry.name] = Place(entry.module, package_of(entry))
    for folder in _named_folders():
        found[folder.name] = _folder_place(folder, found)
    return found


def package_of(entry: EntryPoint) -> str:
    """How messages call the package that an entry point belongs to."""
    return f"the package {entry.dist.name if entry.dist else entry.module}"


def warn(sentence: str) -> None:
    """Something of somebody else's is left out; all else goes on."""
    warnings.warn(sentence[:1].upper() + sentence[1:], MeepleWarning, stacklevel=2)


def add_folder(folder: Path) -> str:
    """Make the game in a folder known, here and in every process started from here; returns its name."""
    folder = folder.resolve()
    if not (folder / "__init__.py").is_file():
        raise MeepleError(f"There is no game in {folder}: a game is a folder with an __init__.py that has GAME = Game(...).")
    known = places()
    place = _folder_place(folder, known)
    if known.get(folder.name) != place:
        os.environ[VARIABLE] = os.pathsep.join(filter(None, [os.environ.get(VARIABLE, ""), str(folder)]))
        places.cache_clear()
    return folder.name


def _folder_place(folder: Path, known: dict[str, Place]) -> Place:
    """The folder's place; the known one if that is the very same folder, a refusal if another game has the name."""
    taken = known.get(folder.name)
    if taken is None:
        return Place(f"meeple_game_{folder.name}", f"the game folder {folder.name}", folder)
    if taken.root() == folder:
        return taken
    where = f"in {taken.folder}" if taken.folder else f"of {taken.told}" if "package" in taken.told else "that Meeple brings"
    raise BrokenGame(
        f"Two games are called {folder.name}: the one {where}, and the folder {folder}; rename the folder, and its GAME's name."
    )


def _named_folders() -> list[Path]:
    """Folders of single games that MEEPLE_GAMES names, itself or as what is inside."""
    given = os.environ.get(VARIABLE, "")
    found: list[Path] = []
    for folder in [Path(part).expanduser().resolve() for part in given.split(os.pathsep) if part]:
        if not folder.is_dir():
            raise MeepleError(f"There is no folder of games at {folder}; {VARIABLE} should name one.")
        inside = [folder] if (folder / "__init__.py").is_file() else sorted(folder.iterdir())
        found += [path for path in inside if (path / "__init__.py").is_file()]
    return list(dict.fromkeys(found))

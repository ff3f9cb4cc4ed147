"""Games are found, never listed: every folder in meeple/games and in MEEPLE_GAMES that has a GAME is one."""

from __future__ import annotations

import importlib
import importlib.util
import os
import pkgutil
import sys
from functools import cache, lru_cache
from pathlib import Path
from types import ModuleType

import meeple.games
from meeple.core.errors import BrokenGame, MeepleError, UnknownName
from meeple.core.faults import told
from meeple.core.game import Game, Variant
from meeple.core.verbs import register_state


def game_folders() -> list[Path]:
    """Folders of third-party games: MEEPLE_GAMES, separated as PATH is."""
    given = os.environ.get("MEEPLE_GAMES", "")
    return [Path(part).expanduser().resolve() for part in given.split(os.pathsep) if part]


@lru_cache(maxsize=1)
def _folders() -> dict[str, Path | None]:
    """Name -> folder; None for those of the package itself. Importing is left until a game is asked for."""
    found: dict[str, Path | None] = {module.name: None for module in pkgutil.iter_modules(meeple.games.__path__) if module.ispkg}
    for folder in game_folders():
        if not folder.is_dir():
            raise MeepleError(f"There is no folder of games at {folder}; MEEPLE_GAMES should name one.")
        inside = [folder] if (folder / "__init__.py").is_file() else sorted(folder.iterdir())
        for path in inside:
            if (path / "__init__.py").is_file():
                if path.name in found:
                    raise BrokenGame(f"Two games are called {path.name}; rename the folder {path}.")
                found[path.name] = path
    return found


def game_names() -> list[str]:
    """All games there are, in alphabetical order."""
    return sorted(_folders())


@cache
def find_game(name: str) -> Game:
    """A game by name; a clear refusal if there is none or it cannot be loaded."""
    folders = _folders()
    if name not in folders:
        raise UnknownName("game", name, game_names())
    path = folders[name]
    try:
        module = importlib.import_module(f"meeple.games.{name}") if path is None else _import_folder(name, path)
    except MeepleError:
        raise
    except (Exception, SystemExit) as error:
        raise BrokenGame(f"The game folder {name} cannot be imported: {told(error)}.") from error
    game = getattr(module, "GAME", None)
    if not isinstance(game, Game):
        raise BrokenGame(f"The game folder {name} has no GAME = Game(...) in its __init__.py.")
    if game.name != name:
        raise BrokenGame(f"The game in folder {name} calls itself {game.name}; the two must agree.")
    register_state(game, module.__name__)
    return game


def find_variant(spec: str) -> Variant:
    """`GAME[:VARIANT][,OPTION=VALUE…]`, as on the command line."""
    head, *options = [part.strip() for part in spec.split(",")]
    name, _, variant = head.partition(":")
    game = find_game(name)
    chosen: dict[str, str] = {}
    for option in options:
        key, equals, value = option.partition("=")
        if not equals or not value:
            raise MeepleError(f"'{option}' in '{spec}' is no option; write it as OPTION=VALUE.")
        chosen[key.strip()] = value.strip()
    if "variant" in chosen:
        raise MeepleError(f"Write the variant behind a colon: {name}:{chosen['variant']}.")
    return game.variant(variant, **chosen)


def _import_folder(name: str, path: Path) -> ModuleType:
    """Import a third-party folder under a name of its own, so that its relative imports work."""
    qualified = f"meeple_game_{name}"
    spec = importlib.util.spec_from_file_location(qualified, path / "__init__.py", submodule_search_locations=[str(path)])
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[qualified] = module
    spec.loader.exec_module(module)
    return module

"""Games are found, never listed: wherever there is a place for one (core/places.py) that has a GAME."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

from meeple.core.errors import BrokenGame, MeepleError, UnknownName
from meeple.core.game import Game, Variant
from meeple.core.importing import blame
from meeple.core.places import Place, add_folder, places, warn
from meeple.core.verbs import register_state

_MODULE: dict[Game, str] = {}  # where each game was found


def game_names() -> list[str]:
    """All games there are, in alphabetical order; one of somebody else's may turn out to be broken."""
    return sorted(places())


def all_games() -> list[Game]:
    """Every game that can be loaded. One that cannot is left out with a warning: it must not stand in the way of the others."""
    found = []
    for name in game_names():
        try:
            found.append(find_game(name))
        except BrokenGame as error:
            warn(str(error))
    return found


def find_game(name: str) -> Game:
    """A game by name or by its folder (`./pig`); a clear refusal if there is none or it cannot be loaded."""
    if _is_folder(name):
        name = add_folder(Path(name))
    if name not in places():
        raise UnknownName("game", name, game_names())
    return _load(name, places()[name])


def _is_folder(name: str) -> bool:
    """`./pig`, `games/pig/`, `.`; and `pig` where no game is called so but the current folder has one."""
    if os.sep in name or name.startswith("."):
        return True
    return bool(name) and name not in places() and Path(name, "__init__.py").is_file()


@cache
def _load(name: str, place: Place) -> Game:
    told = place.told[:1].upper() + place.told[1:]
    try:
        module = place.load()
    except MeepleError:
        raise
    except (Exception, SystemExit) as error:
        raise BrokenGame(f"{told} cannot be imported: {blame(error)}.") from error
    game = getattr(module, "GAME", None)
    if not isinstance(game, Game):
        raise BrokenGame(f"{told} has no GAME = Game(...) in {_file(module)}.")
    if game.name != name:
        raise BrokenGame(f"{told} has a game that is found as {name} but calls itself {game.name}; the two must agree.")
    register_state(game, module.__name__)
    _MODULE[game] = module.__name__
    return game


def _file(module: ModuleType) -> str:
    return Path(module.__file__).name if module.__file__ else module.__name__


def package_of_game(game: Game) -> str:
    """The package that a game's other files belong to; empty where its module stands alone."""
    name = _MODULE.get(game, game.shape.__module__)
    return name if hasattr(sys.modules[name], "__path__") else name.rpartition(".")[0]


def part_of_game(game: Game, name: str) -> ModuleType | None:
    """A file that a game may have beside its rules, such as `bots` or `solver`; a refusal if it is there and cannot be imported."""
    package = package_of_game(game)
    module = f"{package}.{name}"
    if not package or (module not in sys.modules and importlib.util.find_spec(module) is None):
        return None
    try:
        return importlib.import_module(module)
    except (Exception, SystemExit) as error:
        raise BrokenGame(f"{name}.py of the game {game.name} cannot be imported: {blame(error)}.") from error


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

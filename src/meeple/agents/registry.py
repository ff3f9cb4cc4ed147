"""Agents are found, never listed: AGENTS in the modules of this folder, in a game's `bots.py`, in files given by --code."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import meeple.agents
from meeple.core.agent import AgentKind, Value
from meeple.core.errors import MeepleError, UnknownName
from meeple.core.game import Game, Variant
from meeple.core.registry import find_game, game_names

_OWN: dict[str, AgentKind] = {}  # those that --code brought


@dataclass(frozen=True)
class Player:
    """An agent with its parameters set, ready to be made for a table. `spec` names it in every result."""

    kind: AgentKind
    settings: dict[str, Value] = field(default_factory=dict)

    @property
    def spec(self) -> str:
        """The shortest text that names it: defaults are left out."""
        defaults = {param.name: param.default for param in self.kind.params}
        changed = [f"{name}={value}" for name, value in self.settings.items() if value != defaults[name]]
        return self.kind.name + (":" + ",".join(changed) if changed else "")

    def make(self, variant: Variant) -> Any:
        return self.kind.make(variant, **self.settings)


def general_agents() -> dict[str, AgentKind]:
    """Those that play every game."""
    found: dict[str, AgentKind] = {}
    for module in pkgutil.iter_modules(meeple.agents.__path__):
        imported = importlib.import_module(f"meeple.agents.{module.name}")
        found |= {kind.name: kind for kind in getattr(imported, "AGENTS", ())}
    return found


def agents_of(game: Game) -> dict[str, AgentKind]:
    """Every agent that can sit down at a game: general ones, its own, and those of --code."""
    package = sys.modules[game.shape.__module__].__name__.rpartition(".")[0] or game.shape.__module__
    found = general_agents()
    if importlib.util.find_spec(f"{package}.bots") is not None:
        found |= {kind.name: kind for kind in importlib.import_module(f"{package}.bots").AGENTS}
    found |= _OWN
    return {
        name: kind.at(game)
        for name, kind in found.items()
        if (not kind.games or game.name in kind.games) and (kind.fits is None or kind.fits(game))
    }


def find_player(spec: str, game: Game) -> Player:
    """`advanced1:k1=0.6,k2=0.4`; unknown names and parameters are refused with what would be right."""
    name, colon, rest = spec.strip().partition(":")
    known = agents_of(game)
    if name not in known:
        for other in game_names():
            if name in agents_of(find_game(other)):
                raise MeepleError(
                    f"The agent {name} plays {other}, not {game.name}; for {game.name} there are: {', '.join(known)}."
                )
        raise UnknownName(f"agent for {game.name}", name, known)
    given: dict[str, str] = {}
    for part in _parts(rest) if colon else []:
        key, equals, value = part.partition("=")
        if known[name].main and not given and key.strip() not in {param.name for param in known[name].params}:
            key, equals, value = known[name].main, "=", part
        if not equals or not key.strip() or not value.strip():
            raise MeepleError(f"'{part}' in '{spec}' is no parameter; write it as {name}:PARAMETER=VALUE.")
        given[key.strip()] = value.strip()
    settings, complete = known[name].settings(given), known[name].complete
    return Player(known[name], complete(settings, game) if complete else settings)


def _parts(text: str) -> list[str]:
    """Split at commas, but not inside brackets: `questing=mcts(iterations=100,c=1),defence=random`."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def nested(spec: str) -> str:
    """An agent inside a parameter, `mcts(iterations=100)`, as it is written alone: `mcts:iterations=100`."""
    name, bracket, rest = spec.partition("(")
    if bracket and not rest.endswith(")"):
        raise MeepleError(f"'{spec}' lacks a closing bracket; write it as {name}(PARAMETER=VALUE).")
    return f"{name}:{rest[:-1]}" if bracket else spec


def load_code(path: Path) -> list[str]:
    """Agents from a person's own file; returns their names."""
    if not path.is_file():
        raise MeepleError(f"There is no file {path}; --code takes a Python file with AGENTS = (AgentKind(...),).")
    name = f"meeple_code_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise MeepleError(f"{path} cannot be run: {type(error).__name__}: {error}.") from error
    kinds = getattr(module, "AGENTS", None)
    if not kinds or not all(isinstance(kind, AgentKind) for kind in kinds):
        raise MeepleError(f"{path} has no AGENTS = (AgentKind(...),), so there is no agent in it.")
    for kind in kinds:
        _OWN[kind.name] = kind
    return [kind.name for kind in kinds]

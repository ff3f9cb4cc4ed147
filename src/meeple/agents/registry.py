"""Agents are found, never listed: AGENTS in the modules of this folder, in a game's `bots.py`, in installed packages (entry points
of the group `meeple.agents`), in files given by --code."""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import pkgutil
import re
import reprlib
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

import meeple.agents
from meeple.core import places, sources, workers
from meeple.core.agent import AgentKind, Param, Value
from meeple.core.errors import MeepleError, UnknownName
from meeple.core.faults import AgentFault, told
from meeple.core.game import Game, Variant
from meeple.core.importing import blame, import_file
from meeple.core.registry import all_games, part_of_game

_OWN: dict[str, AgentKind] = {}  # those that --code brought
_FILE: dict[str, Path] = {}  # and the file of each


@dataclass(frozen=True)
class AgentSpec:
    """An agent with its parameters set, ready to be made for a table. `spec` names it in every result."""

    kind: AgentKind
    settings: dict[str, Value] = field(default_factory=dict)
    game: Game | None = None  # whose agents its parts are

    here: bool = False  # an object or class of this process (agents/own.py), which cannot be sent to others
    one: bool = False  # one object at all its tables, which are played one after another since it may remember

    @property
    def spec(self) -> str:
        """The shortest text that names it: defaults are left out."""
        defaults = {param.name: param.default for param in self.kind.params}
        changed = [f"{name}={value}" for name, value in self.settings.items() if value != defaults[name]]
        return self.kind.name + (":" + ",".join(changed) if changed else "")

    @property
    def clairvoyant(self) -> bool:
        """Does it see what its seat may not know? Said by the kinds of it and of its parts, never by what they make."""
        parts = self.kind.parts(self.settings) if self.kind.parts and self.game else ()
        return self.kind.clairvoyant or any(find_agent(nested(part), self.game).clairvoyant for part in parts)  # type: ignore[arg-type]

    @property
    def label(self) -> str:
        """Its name where people read it."""
        return labelled(self.spec, self.clairvoyant)

    def make(self, variant: Variant) -> Any:
        try:
            return self.kind.make(variant, **self.settings)
        except (MeepleError, MemoryError):
            raise
        except (Exception, SystemExit) as error:  # an agent may be anybody's code
            wanted = ", ".join(["variant", *self.settings])
            raise AgentFault(f"The agent {self.spec} cannot be made by its make({wanted}): {told(error)}.") from error

    def digest(self, game: Game) -> str:
        """Of all that decides what it plays, beside the game: its sources, agents it is made of, files its parameters name."""
        total = hashlib.sha256(sources.digest([str(getattr(self.kind.make, "__module__", ""))]).encode())
        for path in self.kind.files(game) if self.kind.files else ():
            total.update(path.read_bytes())
        for value in self.settings.values():
            if isinstance(value, str):
                total.update(_digest_of_word(value, game).encode())
        return total.hexdigest()


def _digest_of_word(word: str, game: Game) -> str:
    """Of what a parameter names: an agent, or a file such as a network; else nothing."""
    with contextlib.suppress(MeepleError):
        if (spec := nested(word)).partition(":")[0] in agents_of(game):
            return find_agent(spec, game).digest(game)
    with contextlib.suppress(OSError, ValueError, RuntimeError):
        return hashlib.sha256(Path(word).expanduser().read_bytes()).hexdigest()
    return ""


LABEL = " (clairvoyant)"


def labelled(spec: str, clairvoyant: bool) -> str:
    """An agent's name as every table, plot and list shows it: who sees hidden things is called so."""
    return spec + LABEL if clairvoyant else spec


def labels(result: Mapping[str, Any]) -> list[str]:
    """The names of a result's `agents`, of which `clairvoyant` tells the kinds."""
    return [labelled(*each) for each in zip(result["agents"], result["clairvoyant"], strict=True)]


@cache
def general_agents() -> dict[str, AgentKind]:
    """Those that play every game, or say themselves which: ours, and those of installed packages."""
    found: dict[str, AgentKind] = {}
    for module in pkgutil.iter_modules(meeple.agents.__path__):
        imported = importlib.import_module(f"meeple.agents.{module.name}")
        found |= {kind.name: kind for kind in getattr(imported, "AGENTS", ())}
    for entry in entry_points(group=places.AGENTS):
        try:
            kinds = _installed(entry)
        except MeepleError as error:
            places.warn(str(error))
            continue
        for kind in kinds:
            if kind.name in found:
                places.warn(f"{places.package_of(entry)} brings an agent {kind.name}, but there is one already; it is left out.")
            found.setdefault(kind.name, kind)
    return found


def _installed(entry: EntryPoint) -> tuple[AgentKind, ...]:
    """The agents of a package's entry point, whose value is a module with AGENTS."""
    package = places.package_of(entry)
    try:
        module = importlib.import_module(entry.module)
    except (Exception, SystemExit) as error:
        raise MeepleError(f"The agents of {package} cannot be imported: {blame(error)}.") from error
    return _kinds(module, f"{entry.module} of {package}")


def _kinds(module: ModuleType, whose: str) -> tuple[AgentKind, ...]:
    """AGENTS of a module, or a sentence on what it should be."""
    if not hasattr(module, "AGENTS"):
        raise MeepleError(f"{whose} has no AGENTS; it should have AGENTS = (AgentKind(...),).")
    kinds = module.AGENTS
    if isinstance(kinds, (tuple, list)) and kinds and all(isinstance(kind, AgentKind) for kind in kinds):
        for kind in kinds:
            if slip := _slip(kind):
                raise MeepleError(f"AgentKind({kind.name!r}) in {whose}: {slip}.")
        return tuple(kinds)
    lines = Path(module.__file__ or "").read_text().splitlines()
    line = next((number for number, text in enumerate(lines, 1) if text.startswith("AGENTS")), 1)
    raise MeepleError(f"AGENTS in {whose}, line {line}, must be a tuple of AgentKind(...), not {reprlib.repr(kinds)}.")


def _slip(kind: AgentKind) -> str:
    """What is wrong with a declaration, or nothing: dataclasses take whatever they are given."""
    if not isinstance(kind.name, str) or not re.fullmatch(r"[\w.+-]+", kind.name):
        return "its name must be a word, without spaces, colons, commas or brackets"
    if not isinstance(kind.meaning, str):
        return f"what it does must be text, not {reprlib.repr(kind.meaning)}"
    if not callable(kind.make):
        return f"make must be a class or function that makes an agent, not {reprlib.repr(kind.make)}"
    if not isinstance(kind.params, (tuple, list)) or not all(isinstance(param, Param) for param in kind.params):
        return f"params must be a tuple of Param(...), not {reprlib.repr(kind.params)}"
    if not isinstance(kind.games, (tuple, list)) or not all(isinstance(game, str) for game in kind.games):
        return f"games must be a tuple of names, not {reprlib.repr(kind.games)}"
    return ""


def agents_of(game: Game) -> dict[str, AgentKind]:
    """Every agent that can sit down at a game: general ones, its own, and those of --code."""
    found = dict(general_agents())
    if bots := part_of_game(game, "bots"):
        found |= {kind.name: kind for kind in _kinds(bots, f"bots.py of the game {game.name}")}
    _refuse_same_names(found, game)
    found |= _OWN
    return {
        name: kind.at(game)
        for name, kind in found.items()
        if (not kind.games or game.name in kind.games) and (kind.fits is None or kind.fits(game))
    }


def _refuse_same_names(found: Mapping[str, AgentKind], game: Game) -> None:
    """An agent of --code takes nobody's place: whoever reads `mcts` in a result must not wonder which."""
    for name, path in _FILE.items():
        if name in found and name in _OWN and (not _OWN[name].games or game.name in _OWN[name].games):
            raise MeepleError(f"{path} brings an agent {name}, but {game.name} has one of that name already; rename yours.")


def agents_of_all() -> dict[str, dict[str, AgentKind]]:
    """The agents of every game; a game whose own cannot be loaded is left out with a warning."""
    found = {}
    for game in all_games():
        try:
            found[game.name] = agents_of(game)
        except MeepleError as error:
            places.warn(str(error))
    return found


def find_agent(spec: str, game: Game) -> AgentSpec:
    """`advanced1:k1=0.6,k2=0.4`; unknown names and parameters are refused with what would be right."""
    name, colon, rest = spec.strip().partition(":")
    known = agents_of(game)
    if name not in known:
        for other, agents in agents_of_all().items():
            if name in agents:
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
    return AgentSpec(known[name], known[name].settings(given), game)


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


@contextmanager
def lent(kinds: Iterable[AgentKind]) -> Iterator[None]:
    """For a while these agents can be found by their names too."""
    before = dict(_OWN)
    _OWN.update({kind.name: kind for kind in kinds})
    try:
        yield
    finally:
        _OWN.clear()
        _OWN.update(before)


def load_code(path: Path) -> list[str]:
    """Agents from a person's own file; returns their names."""
    wanted = "--code takes a Python file (.py) with AGENTS = (AgentKind(...),)"
    if not path.is_file():
        raise MeepleError(f"There is no file {path}; {wanted}.")
    if path.suffix != ".py":
        raise MeepleError(f"{path} is no Python file; {wanted}.")
    path = path.resolve()
    # By place and content: two files may have one name, and compiled kernels are kept under it.
    name = f"meeple_code_{path.stem}_{hashlib.sha256(bytes(path) + path.read_bytes()).hexdigest()[:12]}"
    sources.owners.cache_clear()  # a file that it imports may have been edited since it was last loaded
    try:
        module = sys.modules.get(name) or import_file(name, path)
    except (Exception, SystemExit) as error:
        raise MeepleError(f"{path} cannot be run: {blame(error)}.") from error
    kinds = _kinds(module, str(path))
    for kind in kinds:
        if (other := _FILE.setdefault(kind.name, path)) != path:
            raise MeepleError(f"{other} and {path} both bring an agent {kind.name}; rename one of them.")
        _OWN[kind.name] = kind
    return [kind.name for kind in kinds]


def _files_to_load() -> list[workers.Call]:
    """What a process that is to make the same agents has to load first."""
    return [(load_code, (path,)) for path in dict.fromkeys(_FILE[name] for name in _OWN if name in _FILE)]


workers.handed_on.append(_files_to_load)

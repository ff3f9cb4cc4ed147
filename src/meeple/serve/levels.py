"""Whom a visitor may play against: an allow-list. What a visitor sends is a name of this list and is never read as an agent's spec,
so nobody can ask for a file, a clairvoyant agent or an hour of thinking."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from meeple.agents.champion import TOP
from meeple.agents.mcts import Mcts
from meeple.agents.registry import agents_of, find_agent
from meeple.core.agent import is_kernel_agent
from meeple.core.errors import MeepleError, UnknownName
from meeple.core.game import Variant
from meeple.core.registry import all_games, find_variant

MS = {"quick": 50.0, "steady": 200.0, "strong": 1000.0}  # a decision; less when many ask at once
MOST_MS, MOST_ITERATIONS = 2000.0, 20_000  # that an operator may allow
THINKERS = {
    "champion",
    "novice",
    "mcts",
    "mcts-2026",
    "mcts-clairvoyant",
    "flat",
    "exploiter",
    "expectimax",
    "net",
    "phases",
}  # not offered by themselves
ANALYST = "mcts"

_more: list[str] = []  # specs that the operator allows besides


@dataclass(frozen=True)
class Level:
    """An opponent on offer."""

    name: str  # what a client sends
    spec: str
    meaning: str
    ms: float = 0.0  # thinking time a decision; 0: it answers at once


def allow(specs: list[str]) -> None:
    """The operator offers these agents too; what cannot be offered is refused at once."""
    for spec in specs:
        if not any(_allowed(spec, game.variant(name)) for game in all_games() for name in game.variants.values):
            raise MeepleError(f"--agent {spec} plays no game that is here; meeple list agents tells who does.")
    _more[:] = specs
    _levels.cache_clear()


def levels_of(variant: Variant) -> dict[str, Level]:
    """Name -> opponent, the quick ones first."""
    return _levels(variant.spec)


@lru_cache(256)
def _levels(spec: str) -> dict[str, Level]:
    variant, found = find_variant(spec), {}
    for name, kind in agents_of(variant.game).items():
        if name not in THINKERS and not kind.clairvoyant and _sits_down(name, variant):
            found[name] = Level(name, name, kind.meaning)
    for word, ms in MS.items():
        told = f"tree search over what its seat may know, {ms / 1000:g} s a move"
        found[f"{ANALYST}-{word}"] = Level(f"{ANALYST}-{word}", ANALYST, told, ms)
    for number in range(1, TOP):
        found[f"champion-{number}"] = Level(
            f"champion-{number}", f"champion:level={number}", f"the champion's level {number} of {TOP}"
        )
    found[f"champion-{TOP}"] = Level(f"champion-{TOP}", "champion", "the champion, all it can", MS["steady"])
    for more in _more:
        if level := _allowed(more, variant):
            found[level.name] = level
    return found


def _sits_down(spec: str, variant: Variant) -> bool:
    """Can it play this variant, and without thinking long?"""
    try:
        return is_kernel_agent(find_agent(spec, variant.game).make(variant))
    except MeepleError:
        return False


def _allowed(spec: str, variant: Variant) -> Level | None:
    """An agent that the operator named, where it plays this variant."""
    try:
        player = find_agent(spec, variant.game)
    except MeepleError:
        return None
    if player.clairvoyant:
        raise MeepleError(f"--agent {spec} sees hidden cards, so nobody could play against it fairly; name another.")
    if float(player.settings.get("workers", 1)) > 1:
        raise MeepleError(f"--agent {spec} hires processes of its own; here workers of the page search, so leave workers away.")
    try:
        made = player.make(variant)
    except MeepleError:
        return None
    # Of what it was made with: a champion's level or iterations may leave its milliseconds aside.
    budget = made.search.budget if isinstance(made, Mcts) else None
    ms = budget.ms if budget else float(player.settings.get("ms", 0.0))
    if not ms and (budget.iterations if budget else float(player.settings.get("iterations", 0))) > MOST_ITERATIONS:
        raise MeepleError(
            f"--agent {spec} thinks for more than {MOST_ITERATIONS:,} iterations a move; give it a time, such as ms=500."
        )
    if ms > MOST_MS:
        raise MeepleError(f"--agent {spec} thinks {ms:g} ms a move; at most {MOST_MS:g} are allowed here.")
    return Level(player.spec, player.spec, player.kind.meaning, ms)


def find_level(name: str, variant: Variant) -> Level:
    levels = levels_of(variant)
    if name not in levels:
        raise UnknownName(f"opponent at {variant.spec}", name[:60], levels)
    return levels[name]


def default_level(variant: Variant) -> str:
    return f"{ANALYST}-quick" if f"{ANALYST}-quick" in levels_of(variant) else "random"

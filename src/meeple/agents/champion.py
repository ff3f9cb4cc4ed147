"""The champion of each game, from the package: a search with the network inside that won its trials (lab/crown.py). Ten levels.

The lower levels are beginners with the champion's eye (agents/novice.py): they overlook moves and like near gains; the next ones
see everything and think a little; the last thinks for as long as it is given. Which is which was measured (lab/levels.py). A
variant without a network of its own is played with the game's own guide, or by plain search where it has none.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import meeple
from meeple.agents.by_part import ByPart, played
from meeple.agents.mcts import Mcts, make_mcts, params_of
from meeple.agents.novice import NEAR, SIGHT, Novice, blind, eye_of, make_novice
from meeple.agents.random import Random
from meeple.core.agent import AgentKind, Param
from meeple.core.errors import MeepleError
from meeple.core.game import Game, Variant
from meeple.core.registry import find_variant
from meeple.nets.file import read_net
from meeple.search.driver import Budget, Search
from meeple.search.parallel import MOST_WORKERS, Team
from meeple.search.select import PUCT, Settings

FOLDER = Path(meeple.__file__).parent / "champions"
MEASURED = FOLDER / "levels.json"  # variant -> its levels, with the matches that made them so
# Of a search that follows a network; a network's card may say otherwise (config: search).
USUAL = {"c": 1.0, "temperature": 1.5, "fpu": 0.1, "refresh": 1, "top": 12, "meanings": 0, "memory": 0, "bank": 0}
# What a candidate may set for itself (meeple crown --search). A value equal to the default is as the card says.
SEARCH = (
    Param("c", 0.0, "weight of exploration; 0: as the network's card says", 0),
    Param("temperature", 0.0, "of the network's prior; 0: as its card says", 0),
    Param("memory", -1, "1: a node keeps what the network made of it, which runs once a node; 0: not; -1: as its card says", -1, 1),
    Param("bank", -1, "1: milliseconds saved on easy decisions are spent on hard ones; 0: not; -1: as its card says", -1, 1),
)


class Level(NamedTuple):
    """How a level decides."""

    sight: float  # chance that it looks at a move
    near: float  # how much it likes what scores at once
    iterations: int  # of its search; 0: it plays what looks best at once


# Where nobody has measured yet; the tenth level, by the clock, comes on top.
LEVELS = (
    *(Level(sight, near, 0) for sight, near in ((0.05, 8.0), (0.1, 6.0), (0.2, 4.0), (0.35, 2.0), (0.6, 1.0), (1.0, 0.0))),
    *(Level(1.0, 0.0, iterations) for iterations in (16, 64, 256)),
)
TOP = len(LEVELS) + 1


def champion_file(variant: Variant) -> Path:
    """Where the network of a variant lies, if it has one of its own."""
    return FOLDER / f"{variant.spec.replace(':', '-').replace(',', '-')}.safetensors"


def files_of(game: Game) -> tuple[Path, ...]:
    """All networks of a game, and the levels: they decide what its champion plays."""
    return (*sorted(FOLDER.glob(f"{game.name}-*.safetensors")), *([MEASURED] if MEASURED.exists() else []))


@cache
def measured_levels() -> dict[str, Any]:
    return dict(json.loads(MEASURED.read_text())) if MEASURED.exists() else {}


def levels_of(variant: Variant) -> tuple[Level, ...]:
    """Levels 1 to 9 of a variant, or of the part that decides it."""
    found = measured_levels().get(variant.spec) or (measured_levels().get(variant.part.spec) if variant.part else None)
    return tuple(Level(one["sight"], one["near"], one["iterations"]) for one in found["levels"][: TOP - 1]) if found else LEVELS


def network_of(variant: Variant, net: str) -> Path | None:
    if net != "bundled":
        return Path(net).expanduser()
    for of in (variant, variant.part):
        if of and (path := champion_file(of)).exists():
            return path
    return None


def sightless(variant: Variant, net: str = "bundled") -> bool:
    """Is there neither a network nor a guide of the game's own?"""
    return network_of(variant, net) is None and blind(eye_of(variant, None))


def make_champion(
    variant: Variant, level: int, ms: float, iterations: int, net: str, reuse: int, workers: int, **search: float
) -> Mcts | Novice | ByPart:
    """The player of a level with the variant's network; `search` has the parameters of SEARCH."""
    if workers > 1 and (reuse or search["bank"] > 0):
        raise MeepleError(
            "champion's workers begin anew at every decision and use all of its time, so reuse=1 and bank=1 need workers=1."
        )
    path, budget = network_of(variant, net), Budget(max(1, iterations), 0.0 if iterations else ms)
    if level < TOP:
        workers = 1  # weaker on purpose
        chosen = levels_of(variant)[level - 1]
        if sightless(variant, net):
            return without_network(variant, Budget(2**level), 0, 1, {})
        if not chosen.iterations:
            return make_beginner(variant, chosen.sight, chosen.near, net)
        budget = Budget(chosen.iterations)
    if path is None:
        return without_network(variant, budget, reuse, workers, search)
    of = played(variant, path)
    other = {param.name: search[param.name] for param in SEARCH if search[param.name] != param.default}
    team = Team(workers, search_by_name, of.spec, path, budget, other) if workers > 1 else None
    bank = bool(settings_of(path, other)["bank"])
    return Mcts(make_search(of, path, budget, other), bool(reuse), team, by_part=of is not variant, bank=bank)


def search_by_name(spec: str, path: Path, budget: Budget, other: dict[str, float]) -> Search:
    """What a worker makes its search from."""
    return make_search(find_variant(spec), path, budget, other)


def settings_of(path: Path, other: Mapping[str, float] | None = None) -> dict[str, Any]:
    """How a search follows a network: as usual, as its card says, as it is told."""
    return {**USUAL, **read_net(path)[0].config.get("search", {}), **(other or {})}


def make_search(variant: Variant, path: Path, budget: Budget, other: Mapping[str, float] | None = None) -> Search:
    """A search that follows a network, with the settings of its card or others."""
    given = settings_of(path, other)
    memory = bool(given.pop("memory"))
    del given["bank"]
    settings = Settings(
        select=PUCT,
        trust=0.0,
        turns=0,
        cut=0,
        playouts=1,
        points=int(not variant.shape.winnable),
        reduce=0,
        clairvoyant=0,
        **given,
    )
    return Search(variant, settings, eye_of(variant, path), Random(), budget, memory)


def without_network(variant: Variant, budget: Budget, reuse: int, workers: int, search: Mapping[str, float]) -> Mcts:
    """The game's own search, with what of the champion's parameters it has too."""
    if search.get("memory", 0) > 0:
        raise MeepleError(f"champion has no network for {variant.spec}, so there is nothing to keep notes of; leave memory=1 away.")
    given: dict[str, Any] = {param.name: param.default for param in params_of(variant.game)}
    given |= {name: search[name] for name in ("c", "temperature") if search.get(name, 0) > 0}
    given |= {"iterations": budget.iterations, "ms": budget.ms, "reuse": reuse, "workers": workers}
    made = make_mcts(variant, **given)
    made.bank = search.get("bank", 0) > 0
    return made


def make_beginner(variant: Variant, sight: float, near: float, net: str) -> Novice | ByPart:
    path = network_of(variant, net)
    of = played(variant, path) if path else variant
    made = make_novice(of, eye_of(of, path), sight, near)
    return made if of is variant else ByPart(made)


NET = Param("net", "bundled", "the network: bundled, or a file")
AGENTS = (
    AgentKind(
        "champion",
        "a search with the network that won the game's trials, or mcts where none has yet; ten levels",
        make_champion,
        (
            Param("level", TOP, "1: a child's first game, 10: all it can", 1, TOP),
            Param("ms", 200.0, "milliseconds a decision, at level 10", 1),
            Param("iterations", 0, "positions valued a decision, instead of ms, at level 10", 0),
            NET,
            *SEARCH,
            Param("reuse", 0, "1: keep the subtree for the next decision", 0, 1),
            Param("workers", 1, "processes that search at once, each with the whole budget, at level 10", 1, MOST_WORKERS),
        ),
        files=files_of,
    ),
    AgentKind(
        "novice",
        "a beginner with the champion's eye: overlooks moves and likes what scores at once",
        make_beginner,
        (SIGHT, NEAR, NET),
        files=files_of,
    ),
)

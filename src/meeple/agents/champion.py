"""The champion of each game, from the package: a search with the network inside that won its trials (lab/crown.py). Ten levels.

A level below ten looks less far, at fewer actions, and prefers what scores at once: it errs as people do, never at random. A
variant without a network of its own is played by `mcts` as the game declares it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import meeple
from meeple.agents.mcts import Mcts, make_mcts, params_of
from meeple.agents.random import Random
from meeple.core.agent import AgentKind, Param
from meeple.core.game import Game, Variant
from meeple.nets.file import read_net
from meeple.nets.nearsighted import make_nearsighted
from meeple.nets.ready import load_adviser
from meeple.search.driver import Budget, Search
from meeple.search.select import PUCT, Settings

FOLDER = Path(meeple.__file__).parent / "champions"
# Of a search that follows a network; a network's card may say otherwise (config: search).
USUAL = {"c": 1.0, "temperature": 1.5, "fpu": 0.1, "refresh": 1, "top": 12}


class Level(NamedTuple):
    """How a level thinks."""

    iterations: int  # 0: by the clock
    top: int  # actions it looks at; 0: all
    near: float  # how much a gain at once counts


LEVELS = (
    Level(2, 2, 12.0),
    Level(4, 2, 8.0),
    Level(8, 3, 6.0),
    Level(16, 4, 4.0),
    Level(24, 5, 3.0),
    Level(32, 6, 2.0),
    Level(48, 8, 1.0),
    Level(96, 0, 0.0),
    Level(400, 0, 0.0),
    Level(0, 0, 0.0),
)


def champion_file(variant: Variant) -> Path:
    """Where the network of a variant lies, if there is one."""
    return FOLDER / f"{variant.spec.replace(':', '-').replace(',', '-')}.safetensors"


def files_of(game: Game) -> tuple[Path, ...]:
    """All networks of a game: they decide what its champion plays."""
    return tuple(sorted(FOLDER.glob(f"{game.name}-*.safetensors")))


def make_champion(variant: Variant, level: int, ms: float, iterations: int, net: str) -> Mcts:
    """The search of a level with the variant's network."""
    chosen = LEVELS[level - 1]
    budget = Budget(chosen.iterations) if chosen.iterations else Budget(max(1, iterations), 0.0 if iterations else ms)
    path = Path(net).expanduser() if net != "bundled" else champion_file(variant)
    if net == "bundled" and not path.exists():
        return without_network(variant, budget)
    return Mcts(make_search(variant, path, chosen, budget), reuse=False)


def make_search(variant: Variant, path: Path, level: Level, budget: Budget) -> Search:
    """A search that follows a network."""
    given: dict[str, Any] = {**USUAL, **read_net(path)[0].config.get("search", {})}
    given["top"] = min(given["top"], level.top or given["top"])
    settings = Settings(
        select=PUCT,
        trust=0.0,
        turns=0,
        cut=0,
        playouts=1,
        points=int(not variant.shape.winnable),
        meanings=0,
        reduce=0,
        clairvoyant=0,
        **given,
    )
    adviser = load_adviser(path, variant)
    guide = make_nearsighted(adviser, variant, level.near) if level.near else adviser
    return Search(variant, settings, guide, Random(), budget)


def without_network(variant: Variant, budget: Budget) -> Mcts:
    """The game's own search, with the level's budget."""
    given: dict[str, Any] = {param.name: param.default for param in params_of(variant.game)}
    return make_mcts(variant, **{**given, "iterations": budget.iterations, "ms": budget.ms})


AGENTS = (
    AgentKind(
        "champion",
        "a search with the network that won the game's trials, or mcts where none has yet; ten levels",
        make_champion,
        (
            Param("level", 10, "1: a child's first game, 10: all it can", 1, len(LEVELS)),
            Param("ms", 200.0, "milliseconds a decision, at level 10", 1),
            Param("iterations", 0, "positions valued a decision, instead of ms, at level 10", 0),
            Param("net", "bundled", "the network: bundled, or a file"),
        ),
        files=files_of,
    ),
)

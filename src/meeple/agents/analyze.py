"""Looking at a position with a search, as its seat sees it: for `meeple analyze` and for hints."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import Any

from meeple.agents.mcts import Mcts
from meeple.agents.registry import AgentSpec, find_agent
from meeple.core.agent import Seen
from meeple.core.errors import MeepleError
from meeple.core.game import Variant
from meeple.core.state import State
from meeple.search.analysis import Analysis, analysis_of

MS = 1000.0  # the budget, where none is given


def find_analyst(spec: str, variant: Variant, ms: float | None = None, iterations: int | None = None) -> AgentSpec:
    """The search that analyses. Its budget is the one given here, else the spec's, else MS."""
    player = find_agent(spec, variant.game)
    if "workers" in player.settings:  # workers do not return their trees, and an analysis reads one
        player = _with(player, workers=1)
    if player.clairvoyant:
        raise MeepleError(f"{player.kind.name} sees the hidden cards; an analysis knows what the seat may know, as mcts does.")
    if not reads_as_tree(player.make(variant)):
        raise MeepleError(f"{player.kind.name} tells only its move; a position is analysed by a search, such as mcts:c=0.7.")
    if ms is not None and iterations is not None:
        raise MeepleError("Give either --ms or --iterations, not both.")
    if iterations is not None:
        return _with(player, iterations=iterations, **_nothing_of(player, "ms"))
    if ms is not None:
        if not 0 < ms < inf:
            raise MeepleError(f"--ms must be above 0, not {ms:g}.")
        return _with(player, ms=ms, **_nothing_of(player, "iterations"))
    return player if _says_how_long(spec) else _with(player, ms=MS)


def _nothing_of(player: AgentSpec, budget: str) -> dict[str, int]:
    """The other budget is put out of the way: of two, mcts goes by its milliseconds and champion by its iterations."""
    least = next(param.least for param in player.kind.params if param.name == budget)
    return {budget: 0} if least is None or least <= 0 else {}


def reads_as_tree(agent: Any) -> bool:
    """Is the agent a tree search over determinizations (not clairvoyant)?"""
    return isinstance(agent, Mcts) and not agent.search.settings.clairvoyant


def _with(player: AgentSpec, **changed: Any) -> AgentSpec:
    known = {param.name: param for param in player.kind.params}
    for name, value in changed.items():
        known[name].read(str(value), player.kind.name)  # refused like any other wrong value
    return replace(player, settings=player.settings | changed)


def _says_how_long(spec: str) -> bool:
    names = [part.partition("=")[0].strip() for part in spec.partition(":")[2].split(",")]
    return "ms" in names or "iterations" in names


def analyze(agent: Mcts, state: State, seed: int) -> Analysis:
    """Search the position for the seat to move, from what that seat may know alone."""
    if state.over:
        raise MeepleError(f"The game is over ({state.end.reason}), so there is no move to analyse.")
    search, root = agent.search, agent.root_of(Seen(state, seed))
    search.set_root(root)
    search.iterate(1)  # compiles, or loads: that is no thinking time
    search.set_root(root)
    search.run(early=False)
    return replace(analysis_of(search), variant=state.variant.spec)  # the whole game, though a part of it may be what was searched

"""Trees of fixed seeds, node by node, for every game as `mcts` plays it: whatever changes the search shows here.

Regenerate with `make golden` when the search, or a game's guide, is meant to change, and read the diff.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from meeple.agents.registry import find_agent
from meeple.core.game import Variant
from meeple.core.registry import find_game, game_names
from meeple.core.rng import child
from meeple.core.state import new
from meeple.search.driver import Search
from meeple.search.tree import NONE
from tests.search.tiny import GAME

GOLDEN = Path(__file__).parent.parent / "golden" / "trees"
PLIES, ITERATIONS, LEAST = 6, 200, 4


def variants() -> list[Variant]:
    games = [find_game(name) for name in game_names()]
    return [game.variant(game.bench) for game in games] + [GAME.variant(name) for name in ("guess", "nim", "pot")]


def quick() -> list[Variant]:
    """Compiling a search takes most of a minute, so in every run one game stands for all; `make thorough` takes all."""
    thorough = bool(os.environ.get("MEEPLE_THOROUGH"))
    return [variant for variant in variants() if thorough or variant.game is GAME or variant.game.name == "jaipur"]


def tree_path(variant: Variant) -> Path:
    return GOLDEN / f"{variant.spec.replace(':', '_')}.txt"


def tree_text(variant: Variant) -> str:
    """The tree after a few random plies: every node visited so often, children most visited first."""
    state = new(variant, seed=7)
    if variant.game is not GAME:
        for ply in range(PLIES):
            legal = state.legal()
            state.play(legal[child(7, ply) % len(legal)])
    search: Search = find_agent(f"mcts:iterations={ITERATIONS}", variant.game).make(variant).search
    search.set_root(state.redealt(state.seat, 7).array)
    search.run(early=False)
    lines = [f"{variant.spec}, seed 7, {ITERATIONS} iterations, {int(search.tree.used[0])} nodes"]
    describe(search, 0, 0, lines)
    return "\n".join(lines) + "\n"


def describe(search: Search, number: int, depth: int, lines: list[str]) -> None:
    nodes = search.tree.nodes
    children, each = [], int(nodes[number]["first"])
    while each != NONE:
        children.append(each)
        each = int(nodes[each]["next"])
    for each in sorted(children, key=lambda i: (-int(nodes[i]["visits"]), int(nodes[i]["action"]))):
        node = nodes[each]
        if node["visits"] >= LEAST:
            move = search.variant.format_action(int(node["action"]))
            value = float(node["total"]) / int(node["visits"])
            lines.append(f"{'  ' * depth}seat {node['seat']} {move}: {node['visits']} of {node['available']}, {value:.4f}")
            describe(search, each, depth + 1, lines)


@pytest.mark.parametrize("variant", quick(), ids=lambda variant: variant.spec)
def test_golden_trees_are_the_same_to_the_letter(variant: Variant) -> None:
    path = tree_path(variant)
    assert path.is_file(), f"{variant.spec} has no golden tree; make golden writes one"
    assert tree_text(variant) == path.read_text()

"""The speed of the search is measured beside one in plain Python, which must therefore be the same search."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from pathlib import Path

import pytest

import meeple
from meeple.agents.registry import find_agent
from meeple.bench import search as bench_search
from meeple.core.agent import Seen
from meeple.core.kernel import JIT
from meeple.core.registry import find_game

pytestmark = [pytest.mark.xdist_group("rake"), pytest.mark.skipif(not JIT, reason="there is nothing to measure")]


@pytest.mark.parametrize("spec", ["rake:simple", "rake:official-2"])
def test_the_search_in_python_finds_what_the_compiled_one_finds(spec: str) -> None:
    variant, iterations = meeple.find_variant(spec), 600
    root = Seen(meeple.new(variant, 5), 1).sample(1).array
    compiled = find_agent(f"{bench_search.PLAIN},iterations={iterations}", variant.game).make(variant).search
    compiled.set_root(root)
    compiled.iterate(iterations)
    plain = bench_search.python_search().PythonMcts(variant, root, compiled.settings.c, 1)
    plain.run(iterations)
    moves = compiled.root_actions()
    assert {action for _, action in plain.root.children} == set(moves.actions.tolist())
    assert plain.root.visits == compiled.tree.nodes[0]["visits"] == iterations
    assert sum(child.visits for child in plain.root.children.values()) == moves.visits.sum() == iterations - 1
    mean = moves.totals.sum() / moves.visits.sum()
    error = sqrt(max(1e-12, moves.squares.sum() / moves.visits.sum() - mean**2) / iterations)
    assert abs(plain.root.total / plain.root.visits - mean) < 6 * error
    often = sorted((child.visits for child in plain.root.children.values()), reverse=True)
    assert often[0] == pytest.approx(moves.visits.max(), rel=0.5)  # both come to prefer something, about as much


def test_positions_are_spread_over_games_and_redealt() -> None:
    variant = meeple.find_variant("rake:simple")
    found = bench_search.positions(variant, seed=1)
    plies = [int(root[0].ply) for root in found]
    assert len(found) == bench_search.GAMES * bench_search.POSITIONS
    assert plies[0] == plies[bench_search.POSITIONS] == 0
    assert plies[: bench_search.POSITIONS] == sorted(set(plies[: bench_search.POSITIONS]))
    assert not any(root[0].end for root in found)


def test_every_figure_is_there_and_without_the_sources_no_ratio(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name, value in {"GAMES": 1, "POSITIONS": 2, "ITERATIONS": 100, "PYTHON_ITERATIONS": 5}.items():
        monkeypatch.setattr(bench_search, name, value)
    game = replace(find_game("rake"), guide=None, search={})  # its guide would be compiled for nothing
    figures = bench_search.bench_search(game, seed=1)
    assert figures["iterations_per_s"] > 0
    assert figures["ratio"] == pytest.approx(figures["iterations_per_s"] / figures["python_iterations_per_s"])
    monkeypatch.setattr(bench_search, "PROGRAM", tmp_path / "nothing.py")
    figures = bench_search.bench_search(game, seed=1)
    assert figures["iterations_per_s"] > 0
    assert (figures["python_iterations_per_s"], figures["ratio"]) == (None, None)

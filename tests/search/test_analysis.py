"""The analysis of a position: figures by hand on trees made by hand, then real searches of Rake&Roll, whose variants share one
compiled search: points alone, wins for two."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import meeple
from meeple.agents.analyze import MS, analyze, find_analyst
from meeple.agents.registry import find_agent
from meeple.arena.stats import mean_interval
from meeple.cli.analyze import analyze as command
from meeple.cli.analyze import position
from meeple.cli.simulate import random_record
from meeple.core.errors import MeepleError, RecordError
from meeple.core.game import Variant
from meeple.core.intervals import FEWEST, interval_of_mean, interval_of_share, wilson
from meeple.search.analysis import ALIKE, LEAST_SAMPLES, Analysis, Step, analysis_of
from meeple.search.driver import Search
from meeple.search.mcts import backward
from meeple.search.tree import add_node

pytestmark = pytest.mark.xdist_group("rake")
ALONE, TWO = meeple.find_variant("rake:simple"), meeple.find_variant("rake:official-2")
PLAIN = "mcts:select=ucb1,cut=-1,playouts=1,policy=random"


def fresh_search(variant: Variant, spec: str = PLAIN) -> Search:
    search: Search = find_agent(spec, variant.game).make(variant).search
    search.set_root(meeple.new(variant, 1).array)
    return search


def tell(search: Search, path: list[int], samples: NDArray[np.float64], points: int) -> None:
    """What so many playouts from a leaf came to for each seat, told to the nodes as a search does: (playouts, seats)."""
    search.tree.path[: len(path)] = path
    search.tree.depth[0] = len(path)
    search.tree.sums[:] = samples.sum(axis=0)
    backward(search.tree, points, len(samples))


def add(search: Search, parent: int, seat: int, action: int) -> int:
    return int(add_node(search.tree, parent, action, 0, seat, 1.0))


# ---- by hand ----


@pytest.mark.parametrize("playouts", [1, 4])
def test_value_is_the_mean_of_the_leaves_and_its_interval_that_of_fewer(playouts: int) -> None:
    search = fresh_search(ALONE, f"{PLAIN},playouts={playouts}")
    action = meeple.new(ALONE, 1).legal()[0]
    child = add(search, 0, 0, action)
    few = np.random.default_rng(1).normal(60, 9, (40, 1))
    for value in np.repeat(few, ALIKE, axis=0):
        tell(search, [0, child], np.tile(value, (playouts, 1)), points=1)
    best = analysis_of(search).moves[0]
    assert (best.action, best.visits) == (action, 40 * ALIKE * playouts)
    assert best.value == pytest.approx(few.mean())
    assert best.interval == pytest.approx(mean_interval(few[:, 0]))


def test_few_observations_have_no_interval_and_shares_are_those_of_games_won_and_lost() -> None:
    assert interval_of_mean(3.0, FEWEST - 1, 1.0) is None
    assert interval_of_share(0.5, FEWEST - 1) is None
    assert interval_of_mean(149.8, 100, 0.0) is None  # no spread was seen, which is no proof that there is none
    assert interval_of_share(0.5, 40) == wilson(0.5, 40)  # forty draws are no surer than twenty wins and twenty losses


def test_values_that_happen_to_be_alike_are_thought_to_spread_as_those_of_the_other_moves() -> None:
    search = fresh_search(ALONE)
    same, other = (add(search, 0, 0, action) for action in meeple.new(ALONE, 1).legal()[:2])
    for i in range(40 * ALIKE):
        tell(search, [0, same], np.array([[149.8]]), points=1)
        tell(search, [0, other], np.array([[140.0 + i % 2]]), points=1)
    low, high = analysis_of(search).moves[0].interval or (0, 0)
    assert low < 149.3 and high > 150.3


def test_a_line_follows_the_most_visited_answers_of_whichever_seat() -> None:
    search = fresh_search(TWO)
    first, second = meeple.new(TWO, 1).legal()[:2]
    move, _ = add(search, 0, 0, first), add(search, 0, 0, second)
    mine, theirs = add(search, move, 0, second), add(search, move, 1, second)
    rare = add(search, theirs, 0, first)
    for path, times in (([0, move, mine], 5), ([0, move, theirs], 6), ([0, move, theirs, rare], LEAST_SAMPLES - 1)):
        for _ in range(times):
            tell(search, path, np.array([[1.0, 0.0]]), points=0)
    found = analysis_of(search)
    names = [TWO.format_action(action) for action in (first, second)]
    assert found.moves[0].line == (Step(0, names[0]), Step(1, names[1]))  # what was hardly tried is left out
    assert found.moves[0].value == 1.0
    untried = found.moves[1:]
    assert sorted(move.move for move in found.moves) == sorted(meeple.new(TWO, 1).moves())
    assert all((move.visits, move.value, move.interval, move.line) == (0, None, None, ()) for move in untried)


# ---- real searches ----


def state_after(variant: Variant, plies: int) -> meeple.State:
    return list(random_record(variant, seed=3).states())[plies]


def look(state: meeple.State, iterations: int = 200, seed: int = 1) -> Analysis:
    return analyze(find_analyst(PLAIN, state.variant, iterations=iterations).make(state.variant), state, seed)


@pytest.mark.parametrize("variant", [ALONE, TWO], ids=lambda v: v.spec)
def test_every_legal_move_is_there_and_the_best_come_first(variant: Variant) -> None:
    state = state_after(variant, 4)
    found = look(state)
    assert sorted(move.move for move in found.moves) == sorted(state.moves())
    assert sum(move.visits for move in found.moves) == found.iterations - 1  # the first only opens the root
    assert [move.visits for move in found.moves] == sorted((move.visits for move in found.moves), reverse=True)
    assert (found.seat, found.ply, found.points) == (state.seat, 4, variant is ALONE)
    for move in found.moves:
        assert not move.visits or move.line[0] == Step(state.seat, move.move)
        if move.interval:
            assert move.value is not None and move.interval[0] <= move.value <= move.interval[1]
    assert json.loads(json.dumps(found.as_json(), allow_nan=False))["moves"][0]["move"] == found.moves[0].move


def test_an_analysis_follows_from_the_seed_and_from_what_the_seat_may_know() -> None:
    state = state_after(TWO, 6)
    before = state.array.tobytes()
    found = look(state)
    assert state.array.tobytes() == before
    assert look(state.redealt(state.seat, 99)) == found
    assert look(state, seed=2) != found


def test_a_budget_is_what_is_asked_for_or_what_the_search_says_or_a_second() -> None:
    asked = find_analyst(PLAIN, ALONE, iterations=7).settings
    assert (asked["iterations"], asked["ms"]) == (7, 0)
    assert find_analyst(PLAIN, ALONE, ms=5).settings["ms"] == 5
    assert find_analyst(f"{PLAIN},iterations=1000", ALONE).settings["ms"] == 0
    assert find_analyst(f"{PLAIN},ms=30", ALONE).settings["ms"] == 30
    assert find_analyst(PLAIN, ALONE).settings["ms"] == MS
    assert find_analyst(f"{PLAIN},workers=2", ALONE).settings["workers"] == 1  # one tree is read
    asked = find_analyst("champion:ms=30", ALONE, iterations=7).settings  # of two budgets it goes by its iterations
    assert asked["iterations"] == 7
    asked = find_analyst("champion:iterations=9", ALONE, ms=5).settings
    assert (asked["iterations"], asked["ms"]) == (0, 5)


@pytest.mark.parametrize(
    ("spec", "budget", "why"),
    [
        ("random", {}, "random tells only its move; a position is analysed by a search"),
        ("mcts-clairvoyant", {}, "sees the hidden cards"),
        ("mtcs", {}, "did you mean 'mcts'"),
        (PLAIN, {"ms": 0}, "--ms must be above 0, not 0"),
        (PLAIN, {"ms": float("nan")}, "--ms must be above 0, not nan"),
        (PLAIN, {"iterations": 0}, "iterations must be from 1"),
        (PLAIN, {"ms": 1, "iterations": 1}, "either --ms or --iterations"),
    ],
)
def test_what_cannot_analyse_is_refused(spec: str, budget: dict[str, Any], why: str) -> None:
    with pytest.raises(MeepleError, match=why):
        find_analyst(spec, ALONE, **budget)


def test_a_finished_game_has_no_move_to_analyse() -> None:
    with pytest.raises(MeepleError, match=r"The game is over \(time is up\)"):
        look(state_after(ALONE, -1))


# ---- the command ----


def test_the_position_is_the_last_with_a_decision_unless_asked_for_another(tmp_path: Path) -> None:
    record = random_record(ALONE, seed=3)
    plies = len(record.moves)
    assert position(record, None).ply == plies - 1
    assert position(record, 0).ply == 0
    with pytest.raises(MeepleError, match=f"--ply must be from 0 to {plies - 1}, where there is a move to make, not {plies}"):
        position(record, plies)
    with pytest.raises(RecordError, match="cannot be read"):
        command(tmp_path / "nothing.txt")


def test_the_command_shows_the_table_as_the_seat_sees_it_and_the_moves(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    random_record(TWO, seed=3).save(tmp_path / "game.txt")
    command(tmp_path / "game.txt", ply=6, iterations=60, agent=PLAIN, top=2)
    shown = capsys.readouterr().out
    state = state_after(TWO, 6)
    assert f"After 6 moves, as seat {state.seat} sees it" in shown
    assert state.board(state.seat).split()[0] in shown
    assert "60 iterations" in shown
    assert f"{len(state.moves()) - 2} more; --top 0 shows all {len(state.moves())} moves." in shown
    command(tmp_path / "game.txt", ply=6, iterations=60, agent=PLAIN, as_json=True)
    told = json.loads(capsys.readouterr().out)
    assert told["moves"] == look(state, 60).as_json()["moves"]
    assert (told["seed"], told["ply"], told["points"]) == (1, 6, False)

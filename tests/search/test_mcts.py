"""The tree search on games about which everything is known."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from meeple.core.registry import find_variant
from meeple.core.rng import PLAYOUT, child, draw
from meeple.core.state import State, new
from meeple.search import driver
from meeple.search.driver import Search
from meeple.search.mcts import WARM, _widen_scale
from meeple.search.tree import NONE, SCALE
from tests.conftest import games
from tests.search.conftest import a_search
from tests.search.tiny import MOST_ROLLS


def run(search: Search, state: State, seed: int, iterations: int) -> Search:
    search.set_root((state.copy() if search.settings.clairvoyant else state.redealt(state.seat, seed)).array)
    search.iterate(iterations)
    return search


def tree_of(search: Search) -> list[tuple[int, ...]]:
    """Every node, by number."""
    nodes = search.tree.nodes[: search.tree.used[0]]
    return [tuple(int(node[name]) for name in ("action", "seat", "first", "next", "visits", "available")) for node in nodes]


# ---- Meanings ----------------------------------------------------------------------------------------------------------------


def stops_after_a_roll(tiny: Any, meanings: int) -> dict[int, float]:
    """What stopping after the first roll is worth by the tree, for each meaning that it has a node for."""
    search = run(a_search(tiny("pot"), select="puct", cut=0, meanings=meanings), new(tiny("pot"), 1), 1, 3000)
    nodes, found = search.tree.nodes, {}
    roll = next(kid for kid in children(search, 0) if nodes[kid]["action"] == 0)
    for kid in children(search, roll):
        if nodes[kid]["action"] == 1:
            found[int(nodes[kid]["meaning"])] = nodes[kid]["total"] / nodes[kid]["visits"]
    return found


def children(search: Search, node: int) -> list[int]:
    found, kid = [], int(search.tree.nodes[node]["first"])
    while kid != NONE:
        found.append(kid)
        kid = int(search.tree.nodes[kid]["next"])
    return found


def test_what_an_action_means_in_another_world_is_another_node(tiny: Any) -> None:
    """The die shows two, three or four: to stop then brings just that. In one node for all of them it brings something between."""
    assert stops_after_a_roll(tiny, 1) == {2: 2.0, 3: 3.0, 4: 4.0}
    (blurred,) = stops_after_a_roll(tiny, 0).values()
    assert 2.5 < blurred < 3.5


# ---- Hidden information ----------------------------------------------------------------------------------------------------


def guess_share(tiny: Any, clairvoyant: bool, n: int) -> float:
    """What a searching seat wins against one that guesses, over n games with seats exchanged."""
    search = a_search(tiny("guess"), clairvoyant)
    total = 0.0
    for number in range(n):
        state = new(tiny("guess"), number // 2)
        while not state.over:
            seed = child(number, state.ply)
            if state.seat == number % 2:
                state.play(run(search, state, seed, 16).root_actions().best())
            else:
                state.play(seed % 2)
        total += state.outcome()[number % 2]
    return total / n


def test_where_hidden_cards_decide_everything_a_search_wins_its_fair_share(tiny: Any) -> None:
    n = games(10_000)
    share = guess_share(tiny, clairvoyant=False, n=n)
    assert abs(share - 0.5) < 4 * math.sqrt(1 / 8 / n)  # a game is worth 0, 1/2 or 1, with 1/4, 1/2, 1/4


def test_that_test_can_fail_a_clairvoyant_search_wins_three_quarters(tiny: Any) -> None:
    n = games(2_000)
    assert guess_share(tiny, clairvoyant=True, n=n) > 0.5 + 4 * math.sqrt(1 / 8 / n)


# ---- Plain UCT, written down once more -------------------------------------------------------------------------------------


class Node:
    def __init__(self) -> None:
        self.children: dict[int, Node] = {}
        self.visits = 0
        self.total = 0.0
        self.opened = False


def plain_uct(state: State, seed: int, iterations: int, c: float) -> Node:
    """UCT on an open game, as in a textbook; luck in the order the compiled search takes it."""
    root = Node()
    luck = int(state.redealt(state.seat, seed).data.luck[0])
    for number in range(iterations):
        stream = np.array([child(child(luck, number), PLAYOUT)], np.uint64)
        world, node, path = state.copy(), root, []
        while not world.over and node.opened:
            seat, legal = world.seat, world.legal()
            untried = [a for a in legal if a not in node.children]
            if untried:
                chosen = untried[0]
                for seen, action in enumerate(untried, start=1):
                    if draw(stream, seen) == 0:
                        chosen = action
                node.children[chosen] = Node()
            else:
                n = sum(node.children[a].visits for a in legal) + 1
                # Of equals the compiled search takes the child that was made last.
                chosen = max(reversed(node.children), key=lambda a: ucb1(node.children[a], n, c))
            node = node.children[chosen]
            world.play(chosen)
            path.append((seat, node))
        node.opened = True
        while not world.over:
            legal = world.legal()
            world.play(legal[draw(stream, len(legal))])
        for seat, visited in path:
            visited.visits += 1
            visited.total += world.outcome()[seat]
        root.visits += 1
    return root


def ucb1(node: Node, n: int, c: float) -> float:
    return node.total / node.visits + c * math.sqrt(2 * math.log(n) / node.visits)


def compare(search: Search, number: int, node: Node) -> int:
    """The same visits in both trees; returns how many nodes were compared."""
    child_number = int(search.tree.nodes[number]["first"])
    seen, compared = set(), 0
    while child_number != NONE:
        mine = search.tree.nodes[child_number]
        theirs = node.children[int(mine["action"])]
        assert int(mine["visits"]) == theirs.visits
        assert float(mine["total"]) == pytest.approx(theirs.total)
        seen.add(int(mine["action"]))
        compared += 1 + compare(search, child_number, theirs)
        child_number = int(mine["next"])
    assert seen == set(node.children)
    return compared


def test_on_an_open_game_the_search_is_plain_uct(tiny: Any) -> None:
    state = new(tiny("nim"), 3)
    search = run(a_search(tiny("nim"), c=0.7), state, 5, 400)
    assert compare(search, 0, plain_uct(state, 5, 400, 0.7)) > 50


def test_dealing_again_in_every_iteration_changes_the_tree_only_where_something_is_hidden(tiny: Any) -> None:
    for name, same in (("nim", True), ("guess", False)):
        state = new(tiny(name), 3).redealt(0, 5)
        redealt, once = (run(a_search(tiny(name), clairvoyant), state, 5, 500) for clairvoyant in (False, True))
        assert (tree_of(redealt) == tree_of(once)) == same
        assert int(redealt.tree.nodes[0]["visits"]) == int(once.tree.nodes[0]["visits"]) == 500


# ---- Right answers ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sticks", [1, 2, 3, 5, 6, 7, 9, 10])
def test_the_win_is_found(tiny: Any, sticks: int) -> None:
    """Nim: leave a multiple of four."""
    state = new(tiny("nim"), 1)
    state.data.sticks = sticks
    assert run(a_search(tiny("nim")), state, 1, 3000).root_actions().best() == sticks % 4 - 1


def best_of_pot(pot: int, rolls: int) -> float:
    """By recursion: stop, or the mean over the die."""
    if rolls == MOST_ROLLS:
        return pot
    return max(pot, sum(best_of_pot(pot + die, rolls + 1) for die in (2, 3, 4)) / 4)


@pytest.mark.parametrize(("pot", "rolls"), [(0, 0), (4, 1), (6, 2), (8, 3), (11, 3)])
def test_with_more_iterations_the_search_comes_to_the_exact_value(tiny: Any, pot: int, rolls: int) -> None:
    """Open loop cannot tell one roll from another, so only where the last roll is decided are values exact; the move is right in
    all of these."""
    state = new(tiny("pot"), 1)
    state.data.pot, state.data.rolls = pot, rolls
    roll = sum(best_of_pot(pot + die, rolls + 1) for die in (2, 3, 4)) / 4
    moves = run(a_search(tiny("pot"), c=2.0), state, 1, 20_000).root_actions()
    assert moves.best() == (1 if pot > roll else 0)
    if rolls == MOST_ROLLS - 1:
        place = list(moves.actions).index(0)
        assert moves.totals[place] / moves.visits[place] == pytest.approx(roll, abs=4 * pot / math.sqrt(moves.visits[place]))


def test_the_error_of_the_value_shrinks_as_the_budget_grows(tiny: Any) -> None:
    """The position (9, 3 rolls): rolling is worth exactly 9, as is stopping."""
    errors = []
    for iterations in (20, 200, 2000, 20_000):
        found = []
        for seed in range(20):
            state = new(tiny("pot"), 1)
            state.data.pot, state.data.rolls = 9, 3
            moves = run(a_search(tiny("pot"), c=5.0), state, seed, iterations).root_actions()
            found.append(abs(moves.totals.sum() / moves.visits.sum() - best_of_pot(9, 3)))
        errors.append(np.mean(found))
    assert errors == sorted(errors, reverse=True)


# ---- The driver ------------------------------------------------------------------------------------------------------------


def test_any_split_of_the_work_gives_the_same_tree(tiny: Any) -> None:
    state = new(tiny("nim"), 2)
    whole, parts = run(a_search(tiny("nim")), state, 4, 100), run(a_search(tiny("nim")), state, 4, 30)
    parts.iterate(50)
    parts.iterate(20)
    assert tree_of(whole) == tree_of(parts)


def test_stopping_early_never_changes_the_answer(tiny: Any) -> None:
    for seed in range(30):
        state = new(tiny("nim"), seed)
        early, late = a_search(tiny("nim"), iterations=200), a_search(tiny("nim"), iterations=200)
        for search in (early, late):
            search.set_root(state.redealt(0, seed).array)
        early.run()
        late.run(early=False)
        assert late.iterations == 200
        assert early.root_actions().best() == late.root_actions().best()


def by_the_clock(tiny: Any, monkeypatch: pytest.MonkeyPatch, name: str, saved: float, early: bool) -> tuple[int, float]:
    """Iterations that a search of 60 ms makes where each takes a millisecond, and what it returns."""
    search = a_search(tiny(name), ms=60.0)
    search.set_root(new(tiny(name), 3).redealt(0, 3).array)
    monkeypatch.setattr(driver, "time", SimpleNamespace(perf_counter=lambda: search.iterations / 1000))
    left = search.run(early, saved)
    return search.iterations, left


def test_time_saved_before_is_spent_where_the_answer_is_open(tiny: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both colours of `guess` are worth the same; of ten sticks at `nim` two must be taken."""
    for saved, iterations in ((0.0, 60), (25.0, 85), (1000.0, 120)):  # at most as much again as a decision has
        made, left = by_the_clock(tiny, monkeypatch, "guess", saved, early=False)
        assert abs(made - iterations) <= 3
        assert abs(60 + saved - made - left) <= 3
    made, left = by_the_clock(tiny, monkeypatch, "nim", 1000.0, early=True)
    assert made < 60 < 1000 < left


def test_a_full_tree_goes_on_without_growing(tiny: Any) -> None:
    state = new(tiny("nim"), 2)
    search = a_search(tiny("nim"))
    search.tree = search.tree._replace(nodes=search.tree.nodes[:12].copy())
    run(search, state, 4, 2000)
    assert search.tree.used[0] == 12
    assert search.root_actions().visits.sum() == 1999  # the first one opens the root
    for number in range(12):  # where only some children found room, later visits go to one of them
        visits = children_of(search, number)
        assert not visits or sum(visits) == int(search.tree.nodes[number]["visits"]) - 1
    assert any(0 < len(children_of(search, number)) < 3 for number in range(12))


def children_of(search: Search, number: int) -> list[int]:
    """The visits of each child."""
    found, child_number = [], int(search.tree.nodes[number]["first"])
    while child_number != NONE:
        found.append(int(search.tree.nodes[child_number]["visits"]))
        child_number = int(search.tree.nodes[child_number]["next"])
    return found


def test_points_are_measured_by_the_largest_spread_that_was_seen() -> None:
    """From the eighth value on; it never shrinks."""
    spread, seen, scales = np.array([0.0, 0.0, 0.0, 5.0]), [], []
    for value in [3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0, 60.0, *[5.0] * 30]:
        _widen_scale(spread, value)
        seen.append(value)
        scales.append(float(np.std(seen)))
        assert spread[SCALE] == pytest.approx(5.0 if len(seen) < WARM else max(scales[WARM - 1 :]))
    assert WARM == 8 and scales[-1] < max(scales)


def test_a_tree_is_kept_for_the_next_move_and_tells_the_same(tiny: Any) -> None:
    state = new(tiny("nim"), 2)
    search = run(a_search(tiny("nim")), state, 4, 2000)
    before = {
        action: int(visits) for action, visits in zip(search.root_actions().actions, search.root_actions().visits, strict=True)
    }
    state.play(1)
    state.play(0)
    kept = search.follow(state.redealt(0, 9).array, [(0, 1), (1, 0)])
    assert 0 < kept < before[1]
    assert search.root_actions().visits.sum() in (kept, kept - 1)  # a node's first visit opens it and goes no further
    used = int(search.tree.used[0])
    nodes = search.tree.nodes[:used]
    assert all(nodes["first"] < used) and all(nodes["next"] < used)
    search.iterate(100)
    assert int(search.tree.nodes[0]["visits"]) == kept + 100


def test_of_a_kept_tree_only_what_the_position_allows_is_a_choice() -> None:
    """Determinizations turned up other cards, and their actions are not legal here."""
    variant = find_variant("jaipur:round")
    for seed in range(games(4)):
        state = new(variant, seed)
        search = run(a_search(variant), state, seed, games(2000))
        played = []
        for _ in range(2):
            played.append((state.seat, state.legal()[0]))
            state.play(played[-1][1])
        kept = search.follow(state.redealt(state.seat, 9).array, played)
        assert set(search.root_actions().actions) <= set(state.legal())
        assert kept - 1 <= search.root_actions().visits.sum() <= kept
        search.iterate(20)
        assert int(search.tree.nodes[0]["visits"]) == kept + 20


def test_playouts_from_a_node_count_as_so_many_visits(tiny: Any) -> None:
    search = run(a_search(tiny("nim"), playouts=10), new(tiny("nim"), 2), 4, 30)
    assert int(search.tree.nodes[0]["visits"]) == 300
    assert all(search.root_actions().visits % 10 == 0)

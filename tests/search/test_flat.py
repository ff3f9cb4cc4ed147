"""Flat Monte Carlo, expectimax and the search that knows its opponent, on games about which everything is known."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from meeple.agents.registry import find_agent
from meeple.arena import plan as arena_plan
from meeple.arena.store import Store
from meeple.core.agent import Seen, ask
from meeple.core.errors import MeepleError
from meeple.core.state import State, new
from meeple.lab import exploit as lab
from meeple.search.driver import RootActions, Search
from meeple.search.parallel import Team, add_up
from tests.search.conftest import a_search
from tests.search.tiny import GAME


def nim(sticks: int) -> State:
    state = new(GAME.variant("nim"), 1)
    state.data.sticks = sticks
    return state


def answer(spec: str, state: State, seed: int = 1) -> int:
    return ask(find_agent(spec, GAME).make(state.variant), state, seed)


@pytest.mark.parametrize("sticks", [1, 2, 3, 5, 6, 7])
@pytest.mark.parametrize("spec", ["flat:iterations=600", "flat:iterations=600,cut=1", "expectimax:nodes=20000"])
def test_the_win_is_found(spec: str, sticks: int) -> None:
    """Leave a multiple of four: against random replies, with a guide that sees the loss at four sticks, and by looking ahead."""
    assert answer(spec, nim(sticks)) == sticks % 4 - 1


def test_looking_ahead_finds_a_win_eight_decisions_away() -> None:
    assert answer("expectimax:nodes=200000", nim(10)) == 1


def test_one_who_knows_the_opponent_sets_a_trap_for_it() -> None:
    """Eight sticks are lost against good play, and won against one that always takes one, by who counts on that."""
    state = nim(8)
    taken = answer("exploiter:agent=always-one,iterations=60", state)
    state.play(taken)
    while not state.over:
        state.play(0 if state.seat == 1 else answer("exploiter:agent=always-one,iterations=60", state))
    assert state.outcome() == [1.0, 0.0]


class AlwaysOne:
    def choose(self, seen: Seen) -> int:
        return seen.legal[0]


@pytest.fixture(autouse=True)
def always_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """A plain agent: flat asks it ply by ply."""
    from meeple.agents import registry
    from meeple.core.agent import AgentKind

    monkeypatch.setitem(registry._OWN, "always-one", AgentKind("always-one", "takes one stick", lambda _: AlwaysOne()))


def test_the_same_seed_gives_the_same_answer() -> None:
    answers = {answer("flat:iterations=40", nim(10), seed=5) for _ in range(5)}
    assert len(answers) == 1


def test_flat_does_not_look_at_the_hidden_card() -> None:
    """The answer is the same whatever the card is."""
    for seed in range(20):
        answers = []
        for card in (0, 1):
            state = new(GAME.variant("guess"), 1)
            state.data.card = card
            answers.append(answer("flat:iterations=20", state, seed))
        assert answers[0] == answers[1]


def test_a_clairvoyant_search_says_so_and_an_honest_one_is_not_shown_the_truth() -> None:
    honest, clairvoyant = (find_agent(f"{name}:iterations=64", GAME) for name in ("mcts", "mcts-clairvoyant"))
    assert clairvoyant.kind.clairvoyant and not honest.kind.clairvoyant
    assert "clairvoyant" in clairvoyant.spec
    right = {False: 0, True: 0}
    for seed in range(40):
        for player in (honest, clairvoyant):
            state = new(GAME.variant("guess"), seed)
            state.play(0)
            answer_of = ask(player.make(state.variant), state, seed, clairvoyant=player.clairvoyant)
            right[player.clairvoyant] += answer_of == int(state.data.card)
    assert right[True] == 40
    assert 8 < right[False] < 32


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("mcts:select=ucb2", "ucb1"),
        ("mcts:policy=always-one", "no kernel agent"),
        ("mcts:policy=nobody", "nobody"),
        ("mcts:reduce=1", "no action reduction"),
        ("mcts:iterations=0", "from 1"),
        ("mcts:workers=2,reuse=1", "workers=1"),
        ("flat:policy=mcts(iterations=5", "closing bracket"),
    ],
)
def test_an_impossible_search_is_refused_in_a_sentence(spec: str, message: str) -> None:
    with pytest.raises(MeepleError, match=message):
        find_agent(spec, GAME).make(GAME.variant("nim"))


def test_workers_add_up_what_they_found() -> None:
    one = RootActions(np.array([3, 1], np.int32), np.array([5, 2]), np.array([2.0, 1.0]), np.array([2.0, 1.0]))
    two = RootActions(np.array([1, 7], np.int32), np.array([4, 1]), np.array([3.0, 0.0]), np.array([3.0, 0.0]))
    both = add_up([one, two])
    assert list(both.actions) == [1, 3, 7]
    assert list(both.visits) == [6, 5, 1]
    assert list(both.totals) == [4.0, 2.0, 0.0]
    assert both.best() == 1


def make_tiny_search(variant: str) -> Search:
    """What a worker makes its search from."""
    return a_search(GAME.variant(variant), iterations=50)


def test_a_team_of_processes_searches_one_position() -> None:
    team = Team(2, make_tiny_search, "nim")
    moves = team.run(nim(6).array)
    assert moves.best() == 1
    assert moves.visits.sum() == 2 * 49  # each opens its root first
    team.close()


def test_who_knows_a_random_player_wins_most_games_from_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (lab, arena_plan):
        monkeypatch.setattr(module, "find_variant", lambda spec: GAME.variant(spec.partition(":")[2]))
    plan = lab.plan_exploit("tiny:nim", "random", "iterations=100", games=60, seed=1)
    assert plan.players[0].spec == "exploiter:iterations=100"
    result = lab.exploit(plan, Store(tmp_path / "r.sqlite"), 1, lambda _: None)
    assert result["unit"] == "share of wins"
    assert result["taken_ci"][0] > 0.6
    assert result["exploitability_at_least"] == pytest.approx(result["taken_ci"][0] - 0.5)


def test_in_a_solitaire_it_is_what_the_agent_leaves_lying(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (lab, arena_plan):
        monkeypatch.setattr(module, "find_variant", lambda spec: GAME.variant(spec.partition(":")[2]))
    plan = lab.plan_exploit("tiny:pot", "random", "iterations=100", games=400, seed=1)
    result = lab.exploit(plan, Store(tmp_path / "r.sqlite"), 1, lambda _: None)
    assert result["unit"] == "points"
    assert result["taken_ci"][0] > 0


def test_an_agent_with_parameters_is_named_in_brackets() -> None:
    assert lab.in_brackets(find_agent("mcts:iterations=5,c=0.5", GAME)) == "mcts(iterations=5,c=0.5)"

"""What a search worker does with a question, in this process."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from meeple.core.errors import MeepleError
from meeple.core.state import State, new
from meeple.search.driver import Budget
from meeple.search.tree import ROOT
from meeple.serve import minds
from meeple.serve.board import STOP, Board, make_board
from meeple.serve.levels import ANALYST
from meeple.serve.minds import Question, answer

pytestmark = pytest.mark.xdist_group("page")


@pytest.fixture
def board(monkeypatch: pytest.MonkeyPatch) -> Iterator[Board]:
    made = make_board(1)
    monkeypatch.setattr(minds._me, "board", made)
    monkeypatch.setattr(minds._me, "row", 0)
    yield made
    made.forget()


def asked(state: State, kind: str = "analyse", agent: str = ANALYST, **more: Any) -> Any:
    array = state.redealt(state.seat, 1).array
    return answer(Question(kind, state.variant.spec, agent, array, 1, **{"ms": 20.0, **more}))


def test_a_match_is_searched_by_its_rounds_where_the_network_was_made_for_rounds() -> None:
    state = new("jaipur:match", 1)
    state.data.seals[0] = 1
    assert asked(state, "choose", "champion", ms=5.0) in state.legal()
    mind = minds._me.minds["jaipur:match", "champion"]
    assert mind.by_part and mind.search.tree.states[ROOT].match == 0


def test_the_action_that_was_played_is_valued_though_the_search_would_not_consider_it() -> None:
    state = new("jaipur:round", 2)
    while len(state.legal()) < 40:
        state.play(state.legal()[0])
    untried = next(move["action"] for move in asked(state)["moves"] if move["value"] is None)
    found = asked(state, action=untried)
    played = next(move for move in found["moves"] if move["action"] == untried)
    assert played["visits"] >= minds.LEAST_VISITS and 0 <= played["value"] <= 1
    assert found["moves"][0]["visits"] >= played["visits"]
    assert minds._me.minds["jaipur:round", ANALYST].search.tree.forced[0] == -1
    best = found["moves"][0]["action"]
    assert asked(state, action=best)["moves"][0]["value"] is not None


def test_a_stop_is_heard_by_the_question_that_it_is_for_and_by_no_other(board: Board) -> None:
    """Questions are answered by priority, so one with a lower number may come after one that was stopped."""
    state = new("rake:simple", 1)
    board.rows[0, STOP] = 7
    assert asked(state, number=3)["iterations"] > 16
    stopped = asked(state, ms=1e7, number=7)  # it ends at all: the stop stood there before the question began
    assert stopped["iterations"] <= 16 and stopped["moves"][0]["visits"] > 0


@pytest.mark.parametrize("kind", ["choose", "analyse"])
def test_a_game_that_is_over_is_refused(kind: str) -> None:
    state = new("jaipur:round", 1)
    state.data.end = 1
    with pytest.raises(MeepleError, match="over"):
        answer(Question(kind, "jaipur:round", ANALYST, state.array, 1, (), 20.0))


def test_a_mind_that_serves_all_tables_keeps_nothing_from_one_decision_to_the_next() -> None:
    """Its tree was searched with what the other seat knows."""
    state, agent = new("jaipur:round", 3), "mcts:iterations=6,reuse=1"
    asked(state, "choose", agent, ms=0.0)
    first = minds._me.minds["jaipur:round", agent].search.root_actions().visits.sum()
    state.play(state.legal()[0])
    asked(state, "choose", agent, ms=0.0, history=((0, state.legal()[0]),))
    assert minds._me.minds["jaipur:round", agent].search.root_actions().visits.sum() == first


def test_a_question_with_a_time_leaves_the_budget_of_the_mind_as_it_was() -> None:
    asked(new("jaipur:round", 3), "choose", "mcts:iterations=6", ms=5.0)
    assert minds._me.minds["jaipur:round", "mcts:iterations=6"].search.budget == Budget(6, 0.0)


def test_what_an_agent_did_wrong_is_told_without_its_moves(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Wrong:
        def begin(self, variant: Any, seat: int) -> None:
            pass

        def choose(self, seen: Any) -> str:  # noqa: ARG002
            return "sell 9 camels"

    monkeypatch.setitem(minds._me.minds, ("jaipur:round", "greedy"), Wrong())
    with pytest.raises(MeepleError, match=r"^greedy failed; the log of the server says how\.$"):
        asked(new("jaipur:round", 3), "choose", "greedy", ms=0.0)
    assert "sell 9 camels" in caplog.text

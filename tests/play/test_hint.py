"""Hints by search: the best three moves, what they are worth, how sure that is, and how the game may go on."""

from __future__ import annotations

import io
import re
from contextlib import nullcontext
from pathlib import Path

import pytest
from rich.console import Console

import meeple
from meeple.agents.registry import AgentSpec, find_agent
from meeple.play.hint import BEST, line_text, value_text
from meeple.play.session import Session, begin
from meeple.play.terminal import Terminal
from meeple.search.analysis import MoveValue, Step

pytestmark = pytest.mark.xdist_group("rake")


def adviser(session: Session) -> AgentSpec:
    return find_agent("mcts:select=ucb1,cut=-1,playouts=1,policy=random,iterations=400", session.variant.game)


@pytest.fixture(params=["rake:simple", "rake:official-2"])
def session(request: pytest.FixtureRequest, tmp_path: Path) -> Session:
    session = begin(meeple.find_variant(request.param), [], 0, 7, tmp_path / "game.txt")
    while session.state.ply < 2 or not session.persons_turn or not BEST <= len(session.state.moves()) <= 6:
        if session.persons_turn:
            session.play(session.state.moves()[0])
        else:
            session.let_agent_move()
    return session


def test_a_search_tells_what_it_found_changes_nothing_and_knows_only_what_the_person_may(session: Session) -> None:
    before = session.state.array.tobytes()
    hint = session.hint(adviser(session))
    assert hint.analysis is not None
    assert hint.move == hint.analysis.moves[0].move
    assert session.state.array.tobytes() == before
    session.state = session.state.redealt(session.seat, 12345)
    assert session.hint(adviser(session)) == hint


def test_the_terminal_shows_the_best_three(session: Session) -> None:
    shown = io.StringIO()
    Terminal(session, adviser(session), Console(file=shown, width=300), lambda _: nullcontext())._obey("hint")
    first, *best = shown.getvalue().splitlines()
    moves = session.state.moves()
    advice = re.search(r"would play (\d+): (.+)", first)
    assert advice and moves[int(advice[1]) - 1] == advice[2]
    assert len(best) == BEST
    unit, value = ("points", r"[\d.]+") if session.variant.shape.seats == 1 else ("wins", r"[\d.]+%")
    for line in best:
        found = re.match(rf"  (\d+) (.+?) +{value} {unit} +\({value} to {value}\)", line)
        assert found and moves[int(found[1]) - 1] == found[2]
    assert best[0].startswith(f"  {advice[1]} {advice[2]} ")
    assert "then " in best[0]


def test_what_was_never_tried_has_no_value_and_a_line_names_the_seats() -> None:
    assert value_text(MoveValue("take gold", 1), points=False) == ("-", "-")
    assert value_text(MoveValue("take gold", 1, 9, 0.5, (0.25, 0.75)), points=False) == ("50.0%", "25.0% to 75.0%")
    assert value_text(MoveValue("take gold", 1, 9, 50.0, (45.0, 55.0)), points=True) == ("50.0", "45.0 to 55.0")
    move = MoveValue("take gold", 1, 9, 0.5, None, (Step(0, "take gold"), Step(1, "pass"), Step(0, "sell")))
    assert line_text(move, lambda seat: f"seat {seat}") == "seat 1: pass; seat 0: sell"
    assert line_text(move, lambda _: "") == "pass; sell"

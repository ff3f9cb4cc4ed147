"""The table as text."""

from __future__ import annotations

import meeple
from meeple.core.rng import draw, stream
from meeple.core.state import State
from meeple.games.jaipur.components import MATCH_TURN_CAP


def test_the_end_of_a_match_names_the_round_that_ended_and_tells_its_points_once() -> None:
    state = meeple.new("jaipur:match", 3)
    luck = stream(5)
    rounds = 0
    while not state.over:
        legal = state.legal()
        state.play(legal[draw(luck, len(legal))])
        if not state.over and int(state.data.rounds) > rounds:
            rounds = int(state.data.rounds)
            assert state.board(0).startswith(f"Round {rounds + 1}, ")
            assert "the round before ended" in state.board(0)
    played = int(state.data.rounds)
    assert played == rounds + 1
    for seat in (0, 1):
        first, *_, last = state.board(seat).splitlines()
        assert first.startswith(f"Round {played}, seals ")
        assert "the round before" not in first  # those points are of this round: the last line has them
        mine, theirs = (int(state.data.last_points[i]) for i in (seat, 1 - seat))
        assert last == f"The round is over: {mine} to {theirs}."


def test_a_match_that_is_cut_off_between_two_rounds_names_the_one_that_ended() -> None:
    state = meeple.new("jaipur:match", 3)
    luck = stream(5)
    while not state.over:
        legal = state.legal()
        action = legal[draw(luck, len(legal))]
        if _rounds_after(state, action) == 1 and state.data.rounds == 0:
            state.data.turn = MATCH_TURN_CAP - 1
        state.play(action)
    assert state.end.truncated
    assert state.board(0).startswith("Round 1, seals ")


def _rounds_after(state: State, action: int) -> int:
    copy = state.copy()
    copy.play(action)
    return int(copy.data.rounds)

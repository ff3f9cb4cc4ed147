"""Asking an agent: both kinds the same way, with nothing but what their seat may know."""

from __future__ import annotations

from typing import Any

import pytest

import meeple
from meeple.agents.random import Random
from meeple.core.agent import Seen, ask
from meeple.core.errors import MeepleError
from meeple.core.faults import AgentFault


class Answers:
    """A plain agent that says what it was told to and keeps what it saw."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer
        self.seen: list[Seen] = []

    def choose(self, seen: Seen) -> Any:
        self.seen.append(seen)
        return self.answer


def test_a_kernel_agent_answers_with_a_legal_action_that_follows_from_the_seed() -> None:
    state = meeple.new("jaipur:round", 3)
    answers = [ask(Random(), state, seed) for seed in range(20)]
    assert set(answers) <= set(state.legal())
    assert len(set(answers)) > 1
    assert answers == [ask(Random(), state, seed) for seed in range(20)]


@pytest.mark.parametrize("as_text", [True, False])
def test_a_plain_agent_may_answer_with_a_move_or_an_action(as_text: bool) -> None:
    state = meeple.new("jaipur:round", 3)
    action = state.legal()[2]
    assert ask(Answers(state.variant.format_action(action) if as_text else action), state, 1) == action


def test_asking_changes_nothing_and_shows_no_secret() -> None:
    state = meeple.new("jaipur:round", 3)
    before = state.array.tobytes()
    agent = Answers(state.legal()[0])
    ask(agent, state, 1)
    ask(agent, state.redealt(state.seat, 99), 1)
    assert state.array.tobytes() == before
    truth, elsewhere = agent.seen
    assert truth.sample(5).array.tobytes() == elsewhere.sample(5).array.tobytes()


def test_an_answer_that_is_not_legal_is_refused() -> None:
    with pytest.raises(AgentFault, match="Answers made no legal move: 'sell 7 leather' is not legal"):
        ask(Answers("sell 7 leather"), meeple.new("jaipur:round", 3), 1)


def test_what_cannot_choose_cannot_play() -> None:
    with pytest.raises(MeepleError, match=r"int has no choose\(seen\)"):
        ask(3, meeple.new("jaipur:round", 3), 1)

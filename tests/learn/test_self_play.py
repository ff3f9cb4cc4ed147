"""Techniques of self-play: one policy a seat, cloning, imitation, and beginning with a network's file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from meeple.agents.registry import find_agent, lent
from meeple.core.agent import AgentKind, Seen, choose
from meeple.core.errors import MeepleError
from meeple.core.registry import find_variant
from meeple.core.rng import stream
from meeple.core.state import new
from meeple.learn.evaluate import Judge, Trained
from meeple.learn.imitation import Config as ImitationConfig
from meeple.learn.imitation import Imitation
from meeple.learn.ppo import PPO, Config
from meeple.learn.seats import Seats, make_learner
from meeple.learn.teacher import Replay, play_teacher
from meeple.nets.file import write_net
from meeple.nets.forward import best_score, evaluate
from meeple.nets.policy import BySeat
from meeple.nets.ready import load_adviser, load_policy
from tests.search.tiny import GAME as TINY

NIM = TINY.variant("nim")
STICKS = Path(__file__).parents[1] / "play" / "sticks"
SMALL = Config(games=32, steps=8, hidden=(32,), minibatch=128, lr=3e-3)


def two_policies(**more: Any) -> Seats:
    made = make_learner(PPO, NIM, replace(SMALL, policies="seat", **more), 1)
    assert isinstance(made, Seats)
    return made


def test_one_policy_a_seat_learns_and_each_learner_sees_its_own_seat_only() -> None:
    seats = two_policies()
    for _ in range(60):
        seats.iterate()
    assert [set(learner.groups[0].trail.seats.ravel()) for learner in seats.learners] == [{0}, {1}]
    assert not np.array_equal(*seats.weights)
    assert seats.decisions == sum(learner.decisions for learner in seats.learners) == 60 * 2 * 256
    judged = Judge(NIM, ("random",), 200, 3).judge(Trained(seats.player()))
    assert judged["strength"] > 0.85


def test_a_file_of_both_policies_is_an_agent_that_plays_each_in_its_seat(tmp_path: Path) -> None:
    seats, path = two_policies(), tmp_path / "two.safetensors"
    for k, learner in enumerate(seats.learners):
        learner.model.weights[:] = 0  # takes one stick, whatever is seen
        learner.model.layout.of(learner.model.weights, "rows.bias")[1] = k  # the second seat's takes two
    write_net(path, seats.card(), seats.weights)
    agent = load_policy(path, NIM)
    assert isinstance(agent, BySeat)
    state, out, taken = new(NIM), np.zeros(4, np.int32), []
    while not state.over:
        taken.append(int(choose(agent, state.data, stream(1), out)) + 1)
        state.play(taken[-1] - 1)
    assert taken == [1, 2, 1, 2, 1, 2, 1]
    with pytest.raises(MeepleError, match="a search needs one for all seats"):
        load_adviser(path, NIM)
    with pytest.raises(MeepleError, match=r"each of 2 seats of tiny:nim; tiny:pot has 1"):
        load_policy(path, TINY.variant("pot"))


def test_cloning_gives_all_seats_the_strongest_policy_once_and_a_fresh_optimiser() -> None:
    seats = two_policies(clone_at=1)
    expert = PPO(NIM, replace(SMALL, games=64, steps=16), 1)
    for _ in range(40):
        expert.iterate()
    seats.learners[1].model.weights[:] = expert.weights
    assert np.argmax(seats.strengths()) == 1
    for learner in seats.learners:
        learner.counters[0] = 1
        learner.adam.count[0] = 5  # type: ignore[attr-defined]
    assert seats.clone() == 1
    assert np.array_equal(seats.weights[0], expert.weights) and np.array_equal(*seats.weights)
    assert [float(learner.adam.count[0]) for learner in seats.learners] == [0, 0]  # type: ignore[attr-defined]
    report = seats.iterate()
    assert "cloned" not in report and not np.array_equal(*seats.weights)


def test_cloning_happens_at_its_number_of_decisions() -> None:
    seats = two_policies(clone_at=1000)
    assert ["cloned" in seats.iterate() for _ in range(3)] == [False, True, False]  # 512 decisions an update


class Mind:
    """Plays the first move, and tells which seats it was asked in, and with what luck."""

    asked: ClassVar[list[tuple[int, int, int]]] = []  # (mind, seat, luck)

    def __init__(self, variant: Any) -> None:
        pass

    def begin(self, variant: Any, seat: int) -> None:
        pass

    def choose(self, seen: Seen) -> int:
        self.asked.append((id(self), seen.seat, seen.seed))
        return seen.legal[0]


@pytest.fixture
def mind() -> Iterator[type[Mind]]:
    Mind.asked = []
    with lent([AgentKind("mind", "a test's", Mind)]):
        yield Mind


def test_a_teacher_is_a_mind_for_every_seat(mind: type[Mind]) -> None:
    play_teacher(NIM, find_agent("mind", TINY), 2, 3)
    assert len({who for who, _, _ in mind.asked}) == 2
    assert len({(who, seat) for who, seat, _ in mind.asked}) == 2


def test_opponents_at_one_table_are_minds_of_their_own(mind: type[Mind]) -> None:
    variant = find_variant(f"{STICKS}:three")
    player = Trained(find_agent("random", variant.game).make(variant))
    Judge(variant, ("mind",), 3, 1).judge(player)
    assert {seat for _, seat, _ in mind.asked} == {0, 1, 2}  # in every game the learner has another one
    one, other = ({luck for who, _, luck in mind.asked if who == each} for each in {who for who, _, _ in mind.asked})
    assert one and other and not one & other


def test_a_games_replay_tells_what_was_seen_done_and_paid() -> None:
    teacher = find_agent("random", TINY)
    actions = play_teacher(NIM, teacher, 5, 3)
    shown = Replay(NIM, "seen", 5, PPO(NIM, SMALL, 1).reward).show(actions, 3, 1.0, 0.5, 1)
    assert len(shown.returns) == sum(map(len, actions))
    played = shown.seen.lists[2][shown.seen.lists[0] + shown.seen.chosen]
    by_time = [one[t] for t in range(max(map(len, actions))) for one in actions if t < len(one)]
    assert played.tolist() == by_time
    first = [1.0 if len(one) % 2 else -1.0 for one in actions]  # whoever takes the last stick wins
    assert shown.returns[:5, 0].tolist() == [won * 0.5 ** (len(one) - 1) for won, one in zip(first, actions, strict=True)]
    assert (shown.seen.observations[:5].argmax(axis=1) == 10).all()  # ten sticks at the beginning


def test_imitation_plays_as_its_teacher_and_ppo_can_go_on_from_there(tmp_path: Path) -> None:
    config = ImitationConfig(teacher="mcts:iterations=300,cut=-1,policy=random", games=16, hidden=(32,), minibatch=64)
    learner = Imitation(NIM, config, 1)
    for _ in range(25):
        learner.iterate()
    shown = learner.replay.show(play_teacher(NIM, learner.teacher, 16, 99), 99, 1.0, 1.0, 1).seen
    sticks = shown.observations.argmax(axis=1)
    played = []
    for i in np.flatnonzero(sticks % 4):  # where it has lost the teacher plays anything
        count = int(shown.lists[1][i])
        evaluate(learner.net, shown.observations[i], shown.lists[2][shown.lists[0][i] :], count)
        played.append((best_score(learner.net, count), int(shown.chosen[i])))
    assert len(played) >= 32
    assert np.mean([mine == its for mine, its in played]) > 0.75  # by chance a third
    path = tmp_path / "warm.safetensors"
    write_net(path, learner.card(), learner.weights)
    other = PPO(NIM, SMALL, 2)
    other.begin_with(path)
    assert np.array_equal(other.weights, learner.weights)
    with pytest.raises(MeepleError, match="cannot be begun with"):
        PPO(NIM, replace(SMALL, hidden=(16,)), 2).begin_with(path)


def test_settings_that_do_not_go_together_are_refused() -> None:
    with pytest.raises(MeepleError, match="policies must be shared or seat"):
        make_learner(PPO, NIM, replace(SMALL, policies="two"), 1)
    with pytest.raises(MeepleError, match="set policies=seat too"):
        make_learner(PPO, NIM, replace(SMALL, clone_at=5), 1)
    with pytest.raises(MeepleError, match="has one seat"):
        make_learner(PPO, TINY.variant("pot"), replace(SMALL, policies="seat"), 1)

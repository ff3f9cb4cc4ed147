"""Rounds played elsewhere: learnt from as if they were played here, whoever is slow or lost."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np
import pytest

from meeple.arena.cluster.crew import Lost
from meeple.core.errors import MeepleError
from meeple.core.kernel import JIT
from meeple.core.registry import find_variant
from meeple.learn import spread
from meeple.learn.config import read_config
from meeple.learn.spread import MOST_BEHIND, MOST_LOSSES, Sample, Spread
from meeple.learn.train import find_learner

pytestmark = pytest.mark.skipif(not JIT, reason="trains")
ROUND = find_variant("jaipur:round")
SMALL = {"games": 8, "steps": 8, "hidden": [8]}


def learner(name: str, **more: Any) -> Any:
    kind = find_learner(name)
    return kind(ROUND, read_config(kind.config_class, {**SMALL, **more}), 3)


class Twin:
    """Plays elsewhere what the learner would have played itself."""

    def __init__(self, player: Any) -> None:
        self.player = player

    def rounds(self, sent: Any) -> tuple[list[Any], dict[str, float]]:
        self.player.receive(sent)
        found = self.player.gather()
        self.player.counters[1] += 1
        return [found], {"players": 1.0}


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("ppo", {"opponents": "self 2; past 1", "freeze": 1, "minibatch": 32}),
        ("a2c", {}),
        ("reinforce", {"minibatch": 64}),
        ("imitation", {"teacher": "basic3", "minibatch": 64}),
    ],
)
def test_rounds_of_a_twin_teach_the_same_as_ones_own(name: str, more: dict[str, Any]) -> None:
    alone, helped = learner(name, **more), learner(name, **more)
    helped.spread = Twin(learner(name, **more))
    for _ in range(3):
        alone.iterate()
        assert helped.iterate()["players"] == 1
    assert (alone.weights == helped.weights).all()
    assert alone.counters.tolist() == helped.counters.tolist()


def test_rounds_of_several_players_are_learnt_from_as_one() -> None:
    one = learner("ppo")
    first, second = one.gather(), one.gather()
    both = one.join([first, second])
    assert both.figures["games"] == first.figures["games"] + second.figures["games"]
    assert both.lesson.advantage.tolist() == [*first.lesson.advantage, *second.lesson.advantage]
    n = len(first.lesson.advantage)
    starts, counts, ids = both.lesson.seen.lists
    mine = second.lesson.seen.lists
    for i in (0, 5):
        legal = ids[starts[n + i] : starts[n + i] + counts[n + i]]
        assert legal.tolist() == mine[2][mine[0][i] : mine[0][i] + mine[1][i]].tolist()


class Script:
    """A crew that answers what it is told to."""

    def __init__(self, *_: Any) -> None:
        self.size, self.losses, self.words = 2, 0, ()
        self.answers: deque[tuple[int, Any]] = deque()
        self.asked: list[int] = []

    def share(self, value: Any) -> Any:
        return value

    def idle(self, size: int) -> list[int]:
        return [] if self.asked else list(range(size))

    def ask(self, number: int, *_: Any) -> None:
        self.asked.append(number)

    def next(self) -> tuple[int, Any]:
        return self.answers.popleft()


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(spread, "Crew", Script)
    return Spread(ROUND, "ppo", learner("ppo"), "local")


def sent(update: int) -> dict[str, Any]:
    return {"update": np.array(update)}


def test_nobody_waits_for_a_slow_player_and_a_lost_one_is_asked_anew(scripted: Any) -> None:
    crew = scripted.crew
    crew.answers.extend([(0, Sample(9, "a")), (1, Lost()), (0, Sample(10, "b"))])
    rounds, told = scripted.rounds(sent(10))
    assert rounds == ["a", "b"]
    assert told["behind"] == 0.5
    assert crew.asked == [0, 1, 0, 1, 0]


def test_rounds_of_weights_that_are_too_old_are_left_out_and_counted(scripted: Any) -> None:
    old = Sample(100 - MOST_BEHIND - 1, "old")
    scripted.crew.answers.extend([(1, old), (0, Sample(100 - MOST_BEHIND, "a")), (1, Sample(100, "b"))])
    rounds, told = scripted.rounds(sent(100))
    assert rounds == ["a", "b"]
    assert told["left_out"] == 1


def test_a_cluster_that_loses_everybody_ends_the_run_in_a_sentence(scripted: Any) -> None:
    scripted.crew.answers.extend([(0, Lost())] * (2 * MOST_LOSSES + 1))
    with pytest.raises(MeepleError, match="loses every player"):
        scripted.rounds(sent(1))


def test_a_learner_with_a_memory_in_order_cannot_be_spread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spread, "Crew", Script)
    with pytest.raises(MeepleError, match="cannot spread the games of dqn"):
        Spread(ROUND, "dqn", learner("dqn", capacity=64, batch=8), "local")


def test_every_player_has_its_share_of_the_games() -> None:
    setup = learner("ppo", games=9, opponents="self 2; random 1").setup
    assert spread.shared_out(setup, 2).games == 4
    assert spread.shared_out(setup, 100).games == 2

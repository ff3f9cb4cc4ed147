"""Games of self-play on a cluster: the same weights as here, whoever is slow or lost."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from meeple.arena.cluster.crew import Lost
from meeple.core.errors import MeepleError
from meeple.core.kernel import JIT
from meeple.learn import afar
from meeple.learn.afar import FarPlayer
from tests.learn.test_exit import nim

pytestmark = pytest.mark.skipif(not JIT, reason="trains")


class Unreliable:
    """A crew of two in this process. The first is slow: it answers only when nobody else has anything to say. Every third piece of
    the second is lost with it."""

    def __init__(self, address: str, make: Any, words: Any, size: int) -> None:  # noqa: ARG002
        self.size, self.losses, self.calls = 2, 0, 0
        self.players = [make(*words), make(*words)]
        self.doing: dict[int, Any] = {}

    def share(self, value: Any) -> Any:
        return value

    def idle(self, size: int) -> list[int]:
        return [number for number in range(size) if number not in self.doing]

    def ask(self, number: int, method: str, *words: Any) -> None:
        assert number not in self.doing
        self.doing[number] = (method, words)

    def wait(self, seconds: float | None = None) -> tuple[int, Any] | None:
        ready = [number for number in (1, 0) if number in self.doing and (number == 1 or seconds is None)]
        if not ready:
            return None
        method, words = self.doing.pop(ready[0])
        self.calls += ready[0]
        if ready[0] == 1 and self.calls % 3 == 0:
            self.losses += 1
            return 1, Lost()
        return ready[0], getattr(self.players[ready[0]], method)(*words)

    def close(self) -> None:
        self.doing.clear()


def test_a_run_on_a_cluster_ends_with_the_same_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(afar, "Crew", Unreliable)
    alone, spread = nim(past_share=0.5, freeze=1), nim(past_share=0.5, freeze=1)
    spread.spread_over("exit", "somewhere")
    for _ in range(4):
        alone.iterate()
        told = spread.iterate()
    assert np.array_equal(alone.weights, spread.weights)
    assert np.array_equal(alone.window.states, spread.window.states)
    assert told["players"] == 2
    assert told["lost"] > 1
    assert isinstance(spread.crew.crew.players[0], FarPlayer)


def test_a_cluster_that_loses_everybody_ends_the_run_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Unreliable, "wait", lambda self, _: (self.doing.clear(), (1, Lost()))[1])
    monkeypatch.setattr(afar, "Crew", Unreliable)
    learner = nim()
    learner.spread_over("exit", "somewhere")
    with pytest.raises(MeepleError, match="loses every player"):
        learner.iterate()

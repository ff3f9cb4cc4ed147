"""Objects that live on workers of a cluster, such as games in progress."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from meeple.arena.cluster.connection import disconnect
from meeple.arena.cluster.link import Link
from meeple.arena.cluster.luggage import Luggage, do_piece, luggage
from meeple.arena.executor import Base
from meeple.core.workers import answer_to, opened


class Lost:
    """In place of an answer: whoever was asked is gone."""


class Member:
    """An object that lives on a worker: `make(*words)`, whose methods are called from afar."""

    def __init__(self, luggage: Luggage, make: Callable[..., Any], words: tuple[Any, ...]) -> None:
        self.made = do_piece(luggage, make, words)

    def call(self, method: str, *words: Any) -> tuple[str, Any, Any]:
        """What a method answers, or the sentence why not."""
        return answer_to(getattr(self.made[1], method), words) if self.made[0] == "done" else self.made


class Crew(Base):
    """Objects on the workers of a cluster, each asked one thing at a time. A lost one is replaced by a new one.

    `make(*words, number, births)` makes each: its number, and how many were made before it, so that no two are the same.
    """

    def __init__(self, address: str, make: Callable[..., Any], words: tuple[Any, ...], size: int = 0) -> None:
        self.link = Link(address)
        self.ray = self.link.ray
        self.size = size or max(1, int(self.ray.available_resources().get("CPU", 1)))
        self._luggage, self._make, self.words = luggage(), make, words
        self._kind = self.ray.remote(num_cpus=1, max_restarts=0)(Member)
        self._members: dict[int, Any] = {}
        self._asked: dict[Any, int] = {}
        self.births = 0
        self.losses = 0

    def share(self, value: Any) -> Any:
        """Put a value where all can read it, once for all who are asked with it."""
        return self.link.put(value)

    def ask(self, number: int, method: str, *words: Any) -> None:
        """Let one of them do something; its answer comes by `next`."""
        self.link.check()
        if number not in self._members:
            self._members[number] = self._kind.remote(self._luggage, self._make, (*self.words, number, self.births))
            self.births += 1
        self._asked[self._members[number].call.remote(method, *words)] = number

    def idle(self, size: int) -> list[int]:
        """Numbers of those that have nothing to do."""
        return [number for number in range(size) if number not in self._asked.values()]

    def wait(self, seconds: float | None = None) -> tuple[int, Any] | None:
        """Whoever is ready first, and the answer; `Lost` if it is gone, and it may then be asked again. None: nobody is ready in
        that time, or nobody was asked."""
        if not self._asked:
            return None
        ready = self.link.wait(list(self._asked), seconds)
        return self._answer(ready) if ready is not None else None

    def next(self) -> tuple[int, Any]:
        """The same, however long it takes."""
        found = self.wait()
        assert found is not None
        return found

    def _answer(self, ready: Any) -> tuple[int, Any]:
        number = self._asked.pop(ready)
        self.link.check()
        try:
            return number, opened(self.ray.get(ready))
        except self.ray.exceptions.RayError:
            self.losses += 1
            del self._members[number]
            return number, Lost()

    def close(self) -> None:
        for member in self._members.values():
            self.ray.kill(member)
        self._members.clear()
        self._asked.clear()
        disconnect()

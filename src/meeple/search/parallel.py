"""Root parallel search: several processes search the same position, each with its own tree and its own luck; the visits and values
of the root's actions are summed (Chaslot, Winands, van den Herik 2008)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.core.workers import Call, Worker, handed_on
from meeple.search.driver import RootActions, Search

APART = 1 << 40  # iterations are numbered, and their luck follows from the number: each worker has its own numbers
MOST_WORKERS = 64

_OWN: list[Search] = []  # in a worker: its search


class Team:
    """Workers that live as long as the agent. `make(*words)` builds a search; both are sent to the workers."""

    def __init__(self, workers: int, make: Callable[..., Search], *words: Any) -> None:
        self.wanted, self.make, self.words = workers, make, words
        self.workers: list[Worker] = []
        self.hire()

    def hire(self) -> None:
        before = [call for tell in handed_on for call in tell()]
        self.workers = [Worker(_prepare, before, self.make, self.words) for _ in range(self.wanted)]

    def run(self, root: NDArray[Any]) -> RootActions:
        if not self.workers:
            self.hire()
        try:
            for number, worker in enumerate(self.workers):
                worker.send(_work, root, number)
            return add_up([worker.receive() for worker in self.workers])
        except BaseException:
            self.close()  # an answer that nobody fetched would be taken for one to the next question
            raise

    def close(self) -> None:
        """End the workers; they also end with the agent and with the process."""
        for worker in self.workers:
            worker.kill()
        self.workers = []


def _prepare(before: list[Call], make: Callable[..., Search], words: tuple[Any, ...]) -> None:
    for function, given in before:
        function(*given)
    _OWN[:] = [make(*words)]


def _work(root: NDArray[Any], number: int) -> RootActions:
    search = _OWN[0]
    search.set_root(root, number * APART)
    search.run(early=False)  # what is decided in one worker's tree may be open in the sum
    return search.root_actions()


def add_up(found: list[RootActions]) -> RootActions:
    """Sums over the workers, move by move."""
    actions = np.concatenate([moves.actions for moves in found])
    known, place = np.unique(actions, return_inverse=True)

    def total(name: str) -> NDArray[Any]:
        values = np.concatenate([getattr(moves, name) for moves in found])
        return np.bincount(place, weights=values, minlength=len(known))

    return RootActions(known.astype(np.int32), total("visits").astype(np.int64), total("totals"), total("squares"))

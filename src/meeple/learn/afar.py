"""Games of self-play by search, played on a cluster: the same games as here, so a run ends with the same weights, whoever plays.

A round is handed out in small pieces. Whoever is ready gets the next one; when none is left, a piece that somebody still plays is
given to a second player, and the first answer counts. So a slow player holds nobody up, and a lost one is not missed.
"""

from __future__ import annotations

from collections import deque
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.arena.cluster.crew import Crew, Lost
from meeple.core.errors import MeepleError
from meeple.learn.games import Job, Player, Recipe, Rows

PIECE = 4  # games
MOST_LOSSES = 10  # of every player, one after another, before the run gives up


class Played(NamedTuple):
    """A piece: of which round, from which game on, and the decisions of its games."""

    round: int
    first: int
    games: list[Rows]


class FarPlayer:
    """On a worker."""

    def __init__(self, recipe: Recipe, *_: int) -> None:
        self.player = Player(recipe)
        self.round = -1

    def play(self, weights: NDArray[np.float32], number: int, first: int, jobs: list[Job]) -> Played:
        if number != self.round:
            self.player.set_weights(weights)
            self.round = number
        return Played(number, first, [self.player.play_job(job) for job in jobs])


class Afar:
    """What learn/games.Crew is to worker processes, this is to a cluster."""

    def __init__(self, recipe: Recipe, address: str, size: int = 0) -> None:
        self.crew = Crew(address, FarPlayer, (recipe,), size)
        self.round = 0
        self.weights: Any = None
        self.jobs: list[Job] = []
        self.open: deque[int] = deque()  # first games of pieces that are not here yet, the one to be handed out next first
        self.found: dict[int, list[Rows]] = {}
        self.in_a_row = 0

    def begin(self, weights: NDArray[np.float32], jobs: list[Job]) -> None:
        """Hand out games, to be played with the weights as they are now."""
        self.round += 1
        self.weights, self.jobs = self.crew.share(weights.copy()), jobs
        self.open, self.found = deque(range(0, len(jobs), PIECE)), {}
        self._hand_out()

    def tend(self, seconds: float | None = 0.0) -> None:
        """Take what has been played, and keep everybody busy; waits so long for the first answer."""
        while (answer := self.crew.wait(seconds)) is not None:
            self._take(answer[1])
            self._hand_out()
            seconds = 0.0

    def finish(self) -> list[Rows]:
        """The decisions of each game of the round."""
        while self.open:
            self.tend(None)
        return [game for first in sorted(self.found) for game in self.found[first]]

    def told(self) -> dict[str, float]:
        """How many play, and how many were lost."""
        return {"players": float(self.crew.size), "lost": float(self.crew.losses)}

    def close(self) -> None:
        self.crew.close()

    def _take(self, answer: Played | Lost) -> None:
        if isinstance(answer, Lost):
            self.in_a_row += 1
            if self.in_a_row > MOST_LOSSES * self.crew.size:
                raise MeepleError("The cluster loses every player as soon as it plays; the run goes on with --resume.")
            return
        self.in_a_row = 0
        if answer.round == self.round and answer.first not in self.found:
            self.found[answer.first] = answer.games
            self.open.remove(answer.first)

    def _hand_out(self) -> None:
        for number in self.crew.idle(self.crew.size):
            if not self.open:
                return
            first = self.open[0]
            self.open.rotate(-1)  # again at its turn, unless it has come by then
            self.crew.ask(number, "play", self.weights, self.round, first, self.jobs[first : first + PIECE])

"""Games of a learner played elsewhere: players on a cluster get weights and send back what is learnt from a round of play.

A player is the learner itself, on a worker, where it only plays (`Learner.gather`). Whoever is ready first is learnt from, and gets
the newest weights at once, so a slow player holds nobody up: its rounds are of older weights, and those that are too old are left
out. A lost player is replaced by a new one, whose games begin anew; rounds that have come are not lost with it. What such a run
learns depends on who was faster, so it is not the same twice; the weights, the optimiser and all counts are in its checkpoints.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.arena.cluster.crew import Crew, Lost
from meeple.core.errors import MeepleError
from meeple.core.game import Variant
from meeple.core.registry import find_variant
from meeple.core.rng import child
from meeple.learn.config import Setup, read_config
from meeple.learn.experience import read_opponents
from meeple.learn.learner import Learner

MOST_BEHIND = 8  # updates that weights may be old when what they played is learnt from
MOST_LOSSES = 10  # of every player, one after another, before the run gives up
IN_ORDER = "it keeps them in order in one place; exit, ppo, a2c, reinforce and imitation can be spread."
Sent = dict[str, NDArray[Any]]


class Sample(NamedTuple):
    """A round of play, and the update whose weights played it."""

    update: int
    round: Any


class Player:
    """On a worker. `births` is how many players were made before, so that no two ever play the same deals."""

    def __init__(self, game: str, algorithm: str, config: dict[str, Any], seed: int, number: int, births: int) -> None:
        from meeple.learn.train import find_learner

        kind = find_learner(algorithm)
        own = child(child(seed, 900 + number), births)
        self.learner = kind(find_variant(game), read_config(kind.config_class, config), own)

    def play(self, sent: Sent) -> Sample:
        """A round with these weights."""
        self.learner.receive(sent)
        found = self.learner.gather()
        self.learner.counters[1] += 1  # no two rounds are dealt the same
        return Sample(int(sent["update"]), found)


class Spread:
    """The players of a run, as its learner asks for them."""

    def __init__(self, variant: Variant, algorithm: str, learner: Learner, address: str, size: int = 0) -> None:
        if not learner.spreads:
            raise MeepleError(f"--ray cannot spread the games of {algorithm}: {IN_ORDER}")
        begun = child(learner.seed, 800 + learner.decisions)  # a resumed run plays other deals than before
        self.crew = Crew(address, Player, ())
        self.size = size or self.crew.size
        config = asdict(shared_out(learner.setup, self.size))
        self.crew.words = (variant.spec, algorithm, config, begun)
        self.in_a_row = 0
        self.left_out = 0

    def rounds(self, sent: Sent) -> tuple[list[Any], dict[str, float]]:
        """As many as there are players, of whoever is ready, and how it went."""
        weights = self.crew.share(sent)
        for number in self.crew.idle(self.size):
            self.crew.ask(number, "play", weights)
        found: list[Sample] = []
        while len(found) < self.size:
            number, answer = self.crew.next()
            self.crew.ask(number, "play", weights)
            if isinstance(answer, Lost):
                self._lost()
            elif int(sent["update"]) - answer.update > MOST_BEHIND:
                self.left_out += 1
            else:
                self.in_a_row = 0
                found.append(answer)
        behind = float(np.mean([int(sent["update"]) - sample.update for sample in found]))
        told = {"players": self.size, "behind": behind, "lost": self.crew.losses, "left_out": self.left_out}
        return [sample.round for sample in found], told

    def _lost(self) -> None:
        self.in_a_row += 1
        if self.in_a_row > MOST_LOSSES * self.size:
            raise MeepleError("The cluster loses every player as soon as it plays; the run goes on with --resume.")

    def close(self) -> None:
        self.crew.close()


def shared_out(config: Setup, players: int) -> Setup:
    """Each player has its share of the games, one of every kind at least."""
    return replace(config, games=max(config.games // players, len(read_opponents(config.opponents))))

"""One policy a seat: a learner for each, whose opponents are the others as they are now. What 2025 calls two independent policies.

Every learner plays its own games, in its own seat; the others answer inside the compiled step from the same memory they learn in.
Policy cloning (2025, 4.3.1): once, at `clone_at` decisions, the policies play each other in all seats, and all go on from the
weights of the strongest, with optimisers that begin anew.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from meeple.arena.table import Piece
from meeple.core.errors import MeepleError
from meeple.core.game import Variant
from meeple.core.rng import child
from meeple.learn.config import Setup
from meeple.learn.evaluate import Trained
from meeple.learn.learner import Learner, merged
from meeple.learn.spread import IN_ORDER
from meeple.nets.file import Card
from meeple.nets.policy import BySeat, Policy

CLONING_GAMES = 400  # about as many decide who is the strongest


class Seats:
    """Learners side by side, one a seat; a run sees them as one."""

    def __init__(self, kind: type[Learner], variant: Variant, config: Setup, seed: int) -> None:
        seats = variant.shape.seats
        if seats < 2:
            raise MeepleError(f"{variant.spec} has one seat, so there is one policy: leave policies at shared.")
        self.variant, self.setup, self.seed = variant, config, seed
        self.learners = [kind(variant, config, child(seed, 10 + seat)) for seat in range(seats)]
        sampling = self.player(1.0)
        for seat, learner in enumerate(self.learners):
            learner.take_seat(seat, lambda _: sampling)
        self.level = self.learners[0].level
        self.numbers = np.zeros(2, np.int64)  # updates; whose weights were cloned, from 1, or 0
        self.progress = 0.0

    def spread_over(self, algorithm: str, address: str) -> Any:  # noqa: ARG002
        raise MeepleError(f"--ray cannot spread the games of {algorithm} with policies=seat: {IN_ORDER}")

    # ---- Learning ----

    def iterate(self) -> dict[str, float]:
        """Every seat plays and learns once."""
        lines, paid = [], {}
        for seat, learner in enumerate(self.learners):
            learner.progress = self.progress
            lines.append(learner.iterate())
            trail = learner.groups[0].trail
            paid[f"seat {seat} paid"] = float(trail.rewards[:, :, seat].sum())
            paid[f"seat {seat} games"] = float((trail.ended != 0).sum())
            paid[f"seat {seat} decisions"] = float(trail.counts.size)
        self.numbers[0] += 1
        report = merged(lines) | paid
        report |= {f"seat {seat} wins": line["against self"] for seat, line in enumerate(lines) if "against self" in line}
        if self.setup.clone_at and not self.numbers[1] and self.decisions >= self.setup.clone_at:
            report["cloned"] = float(self.clone())
        return report

    def clone(self) -> int:
        """All go on from the strongest one's weights; returns whose."""
        best = int(np.argmax(self.strengths()))
        for learner in self.learners:
            learner.model.weights[:] = self.learners[best].model.weights
            learner.begin_anew()
            learner.restored()
        self.numbers[1] = best + 1
        return best

    def strengths(self) -> NDArray[np.float64]:
        """Share of the wins of each policy (points where nobody wins) when they play each other, in all seats and on the same
        deals."""
        seats = self.variant.shape.seats
        players: list[Any] = [Trained(learner.player(), f"the policy of seat {seat}") for seat, learner in enumerate(self.learners)]
        turns = np.array([[(seat + turn) % seats for seat in range(seats)] for turn in range(seats)], np.int8)
        deals = max(1, CLONING_GAMES // seats)
        seeds = [child(child(self.seed, 5), deal) for deal in range(deals) for _ in range(seats)]
        seating = np.tile(turns, (deals, 1))
        done = Piece(self.variant, players, seeds, seating).play()
        measured = done.outcomes if self.variant.shape.winnable else done.scores
        return np.array([measured[seating == number].mean() for number in range(seats)])

    # ---- What a run asks ----

    @property
    def counters(self) -> NDArray[np.int64]:
        """Decisions and updates."""
        return np.array([self.decisions, self.numbers[0]])

    @property
    def decisions(self) -> int:
        """Made so far, of all seats."""
        return sum(learner.decisions for learner in self.learners)

    @property
    def weights(self) -> NDArray[np.float32]:
        """(seats, weights)"""
        return np.stack([learner.weights for learner in self.learners])

    def player(self, temperature: float = 0.0) -> BySeat:
        """All policies as one agent that plays each in its seat."""
        return BySeat(tuple(cast(Policy, learner.player(temperature)) for learner in self.learners))

    def begin_with(self, path: Path) -> None:
        """Every policy begins with the same file."""
        for learner in self.learners:
            learner.begin_with(path)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Everything, as Learner.arrays."""
        found = {f"seat{k}.{name}": array for k, learner in enumerate(self.learners) for name, array in learner.arrays().items()}
        return found | {"seats": self.numbers}

    def restored(self) -> None:
        """After the arrays were written back."""
        for learner in self.learners:
            learner.restored()

    def card(self, result: dict[str, Any] | None = None) -> Card:
        """One for all."""
        card = self.learners[0].card(result)
        return replace(card, policies=len(self.learners), seed=self.seed, steps=self.decisions)


def make_learner(kind: type[Learner], variant: Variant, config: Setup, seed: int) -> Learner | Seats:
    """A learner with one policy for all seats, or with one a seat."""
    if config.policies not in ("shared", "seat"):
        raise MeepleError(f"policies must be shared or seat, not '{config.policies}'.")
    if config.clone_at and config.policies != "seat":
        raise MeepleError("clone_at is for one policy a seat: set policies=seat too.")
    return Seats(kind, variant, config, seed) if config.policies == "seat" else kind(variant, config, seed)

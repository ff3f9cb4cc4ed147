"""Frozen earlier selves as opponents: a few are kept, and those that are hardest to beat are met most."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.core.game import Variant
from meeple.learn.model import Model
from meeple.nets.forward import refresh_rows
from meeple.nets.policy import Policy
from meeple.nets.ready import make_policy

KEPT = 12
MEMORY = 0.9  # of the running win rate against each


class Past:
    """Weights of earlier selves, and the one that is played against now. Nothing is allocated until somebody asks for it."""

    def __init__(self, model: Model, variant: Variant, level: str) -> None:
        self.model, self.variant, self.level = model, variant, level
        self.policy: Policy | None = None
        self.kept = np.zeros((0, model.layout.size), np.float32)
        self.rates = np.zeros(KEPT)  # share of the wins of the learner against each
        self.numbers = np.zeros(3, np.int64)  # how many were ever kept, which is played now, how often one was picked

    def make(self, variant: Variant) -> Policy:
        """The opponent of a group of games: the first of them is the learner as it begins."""
        layout = self.model.layout
        if self.policy is None:
            self.kept = np.zeros((KEPT, layout.size), np.float32)
            net = self.model.copy(variant.shape.room)
            self.policy = make_policy(net, layout.inputs, variant.level(self.level), 0.0 if layout.q else 1.0)
            self.keep()
        return self.policy

    def keep(self) -> None:
        """Freeze the learner as it is, in place of the oldest."""
        if self.policy is not None:
            place = int(self.numbers[0]) % KEPT
            self.kept[place] = self.model.weights
            self.rates[place] = 0.5
            self.numbers[0] += 1

    def learn(self, shares: NDArray[np.float32]) -> None:
        """How games against the one that is played now have ended for the learner."""
        now = int(self.numbers[1])
        for share in shares:
            self.rates[now] = MEMORY * self.rates[now] + (1 - MEMORY) * share

    def pick(self, seed: int) -> None:
        """Whom to meet next: in proportion to how often it beats the learner."""
        if self.policy is None:
            return
        self.numbers[2] += 1
        weights = 1.05 - self.rates[: min(KEPT, int(self.numbers[0]))]
        rng = np.random.default_rng([seed, int(self.numbers[2])])
        self.numbers[1] = rng.choice(len(weights), p=weights / weights.sum())
        self.refresh()

    def refresh(self) -> None:
        """Make the one picked the one that plays."""
        if self.policy is not None:
            self.policy.net.weights[:] = self.kept[self.numbers[1]]
            if self.model.layout.head == "features":
                assert self.model.features is not None
                refresh_rows(self.model.layout, self.policy.net, self.model.features)

    def arrays(self) -> dict[str, NDArray[Any]]:
        return {"kept": self.kept, "rates": self.rates, "numbers": self.numbers}

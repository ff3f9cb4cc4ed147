"""The window of past games that expert iteration learns from: positions as records, with the policy and the result of each.

A position is kept as the state its seat was shown (some hundred bytes), not as an observation (thousands): what the network sees
of it and the legal actions are worked out again for each minibatch, in a compiled loop that costs little beside the gradient.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.game import Variant
from meeple.core.kernel import kernel
from meeple.core.verbs import legal, observe


class Window(NamedTuple):
    """A ring of decisions; decision k lies at k % capacity. All of it belongs into a checkpoint."""

    states: NDArray[Any]  # (capacity,)
    actions: NDArray[np.int32]  # (capacity, kept)
    policy: NDArray[np.float32]  # (capacity, kept)
    counts: NDArray[np.int8]  # (capacity,) 0: its policy is no target
    targets: NDArray[np.float32]  # (capacity, values) of the network's values, the seat to move first
    extras: NDArray[np.float32]  # (capacity, extras) what else is predicted
    written: NDArray[np.int64]  # (1,) how many there ever were

    @property
    def size(self) -> int:
        """Decisions that are held."""
        return min(int(self.written[0]), len(self.counts))

    def add(self, rows: dict[str, NDArray[Any]]) -> None:
        """Write decisions down, over the oldest where the ring is full."""
        n = len(rows["counts"])
        places = (int(self.written[0]) + np.arange(n)) % len(self.counts)
        for name, array in rows.items():
            getattr(self, name)[places] = array
        self.written[0] += n

    def arrays(self) -> dict[str, NDArray[Any]]:
        """For a checkpoint."""
        return {**self._asdict(), "states": self.states.view(np.uint8).reshape(len(self.counts), -1)}


def make_window(variant: Variant, capacity: int, kept: int, values: int, extras: int) -> Window:
    """Room for so many decisions; only what is used is ever touched."""
    return Window(
        states=variant.empty(capacity),
        actions=np.zeros((capacity, kept), np.int32),
        policy=np.zeros((capacity, kept), np.float32),
        counts=np.zeros(capacity, np.int8),
        targets=np.zeros((capacity, values), np.float32),
        extras=np.zeros((capacity, extras), np.float32),
        written=np.zeros(1, np.int64),
    )


class Page(NamedTuple):
    """A minibatch as a learner reads it: observations, legal lists one behind another, and the target of each action."""

    observations: NDArray[np.float32]  # (n, inputs)
    counts: NDArray[np.int32]  # (n,)
    ids: NDArray[np.int32]  # (n * room,)
    policy: NDArray[np.float32]  # (n * room,)


def make_page(variant: Variant, level: int, n: int) -> Page:
    return Page(
        observations=np.zeros((n, variant.shape.levels[level].size), np.float32),
        counts=np.zeros(n, np.int32),
        ids=np.zeros(n * variant.shape.room, np.int32),
        policy=np.zeros(n * variant.shape.room, np.float32),
    )


@kernel
def read_page(page: Any, states: Any, targets: Any, picks: Any, level: int, out: Any) -> int:
    """Fill the page with the picked decisions; returns the length of all lists. targets = (actions, policy, counts)."""
    actions, policy, counts = targets
    used = 0
    for i in range(picks.size):
        k = picks[i]
        s = states[k]
        observe(s, s.seat, level, page.observations[i])
        n = legal(s, out)
        page.counts[i] = n
        for j in range(n):
            page.ids[used + j] = out[j]
            page.policy[used + j] = 0.0
            for m in range(counts[k]):
                if actions[k, m] == out[j]:
                    page.policy[used + j] = policy[k, m]
        used += n
    return used

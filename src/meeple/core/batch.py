"""Many games side by side, stepped in one compiled call into arrays that are allocated once.

The seat to move acts in every game. A game that ends is dealt anew at once; its last scores and outcome stay readable until
the next step. Dense masks are never made here: `legal[i, :counts[i]]` lists what may be done.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.errors import MeepleError
from meeple.core.game import Variant
from meeple.core.kernel import kernel
from meeple.core.rng import derive, draw
from meeple.core.verbs import apply, deal, legal, observe, outcome, scores


class Arrays(NamedTuple):
    """What a step reads and writes; n games, k seats."""

    states: NDArray[Any]  # (n,)
    observations: NDArray[np.float32]  # (n, size of the level), of the seat to move
    legal: NDArray[np.int32]  # (n, room for the most legal actions)
    counts: NDArray[np.int32]  # (n,) how many of them
    seats: NDArray[np.int8]  # (n,) who is to move
    ended: NDArray[np.int8]  # (n,) why the game before this one ended in the last step, or 0
    scores: NDArray[np.float64]  # (n, k) of the game that ended
    outcomes: NDArray[np.float64]  # (n, k)
    dealt: NDArray[np.int64]  # (n,) games dealt so far in this place


@kernel
def begin(arrays: Any, config: Any, seed: Any, level: int) -> None:
    """Deal all games."""
    for i in range(arrays.states.size):
        arrays.ended[i] = 0
        arrays.dealt[i] = 0
        _deal_next(arrays, i, config, seed)
        _show(arrays, i, level)


@kernel
def advance(arrays: Any, actions: Any, config: Any, seed: Any, level: int) -> None:
    """Make actions[i] in game i; deal anew where that ends it; list and observe what comes next."""
    for i in range(arrays.states.size):
        s = arrays.states[i]
        apply(s, actions[i])
        arrays.ended[i] = s.end
        if s.end != 0:
            scores(s, arrays.scores[i])
            outcome(s, arrays.outcomes[i])
            _deal_next(arrays, i, config, seed)
        _show(arrays, i, level)


@kernel
def _deal_next(arrays: Any, i: int, config: Any, seed: Any) -> None:
    deal(arrays.states[i], config, derive(seed, arrays.dealt[i] * arrays.states.size + i))
    arrays.dealt[i] += 1


@kernel
def _show(arrays: Any, i: int, level: int) -> None:
    s = arrays.states[i]
    arrays.seats[i] = s.seat
    arrays.counts[i] = legal(s, arrays.legal[i])
    observe(s, s.seat, level, arrays.observations[i])


@kernel
def choose_uniformly(legal_lists: Any, counts: Any, stream: Any, actions: Any) -> None:
    """A random legal action for each game."""
    for i in range(counts.size):
        actions[i] = legal_lists[i, draw(stream, counts[i])]


class Batch:
    """The shell: allocates, checks, steps."""

    def __init__(self, variant: Variant, games: int, seed: int = 0, level: str = "") -> None:
        if games < 1:
            raise MeepleError(f"A batch needs at least 1 game, not {games}.")
        shape = variant.shape
        self.variant = variant
        self.seed = np.uint64(seed)
        self.level = variant.level(level)
        self.arrays = Arrays(
            states=variant.empty(games),
            observations=np.zeros((games, shape.levels[self.level].size), np.float32),
            legal=np.zeros((games, shape.room), np.int32),
            counts=np.zeros(games, np.int32),
            seats=np.zeros(games, np.int8),
            ended=np.zeros(games, np.int8),
            scores=np.zeros((games, shape.seats)),
            outcomes=np.zeros((games, shape.seats)),
            dealt=np.zeros(games, np.int64),
        )
        self.reset()

    def reset(self) -> None:
        begin(self.arrays, self.variant.config, self.seed, self.level)

    def step(self, actions: NDArray[np.int32]) -> None:
        """Actions must be legal: `arrays.legal[i, :arrays.counts[i]]` lists them."""
        advance(self.arrays, actions, self.variant.config, self.seed, self.level)

"""How lucky the seats of a game were, by a guide's opinion of what each action led to and could have led to (see arena/luck.py)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.guide import advise
from meeple.core.kernel import kernel
from meeple.core.rng import derive
from meeple.core.verbs import apply, legal, outcome, reshuffle, scores

SAMPLES = 64  # tables that an action could have led to


class Room(NamedTuple):
    """Room to work in, and whose opinion is asked."""

    guide: Any
    states: NDArray[Any]  # (2,) the game, and a copy of it
    out: NDArray[np.int32]  # (room,)
    logits: NDArray[np.float64]  # (room,)
    values: NDArray[np.float64]  # (seats,)
    points: int  # 1: values are points, not shares of the win


@kernel
def value(room: Any, s: Any) -> None:
    """What a table is worth to each seat, into room.values."""
    if s.end > 0:
        if room.points:
            scores(s, room.values)
        else:
            outcome(s, room.values)
    else:
        advise(room.guide, s, room.out, legal(s, room.out), room.logits, room.values)


@kernel
def luck_of_game(room: Any, actions: Any, seed: Any, luck: Any) -> None:
    """How lucky each seat was in a game whose deal is room.states[0]: added to luck. The game is played to its end."""
    for i in range(actions.size):
        drawn = derive(seed, i)
        for sample in range(SAMPLES):
            room.states[1] = room.states[0]
            reshuffle(room.states[1], derive(drawn, sample))
            apply(room.states[1], actions[i])
            value(room, room.states[1])
            for seat in range(luck.size):
                luck[seat] -= room.values[seat] / SAMPLES
        apply(room.states[0], actions[i])
        value(room, room.states[0])
        for seat in range(luck.size):
            luck[seat] += room.values[seat]

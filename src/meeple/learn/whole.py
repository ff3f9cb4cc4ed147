"""Whole games: every place is dealt a game anew and plays until its first has ended, so that returns are complete and all of one
policy. Decisions behind the first end are not used: they would be of short games more often than of long ones."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.learn.experience import Experience, Group
from meeple.learn.math import first_games
from meeple.nets.collect import Trail
from meeple.nets.forward import Net


class Whole(NamedTuple):
    """Games of n places; `first` tells which of (steps, n) belong to them, and these are `seen`, in that order."""

    seen: Experience
    first: NDArray[np.bool_]  # (steps, n)
    rewards: NDArray[np.float32]  # (steps, n, seats)
    ended: NDArray[np.int8]  # (steps, n)
    seats: NDArray[np.int8]  # (steps, n)
    values: NDArray[np.float32]  # (steps, n, values)
    shares: NDArray[np.float32]  # (n,) the learner's of the win


def play_whole_games(group: Group, net: Net, seed: int) -> Whole:
    """Deal and play."""
    group.batch.reset(seed)
    parts: list[Trail] = []
    done = np.zeros(group.trail.counts.shape[1], bool)
    while not done.all():
        trail = group.play(net)
        parts.append(kept(trail))
        done |= (trail.ended != 0).any(axis=0)
    ended = np.concatenate([part.ended for part in parts])
    first = first_games(ended)
    return Whole(
        seen=picked(Experience.of(parts), np.flatnonzero(first)),
        first=first,
        rewards=np.concatenate([part.rewards for part in parts]),
        ended=ended,
        seats=np.concatenate([part.seats[:-1] for part in parts]),
        values=np.concatenate([part.values[:-1] for part in parts]),
        shares=np.concatenate([part.shares for part in parts])[first & (ended != 0)],
    )


def kept(trail: Trail) -> Trail:
    """A copy, since the next steps are written over it; of the lists only what is used."""
    used = int(trail.starts[-1, -1] + trail.counts[-1, -1])
    return Trail(*(array[:used].copy() if name == "ids" else array.copy() for name, array in trail._asdict().items()))


def picked(seen: Experience, picks: NDArray[np.int64]) -> Experience:
    """Some of the decisions; the lists stay where they are."""
    starts, counts, ids = seen.lists
    return Experience(
        seen.observations[picks], (starts[picks], counts[picks], ids), seen.chosen[picks], seen.logs[picks], seen.seats[picks]
    )


def joined_experience(parts: list[Experience]) -> Experience:
    """Several as one, one behind another."""
    if len(parts) == 1:
        return parts[0]
    shift = np.concatenate([[0], np.cumsum([len(part.lists[2]) for part in parts])])
    starts = np.concatenate([part.lists[0] + shift[i] for i, part in enumerate(parts)])
    counts, ids = (np.concatenate([part.lists[k] for part in parts]) for k in (1, 2))
    rest = (np.concatenate([getattr(part, name) for part in parts]) for name in ("chosen", "logs", "seats"))
    return Experience(np.concatenate([part.observations for part in parts]), (starts, counts, ids), *rest)

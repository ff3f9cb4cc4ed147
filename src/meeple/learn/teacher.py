"""Games of a teacher, written down as if the learner had played them: what each seat saw, could do, did, and was paid."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.agents.registry import AgentSpec
from meeple.arena.table import Piece
from meeple.core.game import Reward, Variant
from meeple.core.rng import child
from meeple.learn.experience import Experience
from meeple.learn.math import by_mover, returns
from meeple.rollout.stepper import Batch


class Shown(NamedTuple):
    """Decisions of whole games, and the discounted sum of what each seat was paid after them, the seat that decided first."""

    seen: Experience
    returns: NDArray[np.float32]  # (n, values)


def play_teacher(variant: Variant, teacher: AgentSpec, games: int, seed: int) -> list[NDArray[np.int32]]:
    """The actions of each game with the teacher in every seat, each a mind of its own with luck of its own: what one has searched
    of its hand, the next must not find. Compiled where the teacher is a kernel agent."""
    seats = variant.shape.seats
    seeds = [child(seed, i) for i in range(games)]
    return Piece(variant, [teacher] * seats, seeds, np.tile(np.arange(seats), (games, 1))).play().actions


class Replay:
    """A batch in which games are stepped again."""

    def __init__(self, variant: Variant, level: str, games: int, reward: Reward) -> None:
        self.variant = variant
        self.batch = Batch(variant, games, 0, level, reward=reward)

    def show(self, actions: list[NDArray[np.int32]], seed: int, scale: float, discount: float, values: int) -> Shown:
        """Games dealt from the seed, as `play_teacher` deals them, with everything a learner needs of every decision."""
        batch, steps = self.batch, max(map(len, actions))
        games, seats = len(actions), self.variant.shape.seats
        batch.reset(seed)
        played = np.zeros((steps, games), np.int32)
        on = np.arange(steps)[:, None] < np.array([len(one) for one in actions])
        for i, one in enumerate(actions):
            played[: len(one), i] = one
        seen, lists, movers = [], [], np.zeros((steps, games), np.int8)
        rewards, ended = np.zeros((steps, games, seats), np.float32), np.zeros((steps, games), np.int8)
        for t in range(steps):
            seen.append(batch.observations[on[t]].copy())
            lists.append((batch.counts[on[t]].astype(np.int32), batch.legal[on[t]].copy()))
            movers[t] = batch.seats
            batch.step(np.where(on[t], played[t], batch.legal[:, 0]).astype(np.int32))  # a place whose game is over plays anything
            rewards[t], ended[t] = batch.rewards, batch.ended
        sums = by_mover(returns(rewards * np.float32(scale), ended, np.zeros_like(rewards[0]), discount), movers, values)
        return Shown(_experience(seen, lists, played[on], movers[on]), sums[on])


def _experience(
    seen: list[NDArray[np.float32]],
    lists: list[tuple[NDArray[np.int32], NDArray[np.int32]]],
    played: NDArray[np.int32],
    movers: NDArray[np.int8],
) -> Experience:
    """One list of decisions; their legal actions lie one behind another."""
    counts = np.concatenate([count for count, _ in lists])
    legal = np.concatenate([row for _, row in lists])
    listed = np.arange(legal.shape[1]) < counts[:, None]
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]]).astype(np.int64)
    chosen = ((legal == played[:, None]) & listed).argmax(axis=1).astype(np.int32)
    return Experience(np.concatenate(seen), (starts, counts, legal[listed]), chosen, np.zeros(len(played), np.float32), movers)

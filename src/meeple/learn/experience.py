"""Where experience comes from: groups of games with the same opponents, and what they left behind as one flat list of decisions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.agents.net import read_phases
from meeple.agents.registry import find_agent
from meeple.core.errors import MeepleError
from meeple.core.game import Reward, Variant
from meeple.core.rng import child
from meeple.nets.collect import Trail, collect, decide, look_ahead, make_trail, note
from meeple.nets.forward import Net
from meeple.nets.ragged import gather_lists
from meeple.rollout.batch import ALTERNATE, EVERY_SEAT
from meeple.rollout.stepper import Batch

Maker = Callable[[Variant], Any]


class Parts(NamedTuple):
    """Only some phases of the learner's turns are its own; a helper decides the others."""

    learnt: tuple[str, ...]
    helper: Maker

    @staticmethod
    def of(variant: Variant, phases: str, others: str) -> Parts | None:
        """From the settings; none named: everything is learnt."""
        names = read_phases(phases)
        return Parts(names, find_agent(others, variant.game).make) if names else None

    def seat(self, variant: Variant, seat: int) -> int:
        """Whose decisions are asked for: of a solitaire's only seat, or of one seat against an opponent."""
        if variant.shape.seats > 1 and seat == EVERY_SEAT:
            raise MeepleError(
                "A learner of some phases needs opponents that are agents: where every seat is its own it decides all."
            )
        return 0 if variant.shape.seats == 1 else seat


class Group:
    """Games side by side with one network: against itself, or in a seat (in turns, if none is named) against an opponent."""

    def __init__(
        self,
        variant: Variant,
        level: str,
        games: int,
        steps: int,
        values: int,
        seed: int,
        reward: Reward,
        opponent: Maker | None,
        seat: int = ALTERNATE,
        parts: Parts | None = None,
    ) -> None:
        self.alone = opponent is None
        seat = EVERY_SEAT if opponent is None or variant.shape.seats == 1 else seat
        makers = [] if seat == EVERY_SEAT else [opponent]
        more: dict[str, Any] = {}
        if parts is not None:
            seat = parts.seat(variant, seat)
            more = {"phases": parts.learnt, "helper": parts.helper}
        self.batch = Batch(variant, games, seed, level, reward=reward, seat=seat, opponents=makers, **more)  # type: ignore[arg-type]
        self.batch.reset(seed)
        self.level = variant.level(level)
        self.trail: Trail = make_trail(variant, self.level, games, steps, values)
        self.trail.stream[0] = child(seed, 1)

    def make_room(self, steps: int) -> Trail:
        """A trail of so many steps; what decides about choices to come stays where it is."""
        if len(self.trail.counts) != steps:
            games, values = self.trail.values.shape[1:]
            made = make_trail(self.batch.variant, self.level, games, steps, values)
            self.trail = made._replace(stream=self.trail.stream, explore=self.trail.explore)
        return self.trail

    def play(self, net: Net) -> Trail:
        """The next steps of every game."""
        batch, trail = self.batch, self.trail
        if batch.outside is None:
            refused = collect(trail, batch.arrays, batch.orders, batch.plan, batch.agent, net)
            if refused:
                batch.settle(refused)
            return trail
        for t in range(len(trail.counts)):
            decide(trail, t, batch.arrays, batch.orders, net)
            batch.step(batch.orders.copy())
            note(trail, t, batch.arrays)
        look_ahead(trail, len(trail.counts), batch.arrays, net)
        return trail

    def shares(self) -> NDArray[np.float32]:
        """The learner's share of the win in each game that ended in these steps, for the strength of opponents."""
        return np.asarray(self.trail.shares[self.trail.ended != 0])

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All that the games' future depends on, to be kept in a checkpoint and written back in place."""
        held = self.batch.arrays
        parts = {"states": held.states, "slots": held.slots}
        asked = self.batch.outside.arrays() if self.batch.outside else {}
        return (
            asked
            | {name: part.view(np.uint8) for name, part in parts.items()}
            | {
                "observations": held.observations,
                "legal": held.legal,
                "stream": self.trail.stream,
            }
        )


class Experience(NamedTuple):
    """Decisions one behind another, of all groups."""

    observations: NDArray[np.float32]  # (n, inputs)
    lists: tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32]]  # starts, counts, ids
    chosen: NDArray[np.int32]  # place of the action in its list
    logs: NDArray[np.float32]
    seats: NDArray[np.int8]

    @staticmethod
    def of(trails: list[Trail]) -> Experience:
        used = [int(trail.starts[-1, -1] + trail.counts[-1, -1]) for trail in trails]
        shift = np.concatenate([[0], np.cumsum(used)])
        starts = [trail.starts.reshape(-1) + shift[i] for i, trail in enumerate(trails)]
        return Experience(
            observations=joined([trail.observations.reshape(-1, trail.observations.shape[-1]) for trail in trails]),
            lists=(
                joined(starts),
                joined([trail.counts.reshape(-1) for trail in trails]),
                joined([trail.ids[: used[i]] for i, trail in enumerate(trails)]),
            ),
            chosen=joined([trail.chosen.reshape(-1) for trail in trails]),
            logs=joined([trail.logs.reshape(-1) for trail in trails]),
            seats=joined([trail.seats[:-1].reshape(-1) for trail in trails]),
        )


def joined(parts: list[NDArray[Any]]) -> NDArray[Any]:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


class Packer:
    """Packs the legal lists of a minibatch, in memory that is allocated once."""

    def __init__(self, actions: int, decisions: int, most_legal: int) -> None:
        self.marks = np.zeros(actions, np.int32)
        self.rows = np.zeros(actions, np.int32)
        self.places = np.zeros(decisions * most_legal, np.int32)

    def pack(self, lists: Any, picks: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32]]:
        """(starts, places, rows): the list of the i-th pick is places[starts[i] : starts[i + 1]], places among rows, the ids of all
        actions that occur."""
        starts = np.zeros(len(picks) + 1, np.int64)
        n = gather_lists(lists, picks, starts, self.places, self.rows, self.marks)
        return starts, self.places[: starts[-1]], self.rows[:n]


def read_opponents(text: str) -> list[tuple[str, float]]:
    """`self 6; past 1; greedy` -> names and weights; a weight left out is 1."""
    found = []
    for part in (part.strip() for part in text.split(";")):
        if not part:
            continue
        name, _, weight = part.rpartition(" ")
        try:
            found.append((name.strip(), float(weight)) if name else (part, 1.0))
        except ValueError:
            found.append((part, 1.0))
    if not found or min(weight for _, weight in found) <= 0:
        raise MeepleError(f"'{text}' names no opponents; write them as 'self 6; past 1; greedy 1'.")
    return found


def share_out(games: int, weights: list[float]) -> list[int]:
    """So many games by weight, at least one each."""
    shares = [max(1, round(games * weight / sum(weights))) for weight in weights]
    shares[int(np.argmax(shares))] += games - sum(shares)
    if min(shares) < 1:
        raise MeepleError(f"{games} games are too few for {len(weights)} kinds of opponents.")
    return shares

"""Who plays what: a match cut into deals, seatings and chunks. The same for any number of processes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from meeple.agents.own import AgentGiven, seat_all
from meeple.agents.registry import AgentSpec
from meeple.core.agent import is_kernel_agent
from meeple.core.errors import MeepleError
from meeple.core.game import Variant
from meeple.core.registry import find_variant
from meeple.core.rng import child

COMPILED_DEALS = 128  # deals a chunk, where nothing but kernels plays; else one, so that little is lost


@dataclass(frozen=True)
class Plan:
    """A match before it is played."""

    variant: Variant
    players: tuple[AgentSpec, ...]
    games: int
    seed: int

    @property
    def seatings(self) -> NDArray[np.int8]:
        """(games a deal, seats): every agent once in every seat; in a solitaire every agent plays the deal."""
        agents, seats = len(self.players), self.variant.shape.seats
        return np.array([[(seat + turn) % agents for seat in range(seats)] for turn in range(agents)], np.int8)

    @property
    def deals(self) -> int:
        return self.games // len(self.players)

    @property
    def chunk_deals(self) -> int:
        compiled = all(is_kernel_agent(player.make(self.variant)) for player in self.players)
        return COMPILED_DEALS if compiled else 1

    def chunks(self) -> list[range]:
        """The deals of each chunk."""
        size = self.chunk_deals
        return [range(first, min(first + size, self.deals)) for first in range(0, self.deals, size)]

    def tables(self, deals: range) -> tuple[list[int], NDArray[np.int8]]:
        """Seeds and seatings of a chunk's games: all seatings of a deal, one after another."""
        seeds = [child(self.seed, deal) for deal in deals for _ in self.seatings]
        return seeds, np.tile(self.seatings, (len(deals), 1))


def make_plan(spec: str | Variant, agents: Sequence[AgentGiven], games: int, seed: int) -> Plan:
    """Read and check everything before the first card is dealt."""
    variant = find_variant(spec) if isinstance(spec, str) else spec
    players = tuple(seat_all(agents, variant.game))
    seats = variant.shape.seats
    if seats > 1 and len(players) != seats:
        raise MeepleError(f"{variant.spec} has {seats} seats, so a match needs {seats} agents, not {len(players)}.")
    if not players:
        raise MeepleError("A match needs at least one agent; meeple list agents tells which there are.")
    if games < 1:
        raise MeepleError(f"--games must be at least 1, not {games}.")
    if games % len(players):
        raise MeepleError(
            f"--games must be a multiple of {len(players)}, not {games}: every deal is played once for each seating of the agents."
        )
    if not 0 <= seed < 2**64:
        raise MeepleError(f"--seed must be from 0 to 2^64 - 1, not {seed}.")
    return Plan(variant, players, games, seed)

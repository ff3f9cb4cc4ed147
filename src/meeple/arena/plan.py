"""Who plays what: the games of a match, numbered, each with its deal and its seating. The same for any number of processes."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from meeple.agents.own import AgentGiven, read_agents
from meeple.agents.registry import AgentSpec
from meeple.arena.store import Entrant
from meeple.arena.table import Finished, Lineup, Piece, deal_games, seatings
from meeple.core import sources
from meeple.core.errors import MeepleError, check_seed
from meeple.core.game import Variant
from meeple.core.registry import find_variant


@dataclass(frozen=True)
class Plan:
    """A match before it is played."""

    variant: Variant
    players: tuple[AgentSpec, ...]
    games: int
    seed: int

    @property
    def seatings(self) -> NDArray[np.int32]:
        """(games a deal, seats): every agent once in every seat; in a solitaire every agent plays the deal."""
        return seatings(len(self.players), self.variant.shape.seats)

    @property
    def deals(self) -> int:
        return self.games // len(self.players)

    @cached_property
    def agents(self) -> Lineup:
        """The agents themselves, made once."""
        return Lineup(self.variant, self.players)

    @property
    def here(self) -> bool:
        """Has it an agent that is an object of this process?"""
        return any(player.here for player in self.players)

    @property
    def specs(self) -> list[str]:
        return [player.spec for player in self.players]

    @cached_property
    def sources(self) -> str:
        """Digest of what decides how a game goes, beside the agents: the rules, and how games are dealt and seated. Neither the
        compiler nor the processor is part of it."""
        return sources.digest([self.variant.game.shape.__module__, "meeple.arena.table"])

    @cached_property
    def entrants(self) -> list[Entrant]:
        """The agents as the results file knows them."""
        game = self.variant.game
        return [Entrant(player.spec, player.digest(game), player.clairvoyant) for player in self.players]

    def tables(self, numbers: range) -> tuple[list[int], NDArray[np.int32]]:
        """Seeds and seatings of games. All seatings of a deal have numbers one after another."""
        return deal_games(self.seed, numbers, len(self.players), self.variant.shape.seats)

    def play(self, numbers: range) -> Finished:
        """Play some of the games, here and now."""
        return Piece(self.variant, self.players, *self.tables(numbers), self.agents).play()


def sources_of(plans: list[Plan]) -> str:
    """A digest of all that decides how the games of some matches go."""
    words = [word for plan in plans for word in (plan.sources, *(entrant.digest for entrant in plan.entrants))]
    return hashlib.sha256(" ".join(words).encode()).hexdigest()


def make_plan(spec: str | Variant, agents: Sequence[AgentGiven], games: int, seed: int) -> Plan:
    """Read and check everything before the first card is dealt."""
    variant = find_variant(spec) if isinstance(spec, str) else spec
    players = tuple(read_agents(agents, variant.game))
    seats = variant.shape.seats
    if seats > 1 and len(players) != seats:
        raise MeepleError(f"{variant.spec} has {seats} seats, so a match needs {seats} agents, not {len(players)}.")
    if not players:
        raise MeepleError("A match needs at least one agent; meeple list agents tells which there are.")
    if games < 1:
        raise MeepleError(f"The number of games must be at least 1, not {games}.")
    if games % len(players):
        raise MeepleError(
            f"The number of games must be a multiple of {len(players)}, not {games}: "
            "every deal is played once for each seating of the agents."
        )
    check_seed(seed)
    return Plan(variant, players, games, seed)

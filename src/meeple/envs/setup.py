"""The arguments of every environment, read and checked in one place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from meeple.agents.own import AgentsGiven, listed, read_agents
from meeple.agents.registry import AgentSpec, find_agent
from meeple.core.errors import MeepleError
from meeple.core.game import Level, Reward, Variant
from meeple.core.registry import find_variant
from meeple.rollout.batch import ALTERNATE, EVERY_SEAT
from meeple.rollout.rewards import find_reward

RewardGiven = str | Mapping[str, float] | Reward
OpponentsGiven = AgentsGiven
DEFAULT_OPPONENT = "random"


@dataclass(frozen=True)
class Setup:
    """A game, its observation level, its reward, and the agents in the other seats."""

    variant: Variant
    level: str
    reward: Reward
    seat: int = EVERY_SEAT
    opponents: tuple[AgentSpec, ...] = ()
    phases: tuple[str, ...] = ()  # those that the learner decides; none named: all
    helper: AgentSpec | None = None  # the agent that decides the others

    @property
    def others(self) -> tuple[AgentSpec, ...]:
        """Every agent in the environment: the opponents, then the helper."""
        return (*self.opponents, self.helper) if self.helper else self.opponents

    @property
    def clairvoyant(self) -> list[str]:
        """Agents that see what their seats may not know, and such an observation: an environment's metadata tells of them."""
        level = [f"observation={self.observed.name}"] if self.observed.clairvoyant else []
        return [player.spec for player in self.others if player.clairvoyant] + level

    @property
    def observed(self) -> Level:
        return self.variant.shape.levels[self.variant.level(self.level)]


def read_variant(game: str | Variant, options: Mapping[str, object]) -> Variant:
    """`jaipur:round`, with options given there or beside it."""
    variant = find_variant(game) if isinstance(game, str) else game
    chosen = {**variant.chosen, **{name: str(value) for name, value in options.items()}}
    return variant.game.variant(chosen.pop("variant"), **chosen)


def read_setup(game: str | Variant, observation: str, reward: RewardGiven, options: Mapping[str, object]) -> Setup:
    """A setup in which the caller decides for every seat."""
    variant = read_variant(game, options)
    variant.level(observation)  # refuses an unknown one
    return Setup(variant, observation, find_reward(variant, reward))


def with_helper(setup: Setup, phases: str | Sequence[str], others: str) -> Setup:
    """The learner decides only some phases of its turns; an agent decides the others."""
    if not phases:
        if others:
            raise MeepleError(f"Say with phases= which ones the learner decides; {others} would decide the others.")
        return setup
    names = (phases,) if isinstance(phases, str) else tuple(phases)
    helper = find_agent(others or DEFAULT_OPPONENT, setup.variant.game)
    same = len(setup.opponents) == 1 and setup.opponents[0].spec == helper.spec
    return replace(setup, phases=names, helper=None if same else helper)


def against(setup: Setup, opponent: OpponentsGiven, seat: int | str) -> Setup:
    """A setup in which the caller decides for one seat, and opponents for the others."""
    seats = setup.variant.shape.seats
    if seats == 1:
        if opponent:
            raise MeepleError(f"{setup.variant.spec} is played alone, so there is no place for the opponent {opponent}.")
        _read_seat(setup.variant, seat)
        return Setup(setup.variant, setup.level, setup.reward, 0)
    names = listed(opponent) or [DEFAULT_OPPONENT]
    if len(names) not in {1, seats - 1}:
        raise MeepleError(f"{setup.variant.spec} takes one opponent for all other seats, or {seats - 1}, not {len(names)}.")
    players = tuple(read_agents(names, setup.variant.game))
    if len({player.spec for player in players}) == 1:
        players = players[:1]  # one for all can be played inside the compiled step
    return Setup(setup.variant, setup.level, setup.reward, _read_seat(setup.variant, seat), players)


def _read_seat(variant: Variant, seat: int | str) -> int:
    if seat == "alternate":
        return ALTERNATE
    if not isinstance(seat, int | np.integer) or not 0 <= seat < variant.shape.seats:
        seats = f"from 0 to {variant.shape.seats - 1}" if variant.shape.seats > 1 else f"0, since {variant.spec} is played alone"
        raise MeepleError(f"The seat must be 'alternate' or {seats}, not {seat!r}.")
    return int(seat)

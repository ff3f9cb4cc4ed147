"""Agents made of agents: a stranger inside one of ours is caught too."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

import meeple
from meeple.agents.registry import find_agent, lent
from meeple.arena.fair import Cheat, check_strangers
from meeple.core.agent import AgentKind, Forgetful, Seen
from meeple.core.state import State

ROUND = meeple.find_variant("jaipur:round")
SPLENDOR = meeple.find_variant("splendor:2")


class Climber(Forgetful):
    """Plays by the luck of the State farthest up: those below may be determinizations of an agent that it is a part of."""

    def __init__(self, variant: Any) -> None:
        pass

    def choose(self, seen: Seen) -> int:
        found, frame = 0, inspect.currentframe()
        while frame is not None:
            for value in frame.f_locals.values():
                if isinstance(value, State):
                    found = int(value.data.luck[0] % 97)
            frame = frame.f_back
        return seen.legal[found % len(seen.legal)]


class First(Forgetful):
    def __init__(self, variant: Any) -> None:
        pass

    def choose(self, seen: Seen) -> int:
        return seen.legal[0]


STRANGERS = (AgentKind("climber", "peeks", Climber), AgentKind("first", "honest", First))


@pytest.mark.parametrize("spec", ["flat:policy=climber,iterations=2", "exploiter:agent=climber,iterations=2"])
def test_whoever_plays_out_by_a_cheat_is_rejected(spec: str) -> None:
    with lent(STRANGERS), pytest.raises(Cheat, match="decides by what its seat may not know"):
        check_strangers(ROUND, [find_agent(spec, ROUND.game)])


@pytest.mark.xdist_group("splendor")
@pytest.mark.parametrize("spec", ["phases:other=climber", "phases:other=random,return=phases(other=climber)"])
def test_so_is_whoever_has_one_for_a_phase(spec: str) -> None:
    with lent(STRANGERS), pytest.raises(Cheat, match="decides by what its seat may not know"):
        check_strangers(SPLENDOR, [find_agent(spec, SPLENDOR.game)])


@pytest.mark.xdist_group("splendor")
def test_an_honest_part_is_not_refused() -> None:
    with lent(STRANGERS):
        check_strangers(SPLENDOR, [find_agent("phases:other=first", SPLENDOR.game)])

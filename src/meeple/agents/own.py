"""Agents as objects: a class of a student's own, an instance of which sits down at tables of this process.

An object is asked at every table it sits at, and told before its first decision of each (`begin`). Since it may remember, its
games are played one after another. A class, or anything that makes an agent when called, gives every table an agent of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, cast

from meeple.agents.registry import AgentSpec, find_agent
from meeple.agents.saved import MARK, saved_spec
from meeple.core.agent import AgentKind, Forgetful, PlainAgent, Seen, ask, begin
from meeple.core.errors import MeepleError
from meeple.core.game import Game, Variant
from meeple.core.rng import AT_HAND, child
from meeple.core.state import State


class Agent:
    """Base of agents of your own: write `choose`; and if the agent remembers anything during a game, write
    `begin(self, variant, seat)`, which is called when one begins, to forget the last.

    `seen` is what the seat may know: `seen.moves` (texts), `seen.legal` (the same as numbers), `seen.data` (the table as plain
    data), `seen.board()`, `seen.sample(seed)` (a determinization: a possible state). Draw luck from `seen.seed` alone.
    """

    name = ""  # how results call it; empty: the name of the class

    def choose(self, seen: Seen) -> int | str:
        """The move to make: one of `seen.moves`, or its number out of `seen.legal`."""
        raise NotImplementedError(f"{type(self).__name__} needs a method choose(self, seen) that returns one of seen.moves.")


AgentGiven = str | AgentSpec | PlainAgent | Callable[[], Any]
AgentsGiven = AgentGiven | Sequence[AgentGiven] | None


class Guest:
    """An object at one table, told when its game begins. Whatever attributes the object has, it is shown its seat's view only."""

    def __init__(self, agent: Any) -> None:
        self.agent = agent
        self.__wrapped__ = agent  # whose file and line are told when it fails
        self.begun = False

    def choose(self, seen: Seen) -> int | str:
        if not self.begun:
            begin(self.agent, seen.variant, seen.seat)
        self.begun = True
        answer: int | str = self.agent.choose(seen)
        return answer


def listed(given: AgentsGiven) -> list[AgentGiven]:
    """One agent, several, or none, as a list."""
    if isinstance(given, (list, tuple)):
        return list(given)
    return [] if not given else [cast(AgentGiven, given)]


def read_agent(given: AgentGiven, game: Game) -> AgentSpec:
    """An agent as a match takes it: from its text, from a file (`@best.toml`), or the object or class itself."""
    if isinstance(given, str):
        return find_agent(saved_spec(given) if given.startswith(MARK) else given, game)
    return given if isinstance(given, AgentSpec) else _own(given)


def read_agents(given: Sequence[AgentGiven], game: Game) -> list[AgentSpec]:
    """Several at one table. Objects of one class get numbers, so that results tell them apart."""
    for agent in given:
        if _is_object(agent) and sum(other is agent for other in given) > 1:
            raise MeepleError(f"One object cannot sit in two seats; make two: {type(agent).__name__}(), {type(agent).__name__}().")
    players = [read_agent(agent, game) for agent in given]
    total, used = Counter(player.spec for player in players), Counter[str]()
    for i, player in enumerate(players):
        used[player.spec] += 1
        if player.here and total[player.spec] > 1:
            players[i] = replace(player, kind=replace(player.kind, name=f"{player.spec}#{used[player.spec]}"))
    return players


def _own(given: Any) -> AgentSpec:
    name = getattr(given, "name", "") or getattr(given, "__name__", "") or type(given).__name__
    if not isinstance(name, str) or "," in name or ":" in name:
        raise MeepleError(f"An agent's name is a text without commas and colons, not {name!r}.")
    if not _is_object(given):
        if not callable(given):
            raise MeepleError(
                f"{name} has no choose(seen), so it cannot play; derive it from meeple.Agent, or name an agent by text."
            )
        return AgentSpec(AgentKind(name, "an agent of this program", lambda _: Guest(_made(given, name))), here=True)
    return AgentSpec(AgentKind(name, "an agent of this program", lambda _: Guest(given)), here=True, one=True)


def _is_object(given: Any) -> bool:
    """An agent itself, not a text or something that makes agents."""
    return not isinstance(given, type) and hasattr(given, "choose")


def _made(maker: Callable[[], Any], name: str) -> Any:
    try:
        agent = maker()
    except TypeError as error:
        raise MeepleError(f"{name}() makes no agent: {error}; hand in an instance, or a function without arguments.") from error
    if not hasattr(agent, "choose"):
        raise MeepleError(f"{name}() makes a {type(agent).__name__}, which has no choose(seen).")
    return agent


def remembers(players: Iterable[AgentSpec]) -> str:
    """The name of an object that may remember a game, and so can play only one at a time; else nothing."""
    for player in players:
        if player.one:
            agent = player.kind.make(None).agent
            if getattr(type(agent), "begin", Forgetful.begin) is not Forgetful.begin:
                return player.spec
    return ""


class Adviser:
    """An agent at hand: tells its move in any position, knowing what the seat to move may know and nothing else.

    Its luck follows from `seed` and the position's ply, so the same question gets the same answer.
    """

    def __init__(self, player: AgentSpec, variant: Variant, seed: int = 0) -> None:
        self.player = player
        self.variant = variant
        self.seed = seed
        self._agent = player.make(variant)
        self._ply = -1

    @property
    def spec(self) -> str:
        """The text that names it."""
        return self.player.spec

    def choose(self, position: State | Seen) -> str:
        """Its move, as text; inside an agent of your own hand on what that is shown: `helper.choose(seen)`."""
        if position.variant.game is not self.variant.game:
            raise MeepleError(f"This {self.spec} plays {self.variant.spec}, not {position.variant.spec}.")
        if isinstance(position, Seen):
            state, luck, history = position.sample(position.seed), position.seed, position.history
        else:
            state, luck, history = position, child(child(self.seed, AT_HAND), position.ply), ()
        if state.over:
            raise MeepleError(f"The game is over ({state.end.reason}), so there is no move to choose.")
        if state.ply <= self._ply:  # another game, or the same question again: what it remembers is of no use
            self._agent, self._ply = self.player.make(self.variant), -1
        if self._ply < 0:
            begin(self._agent, self.variant, state.seat, self.spec)
        self._ply = state.ply
        return self.variant.format_action(ask(self._agent, state, luck, history, name=self.spec))

    def __repr__(self) -> str:
        return f"<{self.spec} at {self.variant.spec}>"

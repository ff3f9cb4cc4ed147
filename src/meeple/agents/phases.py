"""An agent composed of agents: each phase of a game is decided by an agent of its own.

`phases:planning=random,questing=expert,other=random` names them; what is not named is decided by `other`. An agent with
parameters is written with brackets: `questing=mcts(iterations=200)`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from meeple.agents.random import Random
from meeple.agents.registry import find_agent, nested
from meeple.core.agent import AgentKind, Param, Seen, Value, ask, begin, begins_anew, choose, is_kernel_agent, kernel_agent
from meeple.core.errors import MeepleError
from meeple.core.game import Game, Variant
from meeple.core.kernel import kernel
from meeple.core.verbs import phase

MOST_PHASES = 6


class ByPhase(NamedTuple):
    """A kernel agent for each phase; a game with fewer leaves the rest unused."""

    p0: Any = Random()
    p1: Any = Random()
    p2: Any = Random()
    p3: Any = Random()
    p4: Any = Random()
    p5: Any = Random()


@kernel
def choose_by_phase(me: Any, s: Any, stream: Any, out: Any) -> int:
    """Written out, because every part is of another type."""
    now = phase(s)
    if now == 0:
        return choose(me.p0, s, stream, out)
    if now == 1:
        return choose(me.p1, s, stream, out)
    if now == 2:
        return choose(me.p2, s, stream, out)
    if now == 3:
        return choose(me.p3, s, stream, out)
    if now == 4:
        return choose(me.p4, s, stream, out)
    return choose(me.p5, s, stream, out)


kernel_agent(ByPhase, choose_by_phase)


class PlainByPhase:
    """The same where one of the parts is plain Python."""

    def __init__(self, agents: list[Any], clairvoyant: list[bool], names: list[str]) -> None:
        self.agents = agents
        self.clairvoyant = clairvoyant  # which parts are
        self.names = names
        self.begun = False
        if all(begins_anew(agent) for agent in agents):
            self.begin = self._begin

    def _begin(self, variant: Variant, seat: int) -> None:
        for agent, name in zip(self.agents, self.names, strict=True):
            begin(agent, variant, seat, name)
        self.begun = True

    def choose(self, seen: Seen) -> int:
        """What is hidden is dealt again for every part that is not clairvoyant itself."""
        if not self.begun:
            self._begin(seen.variant, seen.seat)
        state = seen.sample(seen.seed)
        now = int(phase(state.data))
        return ask(self.agents[now], state, seen.seed, seen.history, self.clairvoyant[now], self.names[now])


def make(variant: Variant, other: str, **parts: str) -> Any:
    game = variant.game
    players = [find_agent(nested(parts[name] or other), game) for name in game.phases]
    agents = [part_of(player.make(variant), number) for number, player in enumerate(players)]
    if all(is_kernel_agent(agent) for agent in agents):
        return ByPhase(*agents)
    return PlainByPhase(agents, [player.clairvoyant for player in players], [player.spec for player in players])


def part_of(agent: Any, number: int) -> Any:
    """Whoever decides a phase in an agent that is composed itself: one inside another would call its kernel from within, which
    Numba compiles into a call of nothing."""
    return agent[number] if isinstance(agent, ByPhase) else agent


def parts_of(settings: Mapping[str, Value]) -> list[str]:
    """Whom the settings name."""
    return [str(settings[name] or settings["other"]) for name in settings if name != "other"]


def params_of(game: Game) -> tuple[Param, ...]:
    if len(game.phases) > MOST_PHASES:
        raise MeepleError(f"{game.name} has {len(game.phases)} phases; at most {MOST_PHASES} are possible.")
    named = [Param(name, "", f"the agent that decides {name}; empty: the other one") for name in game.phases]
    return (Param("other", "random", "the agent for all phases that are not named"), *named)


AGENTS = (
    AgentKind(
        "phases",
        "an agent of its own for every phase of the game",
        make,
        fits=lambda g: bool(g.phases),
        params_of=params_of,
        parts=parts_of,
    ),
)

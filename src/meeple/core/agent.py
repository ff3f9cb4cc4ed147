"""What an agent is: a mind that is shown what its seat may know and answers with an action.

There are two ways to write one. A **kernel agent** is a NamedTuple of parameters and a compiled function `choose(me, s, stream,
out) -> action`, given a redealt copy of the state; matches between such agents run compiled. Any other agent is a plain class with
`choose(seen) -> move`. Neither ever holds the true state: what they are given was redealt for their seat first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from meeple.core.errors import MeepleError, MoveError, UnknownName
from meeple.core.faults import AgentFault, asked, blamed
from meeple.core.game import Game, Variant
from meeple.core.kernel import overload
from meeple.core.rng import child, stream
from meeple.core.state import State

Value = int | float | str
LARGEST = 1e9  # number that a parameter may be: kernels count in 32 bits


@dataclass(frozen=True)
class Param:
    """A parameter of an agent, as `name:param=value` sets it. The default tells its type."""

    name: str
    default: Value
    meaning: str
    least: float = float("-inf")
    most: float = float("inf")
    values: tuple[str, ...] = ()  # of a text: what may be said; nothing named: anything

    def read(self, text: str, agent: str) -> Value:
        kind = type(self.default)
        try:
            value = kind(text)
        except ValueError:
            what = {int: "a whole number", float: "a number"}[kind]
            raise MeepleError(f"{agent}'s parameter {self.name} must be {what}, not '{text}'.") from None
        if self.values and value not in self.values:
            raise UnknownName(f"{self.name} of {agent}", text, self.values)
        least, most = max(self.least, -LARGEST), min(self.most, LARGEST)
        if isinstance(value, (int, float)) and not least <= value <= most:  # which "not a number" fails too
            raise MeepleError(f"{agent}'s parameter {self.name} must be from {least:g} to {most:g}, not {text}.")
        return value


@dataclass(frozen=True)
class AgentKind:
    """An agent as it is declared: its name, what it does, what can be set, and how one is made for a game."""

    name: str
    meaning: str
    make: Callable[..., Any]  # make(variant, **params): a kernel agent's NamedTuple, or an object with choose(seen)
    params: tuple[Param, ...] = ()
    games: tuple[str, ...] = ()  # games it can play; none named: every game
    fits: Callable[[Game], bool] | None = None  # what else a game must have
    params_of: Callable[[Game], tuple[Param, ...]] | None = None  # parameters that depend on the game
    clairvoyant: bool = False  # sees what its seat may not know: only to reproduce somebody's figures, and labelled everywhere
    parts: Callable[[Mapping[str, Value]], Sequence[str]] | None = None  # the agents that its settings name as parts of it
    main: str = ""  # the parameter that may be given without its name: net:FILE
    files: Callable[[Game], Sequence[Path]] | None = None  # beside its code: what decides how it plays a game

    def at(self, game: Game) -> AgentKind:
        """The same with the parameters it has at a game."""
        return replace(self, params=self.params_of(game)) if self.params_of else self

    def settings(self, given: Mapping[str, str]) -> dict[str, Value]:
        """All parameters, the given ones read and checked."""
        known = {param.name: param for param in self.params}
        for name in given:
            if name not in known:
                if not known:
                    raise MeepleError(f"{self.name} has no parameters, so '{name}' cannot be set.")
                raise UnknownName(f"parameter of {self.name}", name, known)
        return {name: param.read(given[name], self.name) if name in given else param.default for name, param in known.items()}


class Seen:
    """One decision as its seat sees it. Holds a redealt copy, never the state itself: there is nothing to find behind it."""

    def __init__(self, state: State, seed: int, history: Sequence[tuple[int, int]] = ()) -> None:
        self._redealt = state.redealt(state.seat, child(seed, 0))
        self.seed = child(seed, 1)  # whatever an agent draws at random should follow from it
        self.variant: Variant = state.variant
        self.seat = state.seat
        self.ply = state.ply
        # (seat, action) of every ply so far, or nothing. What is secret is HIDDEN; a copy, since the caller's list grows.
        self.history = state.told(state.seat, history)

    @cached_property
    def legal(self) -> list[int]:
        """Ids of the actions to choose from."""
        return self._redealt.legal()

    @cached_property
    def moves(self) -> list[str]:
        """The same as text."""
        return self._redealt.moves()

    @cached_property
    def data(self) -> dict[str, Any]:
        """The view: everything the seat may know, as plain data."""
        return self._redealt.view(self.seat)

    def board(self) -> str:
        return self._redealt.board(self.seat)

    def sample(self, seed: int) -> State:
        """A whole state as it may be: what the seat cannot know is dealt at random, consistently with all it has seen."""
        return self._redealt.redealt(self.seat, seed)

    def observe(self, level: str = "") -> NDArray[np.float32]:
        """The seat's observation; clairvoyant levels show the redealt copy's secrets, which are nobody's."""
        return self._redealt.observe(self.seat, level)


class Clairvoyant(Seen):
    """The same without anything hidden: only for agents that reproduce somebody's figures, and are labelled so everywhere."""

    def __init__(self, state: State, seed: int, history: Sequence[tuple[int, int]] = ()) -> None:
        super().__init__(state, seed, history)
        self._redealt = state.copy()
        self.history = tuple(history)

    def sample(self, seed: int) -> State:  # noqa: ARG002
        return self._redealt.copy()


def show(state: State, seed: int, history: Sequence[tuple[int, int]] = (), clairvoyant: bool = False) -> Seen:
    """What a plain agent is shown. Whether it sees the true state is its registered kind's to say (`AgentSpec.clairvoyant`), never
    the agent's own: whoever asks it also writes its name, and labels it."""
    return (Clairvoyant if clairvoyant else Seen)(state, seed, history)


@runtime_checkable
class PlainAgent(Protocol):
    """The plain-Python way: one method.

    A second one is optional: `begin(variant, seat)` is called when a game begins. An agent that has it is made once a process and
    plays game after game; one without it is made anew for every game, since it may remember the last.
    """

    def choose(self, seen: Seen) -> int | str: ...


class Forgetful:
    """For agents that keep nothing from one decision to the next: one of them may play game after game."""

    def begin(self, variant: Variant, seat: int) -> None:
        """Nothing to forget."""


def begins_anew(agent: Any) -> bool:
    """May the same object play several games? A kernel agent remembers nothing; a plain one says so by having `begin`."""
    return is_kernel_agent(agent) or callable(getattr(agent, "begin", None))


def begin(agent: Any, variant: Variant, seat: int, name: str = "") -> None:
    """Tell an agent that a game begins, if it wants to know. `name`: whom to blame if it fails at that."""
    if callable(tell := getattr(agent, "begin", None)):
        with blamed(name or type(agent).__name__, " in begin(variant, seat)"):
            tell(variant, seat)


# ---- Kernel agents: found by the class of their NamedTuple, as games are by their dtype ----

_CHOOSE: dict[type | None, Callable[..., int]] = {}


def kernel_agent(agent: type, chooser: Callable[..., int]) -> None:
    """Declare that `chooser(me, s, stream, out)` decides for agents of this NamedTuple class."""
    _CHOOSE[agent] = chooser


def is_kernel_agent(agent: Any) -> bool:
    return type(agent) in _CHOOSE


def choose(me: Any, s: Any, stream: Any, out: Any) -> int:
    """The action of a kernel agent for the seat to move in s, a redealt copy it may spoil; out has room for the legal actions."""
    return _CHOOSE[type(me)](me, s, stream, out)


@overload(choose)
def _choose(me, s, stream, out):  # type: ignore[no-untyped-def]  # noqa: ARG001
    chooser = _CHOOSE.get(getattr(me, "instance_class", None))
    return (lambda me, s, stream, out: chooser(me, s, stream, out)) if chooser else None


def ask(
    agent: Any, state: State, seed: int, history: Sequence[tuple[int, int]] = (), clairvoyant: bool = False, name: str = ""
) -> int:
    """The legal action an agent chooses for the seat to move, whichever way it is written. It is shown a redealt copy, all its luck
    follows from the seed, and what it does wrong is refused with its name. `clairvoyant`: as `show` has it."""
    name = name or type(agent).__name__
    if not is_kernel_agent(agent):
        if not isinstance(agent, PlainAgent):
            raise MeepleError(f"{name} has no choose(seen) and is no kernel agent, so it cannot play.")
        return asked(agent, show(state, seed, history, clairvoyant), name)
    shown, out = state.redealt(state.seat, child(seed, 0)), np.zeros(state.variant.shape.room, np.int32)
    with blamed(name, f" at move {state.ply + 1}"):
        answer = int(choose(agent, shown.data, stream(child(seed, 1)), out))
    try:
        return state.copy().play(answer)
    except MoveError as error:
        raise AgentFault(f"The agent {name} made no legal move: {error}") from error

"""Does an agent decide by what it is shown? Ask it twice in positions that look the same to its seat and differ in what is hidden.

An agent in plain Python runs in this process and could dig for the true state (the caller's frames, the garbage collector). It
cannot be kept from digging, but it can be caught: it is asked with the true state at hand, and asked again, shown the very same,
with another truth behind it. Who answers differently knows too much; or it draws its luck from elsewhere than its seed, which is
told apart by asking the first question again. The clock goes by questions meanwhile, not by time, so that an agent limited by
milliseconds thinks equally long each time.
"""

from __future__ import annotations

import contextlib
import itertools
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from meeple.agents.registry import AgentSpec, agents_of, find_agent, nested
from meeple.core.agent import PlainAgent, begin, is_kernel_agent, show
from meeple.core.errors import MeepleError
from meeple.core.faults import asked
from meeple.core.game import Game, Variant
from meeple.core.rng import child, draw, stream
from meeple.core.state import State, new

CLOCKS = ("time", "perf_counter", "monotonic", "process_time", "thread_time")
AGAIN = 12  # questions more, to tell luck of its own from knowledge
TICK = 10_000_000  # nanoseconds from one look at the clock to the next: more than the slices that searches cut their time into


class Cheat(MeepleError):
    """The agent knows what its seat may not."""


class OwnLuck(MeepleError):
    """The agent draws its luck from elsewhere than its seed."""


def check_strangers(variant: Variant, players: Iterable[AgentSpec], seed: int = 0) -> None:
    """Check every agent that is not of this package: from a file, an installed package, or an object of the calling program. And
    every one that is made of such an agent: it is asked as a whole, as it plays."""
    for player in {player.spec: player for player in players}.values():
        whole, *parts = named_by(player, variant.game)
        # A kernel agent is given records, from which there is no way to another, so a search with such a policy is not asked.
        if _stranger(whole) or any(_stranger(part) and not is_kernel_agent(part.make(variant)) for part in parts):
            check_fair(variant, player, seed=seed)


def named_by(player: AgentSpec, game: Game) -> Iterator[AgentSpec]:
    """An agent, and whatever agents its settings name, and theirs."""
    yield player
    for value in player.settings.values():
        with contextlib.suppress(MeepleError):  # a text that names no agent
            if isinstance(value, str) and (spec := nested(value)).partition(":")[0] in agents_of(game):
                yield from named_by(find_agent(spec, game), game)


def _stranger(player: AgentSpec) -> bool:
    return player.here or not _module(player).startswith("meeple.")


def _module(player: AgentSpec) -> str:
    return str(getattr(player.kind.make, "__module__", ""))


def check_fair(variant: Variant, player: AgentSpec, games: int = 1, seed: int = 0) -> int:
    """Ask at every position of some random games; returns how many positions, raises Cheat at the first difference."""
    if player.clairvoyant:
        return 0  # it says so, and is called so wherever its name stands
    agent = player.make(variant)
    if is_kernel_agent(agent) or not isinstance(agent, PlainAgent):
        return 0  # it is given a redealt copy and nothing else: there is no way from a record to another; or it cannot play at all
    positions = 0
    for number in range(games):
        state = new(variant, child(seed, number))
        chooser = stream(child(seed, 1000 + number))
        history: list[tuple[int, int]] = []
        while not state.over:
            _ask_with_other_truths(player, state, child(seed, state.ply), history)
            positions += 1
            legal = state.legal()
            history.append((state.seat, legal[draw(chooser, len(legal))]))
            state.play(history[-1][1])
    return positions


def _ask_with_other_truths(player: AgentSpec, state: State, seed: int, history: list[tuple[int, int]]) -> None:
    """One State stands for the truth, wherever an agent may find it; what it holds is exchanged between the questions."""
    truth = state.array.tobytes()
    truths = [truth, *(state.redealt(state.seat, child(seed, k)).array.tobytes() for k in (1, 2))]
    answers = []
    for other in truths:
        _put(state, other)
        answers.append(_ask(player, state, seed, history))
    _put(state, truth)
    if len(set(answers)) > 1:
        _refuse_own_luck(player, state, seed, history, answers[0])
        moves = ", ".join(sorted({state.variant.format_action(a) for a in answers}))
        raise Cheat(
            f"The agent {player.spec} decides by what its seat may not know: shown the same in {state!r}, it plays {moves}, "
            "depending on what is hidden; an agent must decide by what it is shown and by seen.seed alone."
        )


def _refuse_own_luck(player: AgentSpec, state: State, seed: int, history: list[tuple[int, int]], before: int) -> None:
    """Asked the very same again, an agent that answers differently shows nothing but that it is not steady."""
    again = {_ask(player, state, seed, history) for _ in range(AGAIN)}
    if again != {before}:
        moves = ", ".join(sorted({state.variant.format_action(a) for a in {before, *again}}))
        raise OwnLuck(
            f"The agent {player.spec} answers the same question differently: in {state!r} it plays {moves}; all its luck must "
            "come from seen.seed, or its games could not be played again."
        )


def _put(state: State, raw: bytes) -> None:
    state.array.view(np.uint8)[:] = np.frombuffer(raw, np.uint8)


def _ask(player: AgentSpec, state: State, seed: int, history: list[tuple[int, int]]) -> int:
    agent = player.make(state.variant)
    with _clock_by_looks({_module(part) for part in named_by(player, state.variant.game)}):
        begin(agent, state.variant, state.seat, player.spec)
        return asked(agent, show(state, seed, history), player.spec)


@contextmanager
def _clock_by_looks(modules: set[str]) -> Iterator[None]:
    """Every look at a clock finds it a tick later than the last: in module `time`, and in the agents' files if they imported it."""
    looks = itertools.count(0, TICK)
    real: dict[tuple[Any, str], Callable[[], float]] = {}
    for name in [*CLOCKS, *(f"{each}_ns" for each in CLOCKS)]:
        clock: Callable[[], float] = getattr(time, name)
        made: Callable[[], float] = (lambda: next(looks)) if name.endswith("_ns") else (lambda: next(looks) / 1e9)
        for place in {time, *map(sys.modules.get, modules)}:
            if getattr(place, name, None) is clock:
                real[place, name] = clock
                setattr(place, name, made)
    try:
        yield
    finally:
        for (place, name), clock in real.items():
            setattr(place, name, clock)

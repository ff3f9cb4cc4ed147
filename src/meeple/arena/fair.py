"""Does an agent decide by what it is shown? Ask it twice in positions that look the same to its seat and differ in what is hidden.

An agent in plain Python runs in this process and could dig for the true state (the caller's frames, the garbage collector). It
cannot be kept from digging, but it can be caught: it is asked with the true state at hand, and asked again, shown the very same,
with another truth behind it. Who answers differently knows too much, or draws its luck from elsewhere than its seed.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from meeple.agents.registry import AgentSpec
from meeple.core.agent import PlainAgent, begin, is_kernel_agent, show
from meeple.core.errors import MeepleError
from meeple.core.faults import asked
from meeple.core.game import Variant
from meeple.core.rng import child, draw, stream
from meeple.core.state import State, new


class Cheat(MeepleError):
    """The agent knows what its seat may not."""


def check_strangers(variant: Variant, players: Iterable[AgentSpec], seed: int = 0) -> None:
    """Check every agent that is not of this package: from a file, an installed package, or an object of the calling program."""
    for player in {player.spec: player for player in players}.values():
        if player.here or not str(getattr(player.kind.make, "__module__", "")).startswith("meeple."):
            check_fair(variant, player, seed=seed)


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
        moves = ", ".join(sorted({state.variant.format_action(a) for a in answers}))
        raise Cheat(
            f"The agent {player.spec} decides by what its seat may not know: shown the same in {state!r}, it plays {moves}, "
            "depending on what is hidden; an agent must decide by what it is shown and by seen.seed alone."
        )


def _put(state: State, raw: bytes) -> None:
    state.array.view(np.uint8)[:] = np.frombuffer(raw, np.uint8)


def _ask(player: AgentSpec, state: State, seed: int, history: list[tuple[int, int]]) -> int:
    agent = player.make(state.variant)
    begin(agent, state.variant, state.seat, player.spec)
    return asked(agent, show(state, seed, history), player.spec)

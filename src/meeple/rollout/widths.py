"""Finished games replayed, compiled: how many legal actions each decision had, by phase and by turn."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.game import Variant
from meeple.core.kernel import kernel
from meeple.core.verbs import apply, deal, legal, phase

MOST_TURNS = 400  # later turns count as the last


class Widths(NamedTuple):
    """Counts over all replayed games."""

    decisions: NDArray[np.int64]  # (phases,)
    choices: NDArray[np.int64]  # (phases,) decisions with two actions or more
    actions: NDArray[np.int64]  # (phases,) legal actions in all
    widest: NDArray[np.int64]  # (phases,)
    turns: NDArray[np.int64]  # (1,)
    turns_with_choice: NDArray[np.int64]  # (phases,) turns in which the phase had a choice
    by_turn: NDArray[np.int64]  # (MOST_TURNS, 2) decisions and legal actions of each turn


def no_widths(variant: Variant) -> Widths:
    phases = max(1, len(variant.game.phases))
    decisions, choices, actions, widest, turns_with_choice = (np.zeros(phases, np.int64) for _ in range(5))
    return Widths(
        decisions, choices, actions, widest, np.zeros(1, np.int64), turns_with_choice, np.zeros((MOST_TURNS, 2), np.int64)
    )


@kernel
def go_through(states: Any, config: Any, seed: Any, actions: Any, out: Any, widths: Any) -> None:
    """Replay one game from its seed and actions, and count."""
    s = states[0]
    deal(s, config, seed)
    chosen = np.int64(0)  # phases with a choice in this turn, as bits
    for ply in range(actions.size):
        n = legal(s, out)
        now = phase(s)
        widths.decisions[now] += 1
        widths.actions[now] += n
        widths.widest[now] = max(widths.widest[now], n)
        if n > 1:
            widths.choices[now] += 1
            chosen |= np.int64(1) << np.int64(now)
        turn = min(s.turn, MOST_TURNS - 1)
        widths.by_turn[turn, 0] += 1
        widths.by_turn[turn, 1] += n
        before = s.turn
        apply(s, actions[ply])
        if s.turn != before or s.end:
            widths.turns[0] += 1
            for number in range(widths.decisions.size):
                widths.turns_with_choice[number] += (chosen >> np.int64(number)) & 1
            chosen = np.int64(0)

"""A script as somebody plays a first game: the dearest ally, enough for the worst card that may come, the first enemy at hand.

It weighs nothing against anything else, and keeps nobody back. The lowest level of the champion is measured by it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from meeple.core.agent import kernel_agent
from meeple.core.game import Variant
from meeple.core.kernel import kernel
from meeple.games.lotr.actions import BUY, COMMIT, STOP
from meeple.games.lotr.components import CARD_OF, COST, WILLPOWER, WORST_CARD
from meeple.games.lotr.rounds import staging_threat
from meeple.games.lotr.rules import legal
from meeple.games.lotr.state import PLANNING, QUESTING
from meeple.games.lotr.variants import needs_small_decisions


class Beginner(NamedTuple):
    """Nothing to set; a NamedTuple needs a field."""

    nothing: int = 0


@kernel
def choose_as_a_beginner(me: Any, s: Any, stream: Any, out: Any) -> int:  # noqa: ARG001
    """Where it travels, who defends and who is struck: the first that the rules allow."""
    n = legal(s, out)
    if s.phase == PLANNING:
        return _dearest(out, n)
    if s.phase == QUESTING:
        return STOP if s.willpower > staging_threat(s) + WORST_CARD else _strongest(out, n)
    return out[0]  # type: ignore[no-any-return]


@kernel
def _dearest(out: Any, n: int) -> int:
    best, most = STOP, 0
    for i in range(n):
        if out[i] != STOP and COST[out[i] - BUY] > most:
            best, most = out[i], COST[out[i] - BUY]
    return best


@kernel
def _strongest(out: Any, n: int) -> int:
    """Who has most willpower; nobody, if none has any."""
    best, most = STOP, 0
    for i in range(n):
        if out[i] != STOP and WILLPOWER[CARD_OF[out[i] - COMMIT]] > most:
            best, most = out[i], WILLPOWER[CARD_OF[out[i] - COMMIT]]
    return best


kernel_agent(Beginner, choose_as_a_beginner)


def make_beginner(variant: Variant) -> Beginner:
    needs_small_decisions(variant, "beginner")
    return Beginner()

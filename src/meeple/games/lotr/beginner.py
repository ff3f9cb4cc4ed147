"""A script as somebody plays a first game: the dearest ally, enough for the worst card that may come, the first enemy at hand.

It weighs nothing against anything else. The lowest level of the champion is measured by it.
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

WILLPOWER_OF = WILLPOWER[CARD_OF]  # a character's


class Beginner(NamedTuple):
    """Nothing to set; a NamedTuple needs a field."""

    nothing: int = 0


@kernel
def choose_as_a_beginner(me: Any, s: Any, stream: Any, out: Any) -> int:  # noqa: ARG001
    """Where it travels, who defends and who is struck: the first that the rules allow."""
    n = legal(s, out)
    if s.phase == PLANNING:
        return _most(out, n, BUY, COST)
    if s.phase == QUESTING:
        return STOP if s.willpower > staging_threat(s) + WORST_CARD else _most(out, n, COMMIT, WILLPOWER_OF)
    return out[0]  # type: ignore[no-any-return]


@kernel
def _most(out: Any, n: int, first: int, worth: Any) -> int:
    """The action worth most, counted from the first of its sort; stop, if none is worth anything."""
    best, most = STOP, 0
    for i in range(n):
        if out[i] != STOP and worth[out[i] - first] > most:
            best, most = out[i], worth[out[i] - first]
    return best


kernel_agent(Beginner, choose_as_a_beginner)


def make_beginner(variant: Variant) -> Beginner:
    needs_small_decisions(variant, "beginner")
    return Beginner()

"""A player that makes the same macro-action at every decision of a phase, whatever it sees; the thesis's listings decide the rest.

It is what a network comes to whose learning never looks at the reward: the experiment godlewski-6.4 has the best of them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from meeple.core.agent import Param, kernel_agent
from meeple.core.game import Variant
from meeple.core.kernel import kernel
from meeple.games.lotr.listings import Listings, choose_listings, make_listings
from meeple.games.lotr.macros import GUARD, PLAN, QUEST, by_macros
from meeple.games.lotr.state import PLANNING, QUESTING


class Fixed(NamedTuple):
    """Places of the macro-actions in the lists of their phases."""

    listings: Listings
    plan: int
    quest: int
    guard: int


@kernel
def choose_fixed(me: Any, s: Any, stream: Any, out: Any) -> int:
    if not by_macros(s):
        return choose_listings(me.listings, s, stream, out)
    return PLAN + me.plan if s.phase == PLANNING else QUEST + me.quest if s.phase == QUESTING else GUARD + me.guard  # type: ignore[no-any-return]


kernel_agent(Fixed, choose_fixed)

PLACES = (
    Param("plan", 0, "0: cheapest; 1 to 6: by 1.0 to 0.0", 0, QUEST - PLAN - 1),
    Param("quest", 0, "0: all; 1 to 5: by 1.0 to 0.2; 6: by least defence", 0, GUARD - QUEST - 1),
    Param("guard", 0, "0: all; 1: all but one; 2: by least willpower; 3: nobody", 0, 3),
)


def make_fixed(variant: Variant, plan: int, quest: int, guard: int) -> Fixed:
    return Fixed(make_listings(variant), plan, quest, guard)

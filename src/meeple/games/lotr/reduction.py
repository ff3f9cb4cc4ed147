"""The thesis's action reduction (4.4), a filter of the legal actions that a search or a learner may ask for.

Planning (listing 4.5): if Gandalf can be paid for, Gandalf or nothing. Questing (listing 4.6): only commitments whose willpower
exceeds the threat of the staging area by more than two; in small decisions: committing does not stop before that, if it can be
reached. Defence (listing 4.7): every attack meets an untapped character while there is an ally among them. What a macro-action
decides is left as it is: the listings are about single cards.
"""

from __future__ import annotations

from typing import Any

from meeple.core.kernel import kernel
from meeple.games.lotr.actions import BUY, STOP, UNDEFENDED
from meeple.games.lotr.components import CHARACTERS, HEROES, LASTING
from meeple.games.lotr.macros import by_macros
from meeple.games.lotr.rounds import affordable, staging_threat, willpower_at_hand
from meeple.games.lotr.state import DEFENDING, PLANNING, QUESTING

GANDALF = int(LASTING.argmin())
MARGIN = 2


@kernel
def keep(s: Any, out: Any, n: int) -> int:
    if by_macros(s):
        return n
    if s.phase == PLANNING and affordable(s, GANDALF):
        out[0] = BUY + GANDALF
        out[1] = STOP
        return 2
    if s.phase == QUESTING and not _enough(s, s.willpower) and _enough(s, s.willpower + willpower_at_hand(s)):
        return _without(out, n, STOP)
    if s.phase == DEFENDING and _ally_ready(s):
        return _without(out, n, UNDEFENDED)
    return n


@kernel
def _enough(s: Any, willpower: int) -> bool:
    return willpower > staging_threat(s) + MARGIN


@kernel
def _ally_ready(s: Any) -> bool:
    for character in range(HEROES, CHARACTERS):
        if s.ready[character] > 0:
            return True
    return False


@kernel
def _without(out: Any, n: int, action: int) -> int:
    kept = 0
    for i in range(n):
        if out[i] != action:
            out[kept] = out[i]
            kept += 1
    return kept

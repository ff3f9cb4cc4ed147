"""What tells one way of playing The Lord of the Rings from another: who is bought, who quests, who guards and who attacks.

Macro-actions are not counted: what they play is decided by their order, not by whoever chose them.
"""

from __future__ import annotations

from typing import Any

from meeple.games.lotr.actions import ACTIONS, ATTACK_WITH, BUY, COMMIT, DEFEND, HIT, STAY, STOP, TRAVEL, UNDEFENDED
from meeple.games.lotr.components import CARD_NAMES, CARD_OF, COST, HEROES, WILLPOWER


def noted(s: Any, action: int) -> dict[str, float]:  # noqa: ARG001
    if action >= ACTIONS:
        return {}
    if action < COMMIT:
        ally = action - BUY
        return {"resources spent": int(COST[ally]), f"bought: {CARD_NAMES[HEROES + ally]}": 1}
    if action < TRAVEL:
        return {"willpower committed": int(WILLPOWER[CARD_OF[action - COMMIT]])}
    if action < STAY:
        return {"lands travelled to": 1}
    if DEFEND <= action < HIT:
        return {"attacks undefended" if action == UNDEFENDED else "attacks defended": 1}
    if HIT <= action < STOP:
        return {}
    return {"attackers": 1} if action >= ATTACK_WITH else {}

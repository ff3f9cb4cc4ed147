"""What tells one way of playing Splendor from another: which cards are bought, and what bonuses, reserves and tokens come to."""

from __future__ import annotations

from typing import Any

import numpy as np

from meeple.games.splendor.actions import BUY, BUY_RESERVED, NOBLE, PASS, RESERVE, RETURN, TAKEN
from meeple.games.splendor.components import COST, LEVEL
from meeple.games.splendor.purchase import card_at


def noted(s: Any, action: int) -> dict[str, float]:
    """The thesis's action set numbers purchases and returns in its own way and is not counted."""
    if s.thesis:
        return {}
    if action < RESERVE:
        return {"tokens of a take": int(TAKEN[action].sum())}
    if action < BUY:
        return {"cards reserved": 1, "reserved, never bought": 1}
    if action < PASS:
        card = int(card_at(s, action - BUY))
        saved = int(np.minimum(COST[card], s.bonuses[s.seat]).sum())
        found: dict[str, float] = {f"cards of level {LEVEL[card] + 1}": 1, "tokens saved by bonuses": saved}
        return found | ({"reserved, never bought": -1} if action >= BUY_RESERVED else {})
    return {"tokens given back": 1} if RETURN <= action < NOBLE else {}

"""Observation level `world`: `seen`, and what the opponent hides. For a network inside a search, whose tables are all redealt:
there nothing of it is true, and who sees both hands values a table better. Whoever plays by it on a true table is clairvoyant."""

from __future__ import annotations

from typing import Any

from meeple.core.encode import scaled, thermometer, unit
from meeple.core.game import Field
from meeple.core.kernel import kernel
from meeple.games.jaipur import seen
from meeple.games.jaipur.actions import SALE_CARDS, SALE_GOOD, SALES
from meeple.games.jaipur.components import GOODS
from meeple.games.jaipur.rules import points
from meeple.games.jaipur.seen import HELD, LEAD, MOST_PAID, MOST_POINTS, POINTS, sale_pays


def fields(seen_fields: tuple[Field, ...]) -> tuple[Field, ...]:
    return (
        *seen_fields,
        unit("opponent_hand", int(HELD.sum()), "the opponent's goods, thermometers as `hand`"),
        unit("opponent_sales", SALES, f"what each of its possible sales would pay, of {MOST_PAID}; in the order of the actions"),
        Field("opponent_true", 1, 0, MOST_POINTS / POINTS, f"the opponent's points, of {POINTS}"),
        Field("lead_true", 1, -MOST_POINTS / LEAD, MOST_POINTS / LEAD, f"own points less these, of {LEAD}"),
    )


@kernel
def observe(s: Any, seat: int, out: Any) -> None:
    n = seen.observe(s, seat, out)
    other = 1 - seat
    for good in range(GOODS):
        n = thermometer(out, n, s.hand[other, good], HELD[good])
    for sale in range(SALES):
        good, cards = SALE_GOOD[sale], SALE_CARDS[sale]
        n = scaled(out, n, sale_pays(s, seat, good, cards) if cards <= s.hand[other, good] else 0.0, MOST_PAID)
    n = scaled(out, n, points(s, other), POINTS)
    scaled(out, n, points(s, seat) - points(s, other), LEAD)

"""The sizes of each variant and the layout of its observations, as data that tables, environments and checks are made from."""

from __future__ import annotations

from collections.abc import Mapping

from meeple.core.game import Choice, Field, Level, Shape
from meeple.games.jaipur import seen
from meeple.games.jaipur.actions import ACTIONS, MAX_LEGAL
from meeple.games.jaipur.components import BONUS_OF, MATCH_TURN_CAP, ROUND_TURN_CAP, TOKENS_OF

VARIANTS = Choice("variant", {"match": "official: first to two seals", "round": "a single round"})
OPTIONS = (
    Choice(
        "actions",
        {
            "25499": "sell any number of a good",
            "25469": "sell all of a good or none",
            "25502": "choose take, sell or exchange first, then the action",
        },
    ),
    Choice("rules", {"official": "the rulebook", "2017": "as in the 2017 thesis: the round ends with the deck"}),
)

MOST_POINTS = 221  # the 2025 thesis's bound; 44 goods cards cannot earn more than 212


def _opponent(cards: str, points: str) -> tuple[Field, ...]:
    return (Field("opponent_goods", 6, 0, 7, cards), Field("opponent_points", 1, 0, MOST_POINTS, points))


OWN_FIELDS = (
    Field("hand", 6, 0, 7, "own goods: diamond, gold, silver, cloth, spice, leather"),
    Field("market", 7, 0, 5, "market: the goods, then camels"),
    Field("herd", 1, 0, 11, "own camels"),
    Field("points", 1, 0, MOST_POINTS, "own points, bonus tokens included"),
    Field("opponent_herd", 1, 0, 11, "the opponent's camels"),
    *(Field(f"tokens_{i}", 1, 0, int(n), "goods tokens left") for i, n in enumerate(TOKENS_OF)),
    *(Field(f"bonus_{i + 3}", 1, 0, int(n), f"bonus tokens left for {i + 3} cards") for i, n in enumerate(BONUS_OF)),
)
SEALS = (Field("seals", 2, 0, 2, "own and the opponent's seals of excellence"),)
STEP = (Field("step", 5, 0, 1, "what is decided now: kind, take, sell, exchange, camels"),)


def shape(chosen: Mapping[str, str]) -> Shape:
    match = chosen["variant"] == "match"
    two_steps = chosen["actions"] == "25502"
    tail = (SEALS if match else ()) + (STEP if two_steps else ())
    tracked = _opponent("goods the opponent was seen to take and has not given away", "with the largest bonus assumed")
    full = _opponent("the opponent's hand", "the opponent's points")
    levels = (
        Level("own", OWN_FIELDS + tail, "Table 4.1 of the 2025 thesis"),
        Level("tracked", OWN_FIELDS + tracked + tail, "Table 4.7: and what was seen of the opponent"),
        Level("full", OWN_FIELDS + full + tail, "section 4.2.4: the opponent's cards laid open", clairvoyant=True),
        Level("seen", seen.fields(match, chosen["actions"] == "25469", two_steps), "all that a seat may know, scaled for networks"),
    )
    turns = MATCH_TURN_CAP if match else ROUND_TURN_CAP
    return Shape(
        seats=2,
        actions=ACTIONS[chosen["actions"]],
        max_legal=MAX_LEGAL,
        max_plies=turns * (2 if two_steps else 1),
        levels=levels,
    )

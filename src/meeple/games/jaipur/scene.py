"""The table as a picture (core/scene.py): the opponent's cards above, market and tokens between, one's own hand below."""

from __future__ import annotations

from typing import Any

from meeple.core.game import Variant
from meeple.core.scene import Fact, Parts, Piece, Scene, Zone
from meeple.games.jaipur.actions import (
    CAMELS,
    CHOOSE,
    EXCHANGE,
    EXCHANGE_GIVEN,
    EXCHANGE_SELL_ALL,
    EXCHANGE_TAKEN,
    SALE_CARDS,
    SALE_GOOD,
    SELL,
)
from meeple.games.jaipur.components import CAMEL, GOODS, KINDS, LETTERS
from meeple.games.jaipur.multisets import MULTISETS

COLOUR = dict(zip(KINDS, ("red", "gold", "silver", "purple", "green", "brown", "orange"), strict=True))
ASK = {
    "": "Take, exchange or sell: choose cards.",
    "take": "Which card do you take?",
    "sell": "What do you sell?",
    "exchange": "What do you give for what?",
}


def scene(variant: Variant, seen: dict[str, Any]) -> Scene:  # noqa: ARG001
    zones = [*_opponent(seen), _market(seen), _tokens(seen), _bonuses(seen), *_own(seen)]
    return Scene(tuple(zones), ASK[seen["chosen"]])


# ---- The middle of the table ---------------------------------------------------------------------------------------


def _market(seen: dict[str, Any]) -> Zone:
    cards = [_card("market", kind, n) for kind, n in seen["market"].items()]
    deck = Piece("deck", mark=str(seen["deck"]), label=f"deck, {seen['deck']} cards left", picture="jaipur/back", state="back")
    note = f"round {seen['round']}" if "round" in seen else ""
    return Zone("market", "Market", (*cards, deck), note=note, wide=True)


def _card(place: str, kind: str, n: int) -> Piece:
    letter = LETTERS[KINDS.index(kind)]
    return Piece(kind, part=f"{place}:{kind}", mark=letter, label=kind, colour=COLOUR[kind], picture=f"jaipur/{kind}", count=n)


def _tokens(seen: dict[str, Any]) -> Zone:
    return Zone("tokens", "Goods tokens", tuple(_pile(kind, values) for kind, values in seen["tokens"].items()), "token")


def _pile(kind: str, values: list[int]) -> Piece:
    """The next token large, those below it small."""
    if not values:
        return Piece(kind, mark="–", label=f"{kind}: no tokens left", colour=COLOUR[kind], state="empty")
    label = f"{kind} tokens: {', '.join(str(value) for value in values)}"
    below = tuple(Fact("then", str(value)) for value in values[1:])
    return Piece(kind, mark=str(values[0]), label=label, colour=COLOUR[kind], picture=f"jaipur/{kind}", facts=below)


def _bonuses(seen: dict[str, Any]) -> Zone:
    return Zone("bonus", "Bonus tokens", tuple(_bonus(cards, left) for cards, left in seen["bonus_left"].items()), "token")


def _bonus(cards: int, left: int) -> Piece:
    sold = "5 or more" if cards == 5 else str(cards)
    state = "" if left else "empty"
    label = f"bonus tokens for selling {sold} cards: {left} left"
    return Piece(f"{left} left", mark="5+" if cards == 5 else f"×{cards}", label=label, colour="teal", state=state)


# ---- The two players -----------------------------------------------------------------------------------------------


def _opponent(seen: dict[str, Any]) -> list[Zone]:
    other, seat = seen["opponent"], 1 - seen["seat"]
    known = [
        Piece(kind, label=f"{kind}, seen", colour=COLOUR[kind], picture=f"jaipur/{kind}", count=n)
        for kind, n in other["known"].items()
    ]
    unseen = other["cards"] - sum(other["known"].values())
    backs = [Piece("unseen card", picture="jaipur/back", state="back", count=unseen)] if unseen else []
    points = Piece("points", mark=str(other["goods_points"]), label=f"{other['goods_points']} points of goods tokens")
    bonus = Piece("bonus", mark=str(other["bonus_tokens"]), label=f"{other['bonus_tokens']} bonus tokens")
    if seen["over"]:
        points, bonus = Piece("points", mark=str(seen["final"]["points"][seat])), bonus
    camels = Piece("camels", mark=str(other["herd"]), picture="jaipur/camel")
    facts = (points, bonus, camels, *_seals(seen, 1))
    return [Zone("their score", "Score", facts, "fact", seat), Zone("their hand", "Hand", (*known, *backs), "small", seat)]


def _own(seen: dict[str, Any]) -> list[Zone]:
    seat = seen["seat"]
    points = Piece("points", mark=str(seen["points"] if not seen["over"] else seen["final"]["points"][seat]))
    herd = seen["herd"]
    camels = Piece(
        "camels", "herd:camel", str(herd), f"{herd} camels of the herd", COLOUR[KINDS[CAMEL]], picture="jaipur/camel", count=herd
    )
    hand = tuple(_card("hand", kind, n) for kind, n in seen["hand"].items())
    return [
        Zone("own hand", "Your hand", hand, seat=seat, note=f"{sum(seen['hand'].values())} of 7"),
        Zone("own herd", "Herd", (camels,) if herd else (), "token", seat),
        Zone("own score", "Score", (points, *_seals(seen, 0)), "fact", seat),
    ]


def _seals(seen: dict[str, Any], which: int) -> tuple[Piece, ...]:
    return (Piece("seals", mark=str(seen["seals"][which]), picture="jaipur/seal"),) if "seals" in seen else ()


# ---- Moves ---------------------------------------------------------------------------------------------------------


def parts(variant: Variant, action: int) -> Parts:
    sell_all = variant.chosen["actions"] == "25469"
    if action >= CHOOSE and not sell_all:
        return ()  # the choice of a kind, the first step of a turn
    if action < SELL:
        # All camels go together; choosing one of them is enough.
        return ((f"market:{KINDS[CAMEL if action == CAMELS else action]}", 1),)
    if action < (EXCHANGE_SELL_ALL if sell_all else EXCHANGE):
        good, n = (action - SELL, 1) if sell_all else (int(SALE_GOOD[action - SELL]), int(SALE_CARDS[action - SELL]))
        return ((f"hand:{KINDS[good]}", n),)
    return _exchange(action - (EXCHANGE_SELL_ALL if sell_all else EXCHANGE))


def _exchange(number: int) -> Parts:
    taken, given = MULTISETS[EXCHANGE_TAKEN[number]], MULTISETS[EXCHANGE_GIVEN[number]]
    camels = int(taken.sum() - given.sum())
    sides = [(f"market:{KINDS[good]}", int(taken[good])) for good in range(GOODS)]
    sides += [(f"hand:{KINDS[good]}", int(given[good])) for good in range(GOODS)]
    return tuple((part, n) for part, n in [*sides, (f"herd:{KINDS[CAMEL]}", camels)] if n)

"""The table as a picture (core/scene.py): nobles, three rows of cards and the bank between the players, one's own gems below."""

from __future__ import annotations

from typing import Any

from meeple.core.game import Variant
from meeple.core.scene import Fact, Parts, Piece, Scene, Zone
from meeple.games.splendor import thesis
from meeple.games.splendor.actions import (
    BUY,
    BUY_RESERVED,
    GOLD_FOR,
    NOBLE,
    PASS,
    PAY,
    RESERVE,
    RESERVE_DECK,
    RETURN,
    TAKEN,
)
from meeple.games.splendor.components import BONUS, COLOUR_NAMES, COST, LEVELS, MAX_NOBLES, RESERVED, SLOTS, TOKEN_NAMES

GEMS = {"white": "diamond", "blue": "sapphire", "green": "emerald", "red": "ruby", "black": "onyx", "gold": "gold"}
ASK = {
    "main": "Take gems, or choose a card to buy or reserve.",
    "pay": "Pay, or give gold for a colour.",
    "return": "Too many tokens: which one do you return?",
    "noble": "Which noble visits you?",
}


def scene(variant: Variant, seen: dict[str, Any]) -> Scene:
    own, *others = seen["players"]
    by_name = variant.name == "thesis"
    zones = [zone for player in others for zone in _player(player, own=False, by_name=by_name)]
    zones += [_nobles(seen), _cards(seen, by_name), _bank(seen)]
    if seen["phase"] == "pay":
        zones.append(_payment(seen))
    return Scene((*zones, *_player(own, own=True, by_name=by_name)), ASK[seen["phase"]])


# ---- The middle of the table ---------------------------------------------------------------------------------------


def _nobles(seen: dict[str, Any]) -> Zone:
    return Zone("nobles", "Nobles", tuple(_noble(slot, noble) for slot, noble in enumerate(seen["nobles"], 1)), "tile")


def _noble(slot: int, noble: dict[str, Any] | None) -> Piece:
    if noble is None:
        return Piece("gone", label=f"noble {slot} is gone", state="empty")
    label = f"noble {slot}, {noble['points']} points, for cards: {_amounts(noble['needs'])}"
    picture = f"splendor/noble-{(slot - 1) % 5 + 1}"
    return Piece(str(slot), f"noble:{slot}", str(noble["points"]), label, picture=picture, facts=_gems("needs", noble["needs"]))


def _cards(seen: dict[str, Any], by_name: bool) -> Zone:
    """The highest level on top, each row behind its deck."""
    pieces = []
    for level in range(LEVELS, 0, -1):
        left = seen["decks"][level - 1]
        label = f"deck of level {level}, {left} cards left"
        pieces.append(Piece("I" * level, f"deck:{level}", str(left), label, f"level-{level}", state="back" if left else "empty"))
        for slot, card in enumerate(seen["face_up"][level - 1], 1):
            place = f"{level}-{slot}"
            pieces.append(_card(place, f"card:{_name(card) if by_name and card else place}", card))
    return Zone("cards", "Cards", tuple(pieces), columns=SLOTS + 1)


def _card(place: str, part: str, card: dict[str, Any] | None) -> Piece:
    if card is None:
        return Piece(place, label=f"{place}: no card", state="empty")
    affordable = (Fact("buy", "buy"),) if card.get("affordable") else ()
    can = ", you can buy it" if affordable else ""
    label = f"{place}: {card['bonus']} {GEMS[card['bonus']]}, {_points(card['points'])}, costs {_amounts(card['cost'])}{can}"
    bonus = Fact("bonus", "", card["bonus"], f"splendor/{card['bonus']}")
    picture = f"splendor/level-{card['level']}"
    mark = str(card["points"] or "")
    return Piece(place, part, mark, label, card["bonus"], "card", picture, facts=(bonus, *_gems("cost", card["cost"]), *affordable))


def _bank(seen: dict[str, Any]) -> Zone:
    return Zone("bank", "Bank", tuple(_token("bank", colour, n) for colour, n in seen["bank"].items()), "token")


def _payment(seen: dict[str, Any]) -> Zone:
    """Choosing a colour here gives gold for one token of it."""
    card = seen["buying"]
    note = f"for a {card['bonus']} card, {_points(card['points'])}"
    tokens = tuple(_token("price", colour, n) for colour, n in seen["price"].items() if n)
    return Zone("payment", "Payment", tokens, "token", note=note, wide=True)


def _token(place: str, colour: str, n: int, facts: tuple[Fact, ...] = (), told: str = "") -> Piece:
    part = f"{place}:{colour}" if place and n else ""
    label = f"{colour} {GEMS[colour]}: {n}{told}"
    return Piece(colour, part, str(n), label, colour, "token", f"splendor/{colour}", n or 1, "" if n else "empty", facts)


# ---- The players ---------------------------------------------------------------------------------------------------


def _player(player: dict[str, Any], own: bool, by_name: bool) -> list[Zone]:
    seat, held = player["seat"], sum(player["tokens"].values())
    score = [Piece("points", mark=str(player["points"])), Piece("cards", mark=str(player["bought"]))]
    if player["nobles"]:
        score.append(Piece("nobles", mark=str(player["nobles"])))
    gems = tuple(_held(player, colour, own) for colour in TOKEN_NAMES)
    who = "own" if own else f"seat {seat}"
    zones = [
        Zone(f"{who} score", "Score", tuple(score), "fact", seat, note="passed" if player["passed"] else ""),
        Zone(f"{who} gems", "Tokens, and cards below", gems, "token", seat, note=f"{held} of 10"),
    ]
    cards = [(slot, card) for slot, card in enumerate(player["reserved"], 1) if card]
    reserved = tuple(_reserved(slot, card, own, by_name) for slot, card in cards)
    return [*zones, Zone(f"{who} reserve", "Reserved", reserved, seat=seat)] if cards else zones


def _held(player: dict[str, Any], colour: str, own: bool) -> Piece:
    """Tokens of a colour, and below them the cards that give one each."""
    cards = player["bonuses"].get(colour, 0)
    facts = () if colour == "gold" else (Fact("cards", str(cards), state="" if cards else "empty"),)
    return _token("own" if own else "", colour, player["tokens"][colour], facts, f", cards {cards}" if facts else "")


def _reserved(slot: int, card: dict[str, Any], own: bool, by_name: bool) -> Piece:
    if "bonus" not in card:
        level = card["level"]
        return Piece("I" * level, label=f"an unseen card of level {level}", colour=f"level-{level}", state="back")
    part = f"reserved:{_name(card) if by_name else slot}" if own else ""
    return _card(f"reserved {slot}", part, card)


# ---- Words ---------------------------------------------------------------------------------------------------------


def _gems(name: str, amounts: dict[str, int]) -> tuple[Fact, ...]:
    return tuple(Fact(name, str(n), colour, f"splendor/{colour}") for colour, n in amounts.items() if n)


def _amounts(amounts: dict[str, int]) -> str:
    return ", ".join(f"{n} {colour}" for colour, n in amounts.items() if n) or "nothing"


def _points(n: int) -> str:
    return f"{n} point{'' if n == 1 else 's'}"


def _name(card: dict[str, Any]) -> str:
    """Bonus and cost: no two cards have both in common."""
    return f"{card['bonus']} {_amounts(card['cost'])}"


# ---- Moves ---------------------------------------------------------------------------------------------------------


def parts(variant: Variant, action: int) -> Parts:
    if action < RESERVE:
        return tuple((f"bank:{colour}", int(n)) for colour, n in zip(COLOUR_NAMES, TAKEN[action], strict=True) if n)
    return _parts_by_name(action) if variant.name == "thesis" else _parts_by_place(action)


def _parts_by_place(action: int) -> Parts:
    """The ranges of actions.py from the last one down; a name each."""
    if action in (PASS, PAY):
        return ()
    faces = tuple(f"card:{level}-{slot}" for level in range(1, LEVELS + 1) for slot in range(1, SLOTS + 1))
    ranges: tuple[tuple[int, tuple[str, ...]], ...] = (
        (GOLD_FOR, tuple(f"price:{colour}" for colour in COLOUR_NAMES)),
        (NOBLE, tuple(f"noble:{slot}" for slot in range(1, MAX_NOBLES + 1))),
        (RETURN, tuple(f"own:{token}" for token in TOKEN_NAMES)),
        (BUY_RESERVED, tuple(f"reserved:{slot}" for slot in range(1, RESERVED + 1))),
        (BUY, faces),
        (RESERVE_DECK, tuple(f"deck:{level}" for level in range(1, LEVELS + 1))),
        (RESERVE, faces),
    )
    first, names = next((first, names) for first, names in ranges if action >= first)
    return ((names[action - first], 1),)


def _parts_by_name(action: int) -> Parts:
    """In the action set of the thesis a card is what it is, wherever it lies."""
    if action >= thesis.RETURN_TOKENS:
        tokens = thesis.RETURNS[action - thesis.RETURN_TOKENS]
        return tuple((f"own:{name}", tokens.count(token)) for token, name in enumerate(TOKEN_NAMES) if token in tokens)
    if action >= thesis.BUY_RESERVED_CARD:
        return ((f"reserved:{_name_of(action - thesis.BUY_RESERVED_CARD)}", 1),)
    first = thesis.BUY_CARD if action >= thesis.BUY_CARD else thesis.RESERVE_CARD
    return ((f"card:{_name_of(action - first)}", 1),)


def _name_of(card: int) -> str:
    cost = {colour: int(n) for colour, n in zip(COLOUR_NAMES, COST[card], strict=True)}
    return _name({"bonus": COLOUR_NAMES[BONUS[card]], "cost": cost})

"""The layout of observation level `seen`, in the order in which seen.py writes it."""

from __future__ import annotations

from meeple.core.encode import unit
from meeple.core.game import Field
from meeple.games.splendor.components import (
    BONUS,
    CARDS,
    COLOURS,
    FACE_UP,
    GOLD_TOKENS,
    LEVELS,
    POINTS_TO_WIN,
    RESERVED,
    SLOTS,
    TOKEN_LIMIT,
    TOKENS,
    TOKENS_OF_A_COLOUR,
)
from meeple.games.splendor.seen import (
    DEAREST,
    EXCESS,
    LONG_GAME,
    MANY_CARDS,
    MOST_NEEDED,
    MOST_POINTS,
    MOST_SHORT,
    NOBLE_SHORT,
)


def fields(players: int) -> tuple[Field, ...]:
    places = [f"card_{level}_{slot}" for level in range(1, LEVELS + 1) for slot in range(1, SLOTS + 1)]
    return (
        *_turn(players),
        unit("bank", COLOURS * TOKENS_OF_A_COLOUR[players - 2] + GOLD_TOKENS, "tokens left, a thermometer each, gold last"),
        unit("decks", LEVELS, "cards left in the decks, as a share of those after the deal"),
        *(field for slot in range(1, players + 2) for field in _noble(f"noble_{slot}", players)),
        *(field for name in places for field in (*_face(name), *_price(name, players, "each player, own side first"))),
        *_own(players),
        *(field for i in range(1, players) for field in _other(f"other{i}", players)),
    )


def _turn(players: int) -> tuple[Field, ...]:
    return (
        unit("turn", 1, f"turns a player had, of {LONG_GAME}; 1 when there were more"),
        unit("last_round", 1, "somebody has fifteen points"),
        unit("place", players, "own place in the order of a round"),
        unit("to_move", players, "whose turn it is: own, then the others in turn order"),
        unit("phase", 4, "what is decided: main action, payment, return, noble"),
        unit("buying", FACE_UP + RESERVED, "place of the card being paid for: face up, then the buyer's reserve"),
        unit("price", TOKENS, f"what will be paid, of {DEAREST}: the colours, then gold"),
        unit("gold_from", COLOURS, "first colour for which gold may still be given, during a payment"),
        unit("excess", EXCESS, "tokens above ten of who is to move, thermometer"),
    )


def _noble(name: str, players: int) -> tuple[Field, ...]:
    return (
        unit(f"{name}_here", 1, "the noble has not gone to a player"),
        unit(f"{name}_needs", COLOURS, f"bonuses it asks for, of {MOST_NEEDED}"),
        unit(f"{name}_lacking", COLOURS, "those the own side lacks"),
        unit(f"{name}_short", players, f"bonuses each player lacks together, of {NOBLE_SHORT}, own side first"),
    )


def _face(name: str) -> tuple[Field, ...]:
    return (
        unit(f"{name}_points", 1, f"points of a card, of {MOST_POINTS}"),
        unit(f"{name}_bonus", COLOURS, "its bonus: white, blue, green, red, black; none where there is no card to see"),
        unit(f"{name}_cost", COLOURS, f"its cost, of {DEAREST}"),
    )


def _price(name: str, players: int, whom: str) -> tuple[Field, ...]:
    lacking = () if whom == "its owner" else (unit(f"{name}_lacking", COLOURS, "tokens of each colour the own side lacks for it"),)
    return (
        *lacking,
        unit(f"{name}_short", players, f"tokens lacking for it after gold is used, of {MOST_SHORT}: {whom}"),
        unit(f"{name}_buys", players, f"can pay for it: {whom}"),
    )


def _standing(name: str, players: int) -> tuple[Field, ...]:
    return (
        unit(f"{name}_points", POINTS_TO_WIN, "points, thermometer"),
        Field(f"{name}_bought", 1, 0, CARDS / MANY_CARDS, f"cards bought, of {MANY_CARDS}"),
        unit(f"{name}_nobles", players + 1, "nobles received, thermometer"),
        unit(f"{name}_passed", 1, "the last turn was a pass"),
        Field(f"{name}_held", 1, 0, 1 + EXCESS / TOKEN_LIMIT, "tokens together, of ten"),
    )


def _own(players: int) -> tuple[Field, ...]:
    reserved = [f"own_reserved_{slot}" for slot in range(1, RESERVED + 1)]
    return (
        *_standing("own", players),
        unit("own_tokens", COLOURS * TOKENS_OF_A_COLOUR[players - 2] + GOLD_TOKENS, "own tokens, a thermometer each, gold last"),
        unit("own_bonuses", COLOURS * DEAREST, f"own bonuses, a thermometer of {DEAREST} each"),
        *(field for name in reserved for field in (*_back(name), *_face(name), *_price(name, 1, "own side"))),
    )


def _other(name: str, players: int) -> tuple[Field, ...]:
    reserved = [f"{name}_reserved_{slot}" for slot in range(1, RESERVED + 1)]
    return (
        *_standing(name, players),
        unit(f"{name}_tokens", TOKENS, f"tokens, of {max(TOKENS_OF_A_COLOUR[players - 2], GOLD_TOKENS)}"),
        Field(f"{name}_bonuses", COLOURS, 0, int((BONUS == 0).sum()) / DEAREST, f"bonuses, of {DEAREST}"),
        *(field for each in reserved for field in (*_back(each), *_face(each), *_price(each, 1, "its owner"))),
    )


def _back(name: str) -> tuple[Field, ...]:
    return (
        unit(f"{name}_level", LEVELS, "level of a reserved card; none where there is no card"),
        unit(f"{name}_blind", 1, "only its owner has seen it: to the others its face is all zeros"),
    )

"""The sizes of each variant and the layout of its observations, as data that tables, environments and checks are made from."""

from __future__ import annotations

from collections.abc import Mapping

from meeple.core.game import Choice, Field, Level, Shape
from meeple.games.splendor import actions, seen_fields, thesis
from meeple.games.splendor.components import (
    BONUS,
    CARDS,
    CARDS_OF,
    COLOURS,
    COST,
    FACE_UP,
    GOLD_TOKENS,
    LEVELS,
    NOBLE_NEEDS,
    NOBLE_POINTS,
    POINTS,
    POINTS_TO_WIN,
    RESERVED,
    SLOTS,
    TOKENS,
    TOKENS_OF_A_COLOUR,
    TURN_CAP,
)

VARIANTS = Choice(
    "variant",
    {"2": "two players", "3": "three players", "4": "four players", "thesis": "two players, the 371 actions of the thesis"},
)

# Somebody with fifteen points has no further turn, so the most is fourteen, the best card and a noble.
MOST_POINTS = POINTS_TO_WIN - 1 + int(POINTS.max()) + int(NOBLE_POINTS.max())
MOST_BONUSES = int((BONUS == 0).sum())  # cards of a colour
# Buy, then five more plies of a payment with gold (GOLD_TOKENS), then a noble. Taking needs fewer: three returns at most.
PLIES_A_TURN = 1 + GOLD_TOKENS + 1


def _card(name: str, meaning: str) -> tuple[Field, ...]:
    return (
        Field(f"{name}_points", 1, 0, int(POINTS.max()), f"points of {meaning}"),
        Field(f"{name}_bonus", COLOURS, 0, 1, f"bonus of {meaning}: white, blue, green, red, black"),
        Field(f"{name}_cost", COLOURS, 0, int(COST.max()), f"cost of {meaning}"),
    )


def _turn(players: int) -> tuple[Field, ...]:
    return (
        Field("turn", 1, 0, TURN_CAP, "turns completed"),
        Field("last_round", 1, 0, 1, "somebody has fifteen points"),
        Field("seat", 1, 0, players - 1, "own place in the order of a round"),
        Field("to_move", players, 0, 1, "whose turn it is: own, then the others in turn order"),
        Field("phase", 4, 0, 1, "what is decided: main action, payment, return, noble"),
        Field("buying", FACE_UP + RESERVED, 0, 1, "place of the card being paid for: face up, then the buyer's reserve"),
        Field("price", TOKENS, 0, int(COST.max()), "what will be paid: the colours, then gold"),
        Field("gold_from", 1, 0, COLOURS - 1, "first colour for which gold may still be given"),
    )


def _table(players: int) -> tuple[Field, ...]:
    return (
        Field("bank", TOKENS, 0, max(GOLD_TOKENS, TOKENS_OF_A_COLOUR[players - 2]), "tokens left: the colours, then gold"),
        Field("nobles", COLOURS * (players + 1), 0, int(NOBLE_NEEDS.max()), "bonuses each noble asks for; none where it is gone"),
        Field("decks", LEVELS, 0, int(CARDS_OF.max()) - SLOTS, "cards left in the decks"),
        *(
            field
            for level in range(1, LEVELS + 1)
            for slot in range(1, SLOTS + 1)
            for field in _card(f"card_{level}_{slot}", f"face-up card {level}-{slot}")
        ),
    )


def _player(number: int, players: int) -> tuple[Field, ...]:
    name = "own" if number == 0 else f"other{number}"
    most_tokens = max(GOLD_TOKENS, TOKENS_OF_A_COLOUR[players - 2])
    return (
        Field(f"{name}_points", 1, 0, MOST_POINTS, "points"),
        Field(f"{name}_bought", 1, 0, CARDS, "cards bought"),
        Field(f"{name}_nobles", 1, 0, players + 1, "nobles received"),
        Field(f"{name}_passed", 1, 0, 1, "the last turn was a pass"),
        Field(f"{name}_tokens", TOKENS, 0, most_tokens, "tokens: the colours, then gold"),
        Field(f"{name}_bonuses", COLOURS, 0, MOST_BONUSES, "bonuses of the cards bought"),
        *(field for slot in range(1, RESERVED + 1) for field in _reserved(f"{name}_reserved_{slot}")),
    )


def _reserved(name: str) -> tuple[Field, ...]:
    return (
        Field(f"{name}_level", 1, 0, LEVELS, "level of a reserved card, 0 where there is none"),
        Field(f"{name}_blind", 1, 0, 1, "only its owner has seen it: to the others its face is all zeros"),
        *_card(name, "the reserved card"),
    )


def _thesis_card(name: str) -> tuple[Field, ...]:
    return (
        Field(f"{name}_colour", 1, 0, COLOURS - 1, "its bonus as a number: white, blue, green, red, black"),
        Field(f"{name}_points", 1, 0, int(POINTS.max()), "its points"),
        Field(f"{name}_cost", COLOURS, 0, int(COST.max()), "its cost"),
    )


def _thesis_player(name: str) -> tuple[Field, ...]:
    return (
        Field(f"{name}_points", 1, 0, MOST_POINTS, "points"),
        Field(f"{name}_bonuses", COLOURS, 0, MOST_BONUSES, "bonuses of the cards bought"),
        Field(f"{name}_tokens", TOKENS, 0, GOLD_TOKENS, "tokens: the colours, then gold"),
    )


def _thesis_fields() -> tuple[Field, ...]:
    """156 numbers. The thesis gives the length and the seven numbers of a card; this is the make-up that fits."""
    face_up = [f"card_{level}_{slot}" for level in range(1, LEVELS + 1) for slot in range(1, SLOTS + 1)]
    reserved = [f"{who}_reserved_{slot}" for who in ("own", "other1") for slot in range(1, RESERVED + 1)]
    return (
        *(field for name in face_up + reserved for field in _thesis_card(name)),
        Field("bank", TOKENS, 0, GOLD_TOKENS, "tokens left: the colours, then gold"),
        *(field for who in ("own", "other1") for field in _thesis_player(who)),
    )


def _table_level(players: int) -> Level:
    fields = (*_turn(players), *_table(players), *(field for i in range(players) for field in _player(i, players)))
    return Level("table", fields, "all that a seat may know, from its own side")


def _seen_level(players: int) -> Level:
    return Level("seen", seen_fields.fields(players), "the same, scaled for networks")


def shape(chosen: Mapping[str, str]) -> Shape:
    if chosen["variant"] == "thesis":
        return Shape(
            seats=2,
            actions=thesis.ACTIONS,
            max_legal=thesis.MAX_LEGAL,
            max_plies=TURN_CAP,
            levels=(Level("thesis", _thesis_fields(), "the 156 numbers of the thesis"), _table_level(2), _seen_level(2)),
        )
    players = int(chosen["variant"])
    return Shape(
        seats=players,
        actions=actions.ACTIONS,
        max_legal=actions.MAX_LEGAL,
        max_plies=PLIES_A_TURN * TURN_CAP,
        levels=(_table_level(players), _seen_level(players)),
    )

"""Moves as text, both ways.

    take diamond | take camels | sell 3 leather | sell all leather | exchange L L M > D S C | choose sell

An exchange names the cards given, then those taken: `L L M > D S C` gives two leathers and a camel for a diamond, a silver and a
cloth. Letters are D G S C P L and M (sPice, caMel); reading also takes whole words, any case and any order.
"""

from __future__ import annotations

from collections import Counter
from functools import cache

import numpy as np

from meeple.core.errors import UnreadableMove, suggestion
from meeple.core.game import Variant
from meeple.games.jaipur.actions import (
    CAMELS,
    CHOOSE,
    EXCHANGE,
    EXCHANGE_BASE,
    EXCHANGE_GIVEN,
    EXCHANGE_RANK,
    EXCHANGE_SELL_ALL,
    EXCHANGE_TAKEN,
    SALE_BASE,
    SALE_CARDS,
    SALE_GOOD,
    SELL,
)
from meeple.games.jaipur.components import CAMEL, CARDS_OF, GOODS, HAND_LIMIT, KINDS, LEAST_SOLD, LETTERS
from meeple.games.jaipur.multisets import KINDS_IN, MULTISETS, SIZE, row_of

CHOICES = ("take", "sell", "exchange")
FORMS = "take diamond, take camels, sell 3 leather, exchange L L > D S"


def format_action(variant: Variant, action: int) -> str:
    sell_all = variant.chosen["actions"] == "25469"
    first_exchange = EXCHANGE_SELL_ALL if sell_all else EXCHANGE
    if action >= CHOOSE:
        return f"choose {CHOICES[action - CHOOSE]}"
    if action >= first_exchange:
        return _format_exchange(action - first_exchange)
    if action >= SELL and sell_all:
        return f"sell all {KINDS[action - SELL]}"
    if action >= SELL:
        return f"sell {SALE_CARDS[action - SELL]} {KINDS[SALE_GOOD[action - SELL]]}"
    return "take camels" if action == CAMELS else f"take {KINDS[action]}"


@cache
def _format_exchange(exchange: int) -> str:
    taken, given = EXCHANGE_TAKEN[exchange], EXCHANGE_GIVEN[exchange]
    camels = ["M"] * int(SIZE[taken] - SIZE[given])
    return f"exchange {' '.join(_letters(given) + camels)} > {' '.join(_letters(taken))}"


def _letters(row: int) -> list[str]:
    return [LETTERS[good] for good in range(GOODS) for _ in range(MULTISETS[row, good])]


def parse_action(variant: Variant, text: str) -> int:
    words = text.lower().replace(">", " > ").replace(",", " ").split()
    try:
        verb, rest = words[0], words[1:]
        if verb == "take":
            return _parse_take(rest)
        if verb == "sell":
            return _parse_sale(rest, variant.chosen["actions"] == "25469")
        if verb == "exchange":
            return _parse_exchange(rest) + (EXCHANGE_SELL_ALL if variant.chosen["actions"] == "25469" else EXCHANGE)
        if verb == "choose" and variant.chosen["actions"] == "25502" and len(rest) == 1 and rest[0] in CHOICES:
            return CHOOSE + CHOICES.index(rest[0])
        raise _Unreadable("a move is one of: " + FORMS)
    except _Unreadable as why:
        raise UnreadableMove(f"'{text}' is no move of {variant.spec}: {why}.", text) from None
    except (IndexError, ValueError):
        raise UnreadableMove(f"'{text}' is no move of {variant.spec}: a move is one of: {FORMS}.", text) from None


class _Unreadable(Exception):
    """Why a text is no move."""


def _parse_take(words: list[str]) -> int:
    (word,) = words
    if word in ("camels", "camel", "m"):
        return CAMELS
    return _parse_kind(word)


def _parse_sale(words: list[str], sell_all: bool) -> int:
    number, kind = words
    good = _parse_kind(kind)
    if good == CAMEL:
        raise _Unreadable("camels cannot be sold")
    if sell_all:
        if number != "all":
            raise _Unreadable(f"in this action set a sale is 'sell all {KINDS[good]}'")
        return SELL + good
    least, most = int(LEAST_SOLD[good]), min(int(CARDS_OF[good]), HAND_LIMIT)
    if not least <= int(number) <= most:
        raise _Unreadable(f"{KINDS[good]} is sold by {least} to {most} cards")
    return int(SELL + SALE_BASE[good] + int(number))


def _parse_exchange(words: list[str]) -> int:
    if words.count(">") != 1:
        raise _Unreadable("an exchange is 'exchange GIVEN > TAKEN', such as 'exchange L L > D S'")
    middle = words.index(">")
    given = Counter(_parse_kind(w) for w in words[:middle])
    taken = Counter(_parse_kind(w) for w in words[middle + 1 :])
    if given.total() != taken.total() or not 2 <= taken.total() <= 5:
        raise _Unreadable(f"{given.total()} cards given and {taken.total()} taken, where both sides need the same 2 to 5")
    if taken[CAMEL]:
        raise _Unreadable("an exchange cannot take camels")
    if both := given.keys() & taken.keys():
        raise _Unreadable(f"{KINDS[min(both)]} is on both sides")
    row = _row(taken)
    return int(EXCHANGE_BASE[row, given[CAMEL]] + EXCHANGE_RANK[KINDS_IN[row], _row(given)])


def _row(cards: Counter[int]) -> int:
    return int(row_of(np.array([cards[good] for good in range(GOODS)], np.int8)))


def _parse_kind(word: str) -> int:
    """A letter, a word or a plural."""
    if len(word) == 1 and word.upper() in LETTERS:
        return LETTERS.index(word.upper())
    for kind, name in enumerate(KINDS):
        if word in (name, name + "s"):
            return kind
    raise _Unreadable(f"there is no card '{word}'{suggestion(word, KINDS)}")

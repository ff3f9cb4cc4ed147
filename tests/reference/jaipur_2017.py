"""The players of Jaipur's 2017 thesis, as slowly and plainly as possible: the reference the kernels are compared with.

Written from the thesis alone, with no part of the engine. Cards are dicts, tokens are tuples, and the search tries everything.
Where the thesis leaves a choice, the readings are those of the table in advanced_2017.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from tests.reference.jaipur import CAMEL, CARDS, FEWEST_SOLD, GOODS, HAND_LIMIT, LETTERS

ALL_CARDS = {"diamond": 6, "gold": 6, "silver": 6, "cloth": 8, "spice": 8, "leather": 10, CAMEL: 11}
EXPENSIVE = ("diamond", "gold", "silver")
SAME = 1e-9
ME, OPPONENT = 0, 1

Counts = tuple[int, ...]  # of each of CARDS


class Move(NamedTuple):
    kind: str  # camels, exchange, take, sell
    given: Counts
    taken: Counts

    def text(self, sell_all: bool) -> str:
        if self.kind == "camels":
            return "take camels"
        if self.kind == "take":
            return f"take {CARDS[self.taken.index(1)]}"
        if self.kind == "exchange":
            return f"exchange {letters(self.given)} > {letters(self.taken)}"
        cards = sum(self.given)
        good = CARDS[self.given.index(cards)]
        return f"sell {'all' if sell_all else cards} {good}"


def letters(cards: Counts) -> str:
    return " ".join(LETTERS[card] for card, n in zip(CARDS, cards, strict=True) for _ in range(n))


@dataclass
class Table:
    """What a player looks at: its own cards, those it knows of the opponent, camels included, and the market with fractions."""

    hands: list[dict[str, int]]
    market: dict[str, float]
    tokens: dict[str, tuple[int, ...]]  # the first is the top
    deck: int
    gained: list[float] = field(default_factory=lambda: [0.0, 0.0])


class Weights(NamedTuple):
    k1: float = 0.58
    k2: float = 0.38
    k3: float = 1.02
    opponent: float = 0.0


# ---- Moves, in the order in which the first of equals is chosen: camels, exchanges, takes, sales ----------------------------


def moves(table: Table, player: int, sell_all: bool) -> Iterator[Move]:
    hand = table.hands[player]
    market = {card: whole(n) for card, n in table.market.items()}
    size = sum(hand[good] for good in GOODS)
    if market[CAMEL]:
        yield Move("camels", one(CAMEL, 0), one(CAMEL, market[CAMEL]))
    yield from exchanges(tuple(hand[card] for card in CARDS), tuple(market[card] for card in CARDS))
    for good in GOODS:
        if market[good] and size < HAND_LIMIT:
            yield Move("take", one(good, 0), one(good, 1))
    for good in GOODS:
        for cards in range(FEWEST_SOLD[good], hand[good] + 1):
            if not sell_all or cards == hand[good]:
                yield Move("sell", one(good, cards), one(good, 0))


def one(kind: str, cards: int) -> Counts:
    return tuple(cards if card == kind else 0 for card in CARDS)


@cache
def exchanges(hand: Counts, market: Counts) -> list[Move]:
    """By the cards taken, then by those given, as numbers of diamonds, gold and so on, the fewer first."""
    found = []
    on_offer = (*market[:-1], 0)
    for taken in sorted(pick for n in range(2, 6) for pick in picks(on_offer, n)):
        for given in picks(hand, sum(taken)):
            both = any(a and b for a, b in zip(given, taken, strict=True))
            if not both and sum(hand[:-1]) + given[-1] <= HAND_LIMIT:
                found.append(Move("exchange", given, taken))
    return found


@cache
def picks(cards: Counts, n: int) -> list[Counts]:
    """Every way to pick n of some cards, in ascending order."""
    if not cards:
        return [()] if n == 0 else []
    return [(first, *rest) for first in range(min(cards[0], n) + 1) for rest in picks(cards[1:], n - first)]


# ---- The basic strategies (section 4.2, C.1) --------------------------------------------------------------------------------


def best_sale(table: Table, sell_all: bool) -> Move | None:
    sales = [move for move in moves(table, ME, sell_all) if move.kind == "sell"]
    return max(sales, key=lambda move: sale_points(table, move), default=None)


def sale_points(table: Table, move: Move) -> int:
    cards = sum(move.given)
    return sum(table.tokens[CARDS[move.given.index(cards)]][:cards])


def basic3(table: Table, sell_all: bool) -> Move:
    return best_sale(table, sell_all) or max(moves(table, ME, sell_all), key=lambda move: exact_value_after(table, move))


def exact_value_after(table: Table, move: Move) -> int:
    value = 0
    for i, good in enumerate(GOODS):
        value += sum(table.tokens[good][: table.hands[ME][good] + move.taken[i] - move.given[i]])
    return value


# ---- The heuristic (section 4.3.3, C.2 to C.5) ------------------------------------------------------------------------------


def whole(quantity: float) -> int:
    return int(quantity + SAME)


def value_of_cards(cards: Mapping[str, float], tokens: Mapping[str, tuple[int, ...]], weights: Weights) -> float:
    return sum(value_of_good(good, cards[good], tokens[good], weights) for good in GOODS) + weights.k3 * cards[CAMEL]


@cache
def value_of_good(good: str, quantity: float, tokens: tuple[int, ...], weights: Weights) -> float:
    sure = whole(quantity)
    value = float(sum(tokens[:sure]))
    last = max(sure - 1, 0)
    if quantity - sure > 0 and last < len(tokens):
        value += (quantity - sure) * tokens[last]
    if sure >= 3:
        value += average_bonus(sure)
    return value * (weights.k2 if good in EXPENSIVE and quantity + SAME < 2 else weights.k1)


def average_bonus(cards: int) -> int:
    return {3: 2, 4: 5, 5: 9}.get(min(cards, 5), 0)


def chances(table: Table, sold: Mapping[str, int]) -> dict[str, float]:
    """Of every card that is not in the own hand, in the market or sold."""
    left = {card: ALL_CARDS[card] - table.hands[ME][card] - whole(table.market[card]) - sold.get(card, 0) for card in CARDS}
    total = sum(left.values())
    return {card: n / total if total else 0.0 for card, n in left.items()}


# ---- The advanced strategies (sections 4.3.4 and 4.3.5) ---------------------------------------------------------------------


@dataclass
class Advanced:
    weights: Weights
    odds: Mapping[str, float]  # of the next card
    sell_all: bool

    def choose(self, table: Table, ahead: int) -> Move:
        best, chosen = float("-inf"), None
        for move in moves(table, ME, self.sell_all):
            value = self.value(table, move, ME, ahead)
            if value > best + SAME:
                best, chosen = value, move
        assert chosen is not None
        return chosen

    def value(self, table: Table, move: Move, player: int, ahead: int) -> float:
        after = play(table, move, player, self.odds)
        replies = [] if ahead == 1 or finished(after) else list(moves(after, 1 - player, self.sell_all))
        if not replies:
            points = after.gained[ME] - self.weights.opponent * after.gained[OPPONENT]
            hand, market = (value_of_cards(cards, after.tokens, self.weights) for cards in (after.hands[ME], after.market))
            return points + hand - market
        values = (self.value(after, reply, 1 - player, ahead - 1) for reply in replies)
        return min(values) if player == ME else max(values)


def play(table: Table, move: Move, player: int, odds: Mapping[str, float]) -> Table:
    after = Table([dict(hand) for hand in table.hands], dict(table.market), dict(table.tokens), table.deck, list(table.gained))
    hand = after.hands[player]
    for card, given, taken in zip(CARDS, move.given, move.taken, strict=True):
        hand[card] += taken - given
        if move.kind != "sell":
            after.market[card] += given - taken
    if move.kind == "sell":
        cards = sum(move.given)
        good = CARDS[move.given.index(cards)]
        after.gained[player] += sum(table.tokens[good][:cards]) + average_bonus(cards)
        after.tokens[good] = table.tokens[good][cards:]
    elif move.kind != "exchange":
        new = min(sum(move.taken), table.deck)
        after.deck -= new
        for card in CARDS:
            after.market[card] += new * odds[card]
    return after


def finished(table: Table) -> bool:
    return table.deck == 0 or sum(not pile for pile in table.tokens.values()) >= 3


def turns_ahead(table: Table, unseen: int, most: int) -> int:
    """Sections on strategies 2 and 3: one turn if a card of the opponent is unseen, three of a good or seven goods are held."""
    hand = [table.hands[ME][good] for good in GOODS]
    return 1 if unseen or max(hand) >= 3 or sum(hand) >= HAND_LIMIT else most

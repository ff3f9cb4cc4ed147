"""Jaipur, one round, as slowly and plainly as possible: the reference the fast engine is compared with.

Written from rules.md alone, without sight of the fast engine. Everything is a dict, a list or a string; legal
moves are found by trying every pick of cards. It knows nothing of matches, observations or chance: the
caller deals, and gives the deck and the bonus piles in the order in which they will be drawn.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product

GOODS = ("diamond", "gold", "silver", "cloth", "spice", "leather")
CAMEL = "camel"
CARDS = (*GOODS, CAMEL)
LETTERS = dict(zip(CARDS, "DGSCPLM", strict=True))
KINDS = {letter: card for card, letter in LETTERS.items()}

# Components: goods tokens, top first.
TOKENS = {
    "diamond": (7, 7, 5, 5, 5),
    "gold": (6, 6, 5, 5, 5),
    "silver": (5, 5, 5, 5, 5),
    "cloth": (5, 3, 3, 2, 2, 1, 1),
    "spice": (5, 3, 3, 2, 2, 1, 1),
    "leather": (4, 3, 2, 1, 1, 1, 1, 1, 1),
}
CAMEL_TOKEN = 5
MARKET_SIZE = 5
HAND_LIMIT = 7
# Sell: at least two of a precious good, even if fewer tokens remain.
FEWEST_SOLD = {"diamond": 2, "gold": 2, "silver": 2, "cloth": 1, "spice": 1, "leather": 1}

ACTION_SETS = ("25499", "25469", "25502")
RULES = ("official", "2017")


def full_counts(kinds: Sequence[str], counts: Mapping[str, int]) -> dict[str, int]:
    """A copy of counts with a zero for every kind left out."""
    unknown = set(counts) - set(kinds)
    if unknown:
        raise ValueError(f"unknown cards {sorted(unknown)}; expected some of {list(kinds)}")
    return {kind: counts.get(kind, 0) for kind in kinds}


def lay_out(kinds: Sequence[str], counts: Mapping[str, int]) -> list[str]:
    """The cards one by one, in the order of kinds. No exchange can use more than five of a kind."""
    return [kind for kind in kinds for _ in range(min(counts[kind], MARKET_SIZE))]


def format_exchange(given: Sequence[str], taken: Sequence[str]) -> str:
    """Both sides must be in the order of CARDS already."""
    return f"exchange {' '.join(LETTERS[c] for c in given)} > {' '.join(LETTERS[c] for c in taken)}"


def parse_exchange(move: str) -> tuple[list[str], list[str]]:
    """The cards given and the cards taken."""
    given, taken = move.removeprefix("exchange ").split(" > ")
    return [KINDS[letter] for letter in given.split()], [KINDS[letter] for letter in taken.split()]


class Round:
    """One round between seats 0 and 1. When the round is over, seat stays with the one who moved last."""

    def __init__(
        self,
        *,
        market: Mapping[str, int],
        hands: Sequence[Mapping[str, int]],
        herds: Sequence[int],
        deck: Sequence[str],
        bonus: Mapping[int, Sequence[int]],
        seat: int,
        actions: str = "25499",
        rules: str = "official",
        turn_cap: int = 1000,
    ) -> None:
        if actions not in ACTION_SETS:
            raise ValueError(f"unknown action set {actions!r}; expected one of {ACTION_SETS}")
        if rules not in RULES:
            raise ValueError(f"unknown rules {rules!r}; expected one of {RULES}")
        if sum(market.values()) != MARKET_SIZE:
            raise ValueError(f"the market must hold {MARKET_SIZE} cards, not {sum(market.values())}")
        self.actions, self.rules, self.turn_cap = actions, rules, turn_cap
        self.market = full_counts(CARDS, market)
        self.hands = [full_counts(GOODS, hand) for hand in hands]
        self.herds = list(herds)
        self.deck = list(deck)  # the last element is drawn next
        self.tokens = {good: list(values) for good, values in TOKENS.items()}  # the first is the top
        self.bonus = {cards: list(bonus[cards]) for cards in (3, 4, 5)}  # the last is drawn next
        self.seat = seat
        self.chosen = ""  # action set 25502: "take", "sell" or "exchange" between the two steps of a turn
        self.turn = 0
        self.goods_points, self.bonus_points, self.camel_points = [0, 0], [0, 0], [0, 0]
        self.goods_tokens, self.bonus_tokens = [0, 0], [0, 0]
        # Goods in seat i's hand that the other seat has certainly seen; the cards dealt are not seen.
        self.known = [full_counts(GOODS, {}) for _ in range(2)]
        self.over = False
        self.truncated = False
        self.end = ""
        self.winner: int | None = None
        self.listed: set[str] | None = None  # the legal moves of this position, once they were asked for

    @property
    def points(self) -> list[int]:
        return [self.goods_points[i] + self.bonus_points[i] + self.camel_points[i] for i in range(2)]

    # Legal moves: try everything.

    def legal(self) -> set[str]:
        """The texts of all moves of the seat to move; empty when the round is over."""
        if self.listed is None:
            self.listed = self._list_moves()
        return self.listed

    def _list_moves(self) -> set[str]:
        if self.over:
            return set()
        found = {"take": set(self._takes()), "sell": set(self._sells()), "exchange": set(self._exchanges())}
        camels = {"take camels"} if self.market[CAMEL] > 0 else set()
        if self.actions != "25502":
            return found["take"] | found["sell"] | found["exchange"] | camels
        if self.chosen:
            return found[self.chosen]
        return camels | {f"choose {kind}" for kind, moves in found.items() if moves}

    def _takes(self) -> Iterator[str]:
        # A turn: take one good, not with 7 goods in hand.
        for good in GOODS:
            if self.market[good] > 0 and self._hand_size() < HAND_LIMIT:
                yield f"take {good}"

    def _sells(self) -> Iterator[str]:
        # A turn: sell cards of one good. Nothing asks for a token to be left.
        for good in GOODS:
            held = self.hands[self.seat][good]
            for cards in range(FEWEST_SOLD[good], held + 1):
                if self.actions != "25469":
                    yield f"sell {cards} {good}"
                elif cards == held:
                    yield f"sell all {good}"

    def _exchanges(self) -> Iterator[str]:
        # A turn: n >= 2 market goods, never camels, for n cards of hand and/or herd, no good on both sides,
        # hand at most 7 afterwards.
        on_offer = lay_out(GOODS, self.market)
        own = lay_out(CARDS, {**self.hands[self.seat], CAMEL: self.herds[self.seat]})
        for n in range(2, MARKET_SIZE + 1):
            # Every pick of n cards; the sets drop picks that differ only in which of equal cards they use.
            for given, taken in product(set(combinations(own, n)), set(combinations(on_offer, n))):
                goods_given = n - given.count(CAMEL)
                hand_after = self._hand_size() - goods_given + n
                if not set(given) & set(taken) and hand_after <= HAND_LIMIT:
                    yield format_exchange(given, taken)

    def _hand_size(self) -> int:
        return sum(self.hands[self.seat].values())  # camels are in the herd, not in the hand

    # Playing a move.

    def play(self, move: str) -> None:
        legal = self.legal()
        if move not in legal:
            right = f"the round is over ({self.end})" if self.over else f"legal: {sorted(legal)}"
            raise ValueError(f"illegal move {move!r} of seat {self.seat} on turn {self.turn}; {right}")
        self.listed = None
        words = move.split()
        if words[0] == "choose":
            self.chosen = words[1]
            return  # the same seat goes on; only the real action makes a turn
        self.chosen = ""
        if move == "take camels":
            self._take_camels()
        elif words[0] == "take":
            self._take(words[1])
        elif words[0] == "sell":
            good = words[2]
            self._sell(good, self.hands[self.seat][good] if words[1] == "all" else int(words[1]))
        else:
            self._exchange(*parse_exchange(move))
        self.turn += 1
        if self.end:
            self._finish()
        elif self.turn >= self.turn_cap:
            # Truncation is no ordinary end: no camel token, no winner.
            self.over, self.truncated, self.end = True, True, "turn cap"
        else:
            self.seat = 1 - self.seat

    def _take(self, good: str) -> None:
        self.market[good] -= 1
        self._receive(good)
        self._refill()

    def _take_camels(self) -> None:
        self.herds[self.seat] += self.market[CAMEL]
        self.market[CAMEL] = 0
        self._refill()

    def _exchange(self, given: Sequence[str], taken: Sequence[str]) -> None:
        for card in given:
            self.market[card] += 1
            if card == CAMEL:
                self.herds[self.seat] -= 1
            else:
                self._lose(card)
        for good in taken:
            self.market[good] -= 1
            self._receive(good)

    def _sell(self, good: str, cards: int) -> None:
        for _ in range(cards):
            self._lose(good)
            if self.tokens[good]:  # one token a card while they last
                self.goods_points[self.seat] += self.tokens[good].pop(0)
                self.goods_tokens[self.seat] += 1
        # The bonus depends on the cards sold, not on the tokens taken; an empty pile gives nothing.
        if cards >= 3 and self.bonus[min(cards, 5)]:
            self.bonus_points[self.seat] += self.bonus[min(cards, 5)].pop()
            self.bonus_tokens[self.seat] += 1
        if sum(1 for pile in self.tokens.values() if not pile) >= 3:
            self.end = "three goods piles are empty"

    def _receive(self, good: str) -> None:
        self.hands[self.seat][good] += 1
        self.known[self.seat][good] += 1  # it came from the market, in sight of both

    def _lose(self, good: str) -> None:
        self.hands[self.seat][good] -= 1
        # Which of equal cards left cannot be told, so only what surely remains is still known.
        self.known[self.seat][good] = max(0, self.known[self.seat][good] - 1)

    def _refill(self) -> None:
        """Draw until the market is full or the deck is empty; the last cards are dealt even if too few."""
        while self.deck and sum(self.market.values()) < MARKET_SIZE:
            self.market[self.deck.pop()] += 1
        if sum(self.market.values()) < MARKET_SIZE:
            self.end = "the market cannot be refilled"
        elif self.rules == "2017" and not self.deck:
            self.end = "the deck is empty"

    # The end.

    def _finish(self) -> None:
        self.over = True
        # More camels: 5 points; equal: nobody.
        if self.herds[0] != self.herds[1]:
            self.camel_points[0 if self.herds[0] > self.herds[1] else 1] = CAMEL_TOKEN
        # Winner: points, then bonus tokens, then goods tokens (2017: goods cards left in hand); else a draw.
        hand_sizes = [sum(hand.values()) for hand in self.hands]
        last = hand_sizes if self.rules == "2017" else self.goods_tokens
        scores = [(self.points[i], self.bonus_tokens[i], last[i]) for i in range(2)]
        if scores[0] != scores[1]:
            self.winner = 0 if scores[0] > scores[1] else 1

"""Splendor for 2 to 4 players, as slowly and plainly as possible: the reference the fast engine is compared with.

Written from rules.md alone, without sight of the fast engine. Everything is a dict, a list or a string; bonuses
and points are counted anew from the cards whenever they are asked for. It knows nothing of observations or chance:
the caller deals, and gives the decks in the order in which they will be drawn.
"""

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

COLOURS = ("white", "blue", "green", "red", "black")
GOLD = "gold"
TOKENS = (*COLOURS, GOLD)

PILE_SIZES = {2: 4, 3: 5, 4: 7}  # tokens of each colour, by number of players
GOLD_PILE = 5
SLOTS = 4  # face-up cards a level
RESERVE_LIMIT = 3
TOKEN_LIMIT = 10
PAIR_PILE = 4  # two of a colour may be taken only from a pile of this size or more
GOAL = 15


@dataclass(frozen=True)
class Card:
    level: int
    bonus: str
    points: int
    cost: dict[str, int]


@dataclass(frozen=True)
class Noble:
    points: int
    cards: dict[str, int]  # the bought cards of each colour that it asks for


def read_rows(name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines()))


def counts(row: dict[str, str]) -> dict[str, int]:
    return {colour: int(row[colour]) for colour in COLOURS}


CARDS = [Card(int(row["level"]), row["bonus"], int(row["points"]), counts(row)) for row in read_rows("splendor_cards.csv")]
NOBLES = [Noble(int(row["points"]), counts(row)) for row in read_rows("splendor_nobles.csv")]


class Game:
    """One game. Card and noble numbers are rows of the CSV files; None is an empty slot.

    While a payment is being chosen (phase "pay") nothing has moved yet: tokens, card and replacement follow when
    it is complete, so the buyer cannot see the next card first. When the game is over, seat stays with the one
    who moved last, and phase is "main".
    """

    def __init__(
        self,
        *,
        players: int,
        nobles: Sequence[int],
        face_up: Sequence[Sequence[int | None]],
        decks: Sequence[Sequence[int]],
        seat: int = 0,
        turn_cap: int = 1000,
    ) -> None:
        if players not in PILE_SIZES:
            raise ValueError(f"{players} players; expected one of {list(PILE_SIZES)}")
        if seat not in range(players) or turn_cap < 1:
            raise ValueError(f"seat {seat}, turn cap {turn_cap}; expected a seat below {players} and a cap of 1 or more")
        if len(nobles) != players + 1 or len(set(nobles)) != len(nobles):
            raise ValueError(f"nobles {list(nobles)}; expected {players + 1} different ones for {players} players")
        if len(decks) != 3 or [len(row) for row in face_up] != [SLOTS] * 3:
            raise ValueError(f"{len(decks)} decks, face-up rows of {[len(row) for row in face_up]}; expected 3, {[SLOTS] * 3}")
        dealt = [(level, card) for level in range(3) for card in (*face_up[level], *decks[level]) if card is not None]
        wrong = [card for level, card in dealt if CARDS[card].level != level + 1 or dealt.count((level, card)) > 1]
        if wrong:
            raise ValueError(f"cards {wrong} were dealt twice or to a level that is not theirs")
        self.players, self.seat, self.turn_cap = players, seat, turn_cap
        self.nobles: list[int | None] = list(nobles)
        self.face_up = [list(row) for row in face_up]
        self.decks = [list(deck) for deck in decks]  # the last element is drawn next
        self.bank = {**dict.fromkeys(COLOURS, PILE_SIZES[players]), GOLD: GOLD_PILE}
        self.tokens = [dict.fromkeys(TOKENS, 0) for _ in range(players)]
        self.reserved: list[list[int | None]] = [[None] * RESERVE_LIMIT for _ in range(players)]
        self.cards: list[list[int]] = [[] for _ in range(players)]  # bought, oldest first
        self.visitors: list[list[int]] = [[] for _ in range(players)]  # nobles received, oldest first
        self.phase = "main"
        self.purchase = ""  # phase "pay": the buy move that is being paid for
        self.payment: dict[str, int] = {}  # phase "pay": the tokens to be paid as chosen so far
        self.last_gold = COLOURS[0]  # phase "pay": the last colour replaced by gold
        self.passes = 0  # turns in a row, up to now, whose action was a pass
        self.turn = 0  # turns completed
        self.over, self.truncated, self.end = False, False, ""
        self.shares: list[float] = []  # of the win, once the game is over

    @property
    def bonuses(self) -> list[dict[str, int]]:
        return [self._bonuses(seat) for seat in range(self.players)]

    def _bonuses(self, seat: int) -> dict[str, int]:
        found = dict.fromkeys(COLOURS, 0)
        for card in self.cards[seat]:
            found[CARDS[card].bonus] += 1
        return found

    @property
    def bought(self) -> list[int]:
        return [len(own) for own in self.cards]

    @property
    def nobles_won(self) -> list[int]:
        return [len(own) for own in self.visitors]

    @property
    def points(self) -> list[int]:
        from_cards = [sum(CARDS[card].points for card in own) for own in self.cards]
        from_nobles = [sum(NOBLES[noble].points for noble in own) for own in self.visitors]
        return [from_cards[i] + from_nobles[i] for i in range(self.players)]

    # Legal moves.

    def legal(self) -> set[str]:
        """The texts of all moves of the seat to move; empty when the game is over."""
        if self.over:
            return set()
        if self.phase == "pay":
            return {"pay"} | {f"gold for {colour}" for colour in self._replaceable()}
        if self.phase == "return":
            # Any token held may go back, gold and those just taken included.
            return {f"return {kind}" for kind in TOKENS if self.tokens[self.seat][kind] > 0}
        if self.phase == "noble":
            return {f"noble {slot + 1}" for slot in self._willing_nobles()}
        # A player with no legal action passes; nobody else may.
        return {*self._takes(), *self._reserves(), *self._buys()} or {"pass"}

    def _takes(self) -> Iterator[str]:
        # Three different colours; two or one only where fewer colours are left. Gold is never taken like this.
        left = [colour for colour in COLOURS if self.bank[colour] > 0]
        if left:
            for pick in combinations(left, min(3, len(left))):
                yield f"take {' '.join(pick)}"
        for colour in COLOURS:
            if self.bank[colour] >= PAIR_PILE:
                yield f"take 2 {colour}"

    def _reserves(self) -> Iterator[str]:
        # At most three reserved. That no gold is left does not forbid it.
        if None not in self.reserved[self.seat]:
            return
        for level in range(3):
            for slot in range(SLOTS):
                if self.face_up[level][slot] is not None:
                    yield f"reserve {level + 1}-{slot + 1}"
            if self.decks[level]:
                yield f"reserve deck {level + 1}"

    def _buys(self) -> Iterator[str]:
        # A face-up or own reserved card; gold stands for any colour.
        face_up = [f"buy {level + 1}-{slot + 1}" for level in range(3) for slot in range(SLOTS)]
        reserved = [f"buy reserved {slot + 1}" for slot in range(RESERVE_LIMIT)]
        for move in face_up + reserved:
            row, slot = self._place(move)
            if row[slot] is not None and self._least_gold(move)[GOLD] <= self.tokens[self.seat][GOLD]:
                yield move

    def _place(self, move: str) -> tuple[list[int | None], int]:
        """The row of cards, and the slot in it, that a move names by "2-4" or "reserved 1"."""
        words = move.split()
        if words[1] == "reserved":
            return self.reserved[self.seat], int(words[2]) - 1
        level, slot = words[1].split("-")
        return self.face_up[int(level) - 1], int(slot) - 1

    def _card(self, move: str) -> int:
        row, slot = self._place(move)
        card = row[slot]
        assert card is not None, f"{move!r} names an empty slot"
        return card

    def _least_gold(self, move: str) -> dict[str, int]:
        """The payment with as many coloured tokens as possible; its gold may be more than the seat has."""
        cost = CARDS[self._card(move)].cost
        bonuses, tokens = self._bonuses(self.seat), self.tokens[self.seat]
        price = {colour: max(0, cost[colour] - bonuses[colour]) for colour in COLOURS}
        payment = {colour: min(price[colour], tokens[colour]) for colour in COLOURS}
        payment[GOLD] = sum(price.values()) - sum(payment.values())
        return payment

    def _replaceable(self) -> list[str]:
        """The colours of which one more token of the payment may become gold."""
        if self.payment[GOLD] >= self.tokens[self.seat][GOLD]:
            return []
        # Only the last colour replaced or a later one, so that every payment is reached by one sequence of moves.
        return [colour for colour in COLOURS[COLOURS.index(self.last_gold) :] if self.payment[colour] > 0]

    def _willing_nobles(self) -> list[int]:
        """The slots of the nobles whose requirement the seat to move meets: with bought cards alone, not with tokens."""
        own = self._bonuses(self.seat)
        on_table = [(slot, NOBLES[noble]) for slot, noble in enumerate(self.nobles) if noble is not None]
        return [slot for slot, noble in on_table if all(own[colour] >= noble.cards[colour] for colour in COLOURS)]

    # Playing a move.

    def play(self, move: str) -> None:
        legal = self.legal()
        if move not in legal:
            right = f"the game is over ({self.end})" if self.over else f"legal: {sorted(legal)}"
            raise ValueError(f"illegal move {move!r} of seat {self.seat} on turn {self.turn}, phase {self.phase}; {right}")
        words = move.split()
        if self.phase == "main":
            self.passes = self.passes + 1 if move == "pass" else 0
        if words[0] == "take":
            for colour in [words[2]] * 2 if words[1] == "2" else words[1:]:
                self._move_token(colour, self.bank, self.tokens[self.seat])
        elif words[0] == "reserve":
            self._reserve(move)
        elif words[0] in ("buy", "gold", "pay"):
            self._pay(move)
        elif words[0] == "return":
            self._move_token(words[1], self.tokens[self.seat], self.bank)
        elif words[0] == "noble":
            self._receive_noble(int(words[1]) - 1)
            self._end_turn()  # one noble a turn: the others that are willing wait
            return
        if self.phase != "pay":
            self._end_action()

    def _move_token(self, kind: str, giver: dict[str, int], taker: dict[str, int]) -> None:
        giver[kind] -= 1
        taker[kind] += 1

    def _reserve(self, move: str) -> None:
        card = self.decks[int(move.split()[2]) - 1].pop() if move.startswith("reserve deck") else self._lift(move)
        own = self.reserved[self.seat]
        own[own.index(None)] = card
        # A gold token if any is left, even as the eleventh token.
        if self.bank[GOLD] > 0:
            self._move_token(GOLD, self.bank, self.tokens[self.seat])

    def _lift(self, move: str) -> int:
        """Take the card that the move names off its slot; a face-up card is replaced at once while its deck lasts."""
        card, (row, slot) = self._card(move), self._place(move)
        deck = self.decks[CARDS[card].level - 1]
        row[slot] = deck.pop() if deck and not move.startswith("buy reserved") else None
        return card

    def _pay(self, move: str) -> None:
        """A buy move, or one more decision on how to pay for it; settled when no choice is left."""
        if move.startswith("buy"):
            self.purchase, self.payment, self.last_gold = move, self._least_gold(move), COLOURS[0]
        elif move.startswith("gold for"):
            self.last_gold = move.split()[2]
            self.payment[self.last_gold] -= 1
            self.payment[GOLD] += 1
        if move != "pay" and self._replaceable():
            self.phase = "pay"
            return
        for kind, number in self.payment.items():
            self.tokens[self.seat][kind] -= number
            self.bank[kind] += number
        self.cards[self.seat].append(self._lift(self.purchase))
        self.phase, self.purchase, self.payment = "main", "", {}

    # The end of a turn and of the game.

    def _end_action(self) -> None:
        """More than ten tokens: return some. Then the nobles, on every turn and not only after buying."""
        willing = self._willing_nobles()
        if sum(self.tokens[self.seat].values()) > TOKEN_LIMIT:
            self.phase = "return"
        elif len(willing) > 1:
            self.phase = "noble"
        else:
            for slot in willing:
                self._receive_noble(slot)
            self._end_turn()

    def _receive_noble(self, slot: int) -> None:
        noble = self.nobles[slot]
        assert noble is not None, "only nobles on the table are willing"
        self.visitors[self.seat].append(noble)
        self.nobles[slot] = None

    def _end_turn(self) -> None:
        self.phase = "main"
        self.turn += 1
        # All have had equal turns when the turns are a multiple of the players, whoever began.
        if max(self.points) >= GOAL and self.turn % self.players == 0:
            self._finish()
        elif self.passes >= self.players:
            self._truncate("stalemate")
        elif self.turn >= self.turn_cap:
            self._truncate("turn cap")
        else:
            self.seat = (self.seat + 1) % self.players

    def _finish(self) -> None:
        self.over, self.end = True, "fifteen points"
        # Most points; tie: fewest bought cards; then shared.
        scores = [(self.points[i], -self.bought[i]) for i in range(self.players)]
        winners = scores.count(max(scores))
        self.shares = [1 / winners if score == max(scores) else 0.0 for score in scores]

    def _truncate(self, reason: str) -> None:
        # Truncation is no ordinary end: nobody has won, whatever the points.
        self.over, self.truncated, self.end = True, True, reason
        self.shares = [1 / self.players] * self.players

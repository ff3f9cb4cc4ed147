"""Rake&Roll for 1 to 3 players, as slowly and plainly as possible: the reference the fast engine is compared with.

Written from rules.md, sheet.csv and the rules in the thesis, without sight of the fast engine. Everything is a dict, a list, a
set or a string; the current row, the bumps held and the score are found anew from the crossed leaves whenever they are
asked for. It knows nothing of observations or chance: the caller gives a function that rolls.

Words. A line is a row or column of leaves that is crossed at a time; its needed leaves make it finished, its extra leaf (the
third of Suarez and Elliott, the centre of Johnson and Patrick, which two rows share) is there for a bonus. The current
line of a section is its first unfinished one; no other can be crossed. A block is what money is printed for: a column, or
the two or three rows of one side. Newman has neither: its six leaves are free in any order. Section names are in lower case.

What the sources leave open, decided here:
 all variants
  - a section takes exactly the dice that it needs, never one to spare: a second equal die goes to Johnson or Patrick only
    while the centre leaf of the current row is empty, a third to Suarez only where there is a third leaf (columns 1 to 4);
  - Hamlin's "consecutive" is brown + 1 = green = orange - 1 and nothing else; Harvick's is in any order;
  - an Elliott row is finished by its first two leaves, and the third then stays empty; its total is written all the same;
  - both combinations of a turn may go to one section;
  - a taken combination cannot be put back: in the phases after "take", a pass gives up the rest of the turn;
  - the time is what the green die shows in the end: rerolled, bumped, used, or passed over; it is not cut off at the limit;
  - an empty turn is not skipped: a pass has to be played even when it is the only move.
 simple
  - of the combinations that a section would accept, the one that crosses most leaves is used.
 official
  - a bump can be used before the reroll (and is lost if the die is then rerolled) and between the two combinations, not between
    taking dice and choosing their section; more than one may be used in a turn, on one die or on several;
  - an acorn crosses the first empty leaf of its colour in the current line, the needed leaves before the extra one. So the third
    leaf of Suarez and Elliott is never reached, and a centre only when the row's own leaf of that colour is crossed already;
  - that leaf's own bonus counts, acorns too, at once; an acorn with no leaf to cross is lost without a move;
  - a finished line is finished however it came to be; an Elliott row finished by acorns alone has no total;
  - leaves crossed by acorns before the line is raked (the argument acorn_dice): "fewer" - each stands for a die of its colour with
    whatever value from 1 to 6 is wanted (at Elliott for one that adds nothing), and dice are needed only for the other leaves;
    "full" - the dice must be the whole combination as if the line were empty. "Fewer" is the default, because the rules say that
    acorns help "by reducing the number of leaves required";
  - an acorn has to be placed before anything else, so there is no pass meanwhile;
  - the game ends after the round in which somebody reaches the limit; the others of that round play their turn as usual.
 score (see Game.parts; the variants of the thesis count the first part alone)
  - a completed block has scored, even if no money is printed for it (Suarez column 1), with all leaves of its lines, the third ones
    of Suarez and Elliott included; each Elliott row is a block of its own here, and has scored when it is finished;
  - every Newman leaf has scored; a leaf with printed money has scored by itself;
  - a centre leaf belongs to no block: one that is an acorn stays an un-scored X always.
"""

import csv
import json
import random
import sys
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from pathlib import Path

COLOURS = ("orange", "brown", "green")
DICE = {"o1": "orange", "o2": "orange", "o3": "orange", "b1": "brown", "b2": "brown", "g": "green"}
SUBSETS = [list(pick) for size in range(1, 7) for pick in combinations(DICE, size)]
SUBSETS_BY_COLOURS: dict[tuple[str, ...], list[list[str]]] = {}
for _names in SUBSETS:
    SUBSETS_BY_COLOURS.setdefault(tuple(sorted(DICE[name] for name in _names)), []).append(_names)
SECTIONS = ("harvick", "elliott", "busch", "newman", "johnson", "suarez", "earnhardt", "patrick", "hamlin")

ELLIOTT_TOTAL = 10  # at least
NEWMAN_MONEY = (0, 1, 3, 6, 10, 15, 25)  # by number of leaves
MOST_SEATS = {"complete": 1, "simple": 1, "official": 3}
TIME_LIMIT = {"complete": 40, "simple": 60, "official": 40}
COMBINATIONS = {"complete": 2, "simple": 1, "official": 2}  # a turn
# What is added to the money, see Game.parts. In the thesis's variants nothing is: its program counts no bonus of any kind.
READING: dict[str, tuple[str, ...]] = {"complete": (), "simple": (), "official": ("leaves", "bumps", "unscored")}


@dataclass(frozen=True)
class Leaf:
    colour: str
    bonus: str  # "+1 brown", "acorn green", "+5 money" or nothing


@dataclass(frozen=True)
class Line:
    block: str
    needed: list[int]
    extra: list[int]  # one leaf or none


def read_leaves() -> dict[str, list[Leaf]]:
    leaves: dict[str, list[Leaf]] = {section: [] for section in SECTIONS}
    for row in read_rows():
        own = leaves[row["section"].lower()]
        assert int(row["leaf_index"]) == len(own), f"{row} is out of order"
        own.append(Leaf(row["leaf_color"], "" if row["bonus_on_leaf"].startswith("needs") else row["bonus_on_leaf"]))
    return leaves


def read_lines() -> dict[str, list[Line]]:
    """The lines of each section in order, by the names in column group, as "col2", "blockB row4" and "shared centre row1/row4"."""
    lines: dict[str, dict[str, Line]] = {section: {} for section in SECTIONS}
    for row in read_rows():
        section, index, words = row["section"].lower(), int(row["leaf_index"]), row["group"].split()
        if section == "newman":
            continue
        if row["position"] == "centre":
            for name in words[-1].split("/"):
                lines[section][name].extra.append(index)
            continue
        line = lines[section].setdefault(words[-1], Line(words[0], [], []))
        third = section in ("suarez", "elliott") and row["position"] == "3"
        (line.extra if third else line.needed).append(index)
    return {section: list(own.values()) for section, own in lines.items()}


def read_money() -> dict[tuple[str, str], int]:
    """By section and block. Elliott and Newman have theirs in words, and are counted apart."""
    number = "money_when_group_completed"
    rows = [row for row in read_rows() if row[number].isdecimal()]
    return {(row["section"].lower(), row["group"].split()[0]): int(row[number]) for row in rows}


def read_rows() -> list[dict[str, str]]:
    return list(csv.DictReader(Path(__file__).with_name("rake_sheet.csv").read_text(encoding="utf-8").splitlines()))


LEAVES, LINES, MONEY = read_leaves(), read_lines(), read_money()


def fits(section: str, values: dict[str, list[int]]) -> bool:
    """Whether dice of these values are a combination of the section; their number and colours are right already."""
    every = [value for own in values.values() for value in own]
    if section == "harvick":
        return sorted(every) == list(range(min(every), min(every) + 3))
    if section == "elliott":
        return sum(every) >= ELLIOTT_TOTAL
    if section == "hamlin" and values["brown"][0] + 1 == values["green"][0] == values["orange"][0] - 1:
        return True
    return len(set(every)) == 1


class Game:
    """One game. A die is named o1, o2, o3, b1, b2 or g; a leaf is its number in sheet.csv, but in Newman's moves its value 1 to 6.

    When the game is over, phase is "over", and seat and dice stay as the last turn left them. Variant simple has phase
    "section" only. The dice of a combination count as used once its leaves are crossed.
    """

    def __init__(
        self,
        *,
        variant: str,
        dice: Callable[[int], list[int]],
        seats: int = 1,
        acorn_dice: str = "fewer",
        reading: Collection[str] | None = None,
    ) -> None:
        if variant not in TIME_LIMIT:
            raise ValueError(f"variant {variant!r}; expected one of {list(TIME_LIMIT)}")
        if not 1 <= seats <= MOST_SEATS[variant]:
            raise ValueError(f"{seats} seats; expected 1 to {MOST_SEATS[variant]} for variant {variant}")
        if acorn_dice not in ("fewer", "full"):
            raise ValueError(f"acorn_dice {acorn_dice!r}; expected fewer or full")
        self.variant, self.seats, self.acorn_dice = variant, seats, acorn_dice
        self.reading = READING[variant] if reading is None else reading
        self.seat, self.over, self.turn = 0, False, 0  # turn: those completed
        self.time = [0] * seats
        self.totals: list[list[int]] = [[] for _ in range(seats)]  # written at Elliott, oldest first
        self._crossed: list[dict[str, set[int]]] = [{section: set() for section in SECTIONS} for _ in range(seats)]
        self._spent = [dict.fromkeys(COLOURS, 0) for _ in range(seats)]  # bumps used
        self._roll = dice
        self.phase = ""
        self.shown: dict[str, int] = {}  # what each die shows, used or not
        self.used: set[str] = set()
        self.taken: list[str] = []  # in the phases section and leaf
        self.acorns: list[str] = []  # colours of those to be placed now
        self.raked = 0  # combinations used this turn
        self._begin_turn()

    @property
    def dice(self) -> list[int]:
        """What the six dice show, 0 for those used this turn."""
        return [0 if name in self.used else self.shown[name] for name in DICE]

    def crossed(self, seat: int) -> dict[str, set[int]]:
        return {section: set(own) for section, own in self._crossed[seat].items()}

    def bumps(self, seat: int) -> dict[str, int]:
        """The unused +1 of each colour."""
        return {colour: self._bonuses(seat).count(f"+1 {colour}") - self._spent[seat][colour] for colour in COLOURS}

    def _bonuses(self, seat: int) -> list[str]:
        return [LEAVES[section][leaf].bonus for section, own in self._crossed[seat].items() for leaf in own]

    # Score.

    def score(self, seat: int) -> int:
        parts = self.parts(seat)
        return parts["money"] + sum(parts[part] for part in self.reading)

    def parts(self, seat: int) -> dict[str, int]:
        """What may make up the score: readings differ in what is added to the first of these.

        money - of completed blocks, Newman's by number and Elliott's highest total; leaves - the money printed on extra
        leaves; bumps - 1 for each unused +1; unscored - 1 for each X without printed money in no completed block, +1 leaves too.
        """
        money = sum(price for (section, block), price in MONEY.items() if self._block_done(seat, section, block))
        money += NEWMAN_MONEY[len(self._crossed[seat]["newman"])] + max(self.totals[seat], default=0)
        own_sheet = self._crossed[seat].items()
        printed = [int(bonus.split()[0]) for bonus in self._bonuses(seat) if bonus.endswith("money")]
        return {
            "money": money,
            "leaves": sum(printed),
            "bumps": sum(self.bumps(seat).values()),
            "unscored": sum(not self._has_scored(seat, section, leaf) for section, own in own_sheet for leaf in own),
        }

    def _block_done(self, seat: int, section: str, block: str) -> bool:
        return all(set(line.needed) <= self._crossed[seat][section] for line in LINES[section] if line.block == block)

    def _has_scored(self, seat: int, section: str, leaf: int) -> bool:
        if section == "newman" or LEAVES[section][leaf].bonus.endswith("money"):
            return True
        # A centre leaf is of two lines, and so of no block.
        own = [line for line in LINES[section] if leaf in line.needed + line.extra]
        return len(own) == 1 and self._block_done(seat, section, own[0].block)

    # What a section accepts.

    def _line(self, section: str) -> Line | None:
        """The current line of the seat to move, None at Newman and when all are finished."""
        unfinished = [line for line in LINES[section] if not self._crossed[self.seat][section].issuperset(line.needed)]
        return unfinished[0] if unfinished else None

    def _accepted(self, section: str) -> dict[str, list[int]]:
        """The combinations of unused dice that the section accepts now, each with the empty leaves that it would cross."""
        crossed, line = self._crossed[self.seat][section], self._line(section)
        if section == "newman":
            leaf = self.shown["g"] - 1
            return {"g": [leaf]} if "g" not in self.used and leaf not in crossed else {}
        if line is None:
            return {}
        empty_extra = [leaf for leaf in line.extra if leaf not in crossed]
        accepted: dict[str, list[int]] = {}
        for leaves in [line.needed, line.needed + empty_extra] if empty_extra else [line.needed]:
            given = [leaf for leaf in leaves if leaf in crossed and self.acorn_dice == "fewer"]
            asked = sorted(LEAVES[section][leaf].colour for leaf in leaves if leaf not in given)
            for names in SUBSETS_BY_COLOURS[tuple(asked)]:
                if not self.used.intersection(names) and self._fits_with(section, names, given):
                    accepted[" ".join(names)] = [leaf for leaf in leaves if leaf not in crossed]
        return accepted

    def _fits_with(self, section: str, names: Sequence[str], given: Sequence[int]) -> bool:
        """Whether the dice are a combination together with the leaves that acorns have crossed."""
        wanted = [0] if section == "elliott" else range(1, 7)
        for guess in product(wanted, repeat=len(given)):
            values: dict[str, list[int]] = {colour: [] for colour in COLOURS}
            for name in names:
                values[DICE[name]].append(self.shown[name])
            for leaf, value in zip(given, guess, strict=True):
                values[LEAVES[section][leaf].colour].append(value)
            if fits(section, values):
                return True
        return False

    # Legal moves.

    def legal(self) -> set[str]:
        """The texts of all moves of the seat to move; empty when the game is over."""
        if self.over:
            return set()
        if self.variant == "simple":
            return {section for section in SECTIONS if section != "elliott" and self._accepted(section)} | {"pass"}
        if self.phase == "acorn":
            return set(self._acorn_targets(self.acorns[0]))
        if self.phase == "section":
            return {f"section {section}" for section in SECTIONS if " ".join(self.taken) in self._accepted(section)} | {"pass"}
        if self.phase == "leaf":
            return {f"leaf {self.shown['g']}", "pass"}
        # Nothing is used before the reroll, so that every subset can be rerolled.
        rerolls = {f"reroll {' '.join(names)}" for names in SUBSETS} if self.phase == "reroll" else set()
        takes = {f"take {names}" for section in SECTIONS for names in self._accepted(section)}
        return {*rerolls, *takes, *self._bump_moves(), "pass"}

    def _bump_moves(self) -> Iterator[str]:
        bumps = self.bumps(self.seat)
        for name, colour in DICE.items():
            if self.variant == "official" and name not in self.used and self.shown[name] < 6 and bumps[colour] > 0:
                yield f"bump {name}"

    def _acorn_targets(self, colour: str) -> dict[str, tuple[str, int]]:
        """The moves that place an acorn of this colour, with the section and leaf that each would cross."""
        targets: dict[str, tuple[str, int]] = {}
        for section in SECTIONS:
            crossed, line = self._crossed[self.seat][section], self._line(section)
            of_colour = [i for i, leaf in enumerate(LEAVES[section]) if leaf.colour == colour and i not in crossed]
            if section == "newman":
                targets |= {f"acorn newman {leaf + 1}": (section, leaf) for leaf in of_colour}
            elif line is not None:
                here = [leaf for leaf in line.needed + line.extra if leaf in of_colour]
                targets |= {f"acorn {section}": (section, leaf) for leaf in here[:1]}
        return targets

    # Playing a move.

    def play(self, move: str) -> None:
        legal = self.legal()
        if move not in legal:
            right = "the game is over" if self.over else f"legal: {sorted(legal)}"
            raise ValueError(f"illegal move {move!r} of seat {self.seat} on turn {self.turn}, phase {self.phase}; {right}")
        kind, *words = move.split()
        if kind == "pass":
            self._end_turn()
        elif kind == "reroll":
            self.shown |= dict(zip(words, self._roll(len(words)), strict=True))
            self.phase = "take"
        elif kind == "bump":
            self.shown[words[0]] += 1
            self._spent[self.seat][DICE[words[0]]] += 1
        elif kind == "take":
            self.taken, self.phase = words, "section"
        elif kind == "acorn":
            section, leaf = self._acorn_targets(self.acorns.pop(0))[move]
            self._cross(section, leaf)
            self._go_on()
        elif move == "section newman":
            self.phase = "leaf"
        else:
            self._rake({"section": words[0], "leaf": "newman"}[kind] if self.variant != "simple" else kind)

    def _rake(self, section: str) -> None:
        """Use the taken dice, in variant simple the best ones, on the section."""
        accepted = self._accepted(section)
        names = " ".join(self.taken)
        if self.variant == "simple":
            names = max(accepted, key=lambda names: len(accepted[names]))
        leaves = accepted[names]
        for leaf in leaves:
            self._cross(section, leaf)
        if section == "elliott":
            self.totals[self.seat].append(sum(self.shown[name] for name in names.split()))
        self.used.update(names.split())
        self.taken = []
        self.raked += 1
        self._go_on()

    def _cross(self, section: str, leaf: int) -> None:
        self._crossed[self.seat][section].add(leaf)
        bonus = LEAVES[section][leaf].bonus
        if self.variant == "official" and bonus.startswith("acorn"):
            self.acorns.append(bonus.split()[1])

    def _go_on(self) -> None:
        """After crossing leaves: the acorns that came of it, then the next combination or the end of the turn."""
        while self.acorns and not self._acorn_targets(self.acorns[0]):
            self.acorns.pop(0)
        if self.acorns:
            self.phase = "acorn"
        elif self.raked >= COMBINATIONS[self.variant]:
            self._end_turn()
        else:
            self.phase = "take"

    # Turns.

    def _begin_turn(self) -> None:
        self.shown = dict(zip(DICE, self._roll(6), strict=True))
        self.used, self.taken, self.acorns, self.raked = set(), [], [], 0
        self.phase = "section" if self.variant == "simple" else "reroll"

    def _end_turn(self) -> None:
        self.time[self.seat] += self.shown["g"]
        self.turn += 1
        if self.turn % self.seats == 0 and max(self.time) >= TIME_LIMIT[self.variant]:
            self.over, self.phase = True, "over"
        else:
            self.seat = (self.seat + 1) % self.seats
            self._begin_turn()


def random_games(variant: str, games: int, seed: int) -> float:
    """Seconds that so many random games take."""
    rng = random.Random(seed)
    started = time.perf_counter()
    for _ in range(games):
        game = Game(variant=variant, dice=lambda n: [rng.randint(1, 6) for _ in range(n)])
        while not game.over:
            game.play(rng.choice(sorted(game.legal())))
    return time.perf_counter() - started


if __name__ == "__main__":  # for `meeple bench`, which compares
    print(json.dumps({"games": int(sys.argv[2]), "seconds": random_games(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))}))

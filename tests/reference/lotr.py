"""The thesis's solo model of The Lord of the Rings: The Card Game, as slowly and plainly as possible: the reference the fast
engine is compared with.

Written without sight of the fast engine, from rules.md, the thesis (its lines are given as "line 427") and, where both are
silent, from what the thesis's program was seen to do. Everything is a dict, a list or a string. It knows nothing of
observations or chance: the caller shuffles, and gives the decks in the order in which they will be drawn (last element first).

Two readings of what becomes of a hero that dies while defending:

"stay" (the default): until the round ends an undefended attack may still hit him, and takes him away then. The thesis's program
    clears its dead in the refresh phase only, and with this reading its random agent wins as often as published.
"leave": the dead leave at once.

In both the dead do nothing more, allies and heroes that an undefended attack kills leave at once, resources are one pool, and the
game is lost as soon as no hero lives.
"""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

VARIANTS = ("easy", "medium", "hard", "hard-skip")
READINGS = ("stay", "leave")
HAND = 7  # opening hand; a further card is drawn in the first round already
GOAL = 8  # progress points that win
THREAT_LIMIT = 50
ROUND_CAP = 100  # never met: the threat starts at 24 and rises by 1 a round, so round 26 is the last that can be played out
SET_UP = ("forest spider", "old forest road")  # in staging from the start in the hard variants


@dataclass(frozen=True)
class Card:
    kind: str  # hero, ally, enemy or land
    copies: int
    neutral: bool  # Gandalf, who is discarded at the end of the round
    attack: int
    defence: int
    hits: int  # hit points; of a land the progress points that explore it
    willpower: int
    cost: int
    threat: int  # in staging; of a hero his share of the starting threat
    engagement: int


class Character(TypedDict):
    name: str
    damage: int
    tapped: bool
    committed: bool


class Opponent(TypedDict):
    """A card in staging or engaged. Only engaged enemies are ever damaged."""

    name: str
    damage: int


def read_cards() -> dict[str, Card]:
    rows = csv.DictReader(Path(__file__).with_name("lotr_cards.csv").read_text(encoding="utf-8").splitlines())
    return {
        row["name"].lower(): Card(
            kind=row["type"].lower(),
            copies=int(row["copies"]),
            neutral=row["sphere"] == "Neutral",
            attack=int(row["attack"] or 0),
            defence=int(row["defense"] or 0),
            hits=int(row["hp_or_quest_points"]),
            willpower=int(row["willpower"] or 0),
            cost=int(row["cost"] or 0),
            threat=int(row["threat_or_threat_cost"] or 0),
            engagement=int(row["engagement"] or 0),
        )
        for row in rows
    }


CARDS = read_cards()
HEROES = tuple(name for name, card in CARDS.items() if card.kind == "hero")


def copies_of(*kinds: str) -> list[str]:
    return [name for name, card in CARDS.items() if card.kind in kinds for _ in range(card.copies)]


def sorted_decks(variant: str) -> tuple[list[str], list[str]]:
    """The player's 15 cards, and the encounter deck as it is after setting up: 13, 25 or, in the hard variants, 23 cards."""
    encounter = copies_of("enemy") if variant == "easy" else copies_of("enemy", "land")
    if variant.startswith("hard"):
        for name in SET_UP:
            encounter.remove(name)
    return copies_of("ally"), encounter


def label(card: Character | Opponent) -> str:
    return f"{card['name']} ({card['damage']} damage)" if card["damage"] else card["name"]


def dead(card: Character | Opponent) -> bool:
    return card["damage"] >= CARDS[card["name"]].hits


class Game:
    """One game.

    A decision is offered only if there is something else to do than nothing: a card to buy, a character to commit, a land to
    travel to (with none active), an untapped character to defend with, an untapped character and an engaged enemy for an
    attack. Otherwise it is passed over, also in the middle of a phase: after the last affordable card planning ends by itself,
    after the last character has been committed the quest is resolved, an enemy that meets no untapped character goes straight
    to "hit". Only the choice of the hero that is hit is always offered, even if there is only one.

    Of several copies in the same condition (name and damage, among those that can make the move) the first is meant, in the
    order of hand, characters, staging or engaged. When the game is over, phase stays what it was.
    """

    def __init__(
        self,
        *,
        variant: str,
        player_deck: Sequence[str],
        encounter_deck: Sequence[str],
        reading: str = "stay",
        heroes: Sequence[str] = HEROES,
    ) -> None:
        if variant not in VARIANTS or reading not in READINGS:
            raise ValueError(f"variant {variant}, reading {reading}; expected one of {VARIANTS}, one of {READINGS}")
        if sorted(heroes) != sorted(HEROES):
            raise ValueError(f"heroes {list(heroes)}; expected {list(HEROES)} in some order")
        # Shorter decks are allowed: they reach the states after the last card sooner.
        for deck, whole in zip((player_deck, encounter_deck), sorted_decks(variant), strict=True):
            wrong = {name for name in deck if list(deck).count(name) > whole.count(name)}
            if wrong:
                raise ValueError(f"{sorted(wrong)}: not in this deck of variant {variant}, or not as often")
        self.variant, self.reading = variant, reading
        self.player_deck = list(player_deck)  # the last element is drawn next
        self.encounter_deck = list(encounter_deck)
        self.hand: list[str] = []  # oldest first
        self.heroes: list[Character] = [self._character(name) for name in heroes]
        self.allies: list[Character] = []  # oldest first
        self.resources = 0
        self.staging: list[Opponent] = []  # oldest first
        self.engaged: list[Opponent] = []  # in the order in which they engaged
        self.active = ""  # the land travelled to, if any
        self.active_progress = 0
        self.threat = sum(CARDS[name].threat for name in heroes)
        self.progress = 0
        self.attacker = 0  # phases "defence" and "hit": the place in engaged of the enemy that attacks
        self.round, self.phase = 0, "planning"
        self.over, self.won, self.end = False, False, ""
        if variant.startswith("hard"):
            for name in SET_UP:
                self.staging.append({"name": name, "damage": 0})
        for _ in range(HAND):
            self._draw()
        self._begin_round()

    @staticmethod
    def _character(name: str) -> Character:
        return {"name": name, "damage": 0, "tapped": False, "committed": False}

    @property
    def characters(self) -> list[Character]:
        return self.heroes + self.allies

    @property
    def untapped(self) -> list[Character]:
        return [card for card in self.characters if not card["tapped"]]

    @property
    def lands(self) -> list[str]:
        """The lands in staging, copies included."""
        return [card["name"] for card in self.staging if CARDS[card["name"]].kind == "land"]

    @property
    def willpower(self) -> int:
        return sum(CARDS[card["name"]].willpower for card in self.characters if card["committed"])

    @property
    def staging_threat(self) -> int:
        """Engaged enemies and the active land do not count."""
        return sum(CARDS[card["name"]].threat for card in self.staging)

    def affordable(self, name: str) -> bool:
        """Every hero may pay for every ally: all three are of the allies' sphere, and Gandalf is neutral."""
        return CARDS[name].cost <= self.resources

    # Legal moves.

    def legal(self) -> list[str]:
        """The texts of all moves, each once; empty when the game is over."""
        if self.over:
            return []
        if self.phase == "planning":
            moves = [f"buy {name}" for name in self.hand if self.affordable(name)] + ["stop"]
        elif self.phase == "questing":
            moves = [f"commit {label(card)}" for card in self.untapped] + ["stop"]
        elif self.phase == "travel":
            moves = [f"travel {name}" for name in self.lands] + ["stay"]
        elif self.phase == "defence":
            moves = [f"defend {label(card)}" for card in self.untapped] + ["undefended"]
        elif self.phase == "hit":
            moves = [f"hit {card['name']}" for card in self.heroes]
        else:
            moves = [f"attack {label(card)} > {label(enemy)}" for card in self.untapped for enemy in self.engaged] + ["stop"]
        return list(dict.fromkeys(moves))

    # Playing.

    def play(self, move: str) -> None:
        if move not in self.legal():
            raise ValueError(f"{move!r} is not legal in phase {self.phase}; legal: {self.legal()}")
        verb, _, rest = move.partition(" ")
        if verb == "buy":
            self._buy(rest)
        elif verb == "commit":
            self._commit(rest)
        elif verb == "stop" and self.phase == "planning":
            self._questing()
        elif verb == "stop" and self.phase == "questing":
            self._resolve_quest()
        elif verb == "travel":
            self._travel_to(rest)
        elif verb == "stay":
            self._encounter()
        elif verb == "defend":
            self._defend(rest)
        elif verb == "undefended":
            self._undefended()
        elif verb == "hit":
            self._hit(rest)
        elif verb == "attack":
            self._strike(*rest.split(" > "))
        else:
            self._refresh()

    def _find_untapped(self, text: str) -> Character:
        return next(card for card in self.untapped if label(card) == text)

    def _lose(self, why: str) -> None:
        self.over, self.end = True, why

    def _check_lost(self) -> None:
        if self.threat >= THREAT_LIMIT:
            self._lose(f"threat {THREAT_LIMIT}")

    # 1 and 2: resources and planning.

    def _draw(self) -> None:
        if self.player_deck:
            self.hand.append(self.player_deck.pop())

    def _begin_round(self) -> None:
        self.round += 1
        self.resources += len(self.heroes)
        self._draw()
        self._planning()

    def _planning(self) -> None:
        self.phase = "planning"
        if not any(self.affordable(name) for name in self.hand):
            self._questing()

    def _buy(self, name: str) -> None:
        self.resources -= CARDS[name].cost
        self.hand.remove(name)
        self.allies.append(self._character(name))
        self._planning()

    # 3: the quest.

    def _questing(self) -> None:
        self.phase = "questing"
        if not self.untapped:
            self._resolve_quest()

    def _commit(self, text: str) -> None:
        card = self._find_untapped(text)
        card["tapped"] = card["committed"] = True
        self._questing()

    def _resolve_quest(self) -> None:
        """Reveal, then compare. Only here can the game be won, and it is won at once (line 427)."""
        if self.variant == "hard-skip" and not any(card["committed"] for card in self.characters):
            self._travel()
            return
        if self.encounter_deck:
            self.staging.append({"name": self.encounter_deck.pop(), "damage": 0})
        result = self.willpower - self.staging_threat
        if result > 0:
            self._place_progress(result)
        else:
            self.threat -= result
            self._check_lost()
        if not self.over:
            self._travel()

    def _place_progress(self, points: int) -> None:
        """The active land takes all of it until it is explored; what is left over goes to the quest."""
        if self.active:
            self.active_progress += points
            points = max(0, self.active_progress - CARDS[self.active].hits)
            if self.active_progress >= CARDS[self.active].hits:
                self.active, self.active_progress = "", 0
        self.progress += points
        if self.progress >= GOAL:
            self.over, self.won, self.end = True, True, "eight progress"

    # 4 and 5: travel and encounter.

    def _travel(self) -> None:
        self.phase = "travel"
        if self.active or not self.lands:
            self._encounter()

    def _travel_to(self, name: str) -> None:
        del self.staging[[card["name"] for card in self.staging].index(name)]
        self.active, self.active_progress = name, 0
        self._encounter()

    def _encounter(self) -> None:
        """Every staged enemy whose engagement is not above the threat engages, in the order of revealing."""
        coming = [card for card in self.staging if self._engages(card)]
        self.staging = [card for card in self.staging if not self._engages(card)]
        self.engaged += coming
        self.attacker = 0
        self._defence()

    def _engages(self, card: Opponent) -> bool:
        facts = CARDS[card["name"]]
        return facts.kind == "enemy" and facts.engagement <= self.threat

    # 6: the enemies attack.

    def _defence(self) -> None:
        self.phase = "defence"
        if self.attacker == len(self.engaged):
            self._attack()
        elif not self.untapped:
            self._undefended()

    def _defend(self, text: str) -> None:
        card = self._find_untapped(text)
        card["tapped"] = True
        enemy = CARDS[self.engaged[self.attacker]["name"]]
        card["damage"] += max(0, enemy.attack - CARDS[card["name"]].defence)
        self._remove_dead(fallen_too=self.reading == "leave")
        if not self.over:
            self._next_enemy()

    def _remove_dead(self, fallen_too: bool) -> None:
        self.allies = [card for card in self.allies if not dead(card)]
        if all(dead(card) for card in self.heroes):
            self._lose("no heroes")
        if fallen_too:
            self.heroes = [card for card in self.heroes if not dead(card)]

    def _undefended(self) -> None:
        self.phase = "hit"

    def _hit(self, name: str) -> None:
        """The whole attack, without the hero's defence (listing 3.4, line 541); tapped heroes may be hit, and none is tapped."""
        hero = next(card for card in self.heroes if card["name"] == name)
        hero["damage"] += CARDS[self.engaged[self.attacker]["name"]].attack
        if dead(hero):
            self.heroes = [card for card in self.heroes if card["name"] != name]
            self._remove_dead(fallen_too=False)
        if not self.over:
            self._next_enemy()

    def _next_enemy(self) -> None:
        self.attacker += 1
        self._defence()

    # 7: the player attacks.

    def _attack(self) -> None:
        self.phase = "attack"
        if not self.engaged or not self.untapped:
            self._refresh()

    def _strike(self, attacker: str, target: str) -> None:
        """Each character for itself against the enemy's whole defence; a dead enemy leaves at once."""
        card = self._find_untapped(attacker)
        card["tapped"] = True
        place = [label(enemy) for enemy in self.engaged].index(target)
        enemy = self.engaged[place]
        enemy["damage"] += max(0, CARDS[card["name"]].attack - CARDS[enemy["name"]].defence)
        if dead(enemy):
            del self.engaged[place]
        self._attack()

    # 8: refresh.

    def _refresh(self) -> None:
        self.threat += 1
        self._check_lost()
        if self.over:
            return
        self._remove_dead(fallen_too=True)
        self.allies = [card for card in self.allies if not CARDS[card["name"]].neutral]
        for card in self.characters:
            card["tapped"] = card["committed"] = False
        if self.round == ROUND_CAP:
            self._lose("round cap")
        else:
            self._begin_round()

"""The thesis's own tree search (4.2 to 4.4, and its program): whole commitments are single choices, and luck is chosen too.

It plays the game that it searches: every child of a node is a table of its own, whose cards have been drawn for it, and the child
that is chosen becomes the game. (Here a table is made when it is first visited; the program makes all at once, and never looks at
most.) So it picks not only what to do but also the card that is revealed after it, among as many draws as
there are children. No seat at a table could do that. It is clairvoyant, kept only to make the thesis's figures again, and it is no
agent: agents do not own the cards.

Decisions: planning buys one card or none; questing commits a proper subset of the characters; defence names as many characters as
there are enemies, and each enemy meets one of them at random, an exhausted one counting as nobody. With fewer characters than
enemies there is nothing to name, and the program skips combat altogether. Reduction (4.4): Gandalf or nothing where he can be paid;
willpower above the threat by more than two; no exhausted allies as defenders.

UCB1 with C = 1 over wins of `playouts` random games from a new node, and the budget counts playouts; the child with the highest
bound is chosen, as in its program.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import combinations
from math import log, sqrt
from typing import Any

import numpy as np

from meeple.core.game import Variant
from meeple.core.kernel import kernel
from meeple.core.rng import child
from meeple.core.state import State, new
from meeple.games.lotr import rounds, rules
from meeple.games.lotr.actions import BUY, COMMIT, DEFEND, STOP, UNDEFENDED
from meeple.games.lotr.components import ALLIES, CARD_OF, CHARACTERS, HEROES, WILLPOWER
from meeple.games.lotr.knowledge import redeal
from meeple.games.lotr.listings import Listings, choose_listings
from meeple.games.lotr.reduction import GANDALF, MARGIN
from meeple.games.lotr.state import CHOOSING_HERO, DEFENDING, PLANNING, QUESTING

MOST_CHILDREN = 4096  # subsets of twelve characters; more are never in play together


@kernel
def finish(s: Any, me: Any, stream: Any, out: Any) -> None:
    """The rest of a game by the thesis's random player."""
    while s.end == 0:
        rules.apply(s, choose_listings(me, s, stream, out))


@kernel
def until_attacked(s: Any, me: Any, stream: Any, out: Any) -> None:
    """Random play to the first attack of the round, or to its end."""
    turn = s.turn
    while s.end == 0 and s.turn == turn and not attacked(s):
        rules.apply(s, choose_listings(me, s, stream, out))


@kernel
def attacked(s: Any) -> bool:
    """Has the defence just begun?"""
    return (s.phase == DEFENDING or s.phase == CHOOSING_HERO) and s.attacker == 0  # type: ignore[no-any-return]


@dataclass(frozen=True)
class Setup:
    """Who decides what, and how long it is thought."""

    planning: bool
    questing: bool
    defence: bool
    budget: int
    playouts: int
    reduce: bool


Making = Callable[[], State]  # a choice and the luck that goes with it: what makes the table after both


@dataclass(eq=False)
class Node:
    """A table, and what was learnt of it."""

    state: State
    parent: Node | None = None
    wins: int = 0
    visits: int = 0
    number: int = 0  # among its parent's choices
    untried: list[tuple[int, Making]] | None = None  # until it is visited again
    children: list[Node] = field(default_factory=list)


class Whole:
    """One game and its luck."""

    def __init__(self, variant: Variant, setup: Setup, seed: int) -> None:
        self.setup, self.seed, self.drawn = setup, seed, 0
        self.listings = Listings(np.zeros(ALLIES, np.int8), np.zeros(ALLIES, np.int8))
        self.stream = np.array([child(seed, 1)], np.uint64)
        self.rng = np.random.default_rng([seed, 2])
        self.out = np.zeros(variant.shape.room, np.int32)
        self.state = new(variant, seed)

    # ---- The game ----

    def play(self) -> bool:
        """To the end; was it won?"""
        while not self.state.over:
            s, setup = self.state.data, self.setup
            asked = {PLANNING: setup.planning, QUESTING: setup.questing}
            if asked.get(int(s.phase), setup.defence and attacked(s)):
                self.state = self.search()
            else:
                self.random_move()
        return self.state.outcome()[0] == 1.0

    def random_move(self) -> None:
        data = self.state.data
        rules.apply(data, choose_listings(self.listings, data, self.stream, self.out))

    # ---- The search ----

    def search(self) -> State:
        root = Node(self.state)
        left = self.setup.budget
        while left > 0:
            leaf = self.select(root)
            wins = self.simulate(leaf.state)
            left -= self.setup.playouts
            node: Node | None = leaf
            while node is not None:
                node.visits += 1
                node.wins += wins
                node = node.parent
        return first_of_best(root.children).state if root.children else self.choices(root.state)[0]()

    def select(self, node: Node) -> Node:
        """An unvisited child first, in random order; else by the bound."""
        while node.visits:
            if node.untried is None:
                node.untried = [] if node.state.over else list(enumerate(self.choices(node.state)))
            if node.untried:
                number, make = node.untried.pop(self.rng.integers(len(node.untried)))
                node.children.append(Node(make(), node, number=number))
                return node.children[-1]
            if not node.children:
                return node
            node = first_of_best(node.children)
        return node

    def simulate(self, state: State) -> int:
        """Wins of random games, each with luck of its own."""
        wins = 0
        for _ in range(self.setup.playouts):
            table = self.with_own_luck(state)
            finish(table.data, self.listings, self.stream, self.out)
            wins += int(table.outcome()[0] == 1.0)
        return wins

    def with_own_luck(self, state: State) -> State:
        """A copy whose decks are shuffled again."""
        table = state.copy()
        if not table.over:
            self.drawn += 1
            redeal(table.data, 0, np.uint64(child(self.seed, 1000 + self.drawn)))
        return table

    # ---- What can be done as a whole ----

    def choices(self, state: State) -> list[Making]:
        phase = int(state.data.phase)
        if phase == PLANNING:
            return [partial(self.bought, state, kind) for kind in self.purchases(state.data)]
        if phase == QUESTING:
            return [partial(self.committed, state, subset) for subset in self.commitments(state.data)]
        table = state.copy()
        turn = table.turn
        until_attacked(table.data, self.listings, self.stream, self.out)  # travel is random, and the same for all children
        return [table.copy] if table.over or table.turn != turn else self.defences(table)

    def purchases(self, s: Any) -> list[int]:
        """Kinds of allies, and -1: none."""
        payable = [kind for kind in range(ALLIES) if rounds.affordable(s, kind)]
        return [-1, GANDALF] if self.setup.reduce and GANDALF in payable else [-1, *payable]

    def bought(self, state: State, kind: int) -> State:
        table = self.with_own_luck(state)
        if kind >= 0:
            rules.apply(table.data, BUY + kind)
        if int(table.data.phase) == PLANNING:
            rules.apply(table.data, STOP)
        return table

    def commitments(self, s: Any) -> tuple[tuple[int, ...], ...]:
        """Proper subsets of the characters; where reduction leaves none, nobody."""
        ready = tuple(np.repeat(np.arange(CHARACTERS), s.ready).tolist())
        return subsets_of(ready, int(rounds.staging_threat(s)) + MARGIN if self.setup.reduce else None)

    def committed(self, state: State, subset: tuple[int, ...]) -> State:
        table = self.with_own_luck(state)
        for character in subset:
            rules.apply(table.data, COMMIT + character)
        rules.apply(table.data, STOP)
        return table

    def defences(self, state: State) -> list[Making]:
        """As many characters as enemies; fewer characters, and the round ends without combat."""
        s = state.data
        ready = [(character, True) for character in np.repeat(np.arange(CHARACTERS), s.ready).tolist()]
        tapped = [(character, False) for character in np.repeat(np.arange(CHARACTERS), s.tapped).tolist()]
        if self.setup.reduce:
            tapped = [(character, up) for character, up in tapped if character < HEROES]
        everybody = ready + tapped
        if len(everybody) < s.engaged_count:
            return [partial(self.skipped, state)]
        subsets = dict.fromkeys(combinations(everybody, int(s.engaged_count)))
        return [partial(self.defended, state, subset) for subset in list(subsets)[:MOST_CHILDREN]]

    def skipped(self, state: State) -> State:
        table = self.with_own_luck(state)
        table.data.attacker = 0
        rounds.refresh(table.data)
        return table

    def defended(self, state: State, subset: tuple[tuple[int, bool], ...]) -> State:
        """Each enemy meets one of them at random; who is exhausted, or was met before, is no defender. Then a random attack."""
        table = self.with_own_luck(state)
        s, turn = table.data, int(table.data.turn)
        free = [character for character, up in subset if up]
        while s.end == 0 and s.turn == turn and s.phase in (DEFENDING, CHOOSING_HERO):
            if s.phase == CHOOSING_HERO:
                rules.apply(s, choose_listings(self.listings, s, self.stream, self.out))
                continue
            met = int(self.rng.integers(len(subset)))
            character = subset[met][0]
            if subset[met][1] and character in free and s.ready[character] > 0:
                free.remove(character)
                rules.apply(s, DEFEND + character)
            else:
                rules.apply(s, UNDEFENDED)
        while s.end == 0 and s.turn == turn:
            rules.apply(s, choose_listings(self.listings, s, self.stream, self.out))
        return table


@lru_cache(maxsize=4096)  # the same few characters and threats come again and again in one search
def subsets_of(ready: tuple[int, ...], least: int | None) -> tuple[tuple[int, ...], ...]:
    """All but the whole, with more willpower than that; else nobody."""
    found: dict[tuple[int, ...], None] = {}
    for size in range(1, len(ready)):
        for subset in combinations(ready, size):
            if least is None or sum(int(WILLPOWER[CARD_OF[character]]) for character in subset) > least:
                found[subset] = None
        if len(found) > MOST_CHILDREN:
            break
    return tuple(found) or ((),)


def bound(node: Node) -> float:
    """Wins a visit, which are up to `playouts`, and the term of exploration."""
    assert node.parent is not None
    return node.wins / node.visits + sqrt(2 * log(node.parent.visits) / node.visits)


def first_of_best(children: list[Node]) -> Node:
    """The highest bound; of equal ones the choice that is listed first, as a plain maximum over all of them finds it.

    With one playout a choice many are equal, and committing the fewest of these wins less often than taking any.
    """
    return max(children, key=lambda child: (bound(child), -child.number))


def play_game(variant: Variant, setup: Setup, seed: int) -> tuple[bool, int]:
    """Won, and rounds."""
    whole = Whole(variant, setup, seed)
    won = whole.play()
    return won, whole.state.turn

"""Our own agent: expectimax over determinizations (possible worlds consistent with what the seat knows).

What the seat cannot know is dealt at random, again and again; in each such world every turn is searched, and the turn that wins
most on average is played. In a world: our turn, the opponent's reply, our reply to that, and so on. A turned-up card is real
chance: a single one is enumerated over all kinds by what the deck holds, several (after taking camels) are sampled. Chances to win
are between 0 and 1, so a chance node can be cut off as soon as what is left of it cannot matter (Ballard's star pruning); of the
replies only the most promising are searched, by the evaluation of the table after them.

Deepening: one reply is looked at first, for all turns; when enough worlds agree, the best turns are searched a reply deeper, until
time or nodes are spent. A node is a table valued.
"""

from __future__ import annotations

import time
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.agent import Forgetful, Param, Seen, kernel_agent
from meeple.core.game import Variant
from meeple.core.kernel import kernel
from meeple.core.rng import child, draw
from meeple.games.jaipur.actions import CAMELS, MAX_LEGAL
from meeple.games.jaipur.components import CAMEL
from meeple.games.jaipur.evaluation import Evaluation, evaluate, make_evaluation, turn_back
from meeple.games.jaipur.rules import apply, part, round_winner
from meeple.games.jaipur.state import NOBODY, STATE
from meeple.games.jaipur.turns import list_turns, next_step

DEEPEST = 6  # replies
ROOM = MAX_LEGAL + 1
WIDTHS = (6, 4, 4, 4, 4, 4)  # replies searched at each depth but the last, where all are valued
CAMEL_SAMPLES = 4  # draws after the camels were taken
WORLDS = 64  # looked at before going deeper
KEPT = 8  # turns that are searched deeper, halved with each further depth
SURE = 50.0  # log-odds of a round that is won
EVERY, SAMPLED = -1, -2  # a turned-up card: nothing to choose, drawn at random; else its kind

FRAME = np.dtype(
    (
        np.record,
        [
            ("turns", "i4"),  # replies to search
            ("tried", "i4"),
            ("action", "i4"),  # the one being searched
            ("outcome", "i4"),  # and how many of its outcomes are
            ("outcomes", "i4"),
            ("kinds", "i1", (8,)),
            ("shares", "f8", (8,)),
            ("share", "f8"),  # of the outcome being searched
            ("total", "f8"),  # of the outcomes so far, weighted
            ("rest", "f8"),  # share of those to come
            ("best", "f8"),
            ("alpha", "f8"),
            ("beta", "f8"),
        ],
    )
)


class Search(NamedTuple):
    """Everything a search needs, allocated once."""

    evaluation: Evaluation
    states: NDArray[Any]  # (depths + 1,)
    leaf: NDArray[Any]  # (1,)
    frames: NDArray[Any]  # (depths,)
    turns: NDArray[np.int32]  # (depths, room)
    values: NDArray[np.float64]  # (depths, room)
    widths: NDArray[np.int64]  # (depths,)
    stream: NDArray[np.uint64]
    nodes: NDArray[np.int64]  # (1,) tables valued
    prune: bool


def make_search(prune: bool = True) -> Search:
    return Search(
        evaluation=make_evaluation(),
        states=np.zeros(DEEPEST + 1, STATE),
        leaf=np.zeros(1, STATE),
        frames=np.zeros(DEEPEST, FRAME),
        turns=np.zeros((DEEPEST, ROOM), np.int32),
        values=np.zeros((DEEPEST, ROOM)),
        widths=np.array(WIDTHS, np.int64),
        stream=np.zeros(1, np.uint64),
        nodes=np.zeros(1, np.int64),
        prune=prune,
    )


@kernel
def search_world(me: Any, world: Any, turns: Any, values: Any, replies: int) -> None:
    """The chance to win of each turn in one world, looking at so many replies. The world's own next cards are turned up after it:
    averaged over worlds, that is chance."""
    for i in range(turns.size):
        me.states[0] = world
        apply(me.states[0], turns[i])
        if me.states[0].end > 0:
            values[i] = result(me.states[0], world.seat)
        else:
            values[i] = 1.0 - reply_chance(me, replies)


@kernel
def result(s: Any, seat: int) -> float:
    winner = round_winner(s)
    return 0.5 if winner == NOBODY else (1.0 if winner == seat else 0.0)


@kernel
def reply_chance(me: Any, replies: int) -> float:
    """The chance to win of the seat to move in states[0]. A loop over depths: kernels that call themselves do not cache."""
    if replies == 1:
        return best_turn(me, 0)
    depth = 0
    enter(me, 0, 0.0, 1.0)
    while True:
        f = me.frames[depth]
        if f.outcome == f.outcomes:
            if f.tried == f.turns or (me.prune and f.alpha >= f.beta):
                if depth == 0:
                    return f.best  # type: ignore[no-any-return]
                depth -= 1
                deliver(me, depth, 1.0 - f.best)
                continue
            begin_turn(me, depth)
        make_outcome(me, depth)
        if me.states[depth + 1].end > 0:
            deliver(me, depth, result(me.states[depth + 1], me.states[depth].seat))
        elif depth + 2 == replies:
            deliver(me, depth, 1.0 - best_turn(me, depth + 1))
        else:
            # What this outcome must come to for the whole turn to matter, seen from the other side.
            low = (f.alpha - f.total - (f.rest - f.share)) / f.share
            high = (f.beta - f.total) / f.share
            depth += 1
            enter(me, depth, max(0.0, 1.0 - high), min(1.0, 1.0 - low))


@kernel
def value_turns(me: Any, depth: int) -> int:
    """List and value all turns of a table; returns how many."""
    s = me.states[depth]
    n = list_turns(s, me.turns[depth])
    for i in range(n):
        me.values[depth, i] = value_after(me, s, me.turns[depth, i])
    me.nodes[0] += n
    return n


@kernel
def value_after(me: Any, s: Any, action: int) -> float:
    """Log-odds of the mover after a turn, before the market is refilled."""
    me.leaf[0] = s
    c = me.leaf[0]
    apply(c, action)
    if c.end > 0:
        return (2.0 * result(c, s.seat) - 1.0) * SURE
    turn_back(c, s)
    return evaluate(me.evaluation, c)


@kernel
def best_turn(me: Any, depth: int) -> float:
    """The chance to win with the best turn, each valued where it leads."""
    best = -SURE
    for i in range(value_turns(me, depth)):
        best = max(best, me.values[depth, i])
    return 1.0 / (1.0 + np.exp(-best))  # type: ignore[no-any-return]


@kernel
def enter(me: Any, depth: int, alpha: float, beta: float) -> None:
    """Start on a table: its most promising turns come first, the others are left out."""
    f = me.frames[depth]
    n = value_turns(me, depth)
    f.turns = min(n, me.widths[depth])
    f.tried = 0
    f.outcome = 0
    f.outcomes = 0
    f.best = -1.0
    f.alpha = alpha
    f.beta = beta
    turns = me.turns[depth]
    values = me.values[depth]
    for i in range(f.turns):
        best = i
        for j in range(i + 1, n):
            if values[j] > values[best]:
                best = j
        turns[i], turns[best] = turns[best], turns[i]
        values[i], values[best] = values[best], values[i]


@kernel
def begin_turn(me: Any, depth: int) -> None:
    """Take up the next turn and list what its refill may turn up."""
    f = me.frames[depth]
    s = me.states[depth]
    f.action = me.turns[depth, f.tried]
    f.tried += 1
    f.outcome = 0
    f.total = 0.0
    f.rest = 1.0
    cards = cards_turned_up(s, f.action)
    if cards == 0 or s.deck_left < cards:
        f.outcomes = 1
        f.kinds[0] = EVERY
        f.shares[0] = 1.0
    elif cards == 1:
        f.outcomes = 0
        for kind in range(7):
            held = 0
            for i in range(s.deck_left):
                held += s.deck[i] == kind
            if held > 0:
                f.kinds[f.outcomes] = kind
                f.shares[f.outcomes] = held / s.deck_left
                f.outcomes += 1
    else:
        f.outcomes = CAMEL_SAMPLES
        for i in range(CAMEL_SAMPLES):
            f.kinds[i] = SAMPLED
            f.shares[i] = 1.0 / CAMEL_SAMPLES


@kernel
def cards_turned_up(s: Any, action: int) -> int:
    if action == CAMELS:
        return s.market[CAMEL]  # type: ignore[no-any-return]
    return 1 if action < CAMELS else 0


@kernel
def make_outcome(me: Any, depth: int) -> None:
    """Make the turn with its next outcome: the cards to be turned up are put on top of the deck first."""
    f = me.frames[depth]
    me.states[depth + 1] = me.states[depth]
    s = me.states[depth + 1]
    kind = f.kinds[f.outcome]
    f.share = f.shares[f.outcome]
    f.outcome += 1
    top = s.deck_left - 1
    if kind == SAMPLED:
        for turned in range(cards_turned_up(s, f.action)):
            i = draw(me.stream, s.deck_left - turned)
            s.deck[i], s.deck[top - turned] = s.deck[top - turned], s.deck[i]
    elif kind != EVERY:
        i = top
        while s.deck[i] != kind:
            i -= 1
        s.deck[i], s.deck[top] = s.deck[top], s.deck[i]
    apply(s, f.action)


@kernel
def deliver(me: Any, depth: int, value: float) -> None:
    """An outcome is worth that much to the mover; the turn is done with when all are in, or when the rest cannot matter."""
    f = me.frames[depth]
    f.total += f.share * value
    f.rest -= f.share
    if me.prune and f.total + f.rest <= f.alpha:
        f.outcome = f.outcomes
        f.total += f.rest  # not better than that
    elif me.prune and f.total >= f.beta:
        f.outcome = f.outcomes
    if f.outcome == f.outcomes:
        f.best = max(f.best, f.total)
        f.alpha = max(f.alpha, f.best)


# ---- The players ---------------------------------------------------------------------------------------------------


class Greedy(NamedTuple):
    search: Search


@kernel
def choose_greedily(me: Any, s: Any, stream: Any, out: Any) -> int:  # noqa: ARG001
    """The turn with the best evaluation right after it, in the world as it was redealt."""
    me.search.states[0] = s
    part(me.search.states[0])
    n = value_turns(me.search, 0)
    best = 0
    for i in range(1, n):
        if me.search.values[0, i] > me.search.values[0, best]:
            best = i
    return next_step(s, me.search.turns[0, best])


kernel_agent(Greedy, choose_greedily)


def make_greedy(variant: Variant) -> Greedy:  # noqa: ARG001
    return Greedy(make_search())


class Expectimax(Forgetful):
    """Watches the clock, or the nodes; all else is done by kernels."""

    def __init__(self, variant: Variant, ms: float, nodes: int, prune: int = 1) -> None:  # noqa: ARG002
        self.ms = ms
        self.nodes = nodes
        self.search = make_search(bool(prune))
        self.loaded = False  # has it looked at any world? The first one compiles, or loads

    def choose(self, seen: Seen) -> int:
        first = self._world(seen, 0)
        turns = np.zeros(ROOM, np.int32)
        turns = turns[: list_turns(first, turns)].copy()
        if not self.loaded:  # that is no thinking time
            search_world(self.search, self._world(seen, 0), turns, np.zeros(len(turns)), 1)
            self.loaded = True
        started = time.perf_counter()
        self.search.nodes[0] = 0
        self.search.stream[0] = child(seen.seed, 1)
        kept = KEPT
        for replies in range(1, DEEPEST + 1):
            totals, worlds = self._look(seen, turns, replies, started)
            if worlds * 4 >= WORLDS or replies == 1:
                turns = turns[np.argsort(-totals, kind="stable")]
            if worlds < WORLDS or len(turns) == 1:
                break
            turns = turns[:kept]
            kept = max(2, kept // 2)
        return int(next_step(first, int(turns[0])))

    def _look(self, seen: Seen, turns: NDArray[np.int32], replies: int, started: float) -> tuple[NDArray[np.float64], int]:
        """Sums over as many worlds as the budget allows, at least one for the first reply."""
        totals, values = np.zeros(len(turns)), np.zeros(len(turns))
        worlds = 0
        while worlds < WORLDS and (not self._spent(started) or (replies == 1 and worlds == 0)):
            search_world(self.search, self._world(seen, worlds), turns, values, replies)
            totals += values
            worlds += 1
        return totals, worlds

    def _spent(self, started: float) -> bool:
        if self.nodes > 0:
            return bool(self.search.nodes[0] >= self.nodes)
        return (time.perf_counter() - started) * 1000 >= self.ms

    def _world(self, seen: Seen, number: int) -> Any:
        """A determinization, played as a single round."""
        state = seen.sample(child(seen.seed, 100 + number))
        part(state.data)
        return state.data


EXPECTIMAX_PARAMS = (
    Param("ms", 100.0, "milliseconds a decision", 1.0),
    Param("nodes", 0, "tables valued a decision, instead of ms: the same seed then gives the same move", 0),
    Param("prune", 1, "0 searches everything, to compare", 0, 1),
)

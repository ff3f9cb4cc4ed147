"""Planning a whole game of `deterministic`, whose dice are part of the rules: a beam of sheets, turn by turn.

Sheets are kept by the time they have used. From each, every way to play a turn is tried: each reroll falls as it must, and then
every pair of combinations. Of the sheets that have used the same time the best are kept, by the evaluation of `lookahead`; the
best final sheet tells the plan. Knowing the dice is worth a lot: which dice are rolled again decides how all later ones fall. A
plan that earns all the money of the sheet (MOST_MONEY) cannot be bettered, and then the search is over.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.agent import Forgetful, Param, Seen
from meeple.core.errors import MeepleError
from meeple.core.game import Variant
from meeple.core.kernel import kernel
from meeple.games.rake.actions import ASSIGN, NEWMAN_LEAF, PASS, REROLL_DICE, TAKE_DICE
from meeple.games.rake.combinations import accepted
from meeple.games.rake.components import GREEN_DIE, MONEY, MOST_ELLIOTT, NEWMAN, NEWMAN_MONEY, PROPERTIES, SUBSETS, TIME
from meeple.games.rake.evaluation import WEIGHTS, Evaluation, evaluate, make_evaluation
from meeple.games.rake.rules import apply, assign
from meeple.games.rake.scoring import money
from meeple.games.rake.state import STATE, deal

PLAN_PARAMS = (Param("width", 10, "sheets that are kept for each time used", 1, 100_000),)
DETERMINISTIC_CONFIG = np.array([1], np.int64)
NO = PROPERTIES  # in place of a property: no combination
PAIRS = (PROPERTIES + 1) ** 2
MOST_MONEY = int(MONEY.max(axis=1).sum() + NEWMAN_MONEY.max() + MOST_ELLIOTT)
MOST_TURNS = (SUBSETS + 1) * PAIRS  # ways to play a turn that differ in what they lead to

TURN = np.dtype(
    (
        np.record,
        [
            ("parent", "i4"),  # the sheet it was played from
            ("again", "i1"),  # dice rolled again
            ("dice", "i1", (2,)),  # sets of dice of the two combinations, 0 where there is none
            ("numbers", "i1", (2,)),  # and their properties
            ("value", "f8"),
        ],
    )
)


class Room(NamedTuple):
    tables: NDArray[Any]  # (3,) states
    best: NDArray[Any]  # (PAIRS,) turns: the best way to each pair of properties
    found: NDArray[np.bool_]  # (PAIRS,)


@kernel
def list_turns(e: Any, s: Any, room: Any, turns: Any, parent: int) -> int:
    """Every way to play a turn from a state, as far as they lead to different sheets; returns how many."""
    n = 0
    for again in range(SUBSETS + 1):
        room.tables[0] = s
        t = room.tables[0]
        if again:
            apply(t, REROLL_DICE + again - 1)
        for pair in range(PAIRS):
            room.found[pair] = False
        _try_pairs(e, t, room, again)
        for pair in range(PAIRS):
            if room.found[pair]:
                turns[n] = room.best[pair]
                turns[n].parent = parent
                n += 1
    return n


@kernel
def _try_pairs(e: Any, s: Any, room: Any, again: int) -> None:
    _note(e, s, room, again, (0, 0, NO, NO))
    for first in range(PROPERTIES):
        sets = accepted(s, first)
        dice = 1
        while sets:
            if sets & 1:
                room.tables[1] = s
                t = room.tables[1]
                assign(t, first, dice)
                _note(e, t, room, again, (dice, 0, first, NO))
                _try_second(e, t, room, again, dice, first)
            dice += 1
            sets >>= np.int64(1)


@kernel
def _try_second(e: Any, s: Any, room: Any, again: int, before: int, first: int) -> None:
    """The order of two combinations makes no difference, so the second is at the same property or a later one."""
    for second in range(first, PROPERTIES):
        sets = accepted(s, second)
        dice = 1
        while sets:
            if sets & 1:
                room.tables[2] = s
                t = room.tables[2]
                assign(t, second, dice)
                _note(e, t, room, again, (before, dice, first, second))
            dice += 1
            sets >>= np.int64(1)


@kernel
def _note(e: Any, s: Any, room: Any, again: int, used: Any) -> None:
    value = evaluate(e, s, 0, s.time[0] + s.dice[GREEN_DIE])
    pair = used[2] * (PROPERTIES + 1) + used[3]
    b = room.best[pair]
    if room.found[pair] and b.value >= value:
        return
    room.found[pair] = True
    b.again = again
    b.value = value
    for i in range(2):
        b.dice[i] = used[i]
        b.numbers[i] = used[2 + i]


@kernel
def play_turn(s: Any, turn: Any, actions: Any) -> int:
    """Play a listed turn action by action; writes the actions and returns how many."""
    n = 0
    if turn.again:
        n = _act(s, REROLL_DICE + turn.again - 1, actions, n)
    for i in range(2):
        if turn.dice[i]:
            n = _act(s, TAKE_DICE + turn.dice[i] - 1, actions, n)
            n = _act(s, ASSIGN + turn.numbers[i], actions, n)
            if turn.numbers[i] == NEWMAN:
                n = _act(s, NEWMAN_LEAF + s.dice[GREEN_DIE] - 1, actions, n)
    if turn.dice[1] == 0:
        n = _act(s, PASS, actions, n)
    return n


@kernel
def _act(s: Any, action: int, actions: Any, n: int) -> int:
    actions[n] = action
    apply(s, action)
    return n + 1


# ---- The beam ------------------------------------------------------------------------------------------------------


def search(width: int, evaluation: Evaluation) -> tuple[int, list[int]]:
    """The best score found and the actions that lead to it."""
    start = np.zeros(1, STATE)
    deal(start[0], DETERMINISTIC_CONFIG, np.uint64(0))
    room = Room(np.zeros(3, STATE), np.zeros(PAIRS, TURN), np.zeros(PAIRS, np.bool_))
    turns = np.zeros(MOST_TURNS, TURN)
    # By time used: states, and for each the actions that led there.
    layers: dict[int, list[tuple[float, bytes, list[int]]]] = {0: [(0.0, start.tobytes(), [])]}
    best: tuple[int, list[int]] = (-1, [])
    for clock in range(TIME):
        if best[0] == MOST_MONEY:
            break
        kept: dict[bytes, tuple[float, bytes, list[int]]] = {}
        for entry in sorted(layers.pop(clock, []), key=lambda one: -one[0]):
            kept.setdefault(entry[1], entry)  # of equal sheets the first
            if len(kept) == width:
                break
        for _, raw, actions in kept.values():
            state = np.frombuffer(bytearray(raw), STATE)
            for turn in turns[: list_turns(evaluation, state[0], room, turns, 0)]:
                after, made = state.copy(), np.zeros(8, np.int32)
                n = play_turn(after[0], turn, made)
                path = [*actions, *made[:n].tolist()]
                if after[0].end:
                    best = max(best, (int(money(after[0], 0)), path))
                    continue
                after[0].ply = after[0].turn = 0  # how it came about is no part of what a sheet is
                layers.setdefault(int(after[0].time[0]), []).append((float(turn.value), after.tobytes(), path))
    return best


@cache
def plan(width: int) -> tuple[int, list[int]]:
    weights = {param.name: float(param.default) for param in WEIGHTS}
    return search(width, make_evaluation(False, **weights))


class Planner(Forgetful):
    """Plans before its first move, and then follows the plan."""

    def __init__(self, variant: Variant, width: int) -> None:
        if variant.name != "deterministic":
            raise MeepleError(f"planner plays rake:deterministic only, whose dice are known; those of {variant.spec} are not.")
        self.width = width

    def choose(self, seen: Seen) -> int:
        _, actions = plan(self.width)
        return actions[seen.ply]

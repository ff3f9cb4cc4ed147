"""The thesis's macro-actions (5.4.2) as a view of the same game: planning, questing and defence are one action each, which plays
small decisions by a simple order. Travel, the hero that is hit and attack stay as they are.

 155  plan cheapest                      162  quest all                         169  guard all
 156-161  plan by 1.0, 0.8 ... 0.0       163-167  quest by 1.0 ... 0.2          170  guard all but one
                                         168  quest by least defence            171  guard by least willpower
                                                                                172  guard nobody

A number is the weight of willpower against defence. Planning buys, as long as something can be paid for, what has most of the
weighted sum for its cost. Questing commits the highest first, up to the threat of the staging area. Guards meet the strongest enemy
with the strongest character. The thesis gives the formula and its six weights; the rest is as in its program, without its slips.
One of them can be asked for, `decisions=macro-zero`: there, questing by a weight commits characters whose willpower does not count.
Only some of the three phases may be decided so (`decisions=macro-questing`), the others card by card, as in the thesis's tables.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from meeple.core.kernel import kernel
from meeple.games.lotr import rules
from meeple.games.lotr.actions import ACTIONS, BUY, COMMIT, DEFEND, STOP, UNDEFENDED
from meeple.games.lotr.combat import ready_characters
from meeple.games.lotr.components import ALLIES, CARD_OF, CHARACTERS, COST, DEFENCE, ENEMY_ATTACK, HEROES, HIT_POINTS, WILLPOWER
from meeple.games.lotr.rounds import affordable, staging_threat
from meeple.games.lotr.state import (
    DEFENDING,
    MACRO_DEFENCE,
    MACRO_PLANNING,
    MACRO_QUESTING,
    NO_STANCE,
    NOBODY,
    PLANNING,
    QUESTING,
    ZERO,
)

STEPS = 6  # weights from 1 to 0
PLAN = ACTIONS
QUEST = PLAN + 1 + STEPS
GUARD = QUEST + 1 + STEPS
ACTIONS_MACRO = GUARD + 4

ALL_IN, LEAST_DEFENCE = 0, STEPS  # ways to quest; between them the weights
GUARD_ALL, GUARD_BUT_ONE, GUARD_LEAST_WILLPOWER, GUARD_NOBODY = 0, 1, 2, 3  # ways to guard

_WEIGHTS = tuple(f"{1 - step / (STEPS - 1):.1f}" for step in range(STEPS))
NAMES = (
    "plan cheapest",
    *(f"plan by {weight}" for weight in _WEIGHTS),
    "quest all",
    *(f"quest by {weight}" for weight in _WEIGHTS[:-1]),
    "quest by least defence",
    "guard all",
    "guard all but one",
    "guard by least willpower",
    "guard nobody",
)


@kernel
def by_macros(s: Any) -> bool:
    """Is what is decided now decided by a macro-action?"""
    bit = MACRO_PLANNING if s.phase == PLANNING else MACRO_QUESTING if s.phase == QUESTING else MACRO_DEFENCE
    return s.macro & bit != 0 and s.phase in (PLANNING, QUESTING, DEFENDING)


@kernel
def legal(s: Any, out: Any) -> int:
    if not by_macros(s):
        return rules.legal(s, out)
    first = PLAN if s.phase == PLANNING else (QUEST if s.phase == QUESTING else GUARD)
    n = 4 if s.phase == DEFENDING else 1 + STEPS
    for i in range(n):
        out[i] = first + i
    return n


@kernel
def apply(s: Any, action: int) -> None:
    if action < PLAN:
        rules.apply(s, action)
    elif action < QUEST:
        _plan(s, action - PLAN)
    elif action < GUARD:
        _quest(s, action - QUEST)
    else:
        s.stance = action - GUARD
    if s.macro:
        _guard(s)


@kernel
def kind(s: Any, action: int) -> int:
    """A macro-action is of the kind of what it plays."""
    if action < PLAN:
        return rules.kind(s, action)
    if action < GUARD:
        return rules.kind(s, BUY if action < QUEST else COMMIT)
    return rules.kind(s, UNDEFENDED if action == GUARD + GUARD_NOBODY else DEFEND)


@kernel
def _weighted(card: int, choice: int) -> float:
    """Willpower and defence of a card, by the weight of a choice from 1 to STEPS."""
    weight = 1 - (choice - 1) / (STEPS - 1)
    return weight * WILLPOWER[card] + (1 - weight) * DEFENCE[card]  # type: ignore[no-any-return]


@kernel
def _plan(s: Any, choice: int) -> None:
    """Planning ends by itself when nothing more can be paid for."""
    turn = s.turn
    while s.phase == PLANNING and s.turn == turn:
        best = NOBODY
        most = -1.0
        for ally in range(ALLIES):
            worth = (1.0 if choice == 0 else _weighted(HEROES + ally, choice)) / COST[ally]
            if affordable(s, ally) and worth > most:
                best, most = ally, worth
        rules.apply(s, BUY + best)


@kernel
def _quest(s: Any, choice: int) -> None:
    """When the last one is committed the quest resolves itself, and the game goes on."""
    lost = s.macro & ZERO != 0 and choice not in (ALL_IN, LEAST_DEFENCE)
    committed = 0
    while choice == ALL_IN or committed < staging_threat(s):
        best = NOBODY
        most = -99.0
        for character in range(CHARACTERS):
            card = CARD_OF[character]
            value = -float(DEFENCE[card]) if choice == LEAST_DEFENCE else _weighted(card, max(1, choice))
            if s.ready[character] > 0 and value > most:
                best, most = character, value
        last = ready_characters(s) == 1
        committed += WILLPOWER[CARD_OF[best]]
        if lost:
            s.willpower -= WILLPOWER[CARD_OF[best]]  # which committing adds: nothing is left of it when the quest resolves
        rules.apply(s, COMMIT + best)
        if last:
            return
    rules.apply(s, STOP)


@kernel
def _guard(s: Any) -> None:
    """Go on defending as was decided, until a hero to hit has to be chosen or the defence is over."""
    turn = s.turn
    while s.stance != NO_STANCE and s.phase == DEFENDING and s.turn == turn and s.end == 0:
        stronger = 0  # enemies still to come that are stronger than this one
        for place in range(s.attacker + 1, s.engaged_count):
            if ENEMY_ATTACK[s.engaged[place]] > ENEMY_ATTACK[s.engaged[s.attacker]]:
                stronger += 1
        guards = min(ready_characters(s), s.engaged_count - s.attacker)
        if s.stance == GUARD_NOBODY or (s.stance == GUARD_BUT_ONE and stronger >= guards - 1):
            if s.stance == GUARD_BUT_ONE:
                s.stance = GUARD_ALL  # the one has passed
            rules.apply(s, UNDEFENDED)
        else:
            rules.apply(s, DEFEND + _guardian(s, stronger))
    if s.phase == PLANNING or s.phase == QUESTING or s.turn != turn:
        s.stance = NO_STANCE


@kernel
def _guardian(s: Any, before: int) -> int:
    """The strongest character when so many are kept for stronger enemies; where there are not so many, the last one."""
    kept = np.zeros(CHARACTERS, np.int64)
    best = NOBODY
    for _ in range(min(before + 1, ready_characters(s))):
        best = NOBODY
        most = -99
        for character in range(CHARACTERS):
            if s.ready[character] > kept[character] and _strength(s, character) > most:
                best, most = character, _strength(s, character)
        kept[best] += 1
    return best


@kernel
def _strength(s: Any, character: int) -> int:
    card = CARD_OF[character]
    return -WILLPOWER[card] if s.stance == GUARD_LEAST_WILLPOWER else DEFENCE[card] + HIT_POINTS[card]  # type: ignore[no-any-return]

"""What Rake&Roll tells a search: every action by the best plan of this turn that begins with it, the table by the best of them.

All is counted in points of the final score, as the evaluation of `foresight` expects them; where there is something to win, logits
are log-odds.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.game import Variant
from meeple.core.guide import kernel_guide
from meeple.core.kernel import kernel
from meeple.games.rake.actions import ASSIGN, NEWMAN_LEAF, PASS, SIMPLE_PASS, SIMPLE_PROPERTY, TAKE_DICE
from meeple.games.rake.before import make_keeps, worth_before
from meeple.games.rake.components import COLOURS, GREEN_DIE, NEWMAN, PROPERTIES, SUBSETS
from meeple.games.rake.evaluation import WEIGHTS, evaluate
from meeple.games.rake.lookahead import Lookahead, best_combination, make_foresight, make_lookahead, plan
from meeple.games.rake.reroll import expect_rerolls, find_gains
from meeple.games.rake.rules import apply
from meeple.games.rake.state import ACORN, REROLL, SIMPLE, TAKE

# Points that a unit of log-odds needs: at the end, and more by the root of the turns left. Fitted to 250 games of `lookahead` at
# official-2.
SURE, UNSURE = 2.0, 9.0


class Raker(NamedTuple):
    lookahead: Lookahead
    takes: NDArray[np.float64]  # (set of dice,) best plan that begins with it
    sections: NDArray[np.float64]  # (property,) the same with the dice that are taken
    keeps: NDArray[Any]  # (1,) KEEPS, for the worth of a table before the dice fall


@kernel
def advise(guide: Any, s: Any, actions: Any, n: int, logits: Any, values: Any) -> None:
    if s.mode == SIMPLE:
        _advise_simple(guide.lookahead, s, actions, n, logits)
    elif s.phase == ACORN:
        for i in range(n):
            logits[i] = _after_acorn(guide.lookahead, s, actions[i])
    else:
        _advise_turn(guide, s, actions, n, logits)
    best = -np.inf
    for i in range(n):
        best = max(best, logits[i])
    if s.seats == 1:
        values[0] = best
    else:
        heat = share_out(guide.lookahead.evaluation, s, best, values)
        for i in range(n):
            logits[i] /= heat


@kernel
def _advise_simple(me: Any, s: Any, actions: Any, n: int, logits: Any) -> None:
    r = me.desk[0]
    green = int(s.dice[GREEN_DIE]) - 1
    find_gains(r, me.evaluation, s, me.tables, green)
    for i in range(n):
        logits[i] = r.bases[green]
        if actions[i] != SIMPLE_PASS:
            logits[i] += r.gains[green, SIMPLE_PROPERTY[actions[i]], 0]


@kernel
def _advise_turn(guide: Any, s: Any, actions: Any, n: int, logits: Any) -> None:
    me = guide.lookahead
    if s.phase == REROLL:
        expect_rerolls(me, s)
    hoped = me.desk[0].hoped
    note_plans(guide, s)
    for i in range(n):
        action = actions[i]
        if action < TAKE_DICE:
            logits[i] = hoped[action + 1]
        elif action < ASSIGN:
            logits[i] = guide.takes[action - TAKE_DICE + 1]
        elif action == PASS:
            logits[i] = evaluate(me.evaluation, s, s.seat, s.time[s.seat] + s.dice[GREEN_DIE])
        elif action < PASS:
            logits[i] = guide.sections[NEWMAN if action >= NEWMAN_LEAF else action - ASSIGN]
        else:
            logits[i] = _after_bump(me, s, action)


@kernel
def note_plans(guide: Any, s: Any) -> None:
    """The best plan for each set of dice, and for each property with the dice that are taken."""
    me = guide.lookahead
    for dice in range(SUBSETS + 1):
        guide.takes[dice] = -np.inf
    for number in range(PROPERTIES):
        guide.sections[number] = -np.inf
    for i in range(plan(me, s)):
        guide.takes[me.sets[i]] = max(guide.takes[me.sets[i]], me.plans[i])
        if me.sets[i] == s.taken:
            guide.sections[me.numbers[i]] = me.plans[i]


@kernel
def _after_bump(me: Any, s: Any, action: int) -> float:
    """To bump and then to roll again is no plan: bumps can wait for the dice."""
    me.tables[2] = s
    t = me.tables[2]
    apply(t, action)
    return best_combination(me, t, 0)[1]


@kernel
def _after_acorn(me: Any, s: Any, action: int) -> float:
    """With the second combination, if there is still one to come. The clock runs on at the end of the turn."""
    me.tables[2] = s
    t = me.tables[2]
    apply(t, action)
    if t.turn != s.turn:
        return evaluate(me.evaluation, t, s.seat, t.time[s.seat])
    if t.phase == TAKE:
        return best_combination(me, t, 0)[1]
    return evaluate(me.evaluation, t, s.seat, s.time[s.seat] + s.dice[GREEN_DIE])


@kernel
def share_out(e: Any, s: Any, best: float, values: Any) -> float:
    """Shares of the win, from what each seat's sheet is expected to come to; returns the points that a unit of log-odds needs: the
    further the end, the less a lead means."""
    clock = 0
    for seat in range(s.seats):
        clock = max(clock, s.time[seat])
    heat = SURE + UNSURE * np.sqrt(max(0, s.time_limit - clock) / e.pace)
    pending = 0.0
    for colour in range(COLOURS):
        pending += e.acorn * s.acorns[colour]  # whose turn it is places them
    most = best
    for seat in range(s.seats):
        values[seat] = best if seat == s.seat else evaluate(e, s, seat, s.time[seat]) - pending
        most = max(most, values[seat])
    total = 0.0
    for seat in range(s.seats):
        values[seat] = np.exp((values[seat] - most) / heat)
        total += values[seat]
    for seat in range(s.seats):
        values[seat] /= total
    return heat  # type: ignore[no-any-return]


@kernel
def before_luck(guide: Any, s: Any, values: Any) -> bool:
    """Before the dice of the turn fell."""
    worth = worth_before(guide.lookahead, guide.keeps[0], s)
    if s.seats == 1:
        values[0] = worth
    else:
        share_out(guide.lookahead.evaluation, s, worth, values)
    return True


kernel_guide(Raker, advise, before_luck)


def make_guide(variant: Variant) -> Raker:
    return guide_by(make_foresight(variant))


def make_guide_2026(variant: Variant) -> Raker:
    """By the evaluation of `lookahead`, which was all there was."""
    return guide_by(make_lookahead(variant, **{param.name: float(param.default) for param in WEIGHTS}))


def guide_by(lookahead: Lookahead) -> Raker:
    return Raker(lookahead, np.zeros(SUBSETS + 1), np.zeros(PROPERTIES), make_keeps())

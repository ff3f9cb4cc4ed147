"""What Jaipur tells a search: every turn by the evaluation of the table it leaves behind, the table by its best turn."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.game import Variant
from meeple.core.guide import kernel_guide
from meeple.core.kernel import kernel
from meeple.games.jaipur.actions import CHOOSE, EXCHANGE_GIVEN, EXCHANGE_TAKEN, MAX_LEGAL, SET_HIERARCHICAL
from meeple.games.jaipur.components import CAMEL, GOODS, MARKET_SIZE
from meeple.games.jaipur.evaluation import (
    CAMEL_TOKEN_TERM,
    COMFORTABLE_HAND,
    CROWD,
    HAND,
    HERD,
    MARKET_CAMELS,
    MARKET_MINE,
    MARKET_WANTED,
    SPREAD,
    Evaluation,
    evaluate,
    make_evaluation,
    share_left,
    turn_back,
)
from meeple.games.jaipur.multisets import MULTISETS, SIZE
from meeple.games.jaipur.rules import apply, part, round_winner
from meeple.games.jaipur.state import NOBODY, STATE
from meeple.games.jaipur.turns import first_exchange, list_turns, next_step

SURE = 50.0  # log-odds of a round that is won
SEALS = 2


class Merchant(NamedTuple):
    evaluation: Evaluation
    table: NDArray[Any]  # (1,) after a turn
    turns: NDArray[np.int32]  # whole turns, where an action is only half of one
    # What an exchange changes, in log-odds: nine in ten actions are exchanges, and these need not be made to be valued.
    change: NDArray[np.float64]  # (good, n) if the hand gets n - 5 more cards of a good and the market as many fewer
    camels: NDArray[np.float64]  # (n,) if n camels are given


@kernel
def advise(guide: Any, s: Any, actions: Any, n: int, logits: Any, values: Any) -> None:
    best = -SURE
    if s.action_set == SET_HIERARCHICAL and s.chosen == 0:
        best = _advise_kinds(guide, s, actions, n, logits)
    else:
        first = first_exchange(s)
        now = 0.0
        noted = False
        for i in range(n):
            if actions[i] < first:
                logits[i] = value_after(guide, s, actions[i])
            else:
                if not noted:
                    now = note_changes(guide, s)
                    noted = True
                logits[i] = now + change_by(guide, actions[i] - first)
            best = max(best, logits[i])
    win = 1.0 / (1.0 + np.exp(-best))
    if s.match:
        win = _match(s, win)
    values[s.seat] = win
    values[1 - s.seat] = 1.0 - win


@kernel
def value_after(guide: Any, s: Any, action: int) -> float:
    """Log-odds of the mover to win the round after a turn, before the market is refilled."""
    guide.table[0] = s
    t = guide.table[0]
    part(t)  # else a new round would be dealt
    apply(t, action)
    if t.end > 0:
        winner = round_winner(t)
        return 0.0 if winner == NOBODY else (SURE if winner == s.seat else -SURE)
    turn_back(t, s)
    return evaluate(guide.evaluation, t)


@kernel
def note_changes(guide: Any, s: Any) -> float:
    """Write down what moving cards between hand and market changes; returns the log-odds of the mover if nothing is moved."""
    e = guide.evaluation
    seat = s.seat
    s.seat = 1 - seat
    now = evaluate(e, s)
    s.seat = seat
    left = share_left(s)
    scale = 1.0 / (SPREAD[0] * left + SPREAD[1] * (1 - left))
    own = 0
    for good in range(GOODS):
        own += s.hand[seat, good]
        before = _good(e, s, good, 0, left)
        for more in range(-min(s.hand[seat, good], MARKET_SIZE), s.market[good] + 1):
            guide.change[good, more + MARKET_SIZE] = scale * (_good(e, s, good, more, left) - before)
    before = _camels(e, s, own, 0, left)
    for given in range(min(s.herd[seat], MARKET_SIZE) + 1):
        guide.camels[given] = scale * (_camels(e, s, own, given, left) - before)
    return now


@kernel
def _good(e: Any, s: Any, good: int, more: int, left: float) -> float:
    """All that the evaluation says of one good, with `more` cards of it moved from the market to the hand."""
    seat = s.seat
    tokens = s.tokens_left[good]
    mine = s.hand[seat, good] + more
    theirs = s.hand[1 - seat, good]
    cards = s.market[good] - more
    wanted = left * e.weights[0, MARKET_WANTED] + (1 - left) * e.weights[1, MARKET_WANTED]
    wanted_too = left * e.weights[0, MARKET_MINE] + (1 - left) * e.weights[1, MARKET_MINE]
    value = left * (e.goods[0, good, tokens, mine, theirs] + e.market[0, good, tokens, cards])
    value += (1 - left) * (e.goods[1, good, tokens, mine, theirs] + e.market[1, good, tokens, cards])
    return value + cards * (wanted * min(theirs, 4) + wanted_too * min(mine, 4))  # type: ignore[no-any-return]


@kernel
def _camels(e: Any, s: Any, own: int, given: int, left: float) -> float:
    """The same of camels: `given` of them go to the market, and as many cards more are in the hand."""
    herds = s.herd[s.seat] - given - s.herd[1 - s.seat]
    held = own + given
    value = 0.0
    for phase in range(2):
        w = e.weights[phase]
        terms = w[HERD] * herds + w[CAMEL_TOKEN_TERM] * np.sign(herds) + w[HAND] * held
        terms += w[CROWD] * max(0, held - COMFORTABLE_HAND) + w[MARKET_CAMELS] * (s.market[CAMEL] + given)
        value += (left if phase == 0 else 1 - left) * terms
    return value


@kernel
def change_by(guide: Any, exchange: int) -> float:
    taken = EXCHANGE_TAKEN[exchange]
    given = EXCHANGE_GIVEN[exchange]
    value = guide.camels[SIZE[taken] - SIZE[given]]
    for good in range(GOODS):
        value += guide.change[good, MULTISETS[taken, good] - MULTISETS[given, good] + MARKET_SIZE]
    return value  # type: ignore[no-any-return]


@kernel
def _advise_kinds(guide: Any, s: Any, actions: Any, n: int, logits: Any) -> float:
    """A kind of action is as good as the best turn of that kind."""
    best = -SURE
    for i in range(n):
        logits[i] = -SURE
    guide.table[0] = s
    for k in range(list_turns(s, guide.turns)):
        step = next_step(s, guide.turns[k])
        value = value_after_kind(guide, s, guide.turns[k], step)
        best = max(best, value)
        for i in range(n):
            if actions[i] == step:
                logits[i] = max(logits[i], value)
    return best


@kernel
def value_after_kind(guide: Any, s: Any, turn: int, step: int) -> float:
    """A whole turn, made in two steps where there are two."""
    if step < CHOOSE:
        return value_after(guide, s, turn)
    chosen = s.chosen
    s.chosen = step - CHOOSE + 1
    value = value_after(guide, s, turn)
    s.chosen = chosen
    return value


@kernel
def _match(s: Any, win: float) -> float:
    """The chance to win the match, if further rounds are even."""
    mine = s.seals[s.seat]
    theirs = s.seals[1 - s.seat]
    if mine == SEALS - 1 and theirs == SEALS - 1:
        return win
    if mine == SEALS - 1:
        return win + (1.0 - win) * 0.5
    if theirs == SEALS - 1:
        return win * 0.5
    return 0.25 + 0.5 * win


kernel_guide(Merchant, advise)


def make_guide(variant: Variant) -> Merchant:  # noqa: ARG001
    return Merchant(
        make_evaluation(),
        np.zeros(1, STATE),
        np.zeros(MAX_LEGAL + 1, np.int32),
        np.zeros((GOODS, 2 * MARKET_SIZE + 1)),
        np.zeros(MARKET_SIZE + 1),
    )

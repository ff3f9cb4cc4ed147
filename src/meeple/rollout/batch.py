"""Many games side by side, stepped in one compiled call into arrays that their owner allocates once.

Either the caller decides for every seat, or for one seat of each game, the learner's (perhaps only in some phases). Then opponents
decide the rest inside the call, each shown a redealt copy. Where a game ends, the next one is dealt at once; its last
scores, outcome and observations stay readable until the next step. Dense masks are made only when asked for: the first `count`
actions of a row of `legal` are what may be done.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.agent import choose, kernel_agent
from meeple.core.game import MAX_SEATS, Variant
from meeple.core.kernel import kernel
from meeple.core.rng import OPPONENTS, REDEALT, derive, draw
from meeple.core.verbs import apply, deal, earned, legal, observe, outcome, phase, redeal, scores
from meeple.rollout.rewards import EARNED, POINTS, SIGNALS, at_the_end

EVERY_SEAT, ALTERNATE = -1, -2  # as the learner's seat: all of them; another one each game
EVERY_PHASE = -1
FORFEIT = -1  # as the reason of an end: the learner's action was not legal
DEAL, WAIT = -1_000_003, -1_000_004  # special orders in place of an action; numbers that no caller passes by mistake
MOST_DEALS = 1000  # in one step; a learner that had no decision in so many games never will
NEVER = -(1 << 40)  # what a kernel returns then


# What a game of a batch keeps beside its state. A record, so that kernels hand it on as one pointer: a dozen arrays handed on
# at every call cost more than a step of Jaipur.
SLOT = np.dtype(
    (
        np.record,
        [
            ("count", "i4"),  # legal actions
            ("seat", "i1"),  # the seat to move
            ("ended", "i1"),  # why the game before this one ended in the last step, or 0
            ("learner", "i1"),  # the seat that the caller decides for, or EVERY_SEAT
            ("decided", "i1"),  # has the learner had a decision in this game?
            ("place", "i8"),  # its number in the batch
            ("dealt", "i8"),  # games dealt so far in this place
            ("seed", "u8"),  # what DEAL deals from
            ("stream", "u8", (1,)),  # the opponents' luck
            ("actor", "i1"),  # the seat that acted in the last step
            ("reward", "f8"),  # what that seat was paid for it
            ("rewards", "f8", (MAX_SEATS,)),  # what every seat was paid; with opponents only the learner's counts
            ("paid", "f8", (MAX_SEATS,)),  # points for which each seat was paid already
            ("points", "f8", (MAX_SEATS,)),  # room for scores
            ("scores", "f8", (MAX_SEATS,)),  # of the game that ended
            ("outcome", "f8", (MAX_SEATS,)),
        ],
    )
)

# What does not change from step to step.
PLAN = np.dtype(
    (
        np.record,
        [
            ("seed", "u8"),
            ("level", "i8"),  # of the observations
            ("seats", "i8"),
            ("seat", "i8"),  # the learner's, or EVERY_SEAT or ALTERNATE
            ("phases", "i8"),  # a bit for each phase that the learner decides, or EVERY_PHASE
            ("places", "i8"),  # games side by side
            ("weights", "f8", (len(SIGNALS),)),  # of the reward
            ("cut_off", "i1", (128,)),  # which ends are truncations
            ("again", "i1"),  # deal the next game where one ended?
            ("lenient", "i1"),  # does an illegal action forfeit the game, or is it refused?
            ("inside", "i1"),  # can the opponents be asked inside?
        ],
    )
)


class Arrays(NamedTuple):
    """What a step reads and writes; n games."""

    states: NDArray[Any]  # (n,)
    slots: NDArray[Any]  # (n,) of SLOT
    observations: NDArray[np.float32]  # (n, size of the level), of the seat to move
    legal: NDArray[np.int32]  # (n, room for the most legal actions)
    final: NDArray[np.float32]  # (n, seats, size of the level) what was last seen of a game that ended: by all, or by the learner
    shown: NDArray[Any]  # (1,) the redealt copy that an opponent is shown
    scratch: NDArray[np.int32]  # (room,) for its legal actions, which are no learner's to read
    config: NDArray[np.int64]  # the variant


class Nobody(NamedTuple):
    """Stands for the opponent where there is none; never asked."""

    nothing: int = 0


@kernel
def _first_legal(me: Any, s: Any, stream: Any, out: Any) -> int:  # noqa: ARG001
    legal(s, out)
    return out[0]  # type: ignore[no-any-return]


kernel_agent(Nobody, _first_legal)


def make_arrays(variant: Variant, games: int, level: int = 0) -> Arrays:
    """Room for so many games."""
    made = {name: np.zeros(shape, dtype) for name, (shape, dtype) in layout(variant, games, level).items()}
    arrays = Arrays(**made, config=variant.config)
    arrays.slots["place"] = np.arange(games)
    return arrays


def layout(variant: Variant, games: int, level: int = 0) -> dict[str, tuple[tuple[int, ...], Any]]:
    """Shape and type of every array but the variant's own."""
    size, room, state = variant.shape.levels[level].size, variant.shape.room, variant.empty().dtype
    return {
        "states": ((games,), state),
        "slots": ((games,), SLOT),
        "observations": ((games, size), np.dtype(np.float32)),
        "legal": ((games, room), np.dtype(np.int32)),
        "final": ((games, variant.shape.seats, size), np.dtype(np.float32)),
        "shown": ((1,), state),
        "scratch": ((room,), np.dtype(np.int32)),
    }


@kernel
def advance(arrays: Any, orders: Any, plans: Any, agent: Any) -> int:
    """One step of every game: orders[i] is the action of the seat to move in game i, or DEAL, or WAIT. Each game runs to the next
    decision of the caller; returns how many games wait for an opponent that is asked in Python.

    An illegal action of a learner in game i gives -1 - i, and no game changes. One kernel does it all, since every kernel
    that may ask an opponent is compiled for every opponent.
    """
    states, slots, legal_lists, plan = arrays.states, arrays.slots, arrays.legal, plans[0]
    if not plan.lenient:
        for i in range(states.size):
            asked = orders[i] != DEAL and orders[i] != WAIT and not _waits(states[i], slots[i], plan)
            if asked and not _listed(legal_lists[i], slots[i].count, orders[i]):
                return -1 - i
    waiting = 0
    for i in range(states.size):
        if orders[i] == WAIT:
            continue
        s, slot, final, config = states[i], slots[i], arrays.final[i], arrays.config
        if orders[i] == DEAL:
            _open_step(s, slot, plan)
            _deal(s, slot, plan, config, slot.seed)
        elif _waits(s, slot, plan):  # an opponent's answer from outside: the learner's step is not over yet
            _ply(s, slot, orders[i], plan, config, final)
        else:
            _open_step(s, slot, plan)
            slot.decided = 1
            if plan.lenient and not _listed(legal_lists[i], slot.count, orders[i]):
                _forfeit(s, slot, plan, config, final)
            else:
                _ply(s, slot, orders[i], plan, config, final)
        before = slot.dealt
        while plan.inside and _waits(s, slot, plan):
            arrays.shown[0] = s
            redeal(arrays.shown[0], s.seat, derive(slot.stream[0], REDEALT))
            _ply(s, slot, choose(agent, arrays.shown[0], slot.stream, arrays.scratch), plan, config, final)
            if slot.dealt - before > MOST_DEALS:
                return NEVER
        if _waits(s, slot, plan):
            waiting += 1
        else:
            _close_step(s, slot, plan)
            if s.end == 0:
                slot.count = legal(s, legal_lists[i])
                observe(s, s.seat, plan.level, arrays.observations[i])
    return waiting


@kernel
def _waits(s: Any, slot: Any, plan: Any) -> bool:
    """Does an opponent decide now, or the agent for the learner's other phases?"""
    if s.end != 0 or slot.learner < 0:
        return False
    if s.seat != slot.learner:
        return True
    return plan.phases != EVERY_PHASE and ((plan.phases >> phase(s)) & 1) == 0  # type: ignore[no-any-return]


@kernel
def find_waiting(arrays: Any, plans: Any, found: Any) -> int:
    """Write the numbers of the games that wait for an agent asked in Python; returns how many."""
    n = 0
    for i in range(arrays.states.size):
        if _waits(arrays.states[i], arrays.slots[i], plans[0]):
            found[n] = i
            n += 1
    return n


@kernel
def _listed(legal_list: Any, count: int, action: int) -> bool:
    for j in range(count):
        if legal_list[j] == action:
            return True
    return False


@kernel
def _open_step(s: Any, slot: Any, plan: Any) -> None:
    slot.ended = 0
    slot.actor = s.seat
    for seat in range(plan.seats):
        slot.rewards[seat] = 0.0


@kernel
def _close_step(s: Any, slot: Any, plan: Any) -> None:
    """Pay the learner up to its next decision; what happens before its first one in a new game is paid with the next step."""
    if slot.ended == 0 and slot.learner >= 0 and slot.decided != 0:
        _pay_points(s, slot, plan, slot.learner, slot.learner + 1)
    slot.reward = slot.rewards[slot.actor]
    slot.seat = s.seat
    slot.count = 0


@kernel
def _ply(s: Any, slot: Any, action: int, plan: Any, config: Any, final: Any) -> None:
    # A step may end one game and open the next, where others move first: what they earn there belongs to nobody's last game.
    if plan.weights[EARNED] != 0.0 and (slot.learner < 0 or (s.seat == slot.learner and slot.decided != 0)):
        slot.rewards[s.seat] += plan.weights[EARNED] * earned(s, action)
    apply(s, action)
    if s.end != 0:
        _finish(s, slot, plan, config, final)
    elif slot.learner < 0:
        _pay_points(s, slot, plan, 0, plan.seats)


@kernel
def _finish(s: Any, slot: Any, plan: Any, config: Any, final: Any) -> None:
    """Pay for the end and deal the next game. A game that ended before its learner had a decision is discarded."""
    if slot.learner < 0 or slot.decided != 0:
        slot.ended = s.end
        scores(s, slot.scores)
        outcome(s, slot.outcome)
        _pay_points(s, slot, plan, 0, plan.seats)
        for seat in range(plan.seats):
            slot.rewards[seat] += at_the_end(plan, slot, seat, plan.cut_off[s.end] != 0)
        _look_back(s, slot, plan, final)
        if not plan.again:
            return
    _deal_next(s, slot, plan, config)


@kernel
def _forfeit(s: Any, slot: Any, plan: Any, config: Any, final: Any) -> None:
    """An illegal action: the game is over, and the seat that chose it is paid -1. Scores are as they stood; the others have won."""
    slot.ended = FORFEIT
    scores(s, slot.scores)
    for seat in range(plan.seats):
        slot.outcome[seat] = 0.0 if seat == s.seat else 1.0 / (plan.seats - 1)
    slot.rewards[s.seat] = -1.0
    _look_back(s, slot, plan, final)
    if plan.again:
        _deal_next(s, slot, plan, config)


@kernel
def _look_back(s: Any, slot: Any, plan: Any, final: Any) -> None:
    """What a game showed last to its learner, or to every seat where all are stepped."""
    for seat in range(plan.seats):
        if slot.learner < 0 or slot.learner == seat:
            observe(s, seat, plan.level, final[seat])


@kernel
def _pay_points(s: Any, slot: Any, plan: Any, first: int, last: int) -> None:
    """Pay seats first to last - 1 what their points have changed since they were paid last."""
    if plan.weights[POINTS] != 0.0:
        scores(s, slot.points)
        for seat in range(first, last):
            slot.rewards[seat] += plan.weights[POINTS] * (slot.points[seat] - slot.paid[seat])
            slot.paid[seat] = slot.points[seat]


@kernel
def _deal_next(s: Any, slot: Any, plan: Any, config: Any) -> None:
    _deal(s, slot, plan, config, derive(plan.seed, slot.dealt * plan.places + slot.place))


@kernel
def _deal(s: Any, slot: Any, plan: Any, config: Any, seed: Any) -> None:
    deal(s, config, seed)
    scores(s, slot.paid)
    slot.stream[0] = derive(seed, OPPONENTS)
    slot.learner = (slot.place + slot.dealt) % plan.seats if plan.seat == ALTERNATE else plan.seat
    slot.decided = 0
    slot.dealt += 1


@kernel
def choose_uniformly(arrays: Any, stream: Any, actions: Any) -> None:
    """A random legal action for each game."""
    for i in range(actions.size):
        actions[i] = arrays.legal[i, draw(stream, arrays.slots[i].count)]


@kernel
def write_masks(arrays: Any, masks: Any) -> None:
    """A dense row for each game: 1 where an action is legal."""
    masks[:] = 0
    for i in range(arrays.slots.size):
        for j in range(arrays.slots[i].count):
            masks[i, arrays.legal[i, j]] = 1

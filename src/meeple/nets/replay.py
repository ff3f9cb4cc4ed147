"""Replay: decisions of many games in one ring, each with what its seat was paid until its own next decision, and where that one is.

Nothing is stored twice: the next position of a transition is the observation and the legal list of the decision it leads to.
Decisions are numbered from the first; decision k lies at k % capacity. The legal lists have a ring of their own; where it is
full before the other, the oldest decisions are forgotten earlier.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.kernel import kernel
from meeple.core.rng import draw, uniform
from meeple.nets.sumtree import find_place, make_tree, set_priority

END, OPEN = -1, -2  # instead of a next decision: the game ended; it is not known yet
HEAD, TAIL, USED, READY, SECOND = range(5)  # numbers: the next decision's, the oldest's, of the lists, complete ones, of `second`
FULL_TRIES = 10_000


class Replay(NamedTuple):
    """The rings. All of it belongs into a checkpoint."""

    observations: NDArray[np.float32]  # (capacity, inputs)
    starts: NDArray[np.int64]  # (capacity,) of the legal list in ids
    counts: NDArray[np.int32]  # (capacity,)
    acted: NDArray[np.int64]  # (capacity,) where in ids the action is that was taken
    rewards: NDArray[np.float32]  # (capacity,) of the seat that decided, until its next decision
    following: NDArray[np.int64]  # (capacity,) number of that decision, END or OPEN
    begun: NDArray[np.int64]  # (capacity,) how much of all lists was used before this one, to know when it is overwritten
    ids: NDArray[np.int32]  # (room,)
    last: NDArray[np.int64]  # (games, seats) number of each seat's last decision, or -1
    numbers: NDArray[np.int64]  # (5,)
    tree: NDArray[np.float64]  # priorities; of no size where everything is equally likely
    peak: NDArray[np.float64]  # (1,) the greatest priority so far, which new decisions get
    stream: NDArray[np.uint64]  # (1,) of what is drawn
    completed: NDArray[np.int64]  # (room,) numbers of what the last call of `store` completed
    second: NDArray[np.int64]  # (capacity,) the thesis of 2023's second memory: numbers in the order in which its window was full
    window: NDArray[np.int64]  # (games, seats, 2) of that memory: the first decision in the window, and how many there are
    width: int  # of the window; 0: there is no second memory


def make_replay(
    capacity: int, inputs: int, most_legal: int, games: int, seats: int, *, prioritised: bool, width: int = 0, seed: int = 0
) -> Replay:
    """Room for so many decisions with legal lists of about forty; only what is used is ever touched."""
    return Replay(
        observations=np.zeros((capacity, inputs), np.float32),
        starts=np.zeros(capacity, np.int64),
        counts=np.zeros(capacity, np.int32),
        acted=np.zeros(capacity, np.int64),
        rewards=np.zeros(capacity, np.float32),
        following=np.full(capacity, OPEN, np.int64),
        begun=np.zeros(capacity, np.int64),
        ids=np.zeros(max(2 * most_legal, capacity * min(most_legal, 40)), np.int32),
        last=np.full((games, seats), -1, np.int64),
        numbers=np.zeros(5, np.int64),
        tree=make_tree(capacity) if prioritised else np.zeros(0),
        peak=np.ones(1),
        stream=np.array([seed], np.uint64),
        completed=np.zeros(capacity + games * seats, np.int64),
        second=np.zeros(capacity if width else 0, np.int64),
        window=np.zeros((games, seats, 2), np.int64),
        width=width,
    )


def empty(replay: Replay) -> None:
    """Forget everything; numbers go on."""
    replay.numbers[TAIL] = replay.numbers[HEAD]
    replay.numbers[[READY, SECOND]] = 0
    replay.last[:] = -1
    replay.window[:] = 0
    replay.tree[:] = 0.0
    replay.peak[:] = 1.0


# ---- Writing ----


@kernel
def store(replay: Any, trail: Any, first: int, scale: float) -> int:
    """Add what a group of games left behind; its first game is number `first` of all. Returns how many decisions it completed."""
    done = 0
    steps, games, seats = trail.rewards.shape
    for t in range(steps):
        for i in range(games):
            mine = trail.seats[t, i]
            done = _close(replay, first + i, mine, replay.numbers[HEAD], done)
            replay.last[first + i, mine] = _push(replay, trail, t, i)
            for seat in range(seats):
                if replay.last[first + i, seat] >= replay.numbers[TAIL]:
                    replay.rewards[replay.last[first + i, seat] % replay.starts.size] += scale * trail.rewards[t, i, seat]
            if trail.ended[t, i] != 0:
                for seat in range(seats):
                    done = _close(replay, first + i, seat, END, done)
                    replay.last[first + i, seat] = -1
                    replay.window[first + i, seat, 1] = 0
    return done


@kernel
def _push(replay: Any, trail: Any, t: int, i: int) -> int:
    """One decision; returns its number."""
    numbers, n = replay.numbers, trail.counts[t, i]
    number, room = numbers[HEAD], replay.ids.size
    if number - numbers[TAIL] == replay.starts.size:
        _forget(replay)
    if numbers[USED] % room + n > room:  # a list lies in one piece
        numbers[USED] += room - numbers[USED] % room
    while numbers[TAIL] < number and replay.begun[numbers[TAIL] % replay.starts.size] < numbers[USED] + n - room:
        _forget(replay)
    place, start = number % replay.starts.size, numbers[USED] % room
    first = trail.starts[t, i]
    replay.ids[start : start + n] = trail.ids[first : first + n]
    replay.observations[place] = trail.observations[t, i]
    replay.starts[place] = start
    replay.counts[place] = n
    replay.acted[place] = start + trail.chosen[t, i]
    replay.rewards[place] = 0.0
    replay.following[place] = OPEN
    replay.begun[place] = numbers[USED]
    numbers[USED] += n
    numbers[HEAD] += 1
    return number  # type: ignore[no-any-return]


@kernel
def _forget(replay: Any) -> None:
    """The oldest decision."""
    place = replay.numbers[TAIL] % replay.starts.size
    replay.numbers[TAIL] += 1
    if replay.following[place] != OPEN:
        replay.numbers[READY] -= 1
    if replay.tree.size > 0:
        set_priority(replay.tree, place, 0.0)


@kernel
def _close(replay: Any, game: int, seat: int, following: int, done: int) -> int:
    """A seat's last decision, if it has one, is complete: what follows is known."""
    number = replay.last[game, seat]
    if number < replay.numbers[TAIL] or number < 0:
        return done
    place = number % replay.starts.size
    replay.following[place] = following
    replay.numbers[READY] += 1
    if replay.tree.size > 0:
        set_priority(replay.tree, place, replay.peak[0])
    if replay.width > 0:
        _slide(replay, replay.window[game, seat], number)
    replay.completed[done] = number
    return done + 1


@kernel
def _slide(replay: Any, window: Any, number: int) -> None:
    """The second memory gets a decision only when its window is full, so it has fewer than the first, in another order."""
    if window[1] == 0:
        window[0] = number
    window[1] += 1
    if window[1] == replay.width:
        replay.second[replay.numbers[SECOND] % replay.second.size] = window[0]
        replay.numbers[SECOND] += 1
        window[0] = replay.following[window[0] % replay.starts.size]
        window[1] -= 1


# ---- Drawing ----


@kernel
def draw_evenly(replay: Any, picks: Any) -> None:
    """Places of complete decisions, each as likely as any other."""
    oldest, size = replay.numbers[TAIL], replay.numbers[HEAD] - replay.numbers[TAIL]
    for i in range(picks.size):
        for _ in range(FULL_TRIES):
            picks[i] = (oldest + draw(replay.stream, size)) % replay.starts.size
            if replay.following[picks[i]] != OPEN:
                break


@kernel
def draw_by_priority(replay: Any, picks: Any, chances: Any) -> None:
    """Places of complete decisions in proportion to their priorities, one from each of as many equal parts of the total, and the
    probability of each."""
    total = replay.tree[1]
    for i in range(picks.size):
        picks[i] = find_place(replay.tree, total * ((i + uniform(replay.stream)) / picks.size))
        chances[i] = replay.tree[replay.tree.size // 2 + picks[i]] / total


@kernel
def set_priorities(replay: Any, picks: Any, priorities: Any) -> None:
    for i in range(picks.size):
        set_priority(replay.tree, picks[i], priorities[i])
        replay.peak[0] = max(replay.peak[0], priorities[i])

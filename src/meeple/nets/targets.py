"""What actions should have been worth, computed from a replay by the kernels that play: returns of n steps, the best legal action
that follows, and the projection of a distribution (Bellemare 2017)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.kernel import kernel
from meeple.nets.forward import best_score, evaluate, find_key, score
from meeple.nets.replay import END, OPEN
from meeple.nets.together import run_together, turn_layers


class Ahead(NamedTuple):
    """What lies ahead of some decisions: target = returns + factors * (value of the best action at places)."""

    returns: NDArray[np.float32]  # (n,) discounted rewards of the next steps
    factors: NDArray[np.float32]  # (n,) what a value beyond them is multiplied by; 0: the game ended
    places: NDArray[np.int64]  # (n,) in the replay of the decision after those steps, or END
    values: NDArray[np.float32]  # (n,) of its best action
    means: NDArray[np.float32]  # (n,) of its advantages, where a dueling network took them off
    chances: NDArray[np.float32]  # (n, atoms) how the return of its best action is distributed
    wanted: NDArray[np.float32]  # (n, atoms) the same, paid the returns and discounted: the target of a distribution


def make_ahead(n: int, atoms: int) -> Ahead:
    """Room for n decisions."""
    numbers = [np.zeros(n, np.float32) for _ in range(4)]
    spread = [np.zeros((n, atoms), np.float32) for _ in range(2)]
    return Ahead(numbers[0], numbers[1], np.zeros(n, np.int64), numbers[2], numbers[3], spread[0], spread[1])


@kernel
def look_forward(replay: Any, picks: Any, steps: int, discount: float, ahead: Any) -> None:
    """Returns of at most so many own decisions, fewer where the rest is not known yet, and where they lead."""
    for i in range(picks.size):
        total, factor, place = 0.0, 1.0, picks[i]
        for _ in range(steps):
            total += factor * replay.rewards[place]
            factor *= discount
            following = replay.following[place]
            place = END if following == END else following % replay.starts.size
            if place == END or replay.following[place] == OPEN:
                break
        ahead.returns[i] = total
        ahead.factors[i] = 0.0 if place == END else factor
        ahead.places[i] = place


@kernel
def judge_ahead(replay: Any, net: Any, chooser: Any, double: bool, ahead: Any) -> None:
    """The value by `net` of the best legal action there: the best by `net` itself, or with `double` by `chooser` (van Hasselt
    2016)."""
    for i in range(ahead.places.size):
        place = ahead.places[i]
        if place == END:
            ahead.values[i], ahead.means[i] = 0.0, 0.0
            ahead.chances[i] = 0.0
            ahead.chances[i, 0] = 1.0  # wherever it lies: its factor is 0
            continue
        first, n = replay.starts[place], replay.counts[place]
        actions, seen = replay.ids[first : first + n], replay.observations[place]
        evaluate(net, seen, actions, n)
        j = best_score(net, n)
        if double:
            evaluate(chooser, seen, actions, n)
            j = best_score(chooser, n)
        ahead.values[i] = net.scores[j]
        ahead.means[i] = net.mean[0]
        if net.support.size > 1:
            ahead.chances[i] = net.chances[j]


@kernel
def judge_together(replay: Any, net: Any, chooser: Any, double: bool, ahead: Any, room: Any) -> None:
    """The same for a minibatch of networks that nets/together.py serves, in a fraction of the time."""
    for i in range(ahead.places.size):
        if ahead.places[i] != END:
            room.seen[i] = replay.observations[ahead.places[i]]
    if double:
        turn_layers(chooser.weights, chooser.layers, room)
        run_together(chooser.weights, chooser.layers, room)
        for i in range(ahead.places.size):
            if ahead.places[i] != END:
                room.best[i] = best_score(chooser, _score_there(replay, chooser, ahead.places[i], room, i))
    turn_layers(net.weights, net.layers, room)
    run_together(net.weights, net.layers, room)
    for i in range(ahead.places.size):
        ahead.values[i], ahead.means[i] = 0.0, 0.0
        if ahead.places[i] != END:
            n = _score_there(replay, net, ahead.places[i], room, i)
            ahead.values[i] = net.scores[room.best[i] if double else best_score(net, n)]
            ahead.means[i] = net.mean[0]


@kernel
def _score_there(replay: Any, net: Any, place: int, room: Any, i: int) -> int:
    """The legal actions of a decision, by what was said of it in the room; returns how many they are."""
    first, n = replay.starts[place], replay.counts[place]
    query = room.queries[i] if room.queries.shape[1] > 0 else room.said[room.said.shape[0] - 1, i]
    net.values[:] = room.values[i]
    score(net, query, replay.ids[first : first + n], n)
    return n  # type: ignore[no-any-return]


@kernel
def project(ahead: Any, support: Any) -> None:
    """ahead.wanted: the distribution of returns + factors * Z on the support, what falls between two atoms shared by nearness."""
    atoms = support.size
    low, high = support[0], support[atoms - 1]
    step = (high - low) / (atoms - 1)
    for i in range(ahead.places.size):
        out = ahead.wanted[i]
        out[:] = 0.0
        for z in range(atoms):
            at = min(high, max(low, ahead.returns[i] + ahead.factors[i] * support[z]))
            right = (at - low) / step
            below = min(int(right), atoms - 2)
            share = min(1.0, right - below)
            out[below] += ahead.chances[i, z] * (1.0 - share)
            out[below + 1] += ahead.chances[i, z] * share


@kernel
def learn_table(net: Any, replay: Any, numbers: Any, rate: float, discount: float) -> float:
    """Watkins's Q-learning, decision by decision: Q += rate * (r + discount * max Q' - Q). Returns the mean square of what was
    surprising, or -1 where the table is full."""
    total = 0.0
    for number in numbers:
        place = number % replay.starts.size
        target, following = float(replay.rewards[place]), replay.following[place]
        if following != END:
            after = following % replay.starts.size
            first, n = replay.starts[after], replay.counts[after]
            evaluate(net, replay.observations[after], replay.ids[first : first + n], n)
            target += discount * net.values[0]
        bucket, key = find_key(net.biases, replay.observations[place])
        if bucket < 0:
            bucket = -1 - bucket
            if bucket == net.biases.size:
                return -1.0
            net.biases[bucket] = key
        action = replay.ids[replay.acted[place]]
        surprise = target - net.rows[bucket, action]
        net.rows[bucket, action] += rate * surprise
        total += surprise * surprise
    return total / max(1, numbers.size)  # type: ignore[no-any-return]

"""Whole games in one compiled call, for every game: the loop is written once and compiles itself for each state's type."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.core.game import MAX_SEATS, Variant
from meeple.core.kernel import kernel
from meeple.core.rng import RANDOM_PLAY, derive, draw, mix
from meeple.core.verbs import apply, audit, deal, legal, outcome, scores

# What is kept of a finished game.
RESULT = np.dtype(
    [
        ("seed", "u8"),  # deals the same game again
        ("plies", "i4"),
        ("turns", "i4"),
        ("end", "i1"),
        ("legal_sum", "i8"),  # legal actions over all decisions, to give the mean
        ("legal_most", "i4"),
        ("choices", "i4"),  # decisions with more than one legal action
        ("checksum", "u8"),  # of the actions
        ("broken", "i1"),  # first invariant that did not hold, if asked for
        ("scores", "f8", (MAX_SEATS,)),
        ("outcome", "f8", (MAX_SEATS,)),
    ]
)


@kernel
def playout(states: Any, i: int, stream: Any, out: Any) -> None:
    """Play states[i] to its end with uniformly random actions."""
    while states[i].end == 0:
        n = legal(states[i], out)
        apply(states[i], out[draw(stream, n)])


@kernel
def random_game(states: Any, result: Any, config: Any, out: Any, audited: bool) -> None:
    """Deal states[0] from result.seed, play it at random and write down what happened."""
    s = states[0]
    stream = np.empty(1, np.uint64)
    stream[0] = derive(result.seed, RANDOM_PLAY)
    deal(s, config, result.seed)
    checksum = np.uint64(0)
    legal_sum = 0
    most = 0
    choices = 0
    broken = 0
    while s.end == 0:
        n = legal(s, out)
        action = out[draw(stream, n)]
        checksum = mix(checksum ^ np.uint64(action))
        legal_sum += n
        most = max(most, n)
        choices += n > 1
        apply(s, action)
        if audited and broken == 0:
            broken = audit(s)
    result.plies = s.ply
    result.turns = s.turn
    result.end = s.end
    result.legal_sum = legal_sum
    result.legal_most = most
    result.choices = choices
    result.checksum = checksum
    result.broken = broken
    scores(s, result.scores)
    outcome(s, result.outcome)


@kernel
def random_games(states: Any, results: Any, config: Any, out: Any, audited: bool) -> None:
    """A random game for each row of results; the rows come with their seeds."""
    for i in range(results.size):
        random_game(states, results[i], config, out, audited)


@kernel
def number_seeds(results: Any, seed: Any, first: int) -> None:
    """Row i becomes game `first + i` under a seed, so that any split of the work gives the same games."""
    for i in range(results.size):
        results[i].seed = derive(seed, first + i)


def empty_results(seed: int, games: int, first: int = 0) -> NDArray[Any]:
    results = np.zeros(games, np.dtype((np.record, RESULT)))
    number_seeds(results, np.uint64(seed), first)
    return results


def play_random_games(variant: Variant, games: int, seed: int, first: int = 0, audited: bool = False) -> NDArray[Any]:
    """Random games `first` to `first + games - 1` under a seed."""
    results = empty_results(seed, games, first)
    out = np.empty(variant.shape.room, np.int32)
    random_games(variant.empty(), results, variant.config, out, audited)
    return results


@kernel
def copy_around(states: Any, copies: int) -> None:
    """Copies within a few states, each of another one, as a search copies a position before it plays on."""
    n = states.size
    for i in range(copies):
        states[(i + 1) % n] = states[i % n]

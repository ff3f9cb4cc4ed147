"""Whole games by search, written down for expert iteration: what each seat knew, what its search would do, how the game ended.

Most decisions get few iterations, and only their position and outcome are learnt from; a share of them gets many, and its improved
policy is a target too (the playout cap of Wu 2019).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.game import Variant
from meeple.core.kernel import kernel
from meeple.core.rng import SELF_PLAY, derive, uniform
from meeple.core.verbs import apply, deal, legal, outcome, redeal, scores
from meeple.search.gumbel import Root, Thrift, gumbel_search, make_root
from meeple.search.select import Settings
from meeple.search.tree import ROOT, Tree, clear, make_tree

NOBODY = -1


class Diary(NamedTuple):
    """What one game left behind, a row a decision. Of a policy the `kept` most likely actions are written down."""

    states: NDArray[Any]  # (plies,) redealt for the seat to move: holds nothing that it does not know
    actions: NDArray[np.int32]  # (plies, kept)
    policy: NDArray[np.float32]  # (plies, kept) sums to 1
    counts: NDArray[np.int8]  # (plies,) actions written down; 0: a quick decision, whose policy is no target
    expected: NDArray[np.float32]  # (plies, seats) values by the search
    points: NDArray[np.float64]  # (plies, seats) scores then
    result: NDArray[np.float64]  # (2, seats) outcome and scores when the game is over


class Effort(NamedTuple):
    """How much is thought."""

    iterations: int  # of a decision whose policy is learnt
    quick: int  # of all others
    share: float  # of decisions that are learnt
    calm: float  # weight of the noise in quick decisions


class SelfPlay(NamedTuple):
    """All that a game of self-play needs."""

    tree: Tree
    settings: Settings
    root: Root
    thrift: Thrift
    effort: Effort
    state: NDArray[Any]  # (1,) the true one
    out: NDArray[np.int32]  # (room,) legal actions
    stream: NDArray[np.uint64]  # (1,)
    diary: Diary


def make_self_play(variant: Variant, settings: Settings, thrift: Thrift, effort: Effort, kept: int, note: int = 0) -> SelfPlay:
    """`note`: numbers of a note that the guide keeps of a node, 0 for none."""
    shape = variant.shape
    most = max(effort.iterations, effort.quick)
    diary = Diary(
        states=variant.empty(shape.max_plies),
        actions=np.zeros((shape.max_plies, kept), np.int32),
        policy=np.zeros((shape.max_plies, kept), np.float32),
        counts=np.zeros(shape.max_plies, np.int8),
        expected=np.zeros((shape.max_plies, shape.seats), np.float32),
        points=np.zeros((shape.max_plies, shape.seats)),
        result=np.zeros((2, shape.seats)),
    )
    return SelfPlay(
        tree=make_tree(variant, max(1 << 12, most * 64), (most if note else 0, note)),
        settings=settings,
        root=make_root(variant),
        thrift=thrift,
        effort=effort,
        state=variant.empty(1),
        out=np.zeros(shape.room, np.int32),
        stream=np.zeros(1, np.uint64),
        diary=diary,
    )


@kernel
def play_game(play: Any, guides: Any, policy: Any, config: Any, seed: Any, past_seat: int) -> int:
    """A game dealt from a seed; returns the rows written. guides = (the learner's, a past self's); the latter searches for
    `past_seat`, or for nobody, and nothing is written down of its decisions."""
    s = play.state[0]
    deal(s, config, seed)
    play.stream[0] = derive(seed, SELF_PLAY)
    rows = 0
    while s.end == 0:
        if legal(s, play.out) == 1:
            apply(s, play.out[0])
            continue
        ready(play, s)
        full = uniform(play.stream) < play.effort.share
        if s.seat == past_seat:
            chosen = think(play, guides[1], policy, full)
        else:
            chosen = think(play, guides[0], policy, full)
            write_down(play, full, rows)
            rows += 1
        apply(s, play.root.actions[chosen])
    outcome(s, play.diary.result[0])
    scores(s, play.diary.result[1])
    return rows


@kernel
def ready(play: Any, s: Any) -> None:
    """An empty tree at a copy redealt for the seat to move."""
    play.stream[0] = derive(play.stream[0], 1)
    play.tree.states[ROOT] = s
    redeal(play.tree.states[ROOT], s.seat, play.stream[0])
    clear(play.tree, 1.0)


@kernel
def think(play: Any, guide: Any, policy: Any, full: bool) -> int:
    """The place of the action chosen among root.actions."""
    effort, thrift = play.effort, play.thrift
    noise = thrift.noise if full else effort.calm
    budget = effort.iterations if full else effort.quick
    spent = Thrift(thrift.considered, noise, thrift.visits, thrift.weight)
    return gumbel_search(play.tree, play.settings, guide, policy, play.root, (spent, budget, play.stream))


@kernel
def expect_by_policy(tree: Any, value: float, points: int, expected: Any) -> None:
    """What each seat may expect. The mover's is that of the improved policy. The mean over all iterations is less, since it has
    every action in it that was tried; the others give up the difference, all alike, where they share a win."""
    seats, mover = tree.gains.size, tree.states[ROOT].seat
    visits = max(1, tree.nodes[0].visits)
    more = value - tree.gains[mover] / visits
    for seat in range(seats):
        if seat == mover:
            expected[seat] = value
        else:
            expected[seat] = tree.gains[seat] / visits - (0.0 if points else more / (seats - 1))


@kernel
def write_down(play: Any, full: bool, row: int) -> None:
    """The position, the most likely actions of the improved policy, and the values."""
    diary, root, tree = play.diary, play.root, play.tree
    diary.states[row] = tree.states[ROOT]
    scores(tree.states[ROOT], diary.points[row])
    expect_by_policy(tree, root.value[0], play.settings.points, diary.expected[row])
    diary.counts[row] = 0
    if full:
        n = root.size[0]
        kept = min(n, diary.actions.shape[1])
        total = 0.0
        for k in range(kept):
            best = 0
            for j in range(n):
                if root.policy[j] > root.policy[best]:
                    best = j
            diary.actions[row, k] = root.actions[best]
            diary.policy[row, k] = root.policy[best]
            total += root.policy[best]
            root.policy[best] = -1.0
        for k in range(kept):
            diary.policy[row, k] /= total
        diary.counts[row] = kept

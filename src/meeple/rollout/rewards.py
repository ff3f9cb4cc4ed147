"""Rewards of learners, for every game; a game may add its own (`Game.rewards`).

Own points are paid as they change. What depends on other seats is paid at the end, when nothing is hidden any more: a running
difference of points would reveal the bonus tokens that the opponent drew.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.core.errors import MeepleError, UnknownName
from meeple.core.game import Reward, Variant
from meeple.core.kernel import kernel

REWARDS = {
    "win": Reward("at the end 1 for a win, -1 for a defeat, 0 for a draw", win=1.0),
    "share": Reward("at the end the share of the win, from 0 to 1", share=1.0),
    "difference": Reward("at the end own points less the best of the others'; alone, the points", difference=1.0),
    "points": Reward("change of own points, at once", points=1.0),
}
SIGNALS = tuple(f.name for f in fields(Reward) if f.name != "meaning")
WIN, SHARE, DIFFERENCE, POINTS, EARNED = range(len(SIGNALS))


def rewards_of(variant: Variant) -> dict[str, Reward]:
    """Those that a variant can pay, its default first."""
    possible = {
        name: reward
        for name, reward in {**REWARDS, **variant.game.rewards}.items()
        if variant.shape.winnable or not (reward.win or reward.share)
    }
    first = "win" if variant.shape.winnable else "points"
    return {first: possible[first], **possible}


def find_reward(variant: Variant, given: str | Mapping[str, float] | Reward = "") -> Reward:
    """A reward by name (none: the variant's default), by weights, or as it is."""
    if isinstance(given, Reward):
        return given
    known = rewards_of(variant)
    if isinstance(given, str):
        if given and given not in known:
            if given in REWARDS:
                raise MeepleError(f"Nobody wins {variant.spec}: only points count, so its rewards are {', '.join(known)}.")
            raise UnknownName(f"reward of {variant.spec}", given, known)
        return known[given or next(iter(known))]
    for name in given:
        if name not in SIGNALS:
            raise UnknownName("part of a reward", name, SIGNALS)
    return Reward("a sum of your own", **{name: float(weight) for name, weight in given.items()})


def weights(reward: Reward) -> NDArray[np.float64]:
    """The reward as kernels read it."""
    return np.array([getattr(reward, name) for name in SIGNALS])


@kernel
def at_the_end(plan: Any, slot: Any, seat: int, cut_off: bool) -> float:
    """What a seat is paid for the end itself (the records are those of rollout/batch.py)."""
    seats, shares, points = plan.seats, slot.outcome, slot.scores
    paid = plan.weights[SHARE] * shares[seat]
    if plan.weights[WIN] != 0.0 and not cut_off:
        won = 2.0 * shares[seat] - 1.0 if seats == 1 else (seats * shares[seat] - 1.0) / (seats - 1.0)
        paid += plan.weights[WIN] * won
    if plan.weights[DIFFERENCE] != 0.0:
        best = 0.0 if seats == 1 else -np.inf
        for other in range(seats):
            if other != seat:
                best = max(best, points[other])
        paid += plan.weights[DIFFERENCE] * (points[seat] - best)
    return paid  # type: ignore[no-any-return]

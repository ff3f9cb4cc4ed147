"""A network as an agent and as the guide of a search."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.agent import kernel_agent
from meeple.core.guide import kernel_guide, kernel_memory
from meeple.core.kernel import kernel
from meeple.core.verbs import legal, observe, scores
from meeple.nets.forward import Net, evaluate, evaluate_query, score
from meeple.nets.layout import OUTPUTS
from meeple.nets.sample import sample


class Policy(NamedTuple):
    """Plays what a network says."""

    net: Net
    observation: NDArray[np.float32]  # (inputs,)
    level: int
    temperature: float  # 0: the best action


@kernel
def choose_by_net(me: Any, s: Any, stream: Any, out: Any) -> int:
    n = legal(s, out)
    if n == 1:
        return out[0]  # type: ignore[no-any-return]
    observe(s, s.seat, me.level, me.observation)
    evaluate(me.net, me.observation, out, n)
    return out[sample(me.net, n, me.temperature, stream)]  # type: ignore[no-any-return]


kernel_agent(Policy, choose_by_net)


class BySeat(NamedTuple):
    """A network of its own for every seat, in their order."""

    policies: tuple[Policy, ...]


@kernel
def choose_by_seat(me: Any, s: Any, stream: Any, out: Any) -> int:
    return choose_by_net(me.policies[s.seat], s, stream, out)


kernel_agent(BySeat, choose_by_seat)


class Adviser(NamedTuple):
    """A network as a search asks it. What the network calls a value is `offset + scale * value`, and the points so far where
    only those to come were learnt."""

    net: Net
    observation: NDArray[np.float32]  # (inputs,)
    points: NDArray[np.float64]  # (seats,) room for scores
    level: int
    scale: float
    offset: float
    add_points: int

    @property
    def memo_size(self) -> int:
        """A note is the query by which actions are scored. Where more than that decides, or values are scores, none is kept."""
        net = self.net
        plain = net.support.size == 1 and not (net.after.size or net.items.told.size or net.dueling or net.table or net.q)
        return int(net.layers[-2, OUTPUTS]) if plain else 0


@kernel
def advise_by_net(guide: Any, s: Any, actions: Any, n: int, logits: Any, values: Any) -> None:
    observe(s, s.seat, guide.level, guide.observation)
    evaluate(guide.net, guide.observation, actions, n)
    for j in range(n):
        logits[j] = guide.net.scores[j]
    tell_values(guide, s, values)


@kernel
def tell_values(guide: Any, s: Any, values: Any) -> None:
    """What the network, just asked about s, holds it to be worth to every seat."""
    if guide.add_points:
        scores(s, guide.points)
    for seat in range(values.size):
        values[seat] = guide.offset + guide.scale * value_of(guide.net.values, s.seat, seat, values.size)
        if guide.add_points:
            values[seat] += guide.points[seat]
        else:
            values[seat] = min(1.0, max(0.0, values[seat]))


@kernel
def value_of(values: Any, mover: int, seat: int, seats: int) -> float:
    """A seat's value by a network asked for the seat to move: one value means that the other's is the opposite."""
    if values.size == 1:
        return values[0] if seat == mover else -values[0]  # type: ignore[no-any-return]
    return values[(seat - mover) % seats]  # type: ignore[no-any-return]


kernel_guide(Adviser, advise_by_net)


@kernel
def look_by_net(guide: Any, s: Any, values: Any, memo: Any) -> None:
    observe(s, s.seat, guide.level, guide.observation)
    evaluate_query(guide.net, guide.observation, memo)
    tell_values(guide, s, values)


@kernel
def score_by_query(guide: Any, memo: Any, actions: Any, n: int, logits: Any) -> None:
    score(guide.net, memo, actions, n)
    for j in range(n):
        logits[j] = guide.net.scores[j]


kernel_memory(Adviser, look_by_net, score_by_query)

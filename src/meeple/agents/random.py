"""Uniformly random play, for every game: the baseline of every comparison."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from meeple.core.agent import AgentKind, kernel_agent
from meeple.core.game import Variant
from meeple.core.kernel import kernel
from meeple.core.rng import draw
from meeple.core.verbs import kind, legal

MOST_KINDS = 32


class Random(NamedTuple):
    """Nothing to set; a NamedTuple needs a field."""

    nothing: int = 0


@kernel
def choose_randomly(me: Any, s: Any, stream: Any, out: Any) -> int:  # noqa: ARG001
    return out[draw(stream, legal(s, out))]  # type: ignore[no-any-return]


class RandomKinds(NamedTuple):
    """Nothing to set either."""

    nothing: int = 0


@kernel
def choose_kind_then_action(me: Any, s: Any, stream: Any, out: Any) -> int:  # noqa: ARG001
    """Kinds are kept as bits of a word, so that nothing is allocated."""
    n = legal(s, out)
    present = np.int64(0)
    for i in range(n):
        present |= np.int64(1) << np.int64(kind(s, out[i]))
    kinds = np.int64(0)
    for bit in range(MOST_KINDS):
        kinds += (present >> np.int64(bit)) & 1
    chosen = -1
    left = np.int64(draw(stream, int(kinds))) + 1
    while left > 0:
        chosen += 1
        left -= (present >> np.int64(chosen)) & 1
    alike = 0
    for i in range(n):
        if kind(s, out[i]) == chosen:
            out[alike] = out[i]
            alike += 1
    return out[draw(stream, alike)]  # type: ignore[no-any-return]


kernel_agent(Random, choose_randomly)
kernel_agent(RandomKinds, choose_kind_then_action)


def make(variant: Variant) -> Random:  # noqa: ARG001
    return Random()


def make_kinds(variant: Variant) -> RandomKinds:  # noqa: ARG001
    return RandomKinds()


AGENTS = (
    AgentKind("random", "uniform over the legal actions", make),
    AgentKind(
        "random-kinds",
        "uniform over the kinds of action that are legal, then within the kind",
        make_kinds,
        fits=lambda game: bool(game.kinds),
    ),
)

"""Uniformly random play: in every game, and the zero of every scale."""

from __future__ import annotations

from typing import Any, NamedTuple

from meeple.core.agent import AgentKind, kernel_agent
from meeple.core.game import Variant
from meeple.core.kernel import kernel
from meeple.core.rng import draw
from meeple.core.verbs import legal


class Random(NamedTuple):
    """Nothing to set; a NamedTuple needs a field."""

    nothing: int = 0


@kernel
def choose_randomly(me: Any, s: Any, stream: Any, out: Any) -> int:  # noqa: ARG001
    return out[draw(stream, legal(s, out))]  # type: ignore[no-any-return]


kernel_agent(Random, choose_randomly)


def make(variant: Variant) -> Random:  # noqa: ARG001
    return Random()


AGENTS = (AgentKind("random", "uniform over the legal actions", make),)

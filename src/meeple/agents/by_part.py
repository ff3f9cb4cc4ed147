"""An agent of the part in a game that is won part by part: who plays a round well plays a match well, where rounds are won alone.

Nothing is learnt for the match, and nothing has to be: where no part leaves anything to the next, the best play of a part is the
best play of the whole.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from meeple.core.agent import choose, kernel_agent
from meeple.core.game import Variant
from meeple.core.kernel import kernel
from meeple.core.verbs import part
from meeple.nets.file import read_net


class ByPart(NamedTuple):
    """A kernel agent of the part, at a table of the whole."""

    agent: Any


@kernel
def choose_by_part(me: Any, s: Any, stream: Any, out: Any) -> int:
    part(s)  # a copy, redealt for the seat
    return choose(me.agent, s, stream, out)


kernel_agent(ByPart, choose_by_part)


def played(variant: Variant, network: Path) -> Variant:
    """What a network plays at the tables of a variant: the variant, or the part of it that the network was made for."""
    made_for_part = variant.part is not None and read_net(network)[0].variant == variant.part.spec
    return variant.part if made_for_part and variant.part else variant

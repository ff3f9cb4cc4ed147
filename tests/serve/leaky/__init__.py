"""A game that gives secrets away, to see that the tests of the page notice: each seat has a number that the other may not know, the
view shows both, and redealing leaves them as they are. `meeple check` refuses such a game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from meeple.core.game import PLAYING, Choice, End, Field, Game, Level, Shape, Variant, state_dtype
from meeple.core.kernel import kernel
from meeple.core.rng import derive, draw

LAST = 4
STATE = state_dtype([("leaky_number", "i4", (2,)), ("said", "i4", (2,))])


@kernel
def deal(s: Any, config: Any, seed: Any) -> None:  # noqa: ARG001
    s.luck[0] = derive(seed, 0)
    s.ply = 0
    s.turn = 0
    s.seat = 0
    s.end = 0
    for seat in range(2):
        s.leaky_number[seat] = draw(s.luck, 1000)
        s.said[seat] = 0


@kernel
def legal(s: Any, out: Any) -> int:  # noqa: ARG001
    out[0] = 0
    out[1] = 1
    return 2


@kernel
def apply(s: Any, action: int) -> None:
    s.said[s.seat] += action
    s.turn += 1
    s.seat = 1 - s.seat
    if s.turn == LAST:
        s.end = 1


@kernel
def observe(s: Any, seat: int, level: int, out: Any) -> None:  # noqa: ARG001
    out[0] = s.leaky_number[seat]


@kernel
def redeal(s: Any, seat: int, seed: Any) -> None:  # noqa: ARG001
    """Leaves the other's number as it is: that is the fault."""
    s.luck[0] = derive(seed, 1)


@kernel
def outcome(s: Any, out: Any) -> None:  # noqa: ARG001
    out[0] = 0.5
    out[1] = 0.5


@kernel
def scores(s: Any, out: Any) -> None:
    out[0] = s.said[0]
    out[1] = s.said[1]


def shape(chosen: Mapping[str, str]) -> Shape:  # noqa: ARG001
    own = Level("own", (Field("number", 1, 0, 999, "the own number"),))
    return Shape(seats=2, actions=2, max_legal=2, max_plies=LAST, levels=(own,))


def format_action(_: Variant, action: int) -> str:
    return ("pass", "nod")[action]


def view(s: Any, seat: int) -> dict[str, Any]:
    return {"own number": int(s.leaky_number[seat]), "other number": int(s.leaky_number[1 - seat]), "said": s.said.tolist()}


def board(seen: dict[str, Any]) -> str:
    return "\n".join(f"{name}: {value}" for name, value in seen.items())


GAME = Game(
    name="leaky",
    title="Leaky",
    version=1,
    dtype=STATE,
    variants=Choice("variant", {"short": "two turns each"}),
    ends=(PLAYING, End("everybody has spoken")),
    deal=deal,
    legal=legal,
    apply=apply,
    observe=observe,
    redeal=redeal,
    outcome=outcome,
    scores=scores,
    shape=shape,
    hidden={"luck": "all", "leaky_number": "others"},
    format_action=format_action,
    view=view,
    board=board,
)

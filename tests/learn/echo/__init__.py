"""A game so small that every learner must master it: a signal is shown, and naming it pays a point; three times.

Six actions, of which three are legal at a time, the signal's among them. By chance one point a game, at best three. What is legal
changes with every signal, so that whoever mistreats the mask learns nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from meeple.core.game import PLAYING, Choice, End, Field, Game, Level, Shape, Variant, state_dtype
from meeple.core.kernel import kernel
from meeple.core.rng import derive, draw

ACTIONS, ROUNDS = 6, 3
STATE = state_dtype([("signal", "i1"), ("other", "i1", (2,)), ("points", "i1"), ("rounds", "i1")])


@kernel
def show(s: Any) -> None:
    """The next signal, and two other actions that are legal beside it."""
    s.signal = draw(s.luck, ACTIONS)
    first = 1 + draw(s.luck, ACTIONS - 1)
    second = 1 + draw(s.luck, ACTIONS - 2)
    second += 1 if second >= first else 0
    s.other[0] = (s.signal + first) % ACTIONS
    s.other[1] = (s.signal + second) % ACTIONS


@kernel
def deal(s: Any, config: Any, seed: Any) -> None:  # noqa: ARG001
    s.luck[0] = derive(seed, 0)
    s.ply = 0
    s.turn = 0
    s.seat = 0
    s.end = 0
    s.points = 0
    s.rounds = 0
    show(s)


@kernel
def legal(s: Any, out: Any) -> int:
    n = 0
    for action in range(ACTIONS):
        if action in (s.signal, s.other[0], s.other[1]):
            out[n] = action
            n += 1
    return n


@kernel
def apply(s: Any, action: int) -> None:
    s.turn += 1
    s.rounds += 1
    s.points += 1 if action == s.signal else 0
    if s.rounds == ROUNDS:
        s.end = 1
    else:
        show(s)


@kernel
def observe(s: Any, seat: int, level: int, out: Any) -> None:  # noqa: ARG001
    out[:] = 0
    out[s.signal] = 1


@kernel
def redeal(s: Any, seat: int, seed: Any) -> None:  # noqa: ARG001
    s.luck[0] = derive(seed, 1)


@kernel
def outcome(s: Any, out: Any) -> None:  # noqa: ARG001
    out[0] = 1.0


@kernel
def scores(s: Any, out: Any) -> None:
    out[0] = s.points


def shape(chosen: Mapping[str, str]) -> Shape:  # noqa: ARG001
    return Shape(1, ACTIONS, 3, ROUNDS, (Level("seen", (Field("signal", ACTIONS, 0, 1, "one of them is 1"),)),), winnable=False)


def format_action(variant: Variant, action: int) -> str:  # noqa: ARG001
    return f"say {action}"


GAME = Game(
    name="echo",
    title="Echo",
    version=1,
    dtype=STATE,
    variants=Choice("variant", {"plain": "the only one"}),
    ends=(PLAYING, End("over")),
    deal=deal,
    legal=legal,
    apply=apply,
    observe=observe,
    redeal=redeal,
    outcome=outcome,
    scores=scores,
    shape=shape,
    format_action=format_action,
    hidden={"luck": "all"},
    view=lambda s, seat: {"seat": seat, "signal": int(s.signal), "points": int(s.points)},
    board=lambda seen: f"{seen}",
)

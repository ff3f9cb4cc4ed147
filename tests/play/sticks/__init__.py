"""Sticks: take one to three from the pile. Alone, sticks are points; of three, whoever takes the last stick wins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from meeple.core.game import PLAYING, Choice, End, Field, Game, Level, Shape, Variant, state_dtype
from meeple.core.kernel import kernel
from meeple.core.rng import derive

STATE = state_dtype([("sticks_left", "i4"), ("seats", "i4"), ("taken", "i4", (3,)), ("last", "i4")])


@kernel
def deal(s: Any, config: Any, seed: Any) -> None:
    s.luck[0] = derive(seed, 0)
    s.ply = 0
    s.turn = 0
    s.seat = 0
    s.end = 0
    s.sticks_left = 12
    s.seats = 1 if config[0] == 0 else 3
    s.last = 0
    for seat in range(3):
        s.taken[seat] = 0


@kernel
def legal(s: Any, out: Any) -> int:
    for sticks in range(3):
        out[sticks] = sticks
    return min(3, s.sticks_left)  # type: ignore[no-any-return]


@kernel
def apply(s: Any, action: int) -> None:
    s.sticks_left -= action + 1
    s.taken[s.seat] += action + 1
    s.last = s.seat
    s.turn += 1
    s.seat = (s.seat + 1) % s.seats
    if s.sticks_left == 0:
        s.end = 1


@kernel
def observe(s: Any, seat: int, level: int, out: Any) -> None:  # noqa: ARG001
    out[0] = s.sticks_left


@kernel
def redeal(s: Any, seat: int, seed: Any) -> None:  # noqa: ARG001
    s.luck[0] = derive(seed, 1)


@kernel
def outcome(s: Any, out: Any) -> None:
    for seat in range(s.seats):
        out[seat] = 1.0 if seat == s.last else 0.0


@kernel
def scores(s: Any, out: Any) -> None:
    for seat in range(s.seats):
        out[seat] = s.taken[seat]


def shape(chosen: Mapping[str, str]) -> Shape:
    levels = (Level("open", (Field("left", 1, 0, 12, "sticks left"),)),)
    alone = chosen["variant"] == "alone"
    return Shape(seats=1 if alone else 3, actions=3, max_legal=3, max_plies=12, levels=levels, winnable=not alone, hidden=False)


def format_action(_: Variant, action: int) -> str:
    return f"take {action + 1}"


def view(s: Any, seat: int) -> dict[str, Any]:
    return {"left": int(s.sticks_left), "yours": int(s.taken[seat])}


def board(seen: dict[str, Any]) -> str:
    return f"Left: {seen['left']}\nYours: {seen['yours']}"


GAME = Game(
    name="sticks",
    title="Sticks",
    version=1,
    dtype=STATE,
    variants=Choice("variant", {"alone": "one seat", "three": "three seats"}),
    ends=(PLAYING, End("no stick is left")),
    deal=deal,
    legal=legal,
    apply=apply,
    observe=observe,
    redeal=redeal,
    outcome=outcome,
    scores=scores,
    shape=shape,
    format_action=format_action,
    view=view,
    board=board,
)

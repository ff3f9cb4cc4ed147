"""Three games so small that everything about them is known, as variants of one, so that a search compiles itself once for all.

`guess`: a card lies face down, red or black; each seat names a colour. Who alone is right wins: the hidden card decides.
`nim`: take one to three of the sticks; whoever takes the last one wins. Everything lies open.
`pot`: roll a die of four or stop; a one loses the pot, all else adds to it, at most four rolls. Alone, the pot is the score.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from meeple.core.game import PLAYING, Choice, End, Field, Game, Level, Shape, Variant, state_dtype
from meeple.core.guide import kernel_guide
from meeple.core.kernel import kernel
from meeple.core.rng import derive, draw

GUESS, NIM, POT = 0, 1, 2
STICKS, MOST_ROLLS, MOST_POT = 10, 4, 16
STATE = state_dtype([("tiny", "i1"), ("card", "i1"), ("named", "i1", (2,)), ("sticks", "i2"), ("pot", "i2"), ("rolls", "i1")])


@kernel
def deal(s: Any, config: Any, seed: Any) -> None:
    s.luck[0] = derive(seed, 0)
    s.ply = 0
    s.turn = 0
    s.seat = 0
    s.end = 0
    s.tiny = config[0]
    s.card = draw(s.luck, 2) if s.tiny == GUESS else 0
    s.named[0] = 0
    s.named[1] = 0
    s.sticks = STICKS
    s.pot = 0
    s.rolls = 0


@kernel
def legal(s: Any, out: Any) -> int:
    for i in range(3):
        out[i] = i
    return min(3, int(s.sticks)) if s.tiny == NIM else 2


@kernel
def apply(s: Any, action: int) -> None:
    s.turn += 1
    if s.tiny == GUESS:
        s.named[s.seat] = action
        s.end = 1 if s.seat == 1 else 0
        s.seat = 1
    elif s.tiny == NIM:
        s.sticks -= action + 1
        if s.sticks == 0:
            s.end = 1
        else:
            s.seat = 1 - s.seat
    elif action == 1:
        s.end = 1
    else:
        s.rolls += 1
        die = draw(s.luck, 4) + 1
        s.pot = 0 if die == 1 else s.pot + die
        if die == 1 or s.rolls == MOST_ROLLS:
            s.end = 1


@kernel
def observe(s: Any, seat: int, level: int, out: Any) -> None:  # noqa: ARG001
    if level == 0:
        out[0] = s.sticks
        out[1] = s.pot
    else:
        out[:] = 0
        out[s.sticks] = 1
        out[STICKS + 1 + s.pot] = 1
        out[STICKS + 1 + MOST_POT + 1 + s.rolls] = 1


@kernel
def redeal(s: Any, seat: int, seed: Any) -> None:  # noqa: ARG001
    s.luck[0] = derive(seed, 1)
    if s.tiny == GUESS:
        s.card = draw(s.luck, 2)


@kernel
def outcome(s: Any, out: Any) -> None:
    if s.tiny == GUESS:
        for seat in range(2):
            mine = s.named[seat] == s.card
            theirs = s.named[1 - seat] == s.card
            out[seat] = 0.5 if mine == theirs else (1.0 if mine else 0.0)
    elif s.tiny == NIM:
        out[0] = 1.0 if s.seat == 0 else 0.0
        out[1] = 1.0 - out[0]
    else:
        out[0] = 1.0


@kernel
def scores(s: Any, out: Any) -> None:
    out[0] = s.pot
    if s.tiny != POT:
        out[1] = 0


def shape(chosen: Mapping[str, str]) -> Shape:
    counted = (("sticks", STICKS), ("pot", MOST_POT), ("rolls", MOST_ROLLS))
    levels = (
        Level("open", (Field("sticks", 1, 0, STICKS, "left"), Field("pot", 1, 0, MOST_POT, "so far"))),
        Level("seen", tuple(Field(name, most + 1, 0, 1, "one of them is 1") for name, most in counted)),
    )
    pot = chosen["variant"] == "pot"
    return Shape(1 if pot else 2, 3, 3, 12, levels, hidden=chosen["variant"] != "nim", winnable=not pot)


def format_action(variant: Variant, action: int) -> str:
    names = {"guess": ("red", "black", "-"), "nim": ("take 1", "take 2", "take 3"), "pot": ("roll", "stop", "-")}
    return names[variant.name][action]


@kernel
def meaning(s: Any, action: int) -> int:  # noqa: ARG001
    """To stop with one pot is another thing than to stop with another."""
    return s.pot if s.tiny == POT else 0


class Ignorant(NamedTuple):
    """A guide that knows nothing but when a game of nim is as good as lost or won: at four sticks, for whoever must take."""

    nothing: int = 0


@kernel
def advise(guide: Any, s: Any, actions: Any, n: int, logits: Any, values: Any) -> None:  # noqa: ARG001
    for i in range(n):
        logits[i] = 0.0
    for seat in range(values.size):
        values[seat] = s.pot if s.tiny == POT else 0.5
    if s.tiny == NIM and s.sticks == 4:
        values[s.seat] = 0.0
        values[1 - s.seat] = 1.0


kernel_guide(Ignorant, advise)


GAME = Game(
    name="tiny",
    title="Tiny",
    version=1,
    dtype=STATE,
    variants=Choice("variant", {"guess": "a hidden card decides", "nim": "all lies open", "pot": "alone with a die"}),
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
    guide=lambda _: Ignorant(),
    meaning=meaning,
    hidden={"luck": "all", "card": "all"},
    view=lambda s, seat: {"seat": seat, "sticks": int(s.sticks), "pot": int(s.pot), "named": s.named.tolist()},
    board=lambda seen: f"{seen}",
)

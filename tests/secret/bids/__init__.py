"""Sealed bids: three seats write down a bid at once, and nobody sees another's before all three lie on the table; the highest
bid that nobody else made wins its points. Three rounds. The bids of a round are secret moves.

The seats decide one after another, as every game here does; what makes the bids simultaneous is that nobody is told.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from meeple.core.game import PLAYING, Choice, End, Field, Game, Level, Shape, Variant, state_dtype
from meeple.core.kernel import kernel
from meeple.core.rng import derive, draw

SEATS, ROUNDS, BIDS = 3, 3, 5
NO_BID = -1
STATE = state_dtype([("bid", "i1", (SEATS,)), ("last_bid", "i1", (SEATS,)), ("won", "i4", (SEATS,))])


@kernel
def deal(s: Any, config: Any, seed: Any) -> None:  # noqa: ARG001
    s.luck[0] = derive(seed, 0)
    s.ply = 0
    s.turn = 0
    s.seat = 0
    s.end = 0
    for seat in range(SEATS):
        s.bid[seat] = NO_BID
        s.last_bid[seat] = NO_BID
        s.won[seat] = 0


@kernel
def legal(s: Any, out: Any) -> int:  # noqa: ARG001
    for bid in range(BIDS):
        out[bid] = bid
    return BIDS


@kernel
def apply(s: Any, action: int) -> None:
    s.bid[s.seat] = action
    s.turn += 1
    s.seat = (s.seat + 1) % SEATS
    if s.seat == 0:
        _lay_open(s)


@kernel
def _lay_open(s: Any) -> None:
    """All bids are made: the highest that is alone counts."""
    best = -1
    for seat in range(SEATS):
        alone = True
        for other in range(SEATS):
            if other != seat and s.bid[other] == s.bid[seat]:
                alone = False
        if alone and (best < 0 or s.bid[seat] > s.bid[best]):
            best = seat
    if best >= 0:
        s.won[best] += s.bid[best] + 1
    for seat in range(SEATS):
        s.last_bid[seat] = s.bid[seat]
        s.bid[seat] = NO_BID
    if s.turn == SEATS * ROUNDS:
        s.end = 1


@kernel
def observe(s: Any, seat: int, level: int, out: Any) -> None:  # noqa: ARG001
    for i in range(SEATS):
        out[i] = s.won[(seat + i) % SEATS]
        out[SEATS + i] = s.last_bid[(seat + i) % SEATS]
    out[2 * SEATS] = s.bid[seat]


@kernel
def redeal(s: Any, seat: int, seed: Any) -> None:
    """The others' bids of this round may be anything."""
    s.luck[0] = derive(seed, 1)
    for other in range(SEATS):
        if other != seat and s.bid[other] != NO_BID:
            s.bid[other] = draw(s.luck, BIDS)


@kernel
def outcome(s: Any, out: Any) -> None:
    most = max(s.won[0], s.won[1], s.won[2])
    winners = 0
    for seat in range(SEATS):
        winners += 1 if s.won[seat] == most else 0
    for seat in range(SEATS):
        out[seat] = 1.0 / winners if s.won[seat] == most else 0.0


@kernel
def scores(s: Any, out: Any) -> None:
    for seat in range(SEATS):
        out[seat] = s.won[seat]


def secret(s: Any, seat: int, ply: int, mover: int, action: int) -> bool:  # noqa: ARG001
    """The bids of the round that is being played."""
    return ply // SEATS == int(s.ply) // SEATS


FIELDS = (
    Field("won", SEATS, 0, ROUNDS * BIDS, "points, your own first"),
    Field("last_bid", SEATS, NO_BID, BIDS - 1, "bids of the last round, your own first"),
    Field("bid", 1, NO_BID, BIDS - 1, "your own bid of this round"),
)


def shape(chosen: Mapping[str, str]) -> Shape:  # noqa: ARG001
    return Shape(seats=SEATS, actions=BIDS, max_legal=BIDS, max_plies=SEATS * ROUNDS, levels=(Level("own", FIELDS),))


def format_action(_: Variant, action: int) -> str:
    return f"bid {action + 1}"


def view(s: Any, seat: int) -> dict[str, Any]:
    return {"won": s.won.tolist(), "last bids": [b + 1 for b in s.last_bid.tolist()], "your bid": int(s.bid[seat]) + 1}


def board(seen: dict[str, Any]) -> str:
    return "\n".join(f"{name}: {value}" for name, value in seen.items())


GAME = Game(
    name="bids",
    title="Sealed Bids",
    version=1,
    dtype=STATE,
    variants=Choice("variant", {"sealed": "three rounds"}),
    ends=(PLAYING, End("all rounds are played")),
    deal=deal,
    legal=legal,
    apply=apply,
    observe=observe,
    redeal=redeal,
    outcome=outcome,
    scores=scores,
    shape=shape,
    hidden={"luck": "all", "bid": "others"},
    secret=secret,
    format_action=format_action,
    view=view,
    board=board,
)

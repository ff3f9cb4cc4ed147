"""Where games begin: a new table, a seat taken by invitation, a record opened for replay, a position set up by hand."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.core.errors import MeepleError
from meeple.core.game import Variant
from meeple.core.record import Record, parse_record
from meeple.core.state import State, new
from meeple.serve.errors import NOT_FOUND, STALE, WRONG, Refused
from meeple.serve.hall import Hall, veiled
from meeple.serve.levels import find_level
from meeple.serve.menu import Menu
from meeple.serve.minds import Question
from meeple.serve.pool import HINT
from meeple.serve.store import Event, GameRow
from meeple.serve.table import AGENT, OPEN, PERSON, Table
from meeple.serve.tokens import digest, make_id, make_token

SEAT, INVITE, WATCH = "seat", "invite", "watch"
MOST_NAME = 40
BEGUN = {"luck", "ply", "end"}  # of a position that is set up: luck is drawn anew, the others are what they are at a beginning


@dataclass(frozen=True)
class Wish:
    """A table as somebody wants it."""

    variant: Variant
    seats: list[dict[str, str]]
    coach: bool
    player: str = ""
    position: dict[str, Any] | None = None


class Desk:
    def __init__(self, hall: Hall, menu: Menu) -> None:
        self.hall, self.store, self.menu = hall, hall.store, menu

    # ---- A new table ----

    async def begin(self, wish: Wish) -> dict[str, Any]:
        """The first person's token, invitations to the seats that are left open, and a token to look on once it is over."""
        seats = seating(wish)
        people = [number for number, seat in enumerate(seats) if seat["kind"] == PERSON]
        await self.hall.ready.rules(wish.variant)
        start = None
        if wish.position is not None:
            start = await self._position(wish.variant, wish.position, people[0] if people else 0)
        row = GameRow(
            make_id(),
            "game" if people else "watch",
            wish.variant.spec,
            wish.variant.game.version,
            secrets.randbits(63),
            start,
            seats,
            wish.coach,
        )
        return await self._enter(row, people[0] if people else 0, wish.player)

    async def branch(self, wish: Wish, table: Table, ply: int) -> dict[str, Any]:
        """Go on from where a finished game stood. What the person's seat did not know there is dealt anew: it has been seen."""
        if wish.variant.spec != table.variant.spec:
            raise Refused(WRONG, f"That game was {table.variant.spec}, so this one must be too.")
        if not 0 <= ply <= len(table.plies) or table.at(ply).over:
            raise Refused(WRONG, "There the game was over already; go on from an earlier move.")
        seats = seating(wish)
        people = [number for number, seat in enumerate(seats) if seat["kind"] == PERSON]
        seat = people[0] if people else 0
        start = veiled(table.at(ply), seat).array.tobytes()
        kind = "game" if people else "watch"
        row = GameRow(make_id(), kind, wish.variant.spec, wish.variant.game.version, secrets.randbits(63), start, seats, wish.coach)
        return await self._enter(row, seat, wish.player)

    async def _enter(self, row: GameRow, seat: int, player: str) -> dict[str, Any]:
        token, watch = make_token(), make_token()
        invites = {number: make_token() for number, about in enumerate(row.seats) if about["kind"] == OPEN}
        with self.store.transaction():
            self.store.add_game(row)
            self.store.add_token(digest(token), row.id, seat, SEAT if row.kind == "game" else WATCH)
            self.store.add_token(digest(watch), row.id, seat, WATCH)
            for number, invite in invites.items():
                self.store.add_token(digest(invite), row.id, number, INVITE)
            if player and row.kind == "game":
                self.store.add_sitting(digest(player), row.id, seat)
        await self.hall.open(row.id)
        return {
            "game": row.id,
            "kind": row.kind,
            "seat": seat,
            "token": token,
            "invites": [{"seat": number, "token": invite} for number, invite in invites.items()],
            "watch": watch,
        }

    async def join(self, name: str, invite: str, who: str, player: str) -> dict[str, Any]:
        """Take the seat of an invitation, which is then used up: nobody else can sit there."""
        table = await self.hall.open(name)
        held = self.store.token(digest(invite), name)
        if held is None or held[1] != INVITE:
            raise Refused(NOT_FOUND, "This invitation is not valid, or somebody has used it already.")
        seat, token = held[0], make_token()
        seats = [dict(about) for about in table.seats]
        seats[seat] = {"kind": PERSON, "name": clean_name(who, f"Player {seat + 1}")}
        with self.store.transaction():
            self.store.drop_token(digest(invite))
            self.store.add_token(digest(token), name, seat, SEAT)
            self.store.set_seats(name, seats)
            if player:
                self.store.add_sitting(digest(player), name, seat)
        table.row.seats[:] = seats
        self.hall.commit(table, Event("sit", seat))
        return {"game": name, "kind": table.row.kind, "seat": seat, "token": token, "invites": [], "watch": ""}

    # ---- Records ----

    async def import_text(self, text: str) -> dict[str, Any]:
        """A record as text, every move checked."""
        named = re.search(r"^\s*game:(.*)$", text, re.M)
        if named is None:
            raise Refused(WRONG, "That is no record: it must begin with 'meeple record 1' and say 'game: …'.")
        variant = self.menu.by_spec(named[1].strip())  # before it is read: a record must not name a path
        if len(re.findall(r"^\s*game:", text, re.M)) > 1:
            raise Refused(WRONG, "A record names its game once.")
        await self.hall.ready.rules(variant)
        return await self.import_record(parse_record(text), variant)

    async def import_record(self, record: Record, variant: Variant) -> dict[str, Any]:
        await self.hall.ready.rules(variant)
        names = [*record.players, *(f"Seat {number}" for number in range(len(record.players), variant.shape.seats))]
        seats = [{"kind": PERSON, "name": clean_name(name, "?")} for name in names[: variant.shape.seats]]
        row = GameRow(make_id(), "record", variant.spec, variant.game.version, record.seed, None, seats, True)
        state, events = new(variant, record.seed), []
        for move in record.moves:
            seat = state.seat
            events.append(Event("move", seat, state.play(move)))
        return await self._stored(row, events)

    async def _stored(self, row: GameRow, events: list[Event]) -> dict[str, Any]:
        token = make_token()
        with self.store.transaction():
            self.store.add_game(row)
            self.store.add_token(digest(token), row.id, 0, WATCH)
            for number, event in enumerate(events):
                self.store.add_event(row.id, number, event)
        await self.hall.open(row.id)
        return {"game": row.id, "kind": row.kind, "seat": 0, "token": token, "invites": [], "watch": token}

    # ---- Positions ----

    def draft(self, variant: Variant) -> list[dict[str, Any]]:
        """The fields of a fresh deal, which nobody will play, to be changed by hand."""
        array = new(variant, secrets.randbits(63)).array
        return [_field(array, name) for name in settable(variant)]

    async def _position(self, variant: Variant, fields: dict[str, Any], seat: int) -> bytes:
        """A position by its fields, if it is possible. What the seat cannot know in it is dealt at random."""
        array = filled(variant, fields)
        if reason := await self.impossible(variant, array):
            raise Refused(WRONG, f"This position is not possible: {reason}.")
        return veiled(State(variant, array), seat).array.tobytes()

    async def impossible(self, variant: Variant, array: NDArray[Any]) -> str:
        """Nothing, or why the position cannot be. A worker tries it: nonsense may bring a compiled rule down."""
        if variant.game.audit is None:
            return f"{variant.game.title} does not say what must hold in a position (audit), so none can be checked"
        try:
            question = Question("check", variant.spec, "", array)
            return str(await self.hall.pool.ask(question, HINT, (secrets.token_hex(4), "check")))
        except Refused:
            raise
        except MeepleError:
            return "its numbers make no sense to the rules"


def seating(wish: Wish) -> list[dict[str, Any]]:
    """Who sits where, checked."""
    wanted = wish.variant.shape.seats
    if len(wish.seats) != wanted:
        raise Refused(WRONG, f"{wish.variant.spec} has {wanted} seats, but {len(wish.seats)} were given.")
    seats: list[dict[str, Any]] = []
    for number, seat in enumerate(wish.seats):
        if seat["kind"] == AGENT:
            level = find_level(seat.get("level") or "", wish.variant)
            alike = sum(other.get("level") == level.name for other in seats)
            seats.append({"kind": AGENT, "level": level.name, "name": f"{level.name} {alike + 1}" if alike else level.name})
        else:
            seats.append({"kind": seat["kind"], "name": clean_name(seat.get("name", ""), f"Player {number + 1}")})
    if sum(seat["kind"] == PERSON for seat in seats) > 1:
        raise Refused(WRONG, "One person begins the game; the others' seats are 'open', and an invitation leads to each.")
    if not any(seat["kind"] == PERSON for seat in seats) and any(seat["kind"] == OPEN for seat in seats):
        raise Refused(WRONG, "Whoever begins a game with open seats takes one of the seats; set one to 'person'.")
    return seats


def clean_name(text: str, default: str) -> str:
    """A name as it can be shown to others: one line of printable letters, not long."""
    shown = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(shown.split())[:MOST_NAME] or default


def settable(variant: Variant) -> list[str]:
    """Fields of a position that one may set. What the variant decides is not among them: its sizes go by that."""
    return [name for name in variant.game.dtype.names or () if name not in BEGUN and name not in variant.game.fixed]


def _field(array: NDArray[Any], name: str) -> dict[str, Any]:
    value = array[name][0]
    kind = array.dtype[name].base
    if kind.names:
        return {"name": name, "shape": list(value.shape), "value": None, "low": 0, "high": 0}
    info = np.iinfo(kind) if kind.kind in "iu" else None
    low, high = (int(info.min), int(info.max)) if info else (0, 1)
    return {"name": name, "shape": list(value.shape), "value": value.tolist(), "low": low, "high": high}


def filled(variant: Variant, fields: dict[str, Any]) -> NDArray[Any]:
    """A fresh deal with these fields set. Names, shapes and sizes of numbers are checked; whether it can be is another question."""
    array = new(variant, secrets.randbits(63)).array
    known = {name: _field(array, name) for name in settable(variant)}
    for name, value in fields.items():
        if name not in known or known[name]["value"] is None:
            has = ", ".join(known)
            raise Refused(WRONG, f"A position of {variant.game.title} has no field '{name[:40]}' to set; it has: {has}.")
        about = known[name]
        try:
            given = np.array(value, dtype=object)
            numbers = [int(number) for number in given.reshape(-1)]
            whole = all(isinstance(number, int) for number in given.reshape(-1))
        except (TypeError, ValueError, OverflowError):
            raise Refused(WRONG, f"The field '{name}' takes whole numbers in the shape {about['shape']}.") from None
        if list(given.shape) != about["shape"] or not whole:
            raise Refused(WRONG, f"The field '{name}' takes whole numbers in the shape {about['shape']}.")
        if not all(about["low"] <= number <= about["high"] for number in numbers):
            raise Refused(WRONG, f"Each number of '{name}' must be from {about['low']} to {about['high']}.")
        array[name][0] = np.array(numbers, array.dtype[name].base).reshape(about["shape"])
    return array


def record_text(table_row: GameRow, variant: Variant, plies: list[tuple[int, int]], names: list[str], notes: list[str]) -> str:
    """A game as a record: the seed is in it, so only once it is over."""
    if table_row.start is not None:
        raise Refused(STALE, "This game began from a position that was set up, which a record cannot say; share its link instead.")
    moves = [variant.format_action(action) for _, action in plies]
    record = Record(variant.spec, table_row.seed, moves, tuple(name.replace(",", " ") for name in names), variant.game.version)
    return record.text() + "".join(f"# {note}\n" for note in notes)

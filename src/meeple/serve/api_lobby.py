"""Requests before a game: what there is to play, records to replay, positions to set up, a player's past."""

from __future__ import annotations

import asyncio
from pathlib import Path as File
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from meeple.arena.records import stored_record
from meeple.arena.store import Store as Results
from meeple.arena.store import default_path
from meeple.core.errors import MeepleError
from meeple.serve.club import Club, club_of, may_see
from meeple.serve.desk import Wish, filled
from meeple.serve.errors import NOT_FOUND, NOT_YOURS, WRONG, Refused
from meeple.serve.guard import visitor
from meeple.serve.levels import find_level
from meeple.serve.menu import about, rules_of
from meeple.serve.models import MOST, Begin, Draft, Opened, Prepare, RecordText, Refusal, Which, Who
from meeple.serve.reviewing import statistics
from meeple.serve.tokens import digest

REFUSALS: dict[int | str, dict[str, Any]] = {status: {"model": Refusal} for status in (400, 403, 404, 405, 409, 413, 422, 429, 503)}
lobby = APIRouter(prefix="/api", responses=REFUSALS)
bearer = HTTPBearer(auto_error=False)
Bearer = Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)]
TheClub = Annotated[Club, Depends(club_of)]
MOST_MATCHES = 200


@lobby.get("/menu")
async def menu(club: TheClub) -> dict[str, Any]:
    """Games with their variants and options."""
    return {"games": club.menu.listing()}


@lobby.post("/variants")
async def variant(body: Prepare, club: TheClub) -> dict[str, Any]:
    """Seats and opponents of a variant. What it takes begins to compile, and the answer tells how far that is."""
    found = club.menu.variant(body.game, body.variant, body.options)
    club.hall.run(_quietly(club.ready.rules(found)))
    if body.level:
        club.hall.run(_quietly(club.ready.agent(found, find_level(body.level, found))))
    return about(found) | {"ready": club.ready.progress(found)}


async def _quietly(work: Any) -> None:
    """Whoever needs it will be told what went wrong."""
    try:
        await work
    except MeepleError:
        return


@lobby.get("/rules/{game}")
async def rules(game: Annotated[str, Path(max_length=60)], club: TheClub) -> dict[str, str]:
    """The rules as Markdown."""
    if game not in club.menu.games:
        raise Refused(NOT_FOUND, f"There is no game '{game}' here.")
    return {"title": club.menu.games[game].title, "text": rules_of(club.menu.games[game])}


@lobby.post("/games", status_code=201)
async def begin(body: Begin, request: Request, club: TheClub, credentials: Bearer) -> Opened:
    """A new table. The tokens in the answer are told this once."""
    club.limits.take(visitor(request.scope), "game")
    found = club.menu.variant(body.game, body.variant, body.options)
    seats = [seat.model_dump() for seat in body.seats]
    if body.branch is not None and body.position is not None:
        raise Refused(WRONG, "A game begins from a position or from another game, not both.")
    wish = Wish(found, seats, body.coach, body.player, body.position)
    if body.branch is None:
        return Opened(**await club.desk.begin(wish))
    table, _, role = await club.enter(body.branch.game, credentials)
    if not may_see(table, role) or table.running:
        raise Refused(NOT_YOURS, "A game that is still being played cannot be gone on with elsewhere.")
    return Opened(**await club.desk.branch(wish, table, body.branch.ply))


@lobby.post("/records", status_code=201)
async def open_record(body: RecordText, request: Request, club: TheClub) -> Opened:
    """A record as text, every move checked, to be replayed and reviewed."""
    club.limits.take(visitor(request.scope), "record")
    return Opened(**await club.desk.import_text(body.text))


@lobby.get("/results")
async def results(club: TheClub) -> dict[str, Any]:
    """Matches of the arena's results file, the newest first."""
    path = _results_path(club)
    if not path.is_file():
        return {"matches": []}
    found = await asyncio.to_thread(lambda: Results(path, reading=True).matches())  # a large file takes a moment
    keys = ("id", "variant", "agents", "finished", "started")
    return {"matches": [{key: match[key] for key in keys} for match in reversed(found[-MOST_MATCHES:])]}


@lobby.post("/results/{match}/{number}", status_code=201)
async def open_result(
    match: Annotated[int, Path(ge=0, le=MOST)], number: Annotated[int, Path(ge=0, le=MOST)], request: Request, club: TheClub
) -> Opened:
    """Any game of a match, to be replayed and reviewed."""
    club.limits.take(visitor(request.scope), "record")
    path = _results_path(club)
    if not path.is_file():
        raise Refused(NOT_FOUND, "There is no results file here yet; meeple match makes one.")
    try:
        found = await asyncio.to_thread(lambda: stored_record(Results(path, reading=True), match, number))
    except MeepleError as error:
        raise Refused(NOT_FOUND, str(error).replace(str(path), "the results file")) from error
    return Opened(**await club.desk.import_record(found, club.menu.by_spec(found.spec)))


def _results_path(club: Club) -> File:
    return club.settings.results or default_path()


@lobby.post("/positions")
async def draft(body: Which, club: TheClub) -> dict[str, Any]:
    """The fields of a fresh deal, to be changed by hand."""
    found = club.menu.variant(body.game, body.variant, body.options)
    await club.ready.rules(found)
    return {"variant": found.spec, "fields": club.desk.draft(found)}


@lobby.post("/positions/check")
async def check(body: Draft, request: Request, club: TheClub) -> dict[str, Any]:
    """Is such a position possible, and if not, why?"""
    club.limits.take(visitor(request.scope), "search")
    found = club.menu.variant(body.game, body.variant, body.options)
    await club.ready.rules(found)
    reason = await club.desk.impossible(found, filled(found, body.fields))
    return {"possible": not reason, "reason": reason}


@lobby.post("/player")
async def player(body: Who, club: TheClub) -> dict[str, Any]:
    """A player's games over time."""
    return statistics(club.store, digest(body.player))

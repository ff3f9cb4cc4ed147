"""Requests about one game. The seat's token comes as a bearer; the version says which state of the table is meant."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import PlainTextResponse

from meeple.core.errors import MoveError
from meeple.serve.api_lobby import REFUSALS, Bearer, TheClub
from meeple.serve.club import may_see
from meeple.serve.desk import SEAT
from meeple.serve.errors import NOT_YOURS, STALE, WRONG, Refused
from meeple.serve.guard import visitor
from meeple.serve.models import MOST, Answer, At, CoachWish, Done, Join, Move, Opened
from meeple.serve.replaying import record, replay
from meeple.serve.store import Event
from meeple.serve.table import Table
from meeple.serve.tell import log_of, tell

games = APIRouter(prefix="/api/games/{name}", responses=REFUSALS)
Name = Annotated[str, Path(pattern=r"^[0-9a-f]{16}$")]
WAIT = "A game of others can be looked at when it is over."


@games.post("/join", status_code=201)
async def join(name: Name, body: Join, club: TheClub) -> Opened:
    """Take the seat that an invitation leads to."""
    return Opened(**await club.desk.join(name, body.invite, body.name, body.player))


@games.get("")
async def look(name: Name, club: TheClub, credentials: Bearer) -> dict[str, Any]:
    """All that the seat is told; the WebSocket pushes the same whenever something happens."""
    table, seat, role = await club.enter(name, credentials)
    if not may_see(table, role):
        raise Refused(NOT_YOURS, WAIT)
    return tell(table, seat, role != SEAT)


@games.get("/log")
async def log(name: Name, club: TheClub, credentials: Bearer) -> dict[str, Any]:
    """Every move so far, as the seat may know it."""
    table, seat, role = await club.enter(name, credentials)
    if not may_see(table, role):
        raise Refused(NOT_YOURS, WAIT)
    return {"log": log_of(table.state, table.state.told(seat, table.plies))}


@games.post("/move")
async def move(name: Name, body: Move, club: TheClub, credentials: Bearer) -> Done:
    """Make a move. Refused if the table has changed since, or the move is not legal; then nothing happens."""
    table, seat = await club.sit(name, credentials)
    table.check_version(body.version)
    action = _action(table, seat, body)
    table.check_move(seat, action)
    club.hall.commit(table, Event("move", seat, action))
    return Done(version=table.version)


def _action(table: Table, seat: int, body: Move) -> int:
    if (body.action is None) == (body.text is None):
        raise Refused(WRONG, "A move is given by its number (action) or by its words (text), and by one of them.")
    if body.action is not None:
        return body.action
    table.check_move(seat, table.state.legal()[0] if table.running else 0)  # whose turn it is comes before what was typed
    try:
        return table.variant.parse_action(body.text or "")
    except MoveError as error:
        raise Refused(WRONG, str(error)) from error


@games.post("/step")
async def step(name: Name, body: At, club: TheClub, credentials: Bearer) -> Done:
    """Agents among themselves: let the next one move."""
    table, _, _ = await club.enter(name, credentials)
    if table.row.kind != "watch":
        raise Refused(STALE, "Only games of agents among themselves are moved on by whoever watches.")
    table.check_version(body.version)
    if (task := club.hall.let_agent_move(table)) is not None:
        await task
    return Done(version=table.version)


@games.post("/takeback")
async def takeback(name: Name, body: At, club: TheClub, credentials: Bearer) -> Done:
    """Back to one's own last decision: at once against agents, with the others' consent among people. It is marked."""
    table, seat = await club.sit(name, credentials)
    table.check_version(body.version)
    _check_running(table)
    ply = table.last_decision(seat)
    kind = "ask" if len(table.people) > 1 else "back"
    club.hall.commit(table, Event(kind, seat, ply))
    return Done(version=table.version)


@games.post("/takeback/answer")
async def answer_takeback(name: Name, body: Answer, club: TheClub, credentials: Bearer) -> Done:
    """Agree to somebody's takeback, or do not. All others must agree."""
    table, seat = await club.sit(name, credentials)
    table.check_version(body.version)
    _check_running(table)
    if table.asked is None or table.asked[0] == seat:
        raise Refused(STALE, "Nobody has asked you for a takeback.")
    asker, ply = table.asked
    if not body.agree:
        club.hall.commit(table, Event("decline", seat))
    else:
        club.hall.commit(table, Event("agree", seat))
        if table.agreed >= set(table.people) - {asker}:
            club.hall.commit(table, Event("back", asker, ply))
    return Done(version=table.version)


@games.post("/resign")
async def resign(name: Name, body: At, club: TheClub, credentials: Bearer) -> Done:
    """Give up: the game ends undecided by its rules."""
    table, seat = await club.sit(name, credentials)
    table.check_version(body.version)
    _check_running(table)
    club.hall.commit(table, Event("resign", seat))
    return Done(version=table.version)


def _check_running(table: Table) -> None:
    if not table.running:
        raise Refused(STALE, "The game is over.")


@games.post("/hint")
async def hint(name: Name, body: At, request: Request, club: TheClub, credentials: Bearer) -> dict[str, Any]:
    """The best moves with reasons, from what the seat may know. It is marked that the seat asked."""
    club.limits.take(visitor(request.scope), "search")
    table, seat = await club.sit(name, credentials)
    return await club.coaching.hint(table, seat, body.version)


@games.post("/coach")
async def coach(name: Name, body: CoachWish, club: TheClub, credentials: Bearer) -> Done:
    """Switch the evaluation bar, and what moves cost, on or off for this seat."""
    table, seat = await club.sit(name, credentials)
    club.coaching.want(table, seat, body.bar, body.cost)
    return Done(version=table.version)


@games.get("/record", response_model=None, responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}})
async def text(name: Name, club: TheClub, credentials: Bearer) -> PlainTextResponse:
    """The game as text, once it is over: the seed is in it."""
    table, _, _ = await club.enter(name, credentials)
    return PlainTextResponse(record(table))


@games.get("/replay")
async def step_by_step(
    name: Name,
    club: TheClub,
    credentials: Bearer,
    ply: Annotated[int, Query(ge=0, le=MOST)] = 0,
    seat: Annotated[int, Query(ge=-1, le=5, description="-1: all of them")] = -1,
) -> dict[str, Any]:
    """The table after so many moves, once the game is over."""
    table, _, _ = await club.enter(name, credentials)
    return replay(table, ply, seat)


@games.post("/review")
async def review(name: Name, club: TheClub, credentials: Bearer) -> dict[str, Any]:
    """The review as far as it is; the first request begins it."""
    table, _, _ = await club.enter(name, credentials)
    return club.reviewing.look(table)

"""The WebSocket. The page says its token and then only listens: whenever something happens it is told the whole table as its seat
sees it, so whoever comes back has missed nothing."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import Any

from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from meeple.core.errors import MeepleError
from meeple.core.registry import find_variant
from meeple.serve.club import Club, may_see
from meeple.serve.desk import SEAT
from meeple.serve.errors import NOT_YOURS, Refused
from meeple.serve.guard import visitor
from meeple.serve.hall import Listener
from meeple.serve.tokens import WRITTEN

PATIENCE = 10.0  # seconds for the token to come
BEAT = 0.7  # seconds between two words about compiling
REFUSED = 4404  # the code with which the page is sent away for good

socket = APIRouter()


@socket.websocket("/api/games/{name}/push")
async def push(connection: WebSocket, name: str) -> None:
    club: Club = connection.app.state.club
    who = visitor(connection.scope)
    try:
        club.limits.take(who, "socket")
        club.limits.enter(who)
    except Refused as error:
        await connection.close(1013, str(error))
        return
    try:
        await connection.accept()
        await _serve(connection, club, name)
    except (WebSocketDisconnect, RuntimeError, TimeoutError):
        pass  # the page is gone, or never said anything
    except MeepleError as error:
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            await connection.close(REFUSED, str(error)[:120])
    finally:
        club.limits.leave(who)


async def _serve(connection: WebSocket, club: Club, name: str) -> None:
    token = await _token(connection)
    seat, role = club.role(name, token)
    beat = asyncio.ensure_future(_tell_progress(connection, club, name))
    try:
        table = await club.hall.open(name)
        if not may_see(table, role):
            raise Refused(NOT_YOURS, "A game of others can be looked at when it is over.")
        listener = Listener(seat, role != SEAT)
        club.hall.join(table, listener)
        try:
            await _pump(connection, listener)
        finally:
            club.hall.leave(name, listener)
    finally:
        beat.cancel()


async def _token(connection: WebSocket) -> str:
    """The one thing that a page says."""
    said = await asyncio.wait_for(connection.receive(), PATIENCE)
    if said["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(said.get("code", 1005))
    try:
        token = json.loads((said.get("text") or "")[:200])["token"]  # a binary frame has no text
    except (ValueError, KeyError, TypeError, RecursionError):
        token = ""
    return token if isinstance(token, str) and WRITTEN.fullmatch(token) else ""


async def _pump(connection: WebSocket, listener: Listener) -> None:
    """Send what there is until the page goes."""
    gone = asyncio.ensure_future(_until_gone(connection))
    try:
        while True:
            waiting = asyncio.ensure_future(listener.messages.get())
            await asyncio.wait({gone, waiting}, return_when=asyncio.FIRST_COMPLETED)
            if not waiting.done():
                waiting.cancel()
                return
            if (message := waiting.result()) is None:
                await connection.close(1012, "The server is closing, or you were too slow; connect again.")
                return
            await connection.send_text(_written("table", message))
    finally:
        gone.cancel()
        with contextlib.suppress(asyncio.CancelledError, Exception):
            await gone


async def _until_gone(connection: WebSocket) -> None:
    """A page has nothing more to say; one that does is let go."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        await connection.receive()


async def _tell_progress(connection: WebSocket, club: Club, name: str) -> None:
    """While code is compiled for this table, say so."""
    row = club.store.game(name)
    if row is None:
        return
    variant, told = find_variant(row.variant), False
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        while True:
            await asyncio.sleep(BEAT)
            progress = club.ready.progress(variant)
            if progress["compiling"] or told:
                await connection.send_text(_written("preparing", progress))
            told = bool(progress["compiling"])


def _written(kind: str, message: dict[str, Any]) -> str:
    return json.dumps({"type": kind, **message}, ensure_ascii=False, separators=(",", ":"))

"""The application: requests, the WebSocket, the files of the page, and how refusals are told."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse
from fastapi.staticfiles import StaticFiles

from meeple.core.errors import MeepleError
from meeple.serve.api_games import games
from meeple.serve.api_lobby import lobby
from meeple.serve.club import Club, Settings
from meeple.serve.errors import STALE, WRONG, Refused
from meeple.serve.guard import Guard
from meeple.serve.pool import Superseded
from meeple.serve.push import socket

STATIC = Path(__file__).parent / "static"


def make_app(settings: Settings) -> FastAPI:
    """Starts its workers when it begins to serve and ends them with it."""
    club = Club(settings)  # what is wrong with the settings is said before anything is served

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        app.state.club = club
        await club.start()
        yield
        await club.close()

    app = FastAPI(
        title="Meeple",
        version="1",
        description="Play in the browser: commands by POST, a WebSocket that only pushes.",
        lifespan=life,
        openapi_url="/api/openapi.json",
        docs_url=None,  # these pages would load scripts from elsewhere
        redoc_url=None,
    )
    app.include_router(lobby)
    app.include_router(games)
    app.include_router(socket)
    app.mount("/static", StaticFiles(directory=STATIC), "static")
    app.add_api_route("/", _page, include_in_schema=False)
    app.add_exception_handler(MeepleError, _refused)
    app.add_exception_handler(Superseded, _superseded)
    app.add_exception_handler(RequestValidationError, _wrong)
    app.add_exception_handler(Exception, _failed)
    app.add_middleware(Guard, hosts=settings.hosts, limits=settings.limits)
    return app


async def _page() -> FileResponse:
    return FileResponse(STATIC / "index.html")


def _told(status: int, sentence: str) -> JSONResponse:
    return JSONResponse({"detail": sentence}, status)


async def _refused(_: Request, error: Exception) -> JSONResponse:
    return _told(error.status if isinstance(error, Refused) else WRONG, str(error))


async def _superseded(_: Request, __: Exception) -> JSONResponse:
    return _told(STALE, "A newer question has taken the place of this one.")


async def _wrong(_: Request, error: Exception) -> JSONResponse:
    """The first thing that is wrong, in a sentence."""
    assert isinstance(error, RequestValidationError)
    first: dict[str, Any] = error.errors()[0]
    where = ".".join(str(part) for part in first.get("loc", ()) if part not in ("body", "query", "path"))
    message = str(first.get("msg", "is not valid"))
    return _told(WRONG, f"{where[:80] or 'The request'}: {message[:1].lower()}{message[1:]}.")


async def _failed(_: Request, __: Exception) -> JSONResponse:
    """A fault of ours: still a sentence. The server's own log has the rest."""
    return _told(500, "Something went wrong here; the game is as it was. Try again.")

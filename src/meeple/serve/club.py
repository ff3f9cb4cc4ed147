"""The parts of a running server, put together once."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from dataclasses import dataclass, field
from ipaddress import IPv6Address
from pathlib import Path

from fastapi import Request
from fastapi.security import HTTPAuthorizationCredentials

from meeple.core.folders import data_folder
from meeple.serve.coach import Coaching
from meeple.serve.desk import INVITE, SEAT, Desk
from meeple.serve.errors import NOT_FOUND, NOT_YOURS, Refused
from meeple.serve.hall import Hall
from meeple.serve.levels import allow
from meeple.serve.limits import Limits
from meeple.serve.menu import Menu
from meeple.serve.pool import Pool
from meeple.serve.ready import Ready
from meeple.serve.reviewing import Reviewing
from meeple.serve.store import Store
from meeple.serve.table import Table
from meeple.serve.tokens import digest

TIDY = 30.0  # seconds between two tidyings of the file
LOCAL = ("127.0.0.1", "localhost", "[::1]")


def default_data() -> Path:
    return data_folder() / "serve.sqlite"


@dataclass(frozen=True)
class Settings:
    """How a server is set up."""

    data: Path = field(default_factory=default_data)
    results: Path | None = None  # the arena's results file, whose games can be replayed
    workers: int = 2
    names: tuple[str, ...] = ()  # hosts that it goes by besides the local ones
    agents: tuple[str, ...] = ()  # agents offered besides the usual ones
    code: tuple[Path, ...] = ()
    limits: Limits = field(default_factory=Limits)

    @property
    def hosts(self) -> frozenset[str]:
        return frozenset(host_of(name) for name in (*LOCAL, *self.names))


def host_of(name: str) -> str:
    """A host as browsers write it in a request: small letters, an IPv6 address in its shortest form and in brackets."""
    try:
        return f"[{IPv6Address(name.strip('[]'))}]"
    except ValueError:
        return name.lower()


class Club:
    """Everything that requests work on."""

    def __init__(self, settings: Settings) -> None:
        self.settings, self.limits = settings, settings.limits
        allow(list(settings.agents))
        self.menu = Menu()
        self.store = Store(settings.data)
        self.pool = Pool(settings.workers, list(settings.code))
        self.ready = Ready(list(settings.code))
        self.hall = Hall(self.store, self.pool, self.ready)
        self.coaching = Coaching(self.hall)
        self.reviewing = Reviewing(self.hall)
        self.desk = Desk(self.hall, self.menu)

    async def start(self) -> None:
        await self.pool.start()
        self.hall.run(self._tidy())

    async def _tidy(self) -> None:
        while True:
            await asyncio.sleep(TIDY)
            with contextlib.suppress(sqlite3.Error):  # the next time will do
                await asyncio.to_thread(self.store.tidy)

    async def close(self) -> None:
        await self.hall.close()
        await self.ready.close()
        await self.pool.close()
        self.store.close()

    # ---- Who asks ----

    def role(self, name: str, token: str) -> tuple[int, str]:
        """(seat, role) of a token. A wrong token and a game that does not exist are answered alike."""
        held = self.store.token(digest(token), name)
        if held is None or held[1] == INVITE:
            raise Refused(NOT_FOUND, "There is no such game here, or the link to it is not complete.")
        return held

    async def enter(self, name: str, credentials: HTTPAuthorizationCredentials | None) -> tuple[Table, int, str]:
        """The table, seat and role of whoever asks."""
        seat, role = self.role(name, credentials.credentials if credentials else "")
        return await self.hall.open(name), seat, role

    async def sit(self, name: str, credentials: HTTPAuthorizationCredentials | None) -> tuple[Table, int]:
        """The same for those who may act."""
        table, seat, role = await self.enter(name, credentials)
        if role != SEAT:
            raise Refused(NOT_YOURS, "Who looks on cannot act at the table.")
        return table, seat


def may_see(table: Table, role: str) -> bool:
    """Those who look on see a game of people when it is over; agents among themselves, and records, at any time."""
    return role == SEAT or table.row.kind != "game" or not table.running


def club_of(request: Request) -> Club:
    club: Club = request.app.state.club
    return club

"""All tables: opened when somebody comes, changed by events that are stored first, told to everybody who looks on, and moved on by
agents where it is their turn."""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any

from meeple.core.errors import MeepleError
from meeple.core.registry import find_variant
from meeple.core.rng import PERSONS_OPPONENT, child, sealed
from meeple.core.state import State
from meeple.serve.errors import NOT_FOUND, Refused
from meeple.serve.levels import Level
from meeple.serve.minds import Question
from meeple.serve.pool import AGENT, Pool, Superseded
from meeple.serve.ready import Ready
from meeple.serve.store import Event, Store
from meeple.serve.table import Table, set_up
from meeple.serve.tell import result_of, tell

MOST_TABLES = 2000  # in memory; the others are in the file and come back when somebody asks for them
MOST_UNREAD = 500  # messages to one listener; who does not read them is let go


@dataclass(eq=False)
class Listener:
    """A page that is told what happens at a table."""

    seat: int
    watching: bool = False
    messages: asyncio.Queue[dict[str, Any] | None] = field(default_factory=lambda: asyncio.Queue(MOST_UNREAD))

    def put(self, message: dict[str, Any] | None) -> None:
        if self.messages.full():
            while not self.messages.empty():
                self.messages.get_nowait()
            message = None  # it ends there; the page connects anew and is told all
        self.messages.put_nowait(message)


class Hall:
    """The tables and what moves them on."""

    def __init__(self, store: Store, pool: Pool, ready: Ready) -> None:
        self.store, self.pool, self.ready = store, pool, ready
        self.tables: OrderedDict[str, Table] = OrderedDict()
        self.listeners: dict[str, set[Listener]] = {}
        self.thinking: dict[str, tuple[int, int]] = {}  # table -> position that its agent thinks about
        self.tasks: set[asyncio.Task[Any]] = set()
        self.after: list[Any] = []  # called with a table and an event when it has happened: the coach listens

    async def open(self, name: str) -> Table:
        """A table by its id; a refusal where there is none."""
        if name not in self.tables:
            row = self.store.game(name)
            if row is None:
                raise Refused(NOT_FOUND, "There is no such game here.")
            await self.ready.rules(find_variant(row.variant))
            if name not in self.tables:  # somebody else may have opened it meanwhile
                self.tables[name] = set_up(row, self.store.events(name))
                self.move_on(self.tables[name])
        self.tables.move_to_end(name)
        self._make_room()
        return self.tables[name]

    def _make_room(self) -> None:
        for name in list(self.tables)[: max(0, len(self.tables) - MOST_TABLES)]:
            if not self.listeners.get(name) and name not in self.thinking:
                del self.tables[name]

    # ---- What happens ----

    def commit(self, table: Table, event: Event) -> None:
        """Store it, let it happen, tell everybody, and let the next one move."""
        self.store.add_event(table.id, table.version, event)
        table.apply(event)
        if event.kind in ("move", "resign", "back"):
            table.trouble = ""
            if (result := result_of(table)) is not None or event.kind == "back":
                self.store.end(table.id, result)
        if event.kind == "back":
            self.pool.drop((table.id, "agent"))
            self.thinking.pop(table.id, None)
        for listen in self.after:
            listen(table, event)
        self.tell_all(table)
        self.move_on(table)

    def tell_all(self, table: Table, only: int | None = None) -> None:
        """Everybody who looks on, or only those who look from one seat."""
        made: dict[tuple[int, bool], dict[str, Any]] = {}
        for listener in self.listeners.get(table.id, ()):
            if only is None or listener.seat == only:
                key = (listener.seat, listener.watching)
                made.setdefault(key, tell(table, *key))
                listener.put(made[key])

    def join(self, table: Table, listener: Listener) -> None:
        """Whoever comes gets an agent that failed another try: the trouble may be over."""
        self.move_on(table)
        self.listeners.setdefault(table.id, set()).add(listener)
        listener.put(tell(table, listener.seat, listener.watching))

    def leave(self, name: str, listener: Listener) -> None:
        if name in self.listeners:
            self.listeners[name].discard(listener)
            if not self.listeners[name]:
                del self.listeners[name]

    def run(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Something that goes on by itself."""
        task = asyncio.ensure_future(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task

    # ---- Agents ----

    def move_on(self, table: Table) -> None:
        """If it is an agent's turn, let it think. Agents among themselves wait for whoever watches to say so."""
        if table.row.kind == "game":
            self.let_agent_move(table)

    def let_agent_move(self, table: Table) -> asyncio.Task[Any] | None:
        position = position_of(table)
        if not table.running or not table.complete or self.thinking.get(table.id) == position:
            return None
        level = table.level(table.state.seat)
        if level is None:
            return None
        self.thinking[table.id] = position
        table.trouble = ""
        return self.run(self._agent_moves(table, level, position))

    async def _agent_moves(self, table: Table, level: Level, position: tuple[int, int]) -> None:
        seat = table.state.seat
        try:
            await self.ready.agent(table.variant, level)
            if position_of(table) != position:
                return
            action = await self.pool.ask(self.question(table, level, seat), AGENT, (table.id, "agent"))
            if position_of(table) == position and table.running:
                table.check_move(seat, int(action))
                self.thinking.pop(table.id, None)
                self.commit(table, Event("move", seat, int(action)))
        except Superseded:
            pass
        except MeepleError as error:
            table.trouble = f"{table.seats[seat]['name']} cannot move: {error}"
            self.tell_all(table)
        finally:
            if self.thinking.get(table.id) == position and position_of(table) == position:
                self.thinking.pop(table.id, None)

    def question(self, table: Table, level: Level, seat: int) -> Question:
        """A decision as the seat sees it: what leaves this process was redealt first."""
        luck = sealed(child(table.row.seed, PERSONS_OPPONENT), len(table.plies))
        history = table.state.told(seat, table.plies)
        return Question("choose", table.variant.spec, level.spec, veiled(table.state, seat).array, luck, history, level.ms)

    async def close(self) -> None:
        for task in list(self.tasks):
            task.cancel()
        for listeners in self.listeners.values():
            for listener in listeners:
                listener.put(None)


def position_of(table: Table) -> tuple[int, int]:
    """What an answer must still fit when it comes."""
    return len(table.plies), len(table.takebacks)


def veiled(state: State, seat: int) -> State:
    """As the seat may see it, with hidden things dealt at random."""
    return state.redealt(seat, secrets.randbits(64))

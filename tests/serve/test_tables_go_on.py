"""How a table and what is asked about it go on: a position that changes meanwhile, trouble that passes, a game that is given up."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, cast

import pytest

from meeple.core.errors import MeepleError
from meeple.core.game import Variant
from meeple.serve.club import host_of
from meeple.serve.coach import Coaching, analysed, loss_of, matter_of
from meeple.serve.hall import Hall, Listener
from meeple.serve.levels import Level
from meeple.serve.minds import Question
from meeple.serve.pool import Pool, Superseded
from meeple.serve.ready import Ready
from meeple.serve.review import found_at, review
from meeple.serve.reviewing import Reviewing
from meeple.serve.store import Event, GameRow, Store
from meeple.serve.table import Table, set_up

pytestmark = pytest.mark.xdist_group("page")
PERSON = {"kind": "person", "name": "Ann"}


class Prepared(Ready):
    """All is compiled, as soon as the test lets it be."""

    def __init__(self) -> None:
        self.compiled = asyncio.Event()
        self.compiled.set()

    async def agent(self, variant: Variant, level: Level) -> None:  # noqa: ARG002
        await self.compiled.wait()


class Oracle(Pool):
    """Answers with what the test says, or fails with it."""

    def __init__(self, *answers: Any) -> None:
        self.answers, self.asked = list(answers), list[Question]()

    async def ask(self, question: Question, priority: int, key: tuple[str, str]) -> Any:  # noqa: ARG002
        self.asked.append(question)
        await asyncio.sleep(0)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer(question) if callable(answer) else answer

    def drop(self, key: tuple[str, str]) -> None:
        pass


class Memory:
    """What a store does, forgotten with the test."""

    def __init__(self) -> None:
        self.found: dict[int, dict[str, Any]] = {}

    def add_event(self, *_: Any) -> None:
        pass

    end = add_event

    def add_finding(self, _: str, ply: int, found: dict[str, Any]) -> None:
        self.found[ply] = found

    def findings(self, _: str) -> dict[int, dict[str, Any]]:
        return dict(self.found)


def hall_of(*answers: Any) -> tuple[Hall, Oracle]:
    pool = Oracle(*answers)
    return Hall(cast(Store, Memory()), pool, Prepared()), pool


def table_of(variant: str = "jaipur:round", *seats: dict[str, Any]) -> Table:
    return set_up(GameRow("t", "game", variant, 1, 5, None, list(seats or (PERSON, PERSON)), True))


def finished(variant: str = "rake:simple") -> Table:
    table = table_of(variant, PERSON)
    while not table.state.over:
        table.apply(Event("move", table.state.seat, table.state.legal()[0]))
    return table


def valued(question: Question) -> dict[str, Any]:
    """An analysis that tried nothing but the first move."""
    table = table_of(question.variant)
    untried: dict[str, Any] = {"move": "m", "value": None, "visits": 0, "interval": None, "line": []}
    moves = [untried | {"action": action} for action in range(2)]
    moves[0] |= {"value": 0.5, "visits": 9}
    return {"points": False, "estimated": True, "iterations": 9, "ply": len(table.plies), "moves": moves}


async def settle() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


def run(test: Callable[[], Any]) -> None:
    asyncio.run(test())


# ---- The coach -----------------------------------------------------------------------------------------------------


def test_what_is_analysed_is_the_position_that_was_asked_about() -> None:
    async def test() -> None:
        hall, pool = hall_of(valued)
        cast(Prepared, hall.ready).compiled.clear()
        table = table_of()
        seat, ply = table.state.seat, table.state.ply
        asked = asyncio.ensure_future(analysed(hall, matter_of(table.state, seat), 1.0, 0, ("t", "hint")))
        await settle()
        table.apply(Event("move", seat, table.state.legal()[0]))
        cast(Prepared, hall.ready).compiled.set()
        await asked
        assert pool.asked[0].array is not None
        assert (pool.asked[0].array["seat"][0], pool.asked[0].array["ply"][0]) == (seat, ply)

    run(test)


def test_nothing_is_asked_about_a_table_that_has_gone_on_while_things_compiled() -> None:
    async def test() -> None:
        hall, pool = hall_of(valued)
        cast(Prepared, hall.ready).compiled.clear()
        coaching, table = Coaching(hall), table_of()
        told = asyncio.ensure_future(coaching.hint(table, table.state.seat, table.version))
        coaching.want(table, table.state.seat, bar=True, cost=False)
        await settle()
        hall.commit(table, Event("resign", table.state.seat))
        cast(Prepared, hall.ready).compiled.set()
        with pytest.raises(Superseded):
            await told
        await settle()
        assert pool.asked == [] and table.known == {}

    run(test)


def test_what_a_move_cost_is_asked_anew_where_the_bar_never_tried_it() -> None:
    async def test() -> None:
        hall, pool = hall_of(valued)
        coaching, table = Coaching(hall), table_of()
        seat, (first, second) = table.state.seat, table.state.legal()[:2]
        known = valued(Question("analyse", "jaipur:round"))
        known["moves"][0]["action"], known["moves"][1]["action"] = first, second
        table.note(seat, 0, known)
        coaching.want(table, seat, bar=False, cost=True)
        hall.commit(table, Event("move", seat, second))
        await settle()
        assert [question.action for question in pool.asked] == [second]

    run(test)


# ---- The review ----------------------------------------------------------------------------------------------------


def test_a_move_that_the_search_never_tried_is_neither_perfect_nor_free() -> None:
    table = table_of()
    analysis = valued(Question("analyse", "jaipur:round"))
    assert loss_of(analysis, 1)["loss"] is None
    found = {0: found_at(table.state, 1, analysis), 1: found_at(table.state, 0, analysis)}
    found[2] = found[0] | {"loss": 0.0}  # as earlier versions stored it
    told = review(table, found)
    own = told["seats"][table.state.seat]
    assert (own["decisions"], own["perfect"], own["unknown"], own["cost"]) == (3, 1, 2, 0)
    assert told["worst"] == [] and [move["ply"] for move in told["unknown"]] == [0, 2]


def test_why_a_review_stopped_is_told_once_and_the_next_look_goes_on() -> None:
    async def test() -> None:
        hall, pool = hall_of(MeepleError("Too many searches are waiting; ask again in a minute."), valued)
        reviewing, table = Reviewing(hall), finished()
        assert reviewing.look(table)["trouble"] == ""
        await settle()
        assert "ask again" in reviewing.look(table)["trouble"]
        await settle()
        assert len(pool.asked) == 1
        assert reviewing.look(table)["trouble"] == ""
        while reviewing.running:
            await settle()
        told = reviewing.look(table)
        assert told["done"] == told["due"] == len(table.decisions()) and told["trouble"] == ""
        assert [question.action for question in pool.asked[1:]] == [table.plies[ply][1] for ply in table.decisions()]

    run(test)


def test_a_game_that_is_over_is_replayed_once_and_a_running_one_as_it_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    table = table_of()
    for _ in range(6):
        table.apply(Event("move", table.state.seat, table.state.legal()[0]))
    before = [state.array.tobytes() for state in table.states()]
    assert table.kept is None and before[6] == table.state.array.tobytes()
    table.apply(Event("resign", 0))
    assert [table.at(ply).array.tobytes() for ply in range(7)] == before
    table.at(3).play(table.at(3).legal()[0])  # a copy
    due = table.decisions()
    monkeypatch.setattr(Table, "start", None)
    assert [state.array.tobytes() for state in table.states()] == before and table.decisions() == due


# ---- Agents --------------------------------------------------------------------------------------------------------


def test_an_agent_that_failed_tries_again_when_a_page_joins_and_never_twice_at_once() -> None:
    async def test() -> None:
        agent = {"kind": "agent", "level": "random", "name": "random"}
        table = table_of("jaipur:round", agent, PERSON)
        hall, pool = hall_of(MeepleError("no memory"), table.state.legal()[0])
        hall.move_on(table)
        await settle()
        assert "random cannot move: no memory" in table.trouble and table.plies == []
        for _ in range(2):
            hall.join(table, page := Listener(1))
            told = page.messages.get_nowait()
            assert told is not None and told["trouble"] == ""
        await settle()
        assert len(pool.asked) == 2 and len(table.plies) == 1 and table.trouble == ""

    run(test)


# ---- Given up ------------------------------------------------------------------------------------------------------


def test_a_takeback_that_was_asked_for_is_forgotten_when_somebody_gives_up() -> None:
    table = table_of()
    table.apply(Event("move", table.state.seat, table.state.legal()[0]))
    table.apply(Event("ask", 0, 0))
    table.apply(Event("resign", 1))
    assert table.asked is None and not table.running


# ---- Names ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "host"),
    [
        ("2001:db8::5", "[2001:db8::5]"),
        ("2001:DB8:0:0::5", "[2001:db8::5]"),
        ("[::1]", "[::1]"),
        ("Games.Example", "games.example"),
        ("10.0.0.1", "10.0.0.1"),
    ],
)
def test_a_host_is_known_as_browsers_write_it(name: str, host: str) -> None:
    assert host_of(name) == host

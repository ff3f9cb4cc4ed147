"""Requests of every kind, made from the OpenAPI description, and commands in any order: never a fault, never a change by what was
refused. MEEPLE_REQUESTS=10000 asks that often; the usual run asks some hundred times."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from tests.docs.test_add_a_game import write_pig
from tests.serve.server import Seat, Server

pytestmark = pytest.mark.xdist_group("page")
REQUESTS = int(os.environ.get("MEEPLE_REQUESTS", "400"))
SLOW = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture]


@pytest.fixture(scope="module")
def generous(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("generous")
    started = Server(folder / "games.sqlite", str(write_pig(folder / "games")), module="tests.serve.generous")
    yield started
    started.stop()


def fresh(server: Server) -> Seat:
    return server.begin("pig", "long", "person", "open")


def test_no_request_is_answered_with_a_fault_and_no_refused_one_changes_anything(generous: Server) -> None:
    schema = schemathesis.openapi.from_url(f"{generous.address}/api/openapi.json")
    operations: list[Any] = [found.ok() for found in schema.get_all_operations()]  # type: ignore[union-attr]
    assert len(operations) > 20
    seat, sent = [fresh(generous)], [0]

    def one(operation: Any, real: bool, case: Any) -> None:
        """Half of the requests are about a game that exists, with its token."""
        real = real and "{name}" in operation.path
        headers = {"Authorization": f"Bearer {seat[0].token}"} if real else {}
        if real:
            case.path_parameters["name"] = seat[0].game
        before = seat[0].look() if real else None
        response = case.call(headers=headers, timeout=300)  # the first search of a game is compiled first
        sent[0] += 1
        assert response.status_code < 500, (operation.label, response.text)
        case.validate_response(response, checks=CHECKS)
        if not real:
            return
        after = seat[0].look()
        if response.status_code >= 400:
            assert after == before, operation.label
        elif after["over"]:
            seat[0] = fresh(generous)

    examples = max(5, REQUESTS // len(operations) // 2)
    tried = settings(max_examples=examples, deadline=None, suppress_health_check=SLOW, phases=[Phase.generate], derandomize=False)
    rounds = 0
    while sent[0] < REQUESTS:
        rounds += 1
        for operation in operations:
            tried(seed(rounds)(given(st.just(operation), st.booleans(), operation.as_strategy())(one)))()
            print(f"{sent[0]} requests, the last to {operation.label}", flush=True)
    print(f"{sent[0]} requests to {len(operations)} operations in {rounds} rounds")


COMMANDS = st.one_of(
    st.tuples(st.just("move"), st.integers(0, 3)),
    st.tuples(st.just("type"), st.sampled_from(["roll", "hold", "ROLL ", "", "x", "1"])),
    st.tuples(st.sampled_from(["takeback", "agree", "decline", "resign", "step", "hint", "coach"]), st.just(0)),
)


@settings(max_examples=max(8, REQUESTS // 100), deadline=None, suppress_health_check=SLOW, phases=[Phase.generate])
@given(st.lists(st.tuples(st.booleans(), st.integers(-1, 0), COMMANDS), max_size=12))
def test_commands_in_any_order_leave_both_seats_with_the_same_game(generous: Server, commands: list[Any]) -> None:
    host = generous.begin("pig", "short", "person", "open", coach=False)
    guest = Seat(generous, generous.post(host.path("/join"), {"invite": host.opened["invites"][0]["token"]}).json())
    for who, late, (kind, value) in commands:
        seat, before = (guest if who else host), host.look()
        version = max(0, before["version"] + late)
        bodies: dict[str, tuple[str, dict[str, Any]]] = {
            "move": ("/move", {"version": version, "action": value}),
            "type": ("/move", {"version": version, "text": str(value)}),
            "agree": ("/takeback/answer", {"version": version, "agree": True}),
            "decline": ("/takeback/answer", {"version": version, "agree": False}),
            "coach": ("/coach", {"bar": True, "cost": True}),
        }
        path, body = bodies.get(kind, (f"/{kind}", {"version": version}))
        answer = seat.post(path, **body)
        after = host.look()
        assert answer.status_code < 500, answer.text
        if answer.status_code >= 400:
            assert after == before
        else:
            assert after["version"] > before["version"] and late == 0
        other = guest.look()
        for key in ("version", "ply", "to_move", "log", "over", "result", "takeback", "takebacks"):
            assert other[key] == after[key]


CHECKS = (
    schemathesis.checks.not_a_server_error,
    schemathesis.checks.status_code_conformance,
    schemathesis.checks.content_type_conformance,
    schemathesis.checks.response_schema_conformance,
)

"""Nobody is told what their seat may not know. What was recorded is compared with what the seat would be told in another world,
which the test itself makes by changing hidden things in the true state: whatever differs was given away."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from meeple.core.places import places
from meeple.core.record import parse_record
from meeple.core.state import State
from meeple.serve.store import Event, GameRow
from meeple.serve.table import Table, set_up
from meeple.serve.tell import tell
from tests.serve.conftest import Window
from tests.serve.hands import Hands
from tests.serve.server import Seat, Server

pytestmark = pytest.mark.xdist_group("page")
TOLD = ("scene", "moves", "last", "log", "to_move", "result")  # what comes from the state
WORLDS = 3

Alter = Callable[[State, int, random.Random], None]


def another_jaipur(state: State, seat: int, luck: random.Random) -> None:
    """The other's unseen cards against cards of the deck, by hand and not by the game's own redeal; and the order of the deck."""
    s, other = state.data, 1 - seat
    goods = len(s.hand[other])
    deck = [int(card) for card in s.deck[: s.deck_left]]
    for good in range(goods):
        for _ in range(int(s.hand[other, good] - s.known[other, good])):
            fitting = [i for i, card in enumerate(deck) if card < goods and not s.none_unseen[other, card]]
            if fitting and not s.none_unseen[other].any():
                i = luck.choice(fitting)
                s.hand[other, good] -= 1
                s.hand[other, deck[i]] += 1
                deck[i] = good
    luck.shuffle(deck)
    s.deck[: s.deck_left] = deck
    s.luck[0] = np.uint64(luck.getrandbits(63))
    for pile in range(len(s.bonus_left)):
        left = int(s.bonus_left[pile])
        tokens = s.bonus[pile, :left].tolist()
        luck.shuffle(tokens)
        s.bonus[pile, :left] = tokens


def another_leaky(state: State, seat: int, luck: random.Random) -> None:
    state.data.leaky_number[1 - seat] = luck.randrange(1000)


def leaks(messages: list[dict[str, Any]], record: str, alter: Alter) -> list[str]:
    """What of the recorded messages is otherwise in other worlds that look the same to the seat."""
    game = parse_record(record)
    variant, luck = next(game.states()).variant, random.Random(1)
    actions = [(before.seat, variant.parse_action(move)) for before, move in zip(game.states(), game.moves, strict=False)]
    found = []
    for message in messages:
        if message["over"]:
            continue
        seats = [{"kind": kind, "name": name} for kind, name in zip(message["people"], message["names"], strict=True)]
        row = GameRow("", "game", game.spec, variant.game.version, game.seed, None, seats, False)
        table = set_up(row, [Event("move", seat, action) for seat, action in actions[: message["ply"]]])
        for _ in range(WORLDS):
            found += [f"ply {message['ply']}: {key}" for key in _differing(table, message, alter, luck)]
    return found


def _differing(table: Table, message: dict[str, Any], alter: Alter, luck: random.Random) -> list[str]:
    other = Table(table.row, table.variant, table.state.copy(), table.plies)
    alter(other.state, message["seat"], luck)
    expected = tell(other, message["seat"])
    return [key for key in TOLD if message[key] != expected[key]]


def test_two_browsers_in_one_game_are_told_no_hidden_card(window: Window, server: Server) -> None:
    host, guest = Hands(window.page(), 1), Hands(window.page(), 2)
    host.begin(server.address, "jaipur", "round", "person", "open")
    invite = host.page.evaluate("JSON.parse(localStorage.getItem('meeple.games'))[0].invites[0].token")
    guest.page.goto(f"{server.address}/#/join/{host.game}/{invite}")
    guest.page.get_by_label("Your name").fill("Guest")
    guest.page.get_by_role("button", name="Sit down").click()
    guest.wait(lambda message: message["names"][1] == "Guest")
    for turn in range(14):
        hands = (host, guest)[turn % 2]
        message = hands.my_turn()
        if message["over"]:
            break
        hands.click(hands.luck.choice(message["moves"]))
        for each in (host, guest):
            each.wait(lambda told, ply=message["ply"]: told["ply"] > ply)  # type: ignore[misc]
    version = host.messages[-1]["version"]
    ended = server.post(f"/games/{host.game}/resign", {"version": version}, host.token)
    assert ended.status_code == 200, ended.text
    record = server.get(f"/games/{host.game}/record", host.token).text
    assert len(host.messages) > 12 and len(guest.messages) > 12
    assert {message["seat"] for message in host.messages} == {0} and {message["seat"] for message in guest.messages} == {1}
    assert not leaks(host.messages, record, another_jaipur)
    assert not leaks(guest.messages, record, another_jaipur)


@pytest.fixture
def _leaky(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Known to this process too, for a while."""
    monkeypatch.setenv("MEEPLE_GAMES", str(Path(__file__).parent / "leaky"))
    places.cache_clear()
    yield
    monkeypatch.undo()
    places.cache_clear()


@pytest.mark.usefixtures("_leaky")
def test_the_test_notices_a_game_that_gives_secrets_away(server: Server) -> None:
    host = server.begin("leaky", "short", "person", "open")
    guest = Seat(server, server.post(host.path("/join"), {"invite": host.opened["invites"][0]["token"]}).json())
    host.listen()
    host.next(lambda message: message["people"] == ["person", "person"])
    for turn in range(4):
        seat = (host, guest)[turn % 2]
        assert seat.post("/move", version=seat.look()["version"], action=1).status_code == 200
    host.next(lambda message: message["over"])
    assert leaks(host.messages, host.get("/record").text, another_leaky)

"""Whole games in Chromium: by clicks, by keyboard alone, by people in several browsers."""

from __future__ import annotations

import pytest

from tests.serve.conftest import Window
from tests.serve.hands import Hands
from tests.serve.server import Server

pytestmark = pytest.mark.xdist_group("page")


@pytest.mark.parametrize(
    ("game", "variant", "seats"),
    [
        ("pig", "short", ("person", "random")),
        ("jaipur", "round", ("person", "random")),
        ("splendor", "2", ("random", "person")),
        ("rake", "simple", ("person",)),
        ("lotr", "easy", ("person",)),
    ],
)
def test_a_whole_game_is_played_by_clicks(window: Window, server: Server, game: str, variant: str, seats: tuple[str, ...]) -> None:
    hands = Hands(window.page())
    hands.begin(server.address, game, variant, *seats)
    last = hands.play_out()
    assert last["result"]["reason"]
    hands.page.get_by_text(last["result"]["sentence"]).first.wait_for()


def test_a_whole_game_is_played_by_keyboard_alone(window: Window, server: Server) -> None:
    hands = Hands(window.page())
    hands.begin(server.address, "rake", "simple", "person")
    hands.page.keyboard.press("Tab")
    last = hands.play_out(hands.press)
    assert last["over"]

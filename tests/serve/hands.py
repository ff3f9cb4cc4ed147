"""A person at the page: reads what the socket tells, clicks pieces, or uses the keyboard alone."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page

PATIENCE = 60.0


class Hands:
    """One page at one table. `messages` is the recorded traffic of its socket."""

    def __init__(self, page: Page, seed: int = 1) -> None:
        self.page, self.luck = page, random.Random(seed)
        self.messages: list[dict[str, Any]] = []
        page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: self._hear(frame)))

    def _hear(self, frame: str | bytes) -> None:
        message = json.loads(frame)
        if message["type"] == "table":
            self.messages.append(message)

    @property
    def token(self) -> str:
        return self.page.url.split("/")[-1]

    @property
    def game(self) -> str:
        return self.page.url.split("/")[-2]

    def begin(self, address: str, game: str, variant: str, *seats: str) -> None:
        """Through the lobby, as anybody would."""
        page = self.page
        page.goto(address)
        page.locator(f"input[name=game][value={game}]").check(force=True)
        page.locator("#variant").select_option(variant)
        page.locator(f".seats #seat-{len(seats) - 1}").wait_for()
        for number, seat in enumerate(seats):
            value = seat if seat in ("person", "open") else f"agent {seat}"
            page.locator(f"#seat-{number}").select_option(value)
        page.get_by_role("button", name="Play", exact=True).click()
        page.locator(".page-game").wait_for(timeout=120_000)  # rules may have to be compiled first
        self.wait(lambda _: True)

    def wait(self, when: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
        """Until the newest message is so."""
        end = time.monotonic() + PATIENCE
        while not self.messages or not when(self.messages[-1]):
            assert time.monotonic() < end, f"nothing happens: {str(self.messages[-1:])[:300]}"
            self.page.wait_for_timeout(15)
        return self.messages[-1]

    def my_turn(self) -> dict[str, Any]:
        return self.wait(lambda message: message["moves"] or message["over"])

    def play_out(self, way: Callable[[dict[str, Any]], None] | None = None, most: int = 500) -> dict[str, Any]:
        """Move after move, at random, until the game is over."""
        for _ in range(most):
            message = self.my_turn()
            if message["over"]:
                return message
            (way or self.click)(self.luck.choice(message["moves"]))
            self.wait(lambda told, ply=message["ply"]: told["ply"] > ply)  # type: ignore[misc]
        raise AssertionError("the game does not end")

    def click(self, move: dict[str, Any]) -> None:
        """Choose the pieces of a move one after another, then play it."""
        table = self.page.locator(".game-table")
        for part, number in move["parts"]:
            pieces = table.locator(f"button.piece[data-part={json.dumps(part)}]")
            if self._plays_at_once(pieces):
                pieces.first.click()
                return
            for i in range(number):
                pieces.nth(min(i, pieces.count() - 1)).click()
        table.locator(f".offers #move-{move['action']}").click()

    def _plays_at_once(self, pieces: Locator) -> bool:
        return "move" in (pieces.first.get_attribute("class") or "").split()

    def press(self, move: dict[str, Any]) -> None:
        """The same without a mouse: Tab and arrows to a piece, Space to choose it, Tab to the button, Enter."""
        for part, number in move["parts"]:
            for i in range(number):
                self._reach(lambda at, part=part, i=i: at["part"] == part and at["nth"] == i)  # type: ignore[misc]
                self.page.keyboard.press("Space")
                if self._focused()["whole"]:
                    return
        self._reach(lambda at: at["id"] == f"move-{move['action']}")
        self.page.keyboard.press("Enter")

    def _reach(self, wanted: Callable[[dict[str, Any]], bool]) -> None:
        """By keys alone: Tab walks through zones and buttons, arrows within a zone."""
        for _ in range(120):
            self.page.keyboard.press("Tab")
            if wanted(self._focused()):
                return
            seen = set()
            while (key := self._focused()["key"]) and key not in seen:
                seen.add(key)
                self.page.keyboard.press("ArrowRight")
                if wanted(self._focused()):
                    return
        raise AssertionError("no key leads there")

    def _focused(self) -> dict[str, Any]:
        return dict(
            self.page.evaluate(
                """() => {
                    const at = document.activeElement;
                    const part = at.dataset?.part ?? "";
                    const pieces = [...document.querySelectorAll(".game-table button.piece")];
                    const nth = pieces.filter((piece) => piece.dataset.part === part).indexOf(at);
                    return {id: at.id, key: at.dataset?.key ?? "", part, nth, whole: at.classList.contains("move")};
                }"""
            )
        )

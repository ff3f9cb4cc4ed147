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
        """The same without a mouse: Tab to a zone, arrows to a piece, Space to choose it, Tab to the button, Enter."""
        for part, number in move["parts"]:
            pieces = self.page.locator(f".game-table button.piece[data-part={json.dumps(part)}]").count()
            for i in range(number):
                self._reach(part, min(i, pieces - 1))  # several may lie in one stack
                whole = self._focused(part, 0)["whole"]
                self.page.keyboard.press("Space")
                if whole:
                    return
        self._tab(lambda at: at["id"] == f"move-{move['action']}")
        self.page.keyboard.press("Enter")

    def _tab(self, wanted: Callable[[dict[str, Any]], bool], part: str = "", nth: int = 0) -> None:
        for _ in range(80):
            if wanted(self._focused(part, nth)):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError("Tab does not lead there")

    def _reach(self, part: str, nth: int) -> None:
        """Tab to the zone, then arrows as the pieces lie: where the way is blocked in one direction, the other first."""
        self._tab(lambda at: at["zone"], part, nth)
        for step in range(60):
            at = self._focused(part, nth)
            if at["there"]:
                return
            across = (abs(at["dx"]), "ArrowRight" if at["dx"] > 0 else "ArrowLeft")
            keys = sorted([across, (abs(at["dy"]), "ArrowDown" if at["dy"] > 0 else "ArrowUp")], reverse=True)
            self.page.keyboard.press(keys[0 if step % 3 or keys[1][0] < 2 else 1][1])
        raise AssertionError(f"no arrow leads to {part}")

    def _focused(self, part: str, nth: int) -> dict[str, Any]:
        """Where the focus is, seen from the nth piece of a part."""
        return dict(
            self.page.evaluate(
                """([part, nth]) => {
                    const at = document.activeElement;
                    const pieces = [...document.querySelectorAll(".game-table button.piece")];
                    const goal = pieces.filter((piece) => piece.dataset.part === part)[nth] ?? at;
                    const [here, there] = [at.getBoundingClientRect(), goal.getBoundingClientRect()];
                    const zone = Boolean(at.closest(".zone")) && at.closest(".zone") === goal.closest(".zone");
                    const dx = there.left + there.width / 2 - here.left - here.width / 2;
                    const dy = there.top + there.height / 2 - here.top - here.height / 2;
                    return {id: at.id, zone, there: at === goal, whole: at.classList.contains("move"), dx, dy};
                }""",
                [part, nth],
            )
        )

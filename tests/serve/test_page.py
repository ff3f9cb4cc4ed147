"""The rest of the page in Chromium: hint, takeback, review, replay, a killed server, many tabs, a first look for everybody."""

from __future__ import annotations

import re
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.serve.conftest import Window
from tests.serve.hands import Hands
from tests.serve.server import Server

pytestmark = pytest.mark.xdist_group("page")


def test_hint_cost_bar_takeback_review_and_replay(window: Window, server: Server) -> None:
    """One game from the first hint to the last step of its replay."""
    hands = Hands(window.page(), 3)
    page = hands.page
    hands.begin(server.address, "rake", "simple", "person")
    page.get_by_label("How it stands").check()
    page.get_by_label("What my moves cost").check()
    hands.wait(lambda message: message["coach"]["bar"])
    expect(page.locator(".evalbar-text")).to_contain_text("points")
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".hint .reason")).to_contain_text("points", timeout=60_000)
    message = hands.my_turn()
    hands.click(message["moves"][0])
    hands.wait(lambda told: told["coach"]["cost"])
    expect(page.locator(".cost")).not_to_be_empty()
    page.get_by_role("button", name="Take back").click()
    hands.wait(lambda told: told["ply"] == message["ply"] and told["takebacks"] == 1)
    expect(page.locator(".marked")).to_contain_text("Taken back 1 time")
    page.get_by_label("How it stands").uncheck()
    page.get_by_label("What my moves cost").uncheck()
    last = hands.play_out()
    page.get_by_role("link", name="Review").click()
    expect(page.locator(".graph .line")).to_be_attached(timeout=60_000)
    expect(page.locator("progress")).to_have_count(0, timeout=120_000)
    expect(page.locator(".account")).to_contain_text("Result")
    page.get_by_role("link", name="Replay").click()
    expect(page.locator(".where")).to_contain_text(f"Move 0 of {last['ply']}")
    page.get_by_role("button", name="Next").click()
    expect(page.locator(".where")).to_contain_text("Move 1 of")
    page.get_by_role("button", name="Last").click()
    expect(page.locator(".log li")).to_have_count(last["ply"])
    page.goto(f"{server.address}/#/me")
    expect(page.locator("table.stats").last).to_contain_text("1 hints, 1 takebacks")


def test_a_game_goes_on_in_the_same_page_after_the_server_was_killed(own_server: Server, browser: Browser) -> None:
    window = Window(browser, own_server.address)
    try:
        hands = Hands(window.page())
        hands.begin(own_server.address, "rake", "simple", "person")
        for _ in range(3):
            message = hands.my_turn()
            hands.click(message["moves"][0])
            hands.wait(lambda told, ply=message["ply"]: told["ply"] > ply)  # type: ignore[misc]
        seen = len(hands.messages)
        own_server.kill()
        expect(hands.page.locator(".error").first).to_contain_text("connection is lost")
        own_server.start()
        hands.wait(lambda _: len(hands.messages) > seen)
        assert hands.messages[-1] == hands.messages[seen - 1]
        assert hands.play_out()["over"]
        assert all("WebSocket" in fault or "ERR_CONNECTION" in fault for fault in window.faults)  # of the time without a server
    finally:
        window.context.close()


def test_news_that_change_nothing_in_the_picture_do_not_swallow_a_click(window: Window, server: Server) -> None:
    """The button goes down, the coach tells how it stands, the button comes up: that is a click."""
    hands = Hands(window.page())
    hands.begin(server.address, "rake", "simple", "person")
    move = next(move for move in hands.my_turn()["moves"] if move["parts"])
    piece = hands.page.locator(f".game-table button.piece[data-part='{move['parts'][0][0]}']").first
    piece.hover()
    hands.page.mouse.down()
    server.post(f"/games/{hands.game}/coach", {"bar": True, "cost": False}, hands.token)
    hands.wait(lambda told: told["coach"]["bar"])
    hands.page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    hands.page.mouse.up()
    expect(piece).to_have_attribute("aria-pressed", "true")


def test_nine_tabs_at_once_all_hear_of_a_move(window: Window, server: Server) -> None:
    first = Hands(window.page())
    first.begin(server.address, "pig", "short", "person", "random")
    tabs = [first]
    for _ in range(8):
        tabs.append(Hands(window.page()))
        tabs[-1].page.goto(first.page.url)
    for tab in tabs:
        tab.my_turn()
    first.click(first.messages[-1]["moves"][0])
    for tab in tabs:
        tab.wait(lambda message: message["ply"] > 0)


def test_the_rules_are_one_click_away_and_a_typed_move_is_made(window: Window, server: Server) -> None:
    hands = Hands(window.page())
    hands.begin(server.address, "pig", "short", "person", "random")
    hands.page.get_by_role("button", name="Rules").click()
    expect(hands.page.locator("dialog.rules")).to_contain_text("Pig")
    hands.page.keyboard.press("Escape")
    expect(hands.page.locator("dialog")).to_have_count(0)
    hands.page.locator("#all-moves").click()
    hands.page.get_by_label("Type a move").fill("roll")
    hands.page.keyboard.press("Enter")
    hands.wait(lambda message: message["ply"] > 0)


def test_a_position_is_set_up_in_the_page(window: Window, server: Server) -> None:
    page = window.page()
    page.goto(f"{server.address}/#/position/pig")
    page.get_by_label("total 1", exact=True).fill("-3")
    page.get_by_role("button", name="Check").click()
    expect(page.locator(".error")).to_contain_text("not possible")
    page.get_by_label("total 1", exact=True).fill("17")
    page.get_by_role("button", name="Play from here").click()
    expect(page.locator(".game-table")).to_contain_text("17")


def test_agents_are_watched_at_a_pace(window: Window, server: Server) -> None:
    hands = Hands(window.page())
    hands.begin(server.address, "pig", "short", "random", "random")
    hands.page.get_by_role("button", name="Fast").click()
    hands.wait(lambda message: message["ply"] >= 3)
    hands.page.get_by_role("button", name="Pause").click()
    expect(hands.page.get_by_role("button", name="One move")).to_be_enabled()


# ---- For everybody -------------------------------------------------------------------------------------------------

SIZES: dict[str, ViewportSize] = {"phone": {"width": 360, "height": 740}, "laptop": {"width": 1280, "height": 900}}
TABLES: tuple[tuple[str, ...], ...] = (
    ("jaipur", "round", "person", "random"),
    ("splendor", "4", "person", "random", "random", "random"),
    ("rake", "official", "person"),
    ("pig", "short", "person", "random"),
    ("lotr", "hard", "person"),
)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_phone_and_laptop(browser: Browser, server: Server, scheme: Literal["light", "dark"]) -> None:
    window = Window(browser, server.address, scheme)
    found: list[str] = []
    try:
        page = window.page()
        for path in ("/", "/#/records", "/#/me", "/#/position/pig"):
            page.goto(f"{server.address}{path}")
            page.locator("h1").first.wait_for()
            page.wait_for_timeout(300)
            found += looked_at(page, path)
        for game, variant, *seats in TABLES:
            seat = server.begin(game, variant, *seats)
            page.goto(f"{server.address}/#/game/{seat.game}/{seat.token}")
            page.locator(".game-table .piece").first.wait_for()
            found += looked_at(page, game)
        seat.post("/resign", version=seat.look()["version"])
        for path in ("review", "replay"):
            page.goto(f"{server.address}/#/{path}/{seat.game}/{seat.token}")
            page.locator("h1").first.wait_for()
            found += looked_at(page, path)
    finally:
        window.context.close()
    assert not found and not window.faults


def looked_at(page: Page, name: str) -> list[str]:
    """What axe-core says at each size, and whether the page is wider than the screen."""
    found = []
    for size, viewport in SIZES.items():
        page.set_viewport_size(viewport)
        results = Axe().run(page)
        for violation in results.response["violations"]:
            nodes = [re.sub(r"\s+", " ", node["html"])[:160] for node in violation["nodes"][:3]]
            found.append(f"{name} on a {size}: {violation['id']}: {nodes}")
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            found.append(f"{name} is wider than a {size}")
    return found

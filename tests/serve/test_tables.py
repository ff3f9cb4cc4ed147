"""The table in Chromium, with messages made here: what choosing pieces does, how others' moves are shown, where the focus stays."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

import meeple
from meeple.core.scene import as_json, parts_of, scene_of
from tests.serve.conftest import Window
from tests.serve.server import Server

pytestmark = pytest.mark.xdist_group("page")

SET_UP = """async () => {
    const { drawTable } = await import("/static/table.js");
    const root = document.createElement("div");
    document.querySelector("main").replaceChildren(root);
    window.played = [];
    const onPlay = async (move) => {
        window.played.push(move);
        if (window.refusal) throw new Error(window.refusal);
    };
    window.show = (message) => drawTable(root, message, onPlay);
}"""


class Table:
    """A page with nothing but a table, of a game that goes on in this process."""

    def __init__(self, page: Page, spec: str, seed: int) -> None:
        self.page, self.state = page, meeple.new(spec, seed)
        self.last: dict[str, Any] | None = None
        page.evaluate(SET_UP)
        self.show(instant=True)

    def message(self, **more: Any) -> dict[str, Any]:
        state, variant = self.state, self.state.variant
        moves = [
            {"action": action, "text": variant.format_action(action), "parts": parts_of(variant, action)} for action in self.legal()
        ]
        told = {"id": 1, "game": variant.game.name, "version": state.ply, "ply": state.ply, "takebacks": 0, "seat": 0}
        told |= {
            "seats": variant.shape.seats,
            "names": ["Ann", "Bob"],
            "to_move": state.seat,
            "over": state.over,
            "last": self.last,
        }
        return {**told, "scene": as_json(scene_of(state, 0)), "moves": moves, **more}

    def legal(self) -> list[int]:
        return self.state.legal() if self.state.seat == 0 else []

    def show(self, **more: Any) -> None:
        self.page.evaluate("(message) => window.show(message)", self.message(**more))

    def play(self, move: str) -> None:
        """A move of whoever is to move, not yet shown."""
        seat, variant = self.state.seat, self.state.variant
        action = self.state.play(move)
        self.last = {"seat": seat, "text": variant.format_action(action), "parts": parts_of(variant, action)}

    def piece(self, part: str, number: int = 0) -> Any:
        return self.page.locator(f'button.piece[data-part="{part}"]').nth(number)

    def fitting(self, **chosen: int) -> int:
        """How many legal moves touch so much of the hand."""
        wanted = {f"hand:{kind}": n for kind, n in chosen.items()}
        touched = [dict(parts_of(self.state.variant, action)) for action in self.legal()]
        return sum(all(parts.get(part, 0) >= n for part, n in wanted.items()) for parts in touched)

    def told(self) -> list[Any]:
        return list(self.page.evaluate("window.played"))


@pytest.fixture
def table(window: Window, server: Server) -> Table:
    """Ann has two leathers, a silver, a cloth and a spice; in the market are a spice, a leather and three camels."""
    page = window.page()
    page.goto(f"{server.address}/#/records")
    page.locator("h1").wait_for()
    return Table(page, "jaipur:round", seed=6)


def test_each_choice_narrows_the_moves_and_an_exact_match_is_offered(table: Table) -> None:
    offered = table.page.locator("button.exact")
    expect(offered).to_have_count(0)
    table.piece("hand:leather").click()
    expect(table.page.locator("#all-moves")).to_have_text(f"{table.fitting(leather=1)} moves")
    expect(offered).to_have_text("Sell 1 leather")
    table.piece("hand:leather", 1).click()
    expect(offered).to_have_text("Sell 2 leather")
    offered.click()
    assert table.told() == [table.state.variant.parse_action("sell 2 leather")]


def test_a_piece_that_fits_no_move_with_the_choice_begins_another(table: Table) -> None:
    table.piece("hand:leather").click()
    table.piece("market:camel").click()
    expect(table.page.locator(".chosen")).to_have_count(1)
    expect(table.page.locator("button.exact")).to_have_text("Take camels")


def test_space_chooses_enter_plays_and_escape_clears(table: Table) -> None:
    keys = table.page.keyboard
    table.piece("hand:leather").focus()
    keys.press("Space")
    expect(table.piece("hand:leather")).to_have_attribute("aria-pressed", "true")
    keys.press("Escape")
    expect(table.page.locator(".chosen")).to_have_count(0)
    expect(table.piece("hand:leather")).to_be_focused()
    keys.press("Space")
    keys.press("Enter")
    assert table.told() == [table.state.variant.parse_action("sell 1 leather")]


def test_arrow_keys_go_from_piece_to_piece_and_tab_from_zone_to_zone(table: Table) -> None:
    keys = table.page.keyboard
    zone = "document.activeElement.closest('.zone').getAttribute('aria-label')"
    table.piece("market:camel").focus()
    keys.press("ArrowRight")
    expect(table.piece("market:camel", 1)).to_be_focused()
    keys.press("ArrowDown")
    assert table.page.evaluate(zone) == "Your hand"
    keys.press("Shift+Tab")
    assert table.page.evaluate(zone) == "Market"


def test_a_refused_move_is_told_and_the_choice_stays(table: Table) -> None:
    table.page.evaluate("window.refusal = 'The table has changed meanwhile.'")
    table.piece("hand:leather").click()
    table.page.locator("button.exact").click()
    expect(table.page.locator(".bar .error")).to_have_text("The table has changed meanwhile.")
    expect(table.page.locator(".chosen")).to_have_count(1)


def test_a_typed_beginning_that_means_one_move_is_that_move_and_else_the_server_reads_it(table: Table) -> None:
    table.page.locator("#all-moves").click()
    line = table.page.get_by_label("Type a move")
    line.fill("TAKE  cam")
    line.press("Enter")
    line.fill("sell two leathers")
    line.press("Enter")
    assert table.told() == [table.state.variant.parse_action("take camels"), "sell two leathers"]


def test_the_move_of_another_is_first_pointed_at_then_made_and_told(table: Table) -> None:
    table.play("take spice")
    table.show()
    expect(table.page.locator(".ask")).to_have_text("Bob is thinking …")
    table.play("take leather")
    table.show()
    expect(table.page.locator(".touched")).to_have_attribute("data-part", "market:leather")
    expect(table.page.locator(".touched")).to_have_count(0)
    assert table.page.locator(".fresh").count() > 0
    expect(table.page.locator("[aria-live]")).to_have_text("Bob: take leather. Your move.")


def test_many_messages_at_once_are_not_shown_one_by_one(table: Table) -> None:
    for _ in range(8):
        table.play(table.state.moves()[-1])
        table.show()
    assert table.last is not None
    expect(table.page.locator(".saying .last")).to_contain_text(table.last["text"])
    assert table.page.locator(".touched").count() == 0


def test_the_focus_stays_at_its_piece_when_a_message_comes(table: Table) -> None:
    table.piece("hand:leather", 1).focus()
    table.show(version=99)  # somebody asked for a hint
    expect(table.piece("hand:leather", 1)).to_be_focused()


def test_a_hint_does_not_undo_a_choice_but_a_move_does(table: Table) -> None:
    table.piece("hand:leather").click()
    table.show(version=99)
    expect(table.page.locator(".chosen")).to_have_count(1)
    table.play("sell 1 leather")
    table.show()
    expect(table.page.locator(".chosen")).to_have_count(0)
    expect(table.page.locator("button.piece")).to_have_count(0)
    expect(table.page.locator(".ask")).to_have_text("Bob is thinking …")

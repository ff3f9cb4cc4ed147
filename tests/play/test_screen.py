"""What is on the screen before a decision: all of it fits 80 columns and 24 lines, in every position of whole random games."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import meeple
from meeple.cli.simulate import random_record
from meeple.play import layout
from meeple.play.screen import Screen
from meeple.play.session import Session, begin, default_adviser
from meeple.play.terminal import Terminal

SPECS = ("splendor:2", "splendor:3", "splendor:4", "jaipur:round", "jaipur:match", "rake:official-3", "rake:simple", "lotr:hard")
GAMES = 3


def positions(spec: str, path: Path) -> Iterator[Session]:
    """A session before each of the person's decisions, everybody playing at random."""
    variant = meeple.find_variant(spec)
    for number in range(GAMES):
        record = random_record(variant, 5, number)
        session = begin(variant, [], 0, record.seed, path / "game.txt")
        for move in record.moves:
            if session.persons_turn:
                yield session
            session._make(move)


def shown_in(session: Session, width: int, height: int) -> str:
    out = io.StringIO()
    terminal = Console(file=out, width=width, height=height, force_terminal=True, color_system=None)
    Screen(session, terminal).show(layout.numbered(session.state.moves()))
    return out.getvalue()


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids="{0[0]}x{0[1]}".format)
@pytest.mark.parametrize("spec", SPECS)
def test_the_table_the_news_the_moves_and_the_prompt_fit(spec: str, size: tuple[int, int], tmp_path: Path) -> None:
    width, height = size
    for session in positions(spec, tmp_path):
        shown = shown_in(session, width, height).splitlines()
        assert len(shown) + 1 <= height, "\n".join(shown)
        assert max(map(len, shown)) <= width


@pytest.mark.parametrize("spec", SPECS)
def test_a_small_screen_has_what_a_large_one_has(spec: str, tmp_path: Path) -> None:
    """Every move is listed or within the numbers of a group that is named; whatever amounts the table tells are on both."""
    for session in positions(spec, tmp_path):
        small = shown_in(session, 80, 24)
        listed = {int(number) for number in re.findall(r"(?:^ +|, |   |: )(\d+)(?= )", small, re.M)}
        for first, last in re.findall(r": (\d+) to (\d+), \d+ moves", small):
            listed |= set(range(int(first), int(last) + 1))
        assert listed >= set(range(1, len(session.state.moves()) + 1)), small


def test_nobles_bank_and_every_seat_stay_on_a_small_screen(tmp_path: Path) -> None:
    for session in positions("splendor:4", tmp_path):
        shown = shown_in(session, 80, 24)
        assert "Nobles" in shown and "Bank" in shown
        assert all(f"Seat {seat}" in shown for seat in range(4))
        view = session.state.view(0)
        costs = [
            "".join(f"{n}{'k' if name == 'black' else name[0]}" for name, n in card["cost"].items())
            for row in view["face_up"]
            for card in row
            if card
        ]
        assert all(cost in shown.replace(" ", "") for cost in costs)


def test_colours_never_stand_alone(tmp_path: Path) -> None:
    session = begin(meeple.find_variant("splendor:2"), [], 0, 1, tmp_path / "game.txt")
    screen = Screen(session, Console(file=io.StringIO(), width=80))
    text = "Bank 4w4b4g4r4k5* white"
    styled = screen.styled(text)
    assert styled.plain == text
    assert len({str(span.style) for span in styled.spans}) >= 6


# ---- what is typed ----


class Typed:
    """A terminal and what it says to each line."""

    def __init__(self, session: Session) -> None:
        self.out = io.StringIO()
        self.terminal = Terminal(session, default_adviser(session), Console(file=self.out, width=200), lambda _: nullcontext())

    def __call__(self, line: str) -> str:
        before = len(self.out.getvalue())
        self.terminal._obey(line)
        return self.out.getvalue()[before:]


@pytest.fixture
def jaipur(tmp_path: Path) -> Typed:
    return Typed(begin(meeple.find_variant("jaipur:round"), [], 0, 5, tmp_path / "game.txt"))


def test_an_unreadable_move_gets_the_closest_legal_one(jaipur: Typed) -> None:
    legal = next(move for move in jaipur.terminal.session.state.moves() if move.startswith("take"))
    assert f"did you mean '{legal}'?" in jaipur("tak " + legal.removeprefix("take "))
    assert "did you mean 'hint'?" in jaipur("hnit")


def test_resigning_takes_two_words_in_a_row(jaipur: Typed) -> None:
    session = jaipur.terminal.session
    assert "Really? Type resign again" in jaipur("resign")
    jaipur("board")
    assert "Really?" in jaipur("resign")
    assert session.running
    jaipur("resign")
    assert session.resigned


def test_the_legend_explains_every_letter_of_the_notation(jaipur: Typed) -> None:
    said = jaipur("legend")
    assert all(
        f"{letter} {name}" in said
        for letter, name in zip("DGSCPLM", ["diamond", "gold", "silver", "cloth", "spice", "leather", "camel"], strict=True)
    )
    assert "legend" in jaipur("help")
    jaipur.terminal._introduce()
    assert "P spice" in jaipur.out.getvalue().split("help")[-1]


@pytest.mark.parametrize("spec", ["splendor:2", "rake:official", "lotr:hard"])
def test_every_game_has_a_legend(spec: str) -> None:
    assert meeple.find_variant(spec).game.legend


def test_a_chosen_list_says_that_moves_keep_their_numbers(jaipur: Typed) -> None:
    moves = jaipur.terminal.session.state.moves()
    sales = [number for number, move in enumerate(moves, 1) if move.startswith("exchange")]
    said = jaipur("moves exchange")
    assert f"{len(sales)} of {len(moves)} legal moves; each keeps its number in the whole list" in said
    assert f"{sales[0]} exchange" in said


def asks_for_gold(state: meeple.State, move: str) -> bool:
    state.play(move)
    return "pay" in state.moves()


def test_enter_alone_pays_where_spare_gold_could_be_given(tmp_path: Path) -> None:
    session = begin(meeple.find_variant("splendor:2"), [], 0, 1, tmp_path / "game.txt")
    session.state.array["tokens"][0, 0] = [2, 2, 2, 1, 0, 3]
    session.state.array["bank"][0] = [2, 2, 2, 3, 4, 2]
    typed = Typed(session)
    typed(next(move for move in session.state.moves() if move.startswith("buy") and asks_for_gold(session.state.copy(), move)))
    bought: Any = session.state.array["bought"][0, 0]
    typed("")
    assert session.history[-1].move == "pay"
    assert session.state.array["bought"][0, 0] == bought + 1

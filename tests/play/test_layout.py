"""Moves in groups and columns; long lines of a board broken at good places."""

from __future__ import annotations

from meeple.play.layout import broken_to_fit, fitting, grouped, listing, numbered, overview

TAKES = ["take diamond", "take gold", "take camels"]
EXCHANGES = [f"exchange {a} {b} > {c} S" for a in "DGCPLM" for b in "DGCPLM" for c in "DG"]


def test_a_move_keeps_its_number_when_others_are_left_out() -> None:
    assert numbered([*TAKES, *EXCHANGES], "TAKE ca") == [(3, "take camels")]
    assert numbered([*TAKES, *EXCHANGES], "fly") == []
    assert len(numbered([*TAKES, *EXCHANGES])) == 3 + 72


def test_few_moves_are_all_shown_a_line_for_each_group() -> None:
    assert overview(numbered([*TAKES, "sell 3 leather", "sell 4 leather", "pass"]), 80) == [
        "  1 take diamond       2 take gold          3 take camels",
        "  4 sell 3 leather     5 sell 4 leather",
        "  6 pass",
    ]


def test_in_a_long_list_a_large_group_is_only_named() -> None:
    lines = overview(numbered([*TAKES, *EXCHANGES]), 80)
    assert lines[1:] == ["  exchange: 4 to 75, 72 moves; to see them: moves exchange"]
    assert len(listing(numbered([*TAKES, *EXCHANGES]), 80)) > 20


def test_where_there_is_little_room_moves_stand_close_together_and_then_the_largest_groups_are_only_named() -> None:
    moves = numbered([*TAKES, *EXCHANGES[:20], "pass"])
    assert fitting(moves, 80, 99) == overview(moves, 80)
    close = fitting(moves, 80, 7)
    assert close[0] == "  take: 1 diamond, 2 gold, 3 camels"
    assert len(close) <= 7 and all(move.removeprefix("exchange ") in " ".join(close) for _, move in moves if "exchange" in move)
    assert fitting(moves, 80, 3) == [
        "  take: 1 diamond, 2 gold, 3 camels",
        "  exchange: 4 to 23, 20 moves; to see them: moves exchange",
        "  24 pass",
    ]


def test_moves_that_share_no_first_word_are_one_group() -> None:
    moves = numbered([f"{a}{n} {a}{n + 1}" for a in "abcdefgh" for n in range(1, 8)])
    assert list(grouped(moves)) == [""]
    assert len(overview(moves, 80)) > 5


def test_every_line_of_a_list_fits_the_terminal() -> None:
    for width in (40, 80, 120):
        lines = listing(numbered([*TAKES, *EXCHANGES]), width)
        assert max(map(len, lines)) <= width
        assert sum(line.count(">") for line in lines) == 72


def test_a_long_line_goes_on_under_the_text_behind_its_label_and_keeps_piles_whole() -> None:
    board = "Tokens: diamond 7 7 5  gold 6 6 5  silver 5 5\nshort"
    assert broken_to_fit(board, 36) == "Tokens: diamond 7 7 5  gold 6 6 5\n        silver 5 5\nshort"
    assert broken_to_fit(board, 80) == board

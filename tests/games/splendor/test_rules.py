"""Rules by example: a position, one move, a position. Each test's name is the rule's sentence."""

from __future__ import annotations

import pytest

import meeple
from meeple.games.splendor.components import CARDS_OF
from tests.games.splendor.positions import (
    bank,
    draw_next,
    empty_deck,
    find_card,
    hold,
    invite,
    keep,
    lay,
    strand,
    table,
    tokens,
)


def moves(state: meeple.State, *verbs: str) -> list[str]:
    return [move for move in state.moves() if move.split()[0] in verbs]


# ---- Setup ----


@pytest.mark.parametrize(("players", "pile"), [(2, 4), (3, 5), (4, 7)])
def test_the_bank_has_four_five_or_seven_tokens_a_colour_and_always_five_gold(players: int, pile: int) -> None:
    assert table(players).data.bank.tolist() == [pile] * 5 + [5]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_there_is_one_noble_more_than_players_and_all_are_different(players: int) -> None:
    for seed in range(20):
        nobles = [int(noble) for noble in table(players, seed).data.nobles if noble >= 0]
        assert len(set(nobles)) == players + 1


def test_four_cards_of_each_level_lie_face_up_beside_three_decks() -> None:
    s = table().data
    assert s.deck_left.tolist() == [36, 26, 16]
    assert [int(n) for n in CARDS_OF] == [40, 30, 20]
    assert (s.face_up >= 0).all()


# ---- Take tokens ----


def test_a_turn_may_take_three_tokens_of_different_colours() -> None:
    state = table()
    assert len([move for move in moves(state, "take") if "2" not in move]) == 10
    state.play("take white green black")
    assert tokens(state) == "1w 1g 1k"
    assert bank(state) == "3w 4b 3g 4r 3k 5*"
    assert (state.seat, state.turn) == (1, 1)


def test_fewer_than_three_different_tokens_are_taken_only_where_fewer_colours_are_left() -> None:
    state = table()
    hold(state, 1, tokens="4w 4b")
    assert moves(state, "take") == ["take green red black", "take 2 green", "take 2 red", "take 2 black"]
    hold(state, 1, tokens="4w 4b 2g")
    hold(state, 0, tokens="2g 4r")
    assert moves(state, "take") == ["take black", "take 2 black"]
    hold(state, 0, tokens="2g 3r 3k")
    assert moves(state, "take") == ["take red black"]


def test_two_tokens_of_one_colour_need_four_in_the_bank() -> None:
    state = table()
    hold(state, 1, tokens="1w")
    assert "take 2 white" not in state.moves()
    state.play("take 2 blue")
    assert tokens(state) == "2b"
    assert "take 2 blue" not in state.moves()


def test_gold_is_never_taken_like_other_tokens() -> None:
    assert not [move for move in table().moves() if "gold" in move]


# ---- Return tokens ----


def test_more_than_ten_tokens_are_returned_one_by_one_down_to_ten() -> None:
    state = table()
    hold(state, 0, tokens="3w 3b 3g 1*")
    state.play("take white red black")
    assert (state.seat, state.turn) == (0, 0)
    for token in ("white", "white", "gold"):
        assert set(moves(state, "return")) == set(state.moves())
        state.play(f"return {token}")
    assert tokens(state) == "2w 3b 3g 1r 1k"
    assert (state.seat, state.turn, state.ply) == (1, 1, 4)


def test_any_token_held_may_be_returned_the_ones_just_taken_included() -> None:
    state = table()
    hold(state, 0, tokens="3w 3b 3g")
    state.play("take 2 red")
    assert state.moves() == ["return white", "return blue", "return green", "return red"]
    state.play("return red")
    assert tokens(state) == "3w 3b 3g 1r"
    assert bank(state) == "1w 1b 1g 3r 4k 5*"


def test_exactly_ten_tokens_may_be_kept() -> None:
    state = table()
    hold(state, 0, tokens="3w 3b 1g")
    state.play("take green red black")
    assert state.seat == 1


def test_the_gold_of_a_reserve_may_be_the_eleventh_token() -> None:
    state = table()
    hold(state, 0, tokens="4w 4b 2g")
    state.play("reserve 1-1")
    assert "return gold" in state.moves()
    state.play("return gold")
    assert bank(state) == "2g 4r 4k 5*"


# ---- Reserve ----


def test_a_face_up_card_is_reserved_with_a_gold_token_and_replaced_at_once() -> None:
    state = table()
    card = lay(state, "2-3", "white 5r")
    following = draw_next(state, 2, "blue 5b")
    state.play("reserve 2-3")
    s = state.data
    assert s.reserved[0].tolist() == [card, -1, -1]
    assert s.blind[0].tolist() == [0, 0, 0]
    assert s.face_up[1, 2] == following
    assert tokens(state) == "1*"
    assert (state.seat, s.deck_left[1]) == (1, 25)


def test_the_top_card_of_a_deck_may_be_reserved_and_only_its_owner_sees_it() -> None:
    state = table()
    card = draw_next(state, 3, "white 7k")
    state.play("reserve deck 3")
    s = state.data
    assert (s.reserved[0, 0], s.blind[0, 0], s.deck_left[2]) == (card, 1, 15)
    assert state.view(0)["players"][0]["reserved"][0]["cost"] == {"black": 7}
    assert state.view(1)["players"][1]["reserved"][0] == {"level": 3, "blind": True}


def test_a_card_may_be_reserved_when_no_gold_is_left() -> None:
    state = table()
    hold(state, 1, tokens="5*")
    state.play("reserve 1-1")
    assert tokens(state) == ""
    assert state.data.reserved[0, 0] >= 0


def test_nobody_reserves_a_fourth_card() -> None:
    state = table()
    for slot, face in enumerate(("white 7k", "blue 7w", "green 7b"), 1):
        keep(state, 0, slot, 3, face)
    assert not moves(state, "reserve")
    state.play("take white blue green")
    assert len(moves(state, "reserve")) == 15


def test_a_reserved_card_goes_to_the_first_empty_slot_and_slots_are_kept() -> None:
    state = table()
    for slot, face in enumerate(("blue 3k", "green 3r", "red 3w"), 1):
        keep(state, 0, slot, 1, face)
    hold(state, 0, tokens="3r")
    state.play("buy reserved 2")
    assert (state.data.reserved[0] >= 0).tolist() == [True, False, True]
    state.play("take white blue green")
    state.play("reserve 1-1")
    assert (state.data.reserved[0] >= 0).tolist() == [True, True, True]


# ---- Buy ----


def test_a_card_is_bought_with_tokens_that_go_back_to_the_bank() -> None:
    state = table()
    lay(state, "1-1", "white 4g")
    following = draw_next(state, 1, "red 4w")
    hold(state, 0, tokens="1w 4g")
    state.play("buy 1-1")
    s = state.data
    assert tokens(state) == "1w"
    assert bank(state) == "3w 4b 4g 4r 4k 5*"
    assert (s.bonuses[0].tolist(), s.points[0], s.bought[0]) == ([1, 0, 0, 0, 0], 1, 1)
    assert s.face_up[0, 0] == following
    assert state.seat == 1


def test_bonuses_of_bought_cards_lower_the_price() -> None:
    state = table()
    lay(state, "1-1", "black 1w 2b 1g 1r")
    hold(state, 0, tokens="1w 1b", bonuses="1b 2g 1r")
    state.play("buy 1-1")
    assert tokens(state) == ""
    assert state.data.bonuses[0].tolist() == [0, 1, 2, 1, 1]


def test_a_card_whose_price_the_bonuses_cover_is_free() -> None:
    state = table()
    lay(state, "1-1", "white 3b")
    hold(state, 0, tokens="2b 3*", bonuses="4b")
    state.play("buy 1-1")
    assert tokens(state) == "2b 3*"
    assert state.seat == 1


def test_a_card_that_bonuses_tokens_and_gold_do_not_cover_cannot_be_bought() -> None:
    state = table()
    lay(state, "1-1", "white 3b")
    hold(state, 0, tokens="1b 4w", bonuses="1b 3g")
    assert "buy 1-1" not in state.moves()
    with pytest.raises(meeple.IllegalMove, match="buy 1-1"):
        state.play("buy 1-1")


def test_gold_pays_for_what_is_missing_without_asking() -> None:
    state = table()
    lay(state, "2-1", "white 5r")
    hold(state, 0, tokens="2r 2*", bonuses="1r")
    state.play("buy 2-1")
    assert (tokens(state), state.seat) == ("", 1)
    assert bank(state) == "4w 4b 4g 4r 4k 5*"


def test_nothing_is_asked_where_gold_is_left_but_no_coloured_token_is_paid() -> None:
    state = table()
    lay(state, "2-1", "white 5r")
    hold(state, 0, tokens="2*", bonuses="4r")
    state.play("buy 2-1")
    assert (tokens(state), state.seat) == ("1*", 1)


def test_whoever_has_gold_to_spare_chooses_which_tokens_to_pay_with_it() -> None:
    state = table()
    lay(state, "1-1", "black 2w 2b 1r")
    hold(state, 0, tokens="2w 2b 1r 2*")
    state.play("buy 1-1")
    assert state.moves() == ["gold for white", "gold for blue", "gold for red", "pay"]
    state.play("gold for white")
    state.play("gold for red")
    assert tokens(state) == "1w 1r"
    assert state.seat == 1


def test_paying_without_more_gold_is_a_choice_too() -> None:
    state = table()
    lay(state, "1-1", "black 2w 2b 1r")
    hold(state, 0, tokens="2w 2b 1r 2*")
    state.play("buy 1-1")
    state.play("pay")
    assert (tokens(state), state.seat) == ("2*", 1)


def test_colours_are_replaced_by_gold_in_one_order_only() -> None:
    state = table()
    lay(state, "1-1", "black 2w 2b 1r")
    hold(state, 0, tokens="2w 2b 1r 3*")
    state.play("buy 1-1")
    state.play("gold for blue")
    assert state.moves() == ["gold for blue", "gold for red", "pay"]
    state.play("gold for red")
    assert (tokens(state), state.seat) == ("1b 1r 1*", 1)


def test_a_payment_ends_by_itself_when_the_gold_is_spent() -> None:
    state = table()
    lay(state, "1-1", "blue 3k")
    hold(state, 0, tokens="2k 2*")
    state.play("buy 1-1")
    assert state.moves() == ["gold for black", "pay"]
    state.play("gold for black")
    assert (tokens(state), state.seat) == ("1k", 1)


def test_the_next_card_is_turned_up_only_when_the_payment_is_decided() -> None:
    state = table()
    card = lay(state, "1-1", "blue 3k")
    following = draw_next(state, 1, "red 4w")
    hold(state, 0, tokens="3k 1*")
    state.play("buy 1-1")
    assert (state.data.face_up[0, 0], tokens(state), state.turn) == (card, "3k 1*", 0)
    state.play("pay")
    assert state.data.face_up[0, 0] == following


def test_a_reserved_card_is_bought_from_the_reserve_and_the_others_cannot_buy_it() -> None:
    state = table()
    keep(state, 0, 1, 1, "blue 3k")
    hold(state, 0, tokens="3k")
    hold(state, 1, bonuses="7w 7b 7g 7r 7k")
    state.data.seat = 1
    assert not [move for move in state.moves() if "reserved" in move]
    state.data.seat = 0
    state.play("buy reserved 1")
    assert state.data.bonuses[0].tolist() == [0, 1, 0, 0, 0]
    assert state.data.reserved[0].tolist() == [-1, -1, -1]
    assert state.data.deck_left[0] == 35


def test_a_blind_reserve_is_shown_as_soon_as_it_is_being_bought() -> None:
    state = table()
    card = keep(state, 0, 2, 1, "blue 3k", blind=1)
    hold(state, 0, tokens="3k 1*")
    assert state.view(1)["players"][1]["reserved"][1] == {"level": 1, "blind": True}
    state.play("buy reserved 2")
    assert state.moves() == ["gold for black", "pay"]
    assert state.view(1)["buying"]["cost"] == {"black": 3}
    assert state.redealt(1, 5).data.reserved[0, 1] == card


# ---- Empty decks ----


def test_an_empty_deck_leaves_the_slot_empty() -> None:
    state = table()
    lay(state, "1-2", "white 3b")
    hold(state, 0, tokens="3b")
    empty_deck(state, 1)
    state.play("buy 1-2")
    assert state.data.face_up[0, 1] == -1
    assert not {"buy 1-2", "reserve 1-2", "reserve deck 1"} & set(state.moves())
    assert {"reserve 1-1", "reserve deck 2"} <= set(state.moves())


def test_the_last_card_of_a_deck_may_be_reserved() -> None:
    state = table()
    state.data.deck_left[2] = 1
    state.data.deck[2, 1:] = -1
    state.play("reserve deck 3")
    assert state.data.deck_left[2] == 0
    assert "reserve deck 3" not in state.moves()


# ---- Nobles ----


def test_a_noble_comes_by_itself_to_whoever_has_the_bonuses_it_asks_for() -> None:
    state = table()
    invite(state, 2, "4r 4k")
    lay(state, "1-1", "black 2w 2g")
    hold(state, 0, tokens="2w 2g", bonuses="4r 3k")
    state.play("buy 1-1")
    assert (state.data.points[0], state.data.nobles_won[0], state.data.nobles[1]) == (3, 1, -1)
    assert state.seat == 1


def test_tokens_do_not_attract_nobles() -> None:
    state = table()
    invite(state, 1, "4r 4k")
    hold(state, 0, tokens="3r 4k", bonuses="4r 3k")
    state.play("take white blue green")
    assert state.data.nobles_won[0] == 0


def two_nobles() -> meeple.State:
    """Seat 0 needs one more black bonus for two nobles at once."""
    state = table()
    invite(state, 1, "4r 4k")
    invite(state, 2, "4w 4b")
    invite(state, 3, "4w 4k")
    lay(state, "1-1", "black 2w 2g")
    hold(state, 0, tokens="2g", bonuses="4w 4r 3k")
    state.play("buy 1-1")
    return state


def test_among_several_nobles_the_player_chooses_and_cannot_refuse() -> None:
    state = two_nobles()
    assert (state.seat, state.turn) == (0, 0)
    assert state.moves() == ["noble 1", "noble 3"]
    state.play("noble 3")
    assert (state.data.nobles[0] >= 0, state.data.nobles[2], state.data.points[0]) == (True, -1, 3)
    assert state.seat == 1


def test_one_noble_comes_a_turn_and_the_next_even_on_a_turn_without_buying() -> None:
    state = two_nobles()
    state.play("noble 3")
    state.play("take white blue green")
    state.play("take white blue green")
    assert state.data.nobles_won.tolist() == [2, 0, 0, 0]
    assert state.data.points[0] == 6


def test_nobles_come_after_tokens_are_returned() -> None:
    state = table()
    invite(state, 1, "4r 4k")
    hold(state, 0, tokens="3w 3b 3g", bonuses="4r 4k")
    state.play("take white blue green")
    assert state.data.nobles_won[0] == 0
    state.play("return white")
    state.play("return white")
    assert state.data.nobles_won[0] == 1
    assert state.seat == 1


def test_a_passing_player_receives_a_noble_too() -> None:
    state = table()
    strand(state)
    invite(state, 1, "4r 4k")
    state.data.bonuses[0] = [0, 0, 0, 4, 4]
    state.data.reserved[0] = find_card(3, "black 7r")
    state.data.tokens[0, 3] = 0
    state.play("pass")
    assert state.data.nobles_won[0] == 1


# ---- Passing, stalemate, the cap ----


def test_a_player_passes_only_when_nothing_else_is_possible() -> None:
    state = table()
    assert "pass" not in state.moves()
    strand(state)
    assert state.moves() == ["pass"]
    state.play("pass")
    assert (state.seat, state.turn) == (1, 1)


def test_a_token_in_the_bank_a_free_reserve_or_an_affordable_card_forbids_to_pass() -> None:
    state = table()
    strand(state)
    hold(state, 1, tokens="2g 4r 3k")
    assert state.moves() == ["take black"]
    strand(state)
    state.data.reserved[0, 1] = -1
    assert state.moves() == ["pass"]
    lay(state, "3-1", "red 7g 3r")
    assert state.moves() == ["reserve 3-1"]
    strand(state)
    state.data.reserved[0, 1] = find_card(1, "white 3b")
    assert state.moves() == ["buy reserved 2"]


def test_everybody_passing_in_a_row_is_a_stalemate_that_nobody_wins() -> None:
    state = table()
    strand(state)
    state.data.points[:2] = [9, 3]
    state.play("pass")
    assert not state.over
    state.play("pass")
    assert (state.end.reason, state.end.truncated) == ("stalemate", True)
    assert state.outcome() == [0.5, 0.5]


def test_passes_with_another_action_between_them_are_no_stalemate() -> None:
    state = table()
    strand(state)
    state.play("pass")
    state.data.reserved[1, 0] = find_card(1, "green 3r")
    state.play("buy reserved 1")
    assert not state.over
    assert state.data.passed[:2].tolist() == [1, 0]


def test_a_game_of_a_thousand_turns_is_truncated_and_nobody_wins() -> None:
    state = table(4)
    state.data.turn = 999
    state.data.seat = 3
    hold(state, 0, points=14)
    state.play("take white blue green")
    assert (state.end.reason, state.end.truncated) == ("turn cap", True)
    assert state.outcome() == [0.25] * 4


def test_an_ordinary_end_on_the_last_turn_is_not_a_truncation() -> None:
    state = table()
    state.data.turn = 999
    state.data.seat = 1
    hold(state, 1, points=15)
    state.play("take white blue green")
    assert (state.end.reason, state.end.truncated) == ("fifteen points", False)


# ---- The end ----


def test_the_last_player_of_a_round_ends_the_game_with_fifteen_points() -> None:
    state = table()
    state.play("take white blue green")
    lay(state, "3-1", "black 7r 3k")
    hold(state, 1, tokens="4r 3k", bonuses="3r", points=10)
    state.play("buy 3-1")
    assert state.end.reason == "fifteen points"
    assert state.outcome() == [0, 1]
    assert state.scores() == [0, 15]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seat", [0, 1, 2, 3])
def test_the_round_is_finished_so_that_all_have_had_equally_many_turns(players: int, seat: int) -> None:
    if seat >= players:
        return
    state = table(players)
    for _ in range(players + seat):
        state.play(state.moves()[0])
    hold(state, seat, points=15)
    while not state.over:
        assert state.turn < 2 * players
        state.play(state.moves()[0])
        assert state.data.last_round
    assert state.turn == 2 * players
    assert state.end.reason == "fifteen points"


def test_a_noble_may_bring_the_fifteenth_point() -> None:
    state = table()
    invite(state, 1, "4r 4k")
    hold(state, 0, bonuses="4r 4k", points=12)
    state.play("take white blue green")
    assert not state.over
    state.play("take white blue green")
    assert state.outcome() == [1, 0]


def finished(points: list[int], bought: list[int]) -> meeple.State:
    """The last turn of a game with these points and bought cards."""
    state = table(len(points))
    state.data.seat = len(points) - 1
    state.data.turn = 10 * len(points) - 1
    state.data.last_round = 1
    for seat, (score, cards) in enumerate(zip(points, bought, strict=True)):
        hold(state, seat, points=score, bought=cards)
    state.play("take white blue green")
    return state


def test_most_points_win_even_if_another_reached_fifteen_first() -> None:
    assert finished([15, 17], [9, 12]).outcome() == [0, 1]


def test_of_equal_points_the_fewest_bought_cards_win() -> None:
    assert finished([16, 16, 10], [12, 11, 5]).outcome() == [0, 1, 0]


def test_equal_points_and_cards_share_the_victory() -> None:
    assert finished([15, 15], [9, 9]).outcome() == [0.5, 0.5]
    assert finished([16, 16, 15], [9, 9, 8]).outcome() == [0.5, 0.5, 0]
    assert finished([16, 3, 16, 16], [9, 1, 9, 9]).outcome() == pytest.approx([1 / 3, 0, 1 / 3, 1 / 3])

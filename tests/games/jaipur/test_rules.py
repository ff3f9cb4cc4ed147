"""Rules by example: a position, one move, a position. Each test's name is the rule's sentence."""

from __future__ import annotations

import pytest

import meeple
from tests.games.jaipur.positions import hand, market, position

# ---- Setup ----


def test_a_round_starts_with_a_market_of_five_among_them_three_camels() -> None:
    for seed in range(50):
        s = meeple.new("jaipur:round", seed).data
        assert s.market.sum() == 5
        assert s.market[6] >= 3
        assert s.deck_left == 40


def test_each_player_is_dealt_five_cards_and_camels_go_to_the_herd() -> None:
    for seed in range(50):
        s = meeple.new("jaipur:round", seed).data
        assert [int(s.hand[i].sum() + s.herd[i]) for i in range(2)] == [5, 5]


# ---- Take ----


def test_taking_a_good_refills_the_market_from_the_deck() -> None:
    state = position(market="D G S C M", hand="L", deck="P P L")
    state.play("take diamond")
    assert hand(state) == "D L"
    assert market(state) == "G S C L M"
    assert state.data.deck_left == 2
    assert state.seat == 1


def test_nobody_takes_a_good_with_seven_in_hand() -> None:
    state = position(hand="L L L L C C C")
    assert not [m for m in state.moves() if m.startswith("take ") and m != "take camels"]
    with pytest.raises(meeple.IllegalMove, match="take diamond"):
        state.play("take diamond")


def test_taking_camels_takes_them_all_even_with_a_full_hand() -> None:
    state = position(market="D G M M M", hand="L L L L C C C", herd=2, deck="P P P P")
    state.play("take camels")
    assert state.data.herd[0] == 5
    assert market(state) == "D G PPP"


def test_camels_are_not_taken_where_there_are_none() -> None:
    assert "take camels" not in position(market="D G S C P").moves()


# ---- Exchange ----


def test_an_exchange_takes_goods_for_cards_from_hand_and_herd() -> None:
    state = position(market="D G S C M", hand="L L", herd=2)
    state.play("exchange L L M > D G S")
    assert hand(state) == "D G S"
    assert state.data.herd[0] == 1
    assert market(state) == "C LL MM"
    assert state.data.deck_left == 6


def test_an_exchange_is_of_at_least_two_cards() -> None:
    with pytest.raises(meeple.UnreadableMove, match="2 to 5"):
        position(hand="L L").play("exchange L > D")


def test_an_exchange_never_takes_camels() -> None:
    with pytest.raises(meeple.UnreadableMove, match="camels"):
        position(market="D G M M M", hand="L L").play("exchange L L > D M")


def test_no_good_is_on_both_sides_of_an_exchange() -> None:
    with pytest.raises(meeple.UnreadableMove, match="both sides"):
        position(market="D L S C M", hand="L L C").play("exchange L C > D L")


def test_an_exchange_leaves_at_most_seven_goods_in_hand() -> None:
    state = position(market="D G S M M", hand="L L L L C C", herd=3)
    moves = state.moves()
    assert "exchange C M > D G" in moves
    assert "exchange M M > D G" not in moves


def test_with_seven_in_hand_only_goods_can_be_given() -> None:
    state = position(market="D G S M M", hand="L L L L C C C", herd=3)
    exchanges = [m for m in state.moves() if m.startswith("exchange")]
    assert exchanges
    assert not [m for m in exchanges if "M" in m]


# ---- Sell ----


def test_selling_takes_one_token_a_card_from_the_top() -> None:
    state = position(hand="D D C")
    state.play("sell 2 diamond")
    assert state.scores() == [14, 0]
    assert state.data.goods_tokens[0] == 2
    assert state.data.tokens_left[0] == 3
    assert hand(state) == "C"


def test_diamonds_gold_and_silver_are_sold_at_least_two_at_a_time() -> None:
    moves = position(hand="D G G S C").moves()
    assert "sell 2 gold" in moves
    assert "sell 1 cloth" in moves
    assert not {"sell 1 diamond", "sell 1 gold", "sell 1 silver"} & set(moves)


def test_two_diamonds_must_be_sold_together_even_for_a_single_token() -> None:
    state = position(hand="D D")
    state.data.tokens_left[0] = 1
    assert "sell 2 diamond" in state.moves()
    state.play("sell 2 diamond")
    assert state.scores() == [5, 0]
    assert state.data.goods_tokens[0] == 1


def test_goods_can_be_sold_when_no_tokens_are_left() -> None:
    state = position(hand="L L L")
    state.data.tokens_left[5] = 0
    state.play("sell 3 leather")
    assert state.scores() == [3, 0]
    assert state.data.goods_tokens[0] == 0


@pytest.mark.parametrize(("cards", "bonus"), [(2, 0), (3, 3), (4, 6), (5, 10), (6, 10), (7, 10)])
def test_the_bonus_depends_on_the_number_of_cards_sold(cards: int, bonus: int) -> None:
    state = position(hand=" ".join("L" * cards))
    state.play(f"sell {cards} leather")
    goods = sum([4, 3, 2, 1, 1, 1, 1][:cards])
    assert state.scores() == [goods + bonus, 0]
    assert state.data.bonus_tokens[0] == (1 if bonus else 0)


def test_the_bonus_counts_cards_not_tokens() -> None:
    state = position(hand="L L L L L")
    state.data.tokens_left[5] = 1
    state.play("sell 5 leather")
    assert state.scores() == [1 + 10, 0]


def test_an_empty_bonus_pile_gives_nothing() -> None:
    state = position(hand="L L L")
    state.data.bonus_left[0] = 0
    state.data.bonus_owner[0] = 1
    state.play("sell 3 leather")
    assert state.scores()[0] == 9


def test_any_number_of_held_cards_may_be_sold() -> None:
    sales = [m for m in position(hand="C C C").moves() if m.startswith("sell")]
    assert sales == ["sell 1 cloth", "sell 2 cloth", "sell 3 cloth"]


# ---- Ends ----


def test_the_round_ends_at_once_when_three_goods_piles_are_empty() -> None:
    state = position(hand="L L")
    state.data.tokens_left[:] = [0, 0, 3, 3, 3, 2]
    state.play("sell 2 leather")
    assert state.end.reason == "three goods piles are empty"
    assert not state.end.truncated


def test_the_round_ends_when_the_market_cannot_be_refilled() -> None:
    state = position(market="D G M M M", deck="L L")
    state.play("take camels")
    assert state.end.reason == "the market cannot be refilled"
    assert state.data.herd[0] == 3
    assert market(state) == "D G LL"


def test_an_empty_deck_beside_a_full_market_does_not_end_the_round() -> None:
    state = position(market="D G M M M", deck="L L L")
    state.play("take camels")
    assert state.data.deck_left == 0
    assert not state.over


def test_under_the_rules_of_2017_the_round_ends_with_the_deck() -> None:
    state = position(market="D G M M M", deck="L L L", spec="jaipur:round,rules=2017")
    state.play("take camels")
    assert state.end.reason == "the deck is empty"


def test_more_camels_are_worth_five_points_at_the_end() -> None:
    state = position(market="D G M M M", herd=0, other_herd=2, deck="")
    state.play("take camels")
    assert state.scores() == [5, 0]


def test_equal_herds_give_the_camel_token_to_nobody() -> None:
    state = position(market="D G M M M", herd=0, other_herd=3, deck="")
    state.play("take camels")
    assert state.scores() == [0, 0]


def finished(spec: str = "jaipur:round", **fields: list[int]) -> meeple.State:
    """A round that ends now with equal herds, and the given tallies before it."""
    state = position(market="D G M M M", herd=0, other_herd=3, deck="", hand="C C", other_hand="C C", spec=spec)
    for name, values in fields.items():
        state.data[name][:] = values
    state.play("take camels")
    return state


def test_most_points_win() -> None:
    assert finished(goods_points=[10, 11]).outcome() == [0, 1]


def test_equal_points_are_decided_by_bonus_tokens() -> None:
    assert finished(goods_points=[5, 9], bonus_points=[4, 0], bonus_tokens=[1, 0]).outcome() == [1, 0]


def test_equal_bonus_tokens_are_decided_by_goods_tokens() -> None:
    assert finished(goods_points=[9, 9], goods_tokens=[2, 3]).outcome() == [0, 1]


def test_all_equal_is_a_draw() -> None:
    assert finished(goods_points=[9, 9], goods_tokens=[3, 3]).outcome() == [0.5, 0.5]


def test_in_2017_the_last_tie_break_is_goods_cards() -> None:
    state = position(market="D G M M M", other_herd=3, deck="", hand="C C", other_hand="C C L", spec="jaipur:round,rules=2017")
    state.data.goods_tokens[:] = [9, 0]
    state.play("take camels")
    assert state.outcome() == [0, 1]


# ---- Turn cap ----


def test_a_round_of_a_thousand_turns_is_truncated_and_nobody_wins() -> None:
    state = position(hand="L L")
    state.data.round_turn = 999
    state.data.goods_points[:] = [50, 0]
    state.play("sell 1 leather")
    assert state.end.truncated
    assert state.end.reason == "turn cap"
    assert state.outcome() == [0.5, 0.5]


def test_an_ordinary_end_on_the_last_turn_is_not_a_truncation() -> None:
    state = position(market="D G M M M", deck="")
    state.data.round_turn = 999
    state.play("take camels")
    assert not state.end.truncated


# ---- The match ----


def won_round(seals: list[int], points: list[int]) -> meeple.State:
    state = position(market="D G M M M", other_herd=3, deck="", spec="jaipur:match")
    state.data.seals[:] = seals
    state.data.goods_points[:] = points
    state.play("take camels")
    return state


def test_the_winner_of_a_round_gets_a_seal_and_the_loser_starts_the_next() -> None:
    state = won_round([0, 0], [10, 20])
    assert not state.over
    assert state.scores() == [0, 1]
    assert state.seat == 0
    assert state.data.deck_left == 40
    assert state.data.last_points.tolist() == [10, 20]
    assert won_round([0, 0], [20, 10]).seat == 1


def test_two_seals_win_the_match() -> None:
    state = won_round([0, 1], [10, 20])
    assert state.end.reason == "two seals are won"
    assert state.outcome() == [0, 1]


def test_a_drawn_round_gives_no_seal_and_the_start_goes_round() -> None:
    state = won_round([1, 1], [10, 10])
    assert not state.over
    assert state.scores() == [1, 1]
    assert state.seat == 1


def test_the_rounds_of_a_match_are_dealt_differently() -> None:
    first = meeple.new("jaipur:match", 1)
    second = first.copy()
    second.data.market[:] = [1, 1, 0, 0, 0, 0, 3]
    second.data.deck_left = 0
    second.data.deck[:] = -1
    second.play("take camels")
    assert second.data.deck.tolist() != first.data.deck.tolist()


# ---- The other action sets ----


def test_in_the_sell_all_set_a_sale_sells_every_card_of_its_kind() -> None:
    state = position(hand="C C C D", spec="jaipur:round,actions=25469")
    assert [m for m in state.moves() if m.startswith("sell")] == ["sell all cloth"]
    state.play("sell all cloth")
    assert hand(state) == "D"
    assert state.scores() == [5 + 3 + 3 + 3, 0]


def test_in_the_hierarchical_set_a_turn_has_two_steps() -> None:
    state = position(hand="C C", spec="jaipur:round,actions=25502")
    assert state.moves() == ["take camels", "choose take", "choose sell", "choose exchange"]
    state.play("choose sell")
    assert (state.seat, state.turn, state.ply) == (0, 0, 1)
    assert state.moves() == ["sell 1 cloth", "sell 2 cloth"]
    state.play("sell 2 cloth")
    assert (state.seat, state.turn, state.ply) == (1, 1, 2)


def test_in_the_hierarchical_set_only_kinds_with_an_action_are_offered() -> None:
    state = position(market="D G S C P", hand="D D D D G G G", spec="jaipur:round,actions=25502")
    assert "choose take" not in state.moves()
    assert position(hand="D", spec="jaipur:round,actions=25502").moves() == ["take camels", "choose take"]

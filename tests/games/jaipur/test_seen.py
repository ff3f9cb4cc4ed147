"""Level `seen` by example, its thermometers read back, and what actions are made of."""

from __future__ import annotations

import numpy as np
import pytest

import meeple
from meeple.games.jaipur import features as parts
from tests.games.jaipur.positions import position
from tests.games.named import counts, features, positions, row, seen

HAND = (6, 6, 6, 7, 7, 7)
TOKENS = (5, 5, 5, 7, 7, 9)
SALES = [f"sell {k} {good}" for good in ("diamond", "gold", "silver") for k in range(2, 7)]
SALES += [f"sell {k} {good}" for good in ("cloth", "spice", "leather") for k in range(1, 8)]


def test_own_cards_and_the_market_are_thermometers() -> None:
    told = seen(position(market="D G S C M", hand="D L L L", herd=3, other_herd=1))
    assert told["hand"] == [1, 0, 0, 0, 0, 0] + [0] * 26 + [1, 1, 1, 0, 0, 0, 0]
    assert counts(told["hand_size"], [7]) == [4]
    assert counts(told["market"], [5] * 7) == [1, 1, 1, 1, 0, 0, 1]
    assert counts(told["herds"], [11, 11]) == [3, 1]
    assert told["herd_lead"] == [round(2 / 11, 5)]


def test_of_the_opponent_the_cards_seen_and_the_number_of_the_others_are_told() -> None:
    state = position(market="G D D S C", hand="C L S", other_hand="P", deck="P P P P P P P P")
    state.play("take gold")
    told = seen(state, seat=1)
    assert counts(told["opponent_known"], HAND) == [0, 1, 0, 0, 0, 0]
    assert counts(told["opponent_unknown"], [5]) == [3]
    assert counts(told["opponent_size"], [7]) == [4]
    assert seen(state, seat=0)["shown"] == [0, round(1 / 7, 5), 0, 0, 0, 0]
    assert told["to_move"] == [1]
    assert seen(state, seat=0)["to_move"] == [0]


def test_cards_that_may_be_in_hand_or_deck_are_counted_together() -> None:
    told = seen(position(hand="L", other_hand="D G", deck="D S M M"))
    assert told["unseen"] == [round(x, 5) for x in (2 / 6, 1 / 6, 1 / 6, 0, 0, 0, 2 / 11)]
    assert told["deck"] == [0.1]
    assert counts(told["deck_last"], [10]) == [4]


def test_a_sale_tells_what_it_pays_with_the_mean_bonus() -> None:
    """Leather brings 4, 3, 2; a bonus token for three cards is worth 14 / 7 = 2 on average."""
    told = dict(zip(SALES, seen(position(hand="L L L D"))["sale"], strict=True))
    assert {sale: pays for sale, pays in told.items() if pays} == {
        "sell 1 leather": 4 / 40,
        "sell 2 leather": 7 / 40,
        "sell 3 leather": 11 / 40,
    }


def test_sales_stand_in_the_order_of_the_actions() -> None:
    variant = meeple.find_variant("jaipur:round")
    assert [variant.format_action(7 + i) for i in range(36)] == SALES


def test_tokens_tell_how_many_are_left_and_what_the_next_are_worth() -> None:
    state = position(hand="L L L")
    state.play("sell 3 leather")
    told = seen(state, seat=1)
    assert counts(told["tokens"], TOKENS) == [5, 5, 5, 7, 7, 6]
    assert told["next_tokens"][:3] == [1, 1, round(5 / 7, 5)]
    assert told["next_tokens"][15:] == [round(1 / 7, 5)] * 3
    assert told["tokens_worth"] == [1, 1, 1, 1, 1, round(6 / 15, 5)]
    assert counts(told["empty_piles"], [3]) == [0]


def test_a_seat_knows_its_own_bonus_token_and_reckons_the_opponents_at_the_mean() -> None:
    """The token taken is a 3: its owner knows that the six others make 11; the opponent still knows of seven that make 14."""
    state = position(hand="L L L")
    state.play("sell 3 leather")
    own, other = seen(state, 0), seen(state, 1)
    assert counts(own["bonus"], [7, 6, 5]) == [6, 6, 5]
    assert own["bonus_mean"][0] == round(11 / 6 / 10, 5)
    assert other["bonus_mean"][0] == 0.2
    assert own["bonus_taken"][:3] == other["bonus_taken"][3:] == [round(1 / 7, 5), 0, 0]
    assert own["points"] == [0.12]
    assert other["opponent_open"] == [0.09]
    assert other["opponent_points"] == [0.11]
    assert other["lead"] == [-11 / 50]


def test_a_match_tells_the_seals_and_two_steps_tell_the_step() -> None:
    state = meeple.new("jaipur:match,actions=25502", 1)
    state.data.seals[:] = [0, 1]
    assert counts(seen(state, 0)["seals"], [2, 2]) == [0, 1]
    assert counts(seen(state, 1)["seals"], [2, 2]) == [1, 0]
    assert seen(state)["step"] == [1, 0, 0, 0]
    state.play("choose take")
    assert seen(state)["step"] == [0, 1, 0, 0]


def test_sold_out_goods_are_told_in_the_set_that_sells_all() -> None:
    state = position(hand="L L D G", spec="jaipur:round,actions=25469")
    state.play("sell all leather")
    assert seen(state, 1)["none_unseen"] == [0, 0, 0, 0, 0, 1] + [0] * 6
    assert seen(state, 0)["none_unseen"] == [0] * 6 + [0, 0, 0, 0, 0, 1]


@pytest.mark.parametrize("spec", ["jaipur:match", "jaipur:round,actions=25469"])
def test_thermometers_read_back_to_the_counts_of_the_state(spec: str) -> None:
    for state in positions(spec):
        s = state.data
        for seat in range(2):
            told = seen(state, seat)
            assert counts(told["hand"], HAND) == s.hand[seat].tolist()
            assert counts(told["opponent_known"], HAND) == s.known[1 - seat].tolist()
            assert counts(told["opponent_unknown"], [5]) == [s.hand[1 - seat].sum() - s.known[1 - seat].sum()]
            assert counts(told["market"], [5] * 7) == s.market.tolist()
            assert counts(told["herds"], [11, 11]) == [s.herd[seat], s.herd[1 - seat]]
            assert counts(told["tokens"], TOKENS) == s.tokens_left.tolist()
            assert counts(told["bonus"], [7, 6, 5]) == s.bonus_left.tolist()


def test_the_true_hidden_cards_make_no_difference() -> None:
    state = position(hand="L L L D", other_hand="S S G", deck="D D P P M L C")
    state.play("sell 3 leather")
    for seed in range(20):
        for seat in range(2):
            assert np.array_equal(state.observe(seat, "seen"), state.redealt(seat, seed).observe(seat, "seen"))


def test_an_exchange_is_what_it_takes_and_gives() -> None:
    found = row("jaipur:round", "exchange L L M > D S C")
    assert found[: parts.KINDS].tolist() == [0, 0, 0, 1, 0, 0, 0]
    assert counts(found[parts.TAKEN : parts.GIVEN].tolist(), [5] * 6) == [1, 0, 1, 1, 0, 0]
    assert counts(found[parts.GIVEN : parts.CAMELS_GIVEN].tolist(), [5] * 6) == [0, 0, 0, 0, 0, 2]
    assert counts(found[parts.CAMELS_GIVEN : parts.SOLD].tolist(), [5]) == [1]
    assert not found[parts.SOLD :].any()


def test_a_sale_is_a_good_and_a_number_and_a_choice_is_its_kind() -> None:
    found = row("jaipur:round", "sell 3 leather")
    assert counts(found[parts.SOLD : parts.SOLD_ALL].tolist(), [7] * 6) == [0, 0, 0, 0, 0, 3]
    assert row("jaipur:round,actions=25469", "sell all gold")[parts.SOLD_ALL :].tolist() == [0, 1, 0, 0, 0, 0]
    assert np.flatnonzero(row("jaipur:round,actions=25502", "choose sell")).tolist() == [5]
    assert np.flatnonzero(row("jaipur:round", "take camels")).tolist() == [1]


@pytest.mark.parametrize("actions", ["25499", "25469", "25502"])
def test_no_two_actions_have_the_same_features(actions: str) -> None:
    table = features(f"jaipur:round,actions={actions}")
    assert table.shape == (int(actions), 120)
    assert len(np.unique(table, axis=0)) == int(actions)

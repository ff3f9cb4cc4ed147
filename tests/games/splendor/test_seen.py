"""Level `seen` by example, its thermometers read back, and what actions are made of."""

from __future__ import annotations

import numpy as np
import pytest

from meeple.games.splendor.components import POINTS
from tests.games.named import counts, features, hot, positions, row, seen
from tests.games.splendor.positions import hold, invite, keep, lay, table

PILES = {2: 4, 3: 5, 4: 7}


def test_a_card_tells_its_face_and_what_everybody_lacks_for_it() -> None:
    """White 4g: seat 0 has a green bonus and a gold token, so it is short of two; seat 1 can pay."""
    state = table(2)
    lay(state, "1-2", "white 4g")
    hold(state, 0, tokens="2w 1*", bonuses="1g")
    hold(state, 1, tokens="4g")
    told = seen(state)
    assert told["card_1_2_bonus"] == [1, 0, 0, 0, 0]
    assert told["card_1_2_cost"] == [0, 0, round(4 / 7, 5), 0, 0]
    assert told["card_1_2_lacking"] == [0, 0, round(3 / 7, 5), 0, 0]
    assert told["card_1_2_short"] == [round(2 / 14, 5), 0]
    assert told["card_1_2_buys"] == [0, 1]
    assert seen(state, 1)["card_1_2_buys"] == [1, 0]


def test_an_empty_place_is_zeros() -> None:
    state = table(2)
    state.data.face_up[2, 3] = -1
    told = seen(state)
    assert not any(x for name, part in told.items() if name.startswith("card_3_4") for x in part)


def test_a_noble_tells_what_it_asks_and_who_lacks_what() -> None:
    state = table(2)
    invite(state, 2, "4g 4r")
    hold(state, 0, bonuses="3g")
    hold(state, 1, bonuses="4g 4r")
    told = seen(state)
    assert told["noble_2_here"] == [1]
    assert told["noble_2_needs"] == [0, 0, 1, 1, 0]
    assert told["noble_2_lacking"] == [0, 0, 0.25, 1, 0]
    assert told["noble_2_short"] == [round(5 / 9, 5), 0]
    state.data.nobles[1] = -1
    assert not any(x for name, part in seen(state).items() if name.startswith("noble_2") for x in part)


def test_a_blind_reserve_shows_the_others_its_level_only() -> None:
    state = table(3)
    card = keep(state, 1, 2, level=2, face="white 5r", blind=1)
    hold(state, 1, tokens="5r")
    owner, other = seen(state, 1), seen(state, 0)
    assert owner["own_reserved_2_level"] == other["other1_reserved_2_level"] == [0, 1, 0]
    assert owner["own_reserved_2_blind"] == other["other1_reserved_2_blind"] == [1]
    assert owner["own_reserved_2_points"] == [round(int(POINTS[card]) / 5, 5)]
    assert owner["own_reserved_2_buys"] == [1]
    hidden = ["bonus", "cost", "points", "short", "buys"]
    assert not any(any(other[f"other1_reserved_2_{part}"]) for part in hidden)
    state.data.blind[1, 1] = 0
    open_card = seen(state, 2)
    assert open_card["other2_reserved_2_bonus"] == [1, 0, 0, 0, 0]
    assert open_card["other2_reserved_2_buys"] == [1]


def test_a_payment_in_progress_is_told() -> None:
    """Four green tokens are to be paid, and two gold ones could stand for some of them."""
    state = table(2)
    lay(state, "1-1", "white 4g")
    hold(state, 0, tokens="4g 2*")
    state.play("buy 1-1")
    told = seen(state)
    assert told["phase"] == [0, 1, 0, 0]
    assert hot(told["buying"]) == [0]
    assert told["price"] == [0, 0, round(4 / 7, 5), 0, 0, 0]
    assert hot(told["gold_from"]) == [0]
    state.play("gold for green")
    assert hot(seen(state)["gold_from"]) == [2]
    assert seen(state)["price"][5] == round(1 / 7, 5)


def test_tokens_above_ten_are_told_while_they_are_returned() -> None:
    state = table(4)
    hold(state, 0, tokens="3w 3b 3g")
    state.play("take white blue green")
    told = seen(state)
    assert told["phase"] == [0, 0, 1, 0]
    assert counts(told["excess"], [3]) == [2]
    assert told["own_held"] == [1.2]


def test_the_table_is_seen_from_the_own_side() -> None:
    state = table(3)
    hold(state, 1, tokens="2r", bonuses="1w", points=7)
    state.play("take white blue green")
    told = seen(state, 2)
    assert told["place"] == [0, 0, 1]
    assert told["to_move"] == [0, 0, 1]  # seat 1, two places after seat 2
    assert counts(told["other2_points"], [15]) == [7]
    assert told["other2_tokens"] == [0, 0, 0, 0.4, 0, 0]
    assert told["other2_bonuses"] == [round(1 / 7, 5), 0, 0, 0, 0]
    assert told["other1_tokens"] == [0.2, 0.2, 0.2, 0, 0, 0]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_thermometers_read_back_to_the_counts_of_the_state(players: int) -> None:
    for state in positions(f"splendor:{players}", most=120):
        s = state.data
        piles = [PILES[players]] * 5 + [5]
        for seat in range(players):
            told = seen(state, seat)
            assert counts(told["bank"], piles) == s.bank.tolist()
            assert counts(told["own_tokens"], piles) == s.tokens[seat].tolist()
            assert counts(told["own_bonuses"], [7] * 5) == s.bonuses[seat].clip(max=7).tolist()
            assert counts(told["own_points"], [15]) == [min(15, s.points[seat])]
            assert counts(told["own_nobles"], [players + 1]) == [s.nobles_won[seat]]


def test_the_variant_of_the_thesis_has_the_level_as_its_third() -> None:
    assert [level.name for level in table("thesis").variant.shape.levels] == ["thesis", "table", "seen"]
    assert [level.name for level in table(2).variant.shape.levels] == ["table", "seen"]


def test_actions_on_the_same_card_share_its_place_and_differ_in_kind() -> None:
    reserve, buy = row("splendor:2", "reserve 2-3"), row("splendor:2", "buy 2-3")
    face = slice(20, 27)  # level and slot, behind ten kinds and ten places of tokens taken
    assert reserve[face].tolist() == buy[face].tolist() == [0, 1, 0, 0, 0, 1, 0]
    assert hot(reserve[:10].tolist()) == [1]
    assert hot(buy[:10].tolist()) == [3]
    assert counts(row("splendor:2", "take 2 blue")[10:20].tolist(), [2] * 5) == [0, 2, 0, 0, 0]


def test_a_card_of_the_thesis_is_its_properties() -> None:
    found = row("splendor:thesis", "buy white 4g")
    first = 5 + 10 + 18 + 14  # kinds, taken, returned, and the columns of a card that is reserved
    assert found[first : first + 14].tolist() == pytest.approx([1, 0, 0, 1 / 5, 1, 0, 0, 0, 0, 0, 0, 4 / 7, 0, 0])
    returned = row("splendor:thesis", "return white white gold")[15:33].tolist()
    assert counts(returned, [3] * 6) == [2, 0, 0, 0, 0, 1]


@pytest.mark.parametrize(("spec", "shape"), [("splendor:2", (78, 73)), ("splendor:thesis", (371, 75))])
def test_no_two_actions_have_the_same_features(spec: str, shape: tuple[int, int]) -> None:
    found = features(spec)
    assert found.shape == shape
    assert len(np.unique(found, axis=0)) == len(found)

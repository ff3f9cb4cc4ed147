"""The six players of the 2017 thesis: by hand, and against a plain reference that tries everything."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import meeple
from meeple.agents.registry import find_agent
from meeple.core.agent import choose
from meeple.core.kernel import JIT
from meeple.core.rng import child, draw, stream
from meeple.games.jaipur.advanced_2017 import look_at, may_look_ahead
from meeple.games.jaipur.components import CAMEL, CARDS_OF, GOODS, KINDS, TOKEN, TOKENS_OF
from meeple.games.jaipur.heuristic_2017 import Weights, value_of_cards
from meeple.games.jaipur.imagine_2017 import imagine, note_changes, value_of_table, value_of_turn
from meeple.games.jaipur.rules import hand_size
from meeple.games.jaipur.turns import list_turns
from tests.conftest import games
from tests.games.jaipur.positions import counts, position
from tests.reference import jaipur_2017 as reference

PLAYERS = ("basic1", "basic2", "basic3", "advanced1", "advanced2", "advanced3")
PUBLISHED = Weights(0.58, 0.38, 1.02)
FULL = tuple(int(n) for n in TOKENS_OF)


def decide(player: str, state: meeple.State, seed: int = 0) -> str:
    """A player's answer, given a redealt copy as at a table."""
    agent = find_agent(player, state.variant.game).make(state.variant)
    seen = state.redealt(state.seat, seed)
    action = choose(agent, seen.data, stream(seed), np.zeros(state.variant.shape.room, np.int32))
    return state.variant.format_action(int(action))


def value(cards: list[float], tokens_left: tuple[int, ...] = FULL) -> float:
    return round(value_of_cards(np.array(cards), np.array(tokens_left, np.int8), PUBLISHED), 9)


# ---- What cards are worth, by hand ------------------------------------------------------------------------------------------


def test_a_single_diamond_cannot_be_sold_and_counts_by_k2() -> None:
    assert value([1, 0, 0, 0, 0, 0, 0]) == 2.66  # 0.38 * 7


def test_two_diamonds_can_be_sold_and_count_by_k1() -> None:
    assert value([2, 0, 0, 0, 0, 0, 0]) == 8.12  # 0.58 * (7 + 7)


def test_a_single_cloth_can_be_sold_and_counts_by_k1() -> None:
    assert value([0, 0, 0, 1, 0, 0, 0]) == 2.9  # 0.58 * 5


def test_a_fraction_of_a_card_is_worth_that_much_of_the_last_whole_cards_token() -> None:
    assert value([0, 0, 0, 0, 0, 2.3, 0]) == 4.582  # 0.58 * (4 + 3 + 0.3 * 3)


def test_a_fraction_alone_is_worth_that_much_of_the_top_token() -> None:
    assert value([0, 0, 0, 0.25, 0, 0, 0]) == 0.725  # 0.58 * 0.25 * 5


def test_nearly_two_diamonds_still_count_by_k2() -> None:
    assert value([1.9, 0, 0, 0, 0, 0, 0]) == 5.054  # 0.38 * (7 + 0.9 * 7)


def test_three_of_a_good_add_the_average_bonus_before_the_weight() -> None:
    assert value([0, 0, 0, 0, 0, 3, 0]) == 6.38  # 0.58 * (4 + 3 + 2 + 2)


def test_five_leathers_are_worth_their_bonus_even_if_no_token_is_left() -> None:
    assert value([0, 0, 0, 0, 0, 5, 0], (5, 5, 5, 7, 7, 0)) == 5.22  # 0.58 * 9, the example of section 4.3.3


def test_a_short_pile_gives_what_it_has() -> None:
    assert value([0, 3, 0, 0, 0, 0, 0], (5, 1, 5, 7, 7, 9)) == 4.06  # 0.58 * (5 + 2)


def test_a_camel_counts_by_k3_and_so_does_its_fraction() -> None:
    assert value([0, 0, 0, 0, 0, 0, 2.5]) == 2.55


def test_goods_and_camels_add_up() -> None:
    assert value([1, 2, 0, 0, 0, 1, 3]) == 15.0  # 0.38 * 7 + 0.58 * 12 + 0.58 * 4 + 3 * 1.02


# ---- Rules of the players ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("player", ["basic2", "basic3"])
def test_a_worthless_sale_is_made_if_it_is_the_only_one(player: str) -> None:
    state = position(hand="C D")
    state.data.tokens_left[3] = 0
    assert {decide(player, state, seed) for seed in range(games(20))} == {"sell 1 cloth"}


@pytest.mark.parametrize("player", ["basic2", "basic3"])
def test_the_best_sale_is_the_one_with_most_goods_tokens_whatever_its_bonus(player: str) -> None:
    assert decide(player, position(hand="D D L L L L")) == "sell 2 diamond"  # 14 against 10 + a bonus of about 5


def test_without_a_sale_basic2_may_do_anything_and_basic3_makes_its_hand_worth_most() -> None:
    state = position(market="D D S M M", hand="G", herd=2)
    assert {decide("basic2", state, seed) for seed in range(60)} == set(state.moves())
    assert decide("basic3", state) == "exchange M M > D D"


def test_basic1_makes_every_move_alike() -> None:
    state = position(hand="C D", herd=2)
    made = [decide("basic1", state, seed) for seed in range(games(3000))]
    if len(made) == 3000:
        expected = len(made) / len(state.moves())
        assert all(abs(made.count(move) - expected) < 5 * expected**0.5 for move in state.moves())


def test_of_equal_turns_the_first_in_the_order_camels_exchanges_takes_sales_is_chosen() -> None:
    # Nothing in the market is worth anything to basic3, and it can sell nothing: every turn leaves a hand worth nothing.
    state = position(market="C C L L M", hand="D", herd=2)
    state.data.tokens_left[[0, 3, 5]] = 0
    assert decide("basic3", state) == "take camels"
    state.data.market[:] = counts("C C L L P", 7)
    state.data.tokens_left[4] = 0
    assert decide("basic3", state) == "exchange M M > L L"


def test_what_the_opponent_was_seen_to_take_is_known_until_it_is_given_away() -> None:
    """The table of section 4.3.2: three goods and two camels are dealt, unseen but for their number."""
    state = position(other_hand="S C L", other_herd=2, deck=" ".join("L" * 20))
    s = state.data
    table = [
        ("G L L L L", "take gold", "G", 2, 3),
        ("G L L L L", "sell 1 cloth", "G", 2, 2),
        ("D D L L L", "exchange G L > D D", "D D", 2, 1),
        ("M M L L L", "take camels", "D D", 4, 1),
        ("P C L L L", "exchange D S > C P", "D C P", 4, 0),
    ]
    for market, move, known, herd, unseen in table:
        s.market[:] = counts(market, 7)
        s.seat = 1
        state.play(move)
        assert s.known[1].tolist() == counts(known, 6)
        assert s.herd[1] == herd
        assert hand_size(s, 1) - s.known[1].sum() == unseen


@pytest.mark.parametrize(
    ("hand", "unseen", "deep"),
    [("D D C L", 0, True), ("D D C L", 1, False), ("C C C", 0, False), ("D D C C P L", 0, True), ("D D C C P P L", 0, False)],
)
def test_looking_ahead_needs_every_card_seen_no_three_of_a_good_and_fewer_than_seven(hand: str, unseen: int, deep: bool) -> None:
    state = position(hand=hand, herd=5, other_hand="G S")
    state.data.known[1] = state.data.hand[1]
    state.data.known[1, 1] -= unseen
    assert may_look_ahead(state.data) == deep


def test_where_they_may_not_look_ahead_all_advanced_players_agree() -> None:
    for state in random_positions("jaipur:round", games(300), seed=5):
        if not may_look_ahead(state.data):
            assert decide("advanced1", state) == decide("advanced2", state) == decide("advanced3", state)


# ---- What they are given ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("player", ["basic3", "advanced1", "advanced2"])
def test_a_choice_does_not_depend_on_how_the_hidden_cards_lie(player: str) -> None:
    for state in random_positions("jaipur:round", games(200), seed=6):
        assert len({decide(player, state, seed) for seed in range(3)}) == 1


@pytest.mark.parametrize("player", ["basic3", "advanced1", "advanced2"])
def test_in_two_steps_they_do_what_they_would_do_in_one(player: str) -> None:
    two_steps = meeple.find_variant("jaipur:round,actions=25502")
    for state in random_positions("jaipur:round", games(200), seed=7):
        whole = decide(player, state)
        steps = meeple.State(two_steps, state.array.copy())
        steps.data.action_set = 2
        turn = steps.data.turn
        while steps.data.turn == turn:
            step = decide(player, steps)
            steps.play(step)
        assert step == whole


@pytest.mark.parametrize("options", ["actions=25499", "actions=25469", "actions=25502", "rules=2017"])
@pytest.mark.parametrize("variant", ["round", "match"])
def test_all_six_play_every_variant_to_its_end(variant: str, options: str) -> None:
    players = PLAYERS if JIT else PLAYERS[:4]  # the others search too much for plain Python
    state = meeple.new(f"jaipur:{variant},{options}", 3)
    while not state.over:
        state.play(decide(players[state.turn // 2 % len(players)], state, state.ply))
    assert not state.end.truncated


def test_the_weights_can_be_set() -> None:
    state = position(market="D L L M M", hand="G C")
    assert decide("advanced1", state) == "take diamond"
    assert decide("advanced1:k3=3", state) == "take camels"


# ---- Against the reference --------------------------------------------------------------------------------------------------


def random_positions(spec: str, many: int, seed: int) -> Iterator[meeple.State]:
    """From games in which every other turn or so is advanced1's, so that not all hands are a random player's."""
    number = 0
    while many > 0:
        state = meeple.new(spec, child(seed, number))
        luck = stream(child(seed, number))
        number += 1
        while not state.over and many > 0:
            yield state
            many -= 1
            legal = state.legal()
            state.play(legal[draw(luck, len(legal))] if draw(luck, 2) else decide("advanced1", state))


def table_of(state: meeple.State) -> reference.Table:
    """What the seat to move knows, as plain Python."""
    s, seat = state.data, state.seat
    cards = [[*s.hand[seat], s.herd[seat]], [*s.known[1 - seat], s.herd[1 - seat]]]
    return reference.Table(
        hands=[{kind: int(n) for kind, n in zip(KINDS, hand, strict=True)} for hand in cards],
        market={kind: float(n) for kind, n in zip(KINDS, s.market, strict=True)},
        tokens={KINDS[good]: tuple(int(TOKEN[good, n]) for n in range(s.tokens_left[good], 0, -1)) for good in range(GOODS)},
        deck=int(s.deck_left),
    )


def sold(s: Any) -> dict[str, int]:
    left = CARDS_OF - s.market - np.bincount(s.deck[: s.deck_left], minlength=7)
    left[:CAMEL] -= s.hand.sum(axis=0)
    left[CAMEL] -= s.herd.sum()
    return {kind: int(n) for kind, n in zip(KINDS, left, strict=True)}


def reference_player(state: meeple.State, table: reference.Table, weights: reference.Weights) -> reference.Advanced:
    return reference.Advanced(weights, reference.chances(table, sold(state.data)), sells_all(state))


def sells_all(state: meeple.State) -> bool:
    return state.variant.chosen["actions"] == "25469"


@pytest.mark.parametrize("spec", ["jaipur:round", "jaipur:match,actions=25469", "jaipur:round,rules=2017"])
def test_basic3_and_advanced1_choose_as_the_reference_does(spec: str) -> None:
    for state in random_positions(spec, games(800), seed=8):
        table = table_of(state)
        assert decide("basic3", state) == reference.basic3(table, sells_all(state)).text(sells_all(state))
        player = reference_player(state, table, reference.Weights())
        assert decide("advanced1", state) == player.choose(table, 1).text(sells_all(state))


def test_the_heuristic_is_the_references_for_any_fractions_and_weights() -> None:
    random = np.random.default_rng(9)
    for _ in range(games(2000)):
        cards = np.round(random.uniform(0, 5, 7) * random.integers(0, 2, 7), random.integers(0, 4))
        left = np.array([random.integers(0, n + 1) for n in TOKENS_OF], np.int8)
        weights = Weights(*random.uniform(0, 1.2, 3))
        tokens = {KINDS[good]: tuple(int(TOKEN[good, n]) for n in range(left[good], 0, -1)) for good in range(GOODS)}
        expected = reference.value_of_cards(dict(zip(KINDS, cards.tolist(), strict=True)), tokens, reference.Weights(*weights))
        assert value_of_cards(cards, left, weights) == pytest.approx(expected, abs=1e-9)


def test_a_turn_is_worth_what_the_table_it_leads_to_is_worth() -> None:
    """Exchanges are valued without being made, for the searching seat and for its opponent."""
    out = np.zeros(meeple.find_variant("jaipur:round").shape.room, np.int32)
    for state in random_positions("jaipur:round", games(100), seed=12):
        me = find_agent("advanced2", state.variant.game).make(state.variant)
        look_at(me, state.data)
        for depth in range(2):
            note_changes(me, depth)
            for turn in out[: list_turns(me.tables[depth], out)]:
                quick = value_of_turn(me, depth, turn)
                imagine(me, depth, turn)
                assert quick == pytest.approx(value_of_table(me, depth + 1), abs=1e-9)


def deep_positions(many: int, most_moves: int, seed: int) -> Iterator[meeple.State]:
    """Positions with every card of the opponent seen, and not too many moves for a search that tries everything."""
    for state in random_positions("jaipur:round,rules=2017", 100 * many, seed):
        state = state.copy()
        s = state.data
        s.known[1 - s.seat] = s.hand[1 - s.seat]
        table = table_of(state)
        moves = [len(list(reference.moves(table, player, False))) for player in (reference.ME, reference.OPPONENT)]
        if may_look_ahead(s) and max(moves) <= most_moves:
            yield state
            many -= 1
            if many == 0:
                return
    raise AssertionError(f"{many} positions too few")


@pytest.mark.parametrize("opponent", [0.0, 1.0])
def test_advanced2_chooses_as_a_search_that_tries_everything(opponent: float) -> None:
    for state in deep_positions(games(200), most_moves=24, seed=10):
        table = table_of(state)
        player = reference_player(state, table, reference.Weights(opponent=opponent))
        assert reference.turns_ahead(table, 0, 3) == 3
        assert decide(f"advanced2:opponent={opponent}", state) == player.choose(table, 3).text(False)


def test_advanced3_chooses_as_a_search_that_tries_everything() -> None:
    for state in deep_positions(games(40), most_moves=8, seed=11):
        table = table_of(state)
        player = reference_player(state, table, reference.Weights())
        assert decide("advanced3", state) == player.choose(table, 5).text(False)

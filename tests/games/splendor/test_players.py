"""Splendor's own players: what a table is worth by hand, what they may not look at, and what they make of plain positions."""

from __future__ import annotations

import numpy as np
import pytest

import meeple
from meeple.agents.registry import find_agent
from meeple.core.agent import choose
from meeple.core.kernel import JIT
from meeple.core.rng import child, draw, stream
from meeple.games.splendor.evaluation import WEIGHTS, bonuses_lacking, make_evaluation, nearness, worth
from meeple.games.splendor.heuristic import foresee
from tests.games.splendor.positions import draw_next, find_card, hold, invite, keep, lay, table

PLAYERS = ("greedy", "heuristic")
# One for each term that counts; the terms that are left out are zero.
NOTHING = {param.name: 0.0 for param in WEIGHTS}


def decide(player: str, state: meeple.State, seed: int = 0) -> str:
    """A player's answer, given a redealt copy as at a table."""
    agent = find_agent(player, state.variant.game).make(state.variant)
    seen = state.redealt(state.seat, seed)
    action = choose(agent, seen.data, stream(7), np.zeros(state.variant.shape.room, np.int32))
    return state.variant.format_action(int(action))


def value(state: meeple.State, seat: int = 0, **weights: float) -> float:
    return round(float(worth(make_evaluation(**(NOTHING | weights)), state.data, seat, 0)), 9)


def clear(state: meeple.State) -> meeple.State:
    """No cards and no nobles on the table."""
    state.data.face_up[:] = -1
    state.data.nobles[:] = -1
    return state


# ---- What a table is worth, by hand -----------------------------------------------------------------------------------------


def test_points_and_tokens_count_by_their_weights() -> None:
    state = clear(table())
    hold(state, 0, tokens="2w 1*", points=5)
    assert value(state, points=2) == 10
    assert value(state, token=0.5, gold=3) == 4.5  # gold is a token too


def test_bonuses_of_a_colour_are_worth_less_and_less() -> None:
    state = clear(table())
    hold(state, 0, bonuses="1w 6k")
    assert value(state, bonus_1=7, bonus_2=6, bonus_3=5, bonus_4=3, bonus_more=1) == 7 + (7 + 6 + 5 + 3 + 1 + 1)


def test_nobles_count_the_more_the_nearer_they_are() -> None:
    state = clear(table())
    invite(state, 1, "4w 4b")
    hold(state, 0, bonuses="4w 2b")
    assert bonuses_lacking(state.data, 0, state.data.nobles[0], -1) == 2
    assert bonuses_lacking(state.data, 0, state.data.nobles[0], 1) == 1
    assert value(state, noble=1, noble_far=np.log(2)) == 3 / 4


def test_a_card_is_the_farther_the_more_tokens_are_lacking_gold_made_up_for() -> None:
    e = make_evaluation(**(NOTHING | {"target_far": np.log(2), "target_steep": np.log(3), "target_scarce": np.log(5)}))
    state = clear(table())
    card = find_card(1, "white 4g")
    assert nearness(e, state.data, 0, card) == pytest.approx(2**-4 * 3**-4)
    hold(state, 0, tokens="1g 1*")
    assert nearness(e, state.data, 0, card) == pytest.approx(2**-2 * 3**-2)
    hold(state, 1, tokens="3g")  # none left in the bank: three are lacking there, gold stands for one
    assert nearness(e, state.data, 0, card) == pytest.approx(2**-2 * 3**-2 * 5**-2)
    hold(state, 0, bonuses="4g")
    assert nearness(e, state.data, 0, card) == 1


def test_the_three_best_cards_count() -> None:
    state = clear(table())
    for slot, face in enumerate(("white 7k", "blue 7w", "green 7b", "red 7g"), 1):
        lay(state, f"3-{slot}", face)  # four points each
    assert value(state, target_points=1, target_open=0.5) == 2
    assert value(state, target_points=1, target_open=0.5, target_2=0.1) == 2.2
    assert value(state, target_points=1, target_open=0.5, target_2=0.1, target_3=0.01) == 2.22
    keep(state, 0, 1, 3, "black 7r")  # nobody else can take it
    assert value(state, target_points=1, target_open=0.5) == 4


def test_a_rivals_blind_reserve_is_not_looked_at() -> None:
    state = clear(table())
    for seat in (0, 1):
        keep(state, seat, 1, 3, ("black 7r", "white 7k")[seat], blind=1)
    assert value(state, seat=1, target_points=1) == 0
    assert value(state, seat=0, target_points=1) == 4  # its owner may


# ---- What cannot be foreseen ------------------------------------------------------------------------------------------------


def test_a_card_turned_up_is_not_foreseen() -> None:
    state = table()
    lay(state, "1-2", "white 4g")
    hold(state, 0, tokens="4g")
    seen = state.variant.empty()
    foresee(seen, state.data, state.variant.parse_action("buy 1-2"))
    assert seen[0].face_up[0].tolist() == [card if slot != 1 else -1 for slot, card in enumerate(state.data.face_up[0])]
    assert seen[0].bonuses[0].tolist() == [1, 0, 0, 0, 0]
    foresee(seen, state.data, state.variant.parse_action("reserve deck 2"))
    assert seen[0].reserved[0].tolist() == [-1, -1, -1]
    assert seen[0].blind[0].tolist() == [1, 0, 0]


@pytest.mark.parametrize("spec", ["splendor:2", "splendor:4", "splendor:thesis"])
@pytest.mark.parametrize("player", PLAYERS)
def test_a_player_decides_the_same_whatever_is_hidden(player: str, spec: str) -> None:
    for number in range(20 if JIT else 1):
        state = meeple.new(spec, child(3, number))
        chooser = stream(number)
        for _ in range(60):
            if state.over:
                break
            assert decide(player, state, 1) == decide(player, state, 2) == decide(player, state, 3)
            legal = state.legal()
            state.play(legal[draw(chooser, len(legal))])


# ---- Decisions --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("player", PLAYERS)
def test_the_points_that_win_are_taken(player: str) -> None:
    state = table()
    state.data.nobles[:] = -1
    lay(state, "3-1", "white 7k")
    lay(state, "1-1", "white 4g")
    hold(state, 0, tokens="3g 3k 1*", bonuses="4k 1g", points=11)
    hold(state, 1, points=14)
    assert decide(player, state) == "buy 3-1"


def test_the_last_turn_is_not_spent_on_coming_second() -> None:
    """Fewer cards break a tie: with equal points already, one more card without points would lose."""
    state = table()
    clear(state)
    lay(state, "1-1", "white 4g")
    hold(state, 0, points=15, bought=8)
    hold(state, 1, tokens="4g", points=15, bought=8)
    state.data.seat = state.data.turn = 1
    state.data.last_round = 1
    assert decide("heuristic", state) != "buy 1-1"


def test_greedy_takes_the_tokens_its_next_card_lacks() -> None:
    state = clear(table())
    lay(state, "1-1", "black 1w 1b 1g 1r")
    hold(state, 0, tokens="1w")
    assert decide("greedy", state) == "take blue green red"


def test_heuristic_gives_back_what_no_card_asks_for() -> None:
    state = clear(table())
    draw_next(state, 1, "white 4g")
    keep(state, 0, 1, 1, "white 4g")
    hold(state, 0, tokens="2w 2b 2g 2r 2k 1*")
    state.data.phase = 2
    assert decide("heuristic", state) not in ("return green", "return gold")


@pytest.mark.parametrize("spec", ["splendor:2", "splendor:3", "splendor:4", "splendor:thesis"])
def test_they_play_every_variant_to_the_end(spec: str) -> None:
    for player in PLAYERS:
        state = meeple.new(spec, 5)
        while not state.over:
            state.play(decide(player, state))
        assert state.end.reason == "fifteen points"

"""Hidden information: what a seat observes does not depend on what it cannot know, and what is redealt is dealt fairly."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

import meeple
from meeple.core.kernel import kernel
from meeple.core.rng import child, derive, draw
from meeple.core.verbs import apply, audit, deal, legal, observe, redeal
from meeple.games.splendor.components import LEVEL
from tests.conftest import games
from tests.games.splendor.positions import find_card, hold, keep, strand, table

SPECS = ["splendor:2", "splendor:3", "splendor:4", "splendor:thesis"]


@kernel
def differences(states: Any, config: Any, n_games: int, out: Any, seen: Any, levels: int) -> tuple[int, int]:
    """Positions of random games, and how often any seat observes something else, or an invariant fails, after a redeal."""
    positions = 0
    different = 0
    stream = np.empty(1, np.uint64)
    for game in range(n_games):
        deal(states[0], config, derive(np.uint64(5), game))
        stream[0] = derive(np.uint64(6), game)
        while states[0].end == 0:
            positions += 1
            for seat in range(states[0].players):
                states[1] = states[0]
                redeal(states[1], seat, derive(stream[0], seat))
                different += audit(states[1]) != 0
                for level in range(levels):
                    observe(states[0], seat, level, seen[0])
                    observe(states[1], seat, level, seen[1])
                    for i in range(seen.shape[1]):
                        if seen[0, i] != seen[1, i]:
                            different += 1
            n = legal(states[0], out)
            apply(states[0], out[draw(stream, n)])
    return positions, different


@pytest.mark.parametrize("spec", SPECS)
def test_observations_are_equal_before_and_after_a_redeal(spec: str) -> None:
    variant = meeple.find_variant(spec)
    levels = variant.shape.levels
    seen = np.zeros((2, max(level.size for level in levels)), np.float32)
    out = np.empty(variant.shape.room, np.int32)
    positions, different = differences(variant.empty(2), variant.config, games(1000), out, seen, len(levels))
    assert positions >= games(1000) * 50
    assert different == 0


def shorten(state: meeple.State, level: int, left: int) -> list[int]:
    """Leave so many cards in a deck; the others are out of the game. Returns those left."""
    s = state.data
    s.deck[level - 1, left:] = -1
    s.deck_left[level - 1] = left
    return [int(card) for card in s.deck[level - 1, :left]]


def sample(times: int) -> int:
    """Enough redeals for a test of frequencies, or fewer with the compiler off."""
    return times if games(1000) == 1000 else times // 10


def test_a_blind_reserve_is_known_to_its_owner_after_a_redeal_and_to_nobody_else() -> None:
    state = table(3)
    state.play("reserve deck 2")
    card = int(state.data.reserved[0, 0])
    assert {int(state.redealt(0, seed).data.reserved[0, 0]) for seed in range(30)} == {card}
    for seat in (1, 2):
        others = {int(state.redealt(seat, seed).data.reserved[0, 0]) for seed in range(60)}
        assert len(others) > 10
        assert {int(LEVEL[other]) for other in others} == {1}


def test_a_card_reserved_from_the_table_is_known_to_everybody() -> None:
    state = table()
    state.play("reserve 3-2")
    card = int(state.data.reserved[0, 0])
    assert {int(state.redealt(1, seed).data.reserved[0, 0]) for seed in range(30)} == {card}


def test_every_unseen_card_of_the_level_is_equally_likely_to_be_the_blind_reserve_and_in_every_place_of_the_deck() -> None:
    state = table()
    blind = keep(state, 1, 2, 3, "white 7k", blind=1)
    hidden = [blind, *shorten(state, 3, 3)]
    times = sample(6000)
    found = Counter(
        (int(s.reserved[1, 1]), *(int(card) for card in s.deck[2, :3]))
        for s in (state.redealt(0, child(9, i)).data for i in range(times))
    )
    cells = list(permutations(hidden))
    assert set(found) <= set(cells)
    assert chisquare([found[cell] for cell in cells]).pvalue > 1e-4


def test_blind_reserves_of_several_players_are_dealt_again_together() -> None:
    state = table(3)
    cards = [keep(state, 1, 1, 3, "white 7k", blind=1), keep(state, 2, 3, 3, "blue 7w", blind=1)]
    hidden = [*cards, *shorten(state, 3, 1)]
    for seat, places in ((0, 6), (1, 2)):
        found = Counter(
            (int(s.reserved[1, 0]), int(s.reserved[2, 2]), int(s.deck[2, 0]))
            for s in (state.redealt(seat, child(8, i)).data for i in range(sample(3000)))
        )
        assert len(found) == places
        assert all(set(cell) == set(hidden) for cell in found)
        assert chisquare(list(found.values())).pvalue > 1e-4


def test_whoever_had_to_pass_holds_no_blind_reserve_that_it_could_have_bought() -> None:
    state = table()
    strand(state)
    state.data.seat = 1
    state.data.blind[1, 0] = 1
    dear, cheap = find_card(3, "red 7g"), find_card(3, "black 7r")
    state.data.deck[2, :2] = dear, cheap
    state.data.deck_left[2] = 2
    state.data.bonuses[1, 3] = 3  # with four red tokens, seat 1 could buy the cheap one
    before = {int(state.redealt(0, i).data.reserved[1, 0]) for i in range(100)}
    state.play("pass")
    after = {int(state.redealt(0, i).data.reserved[1, 0]) for i in range(100)}
    assert before - after == {cheap}
    assert after == {dear, int(state.data.reserved[1, 0])}


def test_what_a_seat_knows_and_the_seed_decide_a_redeal() -> None:
    state = table()
    keep(state, 1, 1, 1, "white 3b", blind=1)
    assert state.redealt(0, 4).array.tobytes() == state.redealt(0, 1).redealt(0, 4).array.tobytes()
    assert state.redealt(0, 4).array.tobytes() != state.redealt(0, 5).array.tobytes()


# ---- Observations ----


def observed(state: meeple.State, seat: int) -> dict[str, list[float]]:
    """The numbers by the names of their fields."""
    numbers = state.observe(seat).tolist()
    named, at = {}, 0
    for field in state.variant.shape.levels[0].fields:
        named[field.name] = numbers[at : at + field.size]
        at += field.size
    assert at == len(numbers)
    return named


def test_an_observation_begins_with_the_own_side_and_goes_on_in_turn_order() -> None:
    state = table(3)
    for seat, tokens in enumerate(("1w", "2b", "3g 1*")):
        hold(state, seat, tokens=tokens, bonuses="2k", points=seat)
    seen = observed(state, 1)
    assert seen["own_tokens"] == [0, 2, 0, 0, 0, 0]
    assert seen["other1_tokens"] == [0, 0, 3, 0, 0, 1]
    assert seen["other2_tokens"] == [1, 0, 0, 0, 0, 0]
    assert [seen[f"{who}_points"] for who in ("own", "other1", "other2")] == [[1], [2], [0]]
    assert seen["to_move"] == [0, 0, 1]
    assert seen["bank"] == [4, 3, 2, 5, 5, 4]
    assert seen["own_bonuses"] == [0, 0, 0, 0, 2]


def test_a_blind_reserve_is_observed_by_its_owner_and_as_a_level_by_the_others() -> None:
    state = table()
    keep(state, 0, 2, 2, "white 5r", blind=1)
    keep(state, 0, 3, 1, "white 4g")
    own, other = observed(state, 0), observed(state, 1)
    assert own["own_reserved_2_level"] == other["other1_reserved_2_level"] == [2]
    assert own["own_reserved_2_blind"] == other["other1_reserved_2_blind"] == [1]
    assert own["own_reserved_2_cost"] == [0, 0, 0, 5, 0]
    assert other["other1_reserved_2_cost"] == other["other1_reserved_2_bonus"] == [0] * 5
    assert other["other1_reserved_3_cost"] == [0, 0, 4, 0, 0]
    assert own["own_reserved_1_level"] == [0]


def test_the_card_being_paid_for_is_observed_with_its_price() -> None:
    state = table()
    state.data.face_up[1, 2] = find_card(2, "white 5r")
    hold(state, 0, tokens="4r 3*")
    state.play("buy 2-3")
    seen = observed(state, 1)
    assert seen["phase"] == [0, 1, 0, 0]
    assert seen["buying"].index(1) == 6
    assert seen["price"] == [0, 0, 0, 4, 0, 1]

"""Hidden information: what a seat observes does not depend on what it cannot know, and what is redealt is dealt fairly."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

import meeple
from meeple.core.kernel import kernel
from meeple.core.rng import child, derive, draw
from meeple.core.verbs import apply, deal, legal, observe, redeal
from meeple.games.jaipur.components import LETTERS
from tests.conftest import games
from tests.games.jaipur.positions import hand, position


@kernel
def differences(states: Any, config: Any, n_games: int, out: Any, seen: Any) -> tuple[int, int]:
    """Positions of random games, and how many of them any honest level shows differently to any seat after a redeal."""
    positions = 0
    different = 0
    stream = np.empty(1, np.uint64)
    for game in range(n_games):
        deal(states[0], config, derive(np.uint64(5), game))
        stream[0] = derive(np.uint64(6), game)
        while states[0].end == 0:
            positions += 1
            for seat in range(2):
                states[1] = states[0]
                redeal(states[1], seat, derive(stream[0], seat))
                for level in (0, 1, 3):
                    observe(states[0], seat, level, seen[0])
                    observe(states[1], seat, level, seen[1])
                    for i in range(seen.shape[1]):
                        if seen[0, i] != seen[1, i]:
                            different += 1
            n = legal(states[0], out)
            apply(states[0], out[draw(stream, n)])
    return positions, different


@pytest.mark.parametrize("spec", ["jaipur:round", "jaipur:match", "jaipur:round,actions=25502", "jaipur:round,rules=2017"])
def test_observations_are_equal_before_and_after_a_redeal(spec: str) -> None:
    variant = meeple.find_variant(spec)
    seen = np.zeros((2, 350), np.float32)
    out = np.empty(variant.shape.room, np.int32)
    positions, different = differences(variant.empty(2), variant.config, games(1000), out, seen)
    assert positions >= games(1000) * 10
    assert different == 0


def redealt_hands(state: meeple.State, times: int) -> Counter[str]:
    return Counter(hand(state.redealt(0, child(9, i)), seat=1) for i in range(times))


def exact_hands(known: str, hidden: str, unseen: int) -> dict[str, float]:
    """Every way to choose the unseen cards among the hidden goods, counted one by one."""
    goods = [card for card in hidden.split() if card != "M"]
    ways: Counter[str] = Counter()
    for chosen in combinations(range(len(goods)), unseen):
        cards = sorted([*known.split(), *(goods[i] for i in chosen)], key=LETTERS.index)
        ways[" ".join("".join(c for c in cards if c == letter) for letter in LETTERS if letter in cards)] += 1
    assert ways.total() == comb(len(goods), unseen)
    return {cards: n / ways.total() for cards, n in ways.items()}


@pytest.mark.parametrize(
    ("known", "other_hand", "deck"),
    [
        ("", "D G", "S S L M M"),
        ("", "C C", "L L L M"),
        ("D", "D G L", "S P M M M"),
        ("D D C", "D D C", "S P M"),
        ("", "D D G", "D G G S"),
    ],
)
def test_redealt_hands_are_distributed_as_exact_counting_says(known: str, other_hand: str, deck: str) -> None:
    state = position(hand="L", other_hand=other_hand, deck=deck)
    state.data.known[1] = [known.split().count(letter) for letter in LETTERS[:6]]
    unseen = len(other_hand.split()) - len(known.split())
    hidden = deck + "".join(f" {card}" for card in (Counter(other_hand.split()) - Counter(known.split())).elements())
    exact = exact_hands(known, hidden, unseen)
    times = games(20_000) if games(20_000) > 1000 else 1000
    found = redealt_hands(state, times)
    assert set(found) == set(exact)
    if len(exact) > 1:
        assert chisquare([found[c] for c in exact], [exact[c] * times for c in exact]).pvalue > 1e-4


def test_the_redealt_deck_is_equally_likely_in_every_order_camels_included() -> None:
    """Were the hand filled from the shuffled deck's top, camels would rise to the top of what is left."""
    state = position(other_hand="D", deck="G M M")
    times = 6000 if games(6000) > 1000 else 600
    found = Counter(
        (hand(s, 1), "".join(LETTERS[c] for c in s.data.deck[:3])) for s in (state.redealt(0, child(3, i)) for i in range(times))
    )
    decks = ["MMx", "MxM", "xMM"]
    cells = [(good, deck.replace("x", "G" if good == "D" else "D")) for good in "DG" for deck in decks]
    assert set(found) == set(cells)
    assert chisquare([found[c] for c in cells]).pvalue > 1e-4


def test_the_opponents_bonus_tokens_are_redealt_but_not_ones_own() -> None:
    state = position(hand="L L L", other_hand="C C C C")
    state.play("sell 3 leather")
    state.play("sell 4 cloth")
    own, others = int(state.data.bonus_points[0]), Counter[int]()
    for i in range(3000 if games(3000) > 100 else 300):
        s = state.redealt(0, child(4, i)).data
        assert s.bonus_points[0] == own
        others[int(s.bonus_points[1])] += 1
    assert set(others) == {4, 5, 6}
    assert chisquare([others[v] for v in (4, 5, 6)]).pvalue > 1e-4


def test_cards_seen_to_be_taken_are_known_until_they_are_given_away() -> None:
    """The worked example of the 2017 thesis, 4.3.2, as far as its moves are legal here."""
    state = position(market="G D D S C", hand="C L S", deck="P P P P P P P P P P")
    s = state.data
    state.play("take gold")
    assert s.known[0].tolist() == [0, 1, 0, 0, 0, 0]
    state.data.seat = 0
    state.play("sell 1 cloth")
    assert s.known[0].tolist() == [0, 1, 0, 0, 0, 0]
    state.data.seat = 0
    state.play("exchange G L > D D")
    assert s.known[0].tolist() == [2, 0, 0, 0, 0, 0]


def test_after_selling_all_of_a_good_none_is_among_the_unseen_cards() -> None:
    """In the action set 25,469 a sale says that nothing of the good is left; a redeal must not deal it back."""
    state = position(hand="L L D G", other_hand="S", deck="L L L P M", spec="jaipur:round,actions=25469")
    state.play("sell all leather")
    found = Counter(hand(state.redealt(1, child(5, i)), seat=0) for i in range(2000 if games(2000) > 100 else 200))
    assert set(found) == {"D G", "D P", "G P"}
    assert chisquare(list(found.values())).pvalue > 1e-4


def test_an_announced_kind_of_action_stays_possible_after_a_redeal() -> None:
    """Two steps a turn: after 'choose sell' the waiting seat knows that the hand allows a sale."""
    state = position(hand="D D", other_hand="L", deck="G S M M", spec="jaipur:round,actions=25502")
    state.play("choose sell")
    found = Counter(hand(state.redealt(1, i), seat=0) for i in range(200))
    assert set(found) == {"DD"}


def test_a_seat_that_has_seen_everything_redeals_the_same_hand() -> None:
    state = position(other_hand="D D L", deck="S P M")
    state.data.known[1] = state.data.hand[1]
    assert {hand(state.redealt(0, i), 1) for i in range(30)} == {"DD L"}


def test_only_the_level_called_full_shows_the_opponents_hand() -> None:
    state = position(other_hand="D D L")
    assert state.observe(0, "full")[25:31].tolist() == [2, 0, 0, 0, 0, 1]
    assert state.observe(0, "tracked")[25:31].tolist() == [0] * 6
    levels = {level.name: level.clairvoyant for level in state.variant.shape.levels}
    assert levels == {"own": False, "tracked": False, "full": True, "seen": False}


def test_the_tracked_level_reckons_each_bonus_at_its_largest() -> None:
    state = position(hand="L L L", deck="P P P P")
    state.data.bonus[0, 6] = 1
    state.play("sell 3 leather")
    assert state.scores() == [10, 0]
    assert state.observe(1, "tracked")[31] == 9 + 3


def test_table_4_1_has_25_numbers_and_table_4_7_has_32() -> None:
    sizes = {level.name: level.size for level in meeple.find_variant("jaipur:round").shape.levels}
    assert sizes == {"own": 25, "tracked": 32, "full": 32, "seen": 322}
    assert meeple.find_variant("jaipur:round,actions=25502").shape.levels[0].size == 30


def test_the_deck_keeps_no_trace_of_drawn_cards() -> None:
    """A seat's redealt copy travels to agents as raw memory: what was drawn must be gone from it."""
    state = meeple.new("jaipur:round", 11)
    assert set(state.data.deck[state.data.deck_left :].tolist()) == {-1}

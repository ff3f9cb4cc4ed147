"""Hidden information: what is observed does not depend on the order of the decks, and what is redealt is dealt fairly."""

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
from meeple.games.lotr.board import QUESTIONS
from tests.conftest import games
from tests.games.lotr.positions import arrange, table

VARIANTS = ("easy", "medium", "hard", "hard-skip")
LEVELS = [level.name for level in meeple.find_variant("lotr").shape.levels]


@kernel
def differences(states: Any, config: Any, level: int, n_games: int, out: Any, seen: Any) -> tuple[int, int]:
    """Positions of random games, and how often something else is observed, or an invariant fails, after a redeal."""
    positions = 0
    different = 0
    stream = np.empty(1, np.uint64)
    for game in range(n_games):
        deal(states[0], config, derive(np.uint64(5), game))
        stream[0] = derive(np.uint64(6), game)
        while states[0].end == 0:
            positions += 1
            states[1] = states[0]
            redeal(states[1], 0, derive(stream[0], 3))
            observe(states[0], 0, level, seen[0])
            observe(states[1], 0, level, seen[1])
            different += audit(states[1]) != 0
            for i in range(seen.shape[1]):
                if seen[0, i] != seen[1, i]:
                    different += 1
            n = legal(states[0], out)
            apply(states[0], out[draw(stream, n)])
    return positions, different


@pytest.mark.parametrize("level", range(len(LEVELS)), ids=LEVELS)
@pytest.mark.parametrize("name", VARIANTS)
def test_observations_are_equal_before_and_after_a_redeal(name: str, level: int) -> None:
    variant = meeple.find_variant(f"lotr:{name}")
    seen = np.zeros((2, variant.shape.levels[level].size), np.float32)
    out = np.empty(variant.shape.room, np.int32)
    positions, different = differences(variant.empty(2), variant.config, level, games(1000), out, seen)
    assert positions >= games(1000) * 10
    assert different == 0


def sample(times: int) -> int:
    """Enough redeals for a test of frequencies, or fewer with the compiler off."""
    return times if games(1000) == 1000 else times // 10


def shorten(state: meeple.State, deck: list[int], encounter: list[int]) -> meeple.State:
    """Leave these cards in the decks; the others are out of the game."""
    s = state.data
    s.deck[:] = s.encounter[:] = -1
    s.deck[: len(deck)] = deck
    s.encounter[: len(encounter)] = encounter
    s.deck_left, s.encounter_left = len(deck), len(encounter)
    return state


def test_every_order_of_both_decks_is_equally_likely() -> None:
    state = shorten(table(), [0, 1, 2], [4, 5, 9])
    found = Counter(
        (tuple(s.deck[:3].tolist()), tuple(s.encounter[:3].tolist()))
        for s in (state.redealt(0, child(9, i)).data for i in range(sample(7200)))
    )
    cells = [(one, two) for one in permutations([0, 1, 2]) for two in permutations([4, 5, 9])]
    assert set(found) <= set(cells)
    assert chisquare([found[cell] for cell in cells]).pvalue > 1e-4


def test_copies_of_a_card_are_shuffled_as_single_cards() -> None:
    state = shorten(table(), [3, 3, 3, 1], [])
    found = Counter(s.deck[:4].tolist().index(1) for s in (state.redealt(0, child(8, i)).data for i in range(sample(4000))))
    assert chisquare([found[i] for i in range(4)]).pvalue > 1e-4


def test_a_redeal_forgets_the_order_that_was_there() -> None:
    state = table("hard")
    assert state.redealt(0, 4).array.tobytes() == state.redealt(0, 1).redealt(0, 4).array.tobytes()
    assert state.redealt(0, 4).array.tobytes() != state.redealt(0, 5).array.tobytes()


def test_nothing_but_the_decks_and_the_luck_is_redealt() -> None:
    state = table("hard")
    other = state.redealt(0, 4)
    changed = [name for name in state.array.dtype.names or () if (state.array[name] != other.array[name]).any()]
    assert changed == ["luck", "deck", "encounter"]


@pytest.mark.parametrize("name", VARIANTS)
def test_the_decks_are_shuffled_when_dealt(name: str) -> None:
    first = Counter(int(table(name, seed=seed).data.encounter[0]) for seed in range(200))
    assert len(first) > 6
    hands = {tuple(table(name, seed=seed).data.hand.tolist()) for seed in range(50)}
    assert len(hands) > 20


# ---- Observations ----


def observed(state: meeple.State, level: str = "table") -> dict[str, list[float]]:
    """The numbers by the names of their fields."""
    numbers = state.observe(0, level).tolist()
    named, at = {}, 0
    for field in state.variant.shape.levels[state.variant.level(level)].fields:
        named[field.name] = numbers[at : at + field.size]
        at += field.size
    assert at == len(numbers)
    return named


def test_the_table_shows_everything_and_counts_what_is_left_in_the_decks() -> None:
    state = arrange(
        table("hard"),
        "defence",
        hand="gandalf, gandalf, wandering took",
        untapped="northern tracker (2 damage), eleanor (1 damage)",
        tapped="eowyn, rider of rohan",
        dead="dunhere",
        staged="ungoliant's spawn, dol guldur beastmaster",
        engaged="king spider (1 damage), forest spider, forest spider (3 damage)",
        lands="forest gate, forest gate",
        active="old forest road",
        explored=2,
        resources=4,
        willpower=6,
        progress=3,
        round=2,
        threat=28,
    )
    state.play("defend eleanor")
    seen = observed(state)
    assert [seen[name] for name in ("round", "threat", "progress", "resources", "willpower")] == [[2], [28], [3], [4], [6]]
    assert seen["phase"] == [0, 0, 0, 1, 0, 0]
    assert seen["hand"] == [0, 0, 1, 0, 2]
    assert (seen["heroes"], seen["hero_damage"], seen["fallen"]) == ([0, 1, 1], [4, 0, 2], [0, 0, 0])
    assert seen["untapped"] == [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0]
    assert seen["tapped"] == [0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0]
    assert seen["staging_threat"] == [3 + 2 + 2 + 2]
    assert (seen["staged"], seen["staged_order"][:3]) == ([0, 1, 0, 0, 0, 0, 1], [7, 2, 0])
    assert (seen["lands"], seen["active_land"], seen["explored"]) == ([0, 0, 0, 2, 0, 0], [0, 0, 1, 0, 0, 0], [2])
    assert {i: n for i, n in enumerate(seen["engaged"]) if n} == {3 + 5: 1, 3 + 5 + 3: 1, 3 + 5 + 4 + 2 + 2 + 1: 1}
    assert (seen["attacking"], seen["to_come"]) == ([0, 0, 1, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0, 0])
    assert (seen["engaged_order"][:4], seen["engaged_damage"][:4]) == ([6, 3, 3, 0], [1, 0, 3, 0])
    assert seen["deck"] == [3, 2, 2, 2, 1]
    assert seen["encounter_deck"] == [3, 0, 2, 1, 1, 1, 0, 1, 2, 1, 0, 2, 3]


def test_the_planning_vector_is_28_bits_and_the_resources() -> None:
    """The example of the thesis, Fig. 5.4, with the first copy of each card: the copies are alike, so they are not told apart."""
    hand = "lorien guide, northern tracker, wandering took"
    state = arrange(table("hard"), "planning", hand=hand, staged="dol guldur orcs, forest spider", resources=5, round=1)
    seen = state.observe(0, "planning").tolist()
    assert (len(seen), seen[-1]) == (29, 5)
    assert {i + 3 for i, bit in enumerate(seen[:-1]) if bit} == {3, 6, 9, 18, 22}


def test_the_questing_vectors_have_a_bit_for_every_card_and_a_number() -> None:
    state = arrange(
        table("hard"),
        untapped="rider of rohan, rider of rohan (1 damage)",
        staged="forest spider, forest spider",
        engaged="king spider",
        lands="necromancer's pass, mountains of mirkwood, mountains of mirkwood",
        round=2,
    )
    bits = {name: state.observe(0, f"questing{name}").tolist() for name in range(4)}
    players, spiders = {0, 1, 2, 12, 13}, {22, 23}
    assert [len(bits[name]) for name in range(4)] == [32, 44, 32, 32]
    assert [bits[name][-1] for name in range(4)] == [2, 2, 4 + 3 + 4, 4 + 3 + 4]
    on = [{i for i, bit in enumerate(bits[name][:-1]) if bit} for name in range(4)]
    assert on == [players | spiders, players | spiders | {31, 40, 41}, players | spiders, players | {28}]


def test_committed_characters_are_no_longer_in_the_vectors() -> None:
    state = arrange(table("hard"), tapped="eowyn", untapped="gandalf", willpower=4)
    assert {i for i, bit in enumerate(state.observe(0, "questing2").tolist()[:-1]) if bit} == {0, 2, 15}


def test_the_defence_vector_has_31_bits_of_heroes_allies_and_engaged_enemies() -> None:
    state = arrange(
        table("hard"),
        "defence",
        tapped="eowyn",
        untapped="gandalf",
        staged="dol guldur beastmaster",
        engaged="king spider, king spider",
    )
    seen = state.observe(0, "defence").tolist()
    assert len(seen) == 31
    assert {i for i, bit in enumerate(seen) if bit} == {0, 2, 15, 28, 29}


def test_the_board_asks_the_question_of_every_phase() -> None:
    asked = set()
    for seed in range(10):
        state = table("hard", seed=seed)
        while not state.over:
            asked |= {question for question in QUESTIONS if question in state.board(0)}
            state.play(state.legal()[-1 - seed % 2])
        assert state.board(0).endswith("The game is over.")
    assert asked == set(QUESTIONS)

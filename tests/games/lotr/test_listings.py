"""The thesis's random player: each decision is distributed as its listing says, and it wins as often as the thesis reports."""

from __future__ import annotations

import random
from collections import Counter
from math import comb
from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2_contingency, chisquare

import meeple
from meeple.agents.registry import find_agent
from meeple.core.agent import choose
from meeple.core.kernel import JIT, kernel
from meeple.core.rng import derive, stream
from meeple.core.verbs import apply, deal
from meeple.games.lotr.components import CARD_NAMES, COST, HEROES
from tests.games.lotr.positions import arrange, table

TIMES = 4000 if JIT else 300


def player(state: meeple.State) -> Any:
    return find_agent("random-listings", state.variant.game).make(state.variant)


def phase_played(state: meeple.State, luck: Any) -> list[str]:
    """The moves of one phase."""
    state, at, turn, moves = state.copy(), int(state.data.phase), state.turn, []
    agent, out = player(state), np.zeros(state.variant.shape.room, np.int32)
    while state.data.phase == at and not state.over and state.turn == turn:
        action = int(choose(agent, state.data, luck, out))
        moves.append(state.variant.format_action(action))
        state.play(action)
    return moves


def listing_3_1(hand: list[str], resources: int) -> tuple[str, ...]:
    """The listing as it stands in the thesis; what it buys, in the order of the names."""
    hand, bought = list(hand), []
    for _ in range(random.randint(0, len(hand))):
        card = random.choice(hand)
        if resources >= (cost := int(COST[CARD_NAMES.index(card) - HEROES])):
            resources -= cost
            bought.append(card)
            hand.remove(card)
    return tuple(sorted(bought))


def test_what_is_bought_is_distributed_as_by_listing_3_1() -> None:
    hand = ["gandalf", "wandering took", "wandering took", "rider of rohan", "northern tracker"]
    state = arrange(table(), "planning", hand=", ".join(hand), resources=8)
    random.seed(1)
    luck = stream(1)
    expected = Counter(listing_3_1(hand, 8) for _ in range(10 * TIMES))
    found = Counter(tuple(sorted(move[4:] for move in phase_played(state, luck) if move != "stop")) for _ in range(TIMES))
    assert set(found) <= set(expected)
    common = [cell for cell, n in expected.items() if n >= 100]
    assert chi2_contingency([[found[cell] for cell in common], [expected[cell] for cell in common]]).pvalue > 1e-4


def test_any_number_of_characters_is_equally_likely_to_be_committed_and_any_of_them() -> None:
    """Listing 3.2. Two riders alike: 5 characters, sizes 0 to 5, and the subsets of each size."""
    state = arrange(table(), untapped="rider of rohan, rider of rohan")
    luck = stream(2)
    found = Counter(frozenset(Counter(m for m in phase_played(state, luck) if m != "stop").items()) for _ in range(TIMES))
    heroes = ("commit dunhere", "commit eowyn", "commit eleanor")
    cells, shares = [], []
    for bits in range(8):
        for riders in range(3):
            chosen = [hero for i, hero in enumerate(heroes) if bits >> i & 1]
            size = len(chosen) + riders
            cells.append(frozenset(Counter(chosen + ["commit rider of rohan"] * riders).items()))
            shares.append(comb(2, riders) / (6 * comb(5, size)))
    assert sum(shares) == pytest.approx(1)
    assert set(found) <= set(cells)
    assert chisquare([found[cell] for cell in cells], [TIMES * share for share in shares]).pvalue > 1e-4


def test_every_land_and_none_are_equally_likely_to_be_the_goal() -> None:
    state = arrange(table(), "travel", lands="forest gate, forest gate, old forest road")
    luck = stream(3)
    found = Counter(phase_played(state, luck)[0] for _ in range(TIMES))
    shares = {"travel forest gate": 0.5, "travel old forest road": 0.25, "stay": 0.25}
    assert chisquare([found[move] for move in shares], [TIMES * share for share in shares.values()]).pvalue > 1e-4


def test_a_random_untapped_character_defends_and_without_one_a_random_hero_is_hit() -> None:
    luck = stream(4)
    state = arrange(
        table(), "defence", tapped="dunhere", untapped="rider of rohan, rider of rohan (1 damage)", engaged="king spider"
    )
    found = Counter(phase_played(state, luck)[0] for _ in range(TIMES))
    assert sorted(found) == sorted(move for move in state.moves() if move != "undefended")
    assert chisquare(list(found.values())).pvalue > 1e-4
    state = arrange(table(), "undefended", tapped="dunhere, eowyn, eleanor", engaged="king spider")
    found = Counter(phase_played(state, luck)[0] for _ in range(TIMES))
    assert sorted(found) == ["hit dunhere", "hit eleanor", "hit eowyn"]
    assert chisquare(list(found.values())).pvalue > 1e-4


def test_any_number_of_characters_attacks_and_each_any_enemy() -> None:
    """Listing 3.5, with enemies that no attack here kills."""
    state = arrange(table(), "attack", tapped="eowyn", engaged="dol guldur beastmaster, ungoliant's spawn")
    luck = stream(5)
    played = [tuple(move for move in phase_played(state, luck) if move != "stop") for _ in range(TIMES)]
    sizes = Counter(len(moves) for moves in played)
    assert chisquare([sizes[n] for n in range(3)]).pvalue > 1e-4
    pairs = Counter(moves for moves in played if len(moves) == 2)
    assert len(pairs) == 2 * 4
    assert chisquare(list(pairs.values())).pvalue > 1e-4


@kernel
def count_wins(me: Any, states: Any, config: Any, n_games: int, out: Any) -> int:
    s = states[0]
    luck = np.empty(1, np.uint64)
    wins = 0
    for game in range(n_games):
        deal(s, config, derive(np.uint64(1), game))
        luck[0] = derive(np.uint64(2), game)
        while s.end == 0:
            apply(s, choose(me, s, luck, out))
        wins += s.end == 1
    return wins


@pytest.mark.skipif(not JIT, reason="needs many games")
@pytest.mark.parametrize(("name", "published", "half"), [("easy", 55.71, 0.31), ("medium", 53.83, 0.31), ("hard", 4.53, 0.13)])
def test_it_wins_as_often_as_the_thesis_says(name: str, published: float, half: float) -> None:
    """Table 3.2, 100,000 games each; ours are more, and the difference must be within the joint 95% interval."""
    variant = meeple.find_variant(f"lotr:{name}")
    n_games = 400_000
    agent = find_agent("random-listings", variant.game).make(variant)
    rate = count_wins(agent, variant.empty(), variant.config, n_games, np.zeros(variant.shape.room, np.int32)) / n_games
    own = 196 * (rate * (1 - rate) / n_games) ** 0.5
    assert abs(100 * rate - published) < (half**2 + own**2) ** 0.5

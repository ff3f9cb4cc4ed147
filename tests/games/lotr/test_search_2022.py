"""The thesis's own search: whole commitments as choices, and luck that is chosen with them."""

from __future__ import annotations

import numpy as np

import meeple
from meeple.games.lotr.components import CARD_OF, WILLPOWER
from meeple.games.lotr.search_2022 import Node, Setup, Whole, bound, first_of_best, play_game
from tests.games.lotr.positions import arrange

SETUP = Setup(planning=True, questing=True, defence=True, budget=20, playouts=2, reduce=False)
REDUCED = Setup(planning=True, questing=True, defence=True, budget=20, playouts=2, reduce=True)


def whole(setup: Setup, state: meeple.State) -> Whole:
    made = Whole(state.variant, setup, 7)
    made.state = state
    return made


def test_planning_buys_one_card_or_none() -> None:
    state = arrange(meeple.new("lotr:hard", 1), "planning", hand="wandering took, rider of rohan", resources=9)
    made = whole(SETUP, state)
    assert len(made.purchases(state.data)) == 3
    assert all(
        int(child.data.bought.sum()) <= 1 and int(child.data.phase) == 1 for child in [make() for make in made.choices(state)]
    )


def test_reduction_leaves_gandalf_or_nothing() -> None:
    state = arrange(meeple.new("lotr:hard", 1), "planning", hand="gandalf, wandering took", resources=9)
    assert len(whole(REDUCED, state).purchases(state.data)) == 2
    assert len(whole(SETUP, state).purchases(state.data)) == 3


def test_questing_chooses_among_proper_subsets_and_reduction_among_strong_ones() -> None:
    state = arrange(meeple.new("lotr:hard", 1), "questing")
    assert len(whole(SETUP, state).commitments(state.data)) == 2**3 - 2  # of three heroes
    strong = whole(REDUCED, arrange(meeple.new("lotr:easy", 1), "questing"))
    threat = 0
    for subset in strong.commitments(strong.state.data):
        assert not subset or sum(WILLPOWER[CARD_OF[c]] for c in subset) > threat + 2


def test_every_child_has_luck_of_its_own_and_the_chosen_one_becomes_the_game() -> None:
    made = Whole(meeple.new("lotr:hard", 3).variant, SETUP, 3)
    while int(made.state.data.phase) != 1:
        made.random_move()
    decks = {bytes(np.asarray(make().data.encounter)) for make in made.choices(made.state)}
    assert len(decks) > 1  # an honest search would have one table, and hide it
    chosen = made.search()
    assert chosen is not made.state and int(chosen.data.encounter_left) == int(made.state.data.encounter_left) - 1


def test_the_bound_counts_wins_a_visit_up_to_the_playouts() -> None:
    state = meeple.new("lotr:hard", 1)
    parent = Node(state, visits=4)
    assert bound(Node(state, parent, wins=3, visits=2)) == 1.5 + (2 * np.log(4) / 2) ** 0.5


def test_of_equal_choices_the_first_of_the_list_is_taken_whichever_was_tried_first() -> None:
    state = meeple.new("lotr:hard", 1)
    parent = Node(state, visits=3)
    tried = [Node(state, parent, wins=wins, visits=1, number=number) for wins, number in ((1, 5), (1, 2), (0, 0))]
    assert first_of_best(tried).number == 2


def test_where_nothing_wins_the_first_of_the_list_becomes_the_game() -> None:
    state = arrange(meeple.new("lotr:hard", 1), "questing", threat=49, staged="king spider, ungoliant's spawn, forest spider")
    made = whole(Setup(planning=True, questing=True, defence=True, budget=7, playouts=1, reduce=False), state)
    first = made.commitments(state.data)[0]
    assert int(made.search().data.willpower) == sum(WILLPOWER[CARD_OF[character]] for character in first)
    assert len({sum(WILLPOWER[CARD_OF[c]] for c in subset) for subset in made.commitments(state.data)}) > 2


def test_the_same_seed_plays_the_same_game() -> None:
    variant = meeple.new("lotr:easy", 1).variant
    assert [play_game(variant, REDUCED, seed) for seed in range(4)] == [play_game(variant, REDUCED, seed) for seed in range(4)]

"""The beginner's script: each rule of it by a position."""

from __future__ import annotations

from tests.games.lotr.positions import arrange, table
from tests.games.lotr.test_expert import decide, win_rate


def test_the_dearest_ally_is_bought() -> None:
    state = arrange(table(), "planning", hand="wandering took, gandalf", resources=9)
    assert decide(state, "beginner") == "buy gandalf"


def test_the_worst_card_is_provided_for_and_no_more() -> None:
    state = arrange(table(), "questing", staged="king spider")  # a threat of 2, and 3 may come
    assert decide(state, "beginner") == "commit eowyn"
    state = arrange(table(), "questing", willpower=6, tapped="eowyn", staged="king spider")
    assert decide(state, "beginner") == "stop"
    state = arrange(table(), "questing", willpower=5, tapped="eowyn", staged="king spider")
    assert decide(state, "beginner").startswith("commit")


def test_who_comes_first_defends_even_if_it_costs_a_hero() -> None:
    state = arrange(table(), "defence", untapped="wandering took", tapped="dunhere", engaged="ungoliant's spawn", threat=40)
    assert decide(state, "beginner") == "defend eowyn"


def test_it_wins_more_often_than_at_random_and_far_less_than_the_expert() -> None:
    assert win_rate("lotr:hard", "random-listings") < win_rate("lotr:hard", "beginner") < 0.5 < win_rate("lotr:hard", "expert")

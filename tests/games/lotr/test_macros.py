"""The thesis's macro-actions: each plays the small decisions it stands for."""

from __future__ import annotations

import numpy as np
import pytest

import meeple
from meeple.core.errors import MeepleError
from meeple.core.rng import child, draw, stream
from meeple.core.verbs import keep
from meeple.games.lotr.macros import ACTIONS_MACRO, NAMES, PLAN
from tests.conftest import games
from tests.games.lotr.positions import allies, arrange, hero, phase


def macro_table(variant: str = "hard", seed: int = 1) -> meeple.State:
    return meeple.new(f"lotr:{variant},decisions=macro", seed)


def test_there_are_seven_ways_to_plan_seven_to_quest_and_four_to_guard() -> None:
    variant = macro_table().variant
    assert variant.shape.actions == ACTIONS_MACRO == PLAN + 18
    assert [variant.parse_action(name) for name in NAMES] == list(range(PLAN, ACTIONS_MACRO))
    state = arrange(macro_table(), "planning", hand="gandalf, wandering took", resources=5)
    assert state.moves() == list(NAMES[:7])
    assert arrange(macro_table(), "questing").moves() == list(NAMES[7:14])
    assert arrange(macro_table(), "defence", engaged="king spider").moves() == list(NAMES[14:])


def test_card_by_card_there_are_none_of_them() -> None:
    assert meeple.new("lotr:hard", 1).variant.shape.actions == PLAN
    state = arrange(meeple.new("lotr:hard", 1), "planning", hand="gandalf", resources=5)
    assert state.moves() == ["buy gandalf", "stop"]


def test_the_reduction_leaves_macro_actions_alone() -> None:
    state = arrange(macro_table(), "planning", hand="gandalf, wandering took", resources=5)
    listed = np.array([*state.legal(), 0], np.int32)
    before = listed.copy()
    assert keep(state.data, listed, 7) == 7
    assert listed.tolist() == before.tolist()


def test_planning_by_willpower_buys_riders_and_by_defence_gandalf() -> None:
    hand = "rider of rohan, northern tracker, gandalf"
    state = arrange(macro_table(), "planning", hand=hand, resources=6)
    state.play("plan by 1.0")  # gandalf has 4/5, a rider 2/3, a tracker 1/4
    assert allies(state) == "gandalf"
    state = arrange(macro_table(), "planning", hand="rider of rohan, northern tracker", resources=4)
    state.play("plan by 0.0")  # defence for the cost: 0 and 2/4
    assert allies(state) == "northern tracker"


def test_planning_goes_on_as_long_as_something_can_be_paid_for() -> None:
    state = arrange(macro_table(), "planning", hand="wandering took, wandering took, rider of rohan", resources=7)
    state.play("plan cheapest")
    assert sorted(allies(state).split(", ")) == ["rider of rohan", "wandering took", "wandering took"]
    assert phase(state) == "questing"


def test_questing_commits_the_strongest_up_to_the_threat_of_the_staging_area() -> None:
    state = arrange(
        macro_table(), "questing", untapped="rider of rohan", staged="king spider, king spider", reveal="black forest bats"
    )
    state.play("quest by 1.0")  # eowyn alone has four
    assert state.data.threat == 24 + 1  # 4 willpower, threat 2 + 2 and 1 of the bats
    assert hero(state, "eowyn")[1] == "tapped"
    assert hero(state, "dunhere")[1] == "untapped"


def test_questing_all_in_taps_everybody() -> None:
    state = arrange(macro_table(), "questing", untapped="rider of rohan", reveal="black forest bats", progress=0)
    state.play("quest all")
    assert state.data.progress == 4 + 1 + 1 + 2 - 1


def test_a_guard_meets_the_strongest_enemy_with_the_strongest_character() -> None:
    state = arrange(
        macro_table(),
        "defence",
        untapped="gandalf",
        tapped="dunhere, eowyn",
        engaged="black forest bats, ungoliant's spawn",
        threat=40,
    )
    state.play("guard all")  # the bats come first, and gandalf is kept for the spawn: eleanor meets the bats, and lives
    assert state.turn == 1  # nobody is left to attack: the round is over
    assert hero(state, "eleanor") == (0, "untapped")


def test_guarding_nobody_leaves_the_heroes_to_be_chosen() -> None:
    state = arrange(macro_table(), "defence", engaged="black forest bats")
    state.play("guard nobody")
    assert set(state.moves()) == {"hit dunhere", "hit eowyn", "hit eleanor"}
    state.play("hit dunhere")
    assert hero(state, "dunhere")[0] == 1


def test_guarding_all_but_one_lets_the_weakest_pass() -> None:
    state = arrange(macro_table(), "defence", engaged="black forest bats, king spider", threat=30)
    state.play("guard all but one")
    assert set(state.moves()) == {"hit dunhere", "hit eowyn", "hit eleanor"}  # by the bats, who came first
    state.play("hit eleanor")
    assert phase(state) == "attack"
    assert hero(state, "dunhere") == (2, "tapped")  # defence 1 and four hit points: the strongest; the spider has three


def test_games_of_macro_actions_end_and_keep_the_invariants() -> None:
    for number in range(games(300)):
        state = macro_table(seed=child(5, number))
        chooser = stream(number)
        while not state.over:
            legal = state.legal()
            state.play(legal[draw(chooser, len(legal))])
            assert state.variant.game.audit is not None
            assert state.variant.game.audit(state.data) == 0


def test_with_the_slip_of_the_program_questing_by_a_weight_counts_no_willpower() -> None:
    for spec, progress in (("macro", True), ("macro-zero", False)):
        state = arrange(meeple.new(f"lotr:easy,decisions={spec}", 1), "questing", staged="", threat=24)
        before = int(state.data.threat)
        state.play("quest by 1.0")
        committed = int(state.data.tapped.sum()) > 0 or state.turn > 0
        assert committed or not progress
        assert int(state.data.threat) >= before
    slip = meeple.new("lotr:hard,decisions=macro-zero", 1)
    state = arrange(slip, "questing")
    state.play("quest by 1.0")
    assert int(state.data.progress) == 0


def test_going_all_in_counts_willpower_with_the_slip_too() -> None:
    tables = [arrange(meeple.new(f"lotr:hard,decisions={spec}", 5), "questing") for spec in ("macro", "macro-zero")]
    for state in tables:
        state.play("quest all")
    assert tables[0].array["threat"] == tables[1].array["threat"] and tables[0].array["progress"] == tables[1].array["progress"]


def test_only_some_phases_may_be_decided_by_macro_actions() -> None:
    state = arrange(meeple.new("lotr:hard,decisions=macro-questing", 1), "planning", hand="gandalf", resources=5)
    assert state.moves() == ["buy gandalf", "stop"]
    assert arrange(state, "questing").moves() == list(NAMES[7:14])
    assert "defend eleanor" in arrange(state, "defence", engaged="king spider").moves()
    slip = arrange(meeple.new("lotr:easy,decisions=macro-zero-planning-questing", 1), "questing", staged="")
    before = int(slip.data.progress)
    slip.play("quest by 1.0")
    assert int(slip.data.progress) == before
    assert arrange(slip, "planning", hand="gandalf, wandering took", resources=5).moves() == list(NAMES[:7])


def test_the_listings_draw_macro_actions_and_play_the_rest_card_by_card() -> None:
    found = meeple.match("lotr:easy,decisions=macro-planning", "random-listings", games=games(2000), seed=1)
    assert 0.2 < found.win_rate < 0.75  # far from both 0 and 1: every phase is played


def test_going_all_in_always_is_what_the_thesis_published_as_learnt() -> None:
    found = meeple.match("lotr:easy,decisions=macro-zero-questing", "fixed", games=games(2000), seed=1)
    low, high = found.interval
    assert low - 0.005 < 0.922 < high + 0.005
    with pytest.raises(MeepleError, match="quest"):
        meeple.match("lotr:easy,decisions=macro-questing", "fixed:quest=7", games=1, seed=1)

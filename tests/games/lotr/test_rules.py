"""Rules by example: a position, one move, a position. Each test's name is the rule's sentence."""

from __future__ import annotations

import pytest

import meeple
from meeple.games.lotr.knowledge import audit
from tests.games.lotr.positions import (
    allies,
    arrange,
    empty_deck,
    empty_encounters,
    engaged,
    hero,
    lands,
    phase,
    staged,
    table,
)

VARIANTS = ("easy", "medium", "hard", "hard-skip")
ROUND = 1  # threat that a round adds when it ends


def play(state: meeple.State, *moves: str) -> meeple.State:
    for move in moves:
        state.play(move)
        assert audit(state.data) == 0
    return state


# ---- Setup and resources ----


def test_the_player_begins_with_the_threat_of_the_three_heroes() -> None:
    assert table().data.threat == 8 + 9 + 7


def test_the_opening_hand_is_seven_cards_and_the_first_resource_phase_adds_one_and_three_resources() -> None:
    s = table().data
    assert (s.hand.sum(), s.deck_left, s.resources) == (8, 7, 3)


@pytest.mark.parametrize(
    ("variant", "deck", "enemies", "places"),
    [("easy", 13, "", ""), ("medium", 25, "", ""), ("hard", 23, "forest spider", "old forest road")],
)
def test_the_encounter_deck_has_13_cards_or_25_and_on_hard_two_of_them_are_in_the_staging_area(
    variant: str, deck: int, enemies: str, places: str
) -> None:
    for seed in range(5):
        state = table(variant, seed=seed)
        assert (int(state.data.encounter_left), staged(state), lands(state)) == (deck, enemies, places)


def test_easy_has_no_lands() -> None:
    assert (table("easy").data.encounter < 7).all()


def test_a_round_brings_a_resource_for_every_living_hero_and_a_card() -> None:
    state = arrange(table(), "attack", dead="eowyn", engaged="king spider", resources=2, draw="gandalf")
    play(state, "stop")
    assert (state.data.resources, state.turn) == (4, 1)
    assert [card["name"] for card in state.view(0)["hand"]] == ["gandalf"]


def test_resources_are_one_pool_and_stay_when_a_hero_dies() -> None:
    state = arrange(table(), "defence", untapped="eowyn (2 damage)", engaged="king spider", resources=6)
    play(state, "defend eowyn")
    assert (hero(state, "eowyn"), state.data.resources) == ((3, "fallen"), 6)


def test_with_an_empty_deck_nothing_is_drawn() -> None:
    state = arrange(table(), "attack", engaged="king spider")
    empty_deck(state)
    play(state, "stop")
    assert state.data.hand.sum() == 0


# ---- Planning ----


def test_an_ally_costs_its_resources_and_can_act_at_once() -> None:
    state = arrange(table(), "planning", hand="gandalf, wandering took", resources=6)
    play(state, "buy gandalf")
    assert (allies(state), state.data.resources, phase(state)) == ("gandalf", 1, "questing")
    assert "commit gandalf" in state.moves()


def test_only_what_can_be_paid_for_can_be_bought_and_copies_are_one_move() -> None:
    state = arrange(table(), "planning", hand="lorien guide, rider of rohan, rider of rohan, northern tracker", resources=3)
    assert state.moves() == ["buy lorien guide", "buy rider of rohan", "stop"]


def test_one_may_buy_as_long_as_there_is_something_to_buy() -> None:
    state = arrange(table(), "planning", hand="wandering took, wandering took, rider of rohan", resources=7)
    play(state, "buy wandering took")
    assert phase(state) == "planning"
    play(state, "buy wandering took")
    assert phase(state) == "planning"
    play(state, "buy rider of rohan")
    assert (phase(state), state.data.resources) == ("questing", 0)


def test_one_may_stop_buying() -> None:
    state = arrange(table(), "planning", hand="gandalf", resources=9)
    play(state, "stop")
    assert (phase(state), state.data.resources) == ("questing", 9)


def test_several_gandalfs_may_be_in_play() -> None:
    state = arrange(table(), "planning", hand="gandalf, gandalf", resources=10)
    play(state, "buy gandalf", "buy gandalf")
    assert allies(state) == "gandalf, gandalf"


def test_planning_with_nothing_to_buy_is_passed_over() -> None:
    state = arrange(table(), "attack", engaged="king spider", draw="gandalf")
    play(state, "stop")
    assert (phase(state), state.turn) == ("questing", 1)


# ---- The quest ----


def test_a_committed_character_taps_and_its_willpower_adds_up() -> None:
    state = arrange(table(), untapped="rider of rohan (1 damage), rider of rohan")
    play(state, "commit eowyn", "commit rider of rohan (1 damage)")
    assert (hero(state, "eowyn"), state.data.willpower) == ((0, "tapped"), 6)
    assert (allies(state), allies(state, tapped=True)) == ("rider of rohan", "rider of rohan (1 damage)")


def test_identical_characters_are_one_move_and_differently_damaged_ones_are_two() -> None:
    state = arrange(table(), untapped="wandering took, wandering took, wandering took (1 damage)", tapped="dunhere, eleanor")
    assert state.moves() == ["commit eowyn", "commit wandering took", "commit wandering took (1 damage)", "stop"]
    play(state, "commit wandering took")
    assert state.moves() == ["commit eowyn", "commit wandering took", "commit wandering took (1 damage)", "stop"]


def test_the_revealed_card_counts_at_once() -> None:
    state = arrange(table(), staged="dol guldur beastmaster", reveal="ungoliant's spawn")
    play(state, "commit eowyn", "commit dunhere", "stop")
    assert (state.data.progress, state.data.threat) == (0, 24 + ROUND)  # willpower 5 against threat 2 + 3
    assert staged(state) == "dol guldur beastmaster, ungoliant's spawn"


def test_willpower_beyond_the_threat_is_progress() -> None:
    state = arrange(table(), reveal="dol guldur beastmaster")
    play(state, "commit eowyn", "stop")
    assert (state.data.progress, state.data.threat) == (2, 24 + ROUND)


def test_threat_beyond_the_willpower_raises_the_players_threat() -> None:
    state = arrange(table(), staged="ungoliant's spawn", reveal="necromancer's pass")
    play(state, "commit eleanor", "stop")
    assert (state.data.progress, state.data.threat) == (0, 24 + 5)


@pytest.mark.parametrize("variant", VARIANTS)
def test_an_empty_commitment_is_resolved_by_the_rules_except_in_hard_skip(variant: str) -> None:
    state = arrange(table(variant), staged="ungoliant's spawn", reveal="dol guldur beastmaster")
    play(state, "stop")
    if variant == "hard-skip":
        assert (state.data.threat, staged(state)) == (24 + ROUND, "ungoliant's spawn")
    else:
        assert (state.data.threat, staged(state)) == (24 + 5 + ROUND, "ungoliant's spawn, dol guldur beastmaster")


@pytest.mark.parametrize("variant", VARIANTS)
def test_even_a_commitment_without_willpower_is_resolved_in_every_variant(variant: str) -> None:
    state = arrange(table(variant), untapped="lorien guide", staged="ungoliant's spawn", reveal="dol guldur beastmaster")
    play(state, "commit lorien guide", "stop")
    assert state.data.threat == 24 + 5 + ROUND


def test_the_quest_is_resolved_by_itself_when_all_are_committed() -> None:
    state = arrange(table(), tapped="eowyn, eleanor", willpower=5, reveal="dol guldur beastmaster")
    play(state, "commit dunhere")
    assert (state.data.progress, state.turn) == (4, 1)


def test_engaged_enemies_and_the_active_land_add_no_threat() -> None:
    state = arrange(table(), engaged="king spider", active="forest gate", reveal="black forest bats")
    assert state.view(0)["staging_threat"] == 0
    play(state, "commit eowyn", "stop")
    assert (state.view(0)["active_land"]["explored"], state.data.threat) == (3, 24)


def test_progress_is_laid_on_the_active_land_first_and_the_rest_on_the_quest() -> None:
    state = arrange(table(), active="forest gate", explored=3, tapped="eowyn", willpower=4, reveal="black forest bats")
    play(state, "stop")
    assert state.view(0)["active_land"] is None
    assert (state.data.progress, state.data.overcome[7 + 3]) == (2, 1)


def test_a_land_with_exactly_its_points_is_explored_and_nothing_is_left() -> None:
    state = arrange(table(), active="enchanted stream", tapped="eowyn", willpower=4, reveal="dol guldur beastmaster")
    play(state, "stop")
    assert (state.view(0)["active_land"], state.data.progress) == (None, 0)


def test_an_empty_encounter_deck_reveals_nothing_and_is_not_shuffled_again() -> None:
    state = arrange(table(), staged="dol guldur beastmaster")
    empty_encounters(state)
    play(state, "commit eowyn", "stop")
    assert (state.data.progress, state.data.encounter_left) == (2, 0)


def test_eight_progress_win_at_once_and_more_are_not_counted() -> None:
    state = arrange(table(), tapped="eowyn, dunhere", willpower=5, progress=6, reveal="black forest bats", threat=49)
    play(state, "stop")
    assert (state.end.reason, state.outcome(), state.scores(), state.data.progress) == ("eight progress", [1], [1], 8)


def test_fifty_threat_lose_at_once() -> None:
    state = arrange(table(), staged="ungoliant's spawn", reveal="east bight patrol", threat=44)
    play(state, "stop")
    assert (state.end.reason, state.outcome(), state.scores(), state.data.threat) == ("threat 50", [0], [0], 50)


# ---- Travel ----


def test_a_land_of_the_staging_area_may_become_the_active_one_and_then_adds_no_threat() -> None:
    state = arrange(table(), "travel", lands="forest gate, forest gate, necromancer's pass")
    assert state.moves() == ["travel necromancer's pass", "travel forest gate", "stay"]
    play(state, "travel forest gate")
    assert (lands(state), state.view(0)["active_land"]["name"]) == ("necromancer's pass, forest gate", "forest gate")
    assert state.view(0)["staging_threat"] == 5


def test_one_may_stay() -> None:
    state = arrange(table(), "travel", lands="forest gate")
    play(state, "stay")
    assert (lands(state), state.view(0)["active_land"]) == ("forest gate", None)


def test_nobody_travels_while_a_land_is_active() -> None:
    state = arrange(table(), active="forest gate", lands="old forest road", reveal="forest gate")
    play(state, "stop")
    assert (phase(state), state.turn) == ("questing", 1)


def test_one_may_travel_on_in_the_round_in_which_the_active_land_was_explored() -> None:
    state = arrange(table(), active="enchanted stream", lands="old forest road", tapped="eowyn", willpower=5, reveal="king spider")
    play(state, "stop")
    assert (phase(state), state.view(0)["active_land"]) == ("travel", None)
    play(state, "travel old forest road")
    assert (lands(state), state.view(0)["active_land"]["name"]) == ("", "old forest road")


# ---- Encounter ----


def test_enemies_engage_whose_cost_the_threat_has_reached_and_the_others_stay() -> None:
    state = arrange(table(), "travel", lands="forest gate", staged="king spider, forest spider, dol guldur beastmaster", threat=25)
    play(state, "stay")
    assert (engaged(state), staged(state)) == ("king spider, forest spider", "dol guldur beastmaster")


def test_enemies_engage_in_the_order_they_came_after_those_engaged_already() -> None:
    staging = "forest spider, dol guldur orcs, ungoliant's spawn, forest spider"
    state = arrange(table(), "travel", lands="forest gate", staged=staging, engaged="king spider (1 damage)", threat=30)
    play(state, "stay")
    assert engaged(state) == "king spider (1 damage), forest spider, dol guldur orcs, forest spider"


def test_threat_raised_by_the_quest_counts_in_the_same_round() -> None:
    state = arrange(table(), reveal="forest spider", threat=23 + 1)
    play(state, "stop")
    assert (engaged(state), state.data.threat) == ("forest spider", 26)


# ---- Defence ----


def test_a_defender_taps_and_takes_what_the_attack_exceeds_its_defence_by() -> None:
    state = arrange(table(), "defence", engaged="king spider")
    play(state, "defend eleanor")
    assert (hero(state, "eleanor"), phase(state)) == ((1, "tapped"), "attack")


def test_a_defence_as_strong_as_the_attack_saves_from_damage() -> None:
    state = arrange(table(), "defence", untapped="gandalf", engaged="king spider")
    play(state, "defend gandalf")
    assert allies(state, tapped=True) == "gandalf"


def test_damage_of_allies_stays_from_round_to_round() -> None:
    state = arrange(table(), "defence", untapped="northern tracker (1 damage)", engaged="king spider")
    play(state, "defend northern tracker (1 damage)", "stop")
    assert (allies(state), state.turn) == ("northern tracker (2 damage)", 1)


def test_an_ally_without_hit_points_left_is_discarded_at_once() -> None:
    state = arrange(table(), "defence", untapped="lorien guide (1 damage)", engaged="forest spider")
    play(state, "defend lorien guide (1 damage)")
    assert (allies(state), allies(state, tapped=True), state.data.discarded.tolist()) == ("", "", [1, 0, 0, 0, 0])


def test_tapped_characters_cannot_defend() -> None:
    state = arrange(table(), "defence", tapped="eowyn, dunhere, gandalf", untapped="rider of rohan", engaged="king spider")
    assert state.moves() == ["defend eleanor", "defend rider of rohan", "undefended"]


def test_an_undefended_attack_hits_one_hero_with_all_its_strength_tapped_or_not() -> None:
    state = arrange(table(), "defence", tapped="dunhere", engaged="king spider")
    play(state, "undefended")
    assert state.moves() == ["hit dunhere", "hit eowyn", "hit eleanor"]
    play(state, "hit dunhere")
    assert hero(state, "dunhere") == (3, "tapped")


def test_a_hero_is_hit_without_tapping() -> None:
    state = arrange(table(), "defence", engaged="forest spider")
    play(state, "undefended", "hit eowyn")
    assert (hero(state, "eowyn"), phase(state)) == ((2, "untapped"), "attack")


def test_with_nobody_untapped_only_the_hero_is_chosen() -> None:
    state = arrange(table(), "travel", tapped="dunhere, eowyn, eleanor", lands="forest gate", staged="king spider")
    play(state, "stay")
    assert (phase(state), state.moves()) == ("undefended", ["hit dunhere", "hit eowyn", "hit eleanor"])


def test_the_last_hero_is_hit_without_a_question() -> None:
    state = arrange(table(), "defence", dead="eowyn, eleanor", engaged="forest spider")
    play(state, "undefended")
    assert (hero(state, "dunhere"), phase(state)) == ((2, "untapped"), "attack")


def test_with_nobody_untapped_and_one_hero_left_nothing_is_asked() -> None:
    state = arrange(
        table(), "travel", tapped="dunhere", dead="eowyn, eleanor", lands="forest gate", staged="dol guldur orcs, king spider"
    )
    play(state, "stay")
    assert state.end.reason == "no heroes"
    state = arrange(table(), "travel", tapped="dunhere", dead="eowyn, eleanor", lands="forest gate", staged="dol guldur orcs")
    play(state, "stay")
    assert (hero(state, "dunhere"), state.turn) == ((2, "untapped"), 1)


def test_enemies_attack_one_by_one_in_the_order_they_engaged() -> None:
    state = arrange(table(), "defence", engaged="black forest bats, ungoliant's spawn, king spider")
    attackers = []
    for move in ("defend eleanor", "defend dunhere", "defend eowyn"):
        attackers.append(state.view(0)["engaged"][state.view(0)["attacker"]]["name"])
        play(state, move)
    assert attackers == ["black forest bats", "ungoliant's spawn", "king spider"]
    assert (hero(state, "eleanor"), hero(state, "dunhere"), hero(state, "eowyn")) == ((0, "untapped"), (4, "dead"), (2, "untapped"))


def test_a_hero_killed_by_an_undefended_attack_is_gone_at_once() -> None:
    for fallen in ("stay", "leave"):
        state = arrange(table(fallen=fallen), "defence", engaged="king spider, king spider")
        play(state, "undefended", "hit eowyn")
        assert hero(state, "eowyn") == (3, "dead")
        assert state.moves() == ["defend dunhere", "defend eleanor", "undefended"]
        play(state, "undefended")
        assert state.moves() == ["hit dunhere", "hit eleanor"]


def test_a_hero_that_fell_defending_can_still_take_one_undefended_attack() -> None:
    state = arrange(table(), "defence", untapped="eowyn (2 damage)", engaged="king spider, ungoliant's spawn, forest spider")
    play(state, "defend eowyn")
    assert hero(state, "eowyn") == (3, "fallen")
    assert state.moves() == ["defend dunhere", "defend eleanor", "undefended"]
    play(state, "undefended")
    assert state.moves() == ["hit dunhere", "hit eowyn", "hit eleanor"]
    play(state, "hit eowyn", "undefended")
    assert (hero(state, "eowyn"), state.moves()) == ((3, "dead"), ["hit dunhere", "hit eleanor"])


def test_where_the_fallen_leave_a_hero_that_fell_defending_cannot_be_hit() -> None:
    state = arrange(table(fallen="leave"), "defence", untapped="eowyn (2 damage)", engaged="king spider, ungoliant's spawn")
    play(state, "defend eowyn", "undefended")
    assert (hero(state, "eowyn"), state.moves()) == ((3, "dead"), ["hit dunhere", "hit eleanor"])


def test_the_fallen_are_gone_in_the_next_round() -> None:
    state = arrange(table(), "defence", untapped="eowyn (2 damage)", engaged="king spider")
    play(state, "defend eowyn", "stop")
    assert (hero(state, "eowyn"), state.turn) == ((3, "dead"), 1)


def test_without_heroes_the_game_is_lost_at_once_whatever_allies_there_are() -> None:
    for move in ("defend eleanor", "undefended"):
        state = arrange(table(), "defence", untapped="gandalf, eleanor (2 damage)", dead="eowyn, dunhere", engaged="king spider")
        play(state, move)
        assert (state.end.reason, state.outcome()) == ("no heroes", [0])


# ---- Attack ----


def test_each_character_attacks_alone_and_taps() -> None:
    state = arrange(table(), "attack", tapped="eowyn, eleanor", untapped="rider of rohan", engaged="dol guldur orcs, king spider")
    play(state, "attack dunhere > dol guldur orcs")
    assert (engaged(state), hero(state, "dunhere")) == ("dol guldur orcs (2 damage), king spider", (0, "tapped"))
    assert state.moves() == ["attack rider of rohan > dol guldur orcs (2 damage)", "attack rider of rohan > king spider", "stop"]
    play(state, "attack rider of rohan > king spider")
    assert (engaged(state), state.turn) == ("dol guldur orcs (2 damage), king spider (1 damage)", 1)


def test_an_attack_no_stronger_than_the_defence_does_nothing() -> None:
    state = arrange(table(), "attack", engaged="king spider")
    play(state, "attack eowyn > king spider")
    assert (engaged(state), hero(state, "eowyn")) == ("king spider", (0, "tapped"))


def test_an_enemy_without_hit_points_left_leaves_at_once_and_the_others_keep_their_order() -> None:
    enemies = "forest spider, dol guldur orcs (2 damage), black forest bats"
    state = arrange(table(), "attack", engaged=enemies)
    play(state, "attack dunhere > dol guldur orcs (2 damage)")
    assert (engaged(state), state.data.overcome[0]) == ("forest spider, black forest bats", 1)


def test_of_targets_alike_the_first_that_engaged_is_hit() -> None:
    enemies = "forest spider (1 damage), forest spider, king spider, forest spider"
    state = arrange(table(), "attack", engaged=enemies)
    assert state.moves()[:3] == [
        "attack dunhere > forest spider (1 damage)",
        "attack dunhere > forest spider",
        "attack dunhere > king spider",
    ]
    play(state, "attack dunhere > forest spider")
    assert engaged(state) == "forest spider (1 damage), forest spider (1 damage), king spider, forest spider"


def test_an_enemy_without_a_double_is_named_without_its_damage() -> None:
    state = arrange(table(), "attack", engaged="ungoliant's spawn (4 damage)")
    assert "attack dunhere > ungoliant's spawn" in state.moves()


def test_of_several_copies_the_most_damaged_one_attacks() -> None:
    state = arrange(table(), "attack", untapped="northern tracker, northern tracker (2 damage)", engaged="ungoliant's spawn")
    assert state.moves().count("attack northern tracker > ungoliant's spawn") == 1
    play(state, "attack northern tracker > ungoliant's spawn")
    assert (allies(state), allies(state, tapped=True)) == ("northern tracker", "northern tracker (2 damage)")


def test_damage_of_enemies_stays_from_round_to_round() -> None:
    state = arrange(table(), "attack", untapped="gandalf", engaged="ungoliant's spawn")
    play(state, "attack gandalf > ungoliant's spawn", "stop")
    assert (engaged(state), state.turn) == ("ungoliant's spawn (2 damage)", 1)


def test_the_attack_ends_with_the_last_enemy() -> None:
    state = arrange(table(), "attack", engaged="black forest bats (1 damage)")
    play(state, "attack eleanor > black forest bats")
    assert (engaged(state), state.turn) == ("", 1)


def test_nothing_is_asked_without_enemies() -> None:
    state = arrange(table("easy"), reveal="dol guldur beastmaster")
    play(state, "stop")
    assert (phase(state), state.turn, staged(state)) == ("questing", 1, "dol guldur beastmaster")


# ---- Refresh, and the end ----


def test_at_the_end_of_a_round_all_untap_and_the_threat_rises_by_one() -> None:
    state = arrange(table(), "attack", tapped="eowyn (1 damage), rider of rohan", engaged="king spider")
    play(state, "stop")
    assert (hero(state, "eowyn"), allies(state), state.data.threat) == ((1, "untapped"), "rider of rohan", 25)
    assert (state.data.willpower, state.data.acted) == (0, 0)


def test_gandalf_leaves_at_the_end_of_the_round_tapped_or_not() -> None:
    state = arrange(table(), "attack", tapped="gandalf", untapped="gandalf, wandering took", engaged="king spider")
    play(state, "stop")
    assert (allies(state), state.data.discarded.tolist()) == ("wandering took", [0, 0, 0, 0, 2])


def test_fifty_threat_at_the_end_of_a_round_lose() -> None:
    state = arrange(table(), "attack", engaged="king spider", threat=49)
    play(state, "stop")
    assert (state.end.reason, state.turn) == ("threat 50", 1)


def test_a_game_is_cut_off_after_100_rounds_which_threat_never_lets_happen() -> None:
    state = arrange(table(), "attack", engaged="king spider")
    state.data.turn = 99
    state.play("stop")
    assert (state.end.reason, state.end.truncated, state.outcome()) == ("round cap", True, [0])


def test_committing_nobody_loses_within_26_rounds_whatever_is_revealed() -> None:
    for seed in range(5):
        state = table("hard-skip", seed=seed)
        while not state.over:
            state.play("stop" if "stop" in state.moves() else state.moves()[-1])
        assert state.turn <= 26

"""Level `seen` by example, its thermometers read back, and what actions are made of."""

from __future__ import annotations

import numpy as np
import pytest

from meeple.games.lotr.components import ALLY_COPIES, CARD_OF, ENCOUNTER_COPIES, ENEMIES, HEROES, HIT_POINTS
from tests.games.lotr.positions import arrange, table
from tests.games.named import counts, features, hot, positions, row, seen

COPIES = [1] * HEROES + [int(ALLY_COPIES[card - HEROES]) for card in CARD_OF[HEROES:]]
KINDS = ENCOUNTER_COPIES[:ENEMIES].tolist()


def test_the_hand_and_what_can_be_paid_for() -> None:
    told = seen(arrange(table(), "planning", hand="gandalf, wandering took, wandering took", resources=2))
    assert counts(told["hand"], [3] * 5) == [0, 0, 2, 0, 1]
    assert told["affordable"] == [0, 0, 1, 0, 0]
    assert told["resources"] == [0.2]
    assert counts(told["can_pay"], [5]) == [2]
    assert told["phase"] == [1, 0, 0, 0, 0, 0]


def test_heroes_and_allies_with_their_states() -> None:
    state = arrange(table(), untapped="eowyn (1 damage), northern tracker (2 damage)", tapped="dunhere", dead="eleanor")
    told = seen(state)
    assert told["heroes"] == [1, 1, 0, 0, 0, 0]
    assert counts(told["hero_left"], [4, 3, 3]) == [4, 2, 0]
    assert counts(told["untapped"], COPIES) == [0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0]
    assert counts(told["tapped"], COPIES) == [1] + [0] * 12


def test_the_quest_as_committed_so_far() -> None:
    """Eowyn is committed with 4; a forest spider and an old forest road make 3; Dunhere and Eleanor have 1 each."""
    state = arrange(table(), tapped="eowyn", willpower=4, staged="forest spider", lands="old forest road", threat=30, progress=3)
    told = seen(state)
    assert told["willpower"] == [0.2]
    assert told["willpower_left"] == [0.1]
    assert told["staging_threat"] == [0.15]
    assert told["balance"] == [0.05]
    assert told["committed"] == [1]
    assert told["threat"] == [round(6 / 26, 5)]
    assert counts(told["progress"], [8]) == [3]
    assert told["engages"] == [1, 0, 1, 1, 1, 1, 0]


def test_who_attacks_now_and_who_comes_after() -> None:
    state = arrange(table(), "defence", engaged="king spider (1 damage), forest spider, dol guldur orcs", threat=30)
    told = seen(state)
    assert hot(told["attackers"]) == [5, 7 + 2, 14]
    assert told["attacker"] == [0.6, 0.2, round(2 / 9, 5)]
    assert counts(told["to_come"], [13]) == [2]
    assert told["engaged_order"][:4] == [round(x / 7, 5) for x in (6, 3, 1, 0)]
    assert told["engaged_left"][:4] == [round(x / 9, 5) for x in (2, 4, 3, 0)]
    state.play("defend eleanor")
    assert hot(seen(state)["attackers"]) == [2, 7]


def test_outside_the_defence_nobody_attacks() -> None:
    told = seen(arrange(table(), "attack", engaged="king spider", threat=30))
    assert not any(told["attackers"] + told["attacker"] + told["to_come"])
    assert counts(told["engaged"], KINDS) == [0, 0, 0, 0, 0, 1, 0]


def test_the_active_land_tells_what_it_still_needs() -> None:
    told = seen(arrange(table(), active="forest gate", explored=1, lands="mountains of mirkwood"))
    assert hot(told["active_land"]) == [3]
    assert counts(told["to_explore"], [4]) == [3]
    assert counts(told["lands"], ENCOUNTER_COPIES[ENEMIES:].tolist()) == [0, 0, 0, 0, 0, 1]


def test_a_macro_defence_in_progress_is_told() -> None:
    state = arrange(table(), "defence", engaged="king spider, forest spider", threat=30)
    assert seen(state)["stance"] == [0, 0, 0, 0]
    state.data.stance = 1
    assert seen(state)["stance"] == [0, 1, 0, 0]


@pytest.mark.parametrize("spec", ["lotr:easy", "lotr:hard", "lotr:hard,decisions=macro"])
def test_thermometers_read_back_to_the_counts_of_the_state(spec: str) -> None:
    for state in positions(spec):
        s, told = state.data, seen(state)
        assert counts(told["hand"], ALLY_COPIES.tolist()) == s.hand.tolist()
        assert counts(told["untapped"], COPIES) == s.ready.tolist()
        assert counts(told["tapped"], COPIES) == s.tapped.tolist()
        assert counts(told["hero_left"], HIT_POINTS[:HEROES].tolist()) == (HIT_POINTS[:HEROES] - s.hero_damage).tolist()
        assert counts(told["staged"], KINDS) == [int((s.staged == kind).sum()) for kind in range(ENEMIES)]
        assert counts(told["engaged"], KINDS) == [int((s.engaged == kind).sum()) for kind in range(ENEMIES)]
        assert counts(told["lands"], ENCOUNTER_COPIES[ENEMIES:].tolist()) == s.lands.tolist()
        assert counts(told["progress"], [8]) == [s.progress]


def test_an_attack_tells_what_it_does() -> None:
    """Gandalf, attack 4, against a forest spider with two of four hit points left and defence 1: three damage, and it dies."""
    found = row("lotr:easy", "attack gandalf > forest spider (2 damage)")
    assert hot(found[-13:-6].tolist()) == [2]
    assert found[-6:].tolist() == pytest.approx([2 / 5, 2 / 5, 1 / 5, 2 / 5, 3 / 5, 1])
    assert row("lotr:easy", "attack dunhere > forest spider (2 damage)")[-1] == 0


def test_a_card_is_another_column_for_each_use_with_the_same_figures() -> None:
    buy, commit = row("lotr:easy", "buy gandalf"), row("lotr:easy", "commit gandalf")
    cards = slice(9, 49)  # behind nine kinds: bought, committed, defending, hit, attacking
    assert hot(buy[cards].tolist()) == [7]
    assert hot(commit[cards].tolist()) == [8 + 7]
    assert buy[49:54].tolist() == commit[49:54].tolist() == pytest.approx([4 / 5, 4 / 5, 4 / 5, 4 / 5, 1])


@pytest.mark.parametrize(("spec", "shape"), [("lotr:easy", (155, 76)), ("lotr:easy,decisions=macro", (173, 98))])
def test_no_two_actions_have_the_same_features(spec: str, shape: tuple[int, int]) -> None:
    found = features(spec)
    assert found.shape == shape
    assert len(np.unique(found, axis=0)) == len(found)

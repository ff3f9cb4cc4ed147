"""The audit finds what it is there to find."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import meeple
from meeple.games.lotr.knowledge import INVARIANTS, audit
from meeple.games.lotr.state import ATTACKING, CHOOSING_HERO, DEFENDING, PLANNING
from tests.games.lotr.positions import arrange, table


def position() -> meeple.State:
    """Some of everything."""
    return arrange(
        table("hard"),
        "defence",
        hand="gandalf",
        untapped="rider of rohan, eleanor (1 damage)",
        tapped="eowyn",
        staged="dol guldur beastmaster",
        engaged="king spider (1 damage), forest spider",
        lands="forest gate",
        active="old forest road",
        explored=2,
        resources=2,
        willpower=4,
        round=3,
    )


def lose_card_of_hand(s: Any) -> None:
    s.hand[4] = 0


def double_ally(s: Any) -> None:
    s.ready[3] += 1


def negative_ally(s: Any) -> None:
    s.tapped[3], s.ready[3] = -1, s.ready[3] + 1


def lose_enemy(s: Any) -> None:
    s.engaged_count = 1
    s.engaged[1] = -1


def change_deck(s: Any) -> None:
    s.encounter[0] = 12 if s.encounter[0] != 12 else 0


def lands_on_easy(s: Any) -> None:
    s.variant = 0


def lower_threat(s: Any) -> None:
    s.threat = 26


def forget_loss(s: Any) -> None:
    s.threat = 50


def act_tapped(s: Any) -> None:
    s.acted += 1


def untap(s: Any) -> None:
    s.ready[1], s.tapped[1] = 1, 0


def keep_dead_hero(s: Any) -> None:
    s.hero_damage[2] = 3


def keep_dead_enemy(s: Any) -> None:
    s.engaged_damage[0] = 3


def invent_fallen(s: Any) -> None:
    s.fallen[0] = 1


def overdraw(s: Any) -> None:
    s.resources = -1


def invent_resources(s: Any) -> None:
    s.resources = 13


def forget_win(s: Any) -> None:
    s.progress = 8


def overexplore(s: Any) -> None:
    s.explored = 3


def explore_nothing(s: Any) -> None:
    s.active_land, s.lands[2] = -1, 1


def leave_enemy_staged(s: Any) -> None:
    s.threat = 35


def leave_drawn_card(s: Any) -> None:
    s.deck[14] = 0


def leave_damage(s: Any) -> None:
    s.engaged_damage[5] = 1


def attack_nobody(s: Any) -> None:
    s.attacker = 2


def attack_early(s: Any) -> None:
    s.attacker, s.phase = 1, ATTACKING


def plan_late(s: Any) -> None:
    s.phase = PLANNING


@pytest.mark.parametrize(
    ("damage", "word"),
    [
        (lose_card_of_hand, "player's cards"),
        (double_ally, "player's cards"),
        (negative_ally, "player's cards"),
        (lose_enemy, "encounter cards"),
        (change_deck, "encounter cards"),
        (lands_on_easy, "encounter cards"),
        (lower_threat, "threat never falls"),
        (forget_loss, "threat never falls"),
        (act_tapped, "untapped characters act"),
        (untap, "untapped characters act"),
        (keep_dead_hero, "dead"),
        (keep_dead_enemy, "dead"),
        (invent_fallen, "dead"),
        (overdraw, "resources"),
        (invent_resources, "resources"),
        (forget_win, "progress"),
        (overexplore, "progress"),
        (explore_nothing, "progress"),
        (leave_enemy_staged, "engaged"),
        (leave_drawn_card, "wiped"),
        (leave_damage, "wiped"),
        (attack_nobody, "phase"),
        (attack_early, "phase"),
        (plan_late, "phase"),
    ],
)
def test_damage_is_found(damage: Callable[[Any], None], word: str) -> None:
    state = position()
    assert audit(state.data) == 0
    damage(state.data)
    assert audit(state.data) != 0
    assert word in INVARIANTS[audit(state.data) - 1]


def test_a_phase_without_a_decision_is_found() -> None:
    state = arrange(table(), "defence", tapped="eowyn, eleanor", engaged="king spider")
    state.data.ready[0], state.data.tapped[0], state.data.acted = 0, 1, 3
    assert "decide" in INVARIANTS[audit(state.data) - 1]
    state.data.phase = CHOOSING_HERO
    assert audit(state.data) == 0
    state = arrange(table(), "defence", dead="eowyn, eleanor", engaged="king spider")
    assert state.data.phase == DEFENDING
    state.data.phase = CHOOSING_HERO
    assert "decide" in INVARIANTS[audit(state.data) - 1]


def test_a_character_that_died_after_acting_is_counted() -> None:
    state = arrange(table(), "defence", untapped="eowyn (2 damage), lorien guide (1 damage)", engaged="king spider, forest spider")
    state.play("defend eowyn")
    state.play("defend lorien guide (1 damage)")
    assert (state.data.acted, state.data.tapped.sum(), state.data.lost, audit(state.data)) == (2, 0, 2, 0)

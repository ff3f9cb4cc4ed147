"""The state and how it is dealt."""

from __future__ import annotations

from typing import Any

import numpy as np

from meeple.core.game import state_dtype
from meeple.core.kernel import kernel
from meeple.core.rng import derive, shuffle
from meeple.games.lotr.components import (
    ALLIES,
    ALLY_CARDS,
    ALLY_COPIES,
    CHARACTERS,
    ENCOUNTER_CARDS,
    ENCOUNTER_COPIES,
    ENCOUNTERS,
    ENEMIES,
    ENEMY_CARDS,
    FOREST_SPIDER,
    HEROES,
    LANDS,
    OLD_FOREST_ROAD,
    OPENING_HAND,
    STARTING_THREAT,
)

NOBODY = -1  # no card, no land
# What is decided now
PLANNING, QUESTING, TRAVELLING, DEFENDING, CHOOSING_HERO, ATTACKING = 0, 1, 2, 3, 4, 5
PHASES = 6
NO_STANCE = -1
EASY, MEDIUM, HARD, HARD_SKIP = 0, 1, 2, 3  # the variants
STAY, LEAVE = 0, 1  # what the fallen do
# Phases decided by macro-actions, as bits; with the last one, questing by a weight counts no willpower.
MACRO_PLANNING, MACRO_QUESTING, MACRO_DEFENCE, ZERO = 1, 2, 4, 8
MACRO_ALL = MACRO_PLANNING | MACRO_QUESTING | MACRO_DEFENCE
DECIDED = {
    "small": 0,
    "macro": MACRO_ALL,
    "macro-zero": MACRO_ALL | ZERO,
    "macro-planning": MACRO_PLANNING,
    "macro-questing": MACRO_QUESTING,
    "macro-defence": MACRO_DEFENCE,
    "macro-planning-questing": MACRO_PLANNING | MACRO_QUESTING,
    "macro-planning-defence": MACRO_PLANNING | MACRO_DEFENCE,
    "macro-questing-defence": MACRO_QUESTING | MACRO_DEFENCE,
    "macro-zero-questing": MACRO_QUESTING | ZERO,
    "macro-zero-planning-questing": MACRO_PLANNING | MACRO_QUESTING | ZERO,
    "macro-zero-questing-defence": MACRO_QUESTING | MACRO_DEFENCE | ZERO,
}
_BITS = np.array(list(DECIDED.values()), np.int8)

STATE = state_dtype(
    [
        # Chosen before the game
        ("variant", "i1"),
        ("fallen_stay", "i1"),  # 1: a hero that fell defending can still be hit, once
        ("macro", "i1"),  # phases decided by macro-actions, as bits
        # The player
        ("threat", "i1"),
        ("progress", "i1"),  # on the quest, at most PROGRESS_TO_WIN
        ("resources", "i1"),
        ("hand", "i1", (ALLIES,)),  # how many of each kind
        ("deck", "i1", (ALLY_CARDS,)),  # deck[deck_left - 1] is the next card; drawn places are NOBODY
        ("deck_left", "i1"),
        ("discarded", "i1", (ALLIES,)),  # dead, or gone at the end of a round
        # The characters in play. A hero is 0 or 1 here, and neither ready nor tapped when dead.
        ("ready", "i1", (CHARACTERS,)),
        ("tapped", "i1", (CHARACTERS,)),
        ("hero_damage", "i1", (HEROES,)),  # all hit points when dead
        ("fallen", "i1", (HEROES,)),  # 1: fell defending in this round, and an undefended attack may still hit it
        # The encounters
        ("encounter", "i1", (ENCOUNTER_CARDS,)),  # as deck
        ("encounter_left", "i1"),
        ("overcome", "i1", (ENCOUNTERS,)),  # enemies slain, lands explored
        ("staged", "i1", (ENEMY_CARDS,)),  # enemies in the staging area, as they came; the rest is NOBODY
        ("staged_count", "i1"),
        ("lands", "i1", (LANDS,)),  # in the staging area
        ("active_land", "i1"),
        ("explored", "i1"),  # progress on the active land
        ("engaged", "i1", (ENEMY_CARDS,)),  # as they engaged; the rest is NOBODY
        ("engaged_damage", "i1", (ENEMY_CARDS,)),
        ("engaged_count", "i1"),
        # The round
        ("phase", "i1"),
        ("willpower", "i1"),  # committed so far
        ("stance", "i1"),  # how the macro-action of this defence guards, or NO_STANCE
        ("attacker", "i1"),  # the enemy that attacks now: its place among those engaged
        ("bought", "i1", (ALLIES,)),  # in this round
        ("acted", "i1"),  # how often a character has committed, defended or attacked in this round
        ("lost", "i1"),  # characters that acted in this round and died in it
    ]
)


# The decisions as the thesis counts them: whom an undefended attack hits belongs to the defence.
PHASE_NAMES = ("planning", "questing", "travel", "defence", "attack")


@kernel
def phase(s: Any) -> int:
    return s.phase if s.phase < CHOOSING_HERO else s.phase - 1  # type: ignore[no-any-return]


@kernel
def deal(s: Any, config: Any, seed: Any) -> None:
    """config: the variant, what the fallen do, which phases macro-actions decide. The first round is begun by rounds.begin_game."""
    s.luck[0] = derive(seed, 0)
    s.ply = 0
    s.turn = 0
    s.seat = 0
    s.end = 0
    s.variant = config[0]
    s.fallen_stay = 1 if config[1] == STAY else 0
    s.macro = _BITS[config[2]]
    s.stance = NO_STANCE
    s.threat = STARTING_THREAT
    s.progress = 0
    s.resources = 0
    s.phase = PLANNING
    s.willpower = 0
    s.attacker = 0
    s.acted = 0
    s.lost = 0
    s.active_land = NOBODY
    s.explored = 0
    for character in range(CHARACTERS):
        s.ready[character] = 1 if character < HEROES else 0
        s.tapped[character] = 0
    for hero in range(HEROES):
        s.hero_damage[hero] = 0
        s.fallen[hero] = 0
    _deal_allies(s)
    _deal_encounters(s)


@kernel
def _deal_allies(s: Any) -> None:
    n = 0
    for kind in range(ALLIES):
        s.hand[kind] = 0
        s.bought[kind] = 0
        s.discarded[kind] = 0
        for _ in range(ALLY_COPIES[kind]):
            s.deck[n] = kind
            n += 1
    s.deck_left = n
    shuffle(s.deck, n, s.luck)
    for _ in range(OPENING_HAND):
        draw_ally(s)


@kernel
def _deal_encounters(s: Any) -> None:
    """Easy has enemies only. On hard a Forest Spider and an Old Forest Road begin in the staging area."""
    for i in range(ENEMY_CARDS):
        s.staged[i] = NOBODY
        s.engaged[i] = NOBODY
        s.engaged_damage[i] = 0
    s.staged_count = 0
    s.engaged_count = 0
    for land in range(LANDS):
        s.lands[land] = 0
    n = 0
    for kind in range(ENCOUNTERS):
        s.overcome[kind] = 0
        copies = ENCOUNTER_COPIES[kind] if kind < ENEMIES or s.variant != EASY else 0
        if s.variant >= HARD and kind in (FOREST_SPIDER, OLD_FOREST_ROAD):
            copies -= 1
            stage(s, kind)
        for _ in range(copies):
            s.encounter[n] = kind
            n += 1
    s.encounter_left = n
    for i in range(n, ENCOUNTER_CARDS):
        s.encounter[i] = NOBODY
    shuffle(s.encounter, n, s.luck)


@kernel
def draw_ally(s: Any) -> None:
    """A card for the hand, as long as there are any. Its place is wiped, so that a state does not depend on the past."""
    if s.deck_left > 0:
        s.deck_left -= 1
        s.hand[s.deck[s.deck_left]] += 1
        s.deck[s.deck_left] = NOBODY


@kernel
def reveal(s: Any) -> None:
    """The next encounter card comes into the staging area; the deck is not shuffled again when it is empty."""
    if s.encounter_left > 0:
        s.encounter_left -= 1
        stage(s, s.encounter[s.encounter_left])
        s.encounter[s.encounter_left] = NOBODY


@kernel
def stage(s: Any, kind: int) -> None:
    if kind < ENEMIES:
        s.staged[s.staged_count] = kind
        s.staged_count += 1
    else:
        s.lands[kind - ENEMIES] += 1

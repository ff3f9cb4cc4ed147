"""Observation level `seen`: everything the player may know, as networks like it. FIELDS and `observe` go in the same order."""

from __future__ import annotations

from typing import Any

import numpy as np

from meeple.core.encode import one_hot, scaled, thermometer, unit
from meeple.core.game import Field
from meeple.core.kernel import kernel
from meeple.games.lotr.combat import alive
from meeple.games.lotr.components import (
    ALLIES,
    ALLY_COPIES,
    ATTACK,
    CARD_OF,
    CHARACTERS,
    COST,
    ENCOUNTER_CARDS,
    ENCOUNTER_COPIES,
    ENCOUNTERS,
    ENEMIES,
    ENEMY_ATTACK,
    ENEMY_CARDS,
    ENEMY_DEFENCE,
    ENEMY_HIT_POINTS,
    ENGAGEMENT,
    HEROES,
    HIT_POINTS,
    LAND_CARDS,
    LANDS,
    LOSING_THREAT,
    POINTS,
    PROGRESS_TO_WIN,
    STARTING_THREAT,
    THREAT,
    WILLPOWER,
)
from meeple.games.lotr.rounds import affordable, staging_threat, willpower_at_hand
from meeple.games.lotr.state import CHOOSING_HERO, DEFENDING, NOBODY, PHASES

ROUNDS = LOSING_THREAT - STARTING_THREAT  # at most, as threat rises by one a round
DEAREST = int(COST.max())
RICH = 10  # resources
STRONG = 20  # willpower, attack, threat of the staging area
STANCES = 4
COPIES = np.concatenate([np.ones(HEROES, np.int64), ALLY_COPIES[CARD_OF[HEROES:] - HEROES]])  # of each character
TOUGHEST, FIERCEST = int(ENEMY_HIT_POINTS.max()), int(ENEMY_ATTACK.max())
NEXT = 2  # attackers told one by one after the one that attacks
MOST_POINTS = int(POINTS.max())
MOST_STAGED = int((THREAT * ENCOUNTER_COPIES).sum())
MOST_WILLPOWER = int(WILLPOWER[:HEROES].sum() + (WILLPOWER[HEROES:] * ALLY_COPIES).sum())
MOST_ATTACK = int(ATTACK[:HEROES].sum() + (ATTACK[HEROES:] * ALLY_COPIES).sum())
ALLY_CARDS = int(ALLY_COPIES.sum())

# ---- The layout ----------------------------------------------------------------------------------------------------

_ROUND = (
    unit("round", 1, f"rounds completed, of {ROUNDS}"),
    Field("threat", 1, 0, 1 + MOST_STAGED / ROUNDS, f"threat above {STARTING_THREAT}, of {ROUNDS}: 1 loses"),
    unit("engages", ENEMIES, "kinds of enemy that engage at this threat"),
    unit("progress", PROGRESS_TO_WIN, "progress on the quest, thermometer"),
    unit("phase", PHASES, "what is decided: buying, committing, travel, a defender, the hero that is hit, an attack"),
    unit("stance", STANCES, "how the macro-action of this defence guards"),
    Field("resources", 1, 0, HEROES * ROUNDS / RICH, f"resources, of {RICH}"),
    unit("can_pay", DEAREST, f"the first {DEAREST} of them, thermometer"),
)
_PLAYER = (
    unit("hand", ALLY_CARDS, "in hand, a thermometer of three for each kind"),
    unit("affordable", ALLIES, "kinds in hand that can be paid for"),
    unit("heroes", 2 * HEROES, "heroes: alive; fell defending in this round and can still be hit"),
    unit("hero_left", int(HIT_POINTS[:HEROES].sum()), "hit points left of each hero, thermometers"),
    unit("untapped", int(COPIES.sum()), "untapped characters, a thermometer each: heroes (1 place), allies by kind and damage (3)"),
    unit("tapped", int(COPIES.sum()), "tapped characters, likewise"),
)
_STRENGTH = (
    unit("committed", 1, "somebody has committed, defended or attacked in this round"),
    Field("willpower", 1, 0, MOST_WILLPOWER / STRONG, f"willpower committed, of {STRONG}"),
    Field("willpower_left", 1, 0, MOST_WILLPOWER / STRONG, "willpower of the untapped, likewise"),
    Field("attack_left", 1, 0, MOST_ATTACK / STRONG, "attack of the untapped, likewise"),
    Field("staging_threat", 1, 0, MOST_STAGED / STRONG, "threat of the staging area, likewise"),
    Field("balance", 1, -MOST_STAGED / STRONG, MOST_WILLPOWER / STRONG, "willpower committed less that threat, likewise"),
    unit("next_threat", 1, f"mean threat of the cards in the encounter deck, of {int(THREAT.max())}"),
)
_ENCOUNTERS = (
    unit("staged", ENEMY_CARDS, "enemies in the staging area by kind, a thermometer of its copies each"),
    unit("staged_order", ENEMY_CARDS, f"the same as they came: number of the kind from 1, of {ENEMIES}, then 0"),
    unit("lands", LAND_CARDS, "lands in the staging area by kind, a thermometer of its copies each"),
    unit("active_land", LANDS, "the active land"),
    unit("to_explore", MOST_POINTS, "points it still needs, thermometer"),
    unit("engaged", ENEMY_CARDS, "engaged enemies by kind, a thermometer of its copies each"),
    unit("engaged_order", ENEMY_CARDS, f"the same in their order: number of the kind from 1, of {ENEMIES}, then 0"),
    unit("engaged_left", ENEMY_CARDS, f"their hit points left, of {TOUGHEST}"),
    unit("attackers", (1 + NEXT) * ENEMIES, f"kind of the enemy that attacks now, and of the {NEXT} after it"),
    unit("attacker", 3, f"its attack, defence and hit points left, of {FIERCEST}, {FIERCEST}, {TOUGHEST}"),
    unit("to_come", ENEMY_CARDS, "enemies that attack after it in this round, thermometer"),
    unit("deck", ALLIES, "left in the player's deck by kind, as a share of its copies"),
    unit("encounter_deck", ENCOUNTERS, "left in the encounter deck by kind, likewise: enemies, then lands"),
    unit("decks", 2, "cards in the two decks, as a share of all"),
)
FIELDS = (*_ROUND, *_PLAYER, *_STRENGTH, *_ENCOUNTERS)

# ---- The numbers ---------------------------------------------------------------------------------------------------


@kernel
def observe(s: Any, out: Any) -> None:
    n = _observe_round(s, out)
    n = _observe_player(s, out, n)
    n = _observe_strength(s, out, n)
    n = _observe_staging(s, out, n)
    n = _observe_engaged(s, out, n)
    n = _observe_attack(s, out, n)
    _observe_decks(s, out, n)


@kernel
def _observe_round(s: Any, out: Any) -> int:
    out[0] = s.turn / ROUNDS
    out[1] = (s.threat - STARTING_THREAT) / ROUNDS
    for kind in range(ENEMIES):
        out[2 + kind] = 1.0 if ENGAGEMENT[kind] <= s.threat else 0.0
    n = thermometer(out, 2 + ENEMIES, s.progress, PROGRESS_TO_WIN)
    n = one_hot(out, n, s.phase, PHASES)
    n = one_hot(out, n, s.stance, STANCES)
    n = scaled(out, n, s.resources, RICH)
    return thermometer(out, n, s.resources, DEAREST)


@kernel
def _observe_player(s: Any, out: Any, n: int) -> int:
    for kind in range(ALLIES):
        n = thermometer(out, n, s.hand[kind], ALLY_COPIES[kind])
    for kind in range(ALLIES):
        n = scaled(out, n, affordable(s, kind), 1)
    for hero in range(HEROES):
        out[n + hero] = 1.0 if alive(s, hero) else 0.0
        out[n + HEROES + hero] = s.fallen[hero]
    n += 2 * HEROES
    for hero in range(HEROES):
        n = thermometer(out, n, HIT_POINTS[hero] - s.hero_damage[hero], HIT_POINTS[hero])
    for character in range(CHARACTERS):
        n = thermometer(out, n, s.ready[character], COPIES[character])
    for character in range(CHARACTERS):
        n = thermometer(out, n, s.tapped[character], COPIES[character])
    return n


@kernel
def _observe_strength(s: Any, out: Any, n: int) -> int:
    attack = 0
    for character in range(CHARACTERS):
        attack += s.ready[character] * ATTACK[CARD_OF[character]]
    threat = 0
    for i in range(s.encounter_left):
        threat += THREAT[s.encounter[i]]
    n = scaled(out, n, s.acted > 0, 1)
    n = scaled(out, n, s.willpower, STRONG)
    n = scaled(out, n, willpower_at_hand(s), STRONG)
    n = scaled(out, n, attack, STRONG)
    n = scaled(out, n, staging_threat(s), STRONG)
    n = scaled(out, n, s.willpower - staging_threat(s), STRONG)
    return scaled(out, n, threat / max(1, s.encounter_left), THREAT.max())


@kernel
def _observe_kinds(places: Any, among: int, out: Any, n: int) -> int:
    """How many of each kind of enemy are in a list, then the list itself."""
    for kind in range(ENEMIES):
        found = 0
        for place in range(among):
            found += places[place] == kind
        n = thermometer(out, n, found, ENCOUNTER_COPIES[kind])
    for place in range(ENEMY_CARDS):
        n = scaled(out, n, places[place] + 1, ENEMIES)  # NOBODY is -1
    return n


@kernel
def _observe_staging(s: Any, out: Any, n: int) -> int:
    n = _observe_kinds(s.staged, s.staged_count, out, n)
    for land in range(LANDS):
        n = thermometer(out, n, s.lands[land], ENCOUNTER_COPIES[ENEMIES + land])
    n = one_hot(out, n, s.active_land, LANDS)
    return thermometer(out, n, POINTS[s.active_land] - s.explored if s.active_land != NOBODY else 0, MOST_POINTS)


@kernel
def _hit_points_left(s: Any, place: int) -> int:
    return ENEMY_HIT_POINTS[s.engaged[place]] - s.engaged_damage[place] if place < s.engaged_count else 0


@kernel
def _observe_engaged(s: Any, out: Any, n: int) -> int:
    n = _observe_kinds(s.engaged, s.engaged_count, out, n)
    for place in range(ENEMY_CARDS):
        n = scaled(out, n, _hit_points_left(s, place), TOUGHEST)
    return n


@kernel
def _observe_attack(s: Any, out: Any, n: int) -> int:
    """Who attacks now and who comes after; zeros outside the defence."""
    left = s.engaged_count - s.attacker if s.phase == DEFENDING or s.phase == CHOOSING_HERO else 0
    for i in range(1 + NEXT):
        n = one_hot(out, n, s.engaged[s.attacker + i] if i < left else NOBODY, ENEMIES)
    kind = s.engaged[s.attacker] if left > 0 else 0
    n = scaled(out, n, ENEMY_ATTACK[kind] if left > 0 else 0, FIERCEST)
    n = scaled(out, n, ENEMY_DEFENCE[kind] if left > 0 else 0, FIERCEST)
    n = scaled(out, n, _hit_points_left(s, s.attacker) if left > 0 else 0, TOUGHEST)
    return thermometer(out, n, left - 1, ENEMY_CARDS)


@kernel
def _observe_decks(s: Any, out: Any, n: int) -> None:
    """What is left in the decks, without its order: all that was drawn lies open, so the player knows it."""
    for i in range(ALLIES + ENCOUNTERS):
        out[n + i] = 0.0
    for i in range(s.deck_left):
        out[n + int(s.deck[i])] += 1.0 / ALLY_COPIES[s.deck[i]]
    n += ALLIES
    for i in range(s.encounter_left):
        out[n + int(s.encounter[i])] += 1.0 / ENCOUNTER_COPIES[s.encounter[i]]
    n = scaled(out, n + ENCOUNTERS, s.deck_left, ALLY_CARDS)
    scaled(out, n, s.encounter_left, ENCOUNTER_CARDS)

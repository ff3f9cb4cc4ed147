"""A script that plays well, with named thresholds (data/expert.csv).

Buys what has most worth for its cost. Commits the highest willpower until it is well above the threat of the staging area, or
sure to win. Travels to the land with most threat. Defends with whoever costs least to lose, strikes where an enemy falls.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from meeple.core.agent import Param, kernel_agent
from meeple.core.data import read_rows
from meeple.core.game import Variant
from meeple.core.kernel import kernel
from meeple.games.lotr.actions import ATTACK_WITH, BUY, COMMIT, DEFEND, HIT, STAY, STOP, TRAVEL, UNDEFENDED
from meeple.games.lotr.combat import can_be_hit, target_of
from meeple.games.lotr.components import (
    ATTACK,
    CARD_OF,
    CHARACTERS,
    COST,
    DAMAGE_OF,
    DEFENCE,
    ENEMIES,
    ENEMY_ATTACK,
    ENEMY_DEFENCE,
    ENEMY_HIT_POINTS,
    HEROES,
    HIT_POINTS,
    LANDS,
    LASTING,
    POINTS,
    PROGRESS_TO_WIN,
    TARGETS,
    THREAT,
    WILLPOWER,
    WORST_CARD,
)
from meeple.games.lotr.rounds import staging_threat, willpower_at_hand
from meeple.games.lotr.rules import legal
from meeple.games.lotr.state import ATTACKING, DEFENDING, NOBODY, PLANNING, QUESTING, TRAVELLING
from meeple.games.lotr.variants import needs_small_decisions

THRESHOLDS = tuple(
    Param(row["term"], float(row["weight"]), row["meaning"], float(row["least"]), float(row["most"]))
    for row in read_rows(__file__, "expert.csv")
)
NEVER = -1e9


class Expert(NamedTuple):
    willpower: float
    attack: float
    defence: float
    fleeting: float
    least: float
    margin: float
    patience: float
    hero_loss: float
    ally_loss: float
    wound: float
    bruise: float
    strike: float
    kill: float


@kernel
def choose_expertly(me: Any, s: Any, stream: Any, out: Any) -> int:  # noqa: ARG001
    if s.phase == PLANNING:
        return _buy(me, s, out)
    if s.phase == QUESTING:
        return _commit(me, s)
    if s.phase == TRAVELLING:
        return _travel(s)
    if s.phase == DEFENDING:
        return _defend(me, s)
    if s.phase == ATTACKING:
        return _attack(me, s, out)
    return HIT + _whom_to_hit(s)


@kernel
def _buy(me: Any, s: Any, out: Any) -> int:
    best = STOP
    most = me.least
    for i in range(legal(s, out)):
        if out[i] == STOP:
            continue
        kind = out[i] - BUY
        card = HEROES + kind
        worth = me.willpower * WILLPOWER[card] + me.attack * ATTACK[card] + me.defence * DEFENCE[card]
        worth *= (1.0 if LASTING[kind] else me.fleeting) / COST[kind]
        if worth > most:
            best, most = out[i], worth
    return best


@kernel
def _commit(me: Any, s: Any) -> int:
    """The highest willpower next, until there is enough. More than is sure to win is never needed."""
    missing = PROGRESS_TO_WIN - s.progress
    if s.active_land != NOBODY:
        missing += POINTS[s.active_land] - s.explored
    goal = staging_threat(s) + min(me.margin, float(WORST_CARD + missing))
    if s.willpower >= goal or (s.willpower == 0 and willpower_at_hand(s) < staging_threat(s) + me.patience and me.patience > 0):
        return STOP
    best = NOBODY
    most = 0
    for character in range(CHARACTERS):
        willpower = WILLPOWER[CARD_OF[character]]
        if s.ready[character] > 0 and willpower > most:
            best, most = character, willpower
    return STOP if best == NOBODY else COMMIT + best


@kernel
def _travel(s: Any) -> int:
    """Away with the most threat; of equal ones the land that is explored soonest."""
    best = NOBODY
    for land in range(LANDS):
        if s.lands[land] == 0:
            continue
        if best == NOBODY or _worse(land, best):
            best = land
    return STAY if best == NOBODY else TRAVEL + best


@kernel
def _worse(land: int, other: int) -> bool:
    if THREAT[ENEMIES + land] != THREAT[ENEMIES + other]:
        return THREAT[ENEMIES + land] > THREAT[ENEMIES + other]  # type: ignore[no-any-return]
    return POINTS[land] < POINTS[other]  # type: ignore[no-any-return]


@kernel
def _defend(me: Any, s: Any) -> int:
    """The character that costs least to lose; or none, if a hero can take the attack better."""
    strength = ENEMY_ATTACK[s.engaged[s.attacker]]
    best = UNDEFENDED
    least = _cost_of_hit(me, s, _whom_to_hit(s), strength)
    for character in range(CHARACTERS):
        if s.ready[character] > 0:
            card = CARD_OF[character]
            damage = max(0, strength - DEFENCE[card])
            held = s.hero_damage[character] if character < HEROES else DAMAGE_OF[character]
            cost = me.strike * ATTACK[card]
            if damage + held >= HIT_POINTS[card]:
                cost += me.hero_loss if character < HEROES else me.ally_loss * (WILLPOWER[card] + 1)
            else:
                cost += damage * (me.wound if character < HEROES else me.bruise)
            if cost < least:
                best, least = DEFEND + character, cost
    return best


@kernel
def _cost_of_hit(me: Any, s: Any, hero: int, strength: int) -> float:
    if s.fallen[hero]:
        return 0.0
    if strength + s.hero_damage[hero] >= HIT_POINTS[hero]:
        return me.hero_loss  # type: ignore[no-any-return]
    return me.wound * strength  # type: ignore[no-any-return]


@kernel
def _whom_to_hit(s: Any) -> int:
    """The fallen, who have nothing to lose; else the hero with most hit points left."""
    best = NOBODY
    most = -1
    for hero in range(HEROES):
        if can_be_hit(s, hero):
            left = 99 if s.fallen[hero] else HIT_POINTS[hero] - s.hero_damage[hero]
            if left > most:
                best, most = hero, left
    return best


@kernel
def _attack(me: Any, s: Any, out: Any) -> int:
    """Where it does most damage; slaying is best, and with as little to spare as possible."""
    best = STOP
    most = 0.0
    for i in range(legal(s, out)):
        if out[i] == STOP:
            continue
        card = (out[i] - ATTACK_WITH) // TARGETS
        target = (out[i] - ATTACK_WITH) % TARGETS
        place = 0
        while target_of(s, place) != target:
            place += 1
        kind = s.engaged[place]
        damage = max(0, ATTACK[card] - ENEMY_DEFENCE[kind])
        left = ENEMY_HIT_POINTS[kind] - s.engaged_damage[place]
        value = float(min(damage, left)) - 0.1 * left
        if damage >= left:
            value += me.kill + 0.5 * ENEMY_ATTACK[kind] - 0.1 * (damage - left)
        if damage > 0 and (best == STOP or value > most):
            best, most = out[i], value
    return best


kernel_agent(Expert, choose_expertly)


def make_expert(variant: Variant, **thresholds: float) -> Expert:
    needs_small_decisions(variant, "expert")
    return Expert(**thresholds)

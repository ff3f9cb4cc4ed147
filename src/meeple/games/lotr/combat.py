"""Who can act, and what defending, being hit and attacking do."""

from __future__ import annotations

from typing import Any

from meeple.core.kernel import kernel
from meeple.games.lotr.components import (
    ATTACK,
    CARD_OF,
    CHARACTERS,
    DAMAGE_OF,
    DEFENCE,
    ENEMY_ATTACK,
    ENEMY_DEFENCE,
    ENEMY_HIT_POINTS,
    FIRST_CHARACTER,
    FIRST_TARGET,
    HEROES,
    HIT_POINTS,
    LASTING,
    SEVERAL,
)
from meeple.games.lotr.state import NOBODY

END_WON, END_THREAT, END_HEROES, END_CAP = 1, 2, 3, 4


@kernel
def ready_characters(s: Any) -> int:
    """How many characters are untapped."""
    n = 0
    for character in range(CHARACTERS):
        n += s.ready[character]
    return n


@kernel
def alive(s: Any, hero: int) -> bool:
    return s.hero_damage[hero] < HIT_POINTS[hero]  # type: ignore[no-any-return]


@kernel
def heroes_alive(s: Any) -> int:
    n = 0
    for hero in range(HEROES):
        if alive(s, hero):
            n += 1
    return n


@kernel
def can_be_hit(s: Any, hero: int) -> bool:
    """The living, and who fell defending in this round: the thesis's program clears its dead only when the round ends."""
    return alive(s, hero) or s.fallen[hero] == 1


@kernel
def heroes_to_hit(s: Any) -> int:
    n = 0
    for hero in range(HEROES):
        if can_be_hit(s, hero):
            n += 1
    return n


@kernel
def target_of(s: Any, place: int) -> int:
    """What the enemy at a place is as the goal of an attack: enemies of the same kind and damage are alike."""
    kind = s.engaged[place]
    return FIRST_TARGET[kind] + SEVERAL[kind] * s.engaged_damage[place]  # type: ignore[no-any-return]


# ---- Their attacks -------------------------------------------------------------------------------------------------


@kernel
def defend(s: Any, character: int) -> None:
    """The defender taps and takes what the attack exceeds its defence by."""
    card = CARD_OF[character]
    damage = max(0, ENEMY_ATTACK[s.engaged[s.attacker]] - DEFENCE[card])
    s.acted += 1
    s.attacker += 1
    s.ready[character] -= 1
    if character < HEROES:
        s.tapped[character] = 1
        wound_hero(s, character, damage)
        if not alive(s, character):
            s.fallen[character] = s.fallen_stay
        return
    damage += DAMAGE_OF[character]
    if damage >= HIT_POINTS[card]:
        s.discarded[card - HEROES] += 1
        s.lost += 1
    else:
        s.tapped[FIRST_CHARACTER[card] + LASTING[card - HEROES] * damage] += 1


@kernel
def hit(s: Any, hero: int) -> None:
    """An undefended attack: its whole strength hits one hero, tapped or not; no defence helps. The fallen take one and are gone."""
    damage = ENEMY_ATTACK[s.engaged[s.attacker]]
    s.attacker += 1
    if s.fallen[hero]:
        s.fallen[hero] = 0
    else:
        wound_hero(s, hero, damage)


@kernel
def wound_hero(s: Any, hero: int, damage: int) -> None:
    """The dead can do nothing more. Without heroes the game is lost at once."""
    s.hero_damage[hero] = min(HIT_POINTS[hero], s.hero_damage[hero] + damage)
    if alive(s, hero):
        return
    s.lost += s.tapped[hero]
    s.ready[hero] = 0
    s.tapped[hero] = 0
    if heroes_alive(s) == 0:
        s.end = END_HEROES


# ---- Our attacks ---------------------------------------------------------------------------------------------------


@kernel
def attack(s: Any, card: int, target: int) -> None:
    """One character attacks alone: of several copies the most damaged one; of targets alike, the first that engaged."""
    character = FIRST_CHARACTER[card + 1] - 1
    while s.ready[character] == 0:
        character -= 1
    s.ready[character] -= 1
    s.tapped[character] += 1
    s.acted += 1
    place = 0
    while target_of(s, place) != target:
        place += 1
    kind = s.engaged[place]
    s.engaged_damage[place] += max(0, ATTACK[card] - ENEMY_DEFENCE[kind])
    if s.engaged_damage[place] >= ENEMY_HIT_POINTS[kind]:
        s.overcome[kind] += 1
        _leave(s, place)


@kernel
def _leave(s: Any, place: int) -> None:
    """The enemies behind move up, so their order stays."""
    s.engaged_count -= 1
    for i in range(place, s.engaged_count):
        s.engaged[i] = s.engaged[i + 1]
        s.engaged_damage[i] = s.engaged_damage[i + 1]
    s.engaged[s.engaged_count] = NOBODY
    s.engaged_damage[s.engaged_count] = 0

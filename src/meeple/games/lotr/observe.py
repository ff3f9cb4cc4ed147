"""What the player sees, as numbers: level `table`, all of it, and the encodings of the thesis. variants.py has names and bounds.

Level `seen` is in seen.py."""

from __future__ import annotations

from typing import Any

import numpy as np

from meeple.core.kernel import kernel
from meeple.games.lotr import seen
from meeple.games.lotr.combat import alive
from meeple.games.lotr.components import (
    ALLIES,
    ALLY_CARDS,
    ALLY_COPIES,
    CARD_OF,
    CHARACTERS,
    ENCOUNTER_COPIES,
    ENCOUNTERS,
    ENEMIES,
    ENEMY_CARDS,
    ENEMY_HIT_POINTS,
    HEROES,
    LAND_CARDS,
    LANDS,
)
from meeple.games.lotr.rounds import staging_threat
from meeple.games.lotr.state import CHOOSING_HERO, DEFENDING, PHASES

# The levels, numbered as variants.py lists them
TABLE, PLANNING, QUESTING_0, QUESTING_1, QUESTING_2, QUESTING_3, DEFENCE, SEEN = range(8)
# Every kind of enemy with every damage it can have and live
FIRST_WOUNDED = np.concatenate([[0], np.cumsum(ENEMY_HIT_POINTS)])
WOUNDED = int(FIRST_WOUNDED[-1])


@kernel
def observe(s: Any, seat: int, level: int, out: Any) -> None:  # noqa: ARG001
    if level == TABLE:
        _observe_table(s, out)
        return
    if level == SEEN:
        seen.observe(s, out)
        return
    for i in range(out.size):
        out[i] = 0.0
    if level == PLANNING:
        _encode_planning(s, out)
    else:
        _encode_characters(s, out)
        _encode_enemies(s, level, out)


# ---- The whole table -----------------------------------------------------------------------------------------------


@kernel
def _observe_table(s: Any, out: Any) -> None:
    n = _observe_round(s, out)
    n = _observe_player(s, out, n)
    n = _observe_staging(s, out, n)
    n = _observe_engaged(s, out, n)
    _observe_decks(s, out, n)


@kernel
def _observe_round(s: Any, out: Any) -> int:
    out[0] = s.turn
    out[1] = s.threat
    out[2] = s.progress
    out[3] = s.resources
    out[4] = s.willpower
    for phase in range(PHASES):
        out[5 + phase] = 1.0 if s.phase == phase else 0.0
    return 5 + PHASES


@kernel
def _observe_player(s: Any, out: Any, n: int) -> int:
    for kind in range(ALLIES):
        out[n + kind] = s.hand[kind]
    n += ALLIES
    for hero in range(HEROES):
        out[n + hero] = 1.0 if alive(s, hero) else 0.0
        out[n + HEROES + hero] = s.hero_damage[hero]
        out[n + 2 * HEROES + hero] = s.fallen[hero]
    n += 3 * HEROES
    for character in range(CHARACTERS):
        out[n + character] = s.ready[character]
        out[n + CHARACTERS + character] = s.tapped[character]
    return n + 2 * CHARACTERS


@kernel
def _observe_staging(s: Any, out: Any, n: int) -> int:
    out[n] = staging_threat(s)
    n += 1
    for kind in range(ENEMIES):
        out[n + kind] = 0.0
    for place in range(ENEMY_CARDS):
        out[n + ENEMIES + place] = s.staged[place] + 1
        if place < s.staged_count:
            out[n + int(s.staged[place])] += 1.0
    n += ENEMIES + ENEMY_CARDS
    for land in range(LANDS):
        out[n + land] = s.lands[land]
        out[n + LANDS + land] = 1.0 if s.active_land == land else 0.0
    n += 2 * LANDS
    out[n] = s.explored
    return n + 1


@kernel
def _observe_engaged(s: Any, out: Any, n: int) -> int:
    """Counts by kind and damage; who attacks now; whose attack is still to come; and all in their order."""
    for i in range(WOUNDED + 2 * ENEMIES):
        out[n + i] = 0.0
    attacking = n + WOUNDED
    to_come = attacking + ENEMIES
    order = to_come + ENEMIES
    under_attack = s.phase == DEFENDING or s.phase == CHOOSING_HERO
    for place in range(ENEMY_CARDS):
        kind = int(s.engaged[place])
        out[order + place] = kind + 1
        out[order + ENEMY_CARDS + place] = s.engaged_damage[place]
        if place < s.engaged_count:
            out[n + FIRST_WOUNDED[kind] + s.engaged_damage[place]] += 1.0
            if under_attack and place == s.attacker:
                out[attacking + kind] = 1.0
            elif under_attack and place > s.attacker:
                out[to_come + kind] += 1.0
    return order + 2 * ENEMY_CARDS


@kernel
def _observe_decks(s: Any, out: Any, n: int) -> None:
    """What is left in the decks, as counts: all that was drawn lies open, so the player knows it."""
    for i in range(ALLIES + ENCOUNTERS):
        out[n + i] = 0.0
    for i in range(s.deck_left):
        out[n + int(s.deck[i])] += 1.0
    n += ALLIES
    for i in range(s.encounter_left):
        out[n + int(s.encounter[i])] += 1.0


# ---- The encodings of the thesis: a bit for every single card ------------------------------------------------------


@kernel
def _encode_planning(s: Any, out: Any) -> None:
    """Fig. 5.3: allies in hand, staged enemies, the resource pool."""
    first = 0
    for kind in range(ALLIES):
        _set_bits(out, first, s.hand[kind])
        first += ALLY_COPIES[kind]
    _encode_places(s.staged, s.staged_count, ALLY_CARDS, out)
    out[ALLY_CARDS + ENEMY_CARDS] = s.resources


@kernel
def _encode_characters(s: Any, out: Any) -> None:
    """Heroes and allies that can still be used."""
    for hero in range(HEROES):
        out[hero] = s.ready[hero]
    first = HEROES
    character = HEROES
    for kind in range(ALLIES):
        ready = 0
        while character < CHARACTERS and CARD_OF[character] == HEROES + kind:
            ready += s.ready[character]
            character += 1
        _set_bits(out, first, ready)
        first += ALLY_COPIES[kind]


@kernel
def _encode_enemies(s: Any, level: int, out: Any) -> None:
    """Section 5.3: staged enemies, or engaged ones; staged lands in encoding 1; the round, or the threat of the staging area."""
    n = HEROES + ALLY_CARDS
    if level in (QUESTING_3, DEFENCE):
        _encode_places(s.engaged, s.engaged_count, n, out)
    else:
        _encode_places(s.staged, s.staged_count, n, out)
    n += ENEMY_CARDS
    if level == QUESTING_1:
        first = n
        for land in range(LANDS):
            _set_bits(out, first, s.lands[land])
            first += ENCOUNTER_COPIES[ENEMIES + land]
        n += LAND_CARDS
    if level in (QUESTING_0, QUESTING_1):
        out[n] = s.turn
    elif level != DEFENCE:
        out[n] = staging_threat(s)


@kernel
def _encode_places(places: Any, count: int, first: int, out: Any) -> None:
    """A bit for each enemy of a list; copies take the bits of their kind from the first."""
    for kind in range(ENEMIES):
        n = 0
        for place in range(count):
            if places[place] == kind:
                n += 1
        _set_bits(out, first, n)
        first += ENCOUNTER_COPIES[kind]


@kernel
def _set_bits(out: Any, first: int, n: int) -> None:
    for i in range(n):
        out[first + i] = 1.0

"""What is hidden, the order of the two decks, and how it is dealt again; and the audit of what must always hold."""

from __future__ import annotations

from typing import Any

from meeple.core.kernel import kernel
from meeple.core.rng import derive, shuffle
from meeple.games.lotr.combat import END_HEROES, END_THREAT, END_WON, alive, heroes_alive, heroes_to_hit, ready_characters
from meeple.games.lotr.components import (
    ALLIES,
    ALLY_CARDS,
    ALLY_COPIES,
    CHARACTERS,
    COST,
    ENCOUNTER_CARDS,
    ENCOUNTER_COPIES,
    ENCOUNTERS,
    ENEMIES,
    ENEMY_CARDS,
    ENEMY_HIT_POINTS,
    ENGAGEMENT,
    FIRST_CHARACTER,
    HEROES,
    HIT_POINTS,
    LOSING_THREAT,
    POINTS,
    PROGRESS_TO_WIN,
    STARTING_THREAT,
)
from meeple.games.lotr.state import (
    ATTACKING,
    CHOOSING_HERO,
    DEFENDING,
    EASY,
    NOBODY,
    PLANNING,
    QUESTING,
)


@kernel
def redeal(s: Any, seat: int, seed: Any) -> None:  # noqa: ARG001
    """Shuffle both decks again. Sorted first: were they only permuted by the seed, whoever knows it could permute them back."""
    s.luck[0] = derive(seed, 1)
    _sort(s.deck, s.deck_left, ALLIES)
    shuffle(s.deck, s.deck_left, s.luck)
    _sort(s.encounter, s.encounter_left, ENCOUNTERS)
    shuffle(s.encounter, s.encounter_left, s.luck)


@kernel
def _sort(cards: Any, n: int, kinds: int) -> None:
    """The kinds in their order, by counting them; four bits a kind are enough, no deck has more than four of one."""
    counts = 0
    for i in range(n):
        counts += 1 << (4 * int(cards[i]))
    i = 0
    for kind in range(kinds):
        for _ in range((counts >> (4 * kind)) & 15):
            cards[i] = kind
            i += 1


# ---- Audit ---------------------------------------------------------------------------------------------------------

INVARIANTS = (
    "the player's cards are conserved",
    "the encounter cards are conserved",
    "threat never falls: it rises by one a round at least, and at fifty the game is lost",
    "only untapped characters act, and tap by it",
    "the dead do nothing more",
    "resources are not negative and never more than the heroes brought",
    "progress is within bounds, and eight points win",
    "whoever should be engaged is engaged",
    "places without a card are wiped",
    "the phase is one in which there is something to decide",
)


@kernel
def audit(s: Any) -> int:
    if not _allies_conserved(s):
        return 1
    if not _encounters_conserved(s):
        return 2
    if s.threat < STARTING_THREAT + s.turn or (s.threat >= LOSING_THREAT) != (s.end == END_THREAT):
        return 3
    tapped = 0
    for character in range(CHARACTERS):
        tapped += s.tapped[character]
    if tapped + s.lost != s.acted:
        return 4
    if not _dead_have_left(s):
        return 5
    spent = 0
    for kind in range(ALLIES):
        spent += COST[kind] * s.bought[kind]
    if s.resources < 0 or s.resources + spent > HEROES * (s.turn + 1):
        return 6
    if not _progress_sound(s):
        return 7
    return _audit_places(s)


@kernel
def _audit_places(s: Any) -> int:
    if s.phase >= DEFENDING:
        for i in range(s.staged_count):
            if ENGAGEMENT[s.staged[i]] <= s.threat:
                return 8
    if not _places_wiped(s):
        return 9
    return 0 if s.end != 0 or _phase_sound(s) else 10


@kernel
def _allies_conserved(s: Any) -> bool:
    for kind in range(ALLIES):
        copies = s.hand[kind] + s.discarded[kind]
        least = min(s.hand[kind], s.discarded[kind])
        for i in range(s.deck_left):
            copies += s.deck[i] == kind
        for character in range(FIRST_CHARACTER[HEROES + kind], FIRST_CHARACTER[HEROES + kind + 1]):
            copies += s.ready[character] + s.tapped[character]
            least = min(least, s.ready[character], s.tapped[character])
        if copies != ALLY_COPIES[kind] or least < 0:
            return False
    return True


@kernel
def _encounters_conserved(s: Any) -> bool:
    for kind in range(ENCOUNTERS):
        copies = s.overcome[kind]
        for i in range(s.encounter_left):
            copies += s.encounter[i] == kind
        if kind < ENEMIES:
            for i in range(ENEMY_CARDS):
                copies += s.staged[i] == kind
                copies += s.engaged[i] == kind
        else:
            copies += s.lands[kind - ENEMIES] + (s.active_land == kind - ENEMIES)
        expected = ENCOUNTER_COPIES[kind] if kind < ENEMIES or s.variant != EASY else 0
        if copies != expected or s.overcome[kind] < 0:
            return False
    return True


@kernel
def _dead_have_left(s: Any) -> bool:
    """A living hero is tapped or untapped, a dead one neither; only the dead are fallen; every engaged enemy has hit points."""
    for hero in range(HEROES):
        if not 0 <= s.hero_damage[hero] <= HIT_POINTS[hero]:
            return False
        if s.ready[hero] < 0 or s.tapped[hero] < 0 or s.ready[hero] + s.tapped[hero] != (1 if alive(s, hero) else 0):
            return False
        if s.fallen[hero] and (alive(s, hero) or not s.fallen_stay):
            return False
    for place in range(s.engaged_count):
        if not 0 <= s.engaged_damage[place] < ENEMY_HIT_POINTS[s.engaged[place]]:
            return False
    return (heroes_alive(s) == 0) == (s.end == END_HEROES)  # type: ignore[no-any-return]


@kernel
def _progress_sound(s: Any) -> bool:
    if s.active_land == NOBODY:
        if s.explored != 0:
            return False
    elif not 0 <= s.explored < POINTS[s.active_land]:
        return False
    if not 0 <= s.progress <= PROGRESS_TO_WIN:
        return False
    return (s.progress == PROGRESS_TO_WIN) == (s.end == END_WON)  # type: ignore[no-any-return]


@kernel
def _places_wiped(s: Any) -> bool:
    for i in range(ALLY_CARDS):
        if (s.deck[i] == NOBODY) != (i >= s.deck_left):
            return False
    for i in range(ENCOUNTER_CARDS):
        if (s.encounter[i] == NOBODY) != (i >= s.encounter_left):
            return False
    for i in range(ENEMY_CARDS):
        if (s.staged[i] == NOBODY) != (i >= s.staged_count) or (s.engaged[i] == NOBODY) != (i >= s.engaged_count):
            return False
        if i >= s.engaged_count and s.engaged_damage[i] != 0:
            return False
    return True


@kernel
def _phase_sound(s: Any) -> bool:
    """Nobody has acted before the quest; the willpower is that of tapped characters; an enemy attacks only while we defend."""
    if s.phase == PLANNING and s.acted != 0:
        return False
    if s.phase == QUESTING or s.phase == DEFENDING or s.phase == ATTACKING:
        if ready_characters(s) == 0:
            return False
    elif s.phase == CHOOSING_HERO and heroes_to_hit(s) < 2:
        return False
    if s.phase == DEFENDING or s.phase == CHOOSING_HERO:
        return 0 <= s.attacker < s.engaged_count  # type: ignore[no-any-return]
    return s.attacker == 0 and (s.phase != ATTACKING or s.engaged_count > 0)  # type: ignore[no-any-return]

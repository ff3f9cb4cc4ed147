"""How a round goes on from phase to phase, and how the game ends. A decision with only one answer is not asked."""

from __future__ import annotations

from typing import Any

from meeple.core.kernel import kernel
from meeple.games.lotr.combat import END_CAP, END_THREAT, END_WON, can_be_hit, heroes_alive, heroes_to_hit, hit, ready_characters
from meeple.games.lotr.components import (
    ALLIES,
    CARD_OF,
    CHARACTERS,
    COST,
    ENEMIES,
    ENGAGEMENT,
    FIRST_CHARACTER,
    HEROES,
    LANDS,
    LASTING,
    LOSING_THREAT,
    POINTS,
    PROGRESS_TO_WIN,
    ROUND_CAP,
    THREAT,
    WILLPOWER,
)
from meeple.games.lotr.state import (
    ATTACKING,
    CHOOSING_HERO,
    DEFENDING,
    HARD_SKIP,
    NOBODY,
    PLANNING,
    QUESTING,
    TRAVELLING,
    deal,
    draw_ally,
    reveal,
)


@kernel
def begin_game(s: Any, config: Any, seed: Any) -> None:
    deal(s, config, seed)
    begin_round(s)


# ---- Resources and planning ----------------------------------------------------------------------------------------


@kernel
def begin_round(s: Any) -> None:
    """Phase 1: a resource for every hero, and a card."""
    s.resources += heroes_alive(s)
    draw_ally(s)
    plan(s)


@kernel
def plan(s: Any) -> None:
    """Phase 2, as long as there is something in hand that can be paid for. Then the quest: there is always a hero to commit."""
    s.phase = QUESTING
    for kind in range(ALLIES):
        if affordable(s, kind):
            s.phase = PLANNING


@kernel
def affordable(s: Any, kind: int) -> bool:
    return s.hand[kind] > 0 and COST[kind] <= s.resources  # type: ignore[no-any-return]


# ---- The quest -----------------------------------------------------------------------------------------------------


@kernel
def staging_threat(s: Any) -> int:
    """The threat of all cards in the staging area; engaged enemies and the active land add none."""
    threat = 0
    for i in range(s.staged_count):
        threat += THREAT[s.staged[i]]
    for land in range(LANDS):
        threat += THREAT[ENEMIES + land] * s.lands[land]
    return threat


@kernel
def willpower_at_hand(s: Any) -> int:
    """Of all characters that are untapped."""
    willpower = 0
    for character in range(CHARACTERS):
        willpower += s.ready[character] * WILLPOWER[CARD_OF[character]]
    return willpower


@kernel
def resolve_quest(s: Any) -> None:
    """Phase 3: a card is revealed and counts at once; willpower beyond the threat is progress, threat beyond it is ours."""
    if s.variant == HARD_SKIP and s.acted == 0:
        travel(s)  # the fault of the thesis's evaluation: an empty commitment skips the quest
        return
    reveal(s)
    result = s.willpower - staging_threat(s)
    if result > 0:
        make_progress(s, result)
    else:
        s.threat -= result
    if s.progress >= PROGRESS_TO_WIN:
        s.end = END_WON
    elif s.threat >= LOSING_THREAT:
        s.end = END_THREAT
    else:
        travel(s)


@kernel
def make_progress(s: Any, points: int) -> None:
    """On the active land first, what is left over on the quest."""
    if s.active_land != NOBODY:
        spent = min(points, POINTS[s.active_land] - s.explored)
        points -= spent
        s.explored += spent
        if s.explored == POINTS[s.active_land]:
            s.overcome[ENEMIES + s.active_land] += 1
            s.active_land = NOBODY
            s.explored = 0
    s.progress = min(PROGRESS_TO_WIN, s.progress + points)


# ---- Travel and encounter ------------------------------------------------------------------------------------------


@kernel
def travel(s: Any) -> None:
    """Phase 4, if there is somewhere to go and no land is active."""
    if s.active_land == NOBODY:
        for land in range(LANDS):
            if s.lands[land] > 0:
                s.phase = TRAVELLING
                return
    encounter(s)


@kernel
def encounter(s: Any) -> None:
    """Phase 5: every staged enemy whose engagement cost the threat has reached engages, in the order they came."""
    staying = 0
    for i in range(s.staged_count):
        kind = s.staged[i]
        if ENGAGEMENT[kind] <= s.threat:
            s.engaged[s.engaged_count] = kind
            s.engaged_count += 1
        else:
            s.staged[staying] = kind
            staying += 1
    for i in range(staying, s.staged_count):
        s.staged[i] = NOBODY
    s.staged_count = staying
    go_on_defending(s)


# ---- Combat --------------------------------------------------------------------------------------------------------


@kernel
def go_on_defending(s: Any) -> None:
    """Phase 6: the engaged enemies attack one by one."""
    while s.attacker < s.engaged_count and s.end == 0:
        if ready_characters(s) > 0:
            s.phase = DEFENDING
            return
        if heroes_to_hit(s) > 1:
            s.phase = CHOOSING_HERO
            return
        hit(s, _only_hero(s))
    s.attacker = 0
    if s.end == 0:
        go_on_attacking(s)


@kernel
def leave_undefended(s: Any) -> None:
    """With a choice of heroes, it is still to be decided which one is hit."""
    if heroes_to_hit(s) > 1:
        s.phase = CHOOSING_HERO
    else:
        hit(s, _only_hero(s))
        go_on_defending(s)


@kernel
def _only_hero(s: Any) -> int:
    for hero in range(HEROES):
        if can_be_hit(s, hero):
            return hero
    return NOBODY


@kernel
def go_on_attacking(s: Any) -> None:
    """Phase 7, as long as there are an untapped character and an enemy."""
    if s.engaged_count > 0 and ready_characters(s) > 0:
        s.phase = ATTACKING
    else:
        refresh(s)


# ---- Refresh, and the end ------------------------------------------------------------------------------------------


@kernel
def refresh(s: Any) -> None:
    """Phase 8: characters that do not stay are discarded, all untap, the threat rises by one, and the next round begins."""
    for character in range(CHARACTERS):
        s.ready[character] += s.tapped[character]
        s.tapped[character] = 0
    for kind in range(ALLIES):
        s.bought[kind] = 0
        if not LASTING[kind]:
            s.discarded[kind] += s.ready[FIRST_CHARACTER[HEROES + kind]]
            s.ready[FIRST_CHARACTER[HEROES + kind]] = 0
    s.willpower = 0
    s.acted = 0
    s.lost = 0
    for hero in range(HEROES):
        s.fallen[hero] = 0
    s.threat += 1
    s.turn += 1
    if s.threat >= LOSING_THREAT:
        s.end = END_THREAT
    elif s.turn >= ROUND_CAP:
        s.end = END_CAP
    else:
        begin_round(s)


@kernel
def outcome(s: Any, out: Any) -> None:
    out[0] = 1.0 if s.end == END_WON else 0.0


@kernel
def scores(s: Any, out: Any) -> None:
    """There are no points: a game is won or lost."""
    out[0] = 1.0 if s.end == END_WON else 0.0

"""What may be done, and doing it. Kernels: legality is assumed, nothing is checked here."""

from __future__ import annotations

from typing import Any

from meeple.core.kernel import kernel
from meeple.games.lotr import combat, rounds
from meeple.games.lotr.actions import (
    ATTACK_WITH,
    BUY,
    COMMIT,
    DEFEND,
    HIT,
    STAY,
    STOP,
    TRAVEL,
    UNDEFENDED,
)
from meeple.games.lotr.components import (
    ALLIES,
    CARD_OF,
    CARDS,
    CHARACTERS,
    COST,
    FIRST_CHARACTER,
    HEROES,
    LANDS,
    TARGETS,
    WILLPOWER,
)
from meeple.games.lotr.state import ATTACKING, DEFENDING, PLANNING, QUESTING, TRAVELLING

# ---- Legal actions -------------------------------------------------------------------------------------------------


@kernel
def legal(s: Any, out: Any) -> int:
    if s.phase == PLANNING:
        return _legal_buys(s, out)
    if s.phase == QUESTING:
        return _legal_characters(s, out, COMMIT, STOP)
    if s.phase == TRAVELLING:
        return _legal_lands(s, out)
    if s.phase == DEFENDING:
        return _legal_characters(s, out, DEFEND, UNDEFENDED)
    if s.phase == ATTACKING:
        return _legal_attacks(s, out)
    return _legal_hits(s, out)


@kernel
def _legal_buys(s: Any, out: Any) -> int:
    n = 0
    for kind in range(ALLIES):
        if rounds.affordable(s, kind):
            out[n] = BUY + kind
            n += 1
    out[n] = STOP
    return n + 1


@kernel
def _legal_characters(s: Any, out: Any, first: int, none: int) -> int:
    """Every untapped character, and nobody."""
    n = 0
    for character in range(CHARACTERS):
        if s.ready[character] > 0:
            out[n] = first + character
            n += 1
    out[n] = none
    return n + 1


@kernel
def _legal_lands(s: Any, out: Any) -> int:
    n = 0
    for land in range(LANDS):
        if s.lands[land] > 0:
            out[n] = TRAVEL + land
            n += 1
    out[n] = STAY
    return n + 1


@kernel
def _legal_hits(s: Any, out: Any) -> int:
    n = 0
    for hero in range(HEROES):
        if combat.can_be_hit(s, hero):
            out[n] = HIT + hero
            n += 1
    return n


@kernel
def _legal_attacks(s: Any, out: Any) -> int:
    """The targets are listed for the first attacker; for the others they are the same."""
    n = 0
    first = 0
    targets = 0
    for card in range(CARDS):
        if not _ready(s, card):
            continue
        if n == 0:
            first = card
            targets = _list_targets(s, out, ATTACK_WITH + card * TARGETS)
            n = targets
        else:
            for i in range(targets):
                out[n] = out[i] + (card - first) * TARGETS
                n += 1
    out[n] = STOP
    return n + 1


@kernel
def _ready(s: Any, card: int) -> bool:
    for character in range(FIRST_CHARACTER[card], FIRST_CHARACTER[card + 1]):
        if s.ready[character] > 0:
            return True
    return False


@kernel
def _list_targets(s: Any, out: Any, base: int) -> int:
    """Each sort of target once."""
    n = 0
    listed = 0  # a bit for each
    for place in range(s.engaged_count):
        target = int(combat.target_of(s, place))
        if not (listed >> target) & 1:
            listed |= 1 << target
            out[n] = base + target
            n += 1
    return n


KINDS = ("buy", "commit", "travel", "stay", "defend", "undefended", "hit", "stop", "attack")


@kernel
def kind(s: Any, action: int) -> int:  # noqa: ARG001
    if action < STAY:
        return 0 if action < COMMIT else (1 if action < TRAVEL else 2)
    if action < HIT:
        return 3 if action == STAY else (4 if action < UNDEFENDED else 5)
    return 6 if action < STOP else (7 if action == STOP else 8)


# ---- Making an action ----------------------------------------------------------------------------------------------


@kernel
def apply(s: Any, action: int) -> None:
    if action < TRAVEL:
        if action < COMMIT:
            _buy(s, action - BUY)
        else:
            _commit(s, action - COMMIT)
    elif action < DEFEND:
        if action != STAY:
            _travel(s, action - TRAVEL)
        rounds.encounter(s)
    elif action == UNDEFENDED:
        rounds.leave_undefended(s)
    elif action < STOP:
        if action < UNDEFENDED:
            combat.defend(s, action - DEFEND)
        else:
            combat.hit(s, action - HIT)
        rounds.go_on_defending(s)
    elif action == STOP:
        _stop(s)
    else:
        combat.attack(s, (action - ATTACK_WITH) // TARGETS, (action - ATTACK_WITH) % TARGETS)
        rounds.go_on_attacking(s)


@kernel
def _buy(s: Any, kind: int) -> None:
    """An ally comes into play untapped and may act in this very round."""
    s.hand[kind] -= 1
    s.resources -= COST[kind]
    s.bought[kind] += 1
    s.ready[FIRST_CHARACTER[HEROES + kind]] += 1
    rounds.plan(s)


@kernel
def _commit(s: Any, character: int) -> None:
    s.ready[character] -= 1
    s.tapped[character] += 1
    s.acted += 1
    s.willpower += WILLPOWER[CARD_OF[character]]
    if combat.ready_characters(s) == 0:
        rounds.resolve_quest(s)


@kernel
def _travel(s: Any, land: int) -> None:
    s.lands[land] -= 1
    s.active_land = land


@kernel
def _stop(s: Any) -> None:
    if s.phase == PLANNING:
        s.phase = QUESTING
    elif s.phase == QUESTING:
        rounds.resolve_quest(s)
    else:
        rounds.refresh(s)

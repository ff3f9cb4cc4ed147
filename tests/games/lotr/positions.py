"""Positions for tests, in the words of the moves: `arrange(table(), hand="gandalf", engaged="king spider (1 damage)")`.

A position is written down whole: what is not named is empty, the heroes are untapped and unhurt, and all other cards are in the
decks. So cards stay conserved, and every position passes the audit.
"""

from __future__ import annotations

import re

import meeple
from meeple.games.lotr.components import (
    ALLIES,
    ALLY_COPIES,
    CARD_NAMES,
    ENCOUNTER_COPIES,
    ENCOUNTER_NAMES,
    ENCOUNTERS,
    ENEMIES,
    FIRST_CHARACTER,
    HEROES,
    HIT_POINTS,
)
from meeple.games.lotr.knowledge import audit
from meeple.games.lotr.state import ATTACKING, CHOOSING_HERO, DEFENDING, EASY, PLANNING, QUESTING, TRAVELLING

PHASES = {
    "planning": PLANNING,
    "questing": QUESTING,
    "travel": TRAVELLING,
    "defence": DEFENDING,
    "undefended": CHOOSING_HERO,
    "attack": ATTACKING,
}


def table(variant: str = "medium", fallen: str = "stay", seed: int = 1) -> meeple.State:
    return meeple.new(f"lotr:{variant},fallen={fallen}", seed)


def cards(text: str) -> list[tuple[str, int]]:
    """ "gandalf, king spider (1 damage)" -> [("gandalf", 0), ("king spider", 1)]."""
    found = [re.fullmatch(r"(.+?)(?: \((\d+) damage\))?", part.strip()) for part in text.split(",") if part.strip()]
    return [(match[1], int(match[2] or 0)) for match in found if match]


def arrange(state: meeple.State, phase: str = "questing", **where: str | int) -> meeple.State:
    """Lay the cards as told: hand, untapped, tapped, dead, staged, engaged, lands, active (all names); draw, reveal (the next cards
    of the decks, the very next first); threat, progress, resources, willpower, explored, round (numbers)."""
    s = state.data
    s.phase = PHASES[phase]
    s.turn = where.get("round", max(0, int(where.get("resources", 0)) - 1) // HEROES)  # soon enough to have the resources
    s.threat = where.get("threat", 24 + int(s.turn))
    s.progress = where.get("progress", 0)
    s.willpower = where.get("willpower", 0)
    s.resources = where.get("resources", 0)
    s.bought[:] = s.discarded[:] = s.overcome[:] = s.fallen[:] = 0
    s.attacker = s.lost = 0
    _lay_characters(state, {name: str(where.get(name, "")) for name in ("untapped", "tapped", "dead")})
    s.acted = int(s.tapped.sum())
    _lay_encounters(state, {name: str(where.get(name, "")) for name in ("staged", "engaged", "lands", "active")})
    s.explored = where.get("explored", 0)
    s.hand[:] = 0
    for name, _ in cards(str(where.get("hand", ""))):
        s.hand[CARD_NAMES.index(name) - HEROES] += 1
    _fill_decks(state, str(where.get("draw", "")), str(where.get("reveal", "")))
    assert audit(s) == 0, audit(s)
    return state


def _lay_characters(state: meeple.State, named: dict[str, str]) -> None:
    s = state.data
    s.ready[:] = s.tapped[:] = s.hero_damage[:] = 0
    s.ready[:HEROES] = 1
    for where, counts in (("untapped", s.ready), ("tapped", s.tapped)):
        for name, damage in cards(named[where]):
            card = CARD_NAMES.index(name)
            if card < HEROES:
                s.ready[card] = 0
                counts[card] = 1
                s.hero_damage[card] = damage
            else:
                counts[FIRST_CHARACTER[card] + damage] += 1
    for name, _ in cards(named["dead"]):
        hero = CARD_NAMES.index(name)
        s.ready[hero] = s.tapped[hero] = 0
        s.hero_damage[hero] = HIT_POINTS[hero]


def _lay_encounters(state: meeple.State, named: dict[str, str]) -> None:
    s = state.data
    s.staged[:] = s.engaged[:] = -1
    s.engaged_damage[:] = s.lands[:] = 0
    staged, engaged = cards(named["staged"]), cards(named["engaged"])
    s.staged_count, s.engaged_count = len(staged), len(engaged)
    for place, (name, _) in enumerate(staged):
        s.staged[place] = ENCOUNTER_NAMES.index(name)
    for place, (name, damage) in enumerate(engaged):
        s.engaged[place] = ENCOUNTER_NAMES.index(name)
        s.engaged_damage[place] = damage
    for name, _ in cards(named["lands"]):
        s.lands[ENCOUNTER_NAMES.index(name) - ENEMIES] += 1
    s.active_land = ENCOUNTER_NAMES.index(named["active"]) - ENEMIES if named["active"] else -1


def _fill_decks(state: meeple.State, draw: str, reveal: str) -> None:
    """Whatever is nowhere else, in the order of its kinds, under the cards that are to come next."""
    s = state.data
    left = ALLY_COPIES - s.hand
    for kind in range(ALLIES):
        place = slice(FIRST_CHARACTER[HEROES + kind], FIRST_CHARACTER[HEROES + kind + 1])
        left[kind] -= s.ready[place].sum() + s.tapped[place].sum()
    stack(s.deck, left, [CARD_NAMES.index(name) - HEROES for name, _ in cards(draw)])
    s.deck_left = (s.deck >= 0).sum()
    left = ENCOUNTER_COPIES.copy()
    for kind in range(ENEMIES):
        left[kind] -= (s.staged == kind).sum() + (s.engaged == kind).sum()
    left[ENEMIES:] -= s.lands
    if s.active_land >= 0:
        left[ENEMIES + s.active_land] -= 1
    if s.variant == EASY:
        left[ENEMIES:] = 0
    stack(s.encounter, left, [ENCOUNTER_NAMES.index(name) for name, _ in cards(reveal)])
    s.encounter_left = (s.encounter >= 0).sum()


def stack(deck: object, left: object, following: list[int]) -> None:
    """Write a deck: these kinds, so many of each, the following ones on top."""
    pile = [kind for kind, n in enumerate(left) for _ in range(n)]  # type: ignore[arg-type, var-annotated]
    for kind in following:
        pile.remove(kind)
    pile += following[::-1]
    deck[:] = -1  # type: ignore[index]
    deck[: len(pile)] = pile  # type: ignore[index]


def empty_deck(state: meeple.State) -> None:
    """All allies that were in the deck are discarded."""
    s = state.data
    for kind in range(ALLIES):
        s.discarded[kind] += (s.deck == kind).sum()
    s.deck[:] = -1
    s.deck_left = 0


def empty_encounters(state: meeple.State) -> None:
    s = state.data
    for kind in range(ENCOUNTERS):
        s.overcome[kind] += (s.encounter == kind).sum()
    s.encounter[:] = -1
    s.encounter_left = 0


def engaged(state: meeple.State) -> str:
    """The engaged enemies in their order, as `arrange` takes them."""
    return ", ".join(_named(enemy) for enemy in state.view(0)["engaged"])


def staged(state: meeple.State) -> str:
    return ", ".join(enemy["name"] for enemy in state.view(0)["staged"])


def lands(state: meeple.State) -> str:
    return ", ".join(land["name"] for land in state.view(0)["lands"])


def allies(state: meeple.State, tapped: bool = False) -> str:
    return ", ".join(_named(ally) for ally in state.view(0)["allies"] if ally["tapped"] == tapped)


def hero(state: meeple.State, name: str) -> tuple[int, str]:
    """Its damage, and whether it is untapped, tapped, fallen or dead."""
    (found,) = [hero for hero in state.view(0)["heroes"] if hero["name"] == name]
    alive = "tapped" if found["tapped"] else "untapped"
    return found["damage"], alive if found["state"] == "alive" else found["state"]


def phase(state: meeple.State) -> str:
    return str(state.view(0)["phase"])


def _named(card: dict[str, object]) -> str:
    return f"{card['name']} ({card['damage']} damage)" if card["damage"] else str(card["name"])

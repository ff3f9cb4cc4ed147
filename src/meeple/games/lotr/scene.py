"""The table as a picture (core/scene.py): the quest and the staging area above, engaged enemies, one's heroes and hand below."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from meeple.core.game import Variant
from meeple.core.scene import Fact, Parts, Piece, Scene, Zone
from meeple.games.lotr.actions import ATTACK_WITH, BUY, COMMIT, DEFEND, HIT, STAY, STOP, TRAVEL, UNDEFENDED
from meeple.games.lotr.board import PHASE_NAMES, QUESTIONS
from meeple.games.lotr.components import (
    CARD_NAMES,
    CARD_OF,
    DAMAGE_OF,
    ENCOUNTER_NAMES,
    ENEMIES,
    ENEMY_OF,
    HEROES,
    LOSING_THREAT,
    PROGRESS_TO_WIN,
    SEVERAL,
    TARGET_DAMAGE,
    TARGETS,
)
from meeple.games.lotr.macros import PLAN
from meeple.games.lotr.state import DECIDED
from meeple.games.lotr.variants import BY_MACROS

HERO_NAMES = CARD_NAMES[:HEROES]
FIGURES = ("willpower", "attack", "defence")
PICTURE = {name: name.replace(" ", "-").replace("'", "") for name in (*CARD_NAMES, *ENCOUNTER_NAMES)}


def scene(variant: Variant, seen: dict[str, Any]) -> Scene:
    ask = QUESTIONS[PHASE_NAMES.index(seen["phase"])]
    zones = (_quest(seen), _staging(seen), _engaged(seen), _score(seen), _characters(seen), _hand(seen))
    by_macro = DECIDED[variant.chosen["decisions"]] & BY_MACROS.get(seen["phase"], 0)
    return Scene(zones, f"{seen['phase'].capitalize()}: how?" if by_macro else ask)


# ---- The encounters ------------------------------------------------------------------------------------------------


def _quest(seen: dict[str, Any]) -> Zone:
    progress = f"{seen['progress']}/{PROGRESS_TO_WIN}"
    label = f"the quest: progress {seen['progress']} of {PROGRESS_TO_WIN}"
    quest = Piece("the quest", mark=progress, label=label, colour="green", picture="lotr/quest")
    left = sum(seen["encounter_deck"].values())
    deck = Piece("deck", mark=str(left), label=f"encounter deck, {left} cards left", picture="lotr/eye", state="back")
    place = seen["active_land"]
    here = (_land(place, "", f"{place['explored']}/{place['points']}"),) if place else ()
    return Zone("quest", "Quest", (quest, *here, deck), note=f"round {seen['round']}")


def _staging(seen: dict[str, Any]) -> Zone:
    enemies = [_enemy(enemy, "", staged=True) for enemy in seen["staged"]]
    lands = [_land(land, f"land:{land['name']}", str(land["points"])) for land in seen["lands"]]
    return Zone("staging", "Staging area", _alike([*enemies, *lands]), note=f"threat {seen['staging_threat']}")


def _engaged(seen: dict[str, Any]) -> Zone:
    enemies = [
        _enemy(enemy, f"enemy:{_told(enemy['name'], enemy['damage'])}", active=seen["attacker"] == i)
        for i, enemy in enumerate(seen["engaged"])
    ]
    return Zone("engaged", "Engaged with you", tuple(enemies))


def _enemy(enemy: dict[str, Any], part: str, staged: bool = False, active: bool = False) -> Piece:
    figures = ("threat", "engagement") if staged else ("attack", "defence")
    label = f"{enemy['name']}: {', '.join(f'{name} {enemy[name]}' for name in (*figures, *FIGURES[1:]))}, {_health(enemy)}"
    facts = (*(_figure(enemy, name) for name in figures), *([] if staged else [_hit_points(enemy)]))
    state = "active" if active else ""
    label += ", attacks now" if active else ""
    return Piece(enemy["name"], part, "", label, "red", "card", f"lotr/{PICTURE[enemy['name']]}", 1, state, facts)


def _land(land: dict[str, Any], part: str, points: str) -> Piece:
    label = f"{land['name']}: threat {land['threat']}, explored with {points.replace('/', ' of ')}"
    facts = (_figure(land, "threat"), Fact("explore", points, picture="lotr/explore"))
    return Piece(land["name"], part, "", label, "brown", "card", f"lotr/{PICTURE[land['name']]}", facts=facts)


# ---- The player ----------------------------------------------------------------------------------------------------


def _score(seen: dict[str, Any]) -> Zone:
    facts = [
        Piece(
            "threat",
            mark=f"{seen['threat']}/{LOSING_THREAT}",
            label=f"threat {seen['threat']}, lost at {LOSING_THREAT}",
            picture="lotr/threat",
        ),
        Piece("resources", mark=str(seen["resources"]), picture="lotr/cost"),
        Piece("cards to draw", mark=str(sum(seen["deck"].values()))),
    ]
    if seen["phase"] == "questing":
        facts.insert(2, Piece("willpower committed", mark=str(seen["willpower"]), picture="lotr/willpower"))
    return Zone("own score", "Score", tuple(facts), "fact", 0)


def _characters(seen: dict[str, Any]) -> Zone:
    heroes = tuple(_hero(hero) for hero in seen["heroes"])
    allies = _alike([_ally(ally, seen["phase"]) for ally in seen["allies"]])
    return Zone("characters", "Heroes and allies", (*heroes, *allies), seat=0)


def _hero(hero: dict[str, Any]) -> Piece:
    state = {"alive": "used" if hero["tapped"] else "", "fallen": "done", "dead": "done"}[hero["state"]]
    told = {"": "ready", "used": "exhausted", "done": hero["state"]}[state]
    return _character(hero, f"hero:{hero['name']}" if hero["state"] != "dead" else "", state, told)


def _ally(ally: dict[str, Any], phase: str) -> Piece:
    """Whoever attacks is named by the card alone; who commits or defends also by the damage."""
    part = f"ally:{ally['name'] if phase == 'attack' else _with_damage(ally['name'], ally['damage'])}"
    return _character(
        ally, "" if ally["tapped"] else part, "used" if ally["tapped"] else "", "exhausted" if ally["tapped"] else "ready"
    )


def _character(card: dict[str, Any], part: str, state: str, told: str) -> Piece:
    label = f"{card['name']}, {told}: {_told_figures(card)}, {_health(card)}"
    facts = (*(_figure(card, name) for name in FIGURES), _hit_points(card))
    colour = "teal" if card["name"] in HERO_NAMES else "blue"
    return Piece(card["name"], part, "", label, colour, "card", f"lotr/{PICTURE[card['name']]}", 1, state, facts)


def _hand(seen: dict[str, Any]) -> Zone:
    return Zone("hand", "Your hand", _alike([_held(card) for card in seen["hand"]]), seat=0)


def _held(card: dict[str, Any]) -> Piece:
    label = f"{card['name']}: costs {card['cost']}, {_told_figures(card)}, hit points {card['hit_points']}"
    facts = (*(_figure(card, name) for name in FIGURES), Fact("hit points", str(card["hit_points"]), picture="lotr/hit-points"))
    return Piece(
        card["name"], f"hand:{card['name']}", str(card["cost"]), label, "gold", "card", f"lotr/{PICTURE[card['name']]}", facts=facts
    )


# ---- Words and figures ---------------------------------------------------------------------------------------------


def _alike(pieces: list[Piece]) -> tuple[Piece, ...]:
    """Alike ones side by side become one piece with their number."""
    counted = ((piece, len(list(same))) for piece, same in groupby(pieces))
    return tuple(Piece(**{**vars(piece), "count": n}) for piece, n in counted)


def _figure(card: dict[str, Any], name: str) -> Fact:
    return Fact(name, str(card[name]), picture=f"lotr/{name}")


def _hit_points(card: dict[str, Any]) -> Fact:
    left = max(0, card["hit_points"] - card["damage"])
    return Fact("hit points", f"{left}/{card['hit_points']}" if card["damage"] else str(left), picture="lotr/hit-points")


def _told_figures(card: dict[str, Any]) -> str:
    return ", ".join(f"{name} {card[name]}" for name in FIGURES)


def _health(card: dict[str, Any]) -> str:
    left = max(0, card["hit_points"] - card["damage"])
    return f"{left} of {card['hit_points']} hit points left" if card["damage"] else f"hit points {left}"


def _told(name: str, damage: int) -> str:
    """An enemy without a double is told by its name alone."""
    return _with_damage(name, damage if SEVERAL[ENCOUNTER_NAMES.index(name)] else 0)


def _with_damage(name: str, damage: int) -> str:
    return f"{name} ({damage} damage)" if damage else name


# ---- Moves ---------------------------------------------------------------------------------------------------------


def parts(variant: Variant, action: int) -> Parts:  # noqa: ARG001
    if action >= PLAN or action in (STAY, UNDEFENDED, STOP):
        return ()
    if action < COMMIT:
        return ((f"hand:{CARD_NAMES[HEROES + action - BUY]}", 1),)
    if action < TRAVEL:
        return (_character_part(action - COMMIT),)
    if action < STAY:
        return ((f"land:{ENCOUNTER_NAMES[ENEMIES + action - TRAVEL]}", 1),)
    if action < UNDEFENDED:
        return (_character_part(action - DEFEND),)
    if action < STOP:
        return ((f"hero:{CARD_NAMES[action - HIT]}", 1),)
    card, target = divmod(action - ATTACK_WITH, TARGETS)
    who = f"{'hero' if card < HEROES else 'ally'}:{CARD_NAMES[card]}"
    return ((who, 1), (f"enemy:{_with_damage(ENCOUNTER_NAMES[ENEMY_OF[target]], int(TARGET_DAMAGE[target]))}", 1))


def _character_part(character: int) -> tuple[str, int]:
    card = int(CARD_OF[character])
    if card < HEROES:
        return f"hero:{CARD_NAMES[card]}", 1
    return f"ally:{_with_damage(CARD_NAMES[card], int(DAMAGE_OF[character]))}", 1

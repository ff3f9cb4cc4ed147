"""The view: what the player may know, as plain data; and the table drawn from it for a terminal."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from meeple.games.lotr.combat import alive
from meeple.games.lotr.components import (
    ALLIES,
    ATTACK,
    CARD_NAMES,
    CARD_OF,
    CHARACTERS,
    COST,
    DAMAGE_OF,
    DEFENCE,
    ENCOUNTER_NAMES,
    ENEMIES,
    ENEMY_ATTACK,
    ENEMY_DEFENCE,
    ENEMY_HIT_POINTS,
    ENGAGEMENT,
    HEROES,
    HIT_POINTS,
    LOSING_THREAT,
    POINTS,
    PROGRESS_TO_WIN,
    THREAT,
    WILLPOWER,
)
from meeple.games.lotr.rounds import staging_threat
from meeple.games.lotr.state import CHOOSING_HERO, DEFENDING, NOBODY

PHASE_NAMES = ("planning", "questing", "travel", "defence", "undefended", "attack")
LEGEND = (
    "w willpower, a attack, d defence, h hit points (left/of all), c cost, t threat, e engages from that threat on, p to explore.",
    "(in brackets): tapped. > attacks now. 2x: two alike.",
)
STYLES = {r"\([^)\n]* w\d[^)\n]*\)": "dim", r"> [a-z' ]+ a\d": "bold red", r"\bthreat \d+": "red", r"\bprogress \d+": "green"}
QUESTIONS = (
    "Which ally do you buy?",
    "Who goes on the quest?",
    "Where do you travel?",
    "Who defends?",
    "Which hero is hit?",
    "Who attacks whom?",
)


def view(s: Any, seat: int) -> dict[str, Any]:  # noqa: ARG001
    """Everything but the order of the decks: of those it tells what is left."""
    return {
        "round": int(s.turn) + 1,
        "phase": PHASE_NAMES[s.phase],
        "threat": int(s.threat),
        "progress": int(s.progress),
        "resources": int(s.resources),
        "willpower": int(s.willpower),
        "heroes": [_hero(s, hero) for hero in range(HEROES)],
        "allies": [ally for character in range(HEROES, CHARACTERS) for ally in _allies(s, character)],
        "hand": [_card(HEROES + kind) for kind in range(ALLIES) for _ in range(s.hand[kind])],
        "staging_threat": int(staging_threat(s)),
        "staged": [_enemy(int(kind), 0) for kind in s.staged[: s.staged_count]],
        "lands": [_land(land) for land, n in enumerate(s.lands) for _ in range(n)],
        "active_land": None if s.active_land == NOBODY else {**_land(int(s.active_land)), "explored": int(s.explored)},
        "engaged": [_enemy(int(s.engaged[i]), int(s.engaged_damage[i])) for i in range(s.engaged_count)],
        "attacker": int(s.attacker) if s.phase in (DEFENDING, CHOOSING_HERO) and not s.end else None,
        "deck": _counts(s.deck[: s.deck_left], CARD_NAMES[HEROES:]),
        "encounter_deck": _counts(s.encounter[: s.encounter_left], ENCOUNTER_NAMES),
        "over": bool(s.end),
    }


def _card(card: int) -> dict[str, Any]:
    figures = {
        "name": CARD_NAMES[card],
        "willpower": int(WILLPOWER[card]),
        "attack": int(ATTACK[card]),
        "defence": int(DEFENCE[card]),
        "hit_points": int(HIT_POINTS[card]),
    }
    return figures if card < HEROES else {**figures, "cost": int(COST[card - HEROES])}


def _hero(s: Any, hero: int) -> dict[str, Any]:
    return {**_card(hero), "damage": int(s.hero_damage[hero]), "tapped": bool(s.tapped[hero]), "state": _state(s, hero)}


def _state(s: Any, hero: int) -> str:
    return "alive" if alive(s, hero) else ("fallen" if s.fallen[hero] else "dead")


def _allies(s: Any, character: int) -> list[dict[str, Any]]:
    ally = {**_card(int(CARD_OF[character])), "damage": int(DAMAGE_OF[character])}
    return [{**ally, "tapped": False}] * int(s.ready[character]) + [{**ally, "tapped": True}] * int(s.tapped[character])


def _enemy(kind: int, damage: int) -> dict[str, Any]:
    return {
        "name": ENCOUNTER_NAMES[kind],
        "engagement": int(ENGAGEMENT[kind]),
        "threat": int(THREAT[kind]),
        "attack": int(ENEMY_ATTACK[kind]),
        "defence": int(ENEMY_DEFENCE[kind]),
        "hit_points": int(ENEMY_HIT_POINTS[kind]),
        "damage": damage,
    }


def _land(land: int) -> dict[str, Any]:
    return {"name": ENCOUNTER_NAMES[ENEMIES + land], "threat": int(THREAT[ENEMIES + land]), "points": int(POINTS[land])}


def _counts(cards: Any, names: tuple[str, ...]) -> dict[str, int]:
    """How many of each card there are, in the order of the names: nothing of the order of a deck is left."""
    listed = cards.tolist()
    return {name: listed.count(kind) for kind, name in enumerate(names) if kind in listed}


# ---- The board -----------------------------------------------------------------------------------------------------


def board(seen: dict[str, Any]) -> str:
    """The table from the far side to the near one.

    eowyn w4 a1 d1 h2/3      willpower, attack, defence, hit points left of all
    forest spider t2 e25     threat, engages at that threat or more
    (eowyn w4 a1 d1 h2/3)    tapped
    """
    lines = [
        f"Round {seen['round']}: threat {seen['threat']} of {LOSING_THREAT}, progress {seen['progress']} of {PROGRESS_TO_WIN}, "
        f"{seen['resources']} resources",
        f"Staging: {_listed([*map(_staged, seen['staged']), *map(_place, seen['lands'])])}; threat {seen['staging_threat']}",
        f"Active:  {_place(seen['active_land'])}" if seen["active_land"] else "Active:  no land",
        f"Engaged: {_listed([_fighter(enemy, i == seen['attacker']) for i, enemy in enumerate(seen['engaged'])])}",
        f"Heroes:  {_listed([_character(hero) for hero in seen['heroes']])}",
        f"Allies:  {_listed([_character(ally) for ally in seen['allies']])}",
        f"Hand:    {_listed([_priced(card) for card in seen['hand']])}",
        f"Decks:   {sum(seen['deck'].values())} allies, {sum(seen['encounter_deck'].values())} encounters",
    ]
    return "\n".join([*lines, _question(seen)])


def _question(seen: dict[str, Any]) -> str:
    if seen["over"]:
        return "The game is over."
    question = QUESTIONS[PHASE_NAMES.index(seen["phase"])]
    if seen["phase"] == "questing":
        return f"{question} Willpower so far: {seen['willpower']}, and one more card will be revealed."
    if seen["attacker"] is not None:
        enemy = seen["engaged"][seen["attacker"]]
        return f"The {enemy['name']} attacks with {enemy['attack']}. {question}"
    return question


def _character(card: dict[str, Any]) -> str:
    if card.get("state", "alive") != "alive":
        return f"{card['name']} {card['state']}"
    text = f"{card['name']} w{card['willpower']} a{card['attack']} d{card['defence']} {_health(card)}"
    return f"({text})" if card["tapped"] else text


def _priced(card: dict[str, Any]) -> str:
    return f"{card['name']} c{card['cost']} w{card['willpower']} a{card['attack']} d{card['defence']} h{card['hit_points']}"


def _fighter(enemy: dict[str, Any], attacks: bool) -> str:
    return f"{'> ' if attacks else ''}{enemy['name']} a{enemy['attack']} d{enemy['defence']} {_health(enemy)}"


def _staged(enemy: dict[str, Any]) -> str:
    return f"{enemy['name']} t{enemy['threat']} e{enemy['engagement']}"


def _place(land: dict[str, Any]) -> str:
    explored = f"{land['explored']}/" if "explored" in land else ""
    return f"{land['name']} t{land['threat']} p{explored}{land['points']}"


def _health(card: dict[str, Any]) -> str:
    left, most = card["hit_points"] - card["damage"], card["hit_points"]
    return f"h{left}/{most}" if left < most else f"h{most}"


def _listed(cards: list[str]) -> str:
    """Alike ones side by side once, with their number; two spaces between them, where a terminal may break the line."""
    counted = [(card, len(list(alike))) for card, alike in groupby(cards)]
    return "  ".join(f"{n}x {card}" if n > 1 else card for card, n in counted) or "-"

"""The sizes of each variant and the layout of its observations, as data that tables, environments and checks are made from."""

from __future__ import annotations

from collections.abc import Mapping

from meeple.core.errors import MeepleError
from meeple.core.game import Choice, Field, Level, Shape, Variant
from meeple.games.lotr import seen
from meeple.games.lotr.actions import ACTIONS, MAX_LEGAL
from meeple.games.lotr.components import (
    ALLIES,
    ALLY_CARDS,
    ALLY_COPIES,
    CARD_NAMES,
    CARD_OF,
    CHARACTERS,
    DAMAGE_OF,
    ENCOUNTER_COPIES,
    ENCOUNTER_NAMES,
    ENCOUNTERS,
    ENEMIES,
    ENEMY_CARDS,
    ENEMY_HIT_POINTS,
    HEROES,
    HIT_POINTS,
    LAND_CARDS,
    LANDS,
    LOSING_THREAT,
    POINTS,
    PROGRESS_TO_WIN,
    ROUND_CAP,
    STARTING_THREAT,
    THREAT,
    WILLPOWER,
)
from meeple.games.lotr.macros import ACTIONS_MACRO
from meeple.games.lotr.observe import WOUNDED
from meeple.games.lotr.state import DECIDED, MACRO_DEFENCE, MACRO_PLANNING, MACRO_QUESTING, PHASES, ZERO

VARIANTS = Choice(
    "variant",
    {
        "easy": "13 enemies",
        "medium": "13 enemies and 12 lands",
        "hard": "13 enemies and 12 lands, one of each in the staging area from the beginning",
        "hard-skip": "hard with the fault of the thesis's evaluation: committing nobody skips the quest",
    },
)

FALLEN = Choice(
    "fallen",
    {
        "stay": "a hero that fell defending can still take one undefended attack in that round, as in the thesis's program",
        "leave": "the fallen leave at once",
    },
)

BY_MACROS = {"planning": MACRO_PLANNING, "questing": MACRO_QUESTING, "defence": MACRO_DEFENCE}


def _meaning(bits: int) -> str:
    """Which phases are decided by the macro-actions of the thesis."""
    if bits == 0:
        return "card by card"
    phases = [name for name, bit in BY_MACROS.items() if bits & bit]
    rest = ", the rest card by card" if len(phases) < len(BY_MACROS) else ""
    slip = "; with a slip of the thesis's program: questing by a weight counts no willpower" if bits & ZERO else ""
    return f"{' and '.join(phases)} by the macro-actions of the thesis{rest}{slip}"


DECISIONS = Choice("decisions", {name: _meaning(bits) for name, bits in DECIDED.items()}, everywhere=False)

# Threat rises by one a round at least, so no game has more rounds than that. ROUND_CAP only says so without this argument.
MOST_ROUNDS = LOSING_THREAT - STARTING_THREAT
MOST_STAGING_THREAT = int((THREAT * ENCOUNTER_COPIES).sum())
MOST_THREAT = LOSING_THREAT - 1 + MOST_STAGING_THREAT
MOST_RESOURCES = HEROES * MOST_ROUNDS
MOST_WILLPOWER = int(WILLPOWER[:HEROES].sum() + (WILLPOWER[HEROES:] * ALLY_COPIES).sum())
# Stop planning; commit all, or stop; travel; two decisions for each enemy that attacks; attack with all, or stop.
PLIES_A_ROUND = 1 + (HEROES + ALLY_CARDS) + 1 + 2 * ENEMY_CARDS + (HEROES + ALLY_CARDS)
MAX_PLIES = ROUND_CAP * PLIES_A_ROUND + ALLY_CARDS

_ALLY_NAMES = ", ".join(CARD_NAMES[HEROES:])
_ENEMY_NAMES = ", ".join(ENCOUNTER_NAMES[:ENEMIES])
_LAND_NAMES = ", ".join(ENCOUNTER_NAMES[ENEMIES:])
_CHARACTER_NAMES = ", ".join(
    CARD_NAMES[card] + (f" ({damage} damage)" if damage else "") for card, damage in zip(CARD_OF, DAMAGE_OF, strict=True)
)

TABLE = (
    Field("round", 1, 0, ROUND_CAP, "rounds completed"),
    Field("threat", 1, STARTING_THREAT, MOST_THREAT, "the player's threat"),
    Field("progress", 1, 0, PROGRESS_TO_WIN, "progress on the quest"),
    Field("resources", 1, 0, MOST_RESOURCES, "resources"),
    Field("willpower", 1, 0, MOST_WILLPOWER, "willpower committed in this round"),
    Field("phase", PHASES, 0, 1, "what is decided: buying, committing, travel, a defender, the hero that is hit, an attack"),
    Field("hand", ALLIES, 0, int(ALLY_COPIES.max()), f"in hand: {_ALLY_NAMES}"),
    Field("heroes", HEROES, 0, 1, f"alive: {', '.join(CARD_NAMES[:HEROES])}"),
    Field("hero_damage", HEROES, 0, int(HIT_POINTS[:HEROES].max()), "damage of the heroes; all hit points when dead"),
    Field("fallen", HEROES, 0, 1, "heroes that fell defending in this round and can still be hit"),
    Field("untapped", CHARACTERS, 0, int(ALLY_COPIES.max()), f"untapped characters: {_CHARACTER_NAMES}"),
    Field("tapped", CHARACTERS, 0, int(ALLY_COPIES.max()), "tapped characters, likewise"),
    Field("staging_threat", 1, 0, MOST_STAGING_THREAT, "threat of the staging area"),
    Field("staged", ENEMIES, 0, int(ENCOUNTER_COPIES.max()), f"enemies in the staging area: {_ENEMY_NAMES}"),
    Field("staged_order", ENEMY_CARDS, 0, ENEMIES, "the same in the order they came: number of the kind from 1, then 0"),
    Field("lands", LANDS, 0, int(ENCOUNTER_COPIES.max()), f"lands in the staging area: {_LAND_NAMES}"),
    Field("active_land", LANDS, 0, 1, "the active land"),
    Field("explored", 1, 0, int(POINTS.max()) - 1, "progress on it"),
    Field("engaged", WOUNDED, 0, int(ENCOUNTER_COPIES.max()), "engaged enemies by kind and damage, each from 0 damage upwards"),
    Field("attacking", ENEMIES, 0, 1, "the enemy that attacks now"),
    Field("to_come", ENEMIES, 0, int(ENCOUNTER_COPIES.max()), "enemies that attack after it in this round"),
    Field("engaged_order", ENEMY_CARDS, 0, ENEMIES, "engaged enemies in their order: number of the kind from 1, then 0"),
    Field("engaged_damage", ENEMY_CARDS, 0, int(ENEMY_HIT_POINTS.max()) - 1, "their damage"),
    Field("deck", ALLIES, 0, int(ALLY_COPIES.max()), "left in the player's deck, by kind"),
    Field("encounter_deck", ENCOUNTERS, 0, int(ENCOUNTER_COPIES.max()), "left in the encounter deck: enemies, then lands, by kind"),
)

_CHARACTERS = Field("characters", HEROES + ALLY_CARDS, 0, 1, "a bit for each hero and ally in play that is untapped")
_STAGED = Field("staged", ENEMY_CARDS, 0, 1, "a bit for each enemy in the staging area")
_ENGAGED = Field("engaged", ENEMY_CARDS, 0, 1, "a bit for each engaged enemy")
_LANDS = Field("lands", LAND_CARDS, 0, 1, "a bit for each land in the staging area")
_ROUND = Field("round", 1, 0, ROUND_CAP, "rounds completed")
_THREAT = Field("staging_threat", 1, 0, MOST_STAGING_THREAT, "threat of the staging area")
_PLANNING = (
    Field("hand", ALLY_CARDS, 0, 1, "a bit for each ally in hand"),
    _STAGED,
    Field("resources", 1, 0, MOST_RESOURCES, "resources"),
)

# In the order of the numbers in observe.py
LEVELS = (
    Level("table", TABLE, "all that the player may know"),
    Level("planning", _PLANNING, "the thesis's vector for planning"),
    Level("questing0", (_CHARACTERS, _STAGED, _ROUND), "the thesis's encoding 0 for questing"),
    Level("questing1", (_CHARACTERS, _STAGED, _LANDS, _ROUND), "the thesis's encoding 1"),
    Level("questing2", (_CHARACTERS, _STAGED, _THREAT), "the thesis's encoding 2"),
    Level("questing3", (_CHARACTERS, _ENGAGED, _THREAT), "the thesis's encoding 3"),
    Level("defence", (_CHARACTERS, _ENGAGED), "the thesis's vector for defence"),
    Level("seen", seen.FIELDS, "all that the player may know, scaled for networks"),
)


def shape(chosen: Mapping[str, str]) -> Shape:
    actions = ACTIONS if chosen["decisions"] == "small" else ACTIONS_MACRO
    return Shape(seats=1, actions=actions, max_legal=MAX_LEGAL, max_plies=MAX_PLIES, levels=LEVELS)


def needs_small_decisions(variant: Variant, agent: str) -> None:
    """For agents that play card by card."""
    if variant.chosen["decisions"] != "small":
        raise MeepleError(f"{agent} plays card by card, so it cannot play {variant.spec}; random can.")

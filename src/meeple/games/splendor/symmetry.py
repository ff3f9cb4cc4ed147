"""Positions that are the same to a player: cards of a level in other slots, nobles in another order, colours turned.

Slots and nobles are exact symmetries. Colours are one of the rules and of the nobles; of the ninety cards about seventy stay what
they are when all colours move on by one, and the others are alike, so learning from turned positions still pays.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from meeple.core.game import Field, Variant
from meeple.games.splendor.actions import ACTIONS, BUY, GOLD_FOR, NOBLE, RESERVE, RETURN, TAKEN
from meeple.games.splendor.components import COLOURS, FACE_UP, GOLD_TOKENS, LEVELS, RESERVED, SLOTS

Index = NDArray[np.int64]
COLOURED = ("bank", "price", "gold_from", "_needs", "_lacking", "_bonus", "_cost", "_tokens", "_bonuses")
GOLD_AS_WELL = {"bank": GOLD_TOKENS, "own_tokens": GOLD_TOKENS, "price": 1}  # places behind those of the colours
GOLD_OF_OTHERS = 1


def symmetry(variant: Variant, level: str, rng: np.random.Generator) -> tuple[Index, NDArray[np.int32]]:
    """A random one, as `Game.symmetry` wants it; the identity where cards are named by themselves."""
    fields = variant.shape.levels[variant.level(level)].fields
    if variant.name == "thesis" or level != "seen":
        return np.arange(sum(f.size for f in fields)), np.arange(variant.shape.actions, dtype=np.int32)
    slots = np.stack([rng.permutation(SLOTS) for _ in range(LEVELS)])
    nobles = rng.permutation(variant.shape.seats + 1)
    turn = int(rng.integers(COLOURS))
    return mirrored_numbers(fields, slots, nobles, turn), mirrored_actions(slots, nobles, turn)


def mirrored_numbers(fields: tuple[Field, ...], slots: Index, nobles: Index, turn: int) -> Index:
    """Slot j of the mirrored position shows what slots[level, j] shows here; colour c is colour c - turn here."""
    starts = dict(zip((f.name for f in fields), np.cumsum([0, *(f.size for f in fields)]), strict=False))
    return np.concatenate([starts[source(f.name, slots, nobles)] + within(f, slots, turn) for f in fields])


def source(name: str, slots: Index, nobles: Index) -> str:
    """The field that a field of the mirrored position is found in."""
    what, *rest = name.split("_")
    if what == "card":
        level, slot = int(rest[0]) - 1, int(rest[1]) - 1
        return "_".join(["card", rest[0], str(slots[level, slot] + 1), *rest[2:]])
    if what == "noble":
        return "_".join(["noble", str(nobles[int(rest[0]) - 1] + 1), *rest[1:]])
    return name


def within(field: Field, slots: Index, turn: int) -> Index:
    """The order of the numbers inside a field."""
    if field.name == "buying":
        places = (SLOTS * np.arange(LEVELS)[:, None] + slots).ravel()
        return np.concatenate([places, np.arange(FACE_UP, FACE_UP + RESERVED)])
    if not field.name.endswith(COLOURED):
        return np.arange(field.size)
    gold = GOLD_AS_WELL.get(field.name, GOLD_OF_OTHERS if field.name.endswith("_tokens") else 0)
    each = (field.size - gold) // COLOURS
    order = np.roll(np.arange(COLOURS), turn)[:, None] * each + np.arange(each)
    return np.concatenate([order.ravel(), np.arange(field.size - gold, field.size)])


def mirrored_actions(slots: Index, nobles: Index, turn: int) -> NDArray[np.int32]:
    """What each action is called in the mirrored position."""
    found = np.arange(ACTIONS, dtype=np.int32)
    taken = {tuple(row): action for action, row in enumerate(TAKEN.tolist())}
    found[: len(TAKEN)] = [taken[tuple(row)] for row in np.roll(TAKEN, turn, axis=1).tolist()]
    places = (SLOTS * np.arange(LEVELS)[:, None] + np.argsort(slots, axis=1)).ravel()
    for first in (RESERVE, BUY):
        found[first : first + FACE_UP] = first + places
    found[NOBLE : NOBLE + len(nobles)] = NOBLE + np.argsort(nobles)
    for first in (RETURN, GOLD_FOR):
        found[first : first + COLOURS] = first + (np.arange(COLOURS) + turn) % COLOURS
    return found

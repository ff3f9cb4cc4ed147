"""Positions that are the same to a player: cloth and spice have the same tokens and as many cards, so they may change places."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from meeple.core.game import Variant
from meeple.games.jaipur.actions import SALE_CARDS, SALE_GOOD, SALES
from meeple.games.jaipur.components import GOODS, TOKENS_OF
from meeple.games.jaipur.features import CAMELS_GIVEN, GIVEN, SOLD, SOLD_ALL, TAKEN, features
from meeple.games.jaipur.seen import HELD

Index = NDArray[np.int64]
CLOTH, SPICE = 3, 4
SWAPPED = np.arange(GOODS + 1)  # the goods, then camels
SWAPPED[[CLOTH, SPICE]] = SPICE, CLOTH
# Fields with a run of numbers for each good (and for camels, where there is one more), by how long each run is
RUNS = {"hand": HELD, "opponent_known": HELD, "tokens": TOKENS_OF}
EVEN = ("shown", "market", "unseen", "next_tokens", "tokens_worth", "opponent_sale")
TWICE = ("none_unseen",)  # the opponent's, then own
_MADE: dict[str, tuple[Index, NDArray[np.int32]]] = {}  # by variant


def symmetry(variant: Variant, level: str, rng: np.random.Generator) -> tuple[Index, NDArray[np.int32]]:
    """A random one, as `Game.symmetry` wants it; the identity at other levels of observation."""
    if level == "seen" and rng.integers(2):
        if variant.spec not in _MADE:
            _MADE[variant.spec] = swapped_numbers(variant), swapped_actions(variant)
        return _MADE[variant.spec]
    size = variant.shape.levels[variant.level(level)].size
    return np.arange(size), np.arange(variant.shape.actions, dtype=np.int32)


def swapped_numbers(variant: Variant) -> Index:
    """Where each number of the mirrored observation is found."""
    found, start = [], 0
    for field in variant.shape.levels[variant.level("seen")].fields:
        found.append(start + _within(field.name, field.size))
        start += field.size
    return np.concatenate(found)


def _within(name: str, size: int) -> Index:
    if name in RUNS:
        return by_runs(np.asarray(RUNS[name], np.int64))
    if name in EVEN:
        goods = GOODS + 1 if name in ("market", "unseen") else GOODS
        return by_runs(np.full(goods, size // goods))
    if name in TWICE:
        half = by_runs(np.full(GOODS, 1))
        return np.concatenate([half, GOODS + half])
    if name == "sale":
        places = {(int(good), int(cards)): i for i, (good, cards) in enumerate(zip(SALE_GOOD, SALE_CARDS, strict=True))}
        return np.array([places[int(SWAPPED[SALE_GOOD[i]]), int(SALE_CARDS[i])] for i in range(SALES)])
    return np.arange(size)


def by_runs(lengths: Index) -> Index:
    """Runs one behind another, those of the two goods exchanged."""
    starts = np.concatenate([[0], np.cumsum(lengths)])
    return np.concatenate([np.arange(starts[good], starts[good + 1]) for good in SWAPPED[: len(lengths)]])


def swapped_actions(variant: Variant) -> NDArray[np.int32]:
    """What each action is called in the mirrored position: the one that is made of the exchanged goods."""
    table = features(variant)
    columns = np.arange(table.shape[1])
    for first, end in ((TAKEN, GIVEN), (GIVEN, CAMELS_GIVEN), (SOLD, SOLD_ALL), (SOLD_ALL, len(columns))):
        columns[first:end] = first + by_runs(np.full(GOODS, (end - first) // GOODS))
    known = {row.tobytes(): action for action, row in enumerate(table)}
    return np.array([known[row.tobytes()] for row in table[:, columns]], np.int32)

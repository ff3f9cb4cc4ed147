"""A run that begins with another one's network: what both have is taken over, the rest begins as usual.

The other network may be of another variant of the game (a round of Jaipur for a match, Splendor for two for a table of three): its
numbers are found again by the names of the observation's fields, those of items too. What it predicts may differ as well (values of
other rewards, the extras of expert iteration).
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from meeple.core.errors import MeepleError
from meeple.core.game import NO_ITEM, Level, Variant
from meeple.core.registry import find_variant
from meeple.nets.file import Card, fit, items_of, read_net
from meeple.nets.layout import Layout


def take_over(path: Path, variant: Variant, level: str, layout: Layout, weights: NDArray[np.float32]) -> None:
    """Write what the network of a file has into these weights; refused where it is of another make."""
    card, theirs = read_net(path)
    made_for = variant if card.game != variant.game.name else find_variant(card.variant)
    fit(card, path, made_for)
    if alike(card.layout) != alike(layout) or card.level != level or card.policies != 1:
        raise MeepleError(
            f"{path} cannot be begun with: it is a network {card.layout} that observes {card.level}, and this run has {layout} and "
            f"observes {level}."
        )
    for name, part in card.layout.parts.items():
        if name == "trunk.0.weight":
            ours = layout.of(weights, name)
            ours[: layout.inputs] = 0.0  # what the other never saw counts nothing at first
            here, there = shared_numbers(variant, made_for, card)
            ours[here] = card.layout.of(theirs, name)[there]
            ours[layout.inputs :] = card.layout.of(theirs, name)[card.layout.inputs :]
        elif name == "items.weight":
            ours = layout.of(weights, name)
            ours[:] = 0.0
            here, there = shared_columns(variant, made_for, card)
            ours[here] = card.layout.of(theirs, name)[there]
        elif name in layout.parts and layout.parts[name].shape == part.shape:
            layout.of(weights, name)[:] = card.layout.of(theirs, name)


def alike(layout: Layout) -> Layout:
    """A layout without what may differ."""
    return replace(layout, inputs=1, values=1, extras=0, items=int(layout.items > 0))


def shared_numbers(variant: Variant, made_for: Variant, card: Card) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where the numbers that both observe stand, here and there. Of a field that is longer in one of them, the first."""
    ours, theirs = (places(each.shape.levels[each.level(card.level)]) for each in (variant, made_for))
    pairs = [(i, j) for name in ours if name in theirs for i, j in zip(ours[name], theirs[name], strict=False)]
    here, there = np.array(pairs, np.int64).T
    return here, there


def shared_columns(variant: Variant, made_for: Variant, card: Card) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Which numbers of an item are the same here and there: those that some item has from the same place of the same field."""
    ours, theirs = (told_by(each, card.level) for each in (variant, made_for))
    pairs = sorted({(ours[field], theirs[field]) for field in ours if field in theirs})
    here, there = np.array(pairs, np.int64).T
    return here, there


def told_by(variant: Variant, level: str) -> dict[tuple[str, int], int]:
    """(field, place in it) -> which number of an item it is."""
    items = items_of(variant, level)
    assert items is not None
    fields = {
        n: (name, k) for name, numbers in places(variant.shape.levels[variant.level(level)]).items() for k, n in enumerate(numbers)
    }
    return {fields[int(n)]: column for item in items.numbers for column, n in enumerate(item) if n != NO_ITEM}


def places(level: Level) -> dict[str, range]:
    """Field -> where its numbers stand."""
    starts = np.cumsum([0, *(f.size for f in level.fields)]).tolist()
    return {f.name: range(start, start + f.size) for f, start in zip(level.fields, starts, strict=False)}

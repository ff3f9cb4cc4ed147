"""Observations by the names of their fields, thermometers read back, and rows of features by the text of the move."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

import meeple
from meeple.core.rng import draw, stream


def seen(state: meeple.State, seat: int = 0) -> dict[str, list[float]]:
    """What level `seen` tells a seat, rounded, by field."""
    numbers = [round(float(x), 5) for x in state.observe(seat, "seen")]
    found, at = {}, 0
    for field in state.variant.shape.levels[state.variant.level("seen")].fields:
        assert field.name not in found, f"two fields are called {field.name}"
        found[field.name] = numbers[at : at + field.size]
        at += field.size
    assert at == len(numbers)
    return found


def counts(places: list[float], sizes: Iterable[int]) -> list[int]:
    """Read thermometers of these sizes back; each must be ones, then zeros."""
    found, at = [], 0
    for size in sizes:
        part = places[at : at + size]
        assert part == sorted(part, reverse=True)
        assert set(part) <= {0.0, 1.0}
        found.append(int(sum(part)))
        at += size
    assert at == len(places)
    return found


def hot(places: list[float]) -> list[int]:
    """Which places are not zero."""
    return [i for i, x in enumerate(places) if x]


def positions(spec: str, seed: int = 1, most: int = 300) -> Iterator[meeple.State]:
    """Those of a random game."""
    state, chooser = meeple.new(spec, seed), stream(seed)
    while not state.over and state.ply < most:
        yield state
        legal = state.legal()
        state.play(legal[draw(chooser, len(legal))])
    yield state


def features(spec: str) -> NDArray[np.float32]:
    variant = meeple.find_variant(spec)
    assert variant.game.features is not None
    return variant.game.features(variant)


def row(spec: str, move: str) -> Any:
    return features(spec)[meeple.find_variant(spec).parse_action(move)]

"""A mirrored position is what the game itself would show of it: states are mirrored by hand and observed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import meeple
from meeple.core.registry import find_variant
from meeple.core.rng import draw, stream
from meeple.games.jaipur import symmetry as jaipur
from meeple.games.splendor import symmetry as splendor
from meeple.games.splendor.components import COLOURS, LEVELS, SLOTS


def positions(game: str, n: int) -> list[Any]:
    luck = stream(3)
    found = []
    for seed in range(n):
        state = meeple.new(game, seed=seed)
        for _ in range(int(draw(luck, 40))):
            if state.data.end == 0:
                legal = state.legal()
                state.play(legal[draw(luck, len(legal))])
        if state.data.end == 0:
            found.append(state)
    return found


def test_cards_of_splendor_in_other_slots_and_nobles_in_another_order() -> None:
    variant = find_variant("splendor:2")
    fields = variant.shape.levels[variant.level("seen")].fields
    rng = np.random.default_rng(1)
    for state in positions("splendor:2", 20):
        slots = np.stack([rng.permutation(SLOTS) for _ in range(LEVELS)])
        nobles = rng.permutation(3)
        other = state.copy()
        other.data.face_up[:] = np.take_along_axis(state.data.face_up, slots, axis=1)
        other.data.nobles[:3] = state.data.nobles[:3][nobles]
        seat = state.seat
        numbers = splendor.mirrored_numbers(fields, slots, nobles, 0)
        assert np.array_equal(other.observe(seat, "seen"), state.observe(seat, "seen")[numbers])
        actions = splendor.mirrored_actions(slots, nobles, 0)
        if state.data.phase == 0:
            assert sorted(other.legal()) == sorted(actions[state.legal()].tolist())


def test_colours_of_splendor_turn_together() -> None:
    variant = find_variant("splendor:3")
    fields = variant.shape.levels[variant.level("seen")].fields
    still = np.tile(np.arange(SLOTS), (LEVELS, 1)), np.arange(4)
    state = meeple.new("splendor:3", seed=5)
    state.play("take white blue green")
    numbers = splendor.mirrored_numbers(fields, *still, 1)
    seen = dict(zip((f.name for f in fields), np.split(numbers, np.cumsum([f.size for f in fields])[:-1]), strict=True))
    observed = state.observe(0, "seen")
    assert observed[seen["own_tokens"]].reshape(COLOURS + 1, -1).sum(axis=1).tolist() == [0, 1, 1, 1, 0, 0]
    actions = splendor.mirrored_actions(*still, 1)
    assert variant.format_action(int(actions[variant.parse_action("take white blue green")])) == "take blue green red"
    assert variant.format_action(int(actions[variant.parse_action("return gold")])) == "return gold"
    assert variant.format_action(int(actions[variant.parse_action("return black")])) == "return white"


@pytest.mark.parametrize("game", ["jaipur:round", "jaipur:match", "jaipur:round,actions=25469"])
def test_cloth_and_spice_change_places(game: str) -> None:
    variant = find_variant(game)
    numbers, actions = jaipur.swapped_numbers(variant), jaipur.swapped_actions(variant)
    for state in positions(game, 15):
        other = state.copy()
        for field in ("hand", "known", "market", "tokens_left", "none_unseen"):
            if field in (state.data.dtype.names or ()):
                values = getattr(other.data, field)
                values[..., [3, 4]] = values[..., [4, 3]]
        deck = other.data.deck
        deck[:] = np.where(state.data.deck == 3, 4, np.where(state.data.deck == 4, 3, state.data.deck))
        for seat in (0, 1):
            assert np.array_equal(other.observe(seat, "seen"), state.observe(seat, "seen")[numbers])
        assert sorted(other.legal()) == sorted(actions[state.legal()].tolist())


@pytest.mark.parametrize("game", ["jaipur:round", "splendor:2", "splendor:4"])
def test_a_symmetry_loses_no_number_and_no_action(game: str) -> None:
    variant = find_variant(game)
    assert variant.game.symmetry is not None
    for seed in range(5):
        numbers, actions = variant.game.symmetry(variant, "seen", np.random.default_rng(seed))
        assert sorted(numbers.tolist()) == list(range(len(numbers)))
        assert sorted(actions.tolist()) == list(range(variant.shape.actions))

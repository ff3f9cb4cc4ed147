"""A game's declarations as Gymnasium's spaces."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from meeple.core.game import Level, Variant


def observation_space(level: Level) -> spaces.Box:
    low, high = level.bounds()
    return spaces.Box(low, high, dtype=np.float32)


def action_space(variant: Variant) -> spaces.Discrete:
    return spaces.Discrete(variant.shape.actions)


def masked_space(level: Level, variant: Variant) -> spaces.Dict:
    """An observation with its action mask, as in PettingZoo's own games."""
    mask = spaces.Box(0, 1, (variant.shape.actions,), np.int8)
    return spaces.Dict({"observation": observation_space(level), "action_mask": mask})


def mask_of(variant: Variant, legal: Any) -> NDArray[np.int8]:
    """1 where an action is legal. With None the game is over and every action is allowed, since a masked softmax over an empty
    mask is not a number."""
    if legal is None:
        return np.ones(variant.shape.actions, np.int8)
    mask = np.zeros(variant.shape.actions, np.int8)
    mask[np.asarray(legal, np.int32)] = 1
    return mask

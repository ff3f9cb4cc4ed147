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
    """As PettingZoo's own games have it."""
    mask = spaces.Box(0, 1, (variant.shape.actions,), np.int8)
    return spaces.Dict({"observation": observation_space(level), "action_mask": mask})


def mask_of(variant: Variant, legal: Any) -> NDArray[np.int8]:
    """1 where an action is legal. None: the game is over and nothing is masked, since a learner that values the last observation
    by a masked softmax would get no number from a mask without a single 1."""
    if legal is None:
        return np.ones(variant.shape.actions, np.int8)
    mask = np.zeros(variant.shape.actions, np.int8)
    mask[np.asarray(legal, np.int32)] = 1
    return mask

"""Ids for gymnasium.make and pettingzoo.make: one a variant, versioned as its rules are; options are arguments."""

from __future__ import annotations

import importlib
import re

from meeple.core.game import Variant
from meeple.core.registry import all_games
from meeple.envs.needs import installed, need

NAMESPACE = "meeple"


def env_id(variant: Variant) -> str:
    """`meeple/JaipurRound-v1`; options are not part of it."""
    words = re.split(r"\W+", f"{variant.game.name} {variant.name}")
    return f"{NAMESPACE}/{''.join(word[:1].upper() + word[1:] for word in words)}-v{variant.game.version}"


def find_ids() -> dict[str, Variant]:
    """Every id and what it is, options at their defaults."""
    variants = [game.variant(name) for game in all_games() for name in game.variants.values]
    return {env_id(variant): variant for variant in variants}


def register_ids() -> None:
    """Tell Gymnasium and PettingZoo of them; importing meeple.envs does."""
    need("gymnasium")
    import gymnasium

    pettingzoo = importlib.import_module("pettingzoo") if installed("pettingzoo") else None
    for name, variant in find_ids().items():
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point="meeple.envs.make:single",
                vector_entry_point="meeple.envs.make:vector",
                kwargs={"game": variant.spec},
                # What Gymnasium would wrap around each step is in the environment itself, or in our tests; without it a step takes
                # a microsecond less of about five.
                order_enforce=False,
                disable_env_checker=True,
            )
        if pettingzoo and name not in pettingzoo.aec_registry:
            pettingzoo.register("aec", name, "meeple.envs.make:aec", kwargs={"game": variant.spec})

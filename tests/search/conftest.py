"""The tiny games, known to the package for these tests."""

from __future__ import annotations

from typing import Any

import pytest

from meeple.agents.mcts import PARAMS, make_search
from meeple.core.game import Variant
from meeple.core.verbs import register_state
from meeple.search.driver import Search
from tests.search.tiny import GAME

register_state(GAME)


@pytest.fixture
def tiny() -> Any:
    """tiny("nim"): that variant."""
    return GAME.variant


def a_search(variant: Variant, clairvoyant: bool = False, **settings: Any) -> Search:
    """mcts with some parameters other than usual."""
    filled = {param.name: param.default for param in PARAMS} | settings
    del filled["reuse"], filled["workers"]
    return make_search(variant, clairvoyant, **filled)

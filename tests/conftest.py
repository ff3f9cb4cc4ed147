"""Sizes: with the compiler off a game takes a hundred times longer, so the suite then plays fewer."""

import os

import pytest
from hypothesis import settings

from meeple.core.kernel import JIT

settings.register_profile("meeple", deadline=None, max_examples=30 if JIT else 3, derandomize=True)
settings.load_profile("meeple")


def games(many: int) -> int:
    """That many games, or a few with the compiler off."""
    return many if JIT else max(2, many // 1000)


@pytest.fixture
def quiet_environment() -> dict[str, str]:
    """For subprocesses: no colours, no width taken from a terminal."""
    return {**os.environ, "NO_COLOR": "1", "COLUMNS": "200", "TERM": "dumb"}

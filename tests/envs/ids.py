"""What the tests of environments go over; those of a game share a process, since each compiles the game's step."""

from __future__ import annotations

from typing import Any

import pytest

import meeple.envs
from meeple.core.check import specimens
from meeple.core.game import Variant

IDS = meeple.envs.find_ids()


def group(variant: Variant) -> pytest.MarkDecorator:
    return pytest.mark.xdist_group(variant.game.name)


EVERY_ID = [pytest.param(name, marks=group(variant), id=name) for name, variant in IDS.items()]
EVERY_SPECIMEN: list[Any] = [
    pytest.param(number, variant, marks=group(variant), id=variant.spec)
    for game in sorted({variant.game.name for variant in IDS.values()})
    for number, variant in enumerate(specimens(meeple.find_game(game)))
]

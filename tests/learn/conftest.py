"""Tiny games, known to the package: those of the search's tests, and echo."""

import pytest

from meeple.core import registry
from meeple.core.verbs import register_state
from tests.learn.echo import GAME as ECHO
from tests.search.tiny import GAME as TINY

OWN = {"tiny": TINY, "echo": ECHO}
for game in OWN.values():
    register_state(game)


@pytest.fixture(autouse=True)
def _tiny_games_are_games(monkeypatch: pytest.MonkeyPatch) -> None:
    found = registry.find_game
    monkeypatch.setattr(registry, "find_game", lambda name: OWN[name] if name in OWN else found(name))

"""The tiny games of the search's tests, known to the package."""

from meeple.core.verbs import register_state
from tests.search.tiny import GAME

register_state(GAME)

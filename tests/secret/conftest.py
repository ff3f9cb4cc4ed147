"""The game of sealed bids, known to the package for these tests."""

from meeple.core.verbs import register_state
from tests.secret.bids import GAME

register_state(GAME)

"""Meeple: play, search, train and measure AI for modern tabletop games."""

__version__ = "0.1.0"

from meeple.core.errors import GameOver, IllegalMove, MeepleError, UnreadableMove
from meeple.core.record import Record, replay
from meeple.core.registry import find_game, find_variant, game_names
from meeple.core.state import State, new

__all__ = [
    "GameOver",
    "IllegalMove",
    "MeepleError",
    "Record",
    "State",
    "UnreadableMove",
    "find_game",
    "find_variant",
    "game_names",
    "new",
    "replay",
]

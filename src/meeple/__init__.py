"""Meeple: play, search, train and measure AI for modern tabletop games.

`import meeple` is enough for first scripts (docs/python.md). What it offers is loaded when it is first used: rules are compiled,
and the compiler alone takes a second to load, which nobody should wait for who asks for help only.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from meeple.core.errors import GameOver, IllegalMove, MeepleError, MeepleWarning, UnreadableMove

if TYPE_CHECKING:
    from meeple import envs as envs
    from meeple.agents.own import Agent as Agent
    from meeple.core.agent import Seen as Seen
    from meeple.core.record import Record as Record
    from meeple.core.record import read_record as read_record
    from meeple.core.record import replay as replay
    from meeple.core.registry import find_game as find_game
    from meeple.core.registry import find_variant as find_variant
    from meeple.core.registry import game_names as game_names
    from meeple.core.state import State as State
    from meeple.core.state import new as new
    from meeple.envs.lean import batch as batch
    from meeple.front import agent as agent
    from meeple.front import analyze as analyze
    from meeple.front import match as match
    from meeple.front import tournament as tournament
    from meeple.front import train as train
    from meeple.play.start import play as play
    from meeple.results import MatchResult as MatchResult
    from meeple.results import TournamentResult as TournamentResult

__version__ = "0.1.0"

_WHERE = {
    "Agent": "agents.own",
    "MatchResult": "results",
    "Record": "core.record",
    "Seen": "core.agent",
    "State": "core.state",
    "TournamentResult": "results",
    "agent": "front",
    "analyze": "front",
    "batch": "envs.lean",
    "find_game": "core.registry",
    "find_variant": "core.registry",
    "game_names": "core.registry",
    "match": "front",
    "new": "core.state",
    "read_record": "core.record",
    "replay": "core.record",
    "tournament": "front",
    "train": "front",
}
_ROOMS = ("envs", "play")  # used as meeple.envs.aec(...); meeple.play(...) calls the room itself

__all__ = [
    "GameOver",
    "IllegalMove",
    "MeepleError",
    "MeepleWarning",
    "UnreadableMove",
    *_WHERE,
    *_ROOMS,
]


def __getattr__(name: str) -> Any:
    """What was not asked for yet."""
    if name in _ROOMS:
        return import_module(f"meeple.{name}")
    if name not in _WHERE:
        raise AttributeError(f"module 'meeple' has no attribute '{name}'")
    found = getattr(import_module(f"meeple.{_WHERE[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})

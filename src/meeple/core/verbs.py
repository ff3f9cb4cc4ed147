"""The generic verbs that search, playouts and batches call: `apply(s, action)` is the rule of whatever game s belongs to.

Inside a kernel the game is found from the record's type while compiling, so the call costs nothing and the compiled code can be
cached on disk (passing a game's functions as arguments cannot). Outside, the same name looks the game up at run time.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import from_dtype

from meeple.core.cache import belongs_to
from meeple.core.errors import BrokenGame
from meeple.core.game import Game
from meeple.core.kernel import overload, types

_BY_DTYPE: dict[np.dtype[Any], Game] = {}
_BY_TYPE: dict[Any, Game] = {}


def register_state(game: Game, module: str = "") -> None:
    """Let the verbs know a game by its state. Two games must differ in at least one field. `module` is where it is declared."""

    other = _BY_DTYPE.setdefault(game.dtype, game)
    if other.name != game.name:
        raise BrokenGame(f"{game.name} has the same state fields as {other.name}; name at least one of them differently.")
    record = from_dtype(game.dtype)
    _BY_TYPE[record] = game
    belongs_to(record, module or game.shape.__module__)


def game_of(s: Any) -> Game:
    """The game a record belongs to."""
    return _BY_DTYPE[s.dtype]


def deal(s: Any, config: Any, seed: Any) -> None:
    """A new game in place; the same seed gives the same game."""
    game_of(s).deal(s, config, seed)


def legal(s: Any, out: Any) -> int:
    """Write the legal actions into out and return how many."""
    return game_of(s).legal(s, out)


def apply(s: Any, action: int) -> None:
    """Make a legal action; counts the ply."""
    s.ply += 1
    game_of(s).apply(s, action)


def observe(s: Any, seat: int, level: int, out: Any) -> None:
    """Write what a seat sees at a level as numbers."""
    game_of(s).observe(s, seat, level, out)


def redeal(s: Any, seat: int, seed: Any) -> None:
    """Deal again what the seat cannot know."""
    game_of(s).redeal(s, seat, seed)


def reshuffle(s: Any, seed: Any) -> None:
    """Deal again what no seat knows; only for games that can (Game.has_reshuffle)."""
    game = game_of(s)
    if game.reshuffle:
        game.reshuffle(s, seed)
    else:
        game.redeal(s, s.seat, seed)


def outcome(s: Any, out: Any) -> None:
    """Each seat's share of the win."""
    game_of(s).outcome(s, out)


def scores(s: Any, out: Any) -> None:
    """Each seat's points now."""
    game_of(s).scores(s, out)


def audit(s: Any) -> int:
    """0, or the number of the first broken invariant."""
    kernel = game_of(s).audit
    return kernel(s) if kernel else 0


def kind(s: Any, action: int) -> int:
    """Number of an action's kind; all are of one kind where the game tells none apart."""
    kernel = game_of(s).kind
    return kernel(s, action) if kernel else 0


def phase(s: Any) -> int:
    """Number of the phase that is decided; all decisions are of one phase where the game tells none apart."""
    kernel = game_of(s).phase
    return kernel(s) if kernel else 0


def keep(s: Any, out: Any, n: int) -> int:
    """Of n listed actions keep those that the game thinks worth a look (at least one); returns how many."""
    kernel = game_of(s).keep
    return kernel(s, out, n) if kernel else n


def meaning(s: Any, action: int) -> int:
    """What an action is about at this table, where its id alone does not say it; else 0."""
    kernel = game_of(s).meaning
    return kernel(s, action) if kernel else 0


def part(s: Any) -> None:
    """Make the part that is being played, such as a round of a match, a game of its own; a game without parts stays as it is."""
    if kernel := game_of(s).part:
        kernel(s)


def earned(s: Any, action: int) -> float:
    """What the game's own reward counts for an action about to be made."""
    kernel = game_of(s).earned
    return kernel(s, action) if kernel else 0.0


def _game_of_type(record: Any) -> Game | None:
    return _BY_TYPE.get(record) if isinstance(record, types.Record) else None


@overload(deal)
def _deal(s, config, seed):  # type: ignore[no-untyped-def]
    kernel = game.deal if (game := _game_of_type(s)) else None
    return (lambda s, config, seed: kernel(s, config, seed)) if kernel else None


@overload(legal)
def _legal(s, out):  # type: ignore[no-untyped-def]
    kernel = game.legal if (game := _game_of_type(s)) else None
    return (lambda s, out: kernel(s, out)) if kernel else None


@overload(apply)
def _apply(s, action):  # type: ignore[no-untyped-def]
    if not (game := _game_of_type(s)):
        return None
    kernel = game.apply

    def counted(s, action):  # type: ignore[no-untyped-def]
        s.ply += 1
        kernel(s, action)

    return counted


@overload(observe)
def _observe(s, seat, level, out):  # type: ignore[no-untyped-def]
    kernel = game.observe if (game := _game_of_type(s)) else None
    return (lambda s, seat, level, out: kernel(s, seat, level, out)) if kernel else None


@overload(redeal)
def _redeal(s, seat, seed):  # type: ignore[no-untyped-def]
    kernel = game.redeal if (game := _game_of_type(s)) else None
    return (lambda s, seat, seed: kernel(s, seat, seed)) if kernel else None


@overload(reshuffle)
def _reshuffle(s, seed):  # type: ignore[no-untyped-def]
    if not (game := _game_of_type(s)):
        return None
    kernel, whole = game.reshuffle, game.redeal
    return (lambda s, seed: kernel(s, seed)) if kernel else (lambda s, seed: whole(s, s.seat, seed))


@overload(outcome)
def _outcome(s, out):  # type: ignore[no-untyped-def]
    kernel = game.outcome if (game := _game_of_type(s)) else None
    return (lambda s, out: kernel(s, out)) if kernel else None


@overload(scores)
def _scores(s, out):  # type: ignore[no-untyped-def]
    kernel = game.scores if (game := _game_of_type(s)) else None
    return (lambda s, out: kernel(s, out)) if kernel else None


@overload(audit)
def _audit(s):  # type: ignore[no-untyped-def]
    if not (game := _game_of_type(s)):
        return None
    kernel = game.audit
    return (lambda s: kernel(s)) if kernel else (lambda s: 0)


@overload(kind)
def _kind(s, action):  # type: ignore[no-untyped-def]
    if not (game := _game_of_type(s)):
        return None
    kernel = game.kind
    return (lambda s, action: kernel(s, action)) if kernel else (lambda s, action: 0)


@overload(phase)
def _phase(s):  # type: ignore[no-untyped-def]
    if not (game := _game_of_type(s)):
        return None
    kernel = game.phase
    return (lambda s: kernel(s)) if kernel else (lambda s: 0)


@overload(keep)
def _keep(s, out, n):  # type: ignore[no-untyped-def]
    if not (game := _game_of_type(s)):
        return None
    kernel = game.keep
    return (lambda s, out, n: kernel(s, out, n)) if kernel else (lambda s, out, n: n)


@overload(meaning)
def _meaning(s, action):  # type: ignore[no-untyped-def]
    if not (game := _game_of_type(s)):
        return None
    kernel = game.meaning
    return (lambda s, action: kernel(s, action)) if kernel else (lambda s, action: 0)


@overload(part)
def _part(s):  # type: ignore[no-untyped-def]
    if not (game := _game_of_type(s)):
        return None
    kernel = game.part
    return (lambda s: kernel(s)) if kernel else (lambda s: None)


@overload(earned)
def _earned(s, action):  # type: ignore[no-untyped-def]
    if not (game := _game_of_type(s)):
        return None
    kernel = game.earned
    return (lambda s, action: kernel(s, action)) if kernel else (lambda s, action: 0.0)

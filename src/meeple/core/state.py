"""The shell around one state: validates, names, formats, raises. What people, tests and plain-Python agents touch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.core.errors import GameOver, IllegalMove, MeepleError, UnknownName, check_seed, listing
from meeple.core.game import HIDDEN, End, Variant
from meeple.core.registry import find_variant


class State:
    """A game in progress. `data` is the record itself; everything else is made from it on request."""

    def __init__(self, variant: Variant, array: NDArray[Any]) -> None:
        self.variant = variant
        self.array = array

    @property
    def data(self) -> Any:
        return self.array[0]

    @property
    def seat(self) -> int:
        return int(self.data.seat)

    @property
    def ply(self) -> int:
        return int(self.data.ply)

    @property
    def turn(self) -> int:
        return int(self.data.turn)

    @property
    def over(self) -> bool:
        return bool(self.data.end)

    @property
    def end(self) -> End:
        return self.variant.game.ends[int(self.data.end)]

    def legal(self) -> list[int]:
        """Ids of the legal actions; none when the game is over."""
        if self.over:
            return []
        out = np.empty(self.variant.shape.room, np.int32)
        n = self.variant.game.legal(self.data, out)
        return [int(a) for a in out[:n]]

    def moves(self) -> list[str]:
        """The legal actions as text."""
        return [self.variant.format_action(a) for a in self.legal()]

    def play(self, move: str | int) -> int:
        """Make a move given as text or id; returns the id. Nothing changes when it is refused."""
        text = move if isinstance(move, str) else f"action {move}"
        if self.over:
            raise GameOver(f"The game is over ({self.end.reason}), so '{text}' cannot be played.", text, repr(self))
        action = self.variant.parse_action(move) if isinstance(move, str) else int(move)
        legal = self.legal()
        if action not in legal:
            if 0 <= action < self.variant.shape.actions:
                text = self.variant.format_action(action)
            names = listing(self.variant.format_action(a) for a in legal)
            message = f"'{text}' is not legal for seat {self.seat} at ply {self.ply}; legal: {names}."
            raise IllegalMove(message, text, repr(self))
        self.data.ply += 1
        self.variant.game.apply(self.data, action)
        return action

    def scores(self) -> list[float]:
        out = np.zeros(self.variant.shape.seats)
        self.variant.game.scores(self.data, out)
        return [float(x) for x in out]

    def outcome(self) -> list[float]:
        """Each seat's share of the win; refused while the game goes on."""
        if not self.over:
            raise MeepleError("The game is not over, so it has no outcome yet; scores() tells the points so far.")
        out = np.zeros(self.variant.shape.seats)
        self.variant.game.outcome(self.data, out)
        return [float(x) for x in out]

    def observe(self, seat: int, level: str = "") -> NDArray[np.float32]:
        """What a seat sees, as numbers."""
        number = self.variant.level(level)
        out = np.zeros(self.variant.shape.levels[number].size, np.float32)
        self.variant.game.observe(self.data, self._seat(seat), number, out)
        return out

    def copy(self) -> State:
        return State(self.variant, self.array.copy())

    def redealt(self, seat: int, seed: int) -> State:
        """A copy in which everything the seat cannot know is dealt again."""
        copy = self.copy()
        if not self.over:  # at the end all is open
            self.variant.game.redeal(copy.data, self._seat(seat), np.uint64(seed))
        return copy

    def told(self, seat: int, history: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
        """(seat, action) of every ply so far, as a seat may know it now: HIDDEN where the action is still a secret to it."""
        secret = self.variant.game.secret
        if secret is None or self.over:  # at the end all is open
            return tuple(history)
        s = self.redealt(seat, 0).data  # so that a slip in a game's `secret` cannot tell the truth
        return tuple(
            (mover, HIDDEN if action == HIDDEN or (mover != seat and secret(s, seat, ply, mover, action)) else action)
            for ply, (mover, action) in enumerate(history)
        )

    def view(self, seat: int) -> dict[str, Any]:
        """What a seat may know, as plain data. Made from a redealt copy: a slip in a game's view cannot leak the truth."""
        return self.variant.game.view(self.redealt(seat, 0).data, self._seat(seat))

    def board(self, seat: int) -> str:
        """The table as one seat sees it, for a terminal."""
        return self.variant.game.board(self.view(seat))

    def __repr__(self) -> str:
        return f"<{self.variant.spec} ply {self.ply}, seat {self.seat}, {self.end.reason}>"

    def _seat(self, seat: int) -> int:
        if not 0 <= seat < self.variant.shape.seats:
            raise UnknownName("seat", str(seat), [str(i) for i in range(self.variant.shape.seats)])
        return seat


def new(variant: str | Variant, seed: int = 0) -> State:
    """Deal a game: `new("jaipur:round", seed=7)`."""
    if isinstance(variant, str):
        variant = find_variant(variant)
    check_seed(seed)
    state = State(variant, variant.empty())
    variant.game.deal(state.data, variant.config, np.uint64(seed))
    return state

"""What the checker finds out about knowledge: which fields a redeal changes for each seat, and whether moves tell what it hides.

A redealt state is a function of what the seat knows and of the seed. So two positions are the same to a seat exactly if they are
redealt to the same bytes; that is the measure of everything here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.core.game import HIDDEN, NOBODY_KNOWS, OTHERS, OWNER, Variant
from meeple.core.rng import child, draw, stream
from meeple.core.state import State

Tell = Callable[[str, str], None]  # (rule, message)
Mask = NDArray[np.bool_]

PUBLIC = ("ply", "turn", "seat", "end")
LEAST_GAMES = 8  # games looked at before it means anything that a redeal never changed something
SEEDS = (11, 12, 13)  # positions are the same to a seat if they are redealt alike from all of these


class HiddenFields:
    """Over all positions of a variant: what redeals change for each seat, and what should be changed by declaration."""

    def __init__(self, variant: Variant, tell: Tell) -> None:
        self.variant = variant
        self.tell = tell
        self.names = [name for name in variant.game.dtype.names or () if name not in PUBLIC]
        # Luck is hidden in every game that hides anything, whether it says so or not.
        self.declared = {"luck": NOBODY_KNOWS, **variant.game.hidden}
        self.first: State | None = None
        self.games = 0
        self.true = {name: self._none(name) for name in self.names}  # places whose true value is not always the same
        self.changed = [{name: self._none(name) for name in self.names} for _ in range(variant.shape.seats)]
        self.touched = [dict.fromkeys(self.names, False) for _ in range(variant.shape.seats)]
        self.exchanged: set[tuple[str, int, int]] = set()  # (field, seat, row): the row's values themselves are not always the same
        self.true_rows: set[tuple[str, int]] = set()

    def _none(self, name: str) -> Mask:
        return np.zeros(np.atleast_1d(self.variant.empty()[name][0]).shape, np.bool_)

    def declarations(self) -> None:
        """Every hidden field is named, and its rows are seats where that matters."""
        if not self.variant.game.hidden:
            self.tell(
                "hidden", 'declare which fields of the state are hidden, as in Game(hidden={"luck": "all", "hand": "others"})'
            )
        for name, who in self.variant.game.hidden.items():
            if name not in self.names:
                self.tell("hidden", f"{name} is declared hidden, but the state has no such field")
            elif who not in (NOBODY_KNOWS, OTHERS, OWNER):
                self.tell("hidden", f"{name} is declared hidden from '{who}'; it must be from all, others or own")
            elif who != NOBODY_KNOWS and self.true[name].shape[0] < self.variant.shape.seats:
                self.tell("hidden", f"{name} is declared hidden from {who}, but it has no row for each seat")
        self.declared = {name: who for name, who in self.declared.items() if name in self.names}

    def true_state(self, state: State) -> None:
        """A position of the game as it is."""
        self.games += state.ply == 0
        self.first = self.first or state.copy()
        for name in self.names:
            self.true[name] |= _unequal(state, self.first, name)
        self.true_rows |= {(name, row) for name, row in self._rows() if _other_values(state, self.first, name, row)}

    def redealt(self, seat: int, state: State, once: State, again: State) -> None:
        """What two redeals for a seat made of it. What counts is that these two differ: a deck that is put into a fixed order is
        another one than it was, but as well known."""
        for name in self.names:
            self.changed[seat][name] |= _unequal(once, again, name)
            self.touched[seat][name] |= bool(_unequal(state, once, name).any())
        self.exchanged |= {(name, seat, row) for name, row in self._rows() if _other_values(once, again, name, row)}

    def _rows(self) -> Iterator[tuple[str, int]]:
        for name, who in self.declared.items():
            if who != NOBODY_KNOWS and self.true[name].ndim > 1:
                yield from ((name, row) for row in range(self.variant.shape.seats))

    def fields(self, seat: int) -> list[str]:
        """Names of the fields that redeals for a seat have changed."""
        return [name for name in self.names if self.changed[seat][name].any() or self.touched[seat][name]]

    def verdict(self) -> None:
        """After all games."""
        for seat in range(self.variant.shape.seats):
            for name in self.fields(seat):
                if name not in self.declared:
                    self.tell("hidden", f"a redeal for seat {seat} changes {name}, which Game.hidden does not name")
            if self.games >= LEAST_GAMES:
                for name, who in self.declared.items():
                    self._vary(seat, name, who)

    def _vary(self, seat: int, name: str, who: str) -> None:
        """A hidden field that is always the same in truth needs no redeal: it is not in use in this variant."""
        secret = self._secret_places(seat, name, who)
        true, changed = self.true[name] & secret, self.changed[seat][name] & secret
        if not true.any():
            return
        if not changed.any():
            self.tell("redeal varies", f"no two redeals for seat {seat} differ in {name}, which is hidden from it")
        elif who == NOBODY_KNOWS and (kept := true & ~changed).any():
            place = "".join(f"[{i}]" for i in np.argwhere(kept)[0])
            self.tell("redeal varies", f"no two redeals for seat {seat} differ in {name}{place}, which is hidden from it")
        for row in range(self.variant.shape.seats):
            if (name, row) in self.true_rows and secret[row].all() and (name, seat, row) not in self.exchanged:
                self.tell("redeal varies", f"redeals for seat {seat} only rearrange {name}[{row}]: its values stay the same")

    def _secret_places(self, seat: int, name: str, who: str) -> Mask:
        """The places of a field that a seat may not know; rows beyond the seats are not in use."""
        places = np.ones_like(self.true[name])
        if who != NOBODY_KNOWS:
            places[self.variant.shape.seats :] = False
            places[: self.variant.shape.seats] = who == OTHERS
            places[seat] = who == OWNER
        return places


def _unequal(a: State, b: State, name: str) -> Mask:
    return np.atleast_1d(a.array[name][0] != b.array[name][0])


def _other_values(a: State, b: State, name: str, row: int) -> bool:
    """Does a row hold other values, in whatever order?"""
    return not np.array_equal(np.sort(a.array[name][0][row], axis=None), np.sort(b.array[name][0][row], axis=None))


@dataclass
class Twin:
    """The game as it would be had one action been another."""

    state: State
    ply: int  # of that action
    mover: int
    action: int  # as it is in the twin; the game has `true`
    true: int
    watchers: list[int]  # seats that have not been able to tell the two apart


class Secrets:
    """Plays twins along with a game. While a seat cannot tell game and twin apart, it must not be told which action was made."""

    def __init__(self, variant: Variant, tell: Tell, listed: Callable[[State], list[int]], observed: Callable[..., Any]) -> None:
        self.variant = variant
        self.tell = tell
        self.listed = listed
        self.observed = observed
        self.twins: list[Twin] = []
        self.history: list[tuple[int, int]] = []
        self.luck = stream(0)  # which other action a twin makes

    def begin(self, seed: int) -> None:
        """A new game."""
        self.twins, self.history = [], []
        self.luck = stream(child(seed, 999))

    def before(self, state: State, action: int, legal: list[int]) -> None:
        """An action is about to be made: the twins make it too, and a new twin makes another."""
        mover, ply = state.seat, state.ply
        self.history.append((mover, action))
        self.twins = [twin for twin in self.twins if twin.state.seat == mover and action in self.listed(twin.state)]
        for twin in self.twins:
            twin.state.play(action)
        if others := [other for other in legal if other != action]:
            other = others[draw(self.luck, len(others))]
            copy = state.copy()
            copy.play(other)
            watchers = [seat for seat in range(self.variant.shape.seats) if seat != mover]
            self.twins.append(Twin(copy, ply, mover, other, action, watchers))

    def after(self, state: State) -> None:
        """The action is made: who can still not tell?"""
        for twin in self.twins:
            twin.watchers = [seat for seat in twin.watchers if self._cannot_tell(seat, state, twin)]
        self.twins = [twin for twin in self.twins if twin.watchers]

    def _cannot_tell(self, seat: int, state: State, twin: Twin) -> bool:
        """Looks at both; tells of a leak. At the end all is open, and who moves is nobody's secret."""
        other = twin.state
        if state.over or other.over or state.seat != other.seat or not _different(state, other):
            return False
        names = self.variant.format_action
        here = state.told(seat, self.history)[twin.ply]
        made = [*self.history[: twin.ply], (twin.mover, twin.action), *self.history[twin.ply + 1 :]]
        there = other.told(seat, made)[twin.ply]
        choice = f"whether seat {twin.mover} played '{names(twin.true)}' or '{names(twin.action)}'"
        if all(_same_to(seat, state, other, seed) for seed in SEEDS):
            if here != there:
                self.tell(
                    "leak",
                    f"seat {seat} is told '{names(twin.true)}' although a redeal for it does not know {choice}: "
                    "declare in Game.secret that it may not know it yet, or let redeal keep what the move shows",
                )
            return True
        if self._looks_the_same(seat, state, other):
            kept = f"{choice}, yet a redeal for it keeps {_different(state, other)}"
            if here[1] == there[1] == HIDDEN:
                self.tell("secret", f"seat {seat} may not know {kept}: deal that again")
            else:
                self.tell(
                    "secret", f"nothing shows seat {seat} {kept}: show it in the view, or declare it in Game.secret and redeal it"
                )
        return False

    def _looks_the_same(self, seat: int, state: State, other: State) -> bool:
        view = self.variant.game.view
        levels = [number for number, level in enumerate(self.variant.shape.levels) if not level.clairvoyant]
        return bool(view(state.data, seat) == view(other.data, seat)) and all(
            np.array_equal(self.observed(state, seat, number), self.observed(other, seat, number)) for number in levels
        )


class Reshuffles:
    """Deals again what no seat knows, at every position: nobody may notice, and it must not stay as it was."""

    def __init__(self, variant: Variant, tell: Tell) -> None:
        self.variant = variant
        self.tell = tell
        self.changed = False

    def position(self, state: State, seed: int) -> None:
        game = self.variant.game
        if game.reshuffle is None:
            return
        copy = state.copy()
        game.reshuffle(copy.data, np.uint64(seed))
        self.changed |= bool(_different(state, copy))
        for seat in range(self.variant.shape.seats):
            if not all(_same_to(seat, state, copy, other) for other in SEEDS):
                self.tell("reshuffle", f"reshuffle changes {_different(state, copy)}, and with it something that seat {seat} knows")
        if game.audit is not None and (broken := int(game.audit(copy.data))):
            self.tell("reshuffle", f"'{game.invariants[broken - 1]}' does not hold after a reshuffle in {state!r}")

    def verdict(self) -> None:
        """After all games."""
        if self.variant.game.reshuffle is not None and not self.changed:
            self.tell("reshuffle", "no reshuffle changed anything but the luck to come: deal decks again, too")


def _same_to(seat: int, state: State, other: State, seed: int) -> bool:
    return state.redealt(seat, seed).array.tobytes() == other.redealt(seat, seed).array.tobytes()


def _different(state: State, other: State) -> str:
    """Names of the fields in which they differ, but for the luck: what leaves no trace needs no secrecy."""
    names = [name for name in state.array.dtype.names or () if name != "luck"]
    return ", ".join(name for name in names if state.array[name].tobytes() != other.array[name].tobytes())

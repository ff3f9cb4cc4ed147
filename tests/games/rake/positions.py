"""Positions for tests: `roll(state, "123 44 6")` lays orange, brown and green dice, `finish(state, busch=2)` fills two rows."""

from __future__ import annotations

import meeple
from meeple.games.rake.components import COLOUR_NAMES, DIE_NAMES, MOST_LEAVES, NEEDED, PROPERTY_NAMES
from meeple.games.rake.state import ACORN, TAKE


def table(variant: str = "complete", seed: int = 1) -> meeple.State:
    return meeple.new(f"rake:{variant}", seed)


def roll(state: meeple.State, dice: str) -> meeple.State:
    """Lay the dice: orange, brown, green."""
    state.data.dice[:] = [int(value) for value in dice.replace(" ", "")]
    return state


def finish(state: meeple.State, seat: int = 0, **groups: int) -> meeple.State:
    """Fill the first so many groups of properties, their needed leaves only. Bonuses are not given."""
    for name, n in groups.items():
        number = PROPERTY_NAMES.index(name)
        state.data.groups[seat, number] = n
        for group in range(n):
            state.data.leaves[seat, number] |= NEEDED[number, group]
    return state


def cross(state: meeple.State, name: str, *leaves: int, seat: int = 0) -> meeple.State:
    """Cross single leaves, as acorns do. Groups that this would finish are not counted: use `finish`."""
    for leaf in leaves:
        state.data.leaves[seat, PROPERTY_NAMES.index(name)] |= 1 << leaf
    return state


def crossed(state: meeple.State, name: str, seat: int = 0) -> set[int]:
    bits = int(state.data.leaves[seat, PROPERTY_NAMES.index(name)])
    return {leaf for leaf in range(MOST_LEAVES) if bits >> leaf & 1}


def finished(state: meeple.State, name: str, seat: int = 0) -> int:
    return int(state.data.groups[seat, PROPERTY_NAMES.index(name)])


def clock(state: meeple.State, *times: int) -> meeple.State:
    """Time marked by seat 0, 1, 2."""
    for seat, time in enumerate(times):
        state.data.time[seat] = time
    return state


def times(state: meeple.State) -> list[int]:
    return [int(time) for time in state.data.time[: state.variant.shape.seats]]


def hold(state: meeple.State, seat: int = 0, **bumps: int) -> meeple.State:
    """Put +1 into a bank: `hold(state, green=2)`."""
    for colour, n in bumps.items():
        state.data.bumps[seat, COLOUR_NAMES.index(colour)] = n
    return state


def bank(state: meeple.State, seat: int = 0) -> dict[str, int]:
    return {name: int(n) for name, n in zip(COLOUR_NAMES, state.data.bumps[seat], strict=True) if n}


def offer_acorn(state: meeple.State, colour: str) -> meeple.State:
    """An acorn of this colour is to be placed, after the first combination of a turn."""
    s = state.data
    s.acorns[COLOUR_NAMES.index(colour)] = 1
    s.phase, s.combinations = ACORN, 1
    return state


def after_reroll(state: meeple.State) -> meeple.State:
    state.data.phase = TAKE
    return state


def shown(state: meeple.State) -> str:
    """The dice, as `roll` takes them; used ones as dots."""
    s = state.data
    text = "".join(str(value) if s.free >> die & 1 else "." for die, value in enumerate(s.dice))
    return f"{text[:3]} {text[3:5]} {text[5:]}"


def rake(state: meeple.State, dice: str, name: str) -> None:
    """Take dice for a property, and name the leaf at Newman."""
    state.play(f"take {dice}")
    state.play(f"section {name}")
    if name == "newman":
        state.play(f"leaf {state.data.dice[DIE_NAMES.index('g')]}")


def fits(state: meeple.State, name: str) -> set[str]:
    """The sets of dice that a property accepts, found by taking whatever can be taken."""
    found = set()
    for move in state.moves():
        verb, _, dice = move.partition(" ")
        if verb == "take":
            after = state.copy()
            after.play(move)
            if f"section {name}" in after.moves():
                found.add(dice)
    return found


def moves(state: meeple.State, *verbs: str) -> list[str]:
    """The legal moves that begin with one of these words, in the order of their ids."""
    return [move for move in state.moves() if move.split()[0] in verbs]

"""Any game of a match as a record."""

from __future__ import annotations

from typing import Any

from meeple.arena.store import Store
from meeple.core.errors import MeepleError
from meeple.core.game import Variant
from meeple.core.record import Record
from meeple.core.registry import find_variant


def checked_rules(about: dict[str, Any]) -> Variant:
    """The variant of a stored match, if its rules are still those of then."""
    variant = find_variant(about["variant"])
    if about["rules"] != variant.game.version:
        raise MeepleError(
            f"Match {about['id']} was played under version {about['rules']} of {variant.game.name}'s rules; "
            f"this is {variant.game.version}."
        )
    return variant


def stored_record(store: Store, match: int, number: int) -> Record:
    """The record of a stored game, with the agents named by seat."""
    about = store.match(match)
    variant = checked_rules(about)
    game = store.game(match, number)
    with store.explained():
        if not all(0 <= action < variant.shape.actions for action in game.actions):
            raise ValueError(f"game {number} of match {match} has actions that {variant.game.name} does not know")
        moves = [variant.format_action(int(action)) for action in game.actions]
        return Record(variant.spec, game.seed, moves, tuple(about["agents"][who] for who in game.seating), about["rules"])

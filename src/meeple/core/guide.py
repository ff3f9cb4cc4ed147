"""What a game, or a network, can tell a search: how promising each action looks and what the table is worth to each seat.

A guide is a NamedTuple of whatever its kernel `advise(guide, s, actions, n, logits, values)` needs. The kernel is found by the
class, as agents are, so that a search compiles itself for every guide. Where a turn begins with luck (dice, say), a second kernel
`value_before_luck(guide, s, values)` may tell what the table was worth before
it, so that a search need not learn by trials what is luck. And where looking at a table is what costs most, a guide may have a
memory: `look(guide, s, values, memo)` values a table and notes what it made of it, and `recall(guide, memo, actions, n, logits)`
scores actions by that note, then or later, without looking again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from meeple.core.kernel import kernel, overload

_ADVISE: dict[type | None, Callable[..., None]] = {}
_BEFORE_LUCK: dict[type | None, Callable[..., bool]] = {}


def kernel_guide(guide: type, adviser: Callable[..., None], before_luck: Callable[..., bool] | None = None) -> None:
    """Declare that `adviser(guide, s, actions, n, logits, values)`, and `before_luck(guide, s, values)` where there is one,
    speak for guides of this NamedTuple class."""
    _ADVISE[guide] = adviser
    if before_luck:
        _BEFORE_LUCK[guide] = before_luck


def value_before_luck(guide: Any, s: Any, values: Any) -> bool:
    """For a table at the beginning of a turn: what it was worth to each seat before the luck that began it. False: unknown."""
    before_luck = _BEFORE_LUCK.get(type(guide))
    return before_luck(guide, s, values) if before_luck else False


@overload(value_before_luck)
def _value_before_luck(guide, s, values):  # type: ignore[no-untyped-def]  # noqa: ARG001
    before_luck = _BEFORE_LUCK.get(getattr(guide, "instance_class", None))
    if before_luck is None:
        return lambda guide, s, values: False  # noqa: ARG005
    return lambda guide, s, values: before_luck(guide, s, values)


def advise(guide: Any, s: Any, actions: Any, n: int, logits: Any, values: Any) -> None:
    """For the n listed actions of the seat to move: logits of how likely each is the best; for every seat: what the table is worth
    to it, as its share of the win, or in points where only points count. The table is a redealt one and must be left as it is."""
    _ADVISE[type(guide)](guide, s, actions, n, logits, values)


@overload(advise)
def _advise(guide, s, actions, n, logits, values):  # type: ignore[no-untyped-def]  # noqa: ARG001
    adviser = _ADVISE.get(getattr(guide, "instance_class", None))
    if adviser is None:
        return None
    return lambda guide, s, actions, n, logits, values: adviser(guide, s, actions, n, logits, values)


_MEMORY: dict[type | None, tuple[Callable[..., None], Callable[..., None]]] = {}


def kernel_memory(guide: type, looks: Callable[..., None], recalls: Callable[..., None]) -> None:
    """Declare the memory of guides of this class, which have a property `memo_size`: numbers of a note, 0 where they keep none."""
    _MEMORY[guide] = looks, recalls


def memo_size(guide: Any) -> int:
    """Numbers of a note; 0: the guide keeps none."""
    return int(guide.memo_size) if type(guide) in _MEMORY else 0


def look(guide: Any, s: Any, values: Any, memo: Any) -> None:
    """What the table is worth to every seat, as by `advise`, and a note of it; nothing where the guide has no memory."""
    if type(guide) in _MEMORY:
        _MEMORY[type(guide)][0](guide, s, values, memo)


@overload(look)
def _look(guide, s, values, memo):  # type: ignore[no-untyped-def]  # noqa: ARG001
    found = _MEMORY.get(getattr(guide, "instance_class", None))
    if found is None:
        return lambda guide, s, values, memo: None  # noqa: ARG005
    looks = found[0]
    return lambda guide, s, values, memo: looks(guide, s, values, memo)


def recall(guide: Any, memo: Any, actions: Any, n: int, logits: Any) -> None:
    """Logits of the n listed actions by a note."""
    if type(guide) in _MEMORY:
        _MEMORY[type(guide)][1](guide, memo, actions, n, logits)


@overload(recall)
def _recall(guide, memo, actions, n, logits):  # type: ignore[no-untyped-def]  # noqa: ARG001
    found = _MEMORY.get(getattr(guide, "instance_class", None))
    if found is None:
        return lambda guide, memo, actions, n, logits: None  # noqa: ARG005
    recalls = found[1]
    return lambda guide, memo, actions, n, logits: recalls(guide, memo, actions, n, logits)


class NoGuide(NamedTuple):
    """Knows nothing: all actions alike, every seat with the same chance. For searches that play to the end."""

    nothing: int = 0


@kernel
def advise_nothing(guide: Any, s: Any, actions: Any, n: int, logits: Any, values: Any) -> None:  # noqa: ARG001
    for i in range(n):
        logits[i] = 0.0
    for seat in range(values.size):
        values[seat] = 1.0 / values.size


kernel_guide(NoGuide, advise_nothing)

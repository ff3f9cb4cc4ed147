"""The cards of a table as items: a network learns once what a card is worth to buy or to reserve, wherever it lies."""

from __future__ import annotations

import numpy as np

from meeple.core.game import NO_ITEM, Items, Variant
from meeple.games.splendor.actions import ACTIONS, BUY, BUY_RESERVED, RESERVE
from meeple.games.splendor.components import FACE_UP, LEVELS, RESERVED, SLOTS

BUYS, BUYS_RESERVED, RESERVES = range(3)  # what is done with a card
OWN, OTHERS = LEVELS, LEVELS + 1  # sorts: the levels face up, one's own reserve, the others'


def items(variant: Variant, level: str) -> Items | None:
    """Face-up cards, the own reserve, the others' reserves; none where cards are named by themselves."""
    if variant.name == "thesis" or level != "seen":
        return None
    players = variant.shape.seats
    fields = variant.shape.levels[variant.level(level)].fields
    starts = dict(zip((f.name for f in fields), np.cumsum([0, *(f.size for f in fields)]), strict=False))
    sizes = {f.name: f.size for f in fields}

    def told(card: str, asker: int) -> list[int]:
        """What is told of a card: its face; what the own side lacks; what each side is short of, and whether it can pay. A reserved
        card's price is that of its owner, `asker`."""
        found: list[int] = []
        for what, size in (("points", 1), ("bonus", 5), ("cost", 5), ("lacking", 5)):
            name = f"{card}_{what}"
            found += range(starts[name], starts[name] + size) if name in starts else [NO_ITEM] * size
        for what in ("short", "buys"):
            name = f"{card}_{what}"
            each = [NO_ITEM] * players
            for i in range(sizes[name]):
                each[i + asker] = starts[name] + i
            found += each
        for what, size in (("level", LEVELS), ("blind", 1)):
            name = f"{card}_{what}"
            found += range(starts[name], starts[name] + size) if name in starts else [NO_ITEM] * size
        return found

    numbers = [told(f"card_{of}_{slot}", 0) for of in range(1, LEVELS + 1) for slot in range(1, SLOTS + 1)]
    numbers += [told(f"own_reserved_{slot}", 0) for slot in range(1, RESERVED + 1)]
    numbers += [told(f"other{i}_reserved_{slot}", i) for i in range(1, players) for slot in range(1, RESERVED + 1)]
    sorts = [of for of in range(LEVELS) for _ in range(SLOTS)] + [OWN] * RESERVED + [OTHERS] * RESERVED * (players - 1)
    item, use = np.full(ACTIONS, NO_ITEM, np.int32), np.zeros(ACTIONS, np.int32)
    for first, size, begin, what in (
        (BUY, FACE_UP, 0, BUYS),
        (RESERVE, FACE_UP, 0, RESERVES),
        (BUY_RESERVED, RESERVED, FACE_UP, BUYS_RESERVED),
    ):
        item[first : first + size] = begin + np.arange(size)
        use[first : first + size] = what
    return Items(np.array(numbers, np.int32), np.array(sorts, np.int32), item, use)

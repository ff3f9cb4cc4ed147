"""What one visitor may ask for in how long: buckets that fill by themselves. Without them one page could starve the others."""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass, field

from meeple.serve.errors import TOO_MANY, Refused

MOST_VISITORS = 10_000  # that are remembered


@dataclass(frozen=True)
class Rate:
    """So many at once, and so many a second afterwards."""

    burst: float
    a_second: float


@dataclass
class Limits:
    """By kind of request; a visitor is an address."""

    rates: dict[str, Rate] = field(
        default_factory=lambda: {
            "request": Rate(400, 100),
            "game": Rate(150, 1),
            "search": Rate(40, 4),
            "record": Rate(30, 1),
            "socket": Rate(300, 20),
        }
    )
    sockets: int = 256  # open at once
    buckets: OrderedDict[tuple[str, str], tuple[float, float]] = field(default_factory=OrderedDict)
    open_sockets: dict[str, int] = field(default_factory=dict)

    def take(self, visitor: str, what: str) -> None:
        """One of these; a refusal if there were too many."""
        rate, now = self.rates[what], time.monotonic()
        left, since = self.buckets.pop((visitor, what), (rate.burst, now))
        left = min(rate.burst, left + (now - since) * rate.a_second)
        self.buckets[visitor, what] = (max(0.0, left - 1), now)
        while len(self.buckets) > MOST_VISITORS:
            self.buckets.popitem(last=False)
        if left < 1:
            raise Refused(TOO_MANY, "That was too often in too short a time; wait a few seconds.")

    def enter(self, visitor: str) -> None:
        if self.open_sockets.get(visitor, 0) >= self.sockets:
            raise Refused(TOO_MANY, "There are too many pages open here; close one, or try again later.")
        self.open_sockets[visitor] = self.open_sockets.get(visitor, 0) + 1

    def leave(self, visitor: str) -> None:
        self.open_sockets[visitor] = self.open_sockets.get(visitor, 1) - 1
        if self.open_sockets[visitor] <= 0:
            del self.open_sockets[visitor]

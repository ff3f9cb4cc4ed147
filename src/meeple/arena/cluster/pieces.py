"""An executor whose workers are a cluster's: a piece of work that is lost with its worker is done again elsewhere."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

from meeple.arena.cluster.connection import disconnect, first_line
from meeple.arena.cluster.link import Link
from meeple.arena.cluster.luggage import do_piece, luggage
from meeple.arena.executor import Base
from meeple.core.errors import MeepleError
from meeple.core.workers import opened

RETRIES = 8  # times that a piece is tried again when its worker was lost; one that kills every worker must end some day


class Cluster(Base):
    """An executor whose workers are a Ray cluster's. A machine that joins is used at once, one that leaves is not missed."""

    def __init__(self, address: str) -> None:
        self.link = Link(address)
        self.ray = self.link.ray
        self._task = self.ray.remote(num_cpus=1, max_retries=RETRIES)(do_piece)
        self._luggage = luggage()
        self._doing: dict[Any, int] = {}
        self._tickets = 0

    @property
    def width(self) -> int:
        """Cores of the cluster, now."""
        return self.link.cores()

    def submit(self, function: Callable[..., Any], *words: Any) -> int:
        self.link.check()
        self._tickets += 1
        self._doing[self._task.remote(self._luggage, function, words)] = self._tickets
        return self._tickets

    def next(self) -> tuple[int, Any]:
        ready = self.link.wait(list(self._doing))
        ticket = self._doing.pop(ready)
        self.link.check()
        try:
            return ticket, opened(self.ray.get(ready))
        except self.ray.exceptions.RayError as error:
            self.link.check()
            raise MeepleError(
                f"A piece of work was lost {RETRIES + 1} times with its worker ({first_line(error)}); what is finished is kept."
            ) from None

    def cancel(self) -> None:
        for reference in self._doing:
            with contextlib.suppress(self.ray.exceptions.RayError):
                self.ray.cancel(reference, force=True)
        self._doing.clear()

    def close(self) -> None:
        self.cancel()
        disconnect()

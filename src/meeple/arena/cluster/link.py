"""Is the cluster still there? Ray itself asks for a minute, and then ends the process."""

from __future__ import annotations

import json
import math
import socket
import subprocess
import sys
import time
from typing import Any

from meeple.arena import last_words
from meeple.arena.cluster.connection import HERE, connect, door, witness
from meeple.core.errors import MeepleError

UNREACHED = 30.0  # seconds that a network may be down before the cluster behind it counts as lost; Ray's own limit is a minute
LOOK = 1.0  # seconds between two looks whether the cluster is there


class ClusterLost(MeepleError):
    """Its head is gone, and all that it knew of this command."""

    exit_code = 1

    def __init__(self, address: str) -> None:
        where = "of this command" if address == HERE else f"at {address}"
        super().__init__(
            f"The Ray cluster {where} is lost, its head or this machine's node has ended; what is finished is kept, and once the "
            "cluster is up again the same command goes on (meeple train with --resume)."
        )


def answers(place: tuple[str, int]) -> bool:
    """Does anybody listen there? A machine that is up refuses at once if nobody does; a network may be up again in a moment."""
    until = time.monotonic() + UNREACHED
    while True:
        try:
            socket.create_connection(place, UNREACHED).close()
            return True
        except ConnectionRefusedError:
            return False
        except OSError:
            if time.monotonic() >= until:
                return False
            time.sleep(LOOK)


class Link:
    """To a cluster, for as long as that lasts.

    Where the head is gone Ray's calls wait for it, and after a minute end this process; where this machine's node is gone, touching
    its shared memory ends it at once. So first of all both are asked whether they are there. Where Ray is faster than that, a
    process that stands by says the sentence (last_words.py).
    """

    def __init__(self, address: str) -> None:
        self.address = address
        self.ray = connect(address)
        self._doors = [door(address)] if address.startswith("ray://") else self._head_and_node()
        self._looked = self._counted = -LOOK
        self._cores = 1
        self._stand_by()

    def _head_and_node(self) -> list[tuple[str, int]]:
        here = self.ray.get_runtime_context()
        mine = (node for node in self.ray.nodes() if node["NodeID"] == here.get_node_id())
        return [door(here.gcs_address), *((node["NodeManagerAddress"], int(node["NodeManagerPort"])) for node in mine)]

    def _stand_by(self) -> None:
        command = [sys.executable, "-I", "-S", last_words.__file__]
        witness.append(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL))
        told = witness[-1].stdin
        assert told is not None
        told.write(json.dumps([str(ClusterLost(self.address)), self._doors]).encode() + b"\n")
        told.flush()

    def check(self) -> None:
        """Raises ClusterLost if it is."""
        if not all(map(answers, self._doors)):
            raise ClusterLost(self.address)
        self._looked = time.monotonic()

    def look(self) -> None:
        """The same once a second, for those who wait."""
        if time.monotonic() - self._looked >= LOOK:
            self.check()

    def cores(self) -> int:
        """Of the cluster, now; counted once a second."""
        if time.monotonic() - self._counted >= LOOK:
            self.check()
            self._cores = max(1, int(self.ray.cluster_resources().get("CPU", 1)))
            self._counted = time.monotonic()
        return self._cores

    def put(self, value: Any) -> Any:
        """Into the cluster's shared memory."""
        self.check()
        try:
            return self.ray.put(value)
        except OSError:  # it ended just now
            raise ClusterLost(self.address) from None

    def wait(self, references: list[Any], seconds: float | None = None) -> Any:
        """The first that is ready, or None if none is in that time."""
        until = math.inf if seconds is None else time.monotonic() + seconds
        while True:
            self.look()
            left = until - time.monotonic()
            ready, _ = self.ray.wait(references, num_returns=1, timeout=max(0.0, min(LOOK, left)))
            if ready or left <= LOOK:
                return ready[0] if ready else None

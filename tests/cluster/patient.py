"""An agent that, on a cluster, plays on only when it is let: so a test knows that both nodes are at work, however slowly."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

from meeple.core.agent import AgentKind, Seen
from meeple.core.game import Variant

GATE = "MEEPLE_TEST_GATE"  # names a folder: once `open` is in it, nobody waits
ON_A_WORKER = "RAY_RAYLET_PID"  # Ray sets it in every worker, and nowhere else


class Patient:
    """The first legal action. The first worker never waits: a match hands out nothing more until its first piece is played."""

    def __init__(self, variant: Variant) -> None:  # noqa: ARG002
        if ON_A_WORKER in os.environ:
            wait_at(Path(os.environ[GATE]))

    def choose(self, seen: Seen) -> int:
        return int(seen.legal[0])


def wait_at(gate: Path) -> None:
    with suppress(FileExistsError), (gate / "first").open("x") as first:
        first.write(str(os.getpid()))
    while (gate / "first").read_text() not in ("", str(os.getpid())) and not (gate / "open").exists():
        time.sleep(0.05)


AGENTS = (AgentKind("patient", "plays the first legal action, when it is let", Patient),)

"""A trained network as an agent: `net:FILE`, `net:FILE,temperature=0.5`."""

from __future__ import annotations

import hashlib
from pathlib import Path

from meeple.core.agent import AgentKind, Param, Value
from meeple.core.errors import MeepleError
from meeple.core.game import Game, Variant
from meeple.nets.policy import Policy
from meeple.nets.ready import load_policy


def make_net_agent(variant: Variant, path: str, temperature: float, sum: str) -> Policy:  # noqa: A002, ARG001
    return load_policy(Path(path).expanduser(), variant, temperature)


def name_weights(settings: dict[str, Value], game: Game) -> dict[str, Value]:  # noqa: ARG001
    """Put the sum of the file into the agent's spec: files change, and results must name the very weights that played."""
    if not settings["path"]:
        raise MeepleError("Which network? Write net:FILE, a file that meeple train has made.")
    path = Path(str(settings["path"])).expanduser()
    if not path.is_file():
        raise MeepleError(f"There is no file {path}, so no network can be read from it.")
    found = hashlib.sha256(path.read_bytes()).hexdigest()[:8]
    if settings["sum"] not in ("", found):
        raise MeepleError(f"{path} has changed: its sum is {found}, not {settings['sum']}.")
    return {**settings, "sum": found}


AGENTS = (
    AgentKind(
        "net",
        "a network from a file of meeple train",
        make_net_agent,
        (
            Param("path", "", "the file; net:FILE is enough"),
            Param("temperature", 0.0, "0: the best action; 1: as trained; more: more at random", 0),
            Param("sum", "", "of the file, filled in by itself: results then name the very weights"),
        ),
        main="path",
        complete=name_weights,
    ),
)

"""A trained network as an agent: `net:FILE`, `net:FILE,temperature=0.5`."""

from __future__ import annotations

from pathlib import Path

from meeple.core.agent import AgentKind, Param
from meeple.core.errors import MeepleError
from meeple.core.game import Variant
from meeple.nets.policy import BySeat, Policy
from meeple.nets.ready import load_policy


def make_net_agent(variant: Variant, path: str, temperature: float) -> Policy | BySeat:
    if not path:
        raise MeepleError("Which network? Write net:FILE, a file that meeple train has made.")
    return load_policy(Path(path).expanduser(), variant, temperature)


AGENTS = (
    AgentKind(
        "net",
        "a network from a file of meeple train",
        make_net_agent,
        (
            Param("path", "", "the file; net:FILE is enough"),
            Param("temperature", 0.0, "0: the best action; 1: as trained; more: more at random", 0),
        ),
        main="path",
    ),
)

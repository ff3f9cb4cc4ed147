"""A trained network as an agent: `net:FILE`, `net:FILE,temperature=0.5`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from meeple.agents.by_part import ByPart, played
from meeple.agents.phases import ByPhase, PlainByPhase, part_of
from meeple.agents.registry import find_agent
from meeple.core.agent import AgentKind, Param, is_kernel_agent
from meeple.core.errors import MeepleError
from meeple.core.game import Variant
from meeple.nets.file import read_net
from meeple.nets.ready import load_policy


def make_net_agent(variant: Variant, path: str, temperature: float) -> Any:
    if not path:
        raise MeepleError("Which network? Write net:FILE, a file that meeple train has made.")
    return load_agent(Path(path).expanduser(), variant, temperature)


def load_agent(path: Path, variant: Variant, temperature: float = 0.0) -> Any:
    """A network from a file. One that has learnt only some phases plays these; the others are decided by whom it learnt with."""
    if (of := played(variant, path)) is not variant:
        return ByPart(load_policy(path, of, temperature))
    policy, config = load_policy(path, variant, temperature), read_net(path)[0].config
    learnt = read_phases(config.get("phases", ""))
    if not learnt:
        return policy
    helper = find_agent(config["others"], variant.game)
    made = helper.make(variant)
    agents = [policy if name in learnt else part_of(made, number) for number, name in enumerate(variant.game.phases)]
    if is_kernel_agent(made):
        return ByPhase(*agents)
    names = ["net" if name in learnt else helper.spec for name in variant.game.phases]
    return PlainByPhase(agents, [name not in learnt and helper.clairvoyant for name in variant.game.phases], names)


def read_phases(text: str) -> tuple[str, ...]:
    """`planning, questing` -> names; nothing: all of them."""
    return tuple(name.strip() for name in text.split(",") if name.strip())


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

"""What the name of a champion does not say: which network, and which levels, the package had for it."""

from __future__ import annotations

import hashlib
import re
from functools import cache
from typing import Any

from meeple.agents.champion import levels_of, network_of
from meeple.core.registry import find_variant

NAMED = re.compile(r"\b(champion|novice)\b")
BUNDLED = "bundled"


def bundled(config: dict[str, Any]) -> str:
    """A digest of what a run's champions are made of today; nothing where it names none that has a network."""
    words = " ".join([*config.get("agents", []), config.get("agent", ""), config.get("against", "")] if playable(config) else [])
    return digest(config["variant"], "level=" in words) if NAMED.search(words) else ""


def playable(config: dict[str, Any]) -> bool:
    """Does it play games of one variant by agents' names? A training's opponents are a list, and it has no champion."""
    return isinstance(config.get("variant"), str) and isinstance(config.get("against", ""), str)


@cache
def digest(spec: str, leveled: bool) -> str:
    variant = find_variant(spec)
    path = network_of(variant, BUNDLED)
    words = [path.read_bytes() if path else b"", repr(levels_of(variant)).encode() if leveled else b""]
    return hashlib.sha256(b" ".join(words)).hexdigest()[:16] if any(words) else ""

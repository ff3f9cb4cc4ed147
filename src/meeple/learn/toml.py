"""A run as a TOML file: what `meeple train` would be told, and the learner's settings under [set].

game = "jaipur:round"
algorithm = "ppo"
out = "runs/j1"
minutes = 30
against = ["greedy", "advanced1"]

[set]
lr = 3e-4
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from meeple.core.errors import MeepleError, UnknownName

KINDS: dict[str, tuple[type, ...]] = {
    "game": (str,),
    "algorithm": (str,),
    "out": (str,),
    "minutes": (int, float),
    "steps": (int,),
    "seed": (int,),
    "against": (list,),
    "evaluate": (int,),
    "games": (int,),
    "checkpoint": (int, float),
    "beside": (bool,),
    "processor": (bool,),
    "set": (dict,),
}
NAMES = {str: "a text", int: "a whole number", float: "a number", list: "a list of texts", bool: "true or false", dict: "a table"}


def read_toml(path: Path) -> dict[str, Any]:
    """What the file says, every key known and of its kind."""
    try:
        given = tomllib.loads(path.read_text())
    except FileNotFoundError:
        raise MeepleError(f"There is no file {path} to read a run from.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise MeepleError(f"{path} cannot be read as TOML: {error}.") from None
    for name, value in given.items():
        if name not in KINDS:
            raise UnknownName(f"key of {path}", name, KINDS)
        if not _fits(value, KINDS[name]):
            raise MeepleError(f"{name} in {path} must be {NAMES[KINDS[name][-1]]}, not {value!r}.")
    return given


def _fits(value: Any, kinds: tuple[type, ...]) -> bool:
    if isinstance(value, list):
        return list in kinds and all(isinstance(part, str) for part in value)
    return isinstance(value, kinds) and (bool in kinds or not isinstance(value, bool))

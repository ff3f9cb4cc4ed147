"""Configurations: dataclasses with a line of help a field, read from `key=value` and written as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, asdict, dataclass, field, fields
from typing import Any, TypeVar

from meeple.core.errors import MeepleError, UnknownName

C = TypeVar("C")


def option(default: Any, meaning: str) -> Any:
    """A field with its line of help."""
    return field(default=default, metadata={"help": meaning})


@dataclass(frozen=True)
class Setup:
    """What every learner has: games, what is seen and paid, who plays, and the network."""

    games: int = option(512, "games side by side")
    steps: int = option(64, "decisions of each between two updates")
    level: str = option("", "observation level; default: seen where the game has it, else its first that is not clairvoyant")
    reward: str = option("", "what is learnt: win, share, difference, points, or one of the game's; default: the variant's")
    scale: float = option(0.0, "rewards are multiplied by it; 0: 1 for wins, 0.05 for points")
    opponents: str = option("self", "self, past (frozen earlier selves) or agents, by weight: 'self 6; past 1; greedy 1'")
    hidden: tuple[int, ...] = option((256, 256), "widths of the hidden layers")
    head: str = option("", "flat, embedding, features, or dense: flat, learnt over all actions; default: features if there are any")
    width: int = option(64, "width of an action's row")
    row_hidden: tuple[int, ...] = option((64,), "layers between an action's features and its row")
    items: bool = option(True, "look at the items of an observation (cards on the table) one by one, where the game names them")
    item_width: int = option(32, "width of what is said of an item")
    lazy: bool = option(False, "Adam leaves rows of actions that are not in a minibatch alone: many actions are learnt faster")
    discount: float = option(1.0, "of rewards one decision later")
    phases: str = option("", "phases that are learnt, with commas: 'planning,questing'; default: all")
    others: str = option("random", "the agent that decides the other phases, such as 'phases:planning=net(FILE),other=random'")
    policies: str = option("shared", "one policy for all seats, or one a seat: shared or seat")
    clone_at: int = option(0, "with policies=seat: after so many decisions all go on from the strongest; 0: never")
    start: str = option("", "a network's file to begin with, of imitation or of another variant, say; default: random weights")
    device: str = option("", "where gradients are computed: cpu, cuda or mps; default: cuda where there is one")


def help_of(config: type) -> dict[str, tuple[Any, str]]:
    """Name -> (default, meaning)."""
    return {f.name: (f.default, f.metadata.get("help", "")) for f in fields(config)}


def read_config(config: type[C], given: Mapping[str, Any], base: C | None = None) -> C:
    """A configuration with some fields set by text or value; unknown names and bad values are refused."""
    known = {f.name: f for f in fields(config)}  # type: ignore[arg-type]
    filled: dict[str, Any] = {} if base is None else asdict(base)  # type: ignore[call-overload]
    for name, value in given.items():
        if name not in known:
            raise UnknownName("setting of this learner", name, known)
        assert known[name].default is not MISSING
        filled[name] = _read(name, value, known[name].default)
    return config(**filled)


def _read(name: str, value: Any, default: Any) -> Any:
    if isinstance(value, str) and not isinstance(default, str):
        return _read_text(name, value, default)
    if isinstance(default, tuple):
        return tuple(value)
    return type(default)(value)


def _read_text(name: str, text: str, default: Any) -> Any:
    what = {bool: "true or false", int: "a whole number", float: "a number", tuple: "whole numbers with commas"}[type(default)]
    try:
        if isinstance(default, bool):
            return {"true": True, "1": True, "false": False, "0": False}[text.lower()]
        if isinstance(default, tuple):
            return tuple(int(part) for part in text.split(",") if part.strip())
        return type(default)(text)
    except (ValueError, KeyError):
        raise MeepleError(f"The setting {name} must be {what}, not '{text}'.") from None


def read_settings(pairs: list[str]) -> dict[str, str]:
    """`key=value` as the command line gives them."""
    given = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key.strip():
            raise MeepleError(f"'{pair}' is no setting; write it as --set NAME=VALUE.")
        given[key.strip()] = value.strip()
    return given

"""A network in a file: safetensors with a card in its header that says what it plays. Nothing is ever unpickled."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from meeple.core.errors import MeepleError
from meeple.core.game import Items, Variant
from meeple.core.record import write_atomically
from meeple.nets.forward import Net, make_net
from meeple.nets.layout import Layout

FORMAT = 1
KEY = "meeple"  # of the card among the file's metadata


@dataclass(frozen=True)
class Card:
    """What a network is, for whoever finds its file."""

    game: str
    variant: str  # as a spec
    rules: int  # version
    level: str  # of observation
    layout: Layout
    policies: int = 1  # 1: one for all seats; else one a seat, each with weights of its own
    reward: dict[str, float] = field(default_factory=dict)  # weights of what its values count
    scale: float = 1.0  # its values are rewards times this
    config: dict[str, Any] = field(default_factory=dict)
    seed: int = 0
    steps: int = 0
    result: dict[str, Any] = field(default_factory=dict)

    def text(self) -> str:
        return json.dumps({**asdict(self), "layout": self.layout.as_dict(), "format": FORMAT}, sort_keys=True)

    @staticmethod
    def read(text: str, path: Path) -> Card:
        try:
            given = json.loads(text)
            if given.pop("format") != FORMAT:
                raise ValueError("format")
            return Card(**{**given, "layout": Layout.from_dict(given["layout"])})
        except (ValueError, TypeError, KeyError, MeepleError):
            raise MeepleError(f"The card of {path} cannot be read; it was written by another version of meeple.") from None


def features_of(variant: Variant) -> NDArray[np.float32] | None:
    """The game's description of its actions, (actions, numbers), if it has one."""
    make = getattr(variant.game, "features", None)
    return None if make is None else np.ascontiguousarray(make(variant), np.float32)


def items_of(variant: Variant, level: str) -> Items | None:
    """The things that the game says an observation tells alike, if it does."""
    return None if variant.game.items is None else variant.game.items(variant, level)


def items_fit(layout: Layout, items: Items | None) -> bool:
    """Does the game still tell items as this network learnt to read them?"""
    if not layout.items:
        return True
    if items is None:
        return False
    told = (items.numbers.shape[1], int(items.sorts.max()) + 1, int(items.use.max()) + 1)
    return told == (layout.items, layout.item_sorts, layout.item_uses)


def write_net(path: Path, card: Card, weights: NDArray[np.float32], *, half: bool = False) -> None:
    """Every part under its own name, so that any reader of safetensors can look at it. Weights are flat, or (policies, flat).
    `half` writes float16: half the size, for a network that is only played."""
    each = weights.reshape(card.policies, card.layout.size)
    parts = {
        prefix + name: np.ascontiguousarray(card.layout.of(one, name), np.float16 if half else np.float32)
        for prefix, one in zip(_prefixes(card), each, strict=True)
        for name in card.layout.parts
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, save(parts, {KEY: card.text()}))


def _prefixes(card: Card) -> list[str]:
    """What the names of each policy's parts begin with."""
    return [""] if card.policies == 1 else [f"seat{i}." for i in range(card.policies)]


def read_tensors(path: Path, what: str = "network") -> tuple[dict[str, NDArray[Any]], str]:
    """Everything in a file of ours and its card's text; a sentence where it is none, or damaged."""
    if not path.is_file():
        raise MeepleError(f"There is no file {path}, so no {what} can be read from it.")
    try:
        with safe_open(path, "numpy") as file:
            card = (file.metadata() or {}).get(KEY)
            if card is None:
                raise MeepleError(f"{path} is no {what} of meeple's: it has no card.")
            return {name: file.get_tensor(name) for name in file.keys()}, card  # noqa: SIM118
    except (SafetensorError, OSError, ValueError) as error:
        raise MeepleError(f"{path} is damaged or no {what} at all ({error}).") from None


def read_net(path: Path) -> tuple[Card, NDArray[np.float32]]:
    """The card and the flat weights, or (policies, flat) where every seat has its own."""
    tensors, text = read_tensors(path)
    card = Card.read(text, path)
    flat = np.zeros((card.policies, card.layout.size), np.float32)
    for one, prefix in zip(flat, _prefixes(card), strict=True):
        for name, part in card.layout.parts.items():
            found = tensors.get(prefix + name)
            if found is None or found.shape != part.shape or found.dtype not in (np.float32, np.float16):
                raise MeepleError(f"{path} does not hold the part {prefix + name} of the network that its card describes.")
            card.layout.of(one, name)[:] = found
    if not np.isfinite(flat).all():
        raise MeepleError(f"{path} holds weights that are no numbers (NaN), so nobody can play it.")
    return card, flat[0] if card.policies == 1 else flat


def fit(card: Card, path: Path, variant: Variant) -> int:
    """The number of the observation level, if the network was made for this variant; a sentence where it was not."""
    if card.game != variant.game.name:
        raise MeepleError(f"{path} plays {card.game}, not {variant.game.name}.")
    if card.rules != variant.game.version:
        raise MeepleError(
            f"{path} learnt version {card.rules} of the rules of {card.game}, not version {variant.game.version}: train it anew."
        )
    if card.layout.actions != variant.shape.actions:
        raise MeepleError(
            f"{path} chooses among the {card.layout.actions} actions of {card.variant}; {variant.spec} has {variant.shape.actions}."
        )
    if card.policies not in (1, variant.shape.seats):
        raise MeepleError(
            f"{path} has a policy for each of {card.policies} seats of {card.variant}; {variant.spec} has {variant.shape.seats}."
        )
    levels = {level.name: level.size for level in variant.shape.levels}
    if levels.get(card.level) != card.layout.inputs:
        have = f"{levels[card.level]} numbers" if card.level in levels else "no such level"
        raise MeepleError(
            f"{path} observes {card.layout.inputs} numbers of the level {card.level} of {card.variant}; {variant.spec} has {have}."
        )
    return variant.level(card.level)


def load_net(path: Path, variant: Variant) -> tuple[Card, Net, int]:
    """The card, a network ready to be asked, and its observation level; refused where every seat has its own."""
    card, nets, level = load_nets(path, variant)
    if len(nets) > 1:
        raise MeepleError(f"{path} has a network for each seat: it plays as an agent, but a search needs one for all seats.")
    return card, nets[0], level


def load_nets(path: Path, variant: Variant) -> tuple[Card, list[Net], int]:
    """The card, networks ready to be asked (one, or one a seat), and their observation level."""
    card, weights = read_net(path)
    level = fit(card, path, variant)
    features = features_of(variant)
    if card.layout.head == "features" and (features is None or features.shape != (card.layout.actions, card.layout.features)):
        raise MeepleError(
            f"{path} knows actions by {card.layout.features} numbers each, as {variant.game.name} no longer describes them."
        )
    items = items_of(variant, card.level)
    if not items_fit(card.layout, items):
        raise MeepleError(f"{path} knows things by {card.layout.items} numbers each, as {variant.game.name} no longer tells them.")
    each = weights.reshape(card.policies, card.layout.size)
    return card, [make_net(card.layout, one, variant.shape.room, features, items) for one in each], level

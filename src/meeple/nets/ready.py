"""Networks from files, as agents and guides."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from meeple.core.errors import MeepleError
from meeple.core.game import Variant
from meeple.nets.file import Card, load_net, load_nets
from meeple.nets.forward import Net
from meeple.nets.policy import Adviser, BySeat, Policy


def make_policy(net: Net, inputs: int, level: int, temperature: float = 0.0) -> Policy:
    """An agent on a network in memory."""
    return Policy(net, np.zeros(inputs, np.float32), level, float(temperature))


def make_policies(nets: list[Net], inputs: int, level: int, temperature: float = 0.0) -> Policy | BySeat:
    """The same on one network for all seats, or on one a seat."""
    made = tuple(make_policy(net, inputs, level, temperature) for net in nets)
    return made[0] if len(made) == 1 else BySeat(made)


def load_policy(path: Path, variant: Variant, temperature: float = 0.0) -> Policy | BySeat:
    """An agent from a file."""
    card, nets, level = load_nets(path, variant)
    return make_policies(nets, card.layout.inputs, level, temperature)


def load_adviser(path: Path, variant: Variant) -> Adviser:
    """A guide from a file: its values become shares of the win, or points where only these count."""
    card, net, level = load_net(path, variant)
    return make_adviser(net, level, variant, conversion(card, path, variant))


def make_adviser(net: Net, level: int, variant: Variant, conversion: tuple[float, float, bool]) -> Adviser:
    """A guide on a network in memory."""
    scale, offset, add_points = conversion
    observation = np.zeros(variant.shape.levels[level].size, np.float32)
    return Adviser(net, observation, np.zeros(variant.shape.seats), level, scale, offset, int(add_points))


def conversion(card: Card, path: Path | str, variant: Variant) -> tuple[float, float, bool]:
    """(scale, offset, whether points so far are to be added) that make a search's value of the network's."""
    seats, paid = variant.shape.seats, {name: weight for name, weight in card.reward.items() if weight}
    if card.layout.q and seats > 2:
        raise MeepleError(
            f"{path} tells what the seat to move may expect; a search of {variant.spec} needs to know it of every seat."
        )
    if variant.shape.winnable and set(paid) == {"win"}:
        lost = 1.0 if seats == 1 else 1.0 / (seats - 1)  # a defeat is paid -1, shared by all losers
        span = (1.0 + lost) * paid["win"] * card.scale
        return 1.0 / span, lost / (1.0 + lost), False
    if variant.shape.winnable and set(paid) == {"share"} and card.layout.values == seats:
        return 1.0 / (paid["share"] * card.scale), 0.0, False
    if not variant.shape.winnable and set(paid) in ({"points"}, {"difference"}):
        name = next(iter(paid))
        return 1.0 / (paid[name] * card.scale), 0.0, name == "points"
    wanted = "win" if variant.shape.winnable else "points"
    counts = " and ".join(paid) or "nothing"
    raise MeepleError(f"The values of {path} count {counts}; a search of {variant.spec} needs a network trained for {wanted}.")

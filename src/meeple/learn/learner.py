"""What all learners share: a network, groups of games it plays, an optimiser, and how all of it is kept and written down.

A learner is a subclass in a file of its own with a configuration and `iterate()`, which plays, learns and returns what to report.
"""

from __future__ import annotations

from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any, ClassVar, Protocol

import numpy as np
import torch
from numpy.typing import NDArray

from meeple.agents.registry import find_agent
from meeple.core.game import Items, Reward, Variant
from meeple.core.rng import child
from meeple.learn.config import Setup
from meeple.learn.experience import Group, Maker, Parts, read_opponents, share_out
from meeple.learn.model import Model, find_device
from meeple.learn.optimiser import Adam
from meeple.learn.past import Past
from meeple.learn.start import take_over
from meeple.nets.file import Card, features_of, items_of
from meeple.nets.layout import WITH_ITEMS, Layout, random_weights
from meeple.nets.policy import BySeat, Policy
from meeple.nets.ready import make_policy
from meeple.rollout.batch import ALTERNATE
from meeple.rollout.rewards import find_reward

FLAT_AT_MOST = 1000  # actions for which a row as wide as the last layer is worth it


class Elsewhere(Protocol):
    """Whoever plays rounds for a learner (learn/spread.py)."""

    def rounds(self, sent: dict[str, NDArray[Any]]) -> tuple[list[Any], dict[str, float]]:
        """Rounds played with what was sent, or lately, and figures of how that went."""
        ...


class Learner:
    """One run's network and games."""

    config_class: ClassVar[type[Setup]] = Setup  # the learner's own, read from --set
    spreads: ClassVar[bool] = False  # can its rounds be played by others, in any order? Then it has gather and join

    def __init__(self, variant: Variant, config: Setup, seed: int) -> None:
        torch.set_num_threads(1)
        self.variant, self.setup, self.seed = variant, config, seed
        self.level = config.level or default_level(variant)
        self.reward = find_reward(variant, config.reward)
        self.scale = config.scale or default_scale(self.reward)
        features, items = features_of(variant), items_of(variant, self.level)
        layout = self.shape_net(make_layout(variant, config, self.level, self.reward, features), config)
        spans = np.abs(variant.shape.levels[variant.level(self.level)].bounds()).max(axis=0)
        self.model = Model(layout, random_weights(layout, child(seed, 0), spans), features, find_device(config.device), items)
        self.net = self.model.net(variant.shape.room)
        self.past = Past(self.model, variant, self.level)
        self.groups = self._groups(config)
        self.counters = np.zeros(2, np.int64)  # decisions, updates
        self.progress = 0.0  # of the run, from 0 to 1: the loop sets it
        self.spread: Elsewhere | None = None  # who plays, if others do

    def shape_net(self, layout: Layout, config: Any) -> Layout:  # noqa: ARG002
        """The network that the learner makes of the usual one."""
        return layout

    def _groups(self, config: Setup, seat: int = ALTERNATE, others: Maker | None = None) -> list[Group]:
        """Games against each kind of opponents. A learner of one `seat` meets the `others` where it would meet itself."""
        named = read_opponents(config.opponents)
        shares = share_out(config.games, [weight for _, weight in named])
        made = []
        parts = Parts.of(self.variant, config.phases, config.others)
        for number, ((name, _), games) in enumerate(zip(named, shares, strict=True)):
            maker = {"self": others, "past": self.past.make}.get(name)
            if name not in ("self", "past"):
                maker = find_agent(name, self.variant.game).make
            made.append(
                Group(
                    self.variant,
                    self.level,
                    games,
                    config.steps,
                    self.model.layout.values,
                    child(self.seed, 100 + number),
                    self.reward,
                    maker,
                    seat,
                    parts,
                )
            )
        return made

    def take_seat(self, seat: int, others: Maker) -> None:
        """From now on learn one seat only, at tables of these others."""
        self.groups = self._groups(self.setup, seat, others)

    def begin_with(self, path: Path) -> None:
        """Take the weights of a network's file; nothing else of it, so that the optimiser begins anew."""
        take_over(path, self.variant, self.level, self.model.layout, self.model.weights)
        self.restored()

    def begin_anew(self) -> None:
        """Forget what the optimiser knows, but not the weights."""
        adam = getattr(self, "adam", None)
        if isinstance(adam, Adam):
            for array in adam.arrays().values():
                array[...] = 0

    @property
    def weights(self) -> NDArray[np.float32]:
        """What is learnt, as a file holds it."""
        return self.model.weights

    def player(self, temperature: float = 0.0) -> Policy | BySeat:
        """The network as an agent; it changes as the weights do. Values of actions are not drawn from: the best is played."""
        layout = self.model.layout
        return make_policy(self.net, layout.inputs, self.variant.level(self.level), 0.0 if layout.q else temperature)

    def describe_groups(self) -> dict[str, float]:
        """What a seat was paid in a game with itself, and the share of the wins against each opponent, where games ended."""
        found = {}
        for group, (name, _) in zip(self.groups, read_opponents(self.setup.opponents), strict=True):
            ended = int((group.trail.ended != 0).sum())
            if ended and group.alone:
                found["return"] = float(group.trail.rewards.sum()) / ended / self.variant.shape.seats
            elif ended:
                found[f"against {name}"] = float(group.shares().mean())
        return found

    @property
    def decisions(self) -> int:
        """Made so far, in all games."""
        return int(self.counters[0])

    def iterate(self) -> dict[str, float]:
        """Play, learn, and say how it went."""
        raise NotImplementedError

    # ---- Playing, here or elsewhere ----

    def gather(self) -> Any:
        """Play a round with the weights as they are: what is learnt from it, plain enough to be sent by another process."""
        raise NotImplementedError

    def join(self, rounds: list[Any]) -> Any:
        """Several rounds as one."""
        raise NotImplementedError

    def round(self) -> tuple[Any, dict[str, float]]:
        """The next round to learn from, and what there is to tell of those who played it."""
        if self.spread is None:
            return self.gather(), {}
        rounds, told = self.spread.rounds(self.sent())
        return self.join(rounds), told

    def spread_over(self, algorithm: str, address: str) -> Any:
        """Let a cluster play. What this returns is closed at the end."""
        from meeple.learn.spread import Spread  # only now: Ray is an extra

        self.spread = made = Spread(self.variant, algorithm, self, address)
        return made

    def sent(self) -> dict[str, NDArray[Any]]:
        """What players need to know: the weights, the earlier self to be met, and how old these are."""
        met = self.past.kept[self.past.numbers[1]] if self.past.policy is not None else np.zeros(0, np.float32)
        return {"weights": self.model.weights.copy(), "past": met.copy(), "update": np.array(self.counters[1])}

    def receive(self, sent: dict[str, NDArray[Any]]) -> None:
        """And what they do with it."""
        self.model.weights[:] = sent["weights"]
        self.model.refresh(self.net)
        if self.past.policy is not None:
            self.past.kept[self.past.numbers[1]] = sent["past"]
            self.past.refresh()

    def optimiser_arrays(self) -> dict[str, NDArray[Any]]:
        """What else belongs into a checkpoint."""
        return {}

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Everything the rest of the run depends on, in its own memory: a checkpoint copies it out, `--resume` back in."""
        found: dict[str, NDArray[Any]] = {"weights": self.model.weights, "counters": self.counters}
        found |= {f"past.{name}": array for name, array in self.past.arrays().items()}
        for number, group in enumerate(self.groups):
            found |= {f"games.{number}.{name}": array for name, array in group.arrays().items()}
        return found | {f"learner.{name}": array for name, array in self.optimiser_arrays().items()}

    def restored(self) -> None:
        """After the arrays were written back."""
        self.model.refresh(self.net)
        self.past.refresh()

    def card(self, result: dict[str, Any] | None = None) -> Card:
        """What the network is, for its file."""
        variant = self.variant
        return Card(
            game=variant.game.name,
            variant=variant.spec,
            rules=variant.game.version,
            level=self.level,
            layout=self.model.layout,
            reward={f.name: getattr(self.reward, f.name) for f in fields(Reward) if f.name != "meaning"},
            scale=self.scale,
            config=asdict(self.setup),
            seed=self.seed,
            steps=self.decisions,
            result=result or {},
        )


def default_level(variant: Variant) -> str:
    """`seen` where the game has it, else the most telling level that is honest."""
    honest = [level.name for level in variant.shape.levels if not level.clairvoyant]
    return "seen" if "seen" in honest else honest[-1]


def default_scale(reward: Reward) -> float:
    return 0.05 if reward.points or reward.difference or reward.earned else 1.0


def zero_sum(reward: Reward, seats: int) -> bool:
    """Is what one of two seats gains always the other's loss?"""
    return seats == 2 and not (reward.share or reward.points or reward.earned)


def make_layout(variant: Variant, config: Setup, level: str, reward: Reward, features: NDArray[np.float32] | None) -> Layout:
    """The network for a variant: one value where it says all, else one a seat."""
    shape = variant.shape
    head = config.head or ("features" if features is not None else "flat" if shape.actions <= FLAT_AT_MOST else "embedding")
    made = Layout(
        inputs=shape.levels[variant.level(level)].size,
        actions=shape.actions,
        hidden=config.hidden,
        head=head,
        width=config.width,
        features=0 if features is None or head != "features" else features.shape[1],
        row_hidden=config.row_hidden,
        values=1 if shape.seats == 1 or zero_sum(reward, shape.seats) else shape.seats,
        after=bool(getattr(config, "softmax_after_mask", False)),
    )
    items = items_of(variant, level) if config.items and head in WITH_ITEMS else None
    return with_items(made, items, config.item_width) if items is not None else made


def with_items(layout: Layout, items: Items, width: int) -> Layout:
    """The same with a part that looks at items."""
    sorts, uses = int(items.sorts.max()) + 1, int(items.use.max()) + 1
    return replace(layout, items=items.numbers.shape[1], item_sorts=sorts, item_uses=uses, item_width=width)


def merged(lines: list[dict[str, float]]) -> dict[str, float]:
    """Figures of several steps as one: games are added up, of all else the mean where there was something to tell."""
    names = {name for line in lines for name in line}
    found = {name: float(np.mean([line[name] for line in lines if name in line])) for name in sorted(names)}
    return found | {"games": float(sum(line["games"] for line in lines))}

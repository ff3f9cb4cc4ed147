"""Agents as candidates: a setting of an agent plays some deals, and what each deal gave is kept, for intervals."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.agents.registry import AgentSpec, find_agent
from meeple.arena.plan import Plan
from meeple.arena.stats import mean_interval, share_interval
from meeple.core.errors import MeepleError, UnknownName
from meeple.core.game import Variant
from meeple.core.registry import find_variant
from meeple.core.rng import child

Deals = list[float]  # what each deal gave, the mean over its seatings


def set_agent(player: AgentSpec, settings: Mapping[str, Any]) -> AgentSpec:
    """The agent with some parameters changed, each checked as if it were typed."""
    known = {param.name: param for param in player.kind.params}
    for name in settings:
        if name not in known:
            raise UnknownName(f"parameter of {player.kind.name}", name, known)
    read = {name: known[name].read(str(value), player.kind.name) for name, value in settings.items()}
    return replace(player, settings={**player.settings, **read})


def play_candidate(spec: str, agent: str, settings: Mapping[str, Any], other: str, numbers: range, seed: int, metric: str) -> Deals:
    """Some deals of a candidate against one opponent at all other seats, which is "" in a solitaire."""
    variant = find_variant(spec)
    candidate = set_agent(find_agent(agent, variant.game), settings)
    seats = variant.shape.seats
    rest = (find_agent(other, variant.game),) * (seats - 1) if other else ()
    plan = Plan(variant, (candidate, *rest), numbers.stop * seats, seed)
    games = range(numbers.start * seats, numbers.stop * seats)
    _, seating = plan.tables(games)
    finished = plan.play(games)
    values = measured(metric, finished.scores, finished.outcomes, seating == 0)
    return [float(mean) for mean in values.reshape(-1, seats).mean(axis=1)]


def measured(metric: str, scores: NDArray[Any], outcomes: NDArray[Any], mine: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Of every game, by the candidate's seat."""
    own = scores[mine]
    if metric == "score":
        return np.asarray(own)
    if metric == "win":
        return np.asarray(outcomes[mine])
    return np.asarray(own - (scores.sum(axis=1) - own) / max(1, scores.shape[1] - 1))


def play_against_all(
    spec: str, agent: str, settings: Mapping[str, Any], others: tuple[str, ...], numbers: range, seed: int, metric: str
) -> list[Deals]:
    """The same against each opponent."""
    return [play_candidate(spec, agent, settings, other, numbers, child(seed, i), metric) for i, other in enumerate(others)]


@dataclass(frozen=True)
class AgentSubject:
    """An agent whose parameters are tuned."""

    variant: Variant
    player: AgentSpec  # where it starts
    opponents: tuple[str, ...]
    metric: str
    deals: int  # of a candidate against each opponent
    seed: int
    function: Callable[..., Any] = play_against_all

    @property
    def name(self) -> str:
        return self.player.spec

    def check(self, settings: Mapping[str, Any]) -> None:
        """Refuse a setting that cannot be, before the first game."""
        set_agent(self.player, settings)

    def spec(self, settings: Mapping[str, Any]) -> str:
        """The setting as other commands take it."""
        return set_agent(self.player, settings).spec

    def words(self, settings: Mapping[str, Any], rung: int, rungs: int, parts: list[Any]) -> tuple[Any, ...]:  # noqa: ARG002
        """Of the rung's part of the deals, the same for every candidate."""
        numbers = range(self.deals * rung // rungs, self.deals * (rung + 1) // rungs)
        return self._words(settings, numbers, self.seed)

    def _words(self, settings: Mapping[str, Any], numbers: range, seed: int) -> tuple[Any, ...]:
        return (self.variant.spec, self.player.spec, dict(settings), self.opponents or ("",), numbers, seed, self.metric)

    def value(self, parts: list[list[Deals]]) -> float:
        """The mean over opponents of all deals so far."""
        return float(np.mean([np.mean(deals) for deals in self._by_opponent(parts)]))

    def _by_opponent(self, parts: list[list[Deals]]) -> list[NDArray[np.float64]]:
        return [np.concatenate(deals) for deals in zip(*parts, strict=True)]

    def fresh_words(self, settings: Mapping[str, Any], number: int, deals: int) -> tuple[Any, ...]:
        """The setting again, on deals that nothing was chosen by; another `number`, other deals."""
        return self._words(settings, range(deals), child(child(self.seed, 1_000_000), number))

    def fresh(self, part: list[Deals]) -> dict[str, Any]:
        """A result with its interval, of all opponents' deals together."""
        seats = self.variant.shape.seats
        means = np.mean([np.asarray(deals) for deals in part], axis=0)
        interval = share_interval(means, seats) if self.metric == "win" else mean_interval(means)
        return {"value": float(means.mean()), "ci": list(interval), "games": sum(map(len, part)) * seats}

    def gain(self, part: list[Deals], before: list[Deals]) -> dict[str, Any]:
        """How much better than another setting on the same deals."""
        steps = np.mean([np.asarray(a) - np.asarray(b) for a, b in zip(part, before, strict=True)], axis=0)
        return {"value": float(steps.mean()), "ci": list(mean_interval(steps))}


def agent_subject(
    variant: Variant, player: AgentSpec, against: tuple[str, ...], metric: str, games: int, seed: int
) -> AgentSubject:
    """Read and check."""
    seats = variant.shape.seats
    if against and seats == 1:
        raise MeepleError(f"{variant.spec} is played alone, so --against has no meaning there.")
    if games < 2 * seats:
        raise MeepleError(f"--games must be at least {2 * seats}, not {games}.")
    others = tuple(find_agent(text, variant.game).spec for text in against) or ((player.spec,) if seats > 1 else ())
    usual = "win" if variant.shape.winnable else "score"
    chosen = metric or usual
    if chosen not in ("win", "difference", "score") or (chosen == "win" and not variant.shape.winnable):
        raise MeepleError(f"The metric {chosen} does not fit the agent {player.kind.name} at {variant.spec}; {usual} would.")
    if chosen == "difference" and seats == 1:
        raise MeepleError(f"{variant.spec} is played alone, so there is nobody to differ from; the metric {usual} fits.")
    return AgentSubject(variant, player, others, chosen, games // seats, seed)

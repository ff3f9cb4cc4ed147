"""Do the environments play the game? Each is played beside the engine, move by move, and both must give the same numbers.

PettingZoo's and Gymnasium's own checkers look at types and seeds; a wrong observation, a reward given to the wrong seat or a
game that goes on after its end would pass them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from meeple.agents.random import Random
from meeple.core.agent import choose
from meeple.core.check import Problem, Report, specimens
from meeple.core.errors import MeepleError
from meeple.core.game import Game, Reward, Variant
from meeple.core.rng import OPPONENTS, child, draw, stream
from meeple.core.state import new
from meeple.envs.make import aec, single, vector
from meeple.envs.needs import installed
from meeple.rollout.rewards import SIGNALS, rewards_of

CLOSE = 1e-6
PLACES = 3


def can_check() -> bool:
    """Are the libraries there?"""
    return installed("gymnasium") and installed("pettingzoo")


def check_envs(game: Game, games: int, seed: int, report: Report, tick: Callable[[str], None] = lambda _: None) -> None:
    """Every specimen of a game in every kind of environment; what is wrong goes into the report."""
    for variant in specimens(game):
        for rule, message in _problems(variant, games, seed, tick):
            if not any(p.rule == rule and p.variant == variant.spec for p in report.problems):
                report.problems.append(Problem(rule, variant.spec, message))


def _problems(variant: Variant, games: int, seed: int, tick: Callable[[str], None]) -> Iterator[tuple[str, str]]:
    ways = {"aec environment": _all_seats, "gymnasium environment": _one_seat, "vector environment": _many_games}
    for rule, play in ways.items():
        tick(f"{variant.spec}: {rule}")
        levels, rewards = variant.shape.levels, list(rewards_of(variant).items())
        for number in range(seed, seed + games):  # so that another seed, too, begins with another pair
            level, (name, reward) = levels[number % len(levels)].name, rewards[number % len(rewards)]
            try:
                found = play(variant, level, reward, child(seed, number))
            except MeepleError as error:
                found = str(error)
            if found:
                yield rule, f"observation {level}, reward {name}: {found}"


class Beside:
    """The engine's side of a game: the same moves, and what each seat should have been paid for them."""

    def __init__(self, variant: Variant, level: str, reward: Reward, seed: int) -> None:
        self.variant = variant
        self.level = level
        self.reward = reward
        self.state = new(variant, seed)
        self.first = self.state.scores()
        self.earned = [0.0] * variant.shape.seats
        self.paid = np.zeros(variant.shape.seats)
        self.stream = stream(seed)
        self.luck = np.array([child(seed, OPPONENTS)], np.uint64)  # as the opponents of an environment get it
        self.room = np.zeros(variant.shape.room, np.int32)

    def any_action(self) -> int:
        legal = self.state.legal()
        return legal[draw(self.stream, len(legal))]

    def play(self, action: int) -> None:
        if self.variant.game.earned is not None:
            self.earned[self.state.seat] += self.variant.game.earned(self.state.data, action)
        self.state.play(action)

    def play_opponents(self, learner: int) -> None:
        """`random`, in the way that is compiled into an environment, but here step by step."""
        while not self.state.over and self.state.seat != learner:
            shown = self.state.redealt(self.state.seat, child(int(self.luck[0]), 7))
            self.play(int(choose(Random(), shown.data, self.luck, self.room)))

    def differs(self, observation: Any, seat: int) -> bool:
        return not np.array_equal(observation, self.state.observe(seat, self.level))

    def due(self, seat: int) -> float:
        """All that a seat should have been paid by the end."""
        points, shares = self.state.scores(), self.state.outcome()
        others = [p for other, p in enumerate(points) if other != seat]
        k = len(points)
        won = 0.0 if self.state.end.truncated else 2 * shares[0] - 1 if k == 1 else (k * shares[seat] - 1) / (k - 1)
        signals = {
            "win": won,
            "share": shares[seat],
            "difference": points[seat] - max(others, default=0.0),
            "points": points[seat] - self.first[seat],
            "earned": self.earned[seat],
        }
        return float(sum(getattr(self.reward, name) * signals[name] for name in SIGNALS))

    def end_as_told(self) -> tuple[bool, bool]:
        """Terminated, truncated."""
        over, cut_off = self.state.over, self.state.end.truncated
        return over and not cut_off, over and cut_off

    def wrong_sum(self, seat: int) -> str:
        if abs(self.paid[seat] - self.due(seat)) > CLOSE * max(1.0, abs(self.due(seat))):
            return f"seat {seat} was paid {self.paid[seat]:g} in all, and its game was worth {self.due(seat):g}"
        return ""


def _all_seats(variant: Variant, level: str, reward: Reward, seed: int) -> str:
    """A game through PettingZoo's interface."""
    env = aec(variant, observation=level, reward=reward)
    beside = Beside(variant, level, reward, seed)
    env.reset(seed=seed)
    while not beside.state.over:
        where = f"at ply {beside.state.ply} of seed {seed}"
        if env.agent_selection != f"player_{beside.state.seat}":
            return f"{env.agent_selection} is to act, but seat {beside.state.seat} is, {where}"
        for seat, agent in enumerate(env.possible_agents):
            seen = env.observe(agent)
            if beside.differs(seen["observation"], seat):
                return f"{agent} is shown other numbers than the engine has, {where}"
            legal = sorted(beside.state.legal()) if seat == beside.state.seat else []
            if np.flatnonzero(seen["action_mask"]).tolist() != legal:
                return f"the mask of {agent} is not the list of its legal actions, {where}"
        action = beside.any_action()
        beside.play(action)
        env.step(action)
        beside.paid += [env.rewards[agent] for agent in env.possible_agents]
        if (set(env.terminations.values()), set(env.truncations.values())) != tuple({told} for told in beside.end_as_told()):
            return f"terminations and truncations are wrong after the action {where}"
    return next(filter(None, (beside.wrong_sum(seat) for seat in range(variant.shape.seats))), "")


def _one_seat(variant: Variant, level: str, reward: Reward, seed: int) -> str:
    """A game of each seat through Gymnasium's interface, against random where there are others."""
    for seat in range(variant.shape.seats):
        env = single(variant, observation=level, reward=reward, seat=seat, illegal="raise")
        beside = Beside(variant, level, reward, seed)
        beside.play_opponents(seat)
        if beside.state.over:
            continue  # before the learner had a decision: an environment forgets such a game
        seen, _ = env.reset(seed=seed)
        while not beside.state.over:
            where = f"at ply {beside.state.ply} of seed {seed}, seat {seat}"
            if beside.differs(seen, seat):
                return f"the learner is shown other numbers than the engine has, {where}"
            if env.legal_actions().tolist() != beside.state.legal():
                return f"the legal actions differ from the engine's, {where}"
            action = beside.any_action()
            beside.play(action)
            beside.play_opponents(seat)
            seen, paid, terminated, truncated, _ = env.step(action)
            beside.paid[seat] += paid
            if (terminated, truncated) != beside.end_as_told():
                return f"terminated and truncated are wrong after the action {where}"
        if beside.differs(seen, seat):
            return f"the last observation of seat {seat} is not that of the end, seed {seed}"
        if wrong := beside.wrong_sum(seat):
            return wrong
    return ""


def _many_games(variant: Variant, level: str, reward: Reward, seed: int) -> str:
    """Two games at each of three places through gymnasium.vector's interface, the learner's seat alternating."""
    env = vector(variant, PLACES, observation=level, reward=reward, illegal="raise")
    seen, infos = env.reset(seed=seed)
    ended = [0] * PLACES
    tables = [_next_table(variant, level, reward, seed, place, 0) for place in range(PLACES)]
    while min(ended) < 2:
        actions = np.zeros(PLACES, np.int32)
        for i, (beside, seat, deals) in enumerate(tables):
            where = f"at ply {beside.state.ply} of deal {deals} at place {i} of seed {seed}"
            if beside.differs(seen[i], seat):
                return f"the learner is shown other numbers than the engine has, {where}"
            if infos["legal"][i, : infos["legal_counts"][i]].tolist() != beside.state.legal():
                return f"the legal actions differ from the engine's, {where}"
            actions[i] = beside.any_action()
            beside.play(int(actions[i]))
            beside.play_opponents(seat)
        seen, paid, terminated, truncated, infos = env.step(actions)
        for i, (beside, seat, deals) in enumerate(tables):
            beside.paid[seat] += paid[i]
            if (terminated[i], truncated[i]) != beside.end_as_told():
                return f"terminated and truncated are wrong at place {i} of seed {seed}"
            if beside.state.over:
                if beside.differs(infos["final_obs"][i], seat):
                    return f"final_obs at place {i} is not the observation of the end, seed {seed}"
                if wrong := beside.wrong_sum(seat):
                    return wrong
                ended[i] += 1
                tables[i] = _next_table(variant, level, reward, seed, i, deals)
    return ""


def _next_table(variant: Variant, level: str, reward: Reward, seed: int, place: int, deals: int) -> tuple[Beside, int, int]:
    """What is dealt after so many deals, up to its learner's first decision: the game, the learner's seat, and deals so far."""
    while True:
        beside = Beside(variant, level, reward, child(seed, place + deals * PLACES))
        seat = (place + deals) % variant.shape.seats
        deals += 1
        beside.play_opponents(seat)
        if not beside.state.over:
            return beside, seat, deals

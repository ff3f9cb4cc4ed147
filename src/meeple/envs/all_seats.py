"""One game as a PettingZoo environment: every seat an agent, asked in the game's own order."""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv

from meeple.core.errors import MeepleError
from meeple.envs import render
from meeple.envs.lean import make_batch
from meeple.envs.setup import Setup
from meeple.envs.spaces import action_space, mask_of, masked_space
from meeple.rollout.stepper import Batch, no_action


class GameAEC(AECEnv):  # type: ignore[misc]
    """Agents are `player_0`, `player_1`, … in turn order; a turn of several decisions selects the same agent again.

    An illegal action is refused with the legal moves, and nothing changes; PettingZoo's TerminateIllegalWrapper makes it end the
    game instead. `reset(seed=7)` deals the same game as `meeple.new(game, seed=7)`.
    """

    def __init__(self, setup: Setup, render_mode: str | None = None) -> None:
        super().__init__()
        render.check_mode(render_mode)
        variant = setup.variant
        self.setup = setup
        self.render_mode = render_mode
        self.metadata = {
            "name": f"{variant.game.name}_{variant.name}_v{variant.game.version}".replace("-", "_"),
            "render_modes": render.MODES,
            "render_fps": 1,
            "is_parallelizable": False,
            "clairvoyant": setup.clairvoyant,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(variant.shape.seats)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._observed = {agent: masked_space(setup.observed, variant) for agent in self.possible_agents}
        self._acted = {agent: action_space(variant) for agent in self.possible_agents}
        self._order = np.zeros(1, np.int32)
        self._look(make_batch(setup, 1, again=False))
        self._random: np.random.Generator | None = None
        self.rewards: dict[str, float] = {}

    def _look(self, batch: Batch) -> None:
        """Views of the game's arrays, taken once."""
        self._batch = batch
        self._seen, self._legal, self._count = batch.observations[0], batch.legal[0], batch.counts
        self._seat, self._rewards, self._ended = batch.seats, batch.rewards[0], batch.ended

    def __getstate__(self) -> dict[str, Any]:
        """For copies, which must look at arrays of their own."""
        views = {"_seen", "_legal", "_count", "_seat", "_rewards", "_ended"}
        return {name: value for name, value in self.__dict__.items() if name not in views}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._look(self._batch)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self._observed[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self._acted[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        if seed is not None or self._random is None:
            self._random, _ = seeding.np_random(seed)
        self._batch.deal(int(self._random.integers(2**63)) if seed is None else seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self._seat[0]]

    def step(self, action: Any) -> None:
        if not self.agents:
            raise MeepleError("The game is over: reset() before the next step.")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise MeepleError(f"{agent} is still playing and needs an action; None is for agents whose game is over.")
        try:
            self._order[0] = index(action)
        except (OverflowError, TypeError):
            raise no_action(self.setup.variant, repr(action)) from None
        self._batch.step(self._order)
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict(zip(self.possible_agents, self._rewards.tolist(), strict=True))
        if reason := int(self._ended[0]):
            self._end(self.setup.variant.game.ends[reason].truncated)
        else:
            self.agent_selection = self.possible_agents[self._seat[0]]
        self._accumulate_rewards()

    def _end(self, truncated: bool) -> None:
        self.terminations = dict.fromkeys(self.agents, not truncated)
        self.truncations = dict.fromkeys(self.agents, truncated)
        scores, shares = self._batch.scores[0], self._batch.outcomes[0]
        self.infos = {agent: {"score": float(scores[seat]), "share": float(shares[seat])} for agent, seat in self._seats.items()}

    def observe(self, agent: str) -> dict[str, Any]:
        """What a seat sees. Its mask is empty unless it is to move, and full when the game is over (see spaces.mask_of)."""
        seat, over = self._seats[agent], self._ended[0] != 0
        if seat == self._seat[0] and not over:
            return {"observation": self._seen.copy(), "action_mask": mask_of(self.setup.variant, self.legal_actions())}
        numbers = self._batch.state(0).observe(seat, self.setup.level)
        return {"observation": numbers, "action_mask": mask_of(self.setup.variant, None if over else ())}

    def legal_actions(self) -> Any:
        """Ids of the selected agent's legal actions, for callers that need no mask."""
        return self._legal[: self._count[0]].copy()

    def render(self) -> Any:
        if not self.rewards:
            raise MeepleError("There is nothing to render yet: reset() deals a game.")
        state = self._batch.state(0)
        return render.render(state, state.seat, self.render_mode)

    def close(self) -> None:
        """Nothing is held open."""

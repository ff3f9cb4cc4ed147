"""Many games as one gymnasium.vector environment, stepped in one compiled call."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from meeple.core.errors import MeepleError, UnknownName
from meeple.envs import render
from meeple.envs.lean import make_batch
from meeple.envs.one_seat import ILLEGAL
from meeple.envs.setup import Setup
from meeple.envs.spaces import action_space, observation_space
from meeple.rollout.batch import FORFEIT


class GameVectorEnv(VectorEnv[Any, Any, Any]):
    """Where a game ends, the next one is dealt in the same step; the last observation of the ended game is in `infos["final_obs"]`.

    `infos["legal"][i, :infos["legal_counts"][i]]` lists the legal actions of game i; `action_masks()` makes dense masks of them.
    """

    def __init__(self, setup: Setup, num_envs: int, *, illegal: str = "forfeit", render_mode: str | None = None) -> None:
        if illegal not in ILLEGAL:
            raise UnknownName("way with illegal actions", illegal, ILLEGAL)
        render.check_mode(render_mode)
        self.metadata = {
            "render_modes": render.MODES,
            "render_fps": 1,
            "autoreset_mode": AutoresetMode.SAME_STEP,
            "clairvoyant": setup.clairvoyant,
        }
        self.setup = setup
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.single_action_space = action_space(setup.variant)
        self.single_observation_space = observation_space(setup.observed)
        self.batch = make_batch(setup, num_envs, lenient=illegal == "forfeit")
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        ends = setup.variant.game.ends
        self._cut_off = np.array([*(end.truncated for end in ends), False])  # the last one is FORFEIT, -1

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[NDArray[np.float32], dict[str, Any]]:
        if seed is not None and not isinstance(seed, int | np.integer):
            raise MeepleError("The games of a batch follow from one seed; give one whole number.")
        super().reset(seed=None if seed is None else int(seed), options=options)
        self.batch.reset(int(self.np_random.integers(2**63)) if seed is None else int(seed))
        return self.batch.observations.copy(), self._infos()

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Rewards are the learners'."""
        self.batch.step(np.asarray(actions))
        ended = self.batch.ended
        truncated = self._cut_off[ended]
        terminated = (ended != 0) & ~truncated
        return self.batch.observations.copy(), self.batch.reward.copy(), terminated, truncated, self._infos(ended)

    def _infos(self, ended: Any = None) -> dict[str, Any]:
        all_of_them = np.ones(self.num_envs, np.bool_)
        infos: dict[str, Any] = {
            "legal": self.batch.legal.copy(),
            "_legal": all_of_them,
            "legal_counts": self.batch.counts.copy(),
            "_legal_counts": all_of_them,
        }
        if ended is not None and ended.any():
            over = ended != 0
            last = np.full(self.num_envs, None, object)
            for i in np.flatnonzero(over):
                last[i] = self.batch.final[i, self.batch.actors[i]].copy()
            final = {"scores": self.batch.scores.copy(), "outcome": self.batch.outcomes.copy(), "illegal_action": ended == FORFEIT}
            infos |= {"final_obs": last, "_final_obs": over, "final_info": final, "_final_info": over}
        return infos

    def action_masks(self) -> NDArray[np.bool_]:
        """Which of all actions are legal, (games, actions): made only when asked for."""
        return self.batch.masks().view(np.bool_)

    def render(self) -> tuple[Any, ...] | None:
        if self.render_mode is None:
            return None
        learners = self.batch.learners
        return tuple(render.render(self.batch.state(i), int(learners[i]), self.render_mode) for i in range(self.num_envs))

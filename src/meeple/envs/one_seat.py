"""One game as a Gymnasium environment: alone, or one seat against opponents that answer inside the step."""

from __future__ import annotations

from operator import index
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from meeple.agents.registry import find_agent
from meeple.core.agent import ask
from meeple.core.errors import GameOver, MeepleError, UnknownName
from meeple.envs import render
from meeple.envs.lean import make_batch
from meeple.envs.setup import Setup
from meeple.envs.spaces import action_space, mask_of, masked_space, observation_space
from meeple.rollout.batch import FORFEIT
from meeple.rollout.stepper import Batch, no_action

ILLEGAL = ("forfeit", "raise")  # what an illegal action does


class GameEnv(gymnasium.Env[Any, Any]):
    """`reset(seed=7)` deals the same game as `meeple.new(game, seed=7)`.

    Masks: `action_masks()` as sb3-contrib wants it; `mask=True` puts one into every observation as PettingZoo does; or neither, and
    `legal_actions()` lists the few that are legal, which is by far the fastest where there are 25,499.
    """

    def __init__(self, setup: Setup, *, illegal: str = "forfeit", mask: bool = False, render_mode: str | None = None) -> None:
        if illegal not in ILLEGAL:
            raise UnknownName("way with illegal actions", illegal, ILLEGAL)
        render.check_mode(render_mode)
        self.metadata = {"render_modes": render.MODES, "render_fps": 1, "clairvoyant": setup.clairvoyant}
        self.setup = setup
        self.render_mode = render_mode
        self.action_space = action_space(setup.variant)
        self.observation_space = masked_space(setup.observed, setup.variant) if mask else observation_space(setup.observed)
        self._masked = mask
        batch = make_batch(setup, 1, again=False, lenient=illegal == "forfeit")
        self._over = True
        self._never_dealt = True
        self._advisers: dict[str, Any] = {}
        self._look(batch)

    def _look(self, batch: Batch) -> None:
        """Views of the game's arrays: a step takes a few microseconds, and so would asking for these each time."""
        self._batch = batch
        self._seen, self._last_seen = batch.arrays.observations[0], batch.final[0]
        self._legal, self._count = batch.legal[0], batch.counts
        self._reward, self._ended = batch.reward, batch.ended
        self._orders, self._call = batch.orders, (batch.arrays, batch.orders, batch.plan, batch.agent)
        self._advance, self._outside = batch.advance, batch.outside

    def __getstate__(self) -> dict[str, Any]:
        """For copies, which must look at arrays of their own."""
        views = {"_seen", "_last_seen", "_legal", "_count", "_reward", "_ended", "_orders", "_call", "_advance", "_outside"}
        return {name: value for name, value in self.__dict__.items() if name not in views}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._look(self._batch)

    @property
    def seat(self) -> int:
        """The learner's seat in the game that is being played."""
        return int(self._batch.learners[0])

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed, options=options)
        deal = int(self.np_random.integers(2**63)) if seed is None else seed
        self._batch.deal(deal, first=seed is not None)
        self._over = self._never_dealt = False
        return self._observation(self._seen), {"seat": self.seat}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        if self._over:
            self._refuse()
        try:
            self._orders[0] = index(action)
        except (OverflowError, TypeError):
            raise no_action(self.setup.variant, repr(action)) from None
        if self._outside is not None:
            self._outside.note(self._batch)
        if waiting := self._advance(*self._call):
            self._batch.settle(waiting)
        reward = self._reward.item()
        if not self._ended.item():
            return self._observation(self._seen) if self._masked else self._seen.copy(), reward, False, False, {}
        return self._end(reward, action)

    def _end(self, reward: float, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        self._over = True
        reason = int(self._ended[0])
        if reason == FORFEIT:
            info: dict[str, Any] = {"illegal_action": int(action)}
            return self._observation(self._last_seen[self.seat]), reward, True, False, info
        end = self.setup.variant.game.ends[reason]
        info = {"end": end.reason, "scores": self._batch.scores[0].copy(), "outcome": self._batch.outcomes[0].copy()}
        return self._observation(self._last_seen[self.seat]), reward, not end.truncated, end.truncated, info

    def _observation(self, numbers: NDArray[np.float32]) -> Any:
        if not self._masked:
            return numbers.copy()
        legal = None if self._over else self.legal_actions()
        return {"observation": numbers.copy(), "action_mask": mask_of(self.setup.variant, legal)}

    def legal_actions(self) -> NDArray[np.int32]:
        """Ids of the legal actions."""
        return self._legal[: 0 if self._over else self._count.item()].copy()  # type: ignore[no-any-return]

    def action_masks(self) -> NDArray[np.bool_]:
        """Which of all actions are legal."""
        mask = np.zeros(self.setup.variant.shape.actions, np.bool_)
        mask[self.legal_actions()] = True
        return mask

    def ask(self, agent: str) -> int:
        """What one of Meeple's agents would do here, shown what the learner's seat may know. Its luck is the environment's."""
        if self._over:
            self._refuse()
        if agent not in self._advisers:
            adviser = find_agent(agent, self.setup.variant.game)
            if adviser.clairvoyant:
                raise MeepleError(f"{agent} sees what is hidden, and an adviser is shown what the learner's seat may know.")
            self._advisers[agent] = adviser.make(self.setup.variant)
        return ask(self._advisers[agent], self._batch.state(0), int(self.np_random.integers(2**63)))

    def render(self) -> Any:
        if self._never_dealt:
            raise MeepleError("There is nothing to render yet: reset() deals a game.")
        return render.render(self._batch.state(0), self.seat, self.render_mode)

    def _refuse(self) -> None:
        if self._never_dealt:
            raise MeepleError("No game is dealt yet: reset() before the first step.")
        raise GameOver("The game is over: reset() before the next step.", "", repr(self._batch.state(0)))

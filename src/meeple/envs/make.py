"""The makers of environments. What they return is imported only when one is made, so that each needs only its own library."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from meeple.core.game import Variant
from meeple.envs.needs import need
from meeple.envs.setup import OpponentsGiven, RewardGiven, against, read_setup, with_helper

if TYPE_CHECKING:
    from meeple.envs.all_seats import GameAEC
    from meeple.envs.many_games import GameVectorEnv
    from meeple.envs.one_seat import GameEnv


def aec(
    game: str | Variant,
    *,
    observation: str = "",
    reward: RewardGiven = "",
    render_mode: str | None = None,
    **options: object,
) -> GameAEC:
    """A PettingZoo environment: every seat an agent, each observation with its mask."""
    need("pettingzoo")
    from meeple.envs.all_seats import GameAEC

    return GameAEC(read_setup(game, observation, reward, options), render_mode)


def single(
    game: str | Variant,
    *,
    observation: str = "",
    reward: RewardGiven = "",
    opponent: OpponentsGiven = None,
    seat: int | str = 0,
    phases: str | Sequence[str] = (),
    others: str = "",
    illegal: str = "forfeit",
    mask: bool = False,
    render_mode: str | None = None,
    **options: object,
) -> GameEnv:
    """A Gymnasium environment: a game alone, or one seat against opponents; what gymnasium.make calls."""
    need("gymnasium")
    from meeple.envs.one_seat import GameEnv

    setup = with_helper(against(read_setup(game, observation, reward, options), opponent, seat), phases, others)
    return GameEnv(setup, illegal=illegal, mask=mask, render_mode=render_mode)


def vector(
    game: str | Variant,
    num_envs: int = 1,
    *,
    observation: str = "",
    reward: RewardGiven = "",
    opponent: OpponentsGiven = None,
    seat: int | str = "alternate",
    phases: str | Sequence[str] = (),
    others: str = "",
    illegal: str = "forfeit",
    render_mode: str | None = None,
    **options: object,
) -> GameVectorEnv:
    """A gymnasium.vector environment: many games in one compiled call; what gymnasium.make_vec calls."""
    need("gymnasium")
    from meeple.envs.many_games import GameVectorEnv

    setup = with_helper(against(read_setup(game, observation, reward, options), opponent, seat), phases, others)
    return GameVectorEnv(setup, num_envs, illegal=illegal, render_mode=render_mode)

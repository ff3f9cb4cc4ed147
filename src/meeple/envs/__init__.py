"""Environments for the libraries people train with: PettingZoo, Gymnasium, and many games in one compiled call.

    import gymnasium, meeple.envs
    env = gymnasium.make("meeple/JaipurRound-v1", opponent="basic3", seat="alternate")
    env = meeple.envs.aec("jaipur:round", observation="tracked")
    games = meeple.envs.batch("jaipur:round", games=1024, opponent="advanced1", reward="points")

Importing this registers the ids (docs/environments.md lists them). Everything here wraps rollout/batch.py.
"""

from meeple.envs.ids import env_id, find_ids, register_ids
from meeple.envs.lean import batch
from meeple.envs.make import aec, single, vector
from meeple.envs.needs import installed

if installed("gymnasium"):  # else making an environment says what is missing
    register_ids()

__all__ = ["aec", "batch", "env_id", "find_ids", "register_ids", "single", "vector"]

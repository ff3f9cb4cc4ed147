"""PettingZoo's and Gymnasium's own checkers, every id, every warning an error."""

from __future__ import annotations

import importlib
import warnings
from typing import Any

import gymnasium
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env

from tests.envs.ids import EVERY_ID, IDS

with warnings.catch_warnings():  # PettingZoo's tests import its own games by a road that it has deprecated
    warnings.simplefilter("ignore")
    api = importlib.import_module("pettingzoo.test.api_test")
    seeds = importlib.import_module("pettingzoo.test.seed_test")


@pytest.mark.parametrize("name", EVERY_ID)
@pytest.mark.parametrize(
    "arguments", [{}, {"mask": True, "seat": "alternate"}, {"illegal": "forfeit", "reward": "points"}], ids=str
)
def test_gymnasium_check_env(name: str, arguments: dict[str, Any]) -> None:
    if IDS[name].shape.seats == 1:
        arguments = {key: value for key, value in arguments.items() if key != "seat"}
    check_env(gymnasium.make(name, **arguments).unwrapped)


@pytest.mark.parametrize("name", EVERY_ID)
def test_pettingzoo_api_test(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The checker warns of observations with a mask, except in games that it knows by name; ours takes its place beside
    connect_four and chess. Every other warning stays an error."""
    env = pettingzoo.make("aec", name)
    for exempt in ("env_obs_dicts", "env_obs_space"):
        monkeypatch.setattr(api, exempt, [*getattr(api, exempt), str(env)])
    api.api_test(env, num_cycles=300)


@pytest.mark.parametrize("name", EVERY_ID)
def test_pettingzoo_seed_test(name: str) -> None:
    seeds.seed_test(lambda: pettingzoo.make("aec", name), num_cycles=50)

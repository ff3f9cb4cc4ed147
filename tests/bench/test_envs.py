"""The figures of `meeple bench envs`: all there, each of steps that were made."""

from __future__ import annotations

import pytest

import meeple
from meeple.bench import envs as bench_envs
from meeple.core.errors import MeepleError
from meeple.core.kernel import JIT

pytestmark = [pytest.mark.xdist_group("jaipur"), pytest.mark.skipif(not JIT, reason="there is nothing to measure")]


def test_every_way_is_measured_beside_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_envs, "SECONDS", 0.01)
    monkeypatch.setattr(bench_envs, "ROUNDS", 1)
    told: list[str] = []
    figures = bench_envs.bench_envs([meeple.find_game("jaipur")], 1, told.append)
    mine = figures["jaipur"]
    ways = ("batch", "vector", "gymnasium", "gymnasium_masked", "pettingzoo")
    assert all(mine[f"{way}_steps_per_s"] > 0 for way in ways)
    assert mine["vector_to_pettingzoo"] == pytest.approx(mine["vector_steps_per_s"] / mine["pettingzoo_steps_per_s"])
    assert all(rate > 0 for rate in figures["pettingzoo"].values()) and len(figures["pettingzoo"]) == 2
    assert told


def test_without_the_compiler_there_is_nothing_to_measure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_envs, "JIT", False)
    with pytest.raises(MeepleError, match="nothing to measure"):
        bench_envs.bench_envs([meeple.find_game("jaipur")], 1)

"""Learning is measured beside MaskablePPO with the same settings, and without it where it is not installed."""

from __future__ import annotations

import pytest

from meeple.bench import learn
from meeple.core.kernel import JIT
from meeple.core.registry import find_game

pytestmark = [pytest.mark.xdist_group("rake"), pytest.mark.skipif(not JIT, reason="there is nothing to measure")]
SMALL = learn.Size(hidden=(16, 16), epochs=2, minibatch=64, games=16, steps=8, envs=4, turns=2, batches=(1, 3), seconds=0.01)


def test_both_learners_and_both_ways_of_inference_are_measured() -> None:
    found = learn.bench_learn(find_game("rake"), 1, size=SMALL)
    for kind in ("", "_cpu"):
        ours, theirs = (found[f"{who}_decisions_per{kind}_s"] for who in ("ppo", "maskable_ppo"))
        assert found[f"ratio{kind}"] == ours / theirs > 0
    assert (found["epochs"], found["minibatch"], found["hidden"]) == (2, 64, (16, 16))
    assert set(found["inference"]) == {"1", "3"}
    assert all(one["ratio"] == one["pytorch_us"] / one["kernel_us"] > 0 for one in found["inference"].values())


def test_without_it_only_ours_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learn, "_theirs", lambda *_: None)
    found = learn.bench_learn(find_game("rake"), 1, size=SMALL)
    assert found["ratio"] is None and found["ppo_decisions_per_s"] > 0

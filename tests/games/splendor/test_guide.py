"""What Splendor tells a search."""

from __future__ import annotations

import numpy as np
import pytest

from meeple.agents.registry import find_agent
from meeple.core.agent import choose
from meeple.core.guide import advise
from meeple.core.registry import find_variant
from meeple.core.rng import child, stream
from meeple.core.state import new
from meeple.games.splendor.guide import make_guide
from tests.conftest import games


@pytest.mark.parametrize("spec", ["splendor:2", "splendor:4"])
def test_the_guide_thinks_best_what_the_heuristic_plays_and_shares_out_one_win(spec: str) -> None:
    variant = find_variant(spec)
    guide, agent = make_guide(variant), find_agent("heuristic", variant.game).make(variant)
    out = np.zeros(variant.shape.room, np.int32)
    for seed in range(games(3)):
        state = new(variant, seed)
        while not state.over:
            legal = state.legal()
            logits, values = np.zeros(len(legal)), np.zeros(variant.shape.seats)
            before = state.array.tobytes()
            advise(guide, state.data, np.array(legal, np.int32), len(legal), logits, values)
            assert state.array.tobytes() == before
            assert values.sum() == pytest.approx(1)
            chosen = int(choose(agent, state.copy().data, stream(child(seed, state.ply)), out))
            if len(legal) > 1:
                assert logits[legal.index(chosen)] == pytest.approx(logits.max())
            state.play(chosen)
        # At the end the guide is not asked; the move before it was seen to win or lose for sure.
        assert state.end.reason == "fifteen points"

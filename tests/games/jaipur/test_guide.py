"""What Jaipur tells a search is what its evaluation says, however fast it is told."""

from __future__ import annotations

import numpy as np
import pytest

from meeple.core.guide import advise
from meeple.core.registry import find_variant
from meeple.core.rng import child
from meeple.core.state import State, new
from meeple.games.jaipur.guide import Merchant, make_guide, value_after
from tests.conftest import games


def positions(spec: str, n: int) -> list[State]:
    """From random games."""
    found: list[State] = []
    for seed in range(n):
        state = new(spec, seed)
        for ply in range(child(seed, 1) % 60):
            if state.over:
                break
            legal = state.legal()
            state.play(legal[child(seed, ply) % len(legal)])
        if not state.over:
            found.append(state)
    return found


def told(guide: Merchant, state: State) -> tuple[list[int], np.ndarray, np.ndarray]:
    legal = state.legal()
    logits, values = np.zeros(len(legal)), np.zeros(2)
    advise(guide, state.data, np.array(legal, np.int32), len(legal), logits, values)
    return legal, logits, values


@pytest.mark.parametrize("spec", ["jaipur:round", "jaipur:match,actions=25469"])
def test_an_exchange_need_not_be_made_to_be_valued(spec: str) -> None:
    guide = make_guide(find_variant(spec))
    for state in positions(spec, games(200)):
        before = state.array.tobytes()
        legal, logits, values = told(guide, state)
        assert state.array.tobytes() == before  # the table is left as it is
        assert logits == pytest.approx([value_after(guide, state.data, action) for action in legal], abs=1e-9)
        assert values.sum() == pytest.approx(1)


def test_a_kind_is_as_good_as_its_best_turn() -> None:
    whole, halves = "jaipur:round", "jaipur:round,actions=25502"
    guide = make_guide(find_variant(whole))
    for state in positions(halves, games(100)):
        if state.data.chosen == 0:
            _, logits, values = told(guide, state)
            state.data.action_set = 0
            _, all_logits, all_values = told(guide, state)
            assert logits.max() == pytest.approx(all_logits.max())
            assert values == pytest.approx(all_values)


def test_a_seal_ahead_counts_in_a_match() -> None:
    guide = make_guide(find_variant("jaipur:match"))
    state = new("jaipur:match", 1)
    chances = []
    for seals in ((0, 1), (0, 0), (1, 1), (1, 0)):
        state.data.seals[:] = seals
        chances.append(told(guide, state)[2][0])
    assert chances == sorted(chances)

"""The random agents choose as they say, by counting."""

from __future__ import annotations

from collections import Counter

import numpy as np
from scipy.stats import chisquare

import meeple
from meeple.agents.registry import agents_of, find_agent
from meeple.core.agent import choose
from meeple.core.rng import stream
from tests.conftest import games
from tests.games.jaipur.positions import position


def chosen(spec: str, state: meeple.State, times: int) -> Counter[str]:
    agent = find_agent(spec, state.variant.game).make(state.variant)
    out, luck = np.zeros(state.variant.shape.room, np.int32), stream(3)
    return Counter(state.variant.format_action(choose(agent, state.copy().data, luck, out)) for _ in range(times))


def test_random_chooses_every_legal_action_equally_often() -> None:
    state = position(market="D G S C M", hand="L C", herd=1)
    found = chosen("random", state, max(2000, games(20_000)))
    assert set(found) == set(state.moves())
    assert chisquare(list(found.values())).pvalue > 1e-4


def test_random_kinds_chooses_every_kind_equally_often_and_then_within_it() -> None:
    """Five takes, one take of camels, three sales, seven exchanges: a quarter each."""
    state = position(market="D G S C P", hand="L L L", herd=0)
    state.data.market[:] = [1, 1, 1, 1, 0, 0, 1]
    found = chosen("random-kinds", state, max(2000, games(20_000)))
    kinds: Counter[str] = Counter()
    for move, n in found.items():
        kinds[move if move == "take camels" else move.split()[0]] += n
    assert set(kinds) == {"take", "take camels", "sell", "exchange"}
    assert chisquare(list(kinds.values())).pvalue > 1e-4
    takes = [n for move, n in found.items() if move.startswith("take ") and move != "take camels"]
    assert len(takes) == 4
    assert chisquare(takes).pvalue > 1e-4


def test_random_kinds_is_offered_where_a_game_tells_kinds_apart() -> None:
    for name in meeple.game_names():
        game = meeple.find_game(name)
        assert ("random-kinds" in agents_of(game)) == bool(game.kinds)

"""Games played by agents without changing seats: what a game reports of itself."""

from __future__ import annotations

import pytest

import meeple
from meeple.core.errors import MeepleError
from meeple.core.kernel import JIT
from meeple.lab.simulate import simulate_agents

pytestmark = pytest.mark.skipif(not JIT, reason="hundreds of games")


def test_agents_sit_where_they_are_put_and_facts_are_reported_by_seat() -> None:
    variant = meeple.find_variant("splendor:2")
    figures = simulate_agents(variant, ["heuristic", "random"], 40, seed=1)
    assert figures["win_shares"][0] > 0.9
    bought = figures["facts"]["cards bought"]
    assert 5 < bought[0]["mean"] < 25
    assert sum(end["games"] for end in figures["ends"].values()) == 40
    assert figures["win_shares_ci"][0][0] <= figures["win_shares"][0]


def test_one_agent_takes_all_seats_and_another_number_is_refused() -> None:
    variant = meeple.find_variant("splendor:3")
    assert simulate_agents(variant, ["greedy"], 3, seed=1)["agents"] == ["greedy"] * 3
    with pytest.raises(MeepleError, match="takes one agent or 3, not 2"):
        simulate_agents(variant, ["greedy", "random"], 3, seed=1)

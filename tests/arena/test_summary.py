"""What came of a match, by hand: games whose scores and winners are written down here, none of them played."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from meeple.arena.plan import Plan, make_plan
from meeple.arena.stats import mean_interval, share_interval
from meeple.arena.store import Block
from meeple.arena.summary import QUANTILES, quantile_of, summarise


def block(seating: Any, scores: Any, outcomes: Any, own_turns: Any, ends: Any) -> Block:
    own = np.array(own_turns, float)
    return Block(
        np.arange(len(seating)), np.array(seating), np.array(scores, float), np.array(outcomes, float), np.array(ends),
        own.sum(axis=1).astype(int), own,
    )  # fmt: skip


TWO = make_plan("jaipur:round", ["random", "basic3"], 4, 1)
# Two deals, each with both seatings: the second agent wins all but a draw, which is the first's best.
BLOCK = block(
    seating=[[0, 1], [1, 0], [0, 1], [1, 0]],
    scores=[[50, 60], [80, 40], [55, 55], [70, 30]],
    outcomes=[[0, 1], [1, 0], [0.5, 0.5], [1, 0]],
    own_turns=[[10, 11], [13, 12], [20, 21], [15, 14]],
    ends=[1, 1, 2, 5],
)


def summary(plan: Plan, *blocks: Block) -> dict[str, Any]:
    return summarise(plan, blocks, 2.5)


def test_two_agents_by_hand() -> None:
    found = summary(TWO, BLOCK)
    assert (found["wins"], found["draws"], found["losses"]) == (0, 1, 3)
    assert found["win_rate"] == pytest.approx(0.125)  # deals 0 and 0.25
    assert found["win_rate_ci"] == list(share_interval(np.array([0.0, 0.25]), 2))
    assert found["scores"] == [(50 + 40 + 55 + 30) / 4, (60 + 80 + 55 + 70) / 4]
    assert found["score_diff"] == pytest.approx((-10 - 40 + 0 - 40) / 4)
    assert found["score_diff_ci"] == pytest.approx(mean_interval(np.array([-25.0, -20.0])))
    assert found["turns_to_win"] == [None, pytest.approx((11 + 13 + 15) / 3)]
    assert found["first_seat"]["share"] == pytest.approx((0 + 1 + 0.5 + 1) / 4)
    assert found["first_seat"]["ci"] == list(share_interval(np.array([0.5, 0.75]), 2))
    assert found["games"] == 4
    assert found["turns"] == (21 + 25 + 41 + 29) / 4
    assert found["truncated"] == 1
    assert found["ends"] == {"the market cannot be refilled": 1, "three goods piles are empty": 2, "turn cap": 1}
    assert (found["game"], found["variant"], found["agents"], found["seed"]) == ("jaipur", "jaipur:round", TWO.specs, 1)
    assert (found["clairvoyant"], found["seconds"]) == ([False, False], 2.5)


def test_games_read_in_several_blocks_give_the_same() -> None:
    halves = [Block._make(part[:2] for part in BLOCK), Block._make(part[2:] for part in BLOCK)]
    whole, pieces = summary(TWO, BLOCK), summary(TWO, *halves)
    assert pieces.keys() == whole.keys()
    for name in ("wins", "draws", "losses", "win_rate", "scores", "score_diff", "turns", "ends", "turns_to_win", "win_rate_ci"):
        assert pieces[name] == pytest.approx(whole[name]), name


def test_three_agents_by_hand() -> None:
    plan = make_plan("splendor:3", ["random", "greedy", "heuristic"], 3, 1)
    found = summary(
        plan,
        block(
            seating=[[0, 1, 2], [1, 2, 0], [2, 0, 1]],
            scores=[[3, 9, 15], [12, 16, 2], [15, 1, 15]],
            outcomes=[[0, 0, 1], [0, 1, 0], [0.5, 0, 0.5]],
            own_turns=[[20, 20, 20], [25, 26, 25], [30, 30, 30]],
            ends=[1, 1, 2],
        ),
    )
    assert found["win_shares"] == pytest.approx([0, 1 / 6, 5 / 6])
    assert found["win_shares_ci"][2] == pytest.approx(share_interval(np.array([2.5 / 3]), 3))
    assert found["scores"] == pytest.approx([(3 + 2 + 1) / 3, (9 + 12 + 15) / 3, (15 + 16 + 15) / 3])
    assert found["scores_ci"][1] == list(mean_interval(np.array([12.0])))
    assert found["turns_to_win"] == [None, None, (20 + 26) / 2]  # a shared win is nobody's alone
    assert found["first_seat"]["share"] == pytest.approx(0.5 / 3)
    assert found["truncated"] == 1


def alone(spec: str) -> dict[str, Any]:
    plan = make_plan(spec, ["random", "random"], 6, 1)
    return summary(
        plan,
        block(
            seating=[[0], [1]] * 3,
            scores=[[10], [13], [20], [20], [30], [39]],
            outcomes=[[1], [0], [1], [1], [0], [1]],
            own_turns=[[5]] * 6,
            ends=[1] * 6,
        ),
    )


def test_agents_alone_are_compared_deal_by_deal() -> None:
    found = alone("rake:simple")
    first, second = np.array([10.0, 20, 30]), np.array([13.0, 20, 39])
    assert (found["games"], found["turns"], sum(found["ends"].values())) == (6, 5, 6)
    assert found["scores"] == [20, 24]
    assert found["scores_ci"] == [pytest.approx(mean_interval(first)), pytest.approx(mean_interval(second))]
    assert found["score_ci"] == found["scores_ci"][0]
    assert found["score_sd"] == pytest.approx(10)
    assert found["differences"] == [0, -4]
    assert found["differences_ci"][1] == pytest.approx(mean_interval(np.array([-3.0, 0, -9])))
    assert found["quantiles"] == found["all_quantiles"][0]
    assert found["all_quantiles"][1] == {f"{q:g}": pytest.approx(np.quantile(second, q)) for q in QUANTILES}
    assert "win_rate" not in found  # only points count there


def test_where_a_game_for_one_can_be_won_so_are_wins() -> None:
    found = alone("lotr:easy")
    assert found["win_rates"] == pytest.approx([2 / 3, 2 / 3])
    assert found["win_rate"] == found["win_rates"][0]
    assert found["win_rate_ci"] == list(share_interval(np.array([1.0, 1, 0]), 1)) == found["win_rates_ci"][0]
    assert found["win_rates_ci"][1] == list(share_interval(np.array([0.0, 1, 1]), 1))


@pytest.mark.parametrize("values", [[5.0], [1.0, 2.0], [3.0, 3.0, 3.0, 9.0], [0.0, 1.0, 1.0, 4.0, 4.0, 4.0, 10.0]])
@pytest.mark.parametrize("q", [0.0, 0.05, 0.3, 0.5, 0.95, 1.0])
def test_quantiles_of_counted_values_are_those_of_the_values(values: list[float], q: float) -> None:
    assert quantile_of(Counter(values), q) == pytest.approx(np.quantile(values, q))

"""Our own players: the evaluation by hand arithmetic, the search against a plain recursion, and honesty."""

from __future__ import annotations

import numpy as np
import pytest

import meeple
from meeple.agents.registry import find_agent
from meeple.arena.fair import check_fair
from meeple.core.agent import Seen
from meeple.core.kernel import JIT
from meeple.core.rng import child, draw, stream
from meeple.games.jaipur import evaluation as ev
from meeple.games.jaipur.expectimax import Expectimax, make_search, search_world
from meeple.games.jaipur.rules import apply
from meeple.games.jaipur.turns import list_turns
from tests.games.jaipur.positions import position

ROUND = meeple.find_variant("jaipur:round")
pytestmark = pytest.mark.skipif(not JIT, reason="a search needs the compiler; the rules are tested without it")


def middle(seed: int, plies: int) -> meeple.State:
    """A position in the middle of a random round."""
    state, chooser = meeple.new("jaipur:round", seed), stream(seed)
    for _ in range(plies):
        if len(legal := state.legal()) and not state.over:
            state.play(legal[draw(chooser, len(legal))])
    return state if not state.over else middle(seed + 1, plies)


def move(state: meeple.State, **budget: int) -> str:
    agent = Expectimax(state.variant, ms=50.0, nodes=budget.get("nodes", 3000), prune=budget.get("prune", 1))
    return state.variant.format_action(agent.choose(Seen(state, 1)))


# ---- Evaluation ----


def weight(term: str, left: float) -> float:
    opening, ending = ev.WEIGHTS[:, ev.TERMS.index(term)]
    return float(opening * left + ending * (1 - left))


def test_every_term_of_a_quiet_table_by_hand() -> None:
    """Seat 1 waits with two cloths and three camels against one diamond and no camel; five leathers in the market, deck full."""
    state = position(market="L L L L L", hand="D", other_hand="C C", other_herd=3, deck=" ".join("P" * 40))
    s = state.data
    hands = weight("cheap", 1) * (5 + 3) + weight("pair", 1) - weight("single", 1) * 7 + weight("hand", 1) * (2 - 1)
    # The diamond's owner cannot sell one, so it is no rival; nobody else collects cloth.
    camels = weight("herd", 1) * 3 + weight("camel_token", 1)
    market = weight("market_cheap", 1) * 4 * 5
    expected = (weight("tempo", 1) + hands + camels + market) / ev.SPREAD[0]
    assert ev.evaluate(ev.make_evaluation(), s) == pytest.approx(expected)


def test_the_share_of_the_round_that_is_left() -> None:
    state = position(deck=" ".join("P" * 20))
    assert ev.share_left(state.data) == 0.5
    state.data.tokens_left[:] = [0, 1, 2, 7, 7, 9]
    assert ev.share_left(state.data) == pytest.approx(3 / 15)


def test_turned_up_cards_are_taken_back_before_a_table_is_valued() -> None:
    state = position(market="D G M M M", deck="C P L")
    before, after = state.copy(), state.copy()
    apply(after.data, 6)
    assert after.data.market.tolist() == [1, 1, 0, 1, 1, 1, 0]
    ev.turn_back(after.data, before.data)
    assert after.data.market.tolist() == [1, 1, 0, 0, 0, 0, 0]
    assert after.data.deck.tolist() == before.data.deck.tolist()


# ---- Search ----


def plain(state: meeple.State, replies: int, widths: tuple[int, ...]) -> float:
    """The same search by recursion on the shell, without pruning; the evaluation is the kernel's."""
    search = make_search()
    turns = np.zeros(200, np.int32)
    turns = turns[: list_turns(state.data, turns)]
    valued = []
    for action in turns:
        copy = state.copy()
        apply(copy.data, int(action))
        if copy.over:
            valued.append((2 * copy.outcome()[state.seat] - 1) * 50.0)
        else:
            ev.turn_back(copy.data, state.data)
            valued.append(ev.evaluate(search.evaluation, copy.data))
    if replies == 1:
        return float(1 / (1 + np.exp(-max(valued))))
    best = 0.0
    for i in np.argsort(-np.array(valued), kind="stable")[: widths[0]]:
        best = max(best, sum(share * _reply(after, state.seat, replies, widths) for share, after in outcomes(state, int(turns[i]))))
    return best


def _reply(after: meeple.State, seat: int, replies: int, widths: tuple[int, ...]) -> float:
    return after.outcome()[seat] if after.over else 1 - plain(after, replies - 1, widths[1:])


def outcomes(state: meeple.State, action: int) -> list[tuple[float, meeple.State]]:
    s = state.data
    left = int(s.deck_left)
    found = []
    if action >= 6 or left == 0:
        copy = state.copy()
        apply(copy.data, action)
        return [(1.0, copy)]
    for kind in range(7):
        places = [i for i in range(left) if s.deck[i] == kind]
        if places:
            copy = state.copy()
            copy.data.deck[places[0]], copy.data.deck[left - 1] = int(s.deck[left - 1]), kind
            apply(copy.data, action)
            found.append((len(places) / left, copy))
    return found


@pytest.mark.parametrize("prune", [True, False])
def test_the_search_agrees_with_a_plain_recursion(prune: bool) -> None:
    """Positions whose camels were turned into leather, so that nothing is sampled."""
    search = make_search(prune)
    compared = 0
    for seed in range(12):
        state = middle(seed, 10)
        s = state.data
        s.market[5] += s.market[6]
        s.market[6] = 0
        s.herd[:] = 0
        s.deck[s.deck == 6] = 5
        turns = np.array(state.legal()[:3], np.int32)
        values = np.zeros(len(turns))
        search_world(search, state.data, turns, values, 2)
        for action, value in zip(turns, values, strict=True):
            after = state.copy()
            apply(after.data, int(action))
            right = after.outcome()[state.seat] if after.over else 1 - plain(after, 2, (6, 4))
            assert value == pytest.approx(right, abs=1e-9)
            compared += 1
    assert compared > 3


def test_pruning_does_not_change_the_move() -> None:
    for seed in range(4):
        state = middle(100 + seed, 10)
        agents = [Expectimax(ROUND, ms=1.0, nodes=10**9, prune=p) for p in (1, 0)]
        values = []
        for agent in agents:
            world = state.redealt(state.seat, 1).data
            turns = np.array(state.legal(), np.int32)
            out = np.zeros(len(turns))
            agent.search.stream[0] = 5
            search_world(agent.search, world, turns, out, 2)
            values.append(out)
        assert agents[0].search.nodes[0] <= agents[1].search.nodes[0]
        if not (state.data.market[6] or state.data.herd.any()):  # sampled camels draw other cards when fewer are drawn
            assert np.allclose(values[0], values[1])


def test_a_sale_that_wins_at_once_is_made() -> None:
    """Three piles empty with this sale, and it brings the lead."""
    state = position(market="D G S C P", hand="L L L", other_hand="D D D")
    state.data.tokens_left[:] = [5, 0, 0, 5, 5, 3]
    state.data.goods_points[:] = [30, 31]
    assert move(state) == "sell 3 leather"


def test_a_sale_that_would_end_a_lost_round_is_not_made() -> None:
    state = position(market="D G S C P", hand="L L L", other_hand="C", deck=" ".join("P" * 20))
    state.data.tokens_left[:] = [5, 0, 0, 5, 5, 3]
    state.data.goods_points[:] = [10, 60]
    assert move(state) != "sell 3 leather"


def test_the_last_camels_are_taken_when_they_win_the_round() -> None:
    """The market cannot be refilled: taking camels ends the round with the camel token."""
    state = position(market="L L M M M", hand="", herd=2, other_herd=4, deck="")
    state.data.goods_points[:] = [40, 42]
    assert move(state) == "take camels"


# ---- Budget, honesty, variants ----


def test_a_node_budget_decides_the_same_every_time_and_is_kept() -> None:
    state = middle(5, 8)
    assert move(state, nodes=2000) == move(state, nodes=2000)
    agent = Expectimax(ROUND, ms=1.0, nodes=20_000)
    agent.choose(Seen(state, 1))
    assert 20_000 <= agent.search.nodes[0] < 60_000


def test_expectimax_decides_by_what_it_is_shown() -> None:
    assert check_fair(ROUND, find_agent("expectimax:nodes=300", ROUND.game)) > 20


@pytest.mark.parametrize(
    "spec", ["jaipur:match", "jaipur:round,actions=25469", "jaipur:round,actions=25502", "jaipur:round,rules=2017"]
)
def test_it_plays_every_variant_legally(spec: str) -> None:
    state = meeple.new(spec, 3)
    agent = find_agent("expectimax:nodes=200", state.variant.game).make(state.variant)
    for ply in range(60):
        if state.over:
            break
        state.play(agent.choose(Seen(state, child(1, ply))))

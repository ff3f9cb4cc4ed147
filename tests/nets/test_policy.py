"""Networks as agents and guides, on a network whose answers are known."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from meeple.core.agent import choose
from meeple.core.guide import advise
from meeple.core.rng import stream
from meeple.core.state import new
from meeple.nets.file import Card, write_net
from meeple.nets.forward import Net, make_net
from meeple.nets.layout import Layout
from meeple.nets.policy import Adviser
from meeple.nets.ready import make_policy
from tests.search.conftest import a_search
from tests.search.tiny import GAME

LAYOUT = Layout(inputs=2, actions=3, hidden=(2,))


def a_net() -> Net:
    """Scores 0, 1 and 2 for taking one, two and three; the value for the seat to move is a tenth of the sticks, less a half."""
    weights = np.zeros(LAYOUT.size, np.float32)
    LAYOUT.of(weights, "trunk.0.weight")[0, 0] = 1.0
    LAYOUT.of(weights, "rows.bias")[:] = 0.0, 1.0, 2.0
    LAYOUT.of(weights, "values.weight")[0, 0] = 0.1
    LAYOUT.of(weights, "values.bias")[0] = -0.5
    return make_net(LAYOUT, weights, 4)


def test_at_temperature_0_the_best_legal_action_is_played() -> None:
    state, agent, out = new(GAME.variant("nim")), make_policy(a_net(), 2, 0), np.zeros(4, np.int32)
    played = []
    while not state.over:
        played.append(int(choose(agent, state.data, stream(1), out)))
        state.play(played[-1])
    assert played == [2, 2, 2, 0]  # one stick is left in the end, and only one may be taken


@pytest.mark.parametrize("temperature", [0.5, 1.0, 4.0])
def test_otherwise_actions_are_drawn_by_the_softmax_of_their_scores(temperature: float) -> None:
    state, luck, out = new(GAME.variant("nim")), stream(3), np.zeros(4, np.int32)
    agent = make_policy(a_net(), 2, 0, temperature)
    n = 20_000
    counts = np.bincount([int(choose(agent, state.data, luck, out)) for _ in range(n)], minlength=3)
    wanted = np.exp(np.arange(3) / temperature)
    wanted /= wanted.sum()
    assert np.allclose(counts / n, wanted, atol=4 * np.sqrt(0.25 / n))


def test_a_guide_tells_scores_and_each_seat_its_share_of_the_win() -> None:
    state = new(GAME.variant("nim"))
    guide = Adviser(a_net(), np.zeros(2, np.float32), np.zeros(2), 0, 0.5, 0.5, 0)
    logits, values = np.zeros(4), np.zeros(2)
    for taken, shares in ((0, (0.75, 0.25)), (1, (0.3, 0.7))):  # 10 sticks: value 0.5 for seat 0; 9: 0.4 for seat 1
        for _ in range(taken):
            state.play("take 1")
        advise(guide, state.data, np.array([2, 0], np.int32), 2, logits, values)
        assert logits[:2].tolist() == [2.0, 0.0]
        assert values.tolist() == pytest.approx(shares)


def test_a_search_is_guided_by_a_network_in_a_file(tmp_path: Path) -> None:
    """This network likes to take three and values tables wrongly; the search corrects it where it sees the end."""
    nim = GAME.variant("nim")
    write_net(tmp_path / "net", Card("tiny", nim.spec, 1, "open", LAYOUT, reward={"win": 1.0}), a_net().weights)
    search = a_search(nim, select="puct", cut=0, guide=f"net:{tmp_path / 'net'}", iterations=400)
    state = new(nim)
    for move in ("take 3", "take 1", "take 1"):
        state.play(move)
    search.set_root(state.array)
    search.run()
    assert type(search.guide) is Adviser
    assert state.variant.format_action(search.root_actions().best()) == "take 1"  # of five, to leave four

"""Differential: the kernels against an independent, slow engine, move by move: legal moves, hands, points, ends."""

from __future__ import annotations

import numpy as np
import pytest

import meeple
from meeple.core.rng import child, draw, stream
from meeple.games.jaipur.components import KINDS
from tests.conftest import sample
from tests.reference.jaipur import GOODS, Round

# The whole comparison is split so that two processes can share it.
PARTS = 10
ROUNDS = 10_000


def reference_of(state: meeple.State) -> Round:
    """The same freshly dealt position, handed over as plain Python."""
    s = state.data
    return Round(
        market={kind: int(n) for kind, n in zip(KINDS, s.market, strict=True)},
        hands=[{good: int(n) for good, n in zip(GOODS, s.hand[seat], strict=True)} for seat in range(2)],
        herds=[int(n) for n in s.herd],
        deck=[KINDS[card] for card in s.deck[: s.deck_left]],
        bonus={pile + 3: [int(v) for v in s.bonus[pile, : s.bonus_left[pile]]] for pile in range(3)},
        seat=state.seat,
        actions=state.variant.chosen["actions"],
        rules=state.variant.chosen["rules"],
    )


def same_table(state: meeple.State, other: Round) -> None:
    s = state.data
    assert [int(n) for n in s.market] == [other.market.get(kind, 0) for kind in KINDS]
    for seat in range(2):
        assert [int(n) for n in s.hand[seat]] == [other.hands[seat].get(good, 0) for good in GOODS]
        assert [int(n) for n in s.known[seat]] == [other.known[seat].get(good, 0) for good in GOODS]
        assert int(s.herd[seat]) == other.herds[seat]
        assert int(s.goods_points[seat]) == other.goods_points[seat]
        assert int(s.bonus_points[seat]) == other.bonus_points[seat]
        assert int(s.goods_tokens[seat]) == other.goods_tokens[seat]
        assert int(s.bonus_tokens[seat]) == other.bonus_tokens[seat]
    assert int(s.deck_left) == len(other.deck)
    assert [int(n) for n in s.tokens_left] == [len(other.tokens[good]) for good in GOODS]
    assert state.turn == other.turn


def same_game(spec: str, seed: int) -> None:
    state = meeple.new(spec, seed)
    other = reference_of(state)
    chooser = stream(seed)
    while not state.over:
        assert state.seat == other.seat
        moves = state.moves()
        assert set(moves) == other.legal(), f"{spec} seed {seed} ply {state.ply}"
        assert len(set(moves)) == len(moves)
        move = moves[draw(chooser, len(moves))]
        state.play(move)
        other.play(move)
        same_table(state, other)
    assert other.over
    assert state.end.reason == other.end
    assert state.end.truncated == other.truncated
    assert state.scores() == [float(x) for x in other.points]
    shares = [0.5, 0.5] if other.winner is None else [float(other.winner == seat) for seat in range(2)]
    assert state.outcome() == shares


@pytest.mark.parametrize("part", range(PARTS))
def test_random_rounds_are_the_same_move_by_move(part: int) -> None:
    for number in range(part, sample(ROUNDS), PARTS):
        same_game("jaipur:round", child(17, number))


@pytest.mark.parametrize("options", ["actions=25469", "actions=25502", "rules=2017"])
def test_so_are_rounds_with_other_options(options: str) -> None:
    for number in range(sample(500)):
        same_game(f"jaipur:round,{options}", child(18, number))


def test_the_turn_cap_is_the_same() -> None:
    """Two players who only exchange back and forth reach the cap in both engines on the same turn."""
    state = meeple.new("jaipur:round", 3)
    other = reference_of(state)
    state.data.turn = state.data.round_turn = 998
    other.turn = 998
    for _ in range(2):
        move = next(m for m in state.moves() if m.startswith(("exchange", "sell")))
        state.play(move)
        other.play(move)
    assert state.end.reason == other.end == "turn cap"
    assert np.array_equal(state.outcome(), [0.5, 0.5])

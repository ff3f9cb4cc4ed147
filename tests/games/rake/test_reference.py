"""Differential: the kernels against an independent, slow engine, move by move: legal moves, sheets, clocks, scores."""

from __future__ import annotations

import numpy as np
import pytest

import meeple
from meeple.core.rng import child, derive, draw, stream
from meeple.games.rake.board import PHASES
from meeple.games.rake.components import COLOUR_NAMES, PROPERTY_NAMES
from tests.conftest import sample
from tests.reference.rake import Game

GAMES = 2000
PARTS = 2


def reference_of(spec: str, seed: int) -> Game:
    """The same game with the same dice: they are drawn in the order in which they are rolled."""
    name = spec.partition(":")[2]
    luck = np.array([derive(np.uint64(0 if name == "deterministic" else seed), 0)], np.uint64)
    kind, _, seats = name.partition("-")
    return Game(
        variant="complete" if kind == "deterministic" else kind,
        dice=lambda n: [int(draw(luck, 6)) + 1 for _ in range(n)],
        seats=int(seats or 1),
    )


def same_table(state: meeple.State, other: Game) -> None:
    s = state.data
    for seat in range(s.seats):
        crossed = other.crossed(seat)
        for number, name in enumerate(PROPERTY_NAMES):
            assert {leaf for leaf in range(15) if s.leaves[seat, number] >> leaf & 1} == crossed[name]
        assert int(s.time[seat]) == other.time[seat]
        assert state.scores()[seat] == other.score(seat)
        if "official" in state.variant.name:  # the reference counts them elsewhere too, where they never take effect
            assert {name: int(n) for name, n in zip(COLOUR_NAMES, s.bumps[seat], strict=True)} == dict(other.bumps(seat))
    if not state.over:
        assert state.seat == other.seat
        assert PHASES[s.phase] == other.phase
        assert [int(value) if s.free >> die & 1 else 0 for die, value in enumerate(s.dice)] == other.dice


def same_game(spec: str, seed: int, no_pass: bool) -> None:
    state = meeple.new(spec, seed)
    other = reference_of(spec, seed)
    chooser = stream(seed)
    while not state.over:
        same_table(state, other)
        moves = state.moves()
        assert set(moves) == set(other.legal()), f"{spec} seed {seed} ply {state.ply}"
        assert len(set(moves)) == len(moves)
        if no_pass:  # games with more on the sheets
            moves = [move for move in moves if move != "pass" and not move.startswith("reroll")] or moves
        move = moves[draw(chooser, len(moves))]
        state.play(move)
        other.play(move)
    assert other.over
    same_table(state, other)


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("spec", ["rake:complete", "rake:simple", "rake:official"])
def test_random_games_are_the_same_move_by_move(spec: str, part: int) -> None:
    for number in range(part, sample(GAMES), PARTS):
        same_game(spec, child(17, number), no_pass=number % 4 > 1)


@pytest.mark.parametrize("spec", ["rake:deterministic", "rake:official-2", "rake:official-3"])
def test_so_are_the_other_variants(spec: str) -> None:
    for number in range(sample(300)):
        same_game(spec, child(18, number), no_pass=number % 4 > 1)

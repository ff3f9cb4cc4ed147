"""Differential: the kernels against an independent, slow engine, move by move: legal moves, the table, points, ends."""

from __future__ import annotations

import pytest

import meeple
from meeple.core.kernel import JIT
from meeple.core.rng import child, draw, stream
from meeple.games.splendor.board import PHASES
from tests.conftest import sample
from tests.reference.splendor import COLOURS, TOKENS, Game

# Games for each number of players, split so that two processes can share them.
PARTS = 5
GAMES = 5000


def card(number: int) -> int | None:
    return None if number < 0 else int(number)


def reference_of(state: meeple.State) -> Game:
    """The same freshly dealt position, handed over as plain Python."""
    s = state.data
    return Game(
        players=int(s.players),
        nobles=[int(noble) for noble in s.nobles if noble >= 0],
        face_up=[[card(c) for c in row] for row in s.face_up],
        decks=[[int(c) for c in deck[:left]] for deck, left in zip(s.deck, s.deck_left, strict=True)],
        seat=state.seat,
    )


def same_table(state: meeple.State, other: Game) -> None:
    s = state.data
    players = other.players
    assert s.bank.tolist() == [other.bank[kind] for kind in TOKENS]
    assert [card(noble) for noble in s.nobles[: players + 1]] == other.nobles
    assert [[card(c) for c in row] for row in s.face_up] == other.face_up
    assert [deck[:left].tolist() for deck, left in zip(s.deck, s.deck_left, strict=True)] == other.decks
    assert s.tokens[:players].tolist() == [[held[kind] for kind in TOKENS] for held in other.tokens]
    assert s.bonuses[:players].tolist() == [[own[colour] for colour in COLOURS] for own in other.bonuses]
    assert s.points[:players].tolist() == other.points
    assert s.bought[:players].tolist() == other.bought
    assert s.nobles_won[:players].tolist() == other.nobles_won
    assert [[card(c) for c in row] for row in s.reserved[:players]] == other.reserved
    assert PHASES[s.phase] == other.phase
    assert s.price.tolist() == [other.payment.get(kind, 0) for kind in TOKENS]
    assert state.turn == other.turn


def same_game(spec: str, seed: int, avoided: str = "nothing") -> str:
    """Play both engines at random, moves of one kind only where there is no other; returns how the game ended."""
    state = meeple.new(spec, seed)
    other = reference_of(state)
    chooser = stream(seed)
    while not state.over:
        assert state.seat == other.seat
        moves = state.moves()
        assert set(moves) == other.legal(), f"{spec} seed {seed} ply {state.ply}"
        assert len(set(moves)) == len(moves)
        liked = [move for move in moves if not move.startswith(avoided)] or moves
        move = liked[draw(chooser, len(liked))]
        state.play(move)
        other.play(move)
        same_table(state, other)
    assert other.over
    assert state.end.reason == other.end
    assert state.end.truncated == other.truncated
    assert state.outcome() == other.shares
    return state.end.reason


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_games_are_the_same_move_by_move(players: int, part: int) -> None:
    for number in range(part, sample(GAMES), PARTS):
        same_game(f"splendor:{players}", child(17, number))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_so_are_games_of_players_who_hoard(players: int) -> None:
    """Who never buys runs into what random play hardly sees: eleven tokens, no gold, passes, stalemates."""
    ends = {same_game(f"splendor:{players}", child(18, number), avoided="buy") for number in range(sample(300))}
    assert players > 2 or not JIT or "stalemate" in ends


@pytest.mark.parametrize("players", [2, 3, 4])
def test_so_are_games_of_players_who_only_buy(players: int) -> None:
    """Who never reserves buys more, gets more nobles and pays without gold."""
    for number in range(sample(300)):
        same_game(f"splendor:{players}", child(19, number), avoided="reserve")


def test_the_turn_cap_is_the_same() -> None:
    state = meeple.new("splendor:3", 3)
    other = reference_of(state)
    state.data.turn = other.turn = 997
    for _ in range(3):
        move = state.moves()[0]
        state.play(move)
        other.play(move)
    assert state.end.reason == other.end == "turn cap"
    assert state.outcome() == other.shares

"""Secret moves: a seat is told of them when it may know them, and not before, whichever way it asks."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from meeple.agents.mcts import PARAMS, make_mcts
from meeple.agents.registry import AgentSpec
from meeple.arena.table import Piece
from meeple.core.agent import AgentKind, Clairvoyant, Seen
from meeple.core.check import check_game
from meeple.core.game import HIDDEN, SECRET_MOVE
from meeple.core.kernel import JIT
from meeple.core.state import State, new
from meeple.rollout.stepper import Batch
from tests.secret.bids import GAME, NO_BID, SEATS

BIDS = Path(__file__).parent / "bids"
VARIANT = GAME.variant()


def problems(**changed: Any) -> dict[str, str]:
    game = replace(GAME, **changed)
    return {problem.rule: problem.message for problem in check_game(game, 10, seed=1, only=[game.variant()]).problems}


def table(*bids: int) -> tuple[State, list[tuple[int, int]]]:
    """A game in which these bids were made, and its history."""
    state, history = new(VARIANT, 1), []
    for bid in bids:
        history.append((state.seat, bid))
        state.play(bid)
    return state, history


def a_round_too_early(s: Any, seat: int, ply: int, mover: int, action: int) -> bool:  # noqa: ARG001
    """Secret to the next seat alone."""
    return bool(ply == s.ply - 1 and s.ply % SEATS != 0)


def only_a_high_bid(s: Any, seat: int, ply: int, mover: int, action: int) -> bool:
    return GAME.secret is not None and GAME.secret(s, seat, ply, mover, action) and action == 4


def redeal_keeps_bids(s: Any, seat: int, seed: Any) -> None:  # noqa: ARG001
    s.luck[0] = seed


def test_a_game_that_declares_its_secret_moves_keeps_the_contract() -> None:
    assert problems() == {}


@pytest.mark.parametrize("secret", [None, a_round_too_early, only_a_high_bid])
def test_a_game_whose_moves_tell_what_a_redeal_hides_is_refused(secret: Any) -> None:
    assert "is told 'bid" in problems(secret=secret)["leak"]


def test_a_secret_that_a_redeal_keeps_is_refused() -> None:
    found = problems(redeal=redeal_keeps_bids)
    assert "may not know" in found["secret"] and "keeps bid" in found["secret"]
    assert "differ in bid, which is hidden from it" in found["redeal varies"]


def test_a_move_that_nothing_shows_and_nothing_hides_is_refused() -> None:
    """Neither declared nor redealt, but left out of view and observation: somebody forgot something."""
    assert "nothing shows seat" in problems(redeal=redeal_keeps_bids, secret=None, hidden={"luck": "all"})["secret"]


def test_a_history_hides_the_bids_of_the_round_and_shows_those_before() -> None:
    state, history = table(4, 3, 2, 1, 0)
    assert Seen(state, 7, history).history == ((0, 4), (1, 3), (2, 2), (0, HIDDEN), (1, HIDDEN))
    assert Clairvoyant(state, 7, history).history == tuple(history)
    assert state.told(1, history)[4] == (1, 0)  # its own
    assert VARIANT.format_action(HIDDEN) == SECRET_MOVE


def test_at_the_end_all_moves_are_open() -> None:
    state, history = table(*[4, 3, 2] * 3)
    assert state.over and state.told(0, history) == tuple(history)


def test_what_an_agent_was_shown_does_not_grow_with_the_game() -> None:
    state, history = table(4)
    seen = Seen(state, 7, history)
    history.append((1, 3))
    assert len(seen.history) == 1


class Spy:
    """Bids 1, and remembers all that it was shown."""

    shown: ClassVar[list[tuple[int, tuple[tuple[int, int], ...], list[int]]]] = []
    clairvoyant = True  # says so itself, which gives it nothing

    def choose(self, seen: Seen) -> int:
        Spy.shown.append((seen.ply, tuple(seen.history), seen.sample(3).data.bid.tolist()))
        return 0


def nothing_was_told() -> bool:
    """Of the round that was played, only own bids."""
    open_plies = [action for ply, history, _ in Spy.shown for action in [a for _, a in history[ply // SEATS * SEATS :]]]
    return len(Spy.shown) > 0 and set(open_plies) <= {HIDDEN}


def test_agents_of_a_match_are_not_told() -> None:
    Spy.shown = []
    spy = AgentSpec(AgentKind("spy", "", lambda _: Spy()))
    Piece(VARIANT, [spy] * SEATS, [1], np.arange(SEATS, dtype=np.int8)[None]).play()
    assert nothing_was_told()
    assert max(len(history) for _, history, _ in Spy.shown) == 8  # it was given one


def test_opponents_in_an_environment_are_not_told() -> None:
    Spy.shown = []
    games = Batch(VARIANT, 2, seat=0, opponents=[lambda _: Spy()])
    games.reset()
    for _ in range(3):
        games.step(np.full(2, 4, np.int32))
    assert nothing_was_told()


def test_an_environment_shows_a_seat_the_same_whatever_the_others_bid() -> None:
    """Observation, mask and board of the third seat, after other bids of the first two."""
    from meeple.envs.make import aec

    seen = []
    for bids in ((0, 1), (4, 2)):
        env = aec(VARIANT, render_mode="ansi")
        env.reset(seed=1)
        for bid in bids:
            env.step(bid)
        last = env.last()
        seen.append((last[0]["observation"].tolist(), last[0]["action_mask"].tolist(), last[1:], env.render()))
    assert seen[0] == seen[1]


def an_mcts(**settings: Any) -> Any:
    filled = {param.name: param.default for param in PARAMS} | {"iterations": 200, "reuse": 1} | settings
    return make_mcts(VARIANT, **filled)


def test_a_search_that_keeps_its_tree_begins_anew_where_a_move_is_secret() -> None:
    agent = an_mcts()
    followed: list[tuple[Any, int]] = []
    follow = agent.search.follow

    def note(root: Any, played: Any) -> int:
        followed.append((tuple(played), follow(root, played)))
        return followed[-1][1]

    agent.search.follow = note
    state = new(VARIANT, 1)
    history: list[tuple[int, int]] = []
    while not state.over:
        action = agent.choose(Seen(state, 7 + state.ply, history)) if state.seat == 1 else 2
        history.append((state.seat, action))
        state.play(action)
    assert len(followed) == 2
    for played, kept in followed:
        assert played[-1] == (0, HIDDEN) and kept == 0


def test_play_does_not_print_a_bid_before_the_person_has_bid(tmp_path: Path, quiet_environment: dict[str, str]) -> None:
    words = ["play", "bids", "--seat", "2", "--seed", "1", "--save", str(tmp_path / "game.txt")]
    done = meeple(words, "bid 1\nquit\n", quiet_environment)
    first, second = done.split("Move 6,")
    assert first.count(f": {SECRET_MOVE}") == 2 and "(random): bid" not in first
    told = [line for line in second.splitlines() if "(random): " in line]
    moves = [move[:3] for line in told for move in line.rpartition(": ")[2].split("; ")]
    assert moves == ["bid", "a s", "bid", "a s"]  # of each the last round, which lies open now, and this one


def test_a_replay_shows_a_seat_only_what_it_may_know(tmp_path: Path, quiet_environment: dict[str, str]) -> None:
    path = tmp_path / "game.txt"
    meeple(["simulate", "bids", "--games", "1", "--save", str(path)], "", quiet_environment)
    shown = meeple(["replay", str(path), "--ply", "5", "--seat", "2"], "", quiet_environment)
    assert shown.count(SECRET_MOVE) == 2 and shown.count(": bid") == 3
    assert SECRET_MOVE not in meeple(["replay", str(path), "--seat", "2"], "", quiet_environment)


def meeple(words: list[str], typed: str, environment: dict[str, str], games: Path = BIDS, code: int = 0) -> str:
    command = [sys.executable, "-m", "meeple", *words]
    env = {**environment, "MEEPLE_GAMES": str(games), "NUMBA_DISABLE_JIT": os.environ.get("NUMBA_DISABLE_JIT", "0")}
    done = subprocess.run(command, input=typed, capture_output=True, text=True, env=env, check=False)
    assert done.returncode == code, done.stderr
    return done.stdout


def test_check_tells_of_a_secret_move_that_is_not_declared(tmp_path: Path, quiet_environment: dict[str, str]) -> None:
    games = edited(tmp_path, "    secret=secret,\n", "")
    told = meeple(["check", "bids"], "", quiet_environment, games, code=1)
    assert "leak: seat 1 is told 'bid" in told
    assert "a redeal changes for every seat: luck, bid" in told


@pytest.mark.skipif(not JIT, reason="without the compiler Python itself keeps to the room")
def test_check_survives_a_kernel_that_lists_more_than_max_legal(tmp_path: Path, quiet_environment: dict[str, str]) -> None:
    """Five thousand actions in a room of three once ended in a segmentation fault."""
    games = edited(
        tmp_path, "SEATS, ROUNDS, BIDS = 3, 3, 5\n", "SEATS, ROUNDS, BIDS = 3, 3, 5000\n", "max_legal=BIDS", "max_legal=2"
    )
    told = meeple(["check", "bids"], "", quiet_environment, games, code=1)
    assert "bids: 1 problems" in told and "5000 legal actions" in told and "max_legal = 2" in told


def edited(folder: Path, *words: str) -> Path:
    """The game with some words replaced, in a folder of its own."""
    text = (BIDS / "__init__.py").read_text()
    for old, new_words in zip(words[::2], words[1::2], strict=True):
        assert text.count(old) == 1
        text = text.replace(old, new_words)
    (folder / "bids").mkdir()
    (folder / "bids" / "__init__.py").write_text(text)
    return folder / "bids"


def test_a_redeal_leaves_no_bid_where_none_was_made() -> None:
    state, _ = table(4)
    assert state.redealt(1, 3).data.bid[1:].tolist() == [NO_BID, NO_BID]

"""What a search worker does: choose a move, or value all of them, for a position that was redealt for its seat before it came here.

A worker has one mind for each variant and agent, none for each game: a search with a clock touches 70 MB. Thinking time comes with
the question, and a search stops between two slices of some milliseconds when the board says so; what it has found by then counts.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.agents.analyze import reads_as_tree
from meeple.agents.mcts import Mcts
from meeple.agents.registry import find_agent, load_code
from meeple.core import notices
from meeple.core.agent import Seen, ask
from meeple.core.errors import MeepleError
from meeple.core.game import Variant
from meeple.core.registry import find_variant
from meeple.core.state import State, new
from meeple.search.analysis import analysis_of
from meeple.search.driver import Budget, Search
from meeple.serve.board import COMPILED, STOP, WAITING, Board
from meeple.serve.levels import ANALYST

MOST_MINDS = 8  # that one worker keeps
ROOM_MS = 1.0  # a search made with any clock has room for a long one


class Stop(Exception):
    """The answer is wanted now."""


@dataclass(frozen=True)
class Question:
    """A decision as one seat sees it. `array` is a redealt copy: a worker never holds the truth."""

    kind: str  # choose, analyse, prepare, check
    variant: str
    agent: str = ANALYST
    array: NDArray[Any] | None = None
    seed: int = 0
    history: tuple[tuple[int, int], ...] = ()
    ms: float = 0.0
    number: int = field(default=0, compare=False)  # given by the pool


@dataclass
class _Worker:
    board: Board | None = None
    row: int = 0
    minds: OrderedDict[tuple[str, str], Any] = field(default_factory=OrderedDict)


_me = _Worker()


def prepare(path: str, rows: int, row: int, code: list[Any]) -> None:
    """Once, when the worker starts."""
    _me.board, _me.row = Board(path, rows), row
    for file in code:
        load_code(file)
    notices.listeners.append(_hear)


def _hear(_: str, __: int, ___: float, done: bool) -> None:
    assert _me.board is not None
    row = _me.board.rows[_me.row]
    row[COMPILED] += 1
    row[WAITING] = 0 if done else 1


def answer(question: Question) -> Any:
    """The action chosen; the analysis as plain data; or whether a position is possible."""
    variant = find_variant(question.variant)
    if question.kind == "prepare":
        return _prepare(variant, question)
    if question.kind == "check":
        return check_position(variant, question.array)
    assert question.array is not None
    state = State(variant, question.array)
    return _choose(state, question) if question.kind == "choose" else _analyse(state, question)


def _mind(variant: Variant, agent: str) -> Any:
    """Made when it is first asked for; the one that was not needed for longest goes."""
    key = (variant.spec, agent)
    if key not in _me.minds:
        player = find_agent(agent, variant.game)
        spec = f"{ANALYST}:ms={ROOM_MS}" if agent == ANALYST else player.spec
        _me.minds[key] = find_agent(spec, variant.game).make(variant)
    _me.minds.move_to_end(key)
    while len(_me.minds) > MOST_MINDS:
        _me.minds.popitem(last=False)
    return _me.minds[key]


def _choose(state: State, question: Question) -> int:
    mind = _mind(state.variant, question.agent)
    if not isinstance(mind, Mcts) or not reads_as_tree(mind) or not question.ms:
        return ask(mind, state, question.seed, question.history, name=question.agent)
    seen = Seen(state, question.seed, question.history)
    if len(seen.legal) == 1:
        return seen.legal[0]
    _think(mind.search, seen, question, early=True)
    return mind.search.root_actions().best()


def _analyse(state: State, question: Question) -> dict[str, Any]:
    mind = _mind(state.variant, question.agent)
    _think(mind.search, Seen(state, question.seed), question, early=False)
    return analysis_of(mind.search).as_json()


def _think(search: Search, seen: Seen, question: Question, early: bool) -> None:
    """Search until the time is over or somebody says stop. What comes first, compiling, is no thinking time."""
    search.set_root(seen.sample(seen.seed).array)
    search.budget = Budget(0, question.ms)
    while not search.root_actions().visits.any():
        search.iterate(1)
    plain = search.iterate

    def watched(iterations: int) -> None:
        if _me.board is not None and _me.board.rows[_me.row, STOP] >= question.number > 0:
            raise Stop
        plain(iterations)

    search.iterate = watched  # type: ignore[method-assign]
    try:
        search.run(early)
    except Stop:
        pass
    finally:
        search.iterate = plain  # type: ignore[method-assign]


def _prepare(variant: Variant, question: Question) -> bool:
    """Compile what playing a table takes; or, where an agent is named, what that agent takes."""
    state = new(variant, 1)
    if not question.agent:
        use_rules(state)
        return True
    for _ in range(FIRST_PLIES):  # until there is something to decide: a search of a single move compiles nothing
        if len(state.legal()) > 1:
            break
        state.play(state.legal()[0])
    _choose(state, question)
    return True


def use_rules(state: State) -> None:
    """Every kernel that the server itself calls, once."""
    for seat in range(state.variant.shape.seats):
        shown = state.redealt(seat, 1)
        shown.view(seat)
        shown.told(seat, [])
    trial = state.copy()
    trial.play(trial.legal()[0])
    trial.scores()
    over = trial.copy()
    over.data.end = 1
    over.outcome()


FIRST_PLIES = 50
PLIES, GAMES = 400, 8  # of the trial games from a position that was set up


def check_position(variant: Variant, array: Any) -> str:
    """Nothing, or why such a position cannot be. In a worker: a kernel that is given nonsense may bring its process down."""
    state = State(variant, array)
    if reason := _broken(state):
        return reason
    if state.over:
        return "the game would be over already"
    if not 0 <= state.seat < variant.shape.seats:
        return f"seat {state.seat} does not exist"
    legal = state.legal()
    if not legal:
        return f"seat {state.seat} could not move"
    luck = np.random.default_rng(1)
    for _ in range(GAMES):
        if reason := _plays_on(state.copy(), luck):
            return reason
    return ""


def _plays_on(state: State, luck: np.random.Generator) -> str:
    for _ in range(PLIES):
        if state.over:
            return ""
        try:
            state.play(int(luck.choice(state.legal())))
        except (MeepleError, ValueError, IndexError):
            return f"after {state.ply} moves nobody could move"
        if reason := _broken(state):
            return f"a few moves later {reason}"
    return ""


def _broken(state: State) -> str:
    game = state.variant.game
    assert game.audit is not None
    number = int(game.audit(state.data))
    if not number:
        return ""
    return game.invariants[number - 1] if 0 < number <= len(game.invariants) else f"rule {number} of the game's audit is broken"

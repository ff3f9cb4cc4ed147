"""What a search worker does: choose a move, or value all of them, for a position that was redealt for its seat before it came here.

A worker has one mind for each variant and agent, none for each game: a search with a clock touches 70 MB. Thinking time comes with
the question, and a search stops between two slices of some milliseconds when the board says so; what it has found by then counts.
"""

from __future__ import annotations

import faulthandler
import logging
import os
import time
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.agents.analyze import reads_as_tree
from meeple.agents.mcts import Mcts
from meeple.agents.registry import find_agent, load_code
from meeple.core import notices
from meeple.core.agent import Seen, ask, begin, begins_anew
from meeple.core.errors import MeepleError
from meeple.core.faults import AgentFault
from meeple.core.game import Variant
from meeple.core.registry import find_variant
from meeple.core.scene import scene_of
from meeple.core.state import State, new
from meeple.search.analysis import analysis_of
from meeple.search.driver import Budget, Search
from meeple.search.tree import NONE, ROOT, add_node, find_child
from meeple.serve.board import COMPILED, STOP, WAITING, Board
from meeple.serve.levels import ANALYST

MOST_MINDS = 8  # that one worker keeps
ROOM_MS = 1.0  # a search made with any clock has room for a long one
NO_ACTION = -1  # in a question: none is of special interest
ASIDE = 0.25  # of the thinking time, at most, is for an action that was played and that the search itself would hardly look at
LEAST_VISITS = 2  # that it gets in any case


log = logging.getLogger(__name__)


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
    action: int = NO_ACTION  # that an analysis must value, though the search would not consider it
    number: int = field(default=0, compare=False)  # given by the pool


@dataclass
class _Worker:
    board: Board | None = None
    row: int = 0
    checks: set[str] = field(default_factory=set)  # variants whose check is compiled
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
        return _check(variant, question.array)
    assert question.array is not None
    state = State(variant, question.array)
    return _choose(state, question) if question.kind == "choose" else _analyse(state, question)


def _mind(variant: Variant, agent: str) -> Any:
    """Made when it is first asked for; the one that was not needed for longest goes."""
    key = (variant.spec, agent)
    if key not in _me.minds:
        player = find_agent(agent, variant.game)
        spec = f"{ANALYST}:ms={ROOM_MS}" if agent == ANALYST else player.spec
        made = find_agent(spec, variant.game).make(variant)
        if not begins_anew(made):
            return made  # it may remember what it saw, at another table or in another seat
        _me.minds[key] = made
    _me.minds.move_to_end(key)
    while len(_me.minds) > MOST_MINDS:
        _me.minds.popitem(last=False)
    return _me.minds[key]


def _choose(state: State, question: Question) -> int:
    mind = _mind(state.variant, question.agent)
    if not isinstance(mind, Mcts) or not reads_as_tree(mind) or not question.ms:
        # One mind serves all tables and seats, so it keeps nothing from one decision to the next.
        try:
            begin(mind, state.variant, state.seat, question.agent)
            return ask(mind, state, question.seed, question.history, name=question.agent)
        except AgentFault as error:
            log.error(error)  # whole for the operator alone: it may name the agent's legal moves, and so its hand
            raise MeepleError(f"{question.agent} failed; the log of the server says how.") from None
    seen = Seen(state, question.seed, question.history)
    if len(seen.legal) == 1:
        return seen.legal[0]
    _think(mind, seen, question, early=True)
    return mind.search.root_actions().best()


def _analyse(state: State, question: Question) -> dict[str, Any]:
    mind = _mind(state.variant, question.agent)
    aside = ASIDE if question.action != NO_ACTION else 0.0
    _think(mind, Seen(state, question.seed), replace(question, ms=question.ms * (1 - aside)), early=False)
    if question.action != NO_ACTION:
        _look_at(mind.search, question, question.ms * aside)
    return analysis_of(mind.search).as_json()


def _think(mind: Mcts, seen: Seen, question: Question, early: bool) -> None:
    """Search until the time is over or somebody says stop. What comes first, compiling, is no thinking time."""
    if not seen.legal:
        raise MeepleError("The game is over, so there is nothing to think about.")  # such a root would never get a visit
    search = mind.search
    search.set_root(mind.root_of(seen))
    own, search.budget = search.budget, Budget(0, question.ms)
    while not search.root_actions().visits.any():
        search.iterate(1)
    plain = search.iterate

    def watched(iterations: int) -> None:
        if _stopped(question):
            raise Stop
        plain(iterations)

    search.iterate = watched  # type: ignore[method-assign]
    try:
        search.run(early)
    except Stop:
        pass
    finally:
        search.iterate, search.budget = plain, own  # type: ignore[method-assign]


def _look_at(search: Search, question: Question, ms: float) -> None:
    """Let the search value an action that it left aside: half as often as the best one, if there is time for that. The best keeps
    its lead in visits, so the order of the moves is the search's own."""
    most = max(LEAST_VISITS, int(search.root_actions().visits.max()) // 2)
    child = _child(search, question.action)
    if child == NONE:  # no room in the tree
        return
    started, node = time.perf_counter(), search.tree.nodes[child : child + 1]
    search.tree.forced[0] = child
    try:
        while (visits := int(node["visits"][0])) < most:
            late = (time.perf_counter() - started) * 1000 >= ms
            if visits >= LEAST_VISITS and (late or _stopped(question)):
                return
            search.iterate(1)
    finally:
        search.tree.forced[0] = NONE


def _child(search: Search, action: int) -> int:
    """The root's node of an action, made if the search has none. A seat knows what it may do, so every world allows the action."""
    root = search.tree.states[ROOT]
    seat = int(root.seat)
    found = int(find_child(search.tree, 0, seat, action))
    if found != NONE:
        return found
    meaning = search.variant.game.meaning
    about = int(meaning(root, action)) if search.settings.meanings and meaning is not None else 0
    return int(add_node(search.tree, 0, action, about, seat, 0.0))


def _stopped(question: Question) -> bool:
    """Is this the question that should stop? Not merely an older one: the most important come first, so numbers do not say in which
    order questions are answered. A stop stands until the row's next one, which is for a later question of this worker."""
    return _me.board is not None and bool(_me.board.rows[_me.row, STOP] == question.number > 0)


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
    if state.over:
        return True
    _choose(state, question)
    if question.agent == ANALYST and len(legal := state.legal()) > 1:
        _analyse(state, replace(question, action=legal[-1]))
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
DEADLINE = 5.0  # seconds that a check may take, which usually takes a tenth of one: nonsense may keep a kernel busy for ever
REDEALS = 8  # of the position, for every seat
SPARE = 1 << 14  # places behind the room for legal actions, where a list that is too long does no harm


def _check(variant: Variant, array: Any) -> str:
    """By the deadline, or this process ends: nothing else gets a kernel out of a loop."""
    if variant.spec not in _me.checks:
        check_position(variant, new(variant, 1).array)  # compiles what a check takes, which is not counted
        _me.checks.add(variant.spec)
    with Path(os.devnull).open("w") as nowhere:
        faulthandler.dump_traceback_later(DEADLINE, exit=True, file=nowhere)  # its thread needs no turn of Python's own
        try:
            return check_position(variant, array)
        finally:
            faulthandler.cancel_dump_traceback_later()


def check_position(variant: Variant, array: Any) -> str:
    """Nothing, or why such a position cannot be. In a worker: a kernel that is given nonsense may bring its process down."""
    state = State(variant, array)
    if reason := _broken(state):
        return reason
    if state.over:
        return "the game would be over already"
    if state.turn < 0:
        return "no game has fewer than no turns behind it"
    if reason := _stuck(state) or _hides_nonsense(state):
        return reason
    luck = np.random.default_rng(1)
    for _ in range(GAMES):
        if reason := _plays_on(state.copy(), luck):
            return reason
    return ""


def _hides_nonsense(state: State) -> str:
    """Can it be dealt again for every seat, and shown?"""
    for seat in range(state.variant.shape.seats):
        for seed in range(REDEALS):
            shown = state.redealt(seat, seed)
        try:
            scene_of(shown, seat)
            shown.view(seat)
            shown.moves()
        except Exception:  # whatever a game's picture makes of nonsense
            return "its numbers make no sense to the rules"
    return ""


def _stuck(state: State) -> str:
    """Why the seat to move has no proper list of moves."""
    shape = state.variant.shape
    if not 0 <= state.seat < shape.seats:
        return f"seat {state.seat} does not exist"
    out = np.empty(shape.room + SPARE, np.int32)
    n = int(state.variant.game.legal(state.data, out))
    if n == 0:
        return f"seat {state.seat} could not move"
    if n > shape.max_legal or not all(0 <= action < shape.actions for action in out[:n]):
        return f"seat {state.seat} would have moves that do not exist"
    return ""


def _plays_on(state: State, luck: np.random.Generator) -> str:
    for _ in range(PLIES):
        if state.over:
            return ""
        if reason := _stuck(state):
            return f"a few moves later {reason}"
        state.play(int(luck.choice(state.legal())))
        if reason := _broken(state):
            return f"a few moves later {reason}"
        for seat in range(state.variant.shape.seats):
            state.redealt(seat, state.ply)
    return ""


def _broken(state: State) -> str:
    game = state.variant.game
    assert game.audit is not None
    number = int(game.audit(state.data))
    if not number:
        return ""
    return game.invariants[number - 1] if 0 < number <= len(game.invariants) else f"rule {number} of the game's audit is broken"

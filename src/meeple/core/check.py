"""The public contract checker: plays a game at random and looks at everything the contract promises.

Each rule is one small method; a message names the likely cause. Works on any Game, discovered or not.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NoReturn

import numpy as np

from meeple.core.check_knowledge import HiddenFields, Reshuffles, Secrets
from meeple.core.errors import MeepleError
from meeple.core.faults import told
from meeple.core.game import HEADER, PLAYING, Game, Measure, Variant
from meeple.core.rng import child, draw, stream
from meeple.core.state import State

MOST_NAMES = 50_000  # actions whose names are tried
GUARD = 4096  # places behind a kernel's room, where it may do no harm while it is looked at,
MANY = 1 << 18  # and behind that of a list of actions, which may be far too long
UNTOUCHED = -7  # what stands there


@dataclass(frozen=True)
class Problem:
    rule: str
    variant: str
    message: str


@dataclass
class Report:
    """What was looked at and what was wrong; one problem a rule and variant."""

    game: str
    variants: list[str] = field(default_factory=list)
    games: int = 0
    positions: int = 0
    environments: int = 0  # variants whose environments were played beside the engine
    redealt: dict[str, list[list[str]]] = field(default_factory=dict)  # variant -> seat -> fields that a redeal for it changes
    problems: list[Problem] = field(default_factory=list)


class Stop(Exception):
    """Something is wrong that would make compiled code write where it must not: look no further."""


def specimens(game: Game) -> Iterator[Variant]:
    """Every variant, and with it every value of every option; of an option that is the same with all, each value with one."""
    names = list(game.variants.values)
    for place, name in enumerate(names):
        yield game.variant(name)
        for option in game.options:
            for number, value in enumerate(option.values):
                if number and (option.everywhere or number % len(names) == place):
                    yield game.variant(name, **{option.name: value})


def check_game(
    game: Game,
    games: int = 20,
    seed: int = 0,
    only: Iterable[Variant] | None = None,
    tick: Callable[[str], None] = lambda _: None,
) -> Report:
    """Check every specimen of a game, or only some variants; `tick` is told of each."""
    report = Report(game.name)
    for variant in specimens(game) if only is None else only:
        tick(variant.spec)
        checker = Checker(variant, report, seed)
        try:
            checker.check(games)
        except Stop:
            pass  # it was told of
        except MeepleError as error:
            checker.problem("refused", str(error))
        except Exception as error:  # a broken game may fail anywhere: that is a finding, not a crash
            checker.problem("raises", f"{told(error)}; what a game declares must compile, and not raise on legal input")
        report.variants.append(variant.spec)
    return report


class Checker:
    """One variant under the magnifying glass."""

    def __init__(self, variant: Variant, report: Report, seed: int) -> None:
        self.variant = variant
        self.game = variant.game
        self.report = report
        self.seed = seed
        self.stream = stream(seed)
        self.redeal_changed = False
        self.luck = seed
        self.hidden = HiddenFields(variant, self.problem)
        self.reshuffles = Reshuffles(variant, self.problem)
        self.secrets = Secrets(variant, self.problem, self.listed, self.observed)

    def problem(self, rule: str, message: str) -> None:
        if not any(p.rule == rule and p.variant == self.variant.spec for p in self.report.problems):
            self.report.problems.append(Problem(rule, self.variant.spec, message))

    def stop(self, rule: str, message: str) -> NoReturn:
        self.problem(rule, message)
        raise Stop

    def check(self, games: int) -> None:
        self.declarations()
        if self.variant.shape.hidden:
            self.hidden.declarations()
        self.names()
        for number in range(games):
            self.one_game(child(self.seed, number))
        if self.variant.shape.hidden:
            self.redealt_fields()

    def redealt_fields(self) -> None:
        """What redeals changed, and whether it is what the game declares."""
        self.report.redealt[self.variant.spec] = [self.hidden.fields(seat) for seat in range(self.variant.shape.seats)]
        if self.report.positions and not self.redeal_changed:
            self.problem("redeal varies", "no redeal changed anything; set hidden=False in its shape if there are no secrets")
        self.hidden.verdict()
        self.reshuffles.verdict()

    def declarations(self) -> None:
        header = [name for name, *_ in HEADER]
        if list(self.game.dtype.names or ())[: len(header)] != header:
            self.problem("header", "the state must begin with HEADER; make its dtype with state_dtype([...])")
        if self.game.ends[0] != PLAYING:
            self.problem("ends", "ends[0] must be PLAYING, the reasons follow")
        if not self.variant.shape.levels:
            self.problem("levels", "at least one observation level must be declared")
        if self.game.features is not None:
            self.features(np.asarray(self.game.features(self.variant)))

    def features(self, table: Any) -> None:
        """A row of finite numbers an action, and no two rows alike: a learner that scores rows could not tell them apart."""
        actions = self.variant.shape.actions
        if table.ndim != 2 or len(table) != actions or table.dtype != np.float32:
            self.problem("features", f"features has shape {table.shape} of {table.dtype}; {actions} rows of float32 are needed")
        elif not np.isfinite(table).all():
            self.problem("features", f"the features of action {int((~np.isfinite(table)).any(axis=1).argmax())} are not finite")
        elif len({row.tobytes() for row in table}) < actions:
            self.problem("features", "two actions have the same features")

    def names(self) -> None:
        """Every action has a name of its own that reads back."""
        seen: dict[str, int] = {}
        for action in islice(range(self.variant.shape.actions), MOST_NAMES):
            name = self.variant.format_action(action)
            if name in seen:
                self.problem("names", f"actions {seen[name]} and {action} are both called '{name}'")
                return
            seen[name] = action
            if self.variant.parse_action(name) != action:
                self.problem("names", f"'{name}' is action {action} but reads back as {self.variant.parse_action(name)}")
                return

    def one_game(self, seed: int) -> None:
        state = self.dealt(seed)
        self.luck = seed  # of the redeals: another one for each game, or short games would all be redealt alike
        self.secrets.begin(seed)
        while not state.over:
            self.report.positions += 1
            legal = self.legal(state)
            if self.game.keep is not None:
                self.kept(state, legal)
            self.observations(state)
            if self.variant.shape.hidden:
                self.redeals(state)
                self.reshuffles.position(state, child(self.luck, 500 + state.ply))
            self.shown(state)
            action = legal[draw(self.stream, len(legal))]
            self.secrets.before(state, action, legal)
            self.apply(state, action)
            self.secrets.after(state)
            if state.ply > self.variant.shape.max_plies:
                self.problem("length", f"a game is longer than the declared {self.variant.shape.max_plies} plies")
                return
        self.ended(state)
        self.report.games += 1

    def dealt(self, seed: int) -> State:
        """Dealing sets every field, whatever the room held before, and the seed decides all."""
        state = State(self.variant, self.variant.empty())
        other = State(self.variant, self.variant.empty())
        other.array.view(np.uint8)[:] = 0x55
        for each in (state, other):
            self.game.deal(each.data, self.variant.config, np.uint64(seed))
        if different := differing(state, other):
            self.problem("deal", f"deal leaves {different} as it was, or draws luck from somewhere but the seed")
        self.in_bounds(state)
        if state.over:
            self.problem("deal", f"a freshly dealt game is over ({state.end.reason})")
        return state

    def in_bounds(self, state: State) -> None:
        """Numbers of the header that everything else counts on."""
        shape = self.variant.shape
        if not 0 <= int(state.data.end) < len(self.game.ends):
            self.stop("ends", f"end is {int(state.data.end)}, but {len(self.game.ends)} are declared")
        if not 0 <= state.seat < shape.seats:
            self.stop("seat", f"seat {state.seat} is to move in a game of {shape.seats}")

    def legal(self, state: State) -> list[int]:
        before = state.copy()
        actions = self.listed(state)
        if different := differing(state, before):
            self.problem("legal", f"legal changes the state ({different})")
        if len(set(actions)) < len(actions):
            self.problem("legal", f"an action is listed twice in {state!r}")
        return actions

    def listed(self, state: State) -> list[int]:
        """The legal actions, in a room with space behind it: a kernel that lists too many writes into that, and is found out."""
        shape = self.variant.shape
        room = np.full(2 * max(shape.actions, shape.room) + MANY, UNTOUCHED, np.int32)
        n = int(self.game.legal(state.data, room[: shape.room]))
        if not 0 < n <= shape.max_legal:
            self.stop("legal", f"{n} legal actions in {state!r}; there must be 1 to max_legal = {shape.max_legal}")
        if (room[shape.room :] != UNTOUCHED).any():
            self.stop("legal", f"legal writes beyond max_legal + 1 = {shape.room} places in {state!r}")
        actions = [int(a) for a in room[:n]]
        if min(actions) < 0 or max(actions) >= shape.actions:
            self.stop("legal", f"an id outside 0 to {shape.actions - 1} is listed in {state!r}")
        return actions

    def kept(self, state: State, legal: list[int]) -> None:
        """The game's filter leaves something to do, and nothing that is not legal: searches play what it leaves unseen."""
        assert self.game.keep is not None
        before, shape = state.copy(), self.variant.shape
        room = np.full(shape.room + GUARD, UNTOUCHED, np.int32)
        room[: len(legal)] = legal
        n = int(self.game.keep(state.data, room[: shape.room], len(legal)))
        if (room[shape.room :] != UNTOUCHED).any():
            self.stop("keep", f"keep writes beyond max_legal + 1 = {shape.room} places in {state!r}")
        if not 0 < n <= len(legal):
            self.problem("keep", f"keep leaves {n} of {len(legal)} legal actions in {state!r}; it must leave at least one")
        elif len(set(room[:n].tolist()) & set(legal)) < n:
            self.problem("keep", f"keep returns an action twice, or one that is not legal, in {state!r}")
        if different := differing(state, before):
            self.problem("keep", f"keep changes the state ({different})")

    def observations(self, state: State) -> None:
        for number, level in enumerate(self.variant.shape.levels):
            low, high = level.bounds()
            for seat in range(self.variant.shape.seats):
                seen = self.observed(state, seat, number)
                if np.isnan(seen).any():
                    self.problem("observe", f"level {level.name} leaves number {int(np.isnan(seen).argmax())} unwritten")
                elif ((seen < low) | (seen > high)).any():
                    at = int(((seen < low) | (seen > high)).argmax())
                    bounds = f"{low[at]:g} to {high[at]:g}"
                    self.problem("observe", f"level {level.name}: number {at} is {seen[at]:g}, declared {bounds}")

    def observed(self, state: State, seat: int, level: int) -> Any:
        before = state.copy()
        size = self.variant.shape.levels[level].size
        room = np.full(size + GUARD, np.nan, np.float32)
        self.game.observe(state.data, seat, level, room[:size])
        if not np.isnan(room[size:]).all():
            self.stop("observe", f"level {self.variant.shape.levels[level].name} writes beyond its {size} numbers")
        out = room[:size]
        if different := differing(state, before):
            self.problem("observe", f"observe changes the state ({different})")
        return out

    def redeals(self, state: State) -> None:
        """A redeal changes what is hidden from the seat and nothing else, and keeps no trace of what was there."""
        self.hidden.true_state(state)
        for seat in range(self.variant.shape.seats):
            first, second = (child(self.luck, 1000 + 2 * state.ply + k) for k in (0, 1))
            once = state.redealt(seat, first)
            twice = once.redealt(seat, second)
            direct = state.redealt(seat, second)
            self.in_bounds(once)
            self.hidden.redealt(seat, state, once, direct)
            self.redeal_changed |= bool(differing(state, once))
            if different := differing(twice, direct):
                self.problem(
                    "redeal forgets",
                    f"redealing a redealt state gives other {different} than redealing the true one: "
                    "something hidden is kept, or is only permuted by the seed and so can be permuted back",
                )
            self.same_to(seat, state, once)

    def same_to(self, seat: int, state: State, once: State) -> None:
        for number, level in enumerate(self.variant.shape.levels):
            if level.clairvoyant:
                continue
            if not np.array_equal(self.observed(state, seat, number), self.observed(once, seat, number)):
                self.problem("leak", f"level {level.name} shows seat {seat} what a redeal changes: it leaks, or redeal is wrong")
        if self.game.view(state.data, seat) != self.game.view(once.data, seat):
            self.problem("leak", f"the view shows seat {seat} what a redeal changes")
        legal = self.listed(once)
        if state.seat == seat and self.listed(state) != legal:
            self.problem("leak", f"the legal actions of seat {seat} depend on what it cannot know")
        for name in ("ply", "turn", "seat", "end"):
            if state.data[name] != once.data[name]:
                self.problem("redeal", f"redeal changes the public field {name}")
        self.audited(once, "after a redeal")

    def shown(self, state: State) -> None:
        for seat in range(self.variant.shape.seats):
            try:
                json.dumps(state.view(seat))
            except TypeError as error:
                self.problem("view", f"the view is not plain data: {error}")
            if not isinstance(state.board(seat), str):
                self.problem("board", "board must return text")

    def apply(self, state: State, action: int) -> None:
        twin = state.copy()
        turn, ply = state.turn, state.ply
        state.play(action)
        twin.play(action)
        if different := differing(state, twin):
            self.problem("apply", f"the same action in the same state gives different {different}: luck from outside")
        if state.ply != ply + 1:
            self.problem("apply", "apply changes ply, which the core counts")
        if not turn <= state.turn <= turn + 1:
            self.problem("apply", f"turn goes from {turn} to {state.turn} in one action")
        self.in_bounds(state)
        self.audited(state, f"after '{self.variant.format_action(action)}'")

    def audited(self, state: State, when: str) -> None:
        if self.game.audit is not None and (broken := int(self.game.audit(state.data))):
            self.problem("invariant", f"'{self.game.invariants[broken - 1]}' does not hold {when} in {state!r}")

    def ended(self, state: State) -> None:
        shares = self.measured(state, self.game.outcome, "outcome")
        if not all(0 <= share <= 1 for share in shares):
            self.problem("outcome", f"shares of the win are {shares}; each must be from 0 to 1")
        if self.variant.shape.winnable and len(shares) > 1 and abs(sum(shares) - 1) > 1e-9:
            self.problem("outcome", f"shares of the win are {shares}; they must sum to 1")
        scores = self.measured(state, self.game.scores, "scores")
        if not np.isfinite(scores).all():
            self.problem("scores", f"scores are {scores}")

    def measured(self, state: State, measure: Measure, name: str) -> list[float]:
        """A number for each seat, and nothing behind them."""
        seats = self.variant.shape.seats
        room = np.full(seats + GUARD, np.nan)
        room[:seats] = 0.0
        measure(state.data, room[:seats])
        if not np.isnan(room[seats:]).all():
            self.stop(name, f"{name} writes more numbers than there are seats ({seats})")
        return [float(x) for x in room[:seats]]


def differing(a: State, b: State) -> str:
    """Names of the fields in which two states differ, byte by byte."""
    return ", ".join(name for name in (a.array.dtype.names or ()) if a.array[name].tobytes() != b.array[name].tobytes())

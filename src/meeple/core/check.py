"""The public contract checker: plays a game at random and looks at everything the contract promises.

Each rule is one small method; a message names the likely cause. Works on any Game, discovered or not.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np

from meeple.core.errors import MeepleError
from meeple.core.faults import told
from meeple.core.game import HEADER, PLAYING, Game, Variant
from meeple.core.rng import child, draw, stream
from meeple.core.state import State

MOST_NAMES = 50_000  # actions whose names are tried


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
    problems: list[Problem] = field(default_factory=list)


def specimens(game: Game) -> Iterator[Variant]:
    """Every variant, and every value of every option once."""
    for name in game.variants.values:
        yield game.variant(name)
        for option in game.options:
            for value in list(option.values)[1:]:
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

    def problem(self, rule: str, message: str) -> None:
        if not any(p.rule == rule and p.variant == self.variant.spec for p in self.report.problems):
            self.report.problems.append(Problem(rule, self.variant.spec, message))

    def check(self, games: int) -> None:
        self.declarations()
        self.names()
        for number in range(games):
            self.one_game(child(self.seed, number))
        if self.variant.shape.hidden and self.report.positions and not self.redeal_changed:
            self.problem("redeal varies", "no redeal changed anything; set hidden=False in its shape if there are no secrets")

    def declarations(self) -> None:
        header = [name for name, *_ in HEADER]
        if list(self.game.dtype.names or ())[: len(header)] != header:
            self.problem("header", "the state must begin with HEADER; make its dtype with state_dtype([...])")
        if self.game.ends[0] != PLAYING:
            self.problem("ends", "ends[0] must be PLAYING, the reasons follow")
        if not self.variant.shape.levels:
            self.problem("levels", "at least one observation level must be declared")

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
        while not state.over:
            self.report.positions += 1
            legal = self.legal(state)
            if not legal:
                return
            self.observations(state)
            if self.variant.shape.hidden:
                self.redeals(state)
            self.shown(state)
            action = legal[draw(self.stream, len(legal))]
            self.apply(state, action)
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
        if state.over:
            self.problem("deal", f"a freshly dealt game is over ({state.end.reason})")
        return state

    def legal(self, state: State) -> list[int]:
        shape = self.variant.shape
        if not 0 <= state.seat < shape.seats:
            self.problem("seat", f"seat {state.seat} is to move in a game of {shape.seats}")
            return []
        before = state.copy()
        out = np.full(shape.room, -7, np.int32)
        n = int(self.game.legal(state.data, out))
        if different := differing(state, before):
            self.problem("legal", f"legal changes the state ({different})")
        if not 0 < n <= shape.max_legal:
            self.problem("legal", f"{n} legal actions in {state!r}; there must be 1 to max_legal = {shape.max_legal}")
            return []
        actions = [int(a) for a in out[:n]]
        if len(set(actions)) < n:
            self.problem("legal", f"an action is listed twice in {state!r}")
        if min(actions) < 0 or max(actions) >= shape.actions:
            self.problem("legal", f"an id outside 0 to {shape.actions - 1} is listed in {state!r}")
            return []
        return actions

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
        out = np.full(self.variant.shape.levels[level].size, np.nan, np.float32)
        self.game.observe(state.data, seat, level, out)
        if different := differing(state, before):
            self.problem("observe", f"observe changes the state ({different})")
        return out

    def redeals(self, state: State) -> None:
        """A redeal changes what is hidden from the seat and nothing else, and keeps no trace of what was there."""
        for seat in range(self.variant.shape.seats):
            first, second = (child(self.seed, 1000 + 2 * state.ply + k) for k in (0, 1))
            once = state.redealt(seat, first)
            twice = once.redealt(seat, second)
            direct = state.redealt(seat, second)
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
        if state.seat == seat and state.legal() != once.legal():
            self.problem("leak", f"the legal actions of seat {seat} depend on what it cannot know")
        if not once.legal():
            self.problem("redeal", f"a redeal for seat {seat} leaves seat {state.seat} without a legal action")
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
        if not 0 <= int(state.data.end) < len(self.game.ends):
            self.problem("ends", f"end is {int(state.data.end)}, but {len(self.game.ends)} are declared")
            state.data.end = len(self.game.ends) - 1
        self.audited(state, f"after '{self.variant.format_action(action)}'")

    def audited(self, state: State, when: str) -> None:
        if self.game.audit is not None and (broken := int(self.game.audit(state.data))):
            self.problem("invariant", f"'{self.game.invariants[broken - 1]}' does not hold {when} in {state!r}")

    def ended(self, state: State) -> None:
        shares = state.outcome()
        if not all(0 <= share <= 1 for share in shares):
            self.problem("outcome", f"shares of the win are {shares}; each must be from 0 to 1")
        if self.variant.shape.winnable and len(shares) > 1 and abs(sum(shares) - 1) > 1e-9:
            self.problem("outcome", f"shares of the win are {shares}; they must sum to 1")
        if not np.isfinite(state.scores()).all():
            self.problem("scores", f"scores are {state.scores()}")


def differing(a: State, b: State) -> str:
    """Names of the fields in which two states differ, byte by byte."""
    return ", ".join(name for name in (a.array.dtype.names or ()) if a.array[name].tobytes() != b.array[name].tobytes())

"""The shell around the kernels of rollout/batch.py: allocates, checks, steps, and asks the opponents that are not compiled."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.core.agent import ask, begin, is_kernel_agent
from meeple.core.errors import IllegalMove, MeepleError, UnknownName, listing
from meeple.core.game import Reward, Variant
from meeple.core.kernel import resolved
from meeple.core.rng import child
from meeple.core.state import State
from meeple.rollout.batch import (
    ALTERNATE,
    DEAL,
    EVERY_PHASE,
    EVERY_SEAT,
    MOST_DEALS,
    NEVER,
    PLAN,
    WAIT,
    Arrays,
    Nobody,
    advance,
    find_waiting,
    layout,
    make_arrays,
    write_masks,
)
from meeple.rollout.rewards import find_reward, weights

NEVER_DEALT = -1
ORDERS = np.iinfo(np.int32)  # what an order may be: kernels count in 32 bits
Maker = Callable[[Variant], Any]  # makes an agent for a table


class Batch:
    """Games side by side. `opponents` play every seat but the learner's: one for all of them, or one each in turn order. Where the
    learner decides only some `phases`, a `helper` decides its others; None: the first opponent does. `clairvoyant`: whose kind says
    that it sees what is hidden, the opponents and then the helper; none named: nobody's."""

    def __init__(
        self,
        variant: Variant,
        games: int,
        seed: int = 0,
        level: str = "",
        *,
        reward: str | Mapping[str, float] | Reward = "",
        seat: int = EVERY_SEAT,
        opponents: Sequence[Maker] = (),
        phases: Sequence[str] = (),
        helper: Maker | None = None,
        clairvoyant: Sequence[bool] = (),
        again: bool = True,
        lenient: bool = False,
        arrays: Arrays | None = None,
    ) -> None:
        if games < 1:
            raise MeepleError(f"A batch needs at least 1 game, not {games}.")
        _check_seats(variant, seat, opponents)
        number = variant.level(level)
        self.variant = variant
        if arrays is not None:
            _check_arrays(arrays._asdict(), variant, games, number)
        self.arrays = make_arrays(variant, games, number) if arrays is None else arrays
        decided = _phases(variant, phases)
        agents = [make(variant) for make in ((*opponents, helper) if helper else opponents)]
        # Agents from outside the package may be wrong, and only those asked outside have their answers checked.
        inside = not agents or (
            len(agents) == 1 and is_kernel_agent(agents[0]) and type(agents[0]).__module__.startswith("meeple.")
        )
        self.agent = agents[0] if agents and inside else Nobody()
        self.outside = None if inside else Outside(variant, games, opponents, helper, clairvoyant)
        self.plan = np.zeros(1, PLAN)
        plan = self.plan[0]
        plan.seed, plan.level, plan.seats, plan.seat, plan.places = seed, number, variant.shape.seats, seat, games
        plan.phases = decided
        plan.again, plan.lenient, plan.inside = again, lenient, inside
        plan.weights[:] = weights(find_reward(variant, reward))
        for i, end in enumerate(variant.game.ends):
            plan.cut_off[i] = end.truncated
        self.orders = np.zeros(games, np.int32)
        self.advance = resolved(advance, self.arrays, self.orders, self.plan, self.agent)

    def __getstate__(self) -> dict[str, Any]:
        """For copies: everything but the compiled step, which is looked up again."""
        return {name: value for name, value in self.__dict__.items() if name != "advance"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.advance = resolved(advance, self.arrays, self.orders, self.plan, self.agent)

    # What a learner reads; views, so take them once.

    @property
    def observations(self) -> NDArray[np.float32]:
        """(games, numbers) as the seat to move sees them."""
        return self.arrays.observations

    @property
    def legal(self) -> NDArray[np.int32]:
        """(games, room): the first counts[i] of row i are the legal actions."""
        return self.arrays.legal

    @property
    def counts(self) -> NDArray[np.int32]:
        return self._of_desks("count")  # type: ignore[no-any-return]

    @property
    def seats(self) -> NDArray[np.int8]:
        """The seat to move in each game."""
        return self._of_desks("seat")  # type: ignore[no-any-return]

    @property
    def learners(self) -> NDArray[np.int8]:
        """Which seat is the learner's, or -1 where every seat is stepped."""
        return self._of_desks("learner")  # type: ignore[no-any-return]

    @property
    def reward(self) -> NDArray[np.float64]:
        """(games,) what the seat that acted in the last step was paid for it, up to its next decision."""
        return self._of_desks("reward")  # type: ignore[no-any-return]

    @property
    def rewards(self) -> NDArray[np.float64]:
        """(games, seats) of the last step; where there are opponents only the learner's column counts."""
        return self._of_desks("rewards")  # type: ignore[no-any-return]

    @property
    def ended(self) -> NDArray[np.int8]:
        """Why the last game of each place ended in the last step (an index of Game.ends, -1 after an illegal action), or 0."""
        return self._of_desks("ended")  # type: ignore[no-any-return]

    @property
    def scores(self) -> NDArray[np.float64]:
        """(games, seats) of the last game that ended."""
        return self._of_desks("scores")  # type: ignore[no-any-return]

    @property
    def final(self) -> NDArray[np.float32]:
        """(games, seats, numbers): what each seat saw last of the last game that ended. Where there are opponents only the row of
        its learner counts, the seat that made the last step."""
        return self.arrays.final

    @property
    def actors(self) -> NDArray[np.int8]:
        """Who made the last step."""
        return self._of_desks("actor")  # type: ignore[no-any-return]

    @property
    def outcomes(self) -> NDArray[np.float64]:
        """(games, seats): shares of the win of the last game that ended."""
        return self._of_desks("outcome")  # type: ignore[no-any-return]

    def _of_desks(self, name: str) -> Any:
        column = self.arrays.slots[name]
        return column if column.ndim == 1 else column[:, : self.variant.shape.seats]

    def reset(self, seed: int | None = None) -> None:
        """Deal a new game in every place; the same seed gives the same games."""
        if seed is not None:
            self.plan["seed"] = seed
        self.arrays.slots["dealt"] = 0
        self.arrays.slots["seed"] = [child(int(self.plan["seed"][0]), i) for i in range(self.orders.size)]
        self._deal()

    def deal(self, seed: int, first: bool = False) -> None:
        """Deal the only game of a batch of one from exactly this seed, as `meeple.new` does; `first` begins with seat 0 again."""
        self.arrays.slots["seed"] = seed
        if first:
            self.arrays.slots["dealt"] = 0
        self._deal()

    def step(self, actions: NDArray[np.integer[Any]]) -> None:
        """Make actions[i] in game i. If one of them is illegal and refused, no game changes."""
        self.orders[:] = _whole(actions, self.variant)
        if self.outside:
            self.outside.note(self)
        if waiting := self.advance(self.arrays, self.orders, self.plan, self.agent):
            self.settle(waiting)

    def write_into(self, **own: NDArray[Any]) -> None:
        """From the next step on write there: `write_into(observations=buffer[t])` fills a learner's buffer without copying."""
        _check_arrays(own, self.variant, self.orders.size, int(self.plan["level"][0]))
        self.arrays = self.arrays._replace(**own)

    def masks(self, out: NDArray[np.int8] | None = None) -> NDArray[np.int8]:
        """Dense masks, (games, actions): 1 where an action is legal."""
        if out is None:
            out = np.empty((self.orders.size, self.variant.shape.actions), np.int8)
        write_masks(self.arrays, out)
        return out

    def state(self, game: int) -> State:
        """The true state of a game: for checks and for boards, not for learners."""
        return State(self.variant, self.arrays.states[game : game + 1])

    def settle(self, waiting: int) -> None:
        """Finish what a step left open: ask opponents, or refuse an illegal action."""
        if waiting > 0 and self.outside is not None:
            waiting = self.outside.answer(self)
        if waiting < -self.orders.size:
            raise MeepleError(f"The learner's seat of {self.variant.spec} had no decision in a thousand games.")
        if waiting < 0:
            self._refuse(-1 - waiting, int(self.orders[-1 - waiting]))

    def _deal(self) -> None:
        if self.outside:
            self.outside.begin()
        self.orders[:] = DEAL
        if waiting := self.advance(self.arrays, self.orders, self.plan, self.agent):
            self.settle(waiting)

    def _refuse(self, game: int, action: int) -> None:
        if self.outside is not None:
            self.outside.forget()
        known = 0 <= action < self.variant.shape.actions
        text = f"'{self.variant.format_action(action)}' (action {action})" if known else f"Action {action}"
        state = self.state(game)
        names = listing(self.variant.format_action(a) for a in state.legal())
        where = f"in game {game}" if self.orders.size > 1 else f"at ply {state.ply}"
        if state.over:
            raise MeepleError(f"The game is over ({state.end.reason}): reset before the next step.")
        raise IllegalMove(f"{text} is not legal {where}; legal: {names}.", text, repr(state))


class Outside:
    """Opponents that are asked one by one: plain agents, and several different agents."""

    def __init__(
        self, variant: Variant, games: int, opponents: Sequence[Maker], helper: Maker | None, clairvoyant: Sequence[bool] = ()
    ) -> None:
        self.variant = variant
        self.makers = [helper or opponents[0], *opponents]
        sees = [*clairvoyant] or [False] * len(self.makers)
        self.clairvoyant = [sees[len(opponents)] if helper else sees[0], *sees[: len(opponents)]]
        self.agents: list[list[Any]] = [[] for _ in range(games)]
        self.dealt = np.full(games, NEVER_DEALT)
        self.waits = np.zeros(games, np.int64)
        self.plies = np.zeros((games, variant.shape.max_plies, 2), np.int32)  # (seat, action) of each game so far
        self.played = np.zeros(games, np.int64)  # how many of these

    def arrays(self) -> dict[str, NDArray[Any]]:
        """What opponents are told of games that go on. What they remember themselves nobody can keep."""
        return {"outside.dealt": self.dealt, "outside.plies": self.plies, "outside.played": self.played}

    def begin(self) -> None:
        """All games are dealt anew, even if each is the first of its place again."""
        self.dealt[:] = NEVER_DEALT

    def note(self, batch: Batch) -> None:
        """Remember what the learners are about to play."""
        for i, action in enumerate(batch.orders):
            self._new_game(batch.arrays.slots[i], i)
            self._played(i, int(batch.arrays.states[i].seat), int(action))

    def forget(self) -> None:
        """Drop what was noted last: the step was refused."""
        self.played -= 1

    def _played(self, game: int, seat: int, action: int) -> None:
        self.plies[game, self.played[game]] = seat, action
        self.played[game] += 1

    def _history(self, game: int) -> list[tuple[int, int]]:
        return [(seat, action) for seat, action in self.plies[game, : self.played[game]].tolist()]

    def answer(self, batch: Batch) -> int:
        """Ask opponents until every game waits for its learner."""
        slots = batch.arrays.slots
        first = slots["dealt"].copy()
        while (waiting := find_waiting(batch.arrays, batch.plan, self.waits)) > 0:
            batch.orders[:] = WAIT
            for i in map(int, self.waits[:waiting]):
                self._new_game(slots[i], i)
                state = batch.state(i)
                slots[i].stream[0] = child(int(slots[i].stream[0]), 0)
                who = self._who(state.seat - int(slots[i].learner))
                about = (self._history(i), self.clairvoyant[who], self._name(who))
                batch.orders[i] = ask(self.agents[i][who], state, int(slots[i].stream[0]), *about)
                self._played(i, state.seat, int(batch.orders[i]))
            batch.advance(batch.arrays, batch.orders, batch.plan, batch.agent)
            if (slots["dealt"] - first > MOST_DEALS).any():
                return NEVER
        return 0

    def _who(self, after: int) -> int:
        """Number of the opponent so many seats after the learner, from 1; 0 is the learner's helper."""
        return 1 + (after % self.variant.shape.seats - 1) % (len(self.makers) - 1) if after else 0

    def _name(self, who: int) -> str:
        """As whoever made it calls it."""
        return str(getattr(getattr(self.makers[who], "__self__", None), "spec", ""))

    def _new_game(self, slot: Any, game: int) -> None:
        """Agents may remember, so every game gets its own."""
        begins = self.dealt[game] != slot.dealt
        if begins:
            self.dealt[game], self.played[game] = slot.dealt, 0
        if begins or not self.agents[game]:  # none yet where a run goes on in another process
            self.agents[game] = [make(self.variant) for make in self.makers]
            seats = self.variant.shape.seats
            for after in range(seats):
                who = self._who(after)
                begin(self.agents[game][who], self.variant, (int(slot.learner) + after) % seats, self._name(who))


def no_action(variant: Variant, given: str) -> MeepleError:
    """What is told of something that is no action of any game. An action that is merely not legal here is another matter."""
    return MeepleError(f"An action is a whole number from 0 to {variant.shape.actions - 1}, not {given}.")


def _whole(actions: Any, variant: Variant) -> NDArray[np.integer[Any]]:
    """Actions that can be written as orders as they are: NumPy would cut off what stands behind the point, or above 32 bits."""
    given = np.asarray(actions)
    if given.dtype.kind not in "iu":
        raise no_action(variant, f"one of an array of {given.dtype}")
    if given.dtype != np.int32 and given.size and not ORDERS.min <= (least := given.min()) <= (most := given.max()) <= ORDERS.max:
        raise no_action(variant, str(least if least < ORDERS.min else most))
    return given


def _phases(variant: Variant, names: Sequence[str]) -> int:
    """As bits of a number."""
    if not names:
        return EVERY_PHASE
    known = variant.game.phases
    if not known:
        raise MeepleError(f"{variant.game.name} has no phases to choose from.")
    for name in names:
        if name not in known:
            raise UnknownName(f"phase of {variant.game.name}", name, known)
    return sum(1 << known.index(name) for name in set(names))


def _check_seats(variant: Variant, seat: int, opponents: Sequence[Maker]) -> None:
    seats = variant.shape.seats
    if seat >= seats or seat < ALTERNATE:
        raise MeepleError(f"{variant.spec} has the seats 0 to {seats - 1}, so the learner cannot have seat {seat}.")
    if seat == EVERY_SEAT and opponents:
        raise MeepleError("Where every seat is stepped there is no place for an opponent.")
    if seat != EVERY_SEAT and len(opponents) not in {1, seats - 1} and seats > 1:
        raise MeepleError(f"{variant.spec} needs one opponent for all other seats or {seats - 1}, not {len(opponents)}.")


def _check_arrays(own: Mapping[str, NDArray[Any]], variant: Variant, games: int, level: int) -> None:
    """The caller's own arrays must have the shapes and types of make_arrays."""
    wanted = layout(variant, games, level)
    for name, given in own.items():
        if name == "config":
            continue
        if name not in wanted:
            raise UnknownName("array of a batch", name, wanted)
        shape, dtype = wanted[name]
        if given.shape != shape or given.dtype != dtype:
            raise MeepleError(f"The array {name} must be {dtype} of shape {shape}, not {given.dtype} of shape {given.shape}.")
        if not given.flags.c_contiguous or not given.flags.writeable or not given.flags.aligned:
            raise MeepleError(f"The array {name} must lie in one piece (C order), aligned, and be writeable.")

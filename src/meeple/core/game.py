"""The contract: what a game declares, once, so that everything else can use it without knowing it.

A game is a folder whose `GAME` is an instance of `Game`. Its state is one NumPy record that begins with HEADER; its rules are
kernels on that record. docs/add_a_game.md builds one from nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.core.errors import BrokenGame, UnknownName, UnreadableMove, suggestion

MAX_SEATS = 6
HIDDEN = -1  # stands in a history for an action that the seat may not know
SECRET_MOVE = "a secret move"  # and this for its text
# Who may not know a field of the state, in Game.hidden.
NOBODY_KNOWS, OTHERS, OWNER = "all", "others", "own"  # no seat; all but the seat whose row it is; the seat whose row it is

# What every state begins with. `ply` is counted by the core, the rest is the game's to keep true.
HEADER: list[tuple[Any, ...]] = [
    ("luck", "u8", (1,)),  # the state's own random stream: hidden, redealt like a deck
    ("ply", "i4"),  # actions applied so far
    ("turn", "i4"),  # turns completed so far: one turn may take several plies
    ("seat", "i1"),  # the seat that decides now
    ("end", "i1"),  # 0 while playing, else an index into Game.ends
]


def state_dtype(fields: list[tuple[Any, ...]]) -> np.dtype[Any]:
    """The dtype of a game's state. np.record, so that `s.market` reads the same with and without the compiler."""
    return np.dtype((np.record, HEADER + fields))


@dataclass(frozen=True)
class End:
    """Why a game stopped. A truncated game was cut off and has no winner."""

    reason: str
    truncated: bool = False


PLAYING = End("still playing")


@dataclass(frozen=True)
class Field:
    """A run of numbers in an observation, with the bounds each of them keeps."""

    name: str
    size: int
    low: float
    high: float
    meaning: str


@dataclass(frozen=True)
class Level:
    """One way to observe: how much a seat is told. A clairvoyant level tells more than the seat may know."""

    name: str
    fields: tuple[Field, ...]
    meaning: str = ""
    clairvoyant: bool = False

    @property
    def size(self) -> int:
        return sum(f.size for f in self.fields)

    def bounds(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Lowest and highest value of each number."""
        low = [f.low for f in self.fields for _ in range(f.size)]
        high = [f.high for f in self.fields for _ in range(f.size)]
        return np.array(low, np.float32), np.array(high, np.float32)


@dataclass(frozen=True)
class Choice:
    """Something to choose before a game: the variant itself, or an option. The first value is the default."""

    name: str
    values: Mapping[str, str]  # value -> its meaning in a few words
    everywhere: bool = True  # of an option: is each value checked with every variant? Else with one of them each.

    @property
    def default(self) -> str:
        return next(iter(self.values))

    def index(self, value: str) -> int:
        return list(self.values).index(value)


@dataclass(frozen=True)
class Shape:
    """The sizes of one variant with its options chosen."""

    seats: int
    actions: int
    max_legal: int  # most legal actions in any position
    max_plies: int  # no game is longer
    levels: tuple[Level, ...]  # ways to observe; the first is the default
    hidden: bool = True  # is anything hidden from a seat, even if only the luck to come?
    winnable: bool = True  # False where only points count (a solitaire without victory)

    @property
    def room(self) -> int:
        """Length of a list of legal actions: one more than there can be, so that a kernel may write before it counts."""
        return self.max_legal + 1


@dataclass(frozen=True)
class Reward:
    """The reward of a learner's seat: a weighted sum of signals. What a seat does not know yet is paid at the end."""

    meaning: str = ""
    win: float = 0.0  # at the end: 1 for a win, -1 for a defeat (of several losers together), 0 for a draw or a game cut off
    share: float = 0.0  # at the end: the share of the win, from 0 to 1
    difference: float = 0.0  # at the end: own points less the best of the others'
    points: float = 0.0  # at once: the change of own points
    earned: float = 0.0  # at once: what the game itself counts for an action (Game.earned)


@dataclass(frozen=True, eq=False)
class Items:
    """Several things in an observation that are told by the same numbers, such as the cards on a table, and the actions that are
    about one of them. A network then learns once what a card is worth, not once for every place it may lie at."""

    numbers: NDArray[np.int32]  # (items, numbers) where each stands in the observation; NO_ITEM: not told, read as 0
    sorts: NDArray[np.int32]  # (items,) items of one sort are interchangeable
    item: NDArray[np.int32]  # (actions,) which one an action is about, or NO_ITEM
    use: NDArray[np.int32]  # (actions,) what it does with it: buys, reserves, ...


NO_ITEM = -1

# Kernels: (record, ...) -> number or None. They are called millions of times a second, so nothing is checked inside.
Deal = Callable[[Any, Any, Any], None]
Legal = Callable[[Any, Any], int]
Apply = Callable[[Any, int], None]
Observe = Callable[[Any, int, int, Any], None]
Redeal = Callable[[Any, int, Any], None]
Reshuffle = Callable[[Any, Any], None]
Measure = Callable[[Any, Any], None]
Number = Callable[[Any], int]
Kind = Callable[[Any, int], int]
Keep = Callable[[Any, Any, int], int]
Secret = Callable[[Any, int, int, int, int], bool]
Earned = Callable[[Any, int], float]
Symmetry = Callable[["Variant", str, np.random.Generator], tuple[NDArray[np.int64], NDArray[np.int32]]]


@dataclass(frozen=True, eq=False)
class Game:
    """Everything the platform knows of a game."""

    name: str
    title: str
    version: int  # of the rules: a record says which it was played under
    dtype: np.dtype[Any]
    variants: Choice
    ends: tuple[End, ...]  # ends[0] is PLAYING

    # Kernels
    deal: Deal  # deal(s, config, seed): set every field; config = indices of the choices, variant first
    legal: Legal  # legal(s, out) -> n: the ids of the legal actions, each once; out has Shape.room places
    apply: Apply  # apply(s, action)
    observe: Observe  # observe(s, seat, level, out)
    redeal: Redeal  # redeal(s, seat, seed): deal again, consistently, all that the seat cannot know
    outcome: Measure  # outcome(s, out): each seat's share of the win, when over (draw of two: 0.5 each)
    scores: Measure  # scores(s, out): points of each seat now

    # Shell
    shape: Callable[[Mapping[str, str]], Shape]
    format_action: Callable[[Variant, int], str]
    view: Callable[[Any, int], dict[str, Any]]  # what a seat may know, as plain data
    board: Callable[[dict[str, Any]], str]  # a view as text for a terminal

    # Where the defaults do
    compact: Callable[[dict[str, Any]], str] | None = None  # a view in few lines, for a screen of 24 and 80 columns
    legend: tuple[str, ...] = ()  # what letters and signs of the board mean: the first line is shown as a game begins
    styles: Mapping[str, str] = field(default_factory=dict)  # pattern -> how a terminal shows it (rich); the text stays as it is
    usual: tuple[str, ...] = ()  # moves that Enter plays where they are legal: the plain way to end a decision
    options: tuple[Choice, ...] = ()
    parse_action: Callable[[Variant, str], int] | None = None  # None: exactly the formatted names
    audit: Number | None = None  # audit(s) -> 0, or the number of the invariant (from 1) that is broken
    invariants: tuple[str, ...] = ()
    hidden: Mapping[str, str] = field(default_factory=dict)  # field of the state -> who may not know it: all, others, own
    # Fields of the state that say which variant and options are played. Nobody may set them in a position: `shape` goes by them.
    fixed: tuple[str, ...] = ()
    secret: Secret | None = None  # secret(s, seat, ply, mover, action): may seat, at s, not know what mover did at ply? None: never
    kinds: tuple[str, ...] = ()  # what sorts of action there are, if the game says so
    kind: Kind | None = None  # kind(s, action) -> number of its kind
    phases: tuple[str, ...] = ()  # what sorts of decision a turn has, if the game says so
    phase: Number | None = None  # phase(s) -> number of the phase that the next action decides
    # meaning(s, action): what an action is about where its id does not say it, such as the card that lies in the slot it names. A
    # search then keeps apart what an action means in one determinization and in another.
    meaning: Kind | None = None
    # Variants that are won part by part, each part a game of its own, such as a match by its rounds: variant -> the variant that a
    # part is; and part(s): make the part that is being played such a game.
    parts: Mapping[str, str] = field(default_factory=dict)
    part: Callable[[Any], None] | None = None
    # reshuffle(s, seed): deal again what no seat knows: the order of decks, dice to come. Every seat keeps its secrets. Only where
    # seats have secrets of their own: elsewhere a redeal for any seat does just that.
    reshuffle: Reshuffle | None = None
    keep: Keep | None = None  # keep(s, out, n) -> n: the legal actions worth a look; a search or learner may ask for it
    guide: Callable[[Variant], Any] | None = None  # priors and values for a search: a guide of core/guide.py
    guides: Mapping[str, Callable[[Variant], Any]] = field(default_factory=dict)  # earlier ones by name, to be met again
    search: Mapping[str, Any] = field(default_factory=dict)  # the best parameters of `mcts`, where not its defaults
    facts: Mapping[str, str] = field(
        default_factory=dict
    )  # what else to report of each seat at the end: name -> field of the state
    noted: Callable[[Any, int], Mapping[str, float]] | None = None  # noted(s, action): what of it to count: name -> number
    rewards: Mapping[str, Reward] = field(default_factory=dict)  # the game's own rewards, besides rollout/rewards.py
    earned: Earned | None = None  # earned(s, action): the signal `earned` of a reward, for an action about to be made
    features: Callable[[Variant], NDArray[np.float32]] | None = None  # actions x numbers: what each takes, gives, pays; its kind
    items: Callable[[Variant, str], Items | None] | None = None  # items(variant, level): things that an observation tells alike
    # A random symmetry of the game: symmetry(variant, level, rng) -> where each number of an observation is found in the mirrored
    # position, and what each action is there. mirrored_observation = observation[numbers], mirrored_action = actions[action].
    symmetry: Symmetry | None = None
    bench: str = ""  # the variant `meeple bench` measures; default: the first
    bench_also: tuple[str, ...] = ()  # further variants whose playouts it measures

    @property
    def has_reshuffle(self) -> bool:
        """Can the luck to come be dealt again, with every seat's secrets as they are?"""
        return self.reshuffle is not None or all(who == NOBODY_KNOWS for who in self.hidden.values())

    @property
    def choices(self) -> tuple[Choice, ...]:
        return (self.variants, *self.options)

    def variant(self, name: str = "", **options: str) -> Variant:
        """The variant with its options filled in; unknown names are refused."""
        chosen = {"variant": name, **options}
        known = {c.name: c for c in self.choices}
        for key in options:
            if key not in known:
                raise UnknownName(f"option of {self.name}", key, tuple(known)[1:])
        filled = {}
        for key, choice in known.items():
            value = chosen.get(key) or choice.default
            if value not in choice.values:
                what = f"variant of {self.name}" if key == "variant" else f"value of {self.name}'s option {key}"
                raise UnknownName(what, value, choice.values)
            filled[key] = value
        return Variant(self, filled)


@dataclass(frozen=True)
class Variant:
    """A game with every choice made: what is dealt, played, recorded and measured."""

    game: Game
    chosen: Mapping[str, str]
    shape: Shape = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "shape", self.game.shape(self.chosen))
        if not 1 <= self.shape.seats <= MAX_SEATS:
            raise BrokenGame(f"{self.game.name} declares {self.shape.seats} seats; 1 to {MAX_SEATS} are possible.")

    @property
    def name(self) -> str:
        return self.chosen["variant"]

    @cached_property
    def spec(self) -> str:
        """The shortest text that names it: `jaipur:round,actions=25469`."""
        extra = [f"{c.name}={self.chosen[c.name]}" for c in self.game.options if self.chosen[c.name] != c.default]
        return ",".join([f"{self.game.name}:{self.name}", *extra])

    @cached_property
    def config(self) -> NDArray[np.int64]:
        """The choices as numbers, for `deal`."""
        return np.array([c.index(self.chosen[c.name]) for c in self.game.choices], np.int64)

    @cached_property
    def part(self) -> Variant | None:
        """The variant that a part of it is, with the same options, where it is won part by part."""
        name = self.game.parts.get(self.name)
        return self.game.variant(name, **{key: value for key, value in self.chosen.items() if key != "variant"}) if name else None

    def level(self, name: str = "") -> int:
        """Number of an observation level by name; the first by default."""
        names = [level.name for level in self.shape.levels]
        if name and name not in names:
            raise UnknownName(f"observation level of {self.spec}", name, names)
        return names.index(name) if name else 0

    def __deepcopy__(self, memo: dict[int, Any]) -> Variant:
        """Nothing in it ever changes; a copy would copy every table of the game."""
        return self

    def format_action(self, action: int) -> str:
        return SECRET_MOVE if action == HIDDEN else self.game.format_action(self, action)

    def parse_action(self, text: str) -> int:
        """The id of a move's text; UnreadableMove where there is none."""
        if self.game.parse_action is not None:
            return self.game.parse_action(self, text)
        if (action := self._by_name.get(" ".join(text.lower().split()))) is None:
            raise UnreadableMove(f"'{text}' is no move of {self.spec}{suggestion(text, tuple(self._by_name))}.", text)
        return action

    @cached_property
    def _by_name(self) -> dict[str, int]:
        return {self.format_action(a).lower(): a for a in range(self.shape.actions)}

    def empty(self, n: int = 1) -> NDArray[Any]:
        """Room for n states."""
        return np.zeros(n, self.game.dtype)

"""A game between a person and agents, without a word printed: what was played, by whom, and the file that has it after every move.

A position is never stored: it follows from the seed and the moves. Undo and resume play the moves again, and an agent's luck
follows from the seed and the ply, so a resumed game goes on exactly as it would have.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, NamedTuple

from meeple.agents.analyze import analyze, reads_as_tree
from meeple.agents.registry import AgentSpec, find_agent
from meeple.core.agent import ask
from meeple.core.agent import begin as tell_begin
from meeple.core.errors import MeepleError, RecordError, UnknownName
from meeple.core.game import HIDDEN, Variant
from meeple.core.record import Record, read_record, write_atomically
from meeple.core.registry import find_variant
from meeple.core.rng import HINT, PERSONS_OPPONENT, child, sealed
from meeple.core.state import new
from meeple.play.hint import Hint
from meeple.play.saves import RESIGNED

PERSON = "person"  # how a record's list of players calls the person
DEFAULT_OPPONENT = os.environ.get("MEEPLE_OPPONENT", "champion")
DEFAULT_ADVISER = "mcts:ms=500"


class CannotSave(MeepleError):
    """The disk is full, or the folder is gone."""


class Played(NamedTuple):
    """A move that was made."""

    number: int  # from 1
    seat: int
    move: str


class Session:
    """One game in progress; the person has one seat, agents have the others."""

    def __init__(self, record: Record, path: Path) -> None:
        self.path = path
        self.seed = record.seed
        self.names = record.players
        self.variant = find_variant(record.spec)
        self.seat = self.names.index(PERSON)
        self.opponents = {seat: find_agent(name, self.variant.game) for seat, name in enumerate(self.names) if name != PERSON}
        self.resigned = False
        self._replay(record.moves)

    def _replay(self, moves: list[str]) -> None:
        self.state = new(self.variant, self.seed)
        self.history: list[Played] = []
        # Made anew: an agent that remembers must not remember what was taken back.
        self._plies: list[tuple[int, int]] = []  # (seat, action) of each
        self._kept: set[int] = set()  # numbers of the moves that were secret to the person when it last moved
        self._agents: dict[int, Any] = {seat: player.make(self.variant) for seat, player in self.opponents.items()}
        for seat, agent in self._agents.items():
            tell_begin(agent, self.variant, seat, self.opponents[seat].spec)
        for move in moves:
            self._make(move)

    def _make(self, move: str | int) -> None:
        seat = self.state.seat
        known = self.state.told(self.seat, self._plies)
        action = self.state.play(move)
        if seat == self.seat:
            self._kept = {number for number, (_, hidden) in enumerate(known, 1) if hidden == HIDDEN}
        self._plies.append((seat, action))
        self.history.append(Played(self.state.ply, seat, self.variant.format_action(action)))

    @property
    def running(self) -> bool:
        return not self.state.over and not self.resigned

    @property
    def persons_turn(self) -> bool:
        return self.running and self.state.seat == self.seat

    def name(self, seat: int) -> str:
        """`seat 1 (random)`, or `you`."""
        if seat == self.seat:
            return "you"
        label = ", clairvoyant" if self.opponents[seat].clairvoyant else ""
        return f"seat {seat} ({self.names[seat]}{label})"

    def news(self) -> list[Played]:
        """What the others did since the person's last move, as the person may know it; and what is no longer a secret."""
        last = self._persons_last()
        known = enumerate(self.state.told(self.seat, self._plies), 1)
        return [
            Played(number, seat, self.variant.format_action(action))
            for number, (seat, action) in known
            if number > last or (number in self._kept and action != HIDDEN)
        ]

    def play(self, move: str | int) -> None:
        """The person's move; nothing changes when it is refused."""
        self._make(move)
        self.save()

    def let_agent_move(self) -> None:
        """One move of the agent whose turn it is."""
        seat = self.state.seat
        opponent = self.opponents[seat]
        self._make(self._ask(opponent, self._agents[seat], PERSONS_OPPONENT, opponent.clairvoyant))
        self.save()

    def hint(self, adviser: AgentSpec) -> Hint:
        """What an agent would do in the person's place, knowing what the person may know."""
        agent = adviser.make(self.variant)
        if reads_as_tree(agent):
            found = analyze(agent, self.state, self._luck(HINT))
            return Hint(found.moves[0].move, found)
        return Hint(self.variant.format_action(self._ask(adviser, agent, HINT)), None)

    def _luck(self, kind: int) -> int:
        return sealed(child(self.seed, kind), self.state.ply)

    def _ask(self, player: AgentSpec, agent: Any, luck: int, clairvoyant: bool = False) -> int:
        """An adviser is never clairvoyant: it sits in the person's place."""
        return ask(agent, self.state, self._luck(luck), clairvoyant=clairvoyant, name=player.spec)

    def undo(self) -> None:
        """Back to the person's previous decision; what followed is forgotten."""
        last = self._persons_last()
        if not last:
            raise MeepleError("There is nothing to take back: you have not moved yet.")
        self._replay([played.move for played in self.history[: last - 1]])
        self.save()

    def _persons_last(self) -> int:
        """Number of the person's last move; 0 before the first."""
        return max((played.number for played in self.history if played.seat == self.seat), default=0)

    def resign(self) -> None:
        """The game ends here: the rules know no resignation, so the record remains an unfinished one and says who gave up."""
        self.resigned = True
        self.save()

    def save(self) -> None:
        """Whole or not at all, so that a crash never costs more than the move being made."""
        moves = [played.move for played in self.history]
        text = Record(self.variant.spec, self.seed, moves, self.names, self.variant.game.version).text()
        try:
            write_atomically(self.path, text + (f"# seat {self.seat} resigned\n" if self.resigned else ""))
        except OSError as error:
            raise CannotSave(f"The game cannot be saved in {self.path}: {error.strerror}.") from error


def begin(variant: Variant, opponents: list[str], seat: int, seed: int, path: Path) -> Session:
    """A new game; nothing is written yet."""
    names = seating(variant, opponents, seat)
    if path.exists():
        raise MeepleError(f"{path} exists already; go on with it by --resume, or name another file.")
    return Session(Record(variant.spec, seed, [], names, variant.game.version), path)


def seating(variant: Variant, opponents: list[str], seat: int) -> tuple[str, ...]:
    """Who sits where: the person at `seat`, the opponents at the others in order; one opponent is enough for all of them."""
    seats = variant.shape.seats
    if not 0 <= seat < seats:
        raise UnknownName("seat", str(seat), [str(i) for i in range(seats)])
    if seats == 1 and opponents:
        raise MeepleError(f"{variant.spec} is played alone, so there is no seat for the opponent {opponents[0]}.")
    names = opponents or [DEFAULT_OPPONENT]
    names = names * (seats - 1) if len(names) == 1 else names
    if len(names) != seats - 1:
        raise MeepleError(
            f"{variant.spec} has {seats - 1} other seats, but {len(names)} opponents were given; give 1 or {seats - 1}."
        )
    specs = [find_agent(name, variant.game).spec for name in names]
    return (*specs[:seat], PERSON, *specs[seat:])


def default_adviser(session: Session) -> AgentSpec:
    """Who gives hints if nobody else is named: a search, which can say how sure it is."""
    return find_agent(DEFAULT_ADVISER, session.variant.game)


def resume(path: Path) -> Session:
    """A saved game as it was left. The file is only read: whatever is wrong with it, nothing is lost."""
    record = read_record(path)
    seats = find_variant(record.spec).shape.seats
    if len(record.players) != seats or record.players.count(PERSON) != 1:
        listed = ", ".join(record.players) or "nobody"
        raise RecordError(f"{path} is no game of a person: its players must be {seats}, one of them '{PERSON}', not {listed}.")
    if resigned := RESIGNED.search(path.read_text(encoding="utf-8")):
        raise RecordError(f"Seat {resigned[1]} resigned the game in {path}; see it with: meeple replay {path}")
    try:
        session = Session(record, path)
    except UnknownName as error:
        reason = str(error).rstrip(".")
        raise MeepleError(f"{path}: {reason}; an agent from a file of your own needs its --code again.") from error
    if session.state.over:
        raise RecordError(f"The game in {path} is over ({session.state.end.reason}); see it with: meeple replay {path}")
    return session

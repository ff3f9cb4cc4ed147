"""The table in a terminal: shows what the person's seat may know, reads a line, obeys it, and lets the agents answer."""

from __future__ import annotations

import difflib
import shlex
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from meeple.agents.registry import AgentSpec
from meeple.core.errors import IllegalMove, MeepleError, UnreadableMove, listing
from meeple.play import layout
from meeple.play.hint import ESTIMATED, best_moves
from meeple.play.interrupt import uninterrupted
from meeple.play.screen import Screen, capital
from meeple.play.session import CannotSave, Session

COMMANDS = {
    "moves": "list all legal moves; 'moves take' lists those with that word, 'more' goes on in a long list",
    "board": "show the table again",
    "legend": "what the letters and signs of the table mean",
    "hint": "ask a search for the best moves in your place, or the agent named by --hint for its own",
    "undo": "back to your previous decision",
    "resign": "give up, if typed twice; the record says so",
    "quit": "leave; the game is saved and can be resumed (as with Ctrl-D)",
    "help": "this list",
}
ALIASES = {"?": "help", "exit": "quit"}  # no single letters: a game may use them for its moves
RESUME, REPLAY = "The game is saved; go on with: meeple play --resume", "Replay it with: meeple replay"

Thinking = Callable[[str], AbstractContextManager[object]]  # shows a sentence while something lasts


class Left(Exception):
    """The person leaves the table."""


class Terminal:
    """A session with a person in front of it."""

    def __init__(
        self, session: Session, adviser: AgentSpec, console: Console, thinking: Thinking, code: Sequence[Path] = ()
    ) -> None:
        self.session = session
        self.adviser = adviser
        self.console = console
        self.thinking = thinking
        self.code = code  # files of --code, which going on needs again
        self.screen = Screen(session, console)
        self._rest: list[str] = []  # lines of a long list that were not shown yet
        self._resigning = False  # was that the last thing typed?

    def run(self) -> int:
        """Play until the end or until the person leaves; returns the exit code. The game is on disk at any moment."""
        try:
            self._introduce()
            while self.session.running:
                if self.session.persons_turn:
                    self._decide()
                else:
                    self._let_agent_move()
            self._conclude()
        except (EOFError, Left):
            return self._leave(0)
        except KeyboardInterrupt:
            return self._leave(130)
        return 0

    # ---- what is shown ----

    def _say(self, message: str, style: str = "") -> None:
        self.console.print(Text(message, style=style))

    def _say_with_path(self, message: str, *code: Path) -> None:
        """One line, never broken: a path or a command stays whole for copying."""
        words = [str(self.session.path), *(word for path in code for word in ("--code", str(path)))]
        self.console.print(Text(f"{message} {shlex.join(words)}"), soft_wrap=True)

    def _introduce(self) -> None:
        session = self.session
        others = ", ".join(session.name(seat) for seat in session.opponents)
        against = f" against {others}" if others else ""
        self._say(
            f"{session.variant.game.title} ({session.variant.spec}), seed {session.seed}: you are seat {session.seat}{against}."
        )
        self._say_with_path("Saved after every move in")
        self._say("Type a move or its number; 'help' lists what else you can type.")
        if session.variant.game.legend:
            self._say(f"{session.variant.game.legend[0]} 'legend' explains it all.", "dim")

    def _show_table(self) -> bool:
        self.screen.show([])
        return False

    def _decide(self) -> None:
        """Show the table, then obey lines until one of them changes it."""
        self._rest = []
        self.screen.show(layout.numbered(self.session.state.moves()), f"Enter alone: {usual}" if (usual := self._usual()) else "")
        while not self._obey(self._read()):
            pass

    def _usual(self) -> str:
        """The move that Enter plays: the game's plain way to end this decision, if it has one."""
        return next((move for move in self.session.state.moves() if move in self.session.variant.game.usual), "")

    def _let_agent_move(self) -> None:
        with self.thinking(f"{capital(self.session.name(self.session.state.seat))} is thinking"), uninterrupted():
            self.session.let_agent_move()

    # ---- what is typed ----

    def _read(self) -> str:
        if sys.stdin is None:  # started without one: the same as its end
            raise EOFError
        line = clean(input("> "))
        if not sys.stdin.isatty():  # nobody's keys were shown, so a transcript would not read as one
            self._say(line)
        return line

    def _obey(self, line: str) -> bool:
        """Do what was typed; True if the position changed. Whatever is wrong is said in a sentence."""
        word, _, rest = line.lower().partition(" ")
        word = ALIASES.get(word, word)
        self._resigning = self._resigning and word == "resign"
        commands: dict[str, Callable[[], bool]] = {
            "more": self._more,
            "board": self._show_table,
            "legend": self._legend,
            "hint": self._hint,
            "undo": self._undo,
            "resign": self._resign,
            "quit": self._quit,
            "help": self._help,
        }
        try:
            if word == "moves":
                return self._list_moves(rest)
            if word in commands and not rest:
                return commands[word]()
            return self._play(line)
        except CannotSave:  # the move was made, so asking for another would be wrong
            raise
        except MeepleError as error:
            self._say(str(error), "red")
            return False

    def _play(self, line: str) -> bool:
        moves = self.session.state.moves()
        line = line or self._usual()
        if not line:
            raise MeepleError(f"Type a move, a number from 1 to {len(moves)}, or 'help'.")
        if line.isdecimal():
            if len(line) > 9 or not 1 <= int(line) <= len(moves):
                raise MeepleError(f"There is no move {line[:12]}; the numbers go from 1 to {len(moves)}, and 'moves' lists them.")
            line = moves[int(line) - 1]
        try:
            self.session.play(line)
        except IllegalMove as error:
            near = difflib.get_close_matches(error.move, moves, n=3, cutoff=0.5) or moves
            raise MeepleError(f"'{error.move}' is not legal now; legal are: {listing(near, 3)}; 'moves' lists all.") from error
        except UnreadableMove as error:
            if near := difflib.get_close_matches(line.lower(), moves, n=1, cutoff=0.7):
                raise MeepleError(f"'{line}' is no move; did you mean '{near[0]}'?") from error
            if command := difflib.get_close_matches(line.lower(), [*COMMANDS, "more"], n=1, cutoff=0.7):
                raise MeepleError(f"'{line}' is neither a move nor a command; did you mean '{command[0]}'?") from error
            raise
        return True

    def _list_moves(self, words: str) -> bool:
        chosen = layout.numbered(self.session.state.moves(), words)
        if not chosen:
            raise MeepleError(f"No legal move has '{words}' in it; 'moves' lists all.")
        self._rest = layout.listing(chosen, self.screen.width)
        if words:
            self._say(
                f"{len(chosen)} of {len(self.session.state.moves())} legal moves; each keeps its number in the whole list:", "dim"
            )
        return self._more()

    def _more(self) -> bool:
        """The next screenful of a list; where nobody looks at a screen, all of it."""
        if not self._rest:
            raise MeepleError("There is no more to list; 'moves' lists the legal moves.")
        room = max(5, self.console.height - 3) if self.console.is_terminal else len(self._rest)
        page, self._rest = self._rest[:room], self._rest[room:]
        for line in page:
            self._say(line)
        if self._rest:
            self._say(f"  … {len(self._rest)} more lines: type more", "dim")
        return False

    def _hint(self) -> bool:
        with self.thinking(f"{self.adviser.spec} is thinking (a search is compiled before its first hint)"), uninterrupted():
            hint = self.session.hint(self.adviser)
        number = self.session.state.moves().index(hint.move) + 1
        self._say(f"{self.adviser.spec} would play {number}: {hint.move}", "cyan")
        if hint.analysis is not None:
            self.console.print(best_moves(hint.analysis, self.session.state.moves(), self._who))
            if hint.analysis.estimated:
                self._say(f"  {'Points' if hint.analysis.points else 'Wins'} {ESTIMATED}.", "dim")
        return False

    def _who(self, seat: int) -> str:
        """In a line of play; alone, it is clear."""
        alone = len(self.session.names) == 1
        return "" if alone else "you" if seat == self.session.seat else f"seat {seat}"

    def _undo(self) -> bool:
        self.session.undo()
        self._say("Back to your previous decision.")
        return True

    def _resign(self) -> bool:
        if not self._resigning:
            self._resigning = True
            self._say("Really? Type resign again to give up; anything else goes on.", "yellow")
            return False
        self.session.resign()
        return True

    def _legend(self) -> bool:
        lines = self.session.variant.game.legend
        if not lines:
            raise MeepleError("This game's table has no letters to explain.")
        for line in lines:
            self.console.print(self.screen.styled(line))
        return False

    def _quit(self) -> bool:
        raise Left

    def _help(self) -> bool:
        example = self.session.state.moves()[0]
        rows = {"3": "play move 3 of the list", example: "play this move, by its own words", **COMMANDS}
        grid = Table.grid(padding=(0, 3))
        for typed, meaning in rows.items():
            grid.add_row(Text(f"  {typed}", style="bold"), Text(meaning))
        self.console.print(grid)
        return False

    # ---- the end ----

    def _conclude(self) -> None:
        session = self.session
        self._say("")
        if session.resigned:
            self._say(f"You resigned at move {session.state.ply + 1}, so the game ends here, undecided by its rules.", "bold")
            self._say(f"The record says so (# seat {session.seat} resigned); it is not resumed any more.")
        else:
            self.screen.show_news()
            self._lay_open()
            self._say(result(session), "bold")
            self._show_scores()
        self._say_with_path(REPLAY)

    def _lay_open(self) -> None:
        """At the end every seat's own view is everybody's."""
        self.screen.show_board(self.session.seat, f"The end, you are seat {self.session.seat}")
        for seat in self.session.opponents:
            self.screen.show_board(seat, f"The end, as seat {seat} sees it")

    def _show_scores(self) -> None:
        grid = Table.grid(padding=(0, 3))
        grid.add_column()
        grid.add_column(justify="right")
        for seat, score in enumerate(self.session.state.scores()):
            grid.add_row(Text(f"  {self.session.name(seat)}"), Text(f"{score:g}"))
        self.console.print(grid)

    def _leave(self, code: int) -> int:
        with uninterrupted():  # the interrupt may have come between a move and its saving
            self.session.save()
        self._say("")
        if self.session.running:
            self._say_with_path(RESUME, *self.code)
        else:
            self._say_with_path(REPLAY)
        return code


def clean(line: str) -> str:
    """One space between words, and no control characters: what was typed may be shown again in a message."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in " ".join(line.split()))


def result(session: Session) -> str:
    """Who won, in a sentence."""
    state = session.state
    why = f"The game is over: {state.end.reason}."
    if state.end.truncated:
        return f"{why} It was cut off, so nobody has won."
    if not session.variant.shape.winnable:
        return f"{why} You have {state.scores()[session.seat]:g} points."
    winners = [seat for seat, share in enumerate(state.outcome()) if share > 0]
    names = " and ".join(session.name(seat) for seat in winners)
    if not winners:
        return f"{why} Nobody has won."
    if len(winners) > 1:
        return f"{why} It is a draw: {names} share the win."
    return f"{why} {'You win' if winners == [session.seat] else capital(names) + ' wins'}."

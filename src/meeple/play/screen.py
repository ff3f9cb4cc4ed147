"""What a person sees before a decision: the table, what the others did and the moves, on one screen if it can be."""

from __future__ import annotations

from rich.console import Console
from rich.panel import Panel
from rich.text import Text

from meeple.play import layout
from meeple.play.session import Session

WIDEST = 120  # a line longer than this is hard to read, however wide the terminal
FRAME, BARE = 4, 0  # columns of a frame, or of none
ENDLESS = 10**6  # lines where nobody looks at a screen


class Screen:
    """Draws a session's table into a console of some size."""

    def __init__(self, session: Session, console: Console) -> None:
        self.session = session
        self.console = console

    @property
    def width(self) -> int:
        return min(self.console.width, WIDEST)

    @property
    def room(self) -> int:
        """Lines above the prompt."""
        return self.console.height - 1 if self.console.is_terminal else ENDLESS

    def show(self, moves: list[layout.Numbered], note: str = "") -> None:
        """The largest table that leaves room for the best list of moves: framed, in few lines, or in few lines without a frame."""
        tables = [self._drawn(compact, margin) for compact, margin in ((False, FRAME), (True, FRAME), (True, BARE))]
        news = [*self.news(), *([note] if note else [])]
        rooms = [self.room - text.count("\n") - (4 if framed else 1) - self._lines_of(news) for text, framed in tables]
        ranks = [layout.squeeze(moves, self.width, room) for room in rooms]
        chosen = ranks.index(min(ranks))
        text, framed = tables[chosen]
        if framed:
            self.console.print()
            self.console.print(self._framed(text, f"Move {self.session.state.ply + 1}, you are seat {self.session.seat}"))
        else:
            self.console.print(self.styled(text))
        self._print(news, rooms[chosen] if ranks[chosen] == layout.TOO_MANY else ENDLESS)
        for line in layout.fitting(moves, self.width, rooms[chosen]):
            self.console.print(self.styled(line))

    def show_board(self, seat: int, title: str) -> None:
        """One seat's table in full."""
        text = layout.broken_to_fit(self.session.state.board(seat), self.width - FRAME)
        self.console.print(self._framed(text, title))

    def show_news(self) -> None:
        self._print(self.news(), ENDLESS)

    def news(self) -> list[str]:
        """What the others did since the person's last move, a line for each seat."""
        told: dict[int, list[str]] = {}
        for played in self.session.news():
            told.setdefault(played.seat, []).append(played.move)
        return [f"{capital(self.session.name(seat))}: {'; '.join(moves)}" for seat, moves in told.items()]

    def styled(self, text: str) -> Text:
        """With the game's colours: never alone, since the words and letters stay."""
        shown = Text(text)
        shown.highlight_regex(f"(?m){layout.LABEL}", "bold")
        for pattern, style in self.session.variant.game.styles.items():
            shown.highlight_regex(pattern, style)
        return shown

    def _drawn(self, compact: bool, margin: int) -> tuple[str, bool]:
        game, view = self.session.variant.game, self.session.state.view(self.session.seat)
        draw = game.compact if compact and game.compact else game.board
        return layout.broken_to_fit(draw(view), self.width - margin), margin == FRAME

    def _framed(self, text: str, title: str) -> Panel:
        return Panel(self.styled(text), title=Text(title), title_align="left", width=self.width, border_style="dim")

    def _print(self, news: list[str], room: int) -> None:
        """Where even the smallest table leaves no room, news go on one line."""
        for line in news if room > 0 else ["; ".join(news)]:
            self.console.print(Text(line, style="cyan"))

    def _lines_of(self, texts: list[str]) -> int:
        return sum(len(Text(text).wrap(self.console, self.console.width)) for text in texts)


def capital(text: str) -> str:
    """Only the first letter: an agent's name stays as it is."""
    return text[:1].upper() + text[1:]

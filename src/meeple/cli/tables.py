"""Tables that lose nothing on a narrow screen: no name and no figure is ever cut or ended by dots.

A table stands as it is where it fits. Else its running texts are broken; else agents are called A, B, C, with a legend below; else
every row becomes a block of its own, a line for each column.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from string import ascii_uppercase

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, JustifyMethod, RenderableType
from rich.table import Table
from rich.text import Text

NARROWEST = 14  # of a running text
BORDERS = 3  # columns between two cells


@dataclass(frozen=True)
class Wide:
    """A table that knows what to do where it does not fit."""

    title: str
    columns: tuple[str, ...]
    right: tuple[str, ...] = ()  # columns of figures
    prose: tuple[str, ...] = ()  # columns of running text, which may be broken
    agents: tuple[str, ...] = ()  # names that letters may stand for
    rows: list[tuple[str, ...]] = field(default_factory=list)

    def add_row(self, *cells: str | Text) -> None:
        self.rows.append(tuple(str(cell) for cell in cells))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        """The roomiest form that fits."""
        room = options.max_width
        if self.title:
            yield Text(self.title, style="italic", overflow="fold")
        lettered = self._lettered()
        if self._width() <= room:
            yield self._grid()
        elif self.agents and lettered._width() <= room:
            yield lettered._grid()
            yield from (Text(f"{letter}  {name}", overflow="fold") for name, letter in self._letters().items())
        else:
            yield from self._blocks()

    def _letters(self) -> dict[str, str]:
        names = dict.fromkeys(self.agents)
        return {name: ascii_uppercase[i % 26] + (str(i // 26 + 1) if i >= 26 else "") for i, name in enumerate(names)}

    def _lettered(self) -> Wide:
        """The same with letters for the agents."""
        letters = self._letters()

        def named(words: Iterable[str]) -> tuple[str, ...]:
            return tuple(letters.get(word, word) for word in words)

        return replace(self, columns=named(self.columns), right=named(self.right), rows=[named(row) for row in self.rows])

    def _width(self) -> int:
        """The narrowest that it can be."""
        return sum(map(self._least, range(len(self.columns)))) + BORDERS * len(self.columns) + 1

    def _least(self, column: int) -> int:
        """Of a column: as wide as what is in it; of a running text as its longest word."""
        cells = [self.columns[column], *(row[column] for row in self.rows)]
        width = _widest(line for cell in cells for line in cell.splitlines())
        return min(width, max(NARROWEST, _widest(" ".join(cells).split()))) if self.columns[column] in self.prose else width

    def _grid(self) -> Table:
        made = Table()
        for number, column in enumerate(self.columns):
            side: JustifyMethod = "right" if column in self.right else "left"
            least, whole = self._least(number), column not in self.prose
            made.add_column(Text(column), justify=side, no_wrap=whole, overflow="fold", min_width=least)
        for row in self.rows:
            made.add_row(*(Text(cell) for cell in row))
        return made

    def _blocks(self) -> Iterator[Text]:
        """`elo: +12` a line, an empty line between rows; the first column, which names the row, stands out."""
        for row in self.rows:
            for number, (column, cell) in enumerate(zip(self.columns, row, strict=True)):
                if cell:
                    label = f"{column}: " if column else ""
                    first = number == 0
                    yield Text(f"{'' if first else '  '}{label}{cell}", style="bold" if first else "", overflow="fold")
            yield Text("")


def _widest(texts: Iterable[str]) -> int:
    return max((cell_len(text) for text in texts), default=0)

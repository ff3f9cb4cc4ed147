"""Laying out text for a terminal: moves in groups and columns, long lines of a board broken where they are easy to read."""

from __future__ import annotations

import re
import textwrap

FEW = 32  # so many moves are simply listed
SMALL = 16  # in a longer list, larger groups are only named
GAP, STEP = 3, 8  # between columns; their widths are multiples of STEP
IN_COLUMNS, TIGHT, BY_NAME, TOO_MANY = range(4)  # how closely moves are listed
GLUE = "\N{NO-BREAK SPACE}"
LABEL = r"^ *[A-Za-z][^:\n]{0,15}:"  # `Market:` at the beginning of a board's line

Numbered = tuple[int, str]  # a legal move and its number in the list


def numbered(moves: list[str], words: str = "") -> list[Numbered]:
    """The moves with their numbers; only those that have a word beginning with each of the given words."""
    wanted = words.lower().split()
    return [
        (number, move)
        for number, move in enumerate(moves, 1)
        if all(any(part.startswith(word) for part in move.lower().split()) for word in wanted)
    ]


def grouped(moves: list[Numbered]) -> dict[str, list[Numbered]]:
    """By first word, where that makes groups at all: moves such as `e2 e4` stay together."""
    groups: dict[str, list[Numbered]] = {}
    for number, move in moves:
        groups.setdefault(move.split()[0], []).append((number, move))
    return groups if len(groups) <= max(1, len(moves) // 2) else {"": moves}


def overview(moves: list[Numbered], width: int) -> list[str]:
    """What a person sees before each decision: every move, or where there are many, large groups by name only."""
    groups = grouped(moves)
    large = {word for word, group in groups.items() if word and len(group) > SMALL and len(moves) > FEW}
    shown = [number for word, group in groups.items() if word not in large for number, _ in group]
    digits = len(str(max(shown, default=0)))
    return [
        line for word, group in groups.items() for line in ([_named(word, group)] if word in large else _rows(group, digits, width))
    ]


def _named(word: str, group: list[Numbered]) -> str:
    return f"  {word}: {group[0][0]} to {group[-1][0]}, {len(group)} moves; to see them: moves {word}"


def fitting(moves: list[Numbered], width: int, room: int) -> list[str]:
    """The overview in so many lines, if it can be: in columns, else close together, else the largest groups by name only."""
    rank = squeeze(moves, width, room)
    groups, named = grouped(moves), set[str]()
    if rank == IN_COLUMNS:
        return overview(moves, width)
    while len(lines := tight(groups, named, width)) > room and (left := [word for word in groups if word and word not in named]):
        named.add(max(left, key=lambda word: len(groups[word])))
    return lines


def squeeze(moves: list[Numbered], width: int, room: int) -> int:
    """How closely the moves must be listed to fit so many lines."""
    groups = grouped(moves)
    if len(overview(moves, width)) <= room:
        return IN_COLUMNS
    if len(tight(groups, set(), width)) <= room:
        return TIGHT
    return BY_NAME if len(tight(groups, set(groups) - {""}, width)) <= room else TOO_MANY


def tight(groups: dict[str, list[Numbered]], named: set[str], width: int) -> list[str]:
    """`take: 1 white blue green, 2 gold`: the first word of a group once; those in `named` without their moves."""
    lines = []
    for word, group in groups.items():
        if word in named:
            lines.append(_named(word, group))
            continue
        alone = len(group) == 1 or not word or any(move == word for _, move in group)
        cells = [f"{number} {move if alone else move.removeprefix(word + ' ')}".replace(" ", GLUE) for number, move in group]
        text = ("  " if alone else f"  {word}: ") + ", ".join(cells)
        indent = "    "
        lines += textwrap.fill(text, width, subsequent_indent=indent, break_on_hyphens=False).replace(GLUE, " ").splitlines()
    return lines


def listing(moves: list[Numbered], width: int) -> list[str]:
    """Every move."""
    return in_columns(list(grouped(moves).values()), width)


def in_columns(groups: list[list[Numbered]], width: int) -> list[str]:
    """`12 take diamond   13 take gold`, numbers and moves aligned; each group begins a new line."""
    digits = max((len(str(number)) for group in groups for number, _ in group), default=0)
    return [line for group in groups for line in _rows(group, digits, width)]


def _rows(group: list[Numbered], digits: int, width: int) -> list[str]:
    # In steps, so that groups of nearly the same length stand in the same columns.
    longest = -(-max(len(move) for _, move in group) // STEP) * STEP
    across = max(1, (width - 2 + GAP) // (digits + 1 + longest + GAP))
    cells = [f"{number:>{digits}} {move:<{longest}}" for number, move in group]
    return ["  " + (" " * GAP).join(cells[i : i + across]).rstrip() for i in range(0, len(cells), across)]


def broken_to_fit(board: str, width: int) -> str:
    """Long lines continue under the text behind their label; what is divided by two spaces stays together if it can."""
    return "\n".join(_broken(line, width) for line in board.splitlines())


def _broken(line: str, width: int) -> str:
    if len(line) <= width:
        return line
    label = re.match(f"{LABEL} +", line)
    indent = " " * len(label[0] if label else "  ")
    start = len(label[0]) if label else 0
    if "  " in line[start:].strip():
        line = line[:start] + re.sub(r"(?<=\S) (?=\S)", GLUE, line[start:])
    return textwrap.fill(line, width, subsequent_indent=indent, break_on_hyphens=False).replace(GLUE, " ")

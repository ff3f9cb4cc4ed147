"""Small plots as SVG text, for a page without outside assets: intervals side by side, curves, boxes, heat maps."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import ceil, floor, log10
from typing import NamedTuple

LEFT, RIGHT, LINE = 200, 16, 15  # pixels
WIDTH = 640


class Mark(NamedTuple):
    """A value with its interval, in the colour of a class of the style sheet."""

    style: str
    value: float
    low: float
    high: float
    told: str  # shown when pointed at


def ticks(low: float, high: float, wanted: int = 6) -> list[float]:
    """Round numbers between two."""
    span = (high - low) or 1.0
    step = 10 ** floor(log10(span / wanted))
    step *= next(factor for factor in (1, 2, 5, 10) if span / (step * factor) <= wanted)
    return [round(i * step, 10) for i in range(ceil(low / step), floor(high / step) + 1)]


def svg(width: float, height: float, body: Sequence[str], label: str) -> str:
    box = f'viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}"'
    return f'<svg {box} role="img" aria-label="{escape(label)}">{"".join(body)}</svg>'


def text(x: float, y: float, words: str, style: str = "", anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{style}" text-anchor="{anchor}">{escape(words)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, style: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{style}"/>'


def intervals(rows: Sequence[tuple[str, Sequence[Mark]]], unit: str) -> str:
    """A row for each thing compared: theirs and ours as points with their intervals."""
    marks = [mark for _, row in rows for mark in row]
    if not marks:
        return ""
    low, high = min(mark.low for mark in marks), max(mark.high for mark in marks)
    pad = 0.04 * ((high - low) or 1.0)
    low, high = low - pad, high + pad

    def place(value: float) -> float:
        return LEFT + (value - low) / (high - low) * (WIDTH - LEFT - RIGHT)

    body, y = [], 8.0
    for name, row in rows:
        height = LINE * max(1, len(row))
        body.append(text(LEFT - 8, y + height / 2 + 4, shortened(name), "name", "end"))
        for i, mark in enumerate(row):
            body.append(_mark(mark, place, y + LINE * i + LINE / 2))
        y += height + 5
        body.append(line(LEFT, y - 2.5, WIDTH - RIGHT, y - 2.5, "rule"))
    for tick in ticks(low, high):
        body.append(line(place(tick), 4, place(tick), y, "grid"))
        body.append(text(place(tick), y + 12, f"{tick:g}", "tick", "middle"))
    body.append(text(WIDTH - RIGHT, y + 26, unit, "tick", "end"))
    return svg(WIDTH, y + 30, body, f"intervals, {unit}")


def _mark(mark: Mark, place: object, y: float) -> str:
    at = place  # a function of the value
    x1, x2, x = (at(value) for value in (mark.low, mark.high, mark.value))  # type: ignore[operator]
    title = f"<title>{escape(mark.told)}</title>"
    point = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5"/>' if mark.style != "theirs" else _diamond(x, y)
    return f'<g class="{mark.style}">{title}{line(x1, y, x2, y, "bar")}{point}</g>'


def _diamond(x: float, y: float) -> str:
    return f'<path d="M{x:.1f} {y - 5:.1f}l5 5l-5 5l-5-5z"/>'


def shortened(name: str, most: int = 34) -> str:
    return name if len(name) <= most else name[: most - 1] + "…"


def curves(lines: Sequence[tuple[str, Sequence[Sequence[float]]]], unit: str, theirs: float | None = None) -> str:
    """Values over decisions; each line has its name at its end."""
    points = [point for _, one in lines for point in one]
    if len(points) < 2:
        return ""
    right, height = WIDTH - 130, 190
    most = max(point[0] for point in points) or 1
    values = [point[1] for point in points] + ([theirs] if theirs is not None else [])
    low, high = min(values), max(values)
    low, high = (low, high) if high > low else (low - 1, high + 1)

    def place(x: float, y: float) -> tuple[float, float]:
        return 50 + x / most * (right - 50), 12 + (high - y) / (high - low) * (height - 40)

    body = []
    for tick in ticks(low, high, 5):
        y = place(0, tick)[1]
        body += [line(50, y, right, y, "grid"), text(44, y + 4, f"{tick:g}", "tick", "end")]
    if theirs is not None:
        y = place(0, theirs)[1]
        body += [line(50, y, right, y, "theirs-line"), text(right + 6, y + 4, "theirs", "tick")]
    ends: list[float] = []
    for number, (name, one) in enumerate(lines):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(*point) for point in one))
        body.append(f'<polyline points="{path}" class="curve c{number % 8}"/>')
        y = place(*one[-1])[1]
        while any(abs(y - other) < 12 for other in ends):
            y += 12
        ends.append(y)
        body.append(text(right + 6, y + 4, shortened(name, 20), f"tick t{number % 8}"))
    body.append(text(right, height - 8, f"decisions, up to {most:,.0f}; {unit}", "tick", "end"))
    return svg(WIDTH, max([height, *(y + 12 for y in ends)]), body, f"curves, {unit}")


def boxes(rows: Sequence[tuple[str, Sequence[float]]], unit: str) -> str:
    """Least, quartiles and most of each."""
    if not rows:
        return ""
    low, high = min(row[1][0] for row in rows), max(row[1][4] for row in rows)
    high = high if high > low else low + 1

    def place(value: float) -> float:
        return LEFT + (value - low) / (high - low) * (WIDTH - LEFT - RIGHT)

    body, y = [], 6.0
    for name, (least, q1, middle, q3, most) in rows:
        body.append(text(LEFT - 8, y + 12, shortened(name), "name", "end"))
        body.append(line(place(least), y + 8, place(most), y + 8, "whisker"))
        body.append(f'<rect x="{place(q1):.1f}" y="{y + 2:.1f}" width="{place(q3) - place(q1):.1f}" height="12" class="box"/>')
        body.append(line(place(middle), y + 2, place(middle), y + 14, "median"))
        y += 18
    for tick in ticks(low, high):
        body.append(text(place(tick), y + 12, f"{tick:g}", "tick", "middle"))
    body.append(text(WIDTH - RIGHT, y + 26, unit, "tick", "end"))
    return svg(WIDTH, y + 30, body, f"boxes, {unit}")


def heat(
    values: Sequence[Sequence[float]], rows: Sequence[float], columns: Sequence[float], low: float, high: float, title: str
) -> str:
    """A grid of numbers, the higher the darker."""
    size, body = 44, [text(0, 12, title, "name")]
    for i, row in enumerate(values):
        body.append(text(34, 40 + 22 * i, f"{rows[i]:g}", "tick", "end"))
        for j, value in enumerate(row):
            share = min(1.0, max(0.0, (value - low) / ((high - low) or 1)))
            x, y = 40 + size * j, 26 + 22 * i
            body.append(f'<rect x="{x}" y="{y}" width="{size - 2}" height="20" class="heat" style="fill-opacity:{share:.2f}"/>')
            body.append(text(x + size / 2 - 1, y + 14, f"{value:.1f}", "cell", "middle"))
    for j, column in enumerate(columns):
        body.append(text(40 + size * j + size / 2, 26 + 22 * len(values) + 12, f"{column:g}", "tick", "middle"))
    return svg(44 + size * len(columns), 26 + 22 * len(values) + 18, body, title)

"""Figures, verdicts and tables as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from meeple.lab import verdicts
from meeple.lab.play_kinds import Figure
from meeple.lab.verdicts import Compared


def chip(verdict: str) -> str:
    style = {verdicts.OPEN: "open", verdicts.UNTOLD: "open"}.get(verdict, verdict)
    return f'<span class="chip {style}">{escape(verdict)}</span>'


def chips(each: Compared) -> str:
    extra = f" {chip(verdicts.SURPASSED)}" if each.surpassed and each.verdict != verdicts.SURPASSED else ""
    return chip(each.verdict) + extra


def number(figure: Figure | None) -> str:
    if figure is None:
        return ""
    value, low, high = figure
    interval = f" <span class=soft>({short(low)} to {short(high)})</span>" if low is not None and high is not None else ""
    return f"{short(value)}{interval}"


def short(x: float) -> str:
    return f"{x:,.0f}" if abs(x) >= 1000 else f"{x:.1f}" if abs(x) >= 10 else f"{x:.2f}"


def table(columns: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> str:
    """A row that is too short has its last cell as wide as what is missing."""
    heads = "".join(f"<th{' class=n' if i in right else ''}>{escape(name)}</th>" for i, name in enumerate(columns))
    body = []
    for row in rows:
        cells = [f"<td{' class=n' if i in right else ''}>{cell}</td>" for i, cell in enumerate(row)]
        if len(row) < len(columns):
            cells[-1] = f"<td colspan={len(columns) - len(row) + 1}>{row[-1]}</td>"
        body.append(f"<tr>{''.join(cells)}</tr>")
    return f"<div class=wide><table><thead><tr>{heads}</tr></thead><tbody>{''.join(body)}</tbody></table></div>"

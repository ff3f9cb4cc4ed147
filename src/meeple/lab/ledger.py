"""The ledger: every numbered table and result figure of the five theses -> the experiment that makes it again, or why none does."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from typing import Any

from meeple.core.errors import MeepleError
from meeple.lab.experiment import FOLDER, THESES, experiments, natural

FILE = FOLDER / "ledger.toml"
PLURALS = {"Table": "Tables", "Figure": "Figures", "Appendix": "Appendices"}


@dataclass(frozen=True)
class Item:
    """A numbered table or figure."""

    thesis: str
    name: str
    experiment: str  # or nothing, and then the reason
    reason: str = ""


@cache
def ledger() -> tuple[Item, ...]:
    """All items that a thesis numbers, in order. One without an experiment and without a reason is a mistake."""
    given = tomllib.loads(FILE.read_text())
    found = []
    for thesis in [name for name in THESES if name in given]:
        made = covered(thesis)
        reasons = {name: reason for names, reason in given[thesis].get("not_made", []) for name in spelt_out(names)}
        for name in [one for names in given[thesis]["items"] for one in spelt_out(names)]:
            if name not in made and name not in reasons:
                raise MeepleError(f"{name} of {thesis} is made by no experiment, and {FILE} gives no reason for it.")
            found.append(Item(thesis, name, made.get(name, ""), reasons.get(name, "")))
    return tuple(found)


def covered(thesis: str) -> dict[str, str]:
    """Item -> experiment, from what the experiments say they cover."""
    return {
        name: one.name
        for one in experiments().values()
        if one.thesis == thesis
        for names in one.covers
        for name in spelt_out(names)
    }


def spelt_out(names: str) -> list[str]:
    """`Figures 5.1 to 5.8` -> eight names."""
    if not (span := re.fullmatch(r"(Table|Figure)s ([\w.]*?)(\d+) to \2(\d+)", names)):
        return [names]
    kind, before, first, last = span.groups()
    return [f"{kind} {before}{number}" for number in range(int(first), int(last) + 1)]


def grouped(items: tuple[Item, ...]) -> list[tuple[str, list[str], str, str]]:
    """(thesis, names, experiment, reason): items of the same fate together, so that 128 curves are one line."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for item in items:
        found.setdefault((item.thesis, item.experiment, item.reason), []).append(item.name)
    return [(thesis, names, experiment, reason) for (thesis, experiment, reason), names in found.items()]


def in_short(names: list[str]) -> str:
    """`Table 5.1, Figures 5.1 to 5.8`: runs of numbers as spans."""
    parts: list[list[Any]] = []
    for name in sorted(names, key=lambda name: (not name.startswith("Table"), not name.startswith("Figure"), natural(name))):
        head, number = re.fullmatch(r"(.*?)(\d+)", name).groups() if re.fullmatch(r"(.*?)(\d+)", name) else (name, "")  # type: ignore[union-attr]
        if number and parts and parts[-1][0] == head and int(number) == parts[-1][2] + 1:
            parts[-1][2] = int(number)
        else:
            parts.append([head, int(number), int(number)] if number else [name, None, None])
    return ", ".join(_span(*part) for part in parts)


def _span(head: str, first: int | None, last: int | None) -> str:
    if first is None:
        return head
    if first == last:
        return f"{head}{first}"
    kind, _, before = head.partition(" ")
    return f"{PLURALS.get(kind, kind)} {before}{first} to {before}{last}"

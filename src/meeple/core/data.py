"""Tables that a game keeps as CSV in its folder `data`: read once, when its module is imported."""

from __future__ import annotations

import csv
from pathlib import Path


def read_rows(module: str, name: str) -> list[dict[str, str]]:
    """The rows of data/NAME beside a module, which gives its `__file__`."""
    with (Path(module).parent / "data" / name).open(newline="") as file:
        return list(csv.DictReader(file))

"""Results as lines of JSON, a file an experiment: appended when a run is finished, the latest of a run counts.

A line that names a champion is of the network that the package had then. When it has another, the line stays in its file, but
nobody is told it any more, and its run is to be done anew.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from meeple.core.errors import MeepleError
from meeple.lab.bundled import BUNDLED, bundled

FOLDER = "lines"
Line = dict[str, Any]


def append(out: Path, line: Line) -> None:
    """A run is finished."""
    path = out / FOLDER / f"{line['experiment']}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as file:
        file.write(json.dumps(line) + "\n")


def read_lines(out: Path) -> dict[str, dict[str, Line]]:
    """Experiment -> key of a run -> its line, of those that are still so."""
    found: dict[str, dict[str, Line]] = {}
    for path in sorted((out / FOLDER).glob("*.jsonl")):
        for number, text in enumerate(path.read_bytes().splitlines(), 1):
            try:
                line = json.loads(text.decode())
                if line.get(BUNDLED, "") == bundled(line.get("config", {})):
                    found.setdefault(line["experiment"], {})[line_key(line)] = line
            except (ValueError, KeyError, TypeError, AttributeError):
                raise MeepleError(
                    f"Line {number} of {path} is no result of the lab; delete that line, and the run is made again."
                ) from None
    return found


def line_key(line: Line) -> str:
    """Two measures may have the same configuration, and each has its line."""
    return f"{line['key']} {line['row']} {line['measure']}"

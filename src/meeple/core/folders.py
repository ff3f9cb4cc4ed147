"""Where a user's things are kept: games, results, solutions."""

from __future__ import annotations

import os
from pathlib import Path


def data_folder() -> Path:
    base = os.environ.get("XDG_DATA_HOME")
    return (Path(base) if base else Path.home() / ".local" / "share") / "meeple"

"""Commands of `meeple` as processes of their own, and what they said."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.cluster.nodes import Nodes

SMALL = ["--set", "games=64", "--set", "steps=16", "--set", "hidden=16", "--set", "minibatch=512"]


def start(nodes: Nodes, folder: Path, *words: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "meeple", *words]
    with (folder / "out").open("wb") as out, (folder / "err").open("wb") as err:
        return subprocess.Popen(command, cwd=folder, env=nodes.environment, stdout=out, stderr=err)


def ended(process: subprocess.Popen[bytes], folder: Path) -> Any:
    assert process.wait(600) == 0, (folder / "err").read_text()
    return json.loads((folder / "out").read_text())


def without_times(result: Any) -> Any:
    """Seconds differ, and so do numbers of matches in two stores."""
    if isinstance(result, dict):
        return {name: without_times(value) for name, value in result.items() if name not in ("seconds", "match")}
    return [without_times(value) for value in result] if isinstance(result, list) else result

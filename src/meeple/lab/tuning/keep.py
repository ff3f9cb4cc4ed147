"""Parts of unfinished trials of learners, on disk: networks and checkpoints as they are, figures as JSON. No pickle."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from meeple.core.record import write_atomically
from meeple.lab.tuning.trained import Part

PARTS, NETWORKS, FIGURES = "parts", "networks", "part.json"


def key_of(settings: Mapping[str, Any]) -> str:
    """Short, and the same for the same settings."""
    return hashlib.sha256(json.dumps(settings, sort_keys=True, default=list).encode()).hexdigest()[:16]


def keep_part(out: Path, settings: Mapping[str, Any], parts: list[Any]) -> None:
    """The newest part replaces those before it. Agents' parts are made again in a moment and are not kept."""
    part = parts[-1]
    if not isinstance(part, Part):
        return
    folder = out / PARTS / key_of(settings)
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in part.files.items():
        write_atomically(folder / f"{len(parts)}-{name}", content)
    values = [each.value for each in parts]
    write_atomically(folder / FIGURES, json.dumps({"values": values, "lines": part.lines, "names": list(part.files)}).encode())


def kept_parts(out: Path, settings: Mapping[str, Any]) -> list[Any]:
    """What is there of a trial that was interrupted; earlier parts have their values alone."""
    folder = out / PARTS / key_of(settings)
    if not (folder / FIGURES).is_file():
        return []
    told = json.loads((folder / FIGURES).read_text())
    values = told["values"]
    files = {name: (folder / f"{len(values)}-{name}").read_bytes() for name in told["names"]}
    return [Part({}, value, []) for value in values[:-1]] + [Part(files, values[-1], told["lines"])]


def forget_parts(out: Path, settings: Mapping[str, Any], last: Any) -> None:
    """The trial is over: of a learner its network stays."""
    if isinstance(last, Part):
        from meeple.learn.train import LATEST

        (out / NETWORKS).mkdir(exist_ok=True)
        write_atomically(out / NETWORKS / f"{key_of(settings)}.safetensors", last.files[LATEST])
        shutil.rmtree(out / PARTS / key_of(settings), ignore_errors=True)


def network_of(out: Path, settings: Mapping[str, Any]) -> bytes:
    """The network that a trial has made."""
    return (out / NETWORKS / f"{key_of(settings)}.safetensors").read_bytes()

"""Checkpoints: every array of a run in one safetensors file, written atomically, and read back into the same memory."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save

from meeple.core.errors import MeepleError
from meeple.core.record import write_atomically
from meeple.nets.file import KEY, read_tensors

Arrays = dict[str, NDArray[Any]]


def write_checkpoint(path: Path, arrays: Arrays, run: dict[str, Any]) -> None:
    """`run` says whose it is (game, learner, configuration, seed) and how far it is."""
    text = json.dumps({"kind": "checkpoint", **run}, sort_keys=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, save({name: np.ascontiguousarray(array) for name, array in arrays.items()}, {KEY: text}))


def read_checkpoint(path: Path, arrays: Arrays, same: dict[str, Any]) -> dict[str, Any]:
    """Write a checkpoint back into the arrays; refused as a whole where it is damaged or of another run."""
    tensors, text = read_tensors(path, "checkpoint")
    run: dict[str, Any] = json.loads(text)
    if run.get("kind") != "checkpoint":
        raise MeepleError(f"{path} is a network, not a checkpoint: it holds no optimiser and no games.")
    for name, value in same.items():
        if run.get(name) != value:
            raise MeepleError(f"{path} is of another run: {_difference(name, run.get(name), value)}.")
    for name, array in arrays.items():
        if name not in tensors or tensors[name].shape != array.shape or tensors[name].dtype != array.dtype:
            raise MeepleError(f"{path} does not fit this run: {name} is missing or has another shape.")
    for name, array in arrays.items():
        array[...] = tensors[name]
    return run


def _difference(name: str, found: Any, wanted: Any) -> str:
    """What is not the same, in a few words."""
    if isinstance(found, dict) and isinstance(wanted, dict):
        name = next(key for key in {**wanted, **found} if found.get(key) != wanted.get(key))
        return f"its setting {name} is {found.get(name)}, not {wanted.get(name)}"
    told = {"rules": "version of the rules"}.get(name, name)
    return f"its {told} is {found}, not {wanted}"

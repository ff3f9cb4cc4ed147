"""Log-probabilities of legal actions, with gradients: over the legal rows only, or as the theses compute them, over all actions.

The two are the same numbers and the same gradients (tests/nets, tests/learn); the first costs a twentieth on Jaipur.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from meeple.learn import ragged
from meeple.learn.model import Model
from meeple.nets.forward import MASK

Packed = tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32]]  # starts, places, rows: see Packer.pack


def legal_logs(model: Model, queries: torch.Tensor, packed: Packed) -> torch.Tensor:
    """(entries,) log-probabilities of the packed lists of legal actions."""
    starts, places, rows = packed
    if model.layout.head == "dense" or model.layout.after:
        return dense_logs(model, queries, packed)
    return ragged.log_softmax(ragged.scores(queries, *model.rows(rows), starts, places), starts)


def dense_logs(model: Model, queries: torch.Tensor, packed: Packed) -> torch.Tensor:
    """The same by scores of all actions, of which the illegal ones are lowered by 1e8; slow, as published."""
    starts, places, rows = packed
    lists = torch.from_numpy(np.repeat(np.arange(len(starts) - 1), np.diff(starts)))
    ids = torch.from_numpy(rows[places].astype(np.int64))
    mask = torch.full((len(starts) - 1, model.layout.actions), float(MASK))
    mask[lists, ids] = 0.0
    masked = queries @ model.parts["rows.weight"].T + model.parts["rows.bias"] + mask
    if model.layout.after:
        masked = torch.addmm(model.parts["after.bias"], masked, model.parts["after.weight"])
    return torch.log_softmax(masked, dim=1)[lists, ids]


def look(model: Model, observations: Any, packed: Packed, chosen: Any) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Of some decisions: log-probabilities of what was chosen (n,), values (n, values) and entropies (n,)."""
    queries, values = model(torch.from_numpy(observations))
    logs, starts = legal_logs(model, queries, packed), packed[0]
    return logs[torch.from_numpy(starts[:-1] + chosen)], values, ragged.entropies(logs, starts)

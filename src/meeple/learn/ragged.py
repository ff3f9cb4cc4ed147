"""The kernels of nets/ragged.py as differentiable functions of PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch.autograd import Function

from meeple.nets.ragged import log_softmax_lists, log_softmax_lists_back, score_lists, score_lists_back, sum_lists

Tensor = torch.Tensor


class _Scores(Function):
    @staticmethod
    def forward(ctx: Any, queries: Tensor, rows: Tensor, biases: Tensor, starts: Any, places: Any) -> Tensor:
        ctx.save_for_backward(queries, rows)
        ctx.lists = starts, places
        out = np.empty(len(places), np.float32)
        score_lists(queries.detach().numpy(), rows.detach().numpy(), biases.detach().numpy(), starts, places, out)
        return torch.from_numpy(out)

    @staticmethod
    def backward(ctx: Any, given: Tensor) -> Any:
        queries, rows = (tensor.detach().numpy() for tensor in ctx.saved_tensors)
        to_queries = np.zeros_like(queries)
        to_rows = np.zeros((rows.shape[0], rows.shape[1] + 1), np.float32)
        score_lists_back(given.contiguous().numpy(), queries, rows, ctx.lists, to_queries, to_rows)
        made = torch.from_numpy(to_rows)
        return torch.from_numpy(to_queries), made[:, :-1], made[:, -1], None, None


class _LogSoftmax(Function):
    @staticmethod
    def forward(ctx: Any, scores: Tensor, starts: Any) -> Tensor:
        out = np.empty(len(scores), np.float32)
        log_softmax_lists(scores.detach().numpy(), starts, out)
        logs = torch.from_numpy(out)
        ctx.save_for_backward(logs)
        ctx.starts = starts
        return logs

    @staticmethod
    def backward(ctx: Any, given: Tensor) -> Any:
        (logs,) = ctx.saved_tensors
        out = np.empty(len(logs), np.float32)
        log_softmax_lists_back(given.contiguous().numpy(), logs.detach().numpy(), ctx.starts, out)
        return torch.from_numpy(out), None


class _Sums(Function):
    @staticmethod
    def forward(ctx: Any, values: Tensor, starts: Any) -> Tensor:
        ctx.counts = torch.from_numpy(np.diff(starts))
        out = np.empty(len(starts) - 1, np.float32)
        sum_lists(values.detach().contiguous().numpy(), starts, out)
        return torch.from_numpy(out)

    @staticmethod
    def backward(ctx: Any, given: Tensor) -> Any:
        return given.repeat_interleave(ctx.counts), None


def scores(queries: Tensor, rows: Tensor, biases: Tensor, starts: Any, places: Any) -> Tensor:
    """(entries,) each list's query scored against the rows of its actions."""
    return _Scores.apply(queries, rows, biases, starts, places)  # type: ignore[no-any-return, no-untyped-call]


def log_softmax(values: Tensor, starts: Any) -> Tensor:
    """(entries,) log-probabilities within each list."""
    return _LogSoftmax.apply(values, starts)  # type: ignore[no-any-return, no-untyped-call]


def sums(values: Tensor, starts: Any) -> Tensor:
    """(lists,) the sum of each list."""
    return _Sums.apply(values, starts)  # type: ignore[no-any-return, no-untyped-call]


def centred(values: Tensor, starts: Any) -> Tensor:
    """(entries,) each list less its mean: a dueling network's advantages (Wang 2016), over the legal actions only."""
    counts = torch.from_numpy(np.diff(starts))
    return values - (sums(values, starts) / counts).repeat_interleave(counts)


def entropies(logs: Tensor, starts: Any) -> Tensor:
    """(lists,) entropy of each list's distribution."""
    return -sums(logs.exp() * logs, starts)

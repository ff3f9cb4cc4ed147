"""Scoring and softmax over the legal actions only, for learners: lists of different lengths lie one behind another.

List i is entries[starts[i] : starts[i + 1]]. Softmax over a dense output whose illegal actions are masked is the same number, at
many times the cost.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from meeple.core.kernel import fast, kernel


@kernel
def gather_lists(lists: Any, picks: Any, starts: Any, places: Any, rows: Any, marks: Any) -> int:
    """Pack the picked lists, each action as a number among those that occur at all: places[e] is which of rows[0:n], and
    rows hold the ids. marks has a zero for every action before and after. Returns n. lists = (starts, counts, ids)."""
    begins, counts, ids = lists
    n, e = 0, 0
    for i in range(picks.size):
        starts[i] = e
        first = begins[picks[i]]
        for j in range(first, first + counts[picks[i]]):
            action = ids[j]
            if marks[action] == 0:
                rows[n] = action
                n += 1
                marks[action] = n
            places[e] = marks[action] - 1
            e += 1
    starts[picks.size] = e
    for k in range(n):
        marks[rows[k]] = 0
    return n


@fast
def score_lists(queries: Any, rows: Any, biases: Any, starts: Any, places: Any, out: Any) -> None:
    """out[e] = query of its list . row of its action + bias."""
    for i in range(starts.size - 1):
        query = queries[i]
        for e in range(starts[i], starts[i + 1]):
            row = rows[places[e]]
            dot = biases[places[e]]
            for k in range(query.size):
                dot += row[k] * query[k]
            out[e] = dot


@fast
def score_lists_back(given: Any, queries: Any, rows: Any, lists: Any, to_queries: Any, to_rows: Any) -> None:
    """Gradients of score_lists, added to what is there; a row's last column is its bias's. lists = (starts, places)."""
    starts, places = lists
    width = queries.shape[1]
    for i in range(starts.size - 1):
        query, back = queries[i], to_queries[i]
        for e in range(starts[i], starts[i + 1]):
            g, row, to_row = given[e], rows[places[e]], to_rows[places[e]]
            for k in range(width):
                back[k] += g * row[k]
            for k in range(width):
                to_row[k] += g * query[k]
            to_row[width] += g


@kernel
def log_softmax_lists(scores: Any, starts: Any, out: Any) -> None:
    """Each list's log-probabilities."""
    for i in range(starts.size - 1):
        first, last = starts[i], starts[i + 1]
        most = scores[first]
        for e in range(first + 1, last):
            most = max(most, scores[e])
        total = np.float32(0.0)
        for e in range(first, last):
            total += np.exp(scores[e] - most)
        total = most + np.log(total)
        for e in range(first, last):
            out[e] = scores[e] - total


@kernel
def log_softmax_lists_back(given: Any, logs: Any, starts: Any, out: Any) -> None:
    """Gradient of log_softmax_lists: g - p * (sum of g over the list)."""
    for i in range(starts.size - 1):
        total = np.float32(0.0)
        for e in range(starts[i], starts[i + 1]):
            total += given[e]
        for e in range(starts[i], starts[i + 1]):
            out[e] = given[e] - np.exp(logs[e]) * total


@kernel
def sum_lists(values: Any, starts: Any, out: Any) -> None:
    """out[i] = sum of list i."""
    for i in range(starts.size - 1):
        total = np.float32(0.0)
        for e in range(starts[i], starts[i + 1]):
            total += values[e]
        out[i] = total


@kernel
def max_lists(values: Any, starts: Any, out: Any) -> None:
    """out[i] = place of the greatest of list i; the first of equals."""
    for i in range(starts.size - 1):
        best = starts[i]
        for e in range(starts[i] + 1, starts[i + 1]):
            if values[e] > values[best]:
                best = e
        out[i] = best

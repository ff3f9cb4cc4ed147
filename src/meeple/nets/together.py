"""The layers of a network for a whole minibatch, and the gradient by their weights.

A position by itself (nets/forward.py) fetches every weight for one product. Here four positions share what is fetched, and so do
four outputs: sixteen products for eight numbers, added up where the processor keeps them. That needs the weights of a layer output
by output, so they are turned first; and zeros are multiplied like everything else.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.kernel import fast, kernel
from meeple.nets.forward import row_of
from meeple.nets.layout import BIAS, INPUTS, OUTPUTS, WEIGHT, Layout

MOST = 64  # positions at a time: more would only leave the processor's cache
ABREAST = 8  # positions that are traced back together: a room has a multiple of them, the last ones perhaps empty


class Room(NamedTuple):
    """Where a minibatch of positions is worked on."""

    turned: NDArray[np.float32]  # (layout.size,) the weights of the layers, output by output
    seen: NDArray[np.float32]  # (positions, inputs)
    said: NDArray[np.float32]  # (hidden layers, positions, widest) by each layer
    slopes: NDArray[np.float32]  # (2, positions, widest) of the loss by what a layer said, and by what the one before it said
    queries: NDArray[np.float32]  # (positions, width) by which actions are scored, where that is not what the last layer said
    values: NDArray[np.float32]  # (positions, values)
    scores: NDArray[np.float32]  # (positions, most legal actions)
    best: NDArray[np.int64]  # (positions,) place of an action among the legal ones


def runs_together(layout: Layout) -> bool:
    """Can minibatches of such a network be worked on here?"""
    return layout.head != "table" and not (layout.items or layout.atoms > 1 or layout.after)


def make_room(layout: Layout, positions: int, most_legal: int) -> Room:
    """Empty, for so many positions, which a room has a few more of."""
    rows, widest = -(-positions // ABREAST) * ABREAST, max(layout.hidden)
    return Room(
        turned=np.zeros(layout.size, np.float32),
        seen=np.zeros((rows, layout.inputs), np.float32),
        said=np.zeros((len(layout.hidden), rows, widest), np.float32),
        slopes=np.zeros((2, rows, widest), np.float32),
        queries=np.zeros((rows, int(layout.table[-2, OUTPUTS])), np.float32),
        values=np.zeros((rows, layout.values), np.float32),
        scores=np.zeros((rows, most_legal), np.float32),
        best=np.zeros(rows, np.int64),
    )


# ---- Forward ----


@kernel
def turn_layers(weights: Any, layers: Any, room: Any) -> None:
    """To be called before `run_together` whenever the weights are others."""
    for i in range(layers.shape[0]):
        _turn(weights, layers[i], room.turned)


@kernel
def _turn(weights: Any, layer: Any, turned: Any) -> None:
    """A layer's weights output by output, from eight inputs at a time."""
    inputs, outputs, start = layer[INPUTS], layer[OUTPUTS], layer[WEIGHT]
    even = inputs - inputs % 8
    for i in range(0, even, 8):
        rows = weights[start + i * outputs : start + (i + 8) * outputs].reshape(8, outputs)
        p, q, r, s, t, u, v, w = rows[0], rows[1], rows[2], rows[3], rows[4], rows[5], rows[6], rows[7]
        for j in range(outputs):
            at = start + j * inputs + i
            turned[at], turned[at + 1], turned[at + 2], turned[at + 3] = p[j], q[j], r[j], s[j]
            turned[at + 4], turned[at + 5], turned[at + 6], turned[at + 7] = t[j], u[j], v[j], w[j]
    for i in range(even, inputs):
        for j in range(outputs):
            turned[start + j * inputs + i] = weights[start + i * outputs + j]


@fast
def run_together(weights: Any, layers: Any, room: Any) -> None:
    """From room.seen to what every layer says, the queries and the values."""
    last = room.said.shape[0] - 1
    for i in range(last + 1):
        _run_layer(weights, layers[i], room, room.seen if i == 0 else room.said[i - 1], room.said[i])
        _bend(room.said[i], layers[i, OUTPUTS])
    if room.queries.shape[1] > 0:
        _run_layer(weights, layers[last + 1], room, room.said[last], room.queries)
    _run_layer(weights, layers[last + 2], room, room.said[last], room.values)


@fast
def _run_layer(weights: Any, layer: Any, room: Any, x: Any, out: Any) -> None:
    """out = x W + b."""
    inputs, outputs, start = layer[INPUTS], layer[OUTPUTS], layer[WEIGHT]
    multiply(x, room.turned[start : start + inputs * outputs].reshape(outputs, inputs), out)
    bias = weights[layer[BIAS] : layer[BIAS] + outputs]
    for b in range(out.shape[0]):
        for j in range(outputs):
            out[b, j] += bias[j]


@fast
def _bend(said: Any, outputs: int) -> None:
    """Relu."""
    for b in range(said.shape[0]):
        for j in range(outputs):
            said[b, j] = max(said[b, j], np.float32(0.0))


@fast
def multiply(x: Any, rows: Any, out: Any) -> None:
    """out[b, r] = sum over k of x[b, k] * rows[r, k], for all positions b, as many as a multiple of four."""
    count = rows.shape[0]
    even = count - count % 4
    for b in range(0, x.shape[0], 4):
        for r in range(0, even, 4):
            _sixteen(x[b : b + 4], rows[r : r + 4], out[b : b + 4, r : r + 4])
        for r in range(even, count):
            for i in range(b, b + 4):
                dot = np.float32(0.0)
                for k in range(rows.shape[1]):
                    dot += x[i, k] * rows[r, k]
                out[i, r] = dot


@fast
def _sixteen(x: Any, rows: Any, out: Any) -> None:
    """Four positions by four outputs. Sixteen names instead of a loop, so that all sums stay in registers."""
    zero = np.float32(0.0)
    a0, a1, a2, a3, b0, b1, b2, b3 = zero, zero, zero, zero, zero, zero, zero, zero
    c0, c1, c2, c3, d0, d1, d2, d3 = zero, zero, zero, zero, zero, zero, zero, zero
    xa, xb, xc, xd = x[0], x[1], x[2], x[3]
    r0, r1, r2, r3 = rows[0], rows[1], rows[2], rows[3]
    for k in range(rows.shape[1]):
        a, b, c, d = xa[k], xb[k], xc[k], xd[k]
        w0, w1, w2, w3 = r0[k], r1[k], r2[k], r3[k]
        a0, a1, a2, a3 = a0 + a * w0, a1 + a * w1, a2 + a * w2, a3 + a * w3
        b0, b1, b2, b3 = b0 + b * w0, b1 + b * w1, b2 + b * w2, b3 + b * w3
        c0, c1, c2, c3 = c0 + c * w0, c1 + c * w1, c2 + c * w2, c3 + c * w3
        d0, d1, d2, d3 = d0 + d * w0, d1 + d * w1, d2 + d * w2, d3 + d * w3
    out[0, 0], out[0, 1], out[0, 2], out[0, 3] = a0, a1, a2, a3
    out[1, 0], out[1, 1], out[1, 2], out[1, 3] = b0, b1, b2, b3
    out[2, 0], out[2, 1], out[2, 2], out[2, 3] = c0, c1, c2, c3
    out[3, 0], out[3, 1], out[3, 2], out[3, 3] = d0, d1, d2, d3


# ---- Back ----


@fast
def trace_values(weights: Any, layers: Any, gradient: Any, room: Any, positions: int) -> None:
    """From the slopes by the values (room.values) of so many positions to the gradient by their layer, and to the slopes by what
    the last hidden layer said (room.slopes[0]), to which those by scores may be added. Of empty positions these are zero."""
    layer, last = layers[layers.shape[0] - 1], room.said.shape[0] - 1
    inputs, outputs, start = layer[INPUTS], layer[OUTPUTS], layer[WEIGHT]
    room.values[positions:] = np.float32(0.0)
    _trace_weights(layer, room.said[last], room.values, gradient)
    multiply(room.values, weights[start : start + inputs * outputs].reshape(inputs, outputs), room.slopes[0])


@fast
def trace_together(weights: Any, layers: Any, gradient: Any, room: Any) -> None:
    """From the slopes by what the last hidden layer said, room.slopes[0], to the gradient by the hidden layers."""
    now = 0
    for i in range(room.said.shape[0] - 1, -1, -1):
        layer, slope = layers[i], room.slopes[now]
        inputs, outputs, start = layer[INPUTS], layer[OUTPUTS], layer[WEIGHT]
        _cut(room.said[i], slope, outputs)
        _trace_weights(layer, room.seen if i == 0 else room.said[i - 1], slope, gradient)
        if i > 0:
            multiply(slope, weights[start : start + inputs * outputs].reshape(inputs, outputs), room.slopes[1 - now])
        now = 1 - now


@fast
def _cut(said: Any, slope: Any, outputs: int) -> None:
    """What a relu cut off has no slope."""
    for b in range(said.shape[0]):
        for j in range(outputs):
            slope[b, j] = slope[b, j] if said[b, j] > 0.0 else np.float32(0.0)


@fast
def _trace_weights(layer: Any, x: Any, slope: Any, gradient: Any) -> None:
    bias = gradient[layer[BIAS] : layer[BIAS] + layer[OUTPUTS]]
    for b in range(slope.shape[0]):
        for j in range(layer[OUTPUTS]):
            bias[j] += slope[b, j]
    for i in range(layer[INPUTS]):
        row = row_of(gradient, layer, i)
        for b in range(0, slope.shape[0], ABREAST):
            _add_eight(x[b : b + ABREAST], i, slope[b : b + ABREAST], row)


@fast
def _add_eight(x: Any, i: int, slope: Any, row: Any) -> None:
    """row += what input i of eight positions was, times their slopes."""
    a, b, c, d, e, f, g, h = x[0, i], x[1, i], x[2, i], x[3, i], x[4, i], x[5, i], x[6, i], x[7, i]
    s, t, u, v = slope[0], slope[1], slope[2], slope[3]
    w, y, z, q = slope[4], slope[5], slope[6], slope[7]
    for j in range(row.size):
        row[j] += a * s[j] + b * t[j] + c * u[j] + d * v[j] + e * w[j] + f * y[j] + g * z[j] + h * q[j]

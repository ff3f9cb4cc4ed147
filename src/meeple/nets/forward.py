"""The forward pass as a kernel: from an observation to the scores of the legal actions and the values.

Weights lie input by input (`out[j] += x[i] * W[i, j]`), so that inputs that are zero, as half of those behind a relu are, cost
nothing, and what is left runs over neighbouring numbers.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.game import NO_ITEM, Items
from meeple.core.kernel import fast, kernel
from meeple.core.rng import GOLDEN, mix
from meeple.nets.items import ItemNet, ask_items, make_items, score_item, tell_items
from meeple.nets.layout import BIAS, INPUTS, OUTPUTS, WEIGHT, Layout

_S40, _ONE, _LOW = np.uint64(40), np.uint64(1), np.uint64((1 << 40) - 1)
MASK = np.float32(-1e8)  # what a masked action's score is lowered by, as the theses do
LEAST = 1e-30  # a probability of which the logarithm is still a number


class Net(NamedTuple):
    """A network ready to be asked. The weights are whoever trains them's own memory; the rest is room to work in."""

    weights: NDArray[np.float32]  # (layout.size,)
    layers: NDArray[np.int64]  # (hidden layers + 2, 4): see Layout.table
    rows: NDArray[np.float32]  # (actions, row width)
    biases: NDArray[np.float32]  # (actions,)
    room: NDArray[np.float32]  # (3, widest layer): two layers, and the query
    values: NDArray[np.float32]  # (values,) as the last call left them
    scores: NDArray[np.float32]  # (most legal actions,) likewise
    mean: NDArray[np.float32]  # (1,) of the advantages, where dueling took it off
    support: NDArray[np.float32]  # (atoms,) the returns that a distribution speaks of
    chances: NDArray[np.float32]  # (most legal actions, atoms) with more than one atom: the distribution of each action's return
    lifts: NDArray[np.float32]  # (atoms,) room for the value part of dueling distributions
    after: NDArray[np.float32]  # (actions, actions) a layer behind the mask, or nothing: see Layout.after
    after_bias: NDArray[np.float32]  # (actions,)
    dense: NDArray[np.float32]  # (2, actions) room for it
    items: ItemNet
    dueling: int  # 2: with relus
    q: int  # are scores values of actions?
    table: int  # are rows those of a table, and biases its keys?


def make_net(
    layout: Layout,
    weights: NDArray[np.float32],
    most_legal: int,
    features: NDArray[np.float32] | None = None,
    items: Items | None = None,
) -> Net:
    """A network on somebody's weights. With a features head call `refresh_rows` whenever these change."""
    if layout.head == "features":
        rows, biases = np.zeros((layout.actions, layout.width), np.float32), np.zeros(layout.actions, np.float32)
    elif layout.head == "table":
        rows, biases = layout.of(weights, "table"), layout.of(weights, "keys")
    else:
        rows, biases = layout.of(weights, "rows.weight"), layout.of(weights, "rows.bias")
    net = Net(
        weights=weights,
        layers=layout.table,
        rows=rows,
        biases=biases,
        room=np.zeros((3, max(layout.first_inputs, layout.width * layout.atoms, *layout.hidden)), np.float32),
        values=np.zeros(layout.values, np.float32),
        scores=np.zeros(most_legal, np.float32),
        mean=np.zeros(1, np.float32),
        support=np.linspace(layout.low, layout.high, layout.atoms, dtype=np.float32),
        chances=np.zeros((most_legal if layout.atoms > 1 else 0, layout.atoms), np.float32),
        lifts=np.zeros(layout.atoms, np.float32),
        after=layout.of(weights, "after.weight") if layout.after else np.zeros((0, 0), np.float32),
        after_bias=layout.of(weights, "after.bias") if layout.after else np.zeros(0, np.float32),
        dense=np.zeros((2, layout.actions if layout.after else 0), np.float32),
        items=make_items(layout, weights, items),
        dueling=int(layout.dueling) + int(layout.dueling and layout.relu_heads),
        q=int(layout.q),
        table=int(layout.head == "table"),
    )
    if layout.head == "features":
        assert features is not None
        refresh_rows(layout, net, features)
    return net


def refresh_rows(layout: Layout, net: Net, features: NDArray[np.float32], ids: NDArray[np.int32] | None = None) -> None:
    """The rows of all actions, or of some, from their features, for the weights as they are."""
    made = features if ids is None else features[ids]
    last = len(layout.row_hidden)
    for i in range(last + 1):
        made = made @ layout.of(net.weights, f"rows.{i}.weight") + layout.of(net.weights, f"rows.{i}.bias")
        if i < last:
            np.maximum(made, 0, out=made)
    net.rows[slice(None) if ids is None else ids] = made


@fast
def evaluate(net: Any, observation: Any, actions: Any, n: int) -> None:
    """Scores of the n listed actions into net.scores, values into net.values."""
    if net.table:
        _look_up(net, observation, actions, n)
    else:
        last = net.layers.shape[0] - 2
        x = _run_trunk(net, observation)
        run_layer(net.weights, net.layers[last + 1], x, net.lifts if net.support.size > 1 else net.values, False)
        if net.layers[last, OUTPUTS] > 0:
            run_layer(net.weights, net.layers[last], x, net.room[2], False)
            x = net.room[2]
        if net.support.size > 1:
            _score_atoms(net, x, actions, n)
        elif net.after.shape[0] > 0:
            _score_behind_the_mask(net, x, actions, n)
        else:
            if net.items.told.shape[0] > 0:
                ask_items(net.items, x)
            score(net, x, actions, n)
    if net.q:
        net.values[0] = net.scores[0]
        for j in range(1, n):
            net.values[0] = max(net.values[0], net.scores[j])


@fast
def evaluate_values(net: Any, observation: Any) -> None:
    """Only the values, of a network that tells them without its actions."""
    if net.q:
        return
    x = _run_trunk(net, observation)
    run_layer(net.weights, net.layers[net.layers.shape[0] - 1], x, net.values, False)


@fast
def evaluate_query(net: Any, observation: Any, query: Any) -> None:
    """The values into net.values, and the query by which `score` scores actions, of a network that has one."""
    x = _run_trunk(net, observation)
    last = net.layers.shape[0] - 2
    run_layer(net.weights, net.layers[last + 1], x, net.values, False)
    run_layer(net.weights, net.layers[last], x, query, False)


@fast
def _run_trunk(net: Any, observation: Any) -> Any:
    """Through the hidden layers; returns the last one's outputs."""
    if net.items.told.shape[0] > 0:
        tell_items(net.items, observation)
        run_layer(net.weights, net.layers[0], net.items.seen, net.room[0], True)
    else:
        run_layer(net.weights, net.layers[0], observation, net.room[0], True)
    now = 0
    for i in range(1, net.layers.shape[0] - 2):
        run_layer(net.weights, net.layers[i], net.room[now], net.room[1 - now], True)
        now = 1 - now
    return net.room[now]


@fast
def run_layer(weights: Any, layer: Any, x: Any, out: Any, relu: bool) -> None:
    """out = x W + b, four inputs that are not zero at a time."""
    n, bias = layer[OUTPUTS], weights[layer[BIAS] : layer[BIAS] + layer[OUTPUTS]]
    for j in range(n):
        out[j] = bias[j]
    k, i0, i1, i2 = 0, 0, 0, 0
    for i in range(layer[INPUTS]):
        if x[i] != 0.0:
            if k == 3:
                _add_four(weights, layer, x, out, (i0, i1, i2, i))
                k = 0
            else:
                if k == 0:
                    i0 = i
                elif k == 1:
                    i1 = i
                else:
                    i2 = i
                k += 1
    if k > 0:
        _add_one(weights, layer, x, out, i0)
    if k > 1:
        _add_one(weights, layer, x, out, i1)
    if k > 2:
        _add_one(weights, layer, x, out, i2)
    if relu:
        for j in range(n):
            out[j] = max(out[j], np.float32(0.0))


@fast
def row_of(weights: Any, layer: Any, i: int) -> Any:
    """The weights of a layer's input i."""
    start = layer[WEIGHT] + i * layer[OUTPUTS]
    return weights[start : start + layer[OUTPUTS]]


@fast
def _add_four(weights: Any, layer: Any, x: Any, out: Any, four: Any) -> None:
    a, b, c, d = x[four[0]], x[four[1]], x[four[2]], x[four[3]]
    u, v = row_of(weights, layer, four[0]), row_of(weights, layer, four[1])
    w, z = row_of(weights, layer, four[2]), row_of(weights, layer, four[3])
    for j in range(layer[OUTPUTS]):
        out[j] += a * u[j] + b * v[j] + c * w[j] + d * z[j]


@fast
def _add_one(weights: Any, layer: Any, x: Any, out: Any, i: int) -> None:
    a, row = x[i], row_of(weights, layer, i)
    for j in range(layer[OUTPUTS]):
        out[j] += a * row[j]


@fast
def score(net: Any, query: Any, actions: Any, n: int) -> None:
    """Scores of the n listed actions by a query, into net.scores."""
    width = net.rows.shape[1]
    total = np.float32(0.0)
    for j in range(n):
        row = net.rows[actions[j]]
        dot = net.biases[actions[j]]
        for k in range(width):
            dot += row[k] * query[k]
        if net.items.told.shape[0] > 0 and net.items.item[actions[j]] != NO_ITEM:
            dot += score_item(net.items, actions[j])
        if net.dueling == 2:
            dot = max(dot, np.float32(0.0))
        net.scores[j] = dot
        total += dot
    if net.dueling:
        net.mean[0] = total / np.float32(n)
        value = max(net.values[0], np.float32(0.0)) if net.dueling == 2 else net.values[0]
        for j in range(n):
            net.scores[j] += value - net.mean[0]


@fast
def _score_atoms(net: Any, query: Any, actions: Any, n: int) -> None:
    """A distribution for each action; its score is the mean."""
    atoms, width = net.support.size, net.rows.shape[1]
    for j in range(n):
        row = net.rows[actions[j]]
        for z in range(atoms):
            dot = np.float32(0.0)
            for k in range(width):
                dot += row[k] * query[z * width + k]
            net.chances[j, z] = dot
    if net.dueling:
        for z in range(atoms):
            total = np.float32(0.0)
            for j in range(n):
                total += net.chances[j, z]
            for j in range(n):
                net.chances[j, z] += net.lifts[z] - total / np.float32(n)
    for j in range(n):
        net.scores[j] = _soften(net.chances[j], net.support)


@fast
def _soften(chances: Any, support: Any) -> Any:
    """Softmax in place; returns the mean."""
    most = chances[0]
    for z in range(1, support.size):
        most = max(most, chances[z])
    total, mean = np.float32(0.0), np.float32(0.0)
    for z in range(support.size):
        chances[z] = np.exp(chances[z] - most)
        total += chances[z]
        mean += chances[z] * support[z]
    for z in range(support.size):
        chances[z] /= total
    return mean / total


@kernel
def _look_up(net: Any, observation: Any, actions: Any, n: int) -> None:
    """From a table; what was never met is worth nothing."""
    place, _ = find_key(net.biases, observation)
    for j in range(n):
        net.scores[j] = np.float32(0.0) if place < 0 else net.rows[place, actions[j]]


@kernel
def find_key(keys: Any, observation: Any) -> Any:
    """(place, key) of an observation in a table; place is -1 - (where it would belong) where it is not held, and -1 - len(keys)
    where there is no room. A key is 24 bits of a hash, exact as float32, and the other 40 tell the place: in a table of a million
    observations the chance that any two are taken for one is about a tenth."""
    word = np.uint64(0)
    for bits in observation.view(np.uint32):
        word = mix(word + GOLDEN + np.uint64(bits))
    key, place = np.float32((word >> _S40) + _ONE), np.int64(word & _LOW) % keys.size
    for _ in range(keys.size):
        if keys[place] == key:
            return place, key
        if keys[place] == 0.0:
            return -1 - place, key
        place = (place + 1) % keys.size
    return -1 - keys.size, key


@fast
def _score_behind_the_mask(net: Any, query: Any, actions: Any, n: int) -> None:
    """All actions are scored, the illegal ones masked, and a last layer makes new scores of these, which may prefer an illegal
    action; a legal one is then played at random. So a legal action's probability is its own and its share of theirs."""
    masked, out = net.dense[0], net.dense[1]
    for k in range(masked.size):
        masked[k] = MASK
    for j in range(n):
        masked[actions[j]] = np.float32(0.0)
    for k in range(out.size):
        out[k] = net.after_bias[k]
    for k in range(masked.size):
        dot = net.biases[k]
        for i in range(net.rows.shape[1]):
            dot += net.rows[k, i] * query[i]
        dot += masked[k]
        for i in range(out.size):
            out[i] += dot * net.after[k, i]
    _share_out(net, out, actions, n)


@fast
def _share_out(net: Any, out: Any, actions: Any, n: int) -> None:
    """Scores of the n legal actions by the softmax over all, with what illegal ones have divided among them."""
    most, total, mine = out[0], 0.0, 0.0
    for k in range(out.size):
        most = max(most, out[k])
    for k in range(out.size):
        total += np.exp(out[k] - most)
    for j in range(n):
        mine += np.exp(out[actions[j]] - most)
    for j in range(n):
        net.scores[j] = np.log((np.exp(out[actions[j]] - most) + (total - mine) / n) / total + LEAST)


@kernel
def best_score(net: Any, n: int) -> int:
    """Place of the best of the n scores last computed; the first of equals."""
    best = 0
    for j in range(1, n):
        if net.scores[j] > net.scores[best]:
            best = j
    return best


@kernel
def log_sum_exp(scores: Any, n: int, temperature: float) -> float:
    """Logarithm of the sum of exp(score / temperature) over the first n."""
    most = scores[0]
    for j in range(1, n):
        most = max(most, scores[j])
    total = 0.0
    for j in range(n):
        total += np.exp((scores[j] - most) / temperature)
    return most / temperature + np.log(total)  # type: ignore[no-any-return]

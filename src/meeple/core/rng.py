"""Random streams: one word of state each, in an array of length one, so that a record's field and a loose array serve alike.

SplitMix64 (Steele, Lea, Flood 2014): a counter and a mixing function, 2^64 long, cheap to copy, to seed and to derive from.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

import numpy as np

from meeple.core.kernel import kernel

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_M1 = np.uint64(0xBF58476D1CE4E5B9)
_M2 = np.uint64(0x94D049BB133111EB)
_S11, _S27, _S30, _S31, _S32 = np.uint64(11), np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
_TO_UNIT = 1.0 / 9007199254740992.0  # 2^-53

# What is derived from one seed, by number. 0 and 1 are the game's own: its luck at the deal and at a redeal.
RANDOM_PLAY = 2  # of a game's seed: the actions of a random game
PLAYOUT = 3  # of the seed of a determinization: the luck of playouts in it
REDEALT = 7  # of an agent's stream: the redeal of what it is shown
AGENT = 100  # of a game's seed, sealed: this plus the number of an agent is the luck of that agent
OPPONENTS = 101  # of a game's seed in a batch: the luck of those who play against a learner
PERSONS_OPPONENT, HINT = 200, 201  # of a person's game, and then by ply: the luck of the agents, and of hints
AT_HAND = 300  # of an agent that a script asks itself, and then by ply
SELF_PLAY = 400  # of a game's seed: the luck of searches that play it against each other
LUCK = 500  # of a game's or a match's seed: the deals that its luck is compared with


@kernel
def mix(word: Any) -> Any:
    """A bijection of 64-bit words in which every input bit moves about half of the output bits."""
    z = (word ^ (word >> _S30)) * _M1
    z = (z ^ (z >> _S27)) * _M2
    return z ^ (z >> _S31)


@kernel
def draw(stream: Any, n: int) -> int:
    """A number from 0 to n-1. The bias is below n / 2^32, far under what any sample here can see."""
    stream[0] += GOLDEN
    return np.int64(((mix(stream[0]) >> _S32) * np.uint64(n)) >> _S32)  # type: ignore[return-value]


@kernel
def uniform(stream: Any) -> float:
    """A number from 0 to 1, without 1."""
    stream[0] += GOLDEN
    return np.int64(mix(stream[0]) >> _S11) * _TO_UNIT


@kernel
def derive(seed: Any, index: Any) -> Any:
    """The seed of the index-th thing under a seed: games of a batch, redeals of a search."""
    return mix(mix(np.uint64(seed) + GOLDEN) ^ (np.uint64(index) * GOLDEN + _M1))


@kernel
def shuffle(cards: Any, n: int, stream: Any) -> None:
    """Fisher-Yates on cards[0:n]."""
    for i in range(n - 1, 0, -1):
        j = draw(stream, i + 1)
        swapped = cards[i]
        cards[i] = cards[j]
        cards[j] = swapped


def stream(seed: int) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """A loose stream for the shell and for policies; a state carries its own."""
    return np.array([mix(np.uint64(seed % 2**64))], dtype=np.uint64)


def child(seed: int, index: int) -> int:
    """`derive` for the shell: plain numbers in and out."""
    return int(derive(np.uint64(seed % 2**64), np.uint64(index)))


def sealed(seed: int, index: int) -> int:
    """A child that does not give its parent away. `derive` can be reckoned backwards, so that an agent whose luck was derived from
    the deal's seed could reckon the deal."""
    words = np.array([seed % 2**64, index], np.uint64).tobytes()
    return int.from_bytes(blake2b(words, digest_size=8).digest(), "little")

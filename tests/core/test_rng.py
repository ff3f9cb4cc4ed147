"""Random streams against the published algorithm."""

from __future__ import annotations

import numpy as np

from meeple.core import rng
from meeple.core.rng import child, derive, draw, mix, shuffle, stream


def splitmix64(state: int) -> int:
    """Steele, Lea and Flood's function in plain integers."""
    mask = 2**64 - 1
    z = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9 & mask
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & mask
    return z ^ (z >> 31)


def test_mix_is_splitmix64() -> None:
    for word in (0, 1, 2**63, 2**64 - 1, 1234567890123456789):
        assert int(mix(np.uint64(word))) == splitmix64(word)


def test_draw_is_the_high_half_scaled() -> None:
    loose = np.array([5], np.uint64)
    state = 5
    for n in (2, 6, 52, 25_499):
        state = (state + 0x9E3779B97F4A7C15) % 2**64
        assert draw(loose, n) == (splitmix64(state) >> 32) * n >> 32


def test_derived_seeds_differ_and_do_not_repeat_the_parent() -> None:
    seeds = {child(seed, index) for seed in range(100) for index in range(100)}
    assert len(seeds) == 10_000
    assert child(7, 3) == int(derive(np.uint64(7), np.uint64(3)))


def test_every_order_of_a_shuffle_is_equally_likely() -> None:
    loose = stream(1)
    seen: dict[tuple[int, ...], int] = {}
    for _ in range(6000):
        cards = np.arange(3)
        shuffle(cards, 3, loose)
        seen[tuple(cards.tolist())] = seen.get(tuple(cards.tolist()), 0) + 1
    assert len(seen) == 6
    assert max(seen.values()) - min(seen.values()) < 200


def test_what_is_derived_from_one_seed_has_numbers_of_its_own() -> None:
    """0 and 1 are the game's luck: whoever else used one would draw the very words that the dice or the deck come from."""
    names = ("RANDOM_PLAY", "PLAYOUT", "REDEALT", "AGENT", "OPPONENTS", "PERSONS_OPPONENT", "HINT", "AT_HAND")
    numbers = [getattr(rng, name) for name in names]
    assert len(set(numbers)) == len(numbers)
    assert min(numbers) > 1

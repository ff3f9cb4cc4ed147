"""The three action sets: their sizes, their names, and the largest number of legal actions."""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pytest

import meeple
from meeple.core.kernel import JIT, kernel
from meeple.games.jaipur import actions
from meeple.games.jaipur.components import CARDS_OF
from meeple.games.jaipur.multisets import MULTISETS
from meeple.games.jaipur.rules import legal
from tests.games.jaipur.positions import position


@pytest.mark.parametrize("size", [25499, 25469, 25502])
def test_a_set_has_as_many_actions_as_it_is_called_and_every_name_reads_back(size: int) -> None:
    variant = meeple.find_variant(f"jaipur:round,actions={size}")
    assert variant.shape.actions == size
    names = [variant.format_action(action) for action in range(size)]
    assert len(set(names)) == size
    assert [variant.parse_action(name) for name in names] == list(range(size))


def test_the_exchanges_of_each_size_are_as_many_as_the_rules_file_counts() -> None:
    sizes = MULTISETS[actions.EXCHANGE_TAKEN].sum(axis=1)
    assert {n: int((sizes == n).sum()) for n in range(2, 6)} == {2: 351, 3: 1786, 4: 6231, 5: 17088}
    assert actions.SALES == 36
    assert actions.EXCHANGES == 25456


@kernel
def most_legal(states: Any, markets: Any, hands: Any, out: Any, best: Any) -> int:
    """Go through every market, hand and herd; best gets the indices of a position with the most legal actions."""
    most = 0
    s = states[0]
    for m in range(markets.shape[0]):
        for h in range(hands.shape[0]):
            for herd in range(6):
                for kind in range(7):
                    s.market[kind] = markets[m, kind]
                for good in range(6):
                    s.hand[0, good] = hands[h, good]
                s.herd[0] = herd
                possible = markets[m, 6] + herd <= 11
                for good in range(6):
                    possible &= markets[m, good] + hands[h, good] <= CARDS_OF[good]
                if possible:
                    n = legal(s, out)
                    if n > most:
                        most = n
                        best[0], best[1], best[2] = m, h, herd
    return most


@pytest.mark.skipif(not JIT, reason="4.7 million positions need the compiler")
def test_no_position_has_more_than_167_legal_actions_and_one_has() -> None:
    markets = np.array([[c.count(k) for k in range(7)] for c in combinations_with_replacement(range(7), 5)], np.int8)
    best = np.zeros(3, np.int64)
    out = np.empty(400, np.int32)
    most = most_legal(meeple.find_variant("jaipur:round").empty(), markets, MULTISETS, out, best)
    assert most == 167 == actions.MAX_LEGAL


def test_a_position_with_167_legal_actions() -> None:
    state = position(market="D D G G S", hand="C C P P L L", herd=1)
    assert len(set(state.legal())) == 167
    assert sum(move.startswith("exchange") for move in state.moves()) == 158


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "a move is one of"),
        ("steal diamond", "a move is one of"),
        ("take", "a move is one of"),
        ("take ruby", "no card 'ruby'"),
        ("sell 1 gold", "gold is sold by 2 to 6"),
        ("sell 8 leather", "leather is sold by 1 to 7"),
        ("sell two leather", "a move is one of"),
        ("sell 2 camels", "camels cannot be sold"),
        ("exchange L L", "GIVEN > TAKEN"),
        ("exchange L L >", "2 cards given and 0 taken"),
        ("choose sell", "a move is one of"),
    ],
)
def test_what_is_no_move_is_refused_with_the_reason(text: str, why: str) -> None:
    with pytest.raises(meeple.UnreadableMove, match=why):
        meeple.find_variant("jaipur:round").parse_action(text)


def test_reading_is_generous_about_case_words_and_order() -> None:
    variant = meeple.find_variant("jaipur:round")
    assert variant.parse_action("Exchange camel, leather, L > silver D G") == variant.parse_action("exchange L L M > D G S")
    assert variant.parse_action("SELL 3 diamonds") == variant.parse_action("sell 3 diamond")

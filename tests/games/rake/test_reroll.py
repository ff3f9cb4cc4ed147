"""The fast expectation of rerolls, from tables of rolls, against the plain one."""

from __future__ import annotations

import numpy as np
import pytest

from meeple.agents.registry import find_agent
from meeple.core.agent import ask
from meeple.core.kernel import JIT
from meeple.core.rng import child
from meeple.games.rake.combinations import accepted
from meeple.games.rake.components import PROPERTIES
from meeple.games.rake.lookahead import Lookahead
from meeple.games.rake.reroll import best_reroll
from meeple.games.rake.rolls import BROWN_ROLLS, BROWNS, ORANGE_ROLLS, USES, first_use, kinds_of, make_rolls
from meeple.games.rake.state import REROLL
from tests.games.rake.plain import plain_hopes
from tests.games.rake.positions import roll, table

slow = pytest.mark.skipif(not JIT, reason="all rolls of the dice are too many without the compiler")


def test_every_roll_serves_what_the_rules_say() -> None:
    """Uses of an empty sheet on a few rolls, read back from the tables."""
    rolls = make_rolls()[0]
    assert rolls.first.max() + 1 == USES  # the last need, a row of Hamlin, has one
    for dice in ("123 44 6", "555 55 5", "266 13 3", "146 25 4"):
        state = roll(table("official"), dice)
        s = state.data
        number = ORANGE_ROLLS.index(tuple(s.dice[:3])) * BROWNS + BROWN_ROLLS.index(tuple(s.dice[3:5]))
        for a in range(PROPERTIES):
            use = first_use(rolls, s, a)
            uses = range(use, use + kinds_of(s, a))
            fits = any(int(rolls.pairs[use, use, s.dice[5] - 1, number // 64]) >> number % 64 & 1 for use in uses)
            assert fits == bool(accepted(s, a))


@slow
@pytest.mark.parametrize(
    ("variant", "player", "games"), [("complete", "lookahead", 8), ("official", "random-nopass", 8), ("official-2", "lookahead", 3)]
)
def test_the_fast_expectation_is_the_plain_one(variant: str, player: str, games: int) -> None:
    state = table(variant)
    find = find_agent("lookahead", state.variant.game)
    me: Lookahead = find.make(state.variant)
    agent = find_agent(player, state.variant.game).make(state.variant)
    positions = 0
    for number in range(games):
        state = table(variant, number)
        while not state.over:
            if state.data.phase == REROLL:
                before = state.array.tobytes()
                again, most = best_reroll(me, state.data)
                assert state.array.tobytes() == before
                hoped = plain_hopes(me.evaluation, state.data)
                np.testing.assert_allclose(me.desk[0].hoped, hoped, rtol=0, atol=1e-9)
                assert most == pytest.approx(hoped[1:].max(), abs=1e-8) and hoped[again] == pytest.approx(most, abs=1e-9)
                positions += 1
            state.play(ask(agent, state, child(number, state.ply)))
    assert positions > 60

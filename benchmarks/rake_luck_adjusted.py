"""Scores of Rake&Roll with the luck of the dice taken out, so that a few hundred games tell what raw scores tell in thousands.

    python benchmarks/rake_luck_adjusted.py rake:complete mcts lookahead --games 400 --seed 1

Whenever dice fall, what the guide thinks of the table after them is compared with what it thought on average before: the mean over
SAMPLES rolls at the start of a turn, its expectation of the reroll within one. These differences are zero on average whatever the
guide is worth and whoever plays, so scores less their sum have the same mean as scores, and vary far less.
"""

from __future__ import annotations

import argparse
import json
from typing import Any

import numpy as np

from meeple.agents.registry import find_agent
from meeple.core.agent import ask
from meeple.core.game import Variant
from meeple.core.guide import advise
from meeple.core.intervals import student
from meeple.core.kernel import kernel
from meeple.core.registry import find_variant
from meeple.core.rng import child, draw, stream
from meeple.core.state import State, new
from meeple.core.verbs import legal
from meeple.games.rake.actions import TAKE_DICE

SAMPLES = 80
DICE = 6


@kernel
def worth(guide: Any, s: Any, out: Any, logits: Any, values: Any) -> float:
    advise(guide, s, out, legal(s, out), logits, values)
    return values[0]  # type: ignore[no-any-return]


@kernel
def worth_of_rolls(guide: Any, table: Any, luck: Any, out: Any, logits: Any, values: Any) -> float:
    """The mean over rolls of a table at the start of a turn."""
    total = 0.0
    for _ in range(SAMPLES):
        for die in range(DICE):
            table.dice[die] = draw(luck, 6) + 1
        total += worth(guide, table, out, logits, values)
    return total / SAMPLES


class Meter:
    """Measures the luck of one game."""

    def __init__(self, variant: Variant, seed: int) -> None:
        assert variant.game.guide is not None
        self.guide = variant.game.guide(variant)
        self.room = (np.zeros(variant.shape.room, np.int32), np.zeros(variant.shape.room), np.zeros(variant.shape.seats))
        self.stream = stream(seed)

    def of_turn(self, state: State) -> float:
        return worth(self.guide, state.data, *self.room) - worth_of_rolls(self.guide, state.copy().data, self.stream, *self.room)

    def expected(self, state: State, action: int) -> float | None:
        """Of a reroll; of other actions nothing."""
        if state.variant.name == "simple" or action >= TAKE_DICE:
            return None
        worth(self.guide, state.data, *self.room)
        return float(self.room[1][state.legal().index(action)])

    def now(self, state: State) -> float:
        return worth(self.guide, state.data, *self.room)


def play(variant: Variant, spec: str, seed: int) -> tuple[float, float]:
    """The score, and the score without its luck."""
    agent, meter, state = find_agent(spec, variant.game).make(variant), Meter(variant, child(seed, 1)), new(variant, seed)
    luck = meter.of_turn(state)
    while True:
        legal_actions, turn = state.legal(), state.turn
        action = ask(agent, state, child(seed, 1000 + state.ply)) if len(legal_actions) > 1 else legal_actions[0]
        expected = meter.expected(state, action)
        state.play(action)
        if state.over:
            return state.scores()[0], state.scores()[0] - luck
        if expected is not None:
            luck += meter.now(state) - expected
        elif state.turn != turn:
            luck += meter.of_turn(state)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("variant")
    parser.add_argument("agents", nargs="+")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    given = parser.parse_args()
    variant = find_variant(given.variant)
    found = {}
    for spec in given.agents:
        found[spec] = np.array([play(variant, spec, child(given.seed, given.first + i)) for i in range(given.games)])
    first = found[given.agents[0]]
    for spec, scores in found.items():
        print(
            json.dumps(
                {
                    "agent": spec,
                    "games": given.games,
                    "seed": given.seed,
                    "first": given.first,
                    "score": mean(scores[:, 0]),
                    "without_luck": mean(scores[:, 1]),
                    "first_ahead_by": mean(first[:, 1] - scores[:, 1]),
                    "adjusted": [round(float(x), 3) for x in scores[:, 1]],
                }
            )
        )


def mean(values: Any) -> list[float]:
    """With its 95% interval."""
    n = len(values)
    half = student(n) * float(values.std(ddof=1)) / n**0.5
    return [float(values.mean()), float(values.mean()) - half, float(values.mean()) + half]


if __name__ == "__main__":
    main()

"""The study: counted against a plain walk through the same games."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import meeple
from meeple.agents.registry import find_agent
from meeple.arena.table import Piece
from meeple.core.errors import MeepleError
from meeple.core.game import Variant
from meeple.core.kernel import JIT
from meeple.core.rng import child
from meeple.lab.study import draw, study

pytestmark = pytest.mark.skipif(not JIT, reason="hundreds of games")


def walk(variant: Variant, agent: str, games: int, seed: int) -> dict[str, Any]:
    """The study's figures, counted by a plain walk through the same games."""
    names = variant.game.phases or ("turn",)
    decisions, choices, actions, widest, with_choice = (dict.fromkeys(names, 0) for _ in range(5))
    turns, player = 0, find_agent(agent, variant.game)
    seeds = [child(seed, number) for number in range(games)]
    seats = variant.shape.seats
    finished = Piece(variant, [player] * seats, seeds, np.tile(np.arange(seats, dtype=np.int8), (games, 1))).play()
    for dealt, played in zip(seeds, finished.actions, strict=True):
        state = meeple.new(variant, dealt)
        chosen: set[str] = set()
        for action in played:
            name = names[variant.game.phase(state.data)] if variant.game.phase else names[0]
            n = len(state.legal())
            decisions[name] += 1
            actions[name] += n
            choices[name] += n > 1
            widest[name] = max(widest[name], n)
            chosen |= {name} if n > 1 else set()
            before = state.turn
            state.play(int(action))
            if state.turn != before or state.over:
                turns += 1
                for phase in chosen:
                    with_choice[phase] += 1
                chosen = set()
    phases = {
        name: {
            "turns_with_choice": pytest.approx(with_choice[name] / turns),
            "decisions_per_turn": pytest.approx(decisions[name] / turns),
            "choices_share": pytest.approx(choices[name] / decisions[name]),
            "branching": pytest.approx(actions[name] / decisions[name]),
            "widest": widest[name],
        }
        for name in names
        if decisions[name]
    }
    total = sum(decisions.values())
    return {
        "phases": phases,
        "branching": pytest.approx(sum(actions.values()) / total),
        "choices_share": pytest.approx(sum(choices.values()) / total),
    }


def test_every_figure_is_what_a_plain_walk_counts() -> None:
    variant = meeple.find_variant("lotr:hard")
    result = study(variant, ["expert"], 30, seed=2)
    counted = walk(variant, "expert", 30, 2)
    assert {name: result[name] for name in counted} == counted
    assert sum(sum(counts.values()) for counts in result["lengths"].values()) == 30


@pytest.mark.parametrize("spec", ["jaipur:round", "splendor:3", "rake:complete", "lotr:easy"])
def test_every_game_can_be_studied_and_drawn(spec: str, tmp_path: Path) -> None:
    variant = meeple.find_variant(spec)
    result = study(variant, ["random"], 20, seed=1)
    counted = walk(variant, "random", 20, 1)
    assert {name: result[name] for name in counted} == counted
    assert (result["first_seat"] is None) == (variant.shape.seats == 1)
    draw(result, tmp_path / "study.png")
    assert (tmp_path / "study.png").read_bytes().startswith(b"\x89PNG")


def test_a_plot_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    result = study(meeple.find_variant("lotr:easy"), ["random"], 2, seed=1)
    with pytest.raises(MeepleError, match="cannot be written"):
        draw(result, tmp_path / "no" / "folder.png")
    with pytest.raises(MeepleError, match="cannot be written"):
        draw(result, tmp_path / "study.nonsense")

"""The study: counted against a plain walk through the same games."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import meeple
from meeple.agents.registry import find_agent
from meeple.arena.table import Chunk
from meeple.core.errors import MeepleError
from meeple.core.kernel import JIT
from meeple.core.rng import child
from meeple.lab.study import draw, study

pytestmark = pytest.mark.skipif(not JIT, reason="hundreds of games")


def test_every_figure_is_what_a_plain_walk_counts() -> None:
    variant = meeple.find_variant("lotr:hard")
    result = study(variant, ["expert"], 30, seed=2)
    decisions, choices, actions = (dict.fromkeys(variant.game.phases, 0) for _ in range(3))
    turns, with_choice = 0, dict.fromkeys(variant.game.phases, 0)

    player = find_agent("expert", variant.game)
    seeds = [child(2, number) for number in range(30)]
    finished = Chunk(variant, [player], seeds, np.zeros((30, 1), np.int8)).play()
    for dealt, played in zip(seeds, finished.actions, strict=True):
        state = meeple.new(variant, dealt)
        chosen: set[str] = set()
        for action in played:
            assert variant.game.phase is not None
            name = variant.game.phases[variant.game.phase(state.data)]
            n = len(state.legal())
            decisions[name] += 1
            actions[name] += n
            choices[name] += n > 1
            chosen |= {name} if n > 1 else set()
            before = state.turn
            state.play(int(action))
            if state.turn != before or state.over:
                turns += 1
                for phase in chosen:
                    with_choice[phase] += 1
                chosen = set()
    for name, figures in result["phases"].items():
        assert figures["turns_with_choice"] == pytest.approx(with_choice[name] / turns)
        assert figures["decisions_per_turn"] == pytest.approx(decisions[name] / turns)
        assert figures["branching"] == pytest.approx(actions[name] / decisions[name])
        assert figures["choices_share"] == pytest.approx(choices[name] / decisions[name])
    assert sum(sum(counts.values()) for counts in result["lengths"].values()) == 30


@pytest.mark.parametrize("spec", ["jaipur:round", "splendor:3", "rake:complete", "lotr:easy"])
def test_every_game_can_be_studied_and_drawn(spec: str, tmp_path: Path) -> None:
    variant = meeple.find_variant(spec)
    result = study(variant, ["random"], 20, seed=1)
    assert result["branching"] >= 1
    assert (result["first_seat"] is None) == (variant.shape.seats == 1)
    draw(result, tmp_path / "study.png")
    assert (tmp_path / "study.png").read_bytes().startswith(b"\x89PNG")


def test_a_plot_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    result = study(meeple.find_variant("lotr:easy"), ["random"], 2, seed=1)
    with pytest.raises(MeepleError, match="cannot be written"):
        draw(result, tmp_path / "no" / "folder.png")
    with pytest.raises(MeepleError, match="cannot be written"):
        draw(result, tmp_path / "study.nonsense")

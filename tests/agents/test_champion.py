"""Champions: bundled networks fit what they are for, the baseline is today's `mcts`, a level is what its budget says."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from meeple.agents.champion import FOLDER, LEVELS, TOP, champion_file, levels_of, make_search, measured_levels
from meeple.agents.mcts_2026 import FROZEN
from meeple.agents.registry import find_agent
from meeple.cli.crown import verdict
from meeple.core.errors import MeepleError
from meeple.core.kernel import JIT
from meeple.core.registry import all_games, find_variant
from meeple.core.state import new
from meeple.lab.crown import crown, plan_trial
from meeple.nets.file import fit, read_net
from meeple.search.driver import Budget

BUNDLED = sorted(FOLDER.glob("*.safetensors"))
MOST_BYTES = 5_000_000


@pytest.mark.parametrize("path", BUNDLED, ids=lambda path: path.stem)
def test_a_bundled_network_plays_its_variant_and_its_card_tells_the_trial_it_won(path: Path) -> None:
    card, _ = read_net(path)
    variant = find_variant(card.variant)
    fit(card, path, variant)
    assert champion_file(variant) == path
    trial = card.result["trial"]
    assert trial["games"] > 0
    assert trial["ci"][0] <= trial["mean"] <= trial["ci"][1]


WITHOUT_PYTORCH = """
import sys
sys.modules["torch"] = None  # whoever imports it fails
from meeple.__main__ import main
sys.argv = ["meeple", "match", "{variant}", "champion:level=3", *{others}, "--games", "{games}", "--processes", "1", "--json"]
main()
"""


@pytest.mark.skipif(not JIT, reason="compiles a search")
def test_a_champion_plays_where_there_is_no_pytorch(tmp_path: Path) -> None:
    variant = find_variant(read_net(BUNDLED[-1])[0].variant)
    seats = variant.shape.seats
    code = WITHOUT_PYTORCH.format(variant=variant.spec, others=["random"] * (seats - 1), games=seats)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["games"] == seats


def test_bundled_networks_are_small_enough_to_be_installed() -> None:
    assert sum(path.stat().st_size for path in BUNDLED) <= MOST_BYTES


@pytest.mark.parametrize("game", sorted(FROZEN))
def test_the_baseline_has_the_parameters_that_mcts_has_today(game: str) -> None:
    variant = next(found for found in all_games() if found.name == game).variant()
    names = ("mcts:iterations=60", "mcts-2026:iterations=60")
    today, frozen = (find_agent(name, variant.game).make(variant) for name in names)
    assert today.search.settings == frozen.search.settings
    assert type(today.search.policy) is type(frozen.search.policy)
    assert type(today.search.guide) is type(frozen.search.guide)


def test_levels_never_become_weaker_in_thought_or_in_sight() -> None:
    for levels in (LEVELS, *(levels_of(find_variant(spec)) for spec in measured_levels())):
        assert len(levels) == TOP - 1
        assert [level.iterations for level in levels] == sorted(level.iterations for level in levels)
        assert [level.sight for level in levels] == sorted(level.sight for level in levels)
        assert [level.near for level in levels] == sorted((level.near for level in levels), reverse=True)


@pytest.mark.parametrize("spec", sorted(measured_levels()))
def test_every_level_was_measured_to_be_stronger_than_the_one_below(spec: str) -> None:
    found = measured_levels()[spec]
    assert len(found["levels"]) == TOP
    for line in found["levels"][1:]:
        assert line["match"]["mean"] > line["match"]["even"], line["agent"]


@pytest.mark.parametrize("level", [7, 10])
def test_a_champion_without_a_network_is_the_games_own_search(level: int) -> None:
    variant = find_variant("jaipur:round,rules=2017")  # nobody trains for these
    assert not champion_file(variant).exists()
    made = find_agent(f"champion:level={level},iterations=20", variant.game).make(variant)
    assert made.search.budget.iterations == (LEVELS[6].iterations if level == 7 else 20)
    assert type(made.search.guide).__name__ == type(find_agent("mcts", variant.game).make(variant).search.guide).__name__


def test_where_nothing_guides_a_level_is_a_short_search() -> None:
    variant = find_variant("lotr:easy")
    assert variant.game.guide is None
    made = find_agent("champion:level=3", variant.game).make(variant)
    assert made.search.budget.iterations == 2**3


@pytest.mark.parametrize("other", ["reuse=1", "bank=1"])
def test_workers_keep_neither_a_tree_nor_time(other: str) -> None:
    variant = find_variant("jaipur:round")
    with pytest.raises(MeepleError, match="workers=1"):
        find_agent(f"champion:workers=2,{other}", variant.game).make(variant)


@pytest.mark.skipif(not JIT, reason="compiles a search")
def test_a_tree_has_room_for_all_that_its_iterations_find() -> None:
    """A full tree adds nothing more, however long it is searched: Jaipur makes most new nodes an iteration."""
    variant = find_variant("jaipur:round")
    search = make_search(variant, champion_file(variant), Budget(600))
    search.set_root(new(variant, 3).redealt(0, 1).array)
    search.run(early=False)
    assert search.iterations == 600
    assert 8 * 600 < search.tree.used[0] < len(search.tree.nodes)


def test_a_champion_searches_as_its_card_says_or_as_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A candidate that won with settings of its own keeps them: they are written into its card."""
    variant = find_variant("jaipur:round")
    trial = plan_trial(
        "jaipur:round", champion_file(variant), "iterations=5", [], 4, 1, {"c": 0.25, "temperature": 3.0, "memory": 1, "bank": 1}
    )
    assert trial.challenger.endswith(",iterations=5,c=0.25,temperature=3,memory=1,bank=1")
    told = find_agent(trial.challenger, variant.game).make(variant)
    assert (told.search.settings.c, told.search.settings.temperature, told.bank) == (0.25, 3.0, True)
    assert len(told.search.tree.memos) > 0
    won = {"duel": {"mean": 0.6, "ci": [0.5, 0.7], "games": 4, "seed": 1, "unit": "share of wins"}}
    monkeypatch.setattr("meeple.lab.crown.champion_file", lambda _: tmp_path / "crowned.safetensors")
    crowned = crown(trial, won)
    kept = find_agent(f"champion:net={crowned},iterations=5", variant.game).make(variant)
    assert kept.search.settings == told.search.settings
    assert kept.bank
    assert len(kept.search.tree.memos) == len(told.search.tree.memos)
    other = find_agent(f"champion:net={crowned},iterations=5,memory=0,bank=0", variant.game).make(variant)
    assert not other.bank
    assert len(other.search.tree.memos) == 0


def test_a_new_champion_reminds_of_levels_that_were_found_with_the_one_before() -> None:
    won, lost = ({"variant": "jaipur:round", "won": one} for one in (True, False))
    assert "meeple levels jaipur:round --write" in verdict(won, "file")
    assert "levels" not in verdict({"variant": "jaipur:round,rules=2017", "won": True}, "file")
    assert verdict(won, "") == "It would win."
    assert verdict(lost, "") == "The champion stays."

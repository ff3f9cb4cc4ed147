"""Search spaces, grids, TPE: what is shipped fits, hills are climbed, nothing finished is lost, and the best is measured anew."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from meeple.agents.own import read_agent
from meeple.arena.executor import Here
from meeple.core.errors import MeepleError
from meeple.core.kernel import JIT
from meeple.core.registry import find_variant
from meeple.lab.tuning.run import plan_search, run_tuning
from meeple.lab.tuning.search import Search
from meeple.lab.tuning.space import Axis, Space, parse_space, read_space, shipped
from meeple.lab.tuning.trained import best_mean, last_mean

pytest.importorskip("optuna")
needs_compiler = pytest.mark.skipif(not JIT, reason="hundreds of games")
HILL = Space(name="hill", axes=(Axis("x", low=-5, high=5), Axis("y", low=0.01, high=100, log=True)), trials=40, rungs=4)


def height(x: float, y: float, rung: int) -> float:
    """Highest at x = 3, y = 1; the same in every part."""
    assert rung < 4
    return -((x - 3) ** 2) - abs(y - 1) / 10


@dataclass(frozen=True)
class Hill:
    """In place of an agent."""

    function: Callable[..., Any] = height

    def check(self, settings: Any) -> None: ...

    def words(self, settings: Any, rung: int, rungs: int, parts: list[Any]) -> tuple[Any, ...]:
        assert len(parts) == rung < rungs
        return settings["x"], settings["y"], rung

    def value(self, parts: list[float]) -> float:
        return sum(parts) / len(parts)


class Stopped(Here):
    """Interrupted after so many parts."""

    def __init__(self, parts: int) -> None:
        super().__init__()
        self.left = parts

    def next(self) -> tuple[int, Any]:
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt
        return super().next()


# ---- Spaces ----


@pytest.mark.parametrize("name", shipped())
def test_every_shipped_space_can_be_searched(name: str, tmp_path: Path) -> None:
    space = read_space(name)
    made = plan_search(space.game, space.tunes, name, tmp_path, 1, {})
    assert made.space.about
    assert made.space.names == space.names


@pytest.mark.parametrize(
    ("name", "best", "value"), [("obrien-5.1", (0.6, 0.4, 1.0), 31.12), ("obrien-5.2", (0.58, 0.38, 1.02), 34.2)]
)
def test_the_published_grids_have_their_best_where_the_thesis_says(name: str, best: tuple[float, ...], value: float) -> None:
    space = read_space(name)
    figures = {tuple(point.values()): space.published.at(point) for point in space.grid() if space.published}
    assert len(figures) == 36
    assert max(figures, key=lambda point: figures[point] or 0) == best
    assert figures[best] == value


def test_a_fixed_setting_is_no_longer_searched_and_finds_its_figures() -> None:
    space = read_space("obrien-D.2").fixed({"k3": 1.02})
    assert space.names == ["k1", "k2"]
    assert space.published is not None
    assert space.published.at(space.full({"k1": 0.58, "k2": 0.38})) == 34.2


def test_a_setting_may_bring_others_along() -> None:
    space = Space(axes=(Axis("lr", (0.1, 0.2), also=("lr_end",)),), settings={"clip": 0.2})
    assert space.full({"lr": 0.1}) == {"clip": 0.2, "lr": 0.1, "lr_end": 0.1}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "searches for nothing"),
        ("[space]\nx = 3", "x in \\[space\\] of .* must be a list of values"),
        ("[space]\nx = {low = 2, high = 1}", "with low below high"),
        ("[space]\nx = {low = 0, high = 1, log = true}", "above 0 with log"),
        ("trails = 3\n[space]\nx = [1]", "trails"),
        ("trials = -3\n[space]\nx = [1]", "trials in .* must be a whole number, not negative"),
        ('method = "guess"\n[space]\nx = [1]', "guess"),
        ('metric = "luck"\n[space]\nx = [1]', "luck"),
        ('[space]\nx = [1]\n[published]\nfigure = "1"', "must have a figure, axes"),
    ],
)
def test_a_wrong_space_is_one_sentence(text: str, why: str) -> None:
    with pytest.raises(MeepleError, match=why):
        parse_space(tomllib.loads(text), Path("mine.toml"))


# ---- Searching ----


def test_tpe_finds_the_top_of_a_known_hill_and_gives_up_what_lags(tmp_path: Path) -> None:
    search = Search(HILL, Hill(), {}, tmp_path, 1)
    search.run(Here())
    rows = search.rows()
    assert len(rows) == 40
    whole = [row for row in rows if not row["pruned"]]
    assert 0 < len(whole) < 40
    assert max(row["value"] for row in whole) > -0.5
    assert [row["trial"] for row in rows] == sorted(row["trial"] for row in rows)


@pytest.mark.parametrize("method", ["tpe", "grid"])
def test_an_interrupted_search_goes_on_and_measures_no_setting_twice(tmp_path: Path, method: str) -> None:
    grid = (Axis("x", (1.0, 2.0, 3.0)), Axis("y", (0.5, 1.0)))
    space = replace(HILL, method=method, axes=grid if method == "grid" else HILL.axes, trials=6, rungs=2)
    with pytest.raises(KeyboardInterrupt):
        Search(space, Hill(), {}, tmp_path, 1).run(Stopped(5))
    done = len(Search(space, Hill(), {}, tmp_path, 1).ended())
    assert 0 < done < 6
    again = Search(space, Hill(), {}, tmp_path, 1)
    ticks: list[int] = []
    again.run(Here(), ticks.append)
    assert sum(ticks) == 6 - done
    points = [tuple(row["point"].values()) for row in again.rows()]
    assert len(set(points)) == len(points) == 6


def test_a_folder_of_another_tuning_is_refused(tmp_path: Path) -> None:
    Search(HILL, Hill(), {"seed": 1}, tmp_path, 1)
    with pytest.raises(MeepleError, match="its seed was 1, not 2"):
        Search(HILL, Hill(), {"seed": 2}, tmp_path, 2)


# ---- Agents and learners ----


@needs_compiler
def test_a_grid_of_an_agent_is_measured_drawn_and_written_down(tmp_path: Path) -> None:
    given = {"games": 8, "set": {"k2": 0.38}}
    tuning = plan_search("jaipur", "advanced1", "obrien-5.2", tmp_path / "out", 1, given)
    result = run_tuning(tuning, 1)
    assert [row["published"] for row in result["trials"]] == [31.13, 30.93, 34.2, 32.88, 30.22, 30.27]
    fresh = result["best"]["fresh"]
    assert fresh["games"] == 4 * 8
    assert fresh["ci"][0] <= fresh["value"] <= fresh["ci"][1]
    agent = read_agent(f"@{tmp_path / 'out' / 'best.toml'}", find_variant("jaipur:round").game)
    assert agent.spec == result["best"]["agent"]
    assert json.loads((tmp_path / "out" / "result.json").read_text())["tunes"] == "advanced1"
    again = run_tuning(tuning, 1)
    assert again["best"]["fresh"] == fresh


@needs_compiler
def test_a_learner_is_tuned_part_by_part_and_train_reads_the_best(tmp_path: Path) -> None:
    from meeple.learn.toml import read_toml

    mine = tmp_path / "mine.toml"
    mine.write_text(
        'metric = "joint"\nwindow = 20\nsteps = 2048\ntrials = 2\nrungs = 2\ngames = 4\nagainst = ["random"]\n'
        "[settings]\ngames = 16\nsteps = 8\nminibatch = 64\n[space]\n"
        "lr = {low = 1e-4, high = 1e-2, log = true}\nhidden = [[8], [16]]\n"
    )
    tuning = plan_search("jaipur:round", "ppo", str(mine), tmp_path / "out", 1, {})
    result = run_tuning(tuning, 1)
    assert len(result["trials"]) == 2
    assert not list((tmp_path / "out" / "parts").iterdir())
    config = read_toml(tmp_path / "out" / "best.toml")
    assert config["algorithm"] == "ppo"
    assert config["set"]["hidden"] == list(result["best"]["settings"]["hidden"])
    assert config["set"]["lr"] == result["best"]["settings"]["lr"]


@needs_compiler
def test_a_training_cut_into_parts_gives_the_same_as_in_one(tmp_path: Path) -> None:
    from meeple.lab.tuning.keep import keep_part, kept_parts
    from meeple.lab.tuning.trained import train_part
    from meeple.learn.train import CHECKPOINT

    settings = {"games": 16, "steps": 8, "hidden": [8], "minibatch": 64}
    part = partial(train_part, "jaipur:round", "ppo", settings, {"steps": 2048, "games": 4}, metric="joint", window=20)
    whole, first = part(None, 2048), part(None, 1024)
    keep_part(tmp_path, settings, [first])
    (kept,) = kept_parts(tmp_path, settings)
    second = part(kept, 2048)
    assert second.value == whole.value
    from safetensors.numpy import load

    ours, theirs = (load(part.files[CHECKPOINT]) for part in (second, whole))
    assert all((ours[name] == theirs[name]).all() for name in ours if name != "run.spent")


def test_means_of_the_last_games_by_hand() -> None:
    rows = [(10.0, 1.0), (10.0, 4.0), (10.0, 2.0)]
    assert last_mean(rows, 10) == 2.0
    assert last_mean(rows, 15) == pytest.approx((10 * 2 + 5 * 4) / 15)
    assert best_mean(rows, 10) == 4.0
    assert best_mean(rows, 1000) == pytest.approx(7 / 3)


@pytest.mark.parametrize(
    ("tunes", "given", "why"),
    [
        ("advanced1", {"method": "pbt"}, "is for learners"),
        ("advanced1", {"metric": "joint"}, "does not fit the agent"),
        ("advanced1", {"set": {"k1": 0.5, "k2": 0.4, "k3": 1.0}}, "nothing is left to tune"),
        ("nobody", {}, "nobody"),
    ],
)
def test_what_cannot_be_tuned_is_one_sentence(tmp_path: Path, tunes: str, given: dict[str, Any], why: str) -> None:
    with pytest.raises(MeepleError, match=why):
        plan_search("jaipur", tunes, "obrien-5.2", tmp_path, 1, given)

"""The command line as a person or a script meets it: real processes, exit codes, one sentence where something is wrong."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import meeple
from meeple.cli.compiling import SENTENCE
from meeple.cli.options import with_addresses
from meeple.cli.simulate import random_record
from meeple.core.record import read_record

TEXT = random_record(meeple.find_variant("jaipur:round"), seed=1).text()


@pytest.fixture
def run(quiet_environment: dict[str, str], tmp_path: Path) -> Any:
    def call(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "meeple", *arguments]
        return subprocess.run(command, capture_output=True, text=True, env=quiet_environment, cwd=tmp_path)

    return call


def test_list_shows_the_games_and_a_games_declarations(run: Any) -> None:
    assert "25,499" in run("list").stdout
    described = json.loads(run("list", "jaipur", "--json").stdout)
    assert described["variants"]["round"]["levels"]["own"]["size"] == 25
    assert described["variants"]["round"]["levels"]["full"]["clairvoyant"]
    assert "clairvoyant" in run("list", "jaipur").stdout


def test_simulate_gives_the_same_figures_for_the_same_seed(run: Any) -> None:
    first, again, other = (
        json.loads(run("simulate", "jaipur:round", "--games", "300", "--seed", seed, "--json").stdout) for seed in "112"
    )
    for figures in (first, again, other):
        del figures["seconds"]
    assert first == again
    assert first["scores"] != other["scores"]
    assert first["games"] == 300
    assert sum(end["games"] for end in first["ends"].values()) == 300


def test_simulate_saves_the_first_game_of_agents_as_they_played_it(run: Any, tmp_path: Path) -> None:
    played = ("simulate", "jaipur:round", "--agents", "greedy", "--agents", "random", "--json", "--games")
    done = run(*played, "3", "--save", "game.txt")
    assert done.returncode == 0
    record = read_record(tmp_path / "game.txt")
    assert record.players == ("greedy", "random")
    figures = json.loads(run(*played, "1").stdout)
    assert list(record.states())[-1].scores() == [score["mean"] for score in figures["scores"]]


@pytest.mark.xdist_group("splendor")
def test_a_board_is_shown_with_its_brackets(run: Any, tmp_path: Path) -> None:
    """A card in hand that can be bought is marked `[buy]`, which looks like a style to Rich."""
    record = random_record(meeple.find_variant("splendor:2"), seed=1)
    ply, board = next((i, state.board(0)) for i, state in enumerate(record.states()) if "[buy]" in state.board(0))
    record.save(tmp_path / "game.txt")
    assert board.rstrip() in run("replay", "game.txt", "--ply", str(ply)).stdout


def test_simulate_saves_a_record_that_replays(run: Any, tmp_path: Path) -> None:
    done = run("simulate", "jaipur:round", "--games", "10", "--save", "game.txt")
    assert done.returncode == 0
    assert "Ended by" in done.stdout
    assert (tmp_path / "game.txt").read_text() == TEXT
    done = run("replay", "game.txt", "--ply", "3", "--seat", "1")
    assert done.returncode == 0
    assert "1. seat 0:" in done.stdout
    assert "After 3 moves" in done.stdout
    data = json.loads(run("replay", "game.txt", "--json").stdout)
    assert data["over"]
    assert f"scores: {data['scores'][0]:g}, {data['scores'][1]:g}" in TEXT


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["simulate", "jaipr"], "Unknown game 'jaipr'; did you mean 'jaipur'."),
        (["simulate", "jaipur:rond"], "did you mean 'round'"),
        (["simulate", "jaipur:round,actions=3"], "known: 25499, 25469, 25502"),
        (["simulate", "jaipur", "--games", "0"], "--games must be from 1 to 1,000,000,000, not 0."),
        (["simulate", "jaipur", "--games", "many"], "Invalid value for '--games': Input should be a valid integer"),
        (["simulate", "jaipur", "--seed", "-1"], "--seed must be from 0 to 2^64 - 1, not -1."),
        (["simulate", "jaipur", "--gmes", "3"], "No such option: --gmes"),
        (["simulate", "jaipur:round", "--games", "1", "--save", "no/such/folder/x"], "cannot be written"),
        (["simulate"], "Missing argument 'game'"),
        (["symulate"], "No such command 'symulate'"),
        (["check", "jaipr"], "did you mean 'jaipur'"),
        (["check", "jaipur", "--games", "0"], "--games must be from 1"),
        (["bench", "jaipr"], "did you mean 'jaipur'"),
        (["bench", "search", "jaipr"], "did you mean 'jaipur'"),
        (["bench", "jaipur", "rake"], "Name one game, or none for all of them"),
        (["analyze", "cut.txt"], "the line seems cut off"),
        (["analyze", "whole.txt", "--ply", "5000"], "--ply must be from 0 to"),
        (["ladder", "splendor:3", "mcts"], "a ladder is for games of one seat or two"),
        (["list", "jaipr"], "did you mean 'jaipur'"),
        (["replay", "nothing.txt"], "cannot be read"),
        (["replay", "cut.txt"], "the line seems cut off"),
        (["replay", "illegal.txt"], "is not legal"),
        (["replay", "whole.txt", "--ply", "5000"], "--ply must be from 0 to"),
        (["replay", "whole.txt", "--seat", "4"], "Unknown seat '4'"),
    ],
    ids=lambda x: " ".join(x) if isinstance(x, list) else "",
)
def test_bad_input_gets_one_clear_sentence_and_a_failing_exit_code(
    run: Any, tmp_path: Path, arguments: list[str], why: str
) -> None:
    move = next(line for line in TEXT.splitlines() if line.startswith("3. "))
    (tmp_path / "whole.txt").write_text(TEXT)
    (tmp_path / "cut.txt").write_text(TEXT.replace(move, "3. seat 0"))
    (tmp_path / "illegal.txt").write_text(TEXT.replace(move, "3. seat 0: sell 7 leather"))
    done = run(*arguments)
    assert done.returncode == 2
    assert why in done.stderr
    assert len([line for line in done.stderr.strip().splitlines() if line != SENTENCE]) == 1
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_the_bench_prints_every_promised_figure(run: Any) -> None:
    figures = json.loads(run("bench", "jaipur", "--json").stdout)["jaipur"]
    for name in ("playout_steps_per_s", "playout_games_per_s", "batch_steps_per_s", "cold_compile_s", "warm_start_s"):
        assert figures[name] > 0
    if figures["reference"]:
        assert figures["reference"]["checksums_equal"]
        assert figures["ratio"] > 0
    else:
        assert "g++" in figures["reference_missing"]


def test_ray_may_stand_with_an_address_or_without() -> None:
    assert with_addresses([]) == []
    assert with_addresses(["jaipur", "--ray"]) == ["jaipur", "--ray", "local"]
    assert with_addresses(["--ray", "--games", "2"]) == ["--ray", "local", "--games", "2"]
    assert with_addresses(["--ray", "host:6379", "splendor:2"]) == ["--ray", "host:6379", "splendor:2"]
    assert with_addresses(["--ray", "splendor:2"]) == ["--ray", "local", "splendor:2"]

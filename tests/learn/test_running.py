"""A run as people start it: from the command line, from TOML, from Python; killed at any moment; evaluated beside learning."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import meeple
from meeple.cli.main import app
from meeple.core.errors import MeepleError
from meeple.learn.beside import Asked, Beside, judge_file
from meeple.learn.evaluate import Judge
from meeple.learn.toml import read_toml
from meeple.learn.train import BEST, CHECKPOINT, CONFIG, LATEST, METRICS, WAITING, Run, make_plan
from meeple.nets.file import read_net, write_net
from tests.search.tiny import GAME as TINY

FOLDER = Path(__file__).parents[1] / "search" / "tiny"
NIM = TINY.variant("nim")
TOML = f"""
game = "{FOLDER}:nim"
algorithm = "ppo"
steps = 20480
games = 20
evaluate = 7
checkpoint = 0

[set]
games = 32
steps = 16
hidden = [32]
minibatch = 128
opponents = "self 3; past 1"
freeze = 5
"""
SMALL: dict[str, Any] = {"games": 16, "steps": 8, "hidden": (16,), "minibatch": 64}


@pytest.fixture
def run_file(tmp_path: Path) -> Path:
    (tmp_path / "run.toml").write_text(TOML)
    return tmp_path / "run.toml"


def command(*words: str | Path) -> list[str]:
    return [sys.executable, "-m", "meeple", "train", *map(str, words)]


def lines_of(out: Path) -> list[dict[str, Any]]:
    path = out / METRICS
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def test_killed_at_any_moment_and_resumed_it_ends_with_the_same_weights(tmp_path: Path, run_file: Path) -> None:
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    subprocess.run(command("--config", run_file, "--out", whole), check=True, capture_output=True)
    process = subprocess.Popen(command("--config", run_file, "--out", killed), stdout=subprocess.DEVNULL)
    while not lines_of(killed):
        assert process.poll() is None
        time.sleep(0.02)
    time.sleep(random.random())  # at any moment, another one in every run of this test
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    before = len(lines_of(killed))
    subprocess.run(command("--config", run_file, "--out", killed, "--resume"), check=True, capture_output=True)
    assert before < len(lines_of(whole))
    assert (whole / LATEST).read_bytes() == (killed / LATEST).read_bytes()
    assert (whole / BEST).read_bytes() == (killed / BEST).read_bytes()
    found = [sorted((line["update"], "evaluation" in line) for line in lines_of(out)) for out in (whole, killed)]
    assert found[0] == found[1] and (35, True) in found[0]
    assert not list(killed.glob(WAITING.format("*")))


def test_evaluations_come_from_another_process_in_order_and_from_here_where_it_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEEPLE_GAMES", str(FOLDER))
    run = Run(make_plan("tiny:nim", "ppo", SMALL, steps=1, games=20, evaluate=0), tmp_path / "run")
    asked = []
    for update in (3, 4):
        asked.append(Asked(update, tmp_path / f"{update}.safetensors"))
        run.learner.iterate()
        write_net(asked[-1].path, run.learner.card(), run.learner.weights)
    judge = Judge(NIM, ("random",), 20, 1)
    wanted = [(each, json.loads(json.dumps(judge_file(judge, each)))) for each in asked]
    beside = Beside(judge)
    for each in asked:
        beside.ask(each)
    assert beside.process is not None
    assert beside.answers(wait=True) == wanted
    beside.process.kill()
    for each in asked:
        beside.ask(each)
    assert [(each, json.loads(json.dumps(result))) for each, result in beside.answers(wait=True)] == wanted
    beside.close()


def test_python_trains_too_keeps_the_best_with_its_result_on_fresh_deals_and_writes_curves(tmp_path: Path) -> None:
    out = tmp_path / "run"
    told: list[dict[str, Any]] = []
    given: dict[str, Any] = {"steps": 640, "games": 20, "evaluate": 2, "beside": False, "tensorboard": True}
    result = meeple.train("tiny:nim", "ppo", out, SMALL, report=told.append, **given)
    assert [(line["update"], "evaluation" in line) for line in told] == [
        (1, False),
        (2, False),
        (2, True),
        (3, False),
        (4, False),
        (4, True),
        (5, False),
    ]
    card = read_net(out / BEST)[0]
    best = max([line["evaluation"]["strength"] for line in told if "evaluation" in line] + [result["last"]["strength"]])
    assert card.result["strength"] == best
    assert card.result["fresh"]["against"] == result["best"]["against"]
    assert list((out / "tensorboard").glob("events*"))
    more = meeple.train("tiny:nim", "ppo", out, resume=True, steps=768)
    assert more["decisions"] == 768
    assert meeple.match(NIM, f"net:{out / BEST}", "random", games=2).games


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("game = 3", "game in .* must be a text, not 3"),
        ("gmae = 'x'", "did you mean 'game'"),
        ("steps = true", "steps in .* must be a whole number, not True"),
        ("against = [1]", "against in .* must be a list of texts"),
        ("game = ", "cannot be read as TOML"),
    ],
)
def test_a_toml_with_mistakes_is_refused(tmp_path: Path, text: str, sentence: str) -> None:
    (tmp_path / "run.toml").write_text(text)
    with pytest.raises(MeepleError, match=sentence):
        read_toml(tmp_path / "run.toml")


def test_what_is_missing_or_of_another_run_is_said_in_a_sentence(tmp_path: Path) -> None:
    asked = CliRunner().invoke(app, ["train", "jaipur", "ppo", "--steps", "1"])
    assert isinstance(asked.exception, MeepleError) and "--out FOLDER is missing" in str(asked.exception)
    with pytest.raises(MeepleError, match="There is no run in"):
        meeple.train("tiny:nim", "ppo", tmp_path, resume=True)
    with pytest.raises(MeepleError, match="part of a run"):
        meeple.train("tiny:nim", "ppo", tmp_path / "x", minuets=3)
    out = tmp_path / "a"
    meeple.train("tiny:nim", "ppo", out, SMALL, steps=1, games=2, evaluate=0)
    plan = json.loads((out / CONFIG).read_text())
    for changed, sentence in (
        ({"game": "tiny:guess"}, "of another run: its game is tiny:nim, not tiny:guess"),
        ({"algorithm": "a2c", "config": {}}, "of another run: its algorithm is ppo, not a2c"),
    ):
        (out / CONFIG).write_text(json.dumps(plan | changed))
        before = (out / CHECKPOINT).read_bytes()
        with pytest.raises(MeepleError, match=sentence):
            meeple.train("tiny:nim", "ppo", out, resume=True)
        assert (out / CHECKPOINT).read_bytes() == before


@pytest.mark.parametrize(("processor", "seconds"), [(False, 8.0), (True, 2.0)])
def test_minutes_are_of_the_clock_or_of_the_processor(
    processor: bool, seconds: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = make_plan("tiny:nim", "ppo", SMALL, minutes=1.0, processor=processor)
    run = Run(plan, tmp_path)
    run.warm = True  # what is compiled counts for nobody
    clock, busy = iter([100.0, 108.0]), iter([50.0, 52.0])
    monkeypatch.setattr(run.learner, "iterate", dict)
    monkeypatch.setattr("meeple.learn.train.time.perf_counter", lambda: next(clock))
    monkeypatch.setattr("meeple.learn.train.time.process_time", lambda: next(busy))
    run.update()
    monkeypatch.undo()
    assert run.spent[0] == seconds

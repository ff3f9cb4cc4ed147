"""The head of a cluster is killed in the middle: a command ends in a sentence, and goes on from what it kept when given again."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from meeple.core.kernel import JIT
from meeple.nets.file import read_net
from tests.cluster.commands import SMALL, ended, start, without_times
from tests.cluster.nodes import Nodes, one_node

pytest.importorskip("ray")
pytestmark = [
    pytest.mark.skipif(not JIT, reason="thousands of games"),
    pytest.mark.skipif(sys.platform != "linux", reason="nodes are found in /proc"),
    pytest.mark.xdist_group("cluster"),
]
GAMES = 40000
MATCH = ["match", "jaipur:round", "advanced1", "basic3", "--games", str(GAMES), "--seed", "3", "--json"]
TRAIN = ["train", "jaipur:round", "ppo", "--games", "4", "--evaluate", "0", "--out", "run", "--config", "often.toml"]
SOON = 40  # seconds; Ray itself would need sixty


@pytest.fixture(scope="module")
def nodes() -> Iterator[Nodes]:
    with one_node() as made:
        yield made


def kill_head(nodes: Nodes, running: subprocess.Popen[bytes], ready: Callable[[], bool], folder: Path) -> None:
    """As soon as something is kept. Then the command says what happened and what to do, and there is a new head."""
    while not ready():
        assert running.poll() is None, (folder / "err").read_text()
        time.sleep(0.1)
    nodes.kill()
    try:
        assert running.wait(SOON) == 1
    finally:
        running.kill()
        nodes.start_head()  # takes longer than whoever stands by to say the sentence needs
    said = (folder / "err").read_text()
    assert said.count(f"The Ray cluster at {nodes.address} is lost") == 1, said
    assert "--resume" in said.splitlines()[-1]
    assert "Traceback" not in said


def games_kept(store: Path) -> list[tuple[int, ...]]:
    """Where each game lies in the file, its match and its number: a game that is played again would lie elsewhere."""
    with suppress(sqlite3.OperationalError), closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as file:
        return file.execute("SELECT rowid, match, number FROM game ORDER BY rowid").fetchall()
    return []


def test_a_match_goes_on_from_its_store_and_equals_the_local_one(nodes: Nodes, tmp_path: Path) -> None:
    store, words = tmp_path / "far.sqlite", [*MATCH, "--ray", nodes.address, "--store", "far.sqlite"]
    kill_head(nodes, start(nodes, tmp_path, *words), lambda: bool(games_kept(store)), tmp_path)
    before = games_kept(store)
    assert 0 < len(before) < GAMES
    far = ended(start(nodes, tmp_path, *words), tmp_path)
    after = games_kept(store)
    assert after[: len(before)] == before
    assert len(after) == GAMES
    local = ended(start(nodes, tmp_path, *MATCH, "--processes", "1", "--store", "here.sqlite"), tmp_path)
    assert without_times(far) == without_times(local)


def test_a_training_goes_on_from_its_checkpoint(nodes: Nodes, tmp_path: Path) -> None:
    (tmp_path / "often.toml").write_text("checkpoint = 0.1\n")
    latest, metrics = tmp_path / "run" / "latest.safetensors", tmp_path / "run" / "metrics.jsonl"
    running = start(nodes, tmp_path, *TRAIN, *SMALL, "--steps", str(10**9), "--ray", nodes.address)
    kill_head(nodes, running, lambda: latest.exists() and read_net(latest)[0].steps > 0, tmp_path)
    before, kept = metrics.read_text().splitlines(), read_net(latest)[0].steps
    more = ["--steps", str(kept + 4096), "--json", "--ray", nodes.address]
    result = ended(start(nodes, tmp_path, "train", "--resume", "--out", "run", *more), tmp_path)
    after = metrics.read_text().splitlines()
    same = [line for line in before if json.loads(line)["decisions"] <= kept]
    assert same
    assert after[: len(same)] == same
    assert [json.loads(line)["update"] for line in after] == list(range(1, len(after) + 1))
    assert result["decisions"] >= kept + 4096

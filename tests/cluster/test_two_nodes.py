"""The same commands on a cluster of two nodes: both are used, a worker is killed in the middle, and nothing is lost."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from meeple.arena.cluster.connection import HERE, _folder
from meeple.arena.cluster.pieces import Cluster
from meeple.core.kernel import JIT
from meeple.nets.file import read_net
from tests.cluster.commands import SMALL, ended, start, without_times
from tests.cluster.nodes import Nodes, two_nodes

pytest.importorskip("ray")
pytestmark = [
    pytest.mark.skipif(not JIT, reason="thousands of games"),
    pytest.mark.skipif(sys.platform != "linux", reason="workers are found in /proc"),
    pytest.mark.xdist_group("cluster"),
]
PATIENT = str(Path(__file__).with_name("patient.py"))
TOURNAMENT = [
    "tournament",
    "jaipur:round",
    "patient",
    "basic3",
    "random",
    "--code",
    PATIENT,
    "--games",
    "600",
    "--seed",
    "3",
    "--json",
]
TRAIN = ["train", "jaipur:round", "ppo", "--steps", "40000", "--games", "4", "--evaluate", "0", "--json"]
NIM = Path(__file__).parents[1] / "search" / "tiny"
SEARCH = ["--steps", "500", "--games", "4", "--evaluate", "0", "--json", "--set", "hidden=16", "--set", "iterations=8000"]


@pytest.fixture(scope="module")
def nodes() -> Iterator[Nodes]:
    with two_nodes() as made:
        yield made


def test_a_tournament_on_two_nodes_with_a_killed_worker_equals_the_local_one(nodes: Nodes, tmp_path: Path) -> None:
    running = start(nodes, tmp_path, *TOURNAMENT, "--ray", nodes.address, "--store", "a.sqlite")
    os.kill(nodes.wait_for("do_piece", 2, running), signal.SIGKILL)
    (nodes.gate / "open").touch()
    spread = ended(running, tmp_path)
    local = ended(start(nodes, tmp_path, *TOURNAMENT, "--processes", "1", "--store", "b.sqlite"), tmp_path)
    assert without_times(spread) == without_times(local)
    assert spread["games"] == 1800


def test_a_training_on_two_nodes_goes_on_when_a_player_is_killed(nodes: Nodes, tmp_path: Path) -> None:
    running = start(nodes, tmp_path, *TRAIN, *SMALL, "--out", "run", "--ray", nodes.address)
    os.kill(nodes.wait_for("Member.call", 2, running), signal.SIGKILL)
    result = ended(running, tmp_path)
    lines = [json.loads(line) for line in (tmp_path / "run" / "metrics.jsonl").read_text().splitlines()]
    updates = [line for line in lines if "players" in line]
    assert result["decisions"] >= 40000
    assert [line["update"] for line in updates] == list(range(1, len(updates) + 1))
    assert {line["players"] for line in updates} == {2}
    assert updates[-1]["lost"] == 1
    assert updates[-1]["left_out"] <= 2  # what a player that comes back late has played with weights that are too old


def test_self_play_by_search_on_two_nodes_with_a_killed_player_equals_the_local_one(nodes: Nodes, tmp_path: Path) -> None:
    words = ["train", f"{NIM}:nim", "exit", *SEARCH]
    running = start(nodes, tmp_path, *words, "--out", "far", "--ray", nodes.address)
    os.kill(nodes.wait_for("Member.call", 2, running), signal.SIGKILL)
    ended(running, tmp_path)
    ended(start(nodes, tmp_path, *words, "--out", "here", "--set", "workers=0"), tmp_path)
    far, here = (read_net(tmp_path / run / "latest.safetensors")[1] for run in ("far", "here"))
    assert np.array_equal(far, here)
    lines = [json.loads(line) for line in (tmp_path / "far" / "metrics.jsonl").read_text().splitlines()]
    assert [line for line in lines if "lost" in line][-1]["lost"] == 1


def test_a_cluster_for_one_command_leaves_nothing_behind() -> None:
    with Cluster(HERE) as made:
        folder = Path(_folder[0])
        assert any(folder.iterdir())
        ticket = made.submit(sum, [1, 2])
        assert made.next() == (ticket, 3)
    assert not folder.exists()

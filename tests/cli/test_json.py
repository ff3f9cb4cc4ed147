"""Every verb's JSON is read by a strict parser and has the keys that docs/json.md tells of."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from meeple.cli.show import plain
from meeple.core.registry import find_variant
from meeple.nets.file import Card, write_net
from meeple.nets.layout import Layout, random_weights
from tests.cli.commands import call, hurry

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "json.md").read_text()
SECTIONS = dict(re.findall(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", PAGE, re.M | re.S))
TINY = ROOT / "tests" / "search" / "tiny"
RECORD = str(ROOT / "examples" / "jaipur_round.txt")

# Several commands where keys depend on the game: together they print every key of the page.
CASES = {
    "warm": ["warm jaipur:round --no-search --processes 1"],
    "list games": ["list"],
    "list agents": ["list agents", "list agents jaipur mcts"],
    "list environments": ["list environments"],
    "list spaces": ["list spaces"],
    "check": ["check jaipur --games 1 --audit 10 --envs 0"],
    "bench": ["bench rake"],
    "bench search": ["bench search jaipur"],
    "bench envs": ["bench envs jaipur"],
    "train": [f"train {TINY}:nim qtable --steps 200 --games 4 --out t"],
    "analyze": [f"analyze {RECORD} --ply 3 --iterations 50"],
    "replay": [f"replay {RECORD}", f"replay {RECORD} --ply 3"],
    "simulate": ["simulate jaipur:round --games 1", "simulate jaipur:round --games 2 --agents basic3"],
    "match": [
        "match jaipur:round random basic3 --games 2 --processes 1 --store r.sqlite",
        "match jaipur:round random basic3 --games 2 --processes 1 --sprt 0.4,0.6 --store r.sqlite",
        "match jaipur:round random basic3 --games 2 --processes 1 --luck --store r.sqlite",
        "match splendor:3 random random random --games 3 --processes 1 --store r.sqlite",
        "match rake:simple random random-nopass --games 2 --processes 1 --store r.sqlite",
        "match lotr:easy random --games 1 --processes 1 --store r.sqlite",
    ],
    "tournament": [
        "tournament jaipur:round random basic3 --games 2 --processes 1 --store r.sqlite",
        "tournament rake:simple random random-nopass --games 2 --processes 1 --store r.sqlite",
    ],
    "ladder": [
        "ladder jaipur:round flat --from 1 --rungs 2 --games 4 --processes 1 --store r.sqlite",
        "ladder lotr:easy flat --from 1 --rungs 2 --games 2 --processes 1 --store r.sqlite",
    ],
    "results": ["results --store r.sqlite"],
    "tune": ["tune jaipur:round advanced1 --out t.json --only k1,k2 --games 2 --generations 1 --processes 1"],
    "crown": [
        f"crown {TINY}:nim net.safetensors --budget iterations=2 --pool random --games 4 --processes 1 --dry --store r.sqlite"
    ],
    "levels": ["levels jaipur:round --top iterations=300 --games 8 --processes 1 --store r.sqlite"],
    "tune over a space": ["tune jaipur advanced1 --space obrien-5.2 --set k1=0.58 --games 4 --out t --processes 1"],
    "solve --fit": ["solve rake:simple --fit --games 40 --rounds 1 --out t.csv"],
    "solve": ["solve rake:simple", "solve rake:simple --agent random --games 1 --processes 1"],
    "lab list": ["lab list"],
    "lab show": ["lab show godlewski-3.2"],
    "lab run": ["lab run cutajar-embed-nomask --quick --processes 1"],
    "lab report": ["lab report"],
    "study": ["study jaipur:round --games 1", "study lotr:easy --games 1"],
    "style": [
        "style jaipur:round basic3 --games 2 --processes 1",
        "style jaipur:round basic3 random --games 2 --positions 3 --judge mcts:iterations=4 --processes 1",
    ],
    "exploit": ["exploit jaipur:round random --iterations 2 --games 2 --processes 1 --store r.sqlite"],
}


def documented(section: str) -> tuple[set[str], set[str]]:
    """Keys that are always there, and those that may be."""
    always: set[str] = set()
    optional: set[str] = set()
    for line in re.findall(r"^- (.+)$", SECTIONS[section], re.M):
        names = re.match(r"((?:`\w+`(?:, )?)+)( \(optional\))?:", line)
        assert names, line
        (optional if names[2] else always).update(re.findall(r"`(\w+)`", names[1]))
    return always, optional


def objects(section: str, value: Any) -> list[dict[str, Any]]:
    """Those that the section describes."""
    if SECTIONS[section].startswith("An object for each"):
        return list(value.values())
    return list(value) if SECTIONS[section].startswith("A list of objects") else [value]


def write_network(path: Path) -> None:
    """One that knows nothing of nim."""
    variant = find_variant(f"{TINY}:nim")
    level = variant.shape.levels[variant.level("seen")]
    layout = Layout(level.size, variant.shape.actions, (8,))
    card = Card("tiny", variant.spec, 1, "seen", layout, reward={"win": 1.0})
    write_net(path, card, random_weights(layout, 1))


def strict(text: str) -> Any:
    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is no JSON")

    return json.loads(text, parse_constant=refuse)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    hurry(monkeypatch, tmp_path)


def test_the_page_has_a_section_for_every_verb() -> None:
    assert set(SECTIONS) == set(CASES)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("section", CASES)
def test_a_verbs_json_is_strict_and_has_the_documented_keys(section: str, capsys: pytest.CaptureFixture[str]) -> None:
    always, optional = documented(section)
    met: set[str] = set()
    if section == "results":
        call(capsys, "match", "jaipur:round", "random", "basic3", "--games", "2", "--processes", "1", "--store", "r.sqlite")
    if section == "crown":
        write_network(Path("net.safetensors"))
    for command in CASES[section]:
        done = call(capsys, *command.split(), "--json")
        assert done.code == 0, done.err
        for found in objects(section, strict(done.out)):
            assert always <= set(found), command
            if section != "bench envs":  # whose other keys are games
                assert set(found) <= always | optional, command
            met |= set(found)
    if section != "bench":  # whether there is a reference depends on the machine
        assert optional <= met


def test_what_json_cannot_say_is_null() -> None:
    given = {"a": float("inf"), 3: (np.float64("nan"), np.int64(2)), "b": np.array([1.0, -np.inf]), "c": Path("x")}
    assert plain(given) == {"a": None, "3": [None, 2], "b": [1.0, None], "c": "x"}

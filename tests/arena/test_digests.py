"""What decides how an agent plays is part of a match's key: games of two versions are never mixed."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from meeple.agents import registry
from meeple.agents.registry import AgentSpec, find_agent, load_code
from meeple.arena.cluster import luggage
from meeple.arena.match import play_match
from meeple.arena.plan import make_plan
from meeple.arena.store import Store
from meeple.core import cache
from meeple.core.agent import AgentKind, Forgetful, Param, Seen
from meeple.core.registry import find_game

JAIPUR = find_game("jaipur")
MINE = """
from meeple.core.agent import AgentKind, Seen
from helper_of_mine import PLACE

class Mine:
    def __init__(self, variant):
        pass

    def choose(self, seen: Seen) -> int:
        return seen.legal[{place} or PLACE]

AGENTS = (AgentKind("mine-edited", "a test's", Mine),)
"""


class Enough(Exception):
    pass


def stop(_: int) -> None:
    stop.ticks += 1  # type: ignore[attr-defined]
    if stop.ticks == 3:  # type: ignore[attr-defined]
        raise Enough


def interrupted(path: Path, store: Store) -> int:
    """Play a few games of a match with the agent of a file, then stop; returns the match."""
    load_code(path)
    stop.ticks = 0  # type: ignore[attr-defined]
    with pytest.raises(Enough):
        play_match(make_plan("jaipur:round", ["mine-edited", "random"], 40, 1), store, tick=stop)
    return int(store.matches()[-1]["id"])


@pytest.fixture
def code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(registry, "_OWN", {})
    monkeypatch.setattr(registry, "_FILE", {})
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "helper_of_mine", raising=False)
    (tmp_path / "helper_of_mine.py").write_text("PLACE = 0")
    path = tmp_path / "mine_edited.py"
    path.write_text(MINE.format(place=0))
    return path


def test_an_edited_agent_begins_a_new_match_and_the_old_text_goes_on_with_the_old_one(code: Path) -> None:
    store = Store(None)
    assert interrupted(code, store) == 1
    assert interrupted(code, store) == 1
    code.write_text(MINE.format(place=-1))
    assert interrupted(code, store) == 2
    code.write_text(MINE.format(place=0))
    interrupted(code, store)
    assert len(store.matches()) == 2


def test_what_the_file_imports_counts_too(code: Path) -> None:
    store = Store(None)
    interrupted(code, store)
    (code.parent / "helper_of_mine.py").write_text("PLACE = -1")
    assert interrupted(code, store) == 2


class Net(Forgetful):
    def __init__(self, variant: Any, net: str) -> None:
        pass

    def choose(self, seen: Seen) -> int:
        return seen.legal[0]


def test_a_file_that_a_parameter_names_counts(tmp_path: Path) -> None:
    file = tmp_path / "net.bin"
    file.write_bytes(b"weights")
    player = AgentSpec(AgentKind("net", "", Net, (Param("net", "", ""),)), {"net": str(file)})
    before = player.digest(JAIPUR)
    assert player.digest(JAIPUR) == before
    file.write_bytes(b"other weights")
    assert player.digest(JAIPUR) != before


def test_an_agent_inside_another_counts(code: Path) -> None:
    load_code(code)
    before = find_agent("exploiter:agent=mine-edited", JAIPUR).digest(JAIPUR)
    assert before != find_agent("exploiter:agent=random", JAIPUR).digest(JAIPUR)
    code.write_text(MINE.format(place=-1))
    load_code(code)
    assert find_agent("exploiter:agent=mine-edited", JAIPUR).digest(JAIPUR) != before


def test_the_compiler_and_the_processor_do_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    def key() -> tuple[Any, ...]:
        plan = make_plan("jaipur:round", ["basic3", "random"], 4, 1)
        return plan.sources, plan.entrants

    before = key()
    monkeypatch.setattr(cache, "_versions", lambda: ("another compiler",))
    monkeypatch.setenv("NUMBA_CPU_NAME", "generic")
    assert key() == before


def test_who_sees_everything_is_marked_in_the_file() -> None:
    store = Store(None)
    store.begin("jaipur:round", 1, make_plan("jaipur:round", ["mcts-clairvoyant", "random"], 2, 1).entrants, 1, 2)
    assert store.db.execute("SELECT spec, clairvoyant FROM agent ORDER BY id").fetchall() == [
        ("mcts-clairvoyant", 1),
        ("random", 0),
    ]


@pytest.mark.parametrize("name", ["champions/jaipur-round.safetensors", "champions/levels.json", "games/rules.py"])
def test_a_machine_of_a_cluster_is_told_by_all_that_decides_what_is_played(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (file := tmp_path / name).parent.mkdir()
    monkeypatch.setattr(luggage, "PACKAGE", tmp_path)
    digest = luggage.our_sources.__wrapped__
    file.write_bytes(b"before")
    before = digest()
    file.write_bytes(b"after")
    assert digest() != before

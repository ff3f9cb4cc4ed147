"""Files of --code, and kernels of somebody's own in the cache that everybody shares."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from meeple.agents import registry
from meeple.agents.registry import agents_of, find_agent, load_code
from meeple.core.agent import ask
from meeple.core.errors import MeepleError
from meeple.core.kernel import JIT
from meeple.core.registry import find_game, find_variant
from meeple.core.state import new
from tests.front.conftest import Run

AGENT = """
from meeple.core.agent import AgentKind
class Plain:
    def choose(self, seen): return {answer}
AGENTS = (AgentKind("{name}", "{answer}", lambda variant: Plain()),)
"""
NOON = 1_700_000_000


@pytest.fixture(autouse=True)
def _nothing_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_OWN", {})
    monkeypatch.setattr(registry, "_FILE", {})


def write(path: Path, name: str, answer: int = 0) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(AGENT.format(name=name, answer=answer))
    return path


def at_noon(path: Path) -> Path:
    os.utime(path, (NOON, NOON))
    return path


def test_two_files_of_one_name_are_two_modules(tmp_path: Path) -> None:
    load_code(write(tmp_path / "a" / "mine.py", "ant"))
    load_code(write(tmp_path / "b" / "mine.py", "bee"))
    kinds = agents_of(find_game("rake"))
    assert kinds["ant"].make.__module__ != kinds["bee"].make.__module__


def test_an_edited_file_is_another_module_and_takes_the_place_of_the_first(tmp_path: Path) -> None:
    """Also one that was edited within the second in which it was loaded and kept its length, so that its bytecode looks current."""
    load_code(at_noon(write(tmp_path / "mine.py", "ant", 0)))
    before = agents_of(find_game("rake"))["ant"]
    load_code(at_noon(write(tmp_path / "mine.py", "ant", 1)))
    after = agents_of(find_game("rake"))["ant"]
    assert (before.meaning, after.meaning) == ("0", "1")
    assert before.make.__module__ != after.make.__module__
    assert load_code(tmp_path / "mine.py") == ["ant"]


def test_one_name_from_two_files_is_refused(tmp_path: Path) -> None:
    load_code(write(tmp_path / "a.py", "ant"))
    with pytest.raises(MeepleError, match=r"a\.py and .*b\.py both bring an agent ant"):
        load_code(write(tmp_path / "b.py", "ant"))


@pytest.mark.parametrize("name", ["mcts", "random", "greedy"])
def test_an_agent_of_a_file_takes_nobodys_place(name: str, tmp_path: Path) -> None:
    """Of all games, or of the game: whoever reads `mcts` in a result must not wonder which."""
    load_code(write(tmp_path / "mine.py", name))
    with pytest.raises(
        MeepleError, match=rf"mine\.py brings an agent {name}, but jaipur has one of that name already; rename yours"
    ):
        agents_of(find_game("jaipur"))


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("mine.py", "import meeple\n\ndef f():\n    return x\nf()\n", r"NameError: name 'x' is not defined \(mine.py, line 4\)"),
        ("mine.py", "x = \n", r"SyntaxError: invalid syntax \(mine.py, line 1\)"),
        ("mine.py", "AGENTS = 5\n", r"AGENTS in .*mine.py, line 1, must be a tuple of AgentKind\(...\), not 5"),
        ("mine.py", "", "has no AGENTS; it should have"),
        ("mine.txt", "AGENTS = 5\n", "no Python file"),
        ("", "", "no file .*nowhere.py|no Python file"),
    ],
)
def test_a_wrong_file_is_named_with_its_line(name: str, text: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / (name or "nowhere.py")
    if name:
        path.write_text(text)
    with pytest.raises(MeepleError, match=says):
        load_code(path)


GUIDE = """
from typing import Any, NamedTuple
from meeple.core.guide import kernel_guide
from meeple.core.kernel import kernel

class Mine(NamedTuple):
    nothing: int = 0

@kernel
def advise_mine(guide: Any, s: Any, actions: Any, n: int, logits: Any, values: Any) -> None:
    for i in range(n):
        logits[i] = i
    for seat in range(values.size):
        values[seat] = 0.5

kernel_guide(Mine, advise_mine)
"""
SEARCH = """
import meeple, own_guide
from meeple.agents.random import Random
from meeple.agents.registry import find_agent
from meeple.core.cache import compiled, trouble
from meeple.search.driver import Budget, Search
variant = meeple.find_variant("./pig:short")
settings = find_agent("mcts", variant.game).make(variant).search.settings
search = Search(variant, settings, own_guide.Mine(), Random(), Budget(20))
search.set_root(meeple.new(variant, 1).array)
search.run()
print(search.root_actions().best(), len(compiled), trouble)
"""


@pytest.mark.skipif(not JIT, reason="compiled code is what is kept")
@pytest.mark.xdist_group("pig")
def test_a_guide_of_somebodys_own_does_not_stand_in_the_way_of_others(pig: Path, run: Run, tmp_path: Path) -> None:
    """It is kept for whoever has it, and `mcts` of those who do not have it goes on."""
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "own_guide.py").write_text(GUIDE)
    first, second = (run(python=SEARCH, path=tmp_path / "own") for _ in range(2))
    assert first.returncode == second.returncode == 0, first.stderr + second.stderr
    assert second.stdout.split()[1:] == ["0", "[]"]
    assert pig.is_dir()
    done = run("match", "./pig:short", "mcts:iterations=5,select=ucb1,cut=-1", "random", "--games", "2", "--processes", "1")
    assert done.returncode == 0, done.stderr


POLICY = """
from typing import NamedTuple
from meeple.core.agent import AgentKind, kernel_agent
from meeple.core.kernel import kernel
from meeple.core.verbs import legal
class Last(NamedTuple):
    nothing: int = 0
@kernel
def choose_last(me, s, stream, out):
    return out[legal(s, out) - 1]
kernel_agent(Last, choose_last)
AGENTS = (AgentKind("last", "plays the last move", lambda variant: Last()),)
"""


@pytest.mark.skipif(not JIT, reason="minutes without the compiler")
def test_the_workers_of_a_search_know_agents_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(POLICY)
    load_code(tmp_path / "mine.py")
    nim = find_variant(f"{Path(__file__).parents[1] / 'search' / 'tiny'}:nim")
    agent = find_agent("mcts:iterations=20,workers=2,policy=last", nim.game).make(nim)
    try:
        assert ask(agent, new(nim, 1), 1) in new(nim, 1).legal()
    finally:
        agent.team.close()

"""What somebody's own agent or game does wrong is said with its name, its file and line, and what was expected."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import meeple
from meeple.agents import registry
from meeple.agents.registry import find_agent, load_code
from meeple.arena.fair import check_fair
from meeple.arena.table import Piece
from meeple.core.agent import Param, Seen, ask
from meeple.core.errors import IllegalMove, MeepleError, UnknownName
from meeple.core.faults import AgentFault, asked, sentence, told
from meeple.core.kernel import JIT, kernel
from meeple.core.state import State
from meeple.core.workers import WorkerFault
from meeple.play.session import begin
from meeple.rollout.stepper import Batch

HEAD = """from typing import NamedTuple

from meeple.core.agent import AgentKind, kernel_agent
from meeple.core.kernel import kernel
from meeple.core.verbs import legal


class Mine:
    def __init__(self, variant): ...

    def choose(self, seen):
        {body}


AGENTS = (AgentKind("mine", "", Mine),)
"""
LINE = HEAD[: HEAD.index("{body}")].count("\n") + 1
ANSWERS = {
    "raise ValueError('boom')": f"failed at move 1: ValueError: boom \\(mine.py, line {LINE}\\)",
    "raise SystemExit": f"failed at move 1: SystemExit \\(mine.py, line {LINE}\\)",
    "return seen.sample(1).play('sell 7 leather')": f"IllegalMove: .* \\(mine.py, line {LINE}\\)",
    "return None": f"it answered None \\(NoneType\\); expected is .*; its choose is in mine.py, line {LINE - 1}",
    "return [1]": r"it answered \[1\] \(list\)",
    "return seen.legal[0] + 0.5": r"it answered \d+\.5 \(float\)",
    "return True": r"it answered True \(bool\)",
    "return 'nonsense'": "Expected is an action of seen.legal",
    "return 'sell 7 leather'": "'sell 7 leather' is not legal for seat 0 at ply 0; legal: ",
    "return -1": "'action -1' is not legal",
}


@pytest.fixture(autouse=True)
def nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test's agent is called mine."""
    monkeypatch.setattr(registry, "_OWN", {})
    monkeypatch.setattr(registry, "_FILE", {})


def mine(folder: Path, body: str) -> Any:
    (folder / "mine.py").write_text(HEAD.format(body=body))
    load_code(folder / "mine.py")
    return find_agent("mine", meeple.find_variant("jaipur:round").game)


def one_game(player: Any, state: State) -> None:
    Piece(state.variant, [player, find_agent("random", state.variant.game)], [1], np.array([[0, 1]], np.int8)).play()


def environment(player: Any, state: State) -> None:
    batch = Batch(state.variant, 1, seat=1, opponents=[player.make])
    batch.reset(3)


WAYS: dict[str, Callable[[Any, State], Any]] = {
    "ask": lambda player, state: ask(player.make(state.variant), state, 1, name=player.spec),
    "a match": one_game,
    "the check of fairness": lambda player, state: check_fair(state.variant, player),
    "an environment": environment,
    "play": lambda _, state: begin(state.variant, ["mine"], 1, 3, Path("g.txt")).let_agent_move(),
}


@pytest.mark.parametrize("body", ANSWERS)
def test_an_agents_fault_names_agent_file_line_and_what_was_expected(
    body: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    player = mine(tmp_path, body)
    state = meeple.new("jaipur:round", 3)
    with pytest.raises(AgentFault, match=f"The agent mine .*{ANSWERS[body]}"):
        asked(player.make(state.variant), Seen(state, 1), "mine")


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("body", ["raise ValueError('boom')", "return 1.5"])
def test_whoever_asks_an_agent_says_so(way: str, body: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(AgentFault, match=r"The agent mine .*mine.py, line"):
        WAYS[way](mine(tmp_path, body), meeple.new("jaipur:round", 3))


def test_an_agent_that_cannot_be_made_says_where(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(HEAD.replace("variant): ...", "variant): variant.nothing"))
    load_code(tmp_path / "mine.py")
    player = find_agent("mine", meeple.find_variant("jaipur:round").game)
    with pytest.raises(AgentFault, match=r"cannot be made by its make\(variant\): AttributeError: .*mine.py, line 9"):
        player.make(meeple.find_variant("jaipur:round"))


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("x.txt", "AGENTS = ()", "x.txt is no Python file; --code takes a Python file"),
        ("x.py", "AGENTS = 5", r"AGENTS in .*x.py, line 1, must be a tuple of AgentKind\(...\), not 5"),
        ("x.py", "\nAGENTS = ()", r"line 2, must be a tuple"),
        ("x.py", "AGENTS = (3,)", "must be a tuple"),
        ("x.py", "y = 1\nx = 1 / 0", r"cannot be run: ZeroDivisionError: .*x.py, line 2"),
        ("x.py", "y = 1\nx = ", r"cannot be run: SyntaxError: .*x.py, line 2"),
        ("x.py", "import sys\nsys.exit(3)", r"cannot be run: SystemExit: 3 \(.*x.py, line 2"),
        ("x.py", "x = 1", "has no AGENTS"),
    ],
)
def test_a_file_of_code_that_is_none_is_refused(name: str, text: str, why: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(MeepleError, match=why):
        load_code(tmp_path / name)


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_what_a_compiler_says_becomes_its_reason_and_the_line() -> None:
    @kernel
    def wrong_field(s: Any) -> int:
        return s.trun  # type: ignore[no-any-return]

    @kernel
    def wrong_type(s: Any) -> Any:
        return s.turn + "x"

    state = meeple.new("jaipur:round", 3)
    functions: list[tuple[Any, str, str]] = [
        (wrong_field, "the state has no field 'trun'", "return s.trun  #"),
        (wrong_type, "No implementation of function", 'return s.turn + "x"\n'),
    ]
    lines = Path(__file__).read_text().splitlines(keepends=True)
    for function, why, text in functions:
        line = next(number for number, each in enumerate(lines, 1) if each.strip(" ").startswith(text))
        with pytest.raises(Exception, match=r".") as failed:
            function(state.data)
        assert why in told(failed.value)
        assert f"test_faults.py, line {line})" in told(failed.value)
        assert sentence(failed.value).startswith("A fault in ")
        assert "A fault in meeple" not in sentence(failed.value)


def test_faults_of_a_worker_and_of_ours_are_sentences() -> None:
    fault_there = WorkerFault("ValueError: boom", 'File "/home/somebody/mine.py", line 3, in choose')
    assert sentence(fault_there) == "A fault in /home/somebody/mine.py, line 3: ValueError: boom; MEEPLE_DEBUG=1 shows more."
    with pytest.raises(TypeError) as fault:
        meeple.new("jaipur:round", "x")  # type: ignore[arg-type]
    assert "TypeError" in sentence(fault.value)


def test_errors_survive_the_way_from_a_worker() -> None:
    for error in (UnknownName("agent", "x", ["y"]), IllegalMove("no", "take", "there"), AgentFault("z")):
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is type(error)
        assert str(again) == str(error)
        assert vars(again) == vars(error)


@pytest.mark.parametrize("text", ["inf", "nan", "-inf", "1e300"])
def test_a_parameter_is_a_finite_number(text: str) -> None:
    with pytest.raises(MeepleError, match=r"parameter ms must be from 0 to 1e.09, not"):
        Param("ms", 0.0, "", 0).read(text, "mcts")
    with pytest.raises(MeepleError, match=r"must be a whole number|must be from"):
        Param("n", 0, "").read("9" * 30, "mcts")

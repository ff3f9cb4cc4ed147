"""The exact solution of `simple`, against a recursion over all rolls that knows nothing of groups, chances or ranking."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import meeple
from meeple.agents.registry import find_agent
from meeple.core.agent import ask
from meeple.core.kernel import JIT, kernel
from meeple.core.rng import draw, stream
from meeple.games.rake.actions import ACTIONS_SIMPLE, SIMPLE_PASS
from meeple.games.rake.components import TIME_SIMPLE
from meeple.games.rake.layers import BEFORE, LEAF_SETS, Tables, back_up, make_tables, solve_layers
from meeple.games.rake.rules import apply, legal
from meeple.games.rake.scoring import score
from meeple.games.rake.solver import (
    ANEW,
    HEADER_SIZE,
    SCALE,
    Solution,
    action_value,
    build,
    default_path,
    load,
    optimum,
    regrets,
    sheet_number,
    unfinished,
    value_of,
)
from meeple.lab.solve import regret
from tests.games.rake.positions import clock, cross, finish, roll, table

pytestmark = pytest.mark.skipif(not JIT, reason="23,708,160 sheets and 46,656 rolls are too many without the compiler")

LIMIT = 4  # of the solution that is written to a file here
ROLLS = np.array(list(product(range(1, 7), repeat=6)), np.int8)
SHEETS: dict[str, dict[str, Any]] = {
    "empty": {},
    "nothing fits but Newman": {"harvick": 4, "busch": 6, "johnson": 6, "suarez": 5, "earnhardt": 5, "patrick": 6, "hamlin": 5},
    "money is near": {"harvick": 3, "busch": 5, "newman": [0, 1, 2, 4, 5], "johnson": 2, "earnhardt": 2, "hamlin": 4},
    "some of everything": {"harvick": 1, "busch": 2, "newman": [0, 3], "johnson": 4, "suarez": 1, "patrick": 2, "hamlin": 1},
}


def sheet(name: str, time_left: int = TIME_SIMPLE) -> meeple.State:
    groups = dict(SHEETS[name])
    state = cross(table("simple"), "newman", *groups.pop("newman", []))
    return clock(finish(state, **groups), TIME_SIMPLE - time_left)


# ---- The plain recursion -----------------------------------------------------------------------------------------------


@kernel
def find_legal(states: Any, out: Any, found: Any) -> None:
    for i in range(states.size):
        for place in range(legal(states[i], out)):
            found[out[place], i] = True


@kernel
def play_all(states: Any, action: int, gains: Any) -> None:
    for i in range(states.size):
        before = score(states[i], 0)
        apply(states[i], action)
        gains[i] = score(states[i], 0) - before


class Recursion:
    """What optimal play still earns: for each roll the best of all legal actions, each tried in the game itself."""

    def __init__(self) -> None:
        self.known: dict[tuple[bytes, int], float] = {}

    def value(self, state: NDArray[Any]) -> float:
        left = TIME_SIMPLE - int(state[0].time[0])
        if left <= 0:
            return 0.0
        key = (state["leaves"].tobytes(), left)
        if key not in self.known:
            rolled = np.repeat(state, len(ROLLS))
            rolled["dice"] = ROLLS
            possible = np.zeros((ACTIONS_SIMPLE, len(ROLLS)), bool)
            find_legal(rolled, np.zeros(ACTIONS_SIMPLE + 1, np.int32), possible)
            best = np.full(len(ROLLS), -np.inf)
            for action, where in enumerate(possible):
                best[where] = np.maximum(best[where], self.after(rolled[where], action))
            self.known[key] = float(best.mean())
        return self.known[key]

    def after(self, states: NDArray[Any], action: int) -> NDArray[np.float64]:
        """What an action earns now and later in each of these states."""
        values = np.zeros(len(states))
        play_all(states, action, values)
        later = states["time"][:, 0] < TIME_SIMPLE
        if later.any():
            sheets = np.hstack([states["leaves"][:, 0], states["time"]])[later]
            _, first, which = np.unique(sheets, axis=0, return_index=True, return_inverse=True)
            values[later] += np.array([self.value(states[later][i : i + 1]) for i in first])[which.ravel()]
        return values


@pytest.fixture(scope="module")
def recursion() -> Recursion:
    return Recursion()


# ---- The solver ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def tables() -> Tables:
    return make_tables()


def solved_around(tables: Tables, state: meeple.State, time_left: int) -> float:
    """The value of one sheet: back_up for it and all sheets that it leads to, though a whole game would reach them late."""
    layers = np.zeros((BEFORE + 1, int(np.prod(tables.sizes)) * LEAF_SETS), np.float32)
    number = int(sheet_number(tables, state.data))
    reach = {number // LEAF_SETS}
    rows = [reach]
    for _ in range(time_left - 1):
        reach = {row + stride for row in reach for stride in steps(tables, row)}
        rows.append(reach)
    for time in range(1, time_left + 1):
        for row in sorted(set().union(*rows[: time_left - time + 1])):
            back_up(tables, layers, time, 1000, row, row + 1)
    return float(layers[time_left % (BEFORE + 1), number])


def steps(tables: Tables, row: int) -> Iterator[int]:
    """What one more group of each property that is not full adds to the number of a sheet without Newman."""
    for size, stride in zip(tables.sizes.tolist(), (tables.strides // LEAF_SETS).tolist(), strict=True):
        if row // stride % size < size - 1:
            yield stride


@pytest.mark.parametrize("time_left", [1, 2])
@pytest.mark.parametrize("name", SHEETS)
def test_every_value_is_that_of_the_best_play_by_plain_recursion(
    tables: Tables, recursion: Recursion, name: str, time_left: int
) -> None:
    state = sheet(name, time_left)
    assert solved_around(tables, state, time_left) == pytest.approx(recursion.value(state.array), abs=1e-4)


def test_so_it_is_with_three_units_of_time_left(tables: Tables, recursion: Recursion) -> None:
    state = sheet("money is near", 3)
    assert solved_around(tables, state, 3) == pytest.approx(recursion.value(state.array), abs=1e-4)


def test_the_last_unit_by_hand(tables: Tables) -> None:
    """Only Newman is open and one leaf of it is left, for a green six: ten more with a chance of a sixth, at every unit before."""
    state = cross(sheet("nothing fits but Newman"), "newman", 0, 1, 2, 3, 4)
    for time_left, chance in ((1, 1 / 6), (2, 1 / 6 * (1 + 1 / 6))):
        assert solved_around(tables, state, time_left) == pytest.approx(10 * chance, abs=1e-5)
    assert solved_around(tables, cross(state, "newman", 5), 2) == 0  # the sheet is full


def test_the_chances_are_those_of_the_dice(tables: Tables) -> None:
    """Chance of a green value and that none of a set of properties fits; the sets by hand."""
    none = tables.none_fits.sum(axis=0)
    harvick, busch, johnson, suarez, earnhardt, patrick, hamlin = (none[1 << row] for row in range(7))
    assert none[0] == pytest.approx(1)
    assert tables.none_fits[:, 0] == pytest.approx([1 / 6] * 6)
    assert harvick == pytest.approx(1 - 4 * 6 / 216)
    assert johnson == pytest.approx((5 / 6) ** 2)
    assert suarez == pytest.approx(5 / 6 * 4 / 6)
    assert earnhardt == pytest.approx(5 / 6)
    assert patrick == pytest.approx((5 / 6) ** 3)
    oranges = [len(set(roll)) for roll in product(range(6), repeat=3)]
    assert busch == pytest.approx(np.mean([((6 - n) / 6) ** 2 for n in oranges]))
    assert hamlin == pytest.approx(np.mean([not hamlin_fits(roll) for roll in ROLLS.tolist()]))


def hamlin_fits(dice: list[int]) -> bool:
    green = dice[5]
    equal = green in dice[:3] and green in dice[3:5]
    return equal or (green + 1 in dice[:3] and green - 1 in dice[3:5])


# ---- The file ------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    path = tmp_path_factory.mktemp("solved") / "folder" / "rake_simple.bin"
    ticks: list[int] = []
    head = build(path, LIMIT, tick=ticks.append)
    assert sum(ticks) == LIMIT
    return path, head


@pytest.fixture(scope="module")
def solution(built: tuple[Path, dict[str, Any]]) -> Solution:
    return load(built[0], LIMIT)


def test_layers_are_computed_one_after_another_and_the_last_is_the_value_of_the_game(recursion: Recursion) -> None:
    values = []
    result = solve_layers(3, lambda time_left, layer: values.append((time_left, float(layer[0]))), 2, lambda _: None)
    assert [time_left for time_left, _ in values] == [1, 2, 3]
    assert result == values[-1][1]
    assert values[0][1] == pytest.approx(recursion.value(sheet("empty", 1).array), abs=1e-4)
    assert values[1][1] == pytest.approx(recursion.value(sheet("empty", 2).array), abs=1e-4)
    assert values[1][1] < values[2][1]


def test_what_is_built_is_read_back(built: tuple[Path, dict[str, Any]], solution: Solution, tables: Tables) -> None:
    path, head = built
    assert not any(left.exists() for left in unfinished(path))
    assert solution.limit == head["limit"] == LIMIT
    assert solution.optimum == head["optimum"] == optimum(path, LIMIT)
    assert value_of(solution, 0, LIMIT) == pytest.approx(head["optimum"], abs=0.5 / SCALE + 1e-6)
    assert value_of(solution, 0, 0) == value_of(solution, 0, -3) == 0
    # A sheet that a turn with a green one leads to, and what the layers say of it.
    state = clock(finish(table("simple"), harvick=1), TIME_SIMPLE - LIMIT + 1)
    number = int(sheet_number(tables, state.data))
    assert value_of(solution, number, LIMIT - 1) == pytest.approx(solved_around(tables, state, LIMIT - 1), abs=0.5 / SCALE + 1e-6)


def test_an_interrupted_solution_goes_on_and_comes_out_the_same(built: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    path = tmp_path / "again.bin"

    def interrupt(_: int, seen: list[int] = []) -> None:  # noqa: B006
        seen.append(1)
        if len(seen) == 3:  # the first tells what was there before
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(path, LIMIT, tick=interrupt)
    assert not path.exists()
    ticks: list[int] = []
    build(path, LIMIT, tick=ticks.append)
    assert ticks == [2, 1, 1]
    assert path.read_bytes() == built[0].read_bytes()
    assert not any(left.exists() for left in unfinished(path))


def test_layers_of_another_length_of_game_are_not_gone_on_from(tmp_path: Path) -> None:
    path = tmp_path / "other.bin"

    def interrupt(done: int) -> None:
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(path, 3, tick=interrupt)
    ticks: list[int] = []
    build(path, 2, tick=ticks.append)
    assert ticks == [0, 1, 1]


def test_what_an_action_is_worth_is_its_money_and_the_value_of_what_it_leads_to(solution: Solution) -> None:
    state = roll(sheet("empty", LIMIT), "123 44 1")
    assert state.moves() == ["harvick", "newman", "earnhardt", "patrick", "pass"]
    for action in state.legal():
        after = state.copy()
        after.play(action)
        number = int(sheet_number(solution.tables, after.data))
        expected = after.scores()[0] + value_of(solution, number, LIMIT - 1)
        assert action_value(solution, state.data, action) == pytest.approx(expected)
    assert action_value(solution, state.data, 0) > 4  # Harvick's four at once


def optimal_agent(path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr("meeple.games.rake.players.default_path", lambda: path)
    monkeypatch.setattr("meeple.games.rake.players.load", lambda path: load(path, LIMIT))
    return find_agent("optimal", meeple.find_game("rake")).make(meeple.find_variant("rake:simple"))


def test_optimal_chooses_what_is_worth_most_and_has_no_regret(
    built: tuple[Path, dict[str, Any]], solution: Solution, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = optimal_agent(built[0], monkeypatch)
    out = np.zeros(ACTIONS_SIMPLE + 1, np.int32)
    chooser = stream(4)
    lost_at_random = 0.0
    for number in range(100):
        start = roll(sheet("empty", LIMIT), "".join(str(draw(chooser, 6) + 1) for _ in range(6)))
        for random in (False, True):
            state, played = start.redealt(0, number), []
            first = state.copy()
            while not state.over:
                values = {action: action_value(solution, state.data, action) for action in state.legal()}
                answer = ask(agent, state, number)
                assert values[answer] == max(values.values())
                moves = state.legal()
                played.append(state.play(moves[draw(chooser, len(moves))] if random else answer))
            lost = np.zeros(len(played))
            regrets(solution, first.data, np.array(played, np.int32), out, lost)
            assert (lost >= 0).all()
            if random:
                lost_at_random += lost.sum()
            else:
                assert lost.tolist() == [0] * len(played)
    assert lost_at_random > 50


def test_the_regret_of_a_move_is_what_it_is_worse_by(solution: Solution) -> None:
    state = roll(sheet("empty", LIMIT), "123 11 6")  # the last turn: four at Harvick, one at Newman, nothing elsewhere
    for move, given_away in (("harvick", 0), ("newman", 3), ("busch", 4), ("pass", 4)):
        lost = np.zeros(1)
        action = state.variant.parse_action(move)
        out = np.zeros(ACTIONS_SIMPLE + 1, np.int32)
        regrets(solution, state.copy().data, np.array([action], np.int32), out, lost)
        assert lost.tolist() == [given_away]


def test_an_action_of_no_use_is_passed_over(built: tuple[Path, dict[str, Any]], monkeypatch: pytest.MonkeyPatch) -> None:
    """With no time after this turn, a row that pays nothing is worth as much as a pass, and money is taken."""
    agent = optimal_agent(built[0], monkeypatch)
    state = roll(finish(sheet("empty", 1), earnhardt=2), "124 55 3")
    assert state.variant.format_action(ask(agent, state, 0)) == "earnhardt"
    state = roll(cross(sheet("empty", 1), "newman", 5), "124 35 6")
    assert ask(agent, state, 0) == SIMPLE_PASS


# ---- Files that are none -----------------------------------------------------------------------------------------------------


def damaged(path: Path, kind: str, head: dict[str, Any], whole: bytes) -> None:
    line = {
        "another format": head | {"format": 99},
        "another version of the rules": head | {"rules": 99},
        "another game": head | {"variant": "chess"},
        "another time": head | {"limit": LIMIT + 1},
        "half a head": {"format": 1, "rules": 1},
        "a list": [1, 2],
    }
    content = {
        "empty": b"",
        "text": b"hello\n",
        "zeros": bytes(len(whole)),
        "noise": bytes(range(256)) * 4,
        "cut": whole[:-1],
        "longer": whole + b"\0\0",
    }
    path.write_bytes(content[kind] if kind in content else json.dumps(line[kind]).encode().ljust(HEADER_SIZE) + whole[HEADER_SIZE:])


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        ("empty", "is no solution of rake:simple"),
        ("text", "is no solution of rake:simple"),
        ("zeros", "is no solution of rake:simple"),
        ("noise", "is no solution of rake:simple"),
        ("a list", "is no solution of rake:simple"),
        ("half a head", "is no solution of rake:simple"),
        ("another game", "is of another version"),
        ("another format", "is of another version"),
        ("another version of the rules", "is of another version"),
        ("another time", "is of another version"),
        ("cut", "is damaged"),
        ("longer", "is damaged"),
    ],
)
def test_a_file_that_is_no_solution_is_refused_in_one_sentence(
    built: tuple[Path, dict[str, Any]], tmp_path: Path, kind: str, why: str
) -> None:
    path = tmp_path / "rake_simple.bin"
    damaged(path, kind, built[1], built[0].read_bytes())
    with pytest.raises(meeple.MeepleError) as refused:
        load(path, LIMIT)
    assert str(refused.value).startswith(f"{path} {why}")
    assert str(refused.value).endswith(ANEW)
    assert "\n" not in str(refused.value)


def test_a_solution_that_is_not_there_says_how_to_make_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_path().is_relative_to(tmp_path)
    for ask_for in (lambda: optimum(default_path()), lambda: load(default_path())):
        with pytest.raises(meeple.MeepleError, match="meeple solve rake:simple"):
            ask_for()
    with pytest.raises(meeple.MeepleError, match="not solved yet"):
        find_agent("optimal", meeple.find_game("rake")).make(meeple.find_variant("rake:simple"))


def test_a_solution_of_a_shorter_game_is_not_used_for_the_whole_one(built: tuple[Path, dict[str, Any]]) -> None:
    with pytest.raises(meeple.MeepleError, match="another version"):
        load(built[0])
    with pytest.raises(meeple.MeepleError, match="another version"):
        regret(meeple.find_variant("rake:simple"), "random", 1, 1, built[0])

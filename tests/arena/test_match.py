"""Matches: paired deals, the same result for any number of processes, everything kept, nothing lost."""

from __future__ import annotations

import inspect
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
import tracemalloc
from collections import Counter
from contextlib import closing
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import pytest
from typer.testing import CliRunner

import meeple
from meeple.agents.registry import AgentSpec, find_agent
from meeple.arena.fair import Cheat, OwnLuck, check_fair
from meeple.arena.match import play_match
from meeple.arena.plan import make_plan
from meeple.arena.records import stored_record
from meeple.arena.store import Store
from meeple.arena.table import Piece
from meeple.arena.tournament import plan_tournament, play_tournament
from meeple.cli.main import app
from meeple.core.agent import AgentKind, Seen, kernel_agent
from meeple.core.errors import MeepleError
from meeple.core.kernel import kernel
from meeple.core.record import parse_record
from meeple.core.rng import child
from meeple.core.state import State

JAIPUR = meeple.find_game("jaipur")
ROUND = meeple.find_variant("jaipur:round")


def play(tmp_path: Path, agents: list[str], games: int, processes: int = 1, name: str = "r.sqlite", **more: Any) -> dict[str, Any]:
    result = play_match(make_plan("jaipur:round", agents, games, 3), Store(tmp_path / name), processes, **more)
    del result["seconds"]
    return result


def test_every_deal_is_played_once_for_each_seating(tmp_path: Path) -> None:
    store = Store(tmp_path / "r.sqlite")
    result = play_match(make_plan("jaipur:round", ["basic3", "random"], 40, 1), store)
    games = store.games(result["match"])
    assert [game.seating for game in games] == [[0, 1], [1, 0]] * 20
    assert all(count == 2 for count in Counter(game.seed for game in games).values())
    assert [game.seed for game in games[::2]] == [child(1, deal) for deal in range(20)]


def test_results_do_not_depend_on_the_number_of_processes(tmp_path: Path) -> None:
    one = play(tmp_path, ["basic3", "random"], 1024, processes=1, name="one.sqlite")
    two = play(tmp_path, ["basic3", "random"], 1024, processes=2, name="two.sqlite")
    assert one == two
    games = [[g.actions.tolist() for g in Store(tmp_path / name).games(1)] for name in ("one.sqlite", "two.sqlite")]
    assert games[0] == games[1]


def test_the_summary_by_hand(tmp_path: Path) -> None:
    store = Store(tmp_path / "r.sqlite")
    result = play_match(make_plan("jaipur:round", ["basic3", "random"], 20, 1), store)
    games = store.games(result["match"])
    mine = [game.outcome[game.seating.index(0)] for game in games]
    difference = [game.scores[game.seating.index(0)] - game.scores[game.seating.index(1)] for game in games]
    assert result["win_rate"] == pytest.approx(sum(mine) / 20)
    assert result["wins"] + result["draws"] + result["losses"] == 20
    assert result["score_diff"] == pytest.approx(sum(difference) / 20)
    assert result["turns"] == pytest.approx(sum(game.turns for game in games) / 20)
    assert result["win_rate_ci"][0] <= result["win_rate"] <= result["win_rate_ci"][1]
    won = [sum(game.own_turns[s] for s in [game.seating.index(0)]) for game, share in zip(games, mine, strict=True) if share == 1]
    assert result["turns_to_win"][0] == pytest.approx(sum(won) / len(won))
    interface = "game variant agents games wins draws win_rate win_rate_ci scores score_diff score_diff_ci turns seconds"
    assert set(interface.split()) <= set(result)


def test_exchanging_the_names_mirrors_the_result(tmp_path: Path) -> None:
    """The same agents in the other order play other streams of luck, but about as well."""
    a = play(tmp_path, ["basic3", "random"], 1000)
    b = play(tmp_path, ["random", "basic3"], 1000)
    assert a["win_rate"] == pytest.approx(1 - b["win_rate"], abs=0.03)


def test_every_game_of_a_match_can_be_replayed(tmp_path: Path) -> None:
    store = Store(tmp_path / "r.sqlite")
    result = play_match(make_plan("jaipur:round", ["basic3", "random"], 6, 1), store)
    for game in store.games(result["match"]):
        record = stored_record(store, result["match"], game.number)
        *_, last = parse_record(record.text()).states()
        assert last.scores() == game.scores
        assert last.outcome() == game.outcome
        assert record.players == tuple(["basic3", "random"][who] for who in game.seating)


def test_an_interrupted_match_goes_on_where_it_stopped(tmp_path: Path) -> None:
    whole = play(tmp_path, ["basic3", "random"], 1024, name="whole.sqlite")

    class Enough(Exception):
        pass

    def stop(_: int, seen: list[int] = []) -> None:  # noqa: B006
        seen.append(1)
        if len(seen) == 3:
            raise Enough

    with pytest.raises(Enough):
        play(tmp_path, ["basic3", "random"], 1024, tick=stop)
    kept = len(Store(tmp_path / "r.sqlite").games(1))
    assert 0 < kept < 1024
    assert play(tmp_path, ["basic3", "random"], 1024) == whole
    assert len(Store(tmp_path / "r.sqlite").matches()) == 1


def test_a_match_of_any_length_begins_at_once_and_needs_little_memory(tmp_path: Path) -> None:
    class Enough(Exception):
        pass

    def stop(_: int, seen: list[int] = []) -> None:  # noqa: B006
        seen.append(1)
        if len(seen) == 5:
            raise Enough

    play(tmp_path, ["random", "random"], 2)  # compiles
    tracemalloc.start()
    with pytest.raises(Enough):
        play(tmp_path, ["random", "random"], 100_000_000, tick=stop)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 50e6


def test_a_finished_match_is_played_anew_when_asked_again(tmp_path: Path) -> None:
    play(tmp_path, ["random", "random"], 20)
    play(tmp_path, ["random", "random"], 20)
    assert len(Store(tmp_path / "r.sqlite").matches()) == 2


def test_a_sequential_test_stops_early_and_the_same_for_any_number_of_processes(tmp_path: Path) -> None:
    one = play(tmp_path, ["basic3", "random"], 4096, 1, "one.sqlite", sprt=(0.5, 0.6))
    two = play(tmp_path, ["basic3", "random"], 4096, 2, "two.sqlite", sprt=(0.5, 0.6))
    assert one["sprt"]["accepted"] == "p1"
    assert one["games"] < 4096
    assert one == two


def test_a_sequential_test_goes_on_in_the_middle_of_a_deal(tmp_path: Path) -> None:
    plan, store = make_plan("jaipur:round", ["basic3", "random"], 4096, 1), Store(tmp_path / "r.sqlite")
    number = store.begin(plan.variant.spec, plan.variant.game.version, plan.entrants, 1, 4096, plan.sources, 0)
    store.add(number, range(1), *plan.tables(range(1)), plan.play(range(1)), 0.1)  # one game of the first deal
    result = play_match(plan, store, sprt=(0.5, 0.6))
    assert result["match"] == number
    assert result["sprt"]["accepted"] == "p1" and result["games"] < 4096


def test_a_plot_shows_the_games_that_a_sequential_test_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[int] = []

    def draw(result: dict[str, Any], blocks: Any, path: Path) -> None:  # noqa: ARG001
        drawn.extend([result["games"], sum(len(block.ends) for block in blocks)])

    monkeypatch.setattr("meeple.cli.match.draw_scores", draw)
    words = ["match", "jaipur:round", "basic3", "random", "--games", "4096", "--sprt", "0.5,0.6", "--processes", "1"]
    done = CliRunner().invoke(app, [*words, "--store", str(tmp_path / "r.sqlite"), "--plot", str(tmp_path / "a.png"), "--json"])
    assert done.exit_code == 0, done.output
    assert drawn[0] == drawn[1] < 4096


def test_a_tournament_rates_the_stronger_higher(tmp_path: Path) -> None:
    plans = plan_tournament("jaipur:round", ["random", "basic2", "basic3"], 256, 1)
    result = play_tournament(plans, Store(tmp_path / "r.sqlite"))
    assert [row["agent"] for row in result["ratings"]] == ["basic3", "basic2", "random"]
    assert result["games"] == 3 * 256
    assert result["first_seat"]["ci"][0] < result["first_seat"]["elo"] < result["first_seat"]["ci"][1]


# ---- Agents in plain Python, honest and not ----


class First:
    """Plays the first legal move."""

    def __init__(self, variant: Any) -> None:
        pass

    def choose(self, seen: Seen) -> int:
        return seen.legal[0]


class Peeker:
    """Climbs the caller's frames to a State that is not the redealt copy and plays by the next card of the deck."""

    def __init__(self, variant: Any) -> None:
        pass

    def choose(self, seen: Seen) -> int:
        frame = inspect.currentframe()
        while frame is not None:
            for value in frame.f_locals.values():
                if isinstance(value, State) and value is not seen._redealt:
                    s = value.data
                    return seen.legal[int(s.deck[s.deck_left - 1]) % len(seen.legal)]
            frame = frame.f_back
        return seen.legal[0]


class Guesser:
    """Draws its luck from outside."""

    def __init__(self, variant: Any) -> None:  # noqa: ARG002
        self.rng = np.random.default_rng()

    def choose(self, seen: Seen) -> int:
        return int(self.rng.choice(seen.legal))


def player(make: Any) -> AgentSpec:
    return AgentSpec(AgentKind(make.__name__.lower(), "a test's", make))


def test_an_honest_agent_is_not_refused() -> None:
    assert check_fair(ROUND, player(First)) > 20


class Thinker:
    """A search limited by milliseconds: how far it comes depends on the machine."""

    def __init__(self, variant: Any) -> None:
        self.search = find_agent("mcts:ms=100", JAIPUR).make(variant)

    def choose(self, seen: Seen) -> int:
        return int(self.search.choose(seen))


class Looker:
    """Counts how often it can look at a clock of its own before its time is up."""

    def __init__(self, variant: Any) -> None:
        pass

    def choose(self, seen: Seen) -> int:
        until, looks = perf_counter() + 0.5, 0
        while perf_counter() < until:
            looks += 1
        return seen.legal[looks % len(seen.legal)]


class PeekingThinker(Peeker):
    """Looks at the clock as well."""

    def choose(self, seen: Seen) -> int:
        until = time.monotonic() + 0.1
        while time.monotonic() < until:
            pass
        return super().choose(seen)


@pytest.mark.parametrize("make", [Thinker, Looker])
def test_an_agent_limited_by_time_is_no_cheat(make: Any) -> None:
    clocks = time.time, time.perf_counter, time.monotonic_ns, perf_counter
    assert check_fair(ROUND, player(make)) > 20
    assert (time.time, time.perf_counter, time.monotonic_ns, perf_counter) == clocks


@pytest.mark.parametrize("make", [Peeker, PeekingThinker])
def test_an_agent_that_finds_a_way_to_the_true_state_is_rejected(make: Any) -> None:
    with pytest.raises(Cheat, match="decides by what its seat may not know"):
        check_fair(ROUND, player(make))


def test_an_agent_with_luck_of_its_own_is_refused_but_not_called_a_cheat() -> None:
    with pytest.raises(OwnLuck, match="guesser answers the same question differently"):
        check_fair(ROUND, player(Guesser))


def test_what_an_agent_is_shown_holds_nothing_of_the_truth() -> None:
    """Byte for byte the same for every truth behind it."""
    state = meeple.new("jaipur:round", 5)
    other = state.redealt(0, 77)
    assert state.array.tobytes() != other.array.tobytes()
    assert Seen(state, 3)._redealt.array.tobytes() == Seen(other, 3)._redealt.array.tobytes()


class Wrong(NamedTuple):
    action: int


@kernel
def choose_wrongly(me: Any, s: Any, stream: Any, out: Any) -> int:  # noqa: ARG001
    return me.action  # type: ignore[no-any-return]


kernel_agent(Wrong, choose_wrongly)


@pytest.mark.parametrize(("action", "why"), [(42, "chose 'sell 7 leather', which is not legal"), (-1, "chose action -1")])
def test_an_illegal_action_of_a_kernel_agent_is_refused(action: int, why: str) -> None:
    wrong = AgentSpec(AgentKind("wrong", "", lambda variant: Wrong(action)))  # noqa: ARG005
    piece = Piece(ROUND, [wrong, find_agent("random", JAIPUR)], [1, 2], np.array([[0, 1], [1, 0]], np.int8))
    with pytest.raises(MeepleError, match=why):
        piece.play()


KERNEL_AGENT = """
from typing import Any, NamedTuple
from meeple.core.agent import AgentKind, kernel_agent
from meeple.core.kernel import kernel
from meeple.core.verbs import legal

class Last(NamedTuple):
    nothing: int = 0

@kernel
def choose_last(me: Any, s: Any, stream: Any, out: Any) -> int:
    return out[legal(s, out) - 1]

kernel_agent(Last, choose_last)
AGENTS = (AgentKind("last", "the last legal action", lambda variant: Last()),)
"""


def test_a_kernel_agent_of_ones_own_file_leaves_the_cache_readable_for_others(run: Any, tmp_path: Path) -> None:
    """Numba's index of a cached function names the agent's class, which nobody else can import."""
    (tmp_path / "mine.py").write_text(KERNEL_AGENT)
    done = run("match", "jaipur:round", "last", "random", "--games", "4", "--code", "mine.py")
    assert done.returncode == 0, done.stderr
    assert run("match", "jaipur:round", "random", "random", "--games", "4").returncode == 0


def test_an_illegal_move_of_a_plain_agent_is_refused() -> None:
    class Bad(First):
        def choose(self, seen: Seen) -> Any:  # noqa: ARG002
            return "sell 7 leather"

    piece = Piece(ROUND, [player(Bad), find_agent("random", JAIPUR)], [1], np.array([[0, 1]], np.int8))
    with pytest.raises(MeepleError, match="The agent bad made no legal move"):
        piece.play()


# ---- The command line and the file ----


@pytest.fixture
def run(quiet_environment: dict[str, str], tmp_path: Path) -> Any:
    def call(*arguments: str) -> subprocess.CompletedProcess[str]:
        environment = {**quiet_environment, "MEEPLE_STORE": str(tmp_path / "results.sqlite")}
        command = [sys.executable, "-m", "meeple", *arguments]
        return subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path)

    return call


MATCH = ["match", "jaipur:round", "basic3", "random", "--games", "40"]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["match", "jaipur:round", "basic9", "random"], "Unknown agent for jaipur 'basic9'; did you mean 'basic"),
        (["match", "jaipur:round", "advanced1:k9=1", "random"], "Unknown parameter of advanced1 'k9'; known: k1, k2, k3"),
        (["match", "jaipur:round", "advanced1:k1=x", "random"], "parameter k1 must be a number, not 'x'"),
        (["match", "jaipur:round", "advanced1:k1", "random"], "write it as advanced1:PARAMETER=VALUE"),
        (["match", "jaipur:round", "random:k1=1", "random"], "random has no parameters"),
        (["match", "jaipur:round", "random"], "has 2 seats, so a match needs 2 agents, not 1"),
        ([*MATCH[:4], "--games", "-5"], "--games must be from 1 to 1,000,000,000, not -5"),
        ([*MATCH[:4], "--games", "7"], "games must be a multiple of 2, not 7"),
        ([*MATCH, "--seed", "-1"], "--seed must be from 0"),
        ([*MATCH, "--processes", "-1"], "--processes must be from 0"),
        ([*MATCH, "--sprt", "0.6"], "--sprt takes two win rates"),
        ([*MATCH, "--sprt", "0.6,0.5"], "0 < P0 < P1 < 1"),
        ([*MATCH, "--code", "nothing.py"], "There is no file nothing.py"),
        ([*MATCH, "--code", "broken.py"], "broken.py cannot be run: SyntaxError"),
        ([*MATCH, "--code", "empty.py"], "has no AGENTS"),
        ([*MATCH, "--store", "corrupt.sqlite"], "cannot be used"),
        ([*MATCH, "--store", "."], "cannot be written: it is a folder"),
        (["tournament", "jaipur:round", "random", "random"], "An agent is named twice"),
        (["tournament", "jaipur:round", "random"], "needs at least two agents"),
        (["results"], "There is no results file"),
        (["replay"], "Give either a record file or --match NUMBER"),
        (["replay", "--match", "7"], "There is no results file"),
    ],
    ids=lambda x: " ".join(x) if isinstance(x, list) else "",
)
def test_bad_input_gets_one_clear_sentence(run: Any, tmp_path: Path, arguments: list[str], why: str) -> None:
    (tmp_path / "corrupt.sqlite").write_text("this is no database, and it is longer than the header of one would be" * 20)
    (tmp_path / "broken.py").write_text("x =")
    (tmp_path / "empty.py").write_text("x = 1")
    done = run(*arguments)
    assert done.returncode == 2
    assert why in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert (tmp_path / "corrupt.sqlite").read_text().startswith("this is no database")


def test_a_match_on_the_command_line(run: Any) -> None:
    result = json.loads(run(*MATCH, "--json").stdout)
    assert result["games"] == 40
    assert "basic3 wins" in run(*MATCH).stdout
    assert "basic3 v random" in run("results").stdout
    shown = run("replay", "--match", "1", "--game", "3", "--save", "game.txt").stdout
    assert "seat 0:" in shown
    assert run("replay", "game.txt").returncode == 0
    assert "Elo" in run("tournament", "jaipur:round", "random", "basic1", "basic3", "--games", "20").stdout


def test_two_processes_may_write_one_file(quiet_environment: dict[str, str], tmp_path: Path) -> None:
    command = [sys.executable, "-m", "meeple", "match", "jaipur:round", "basic3", "random", "--games", "1000", "--processes", "1"]
    command += ["--store", str(tmp_path / "shared.sqlite")]
    both = [subprocess.Popen([*command, "--seed", str(seed)], env=quiet_environment, stdout=subprocess.PIPE) for seed in (1, 2)]
    for process in both:
        process.communicate()
        assert process.returncode == 0
    assert [len(Store(tmp_path / "shared.sqlite").games(match)) for match in (1, 2)] == [1000, 1000]


def test_a_tournament_killed_in_the_middle_loses_nothing_finished(quiet_environment: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / "killed.sqlite"
    command = [sys.executable, "-m", "meeple", "tournament", "jaipur:round", "random", "basic2", "basic3"]
    command += ["--games", "20480", "--processes", "1", "--store", str(path), "--json"]
    process = subprocess.Popen(command, env=quiet_environment, stdout=subprocess.DEVNULL)
    while not (path.is_file() and finished_games(path) > 3000):
        assert process.poll() is None
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    kept = finished_games(path)
    assert 3000 < kept < 3 * 20480
    done = subprocess.run(command, env=quiet_environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["games"] == 3 * 20480
    assert finished_games(path) == 3 * 20480
    assert len(Store(path).matches()) == 3


def finished_games(path: Path) -> int:
    try:
        with closing(sqlite3.connect(path, timeout=10)) as db:
            return int(db.execute("SELECT count(*) FROM game").fetchone()[0])
    except sqlite3.OperationalError:
        return 0

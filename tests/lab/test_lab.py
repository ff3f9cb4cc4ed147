"""Running experiments: lines, going on, networks of others, verdicts, the page; with a tiny game."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from meeple.cli.lab import with_rows
from meeple.core import registry
from meeple.core.errors import MeepleError
from meeple.core.verbs import register_state
from meeple.lab import bundled, experiment, lines, report, result, runner, section, svg, verdicts
from meeple.lab.experiment import Experiment, Row, read_experiment
from meeple.lab.play_kinds import Figure, Outcome, match_figures
from meeple.lab.train_kind import paid_curves
from tests.lab.test_verdicts import cell
from tests.search.tiny import GAME as TINY

register_state(TINY)

PLAYED = """
title = "Nim"
covers = ["Table 1"]
about = "Random play."
then = "an hour"
columns = ["how", "games", "theirs", "ci", "_label"]
rows = [["many", 60, 50.0, 3.0, "many"], ["few", 40, 10.0, 1.0, "few"]]

[[measure]]
kind = "match"
figure = "wins"
variant = "tiny:nim"
agents = ["random", "random"]
games = "{games}"
quick = { games = 20 }
"""
TRAINED = """
title = "A table learns nim"
covers = []
about = "Learnt."
then = "never"

[[measure]]
name = "learns"
kind = "train"
figure = "random"
variant = "tiny:nim"
algorithm = "qtable"
steps = 2048
points = 2
against = ["random"]
test = 40
own = 10
set = { rows = 256 }
quick = { steps = 512 }
"""
MEETS = """
title = "It meets others"
covers = []
about = "With the network of another experiment."
then = "never"
needs = ["meeple-trained"]

[[measure]]
name = "tournament"
kind = "tournament"
figure = "random"
variant = "tiny:nim"
agents = ["net:{net meeple-trained/all}", "random"]
names = ["learner", "random"]
games = 10
quick = { games = 4 }
"""


@pytest.fixture(autouse=True)
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Experiment]:
    found = registry.find_game
    monkeypatch.setattr(registry, "find_game", lambda name: TINY if name == "tiny" else found(name))
    known = {}
    for name, text in {"meeple-played": PLAYED, "meeple-trained": TRAINED, "meeple-meets": MEETS}.items():
        path = tmp_path / f"{name}.toml"
        path.write_text(text)
        known[name] = read_experiment(path, "meeple")
    for module in (experiment, result):
        monkeypatch.setattr(module, "experiments", lambda: known)
    return known


def run(those: list[Experiment], out: Path, quick: bool = False, **more: Any) -> list[lines.Line]:
    told: list[lines.Line] = []
    runner.run(runner.plan(those, quick, 1, out, **more), out, 0, told.append)
    return told


def test_a_line_says_what_was_run_how_and_what_came_of_it(own: dict[str, Experiment], tmp_path: Path) -> None:
    few, line = run([own["meeple-played"]], tmp_path / "lab")  # the short one first
    assert few["row"] == "few"
    assert (line["experiment"], line["row"], line["kind"], line["seed"], line["quick"]) == (
        "meeple-played",
        "many",
        "match",
        1,
        False,
    )
    assert line["command"] == "meeple match tiny:nim random random --games 60 --seed 1"
    value, low, high = line["figures"]["wins"]
    assert low < value < high and line["config"]["games"] == 60
    assert line["sources"] and line["versions"]["python"] and line["cpu_seconds"] >= 0
    kept = (tmp_path / "lab" / "lines" / "meeple-played.jsonl").read_text().splitlines()
    assert json.loads(kept[1]) == line and len(kept) == 2
    assert not list((tmp_path / "lab" / "work").iterdir())  # games of a finished match are not kept


def test_what_is_finished_is_not_run_again_and_a_small_budget_is_another_run(own: dict[str, Experiment], tmp_path: Path) -> None:
    those, out = [own["meeple-played"]], tmp_path / "lab"
    assert len(run(those, out, quick=True)) == 2
    assert len(run(those, out, quick=True)) == 0
    assert runner.plan(those, True, 1, out).done == 2
    assert len(run(those, out)) == 2
    assert len(run(those, out, again=True)) == 2
    assert len(lines.read_lines(out)["meeple-played"]) == 4


def test_a_broken_line_is_told_by_its_number(own: dict[str, Experiment], tmp_path: Path) -> None:
    run([own["meeple-played"]], tmp_path)
    path = tmp_path / "lines" / "meeple-played.jsonl"
    path.write_text(path.read_text() + '{"half')
    with pytest.raises(MeepleError, match=r"Line 3 of .*delete that line"):
        lines.read_lines(tmp_path)
    for broken in (b"[1, 2]", b"\xff"):
        path.write_bytes(broken)
        with pytest.raises(MeepleError, match=r"Line 1 of .*delete that line"):
            lines.read_lines(tmp_path)


def test_rounds_of_games_are_drawn_however_they_are_told() -> None:
    assert section.rounds_of({"3": 5, "4": 1}) == {3: 5, 4: 1}
    assert section.rounds_of({"won": {"3": 5}, "lost": {"3": 1, "5": 2}}) == {3: 6, 5: 2}


def test_a_champions_line_is_of_its_network(own: dict[str, Experiment], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = {"variant": "tiny:nim", "agents": ["champion:iterations=2", "random"], "games": 4}
    played = own["meeple-played"]
    played = replace(played, rows=played.rows[:1], measures=(replace(played.measures[0], config=config),))
    network = tmp_path / "network"
    network.write_bytes(b"today's")
    monkeypatch.setattr(bundled, "network_of", lambda *_: network)
    monkeypatch.setattr(runner, "kinds", lambda: {"match": lambda *_: Outcome({}, {}, "", "")})
    bundled.digest.cache_clear()
    (line,) = run([played], tmp_path / "lab")
    assert line["bundled"] and run([played], tmp_path / "lab") == []
    network.write_bytes(b"tomorrow's")
    bundled.digest.cache_clear()
    assert lines.read_lines(tmp_path / "lab") == {}
    assert run([played], tmp_path / "lab")[0]["bundled"] != line["bundled"]
    bundled.digest.cache_clear()


def test_networks_of_another_experiment_are_trained_first_and_again_when_they_are_gone(
    own: dict[str, Experiment], tmp_path: Path
) -> None:
    pytest.importorskip("torch")
    trained, met = run([own["meeple-meets"]], tmp_path, quick=True)
    assert (trained["experiment"], met["experiment"]) == ("meeple-trained", "meeple-meets")
    assert trained["figures"]["random"][0] > 50  # percent of its games, after 512 decisions
    assert set(met["figures"]) == {"learner", "random"} and met["more"]["pairs"].keys() == {"learner|random"}
    net = tmp_path / "nets" / trained["key"] / "best.safetensors"
    assert net.exists()
    assert run([own["meeple-trained"]], tmp_path, quick=True) == []  # it has its line
    net.unlink()
    again = run([own["meeple-meets"]], tmp_path, quick=True, again=True)
    assert [line["experiment"] for line in again] == ["meeple-trained", "meeple-meets"]
    assert again[0]["figures"]["random"] == trained["figures"]["random"]  # the same seed, the same network


def test_a_network_that_the_experiment_itself_plays_is_trained_again_when_it_is_gone(
    tmp_path: Path, own: dict[str, Experiment]
) -> None:
    pytest.importorskip("torch")
    match = """
[[measure]]
name = "plays"
kind = "match"
figure = "wins"
variant = "tiny:nim"
agents = ["net:{net meeple-both/all}", "random"]
games = 20
quick = { games = 10 }
"""
    path = tmp_path / "meeple-both.toml"
    path.write_text(TRAINED + match)
    both = own["meeple-both"] = read_experiment(path, "meeple")
    first, second = run([both], tmp_path, quick=True)
    assert (first["kind"], second["kind"]) == ("train", "match")
    (tmp_path / "nets" / first["key"] / "best.safetensors").unlink()
    kept = tmp_path / "lines" / "meeple-both.jsonl"
    kept.write_text(kept.read_text().splitlines()[0] + "\n")  # as in a clone: lines are kept, networks are not
    assert [line["kind"] for line in run([both], tmp_path, quick=True)] == ["train", "match"]


def test_of_an_experiment_that_others_need_only_what_is_asked_or_played_is_run(own: dict[str, Experiment], tmp_path: Path) -> None:
    trained, meets = own["meeple-trained"], own["meeple-meets"]
    nothing = replace(trained, rows=())  # as --rows leaves it
    assert len(runner.plan([nothing, replace(meets, rows=())], True, 1, tmp_path)) == 0
    todo = runner.plan([meets, nothing], True, 1, tmp_path)
    assert [[trial.experiment for trial in wave] for wave in todo.waves] == [["meeple-trained"], [], ["meeple-meets"]]


def test_a_training_that_is_asked_for_again_is_done_again(own: dict[str, Experiment], tmp_path: Path) -> None:
    pytest.importorskip("torch")
    (first,) = run([own["meeple-trained"]], tmp_path, quick=True)
    mark = tmp_path / "nets" / first["key"] / "mark"
    mark.touch()
    (again,) = run([own["meeple-trained"]], tmp_path, quick=True, again=True)
    assert again["key"] == first["key"] and not mark.exists()


def test_curves_of_a_policy_a_seat_are_means_over_games() -> None:
    def line(decisions: int, paid: tuple[float, float], games: tuple[float, float]) -> dict[str, Any]:
        found: dict[str, Any] = {"decisions": decisions}
        for seat in range(2):
            found |= {f"seat {seat} paid": paid[seat], f"seat {seat} games": games[seat], f"seat {seat} decisions": 20.0}
        return found

    assert paid_curves([{"decisions": 4, "return": 1.0}]) == {}
    told = paid_curves(
        [line(40, (60.0, 40.0), (1.0, 2.0)), line(80, (30.0, 30.0), (0.0, 1.0)), line(120, (50.0, 30.0), (2.0, 1.0))]
    )
    assert told == {"P1": [[40, 60.0], [120, 40.0]], "P2": [[40, 20.0], [120, 30.0]], "length": [[40, 30.0], [120, 40.0]]}


def test_one_run_that_fails_leaves_the_others(own: dict[str, Experiment], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(config: dict[str, Any], seed: int, work: Path) -> Any:
        if config["games"] == 60:
            raise MeepleError("No luck today.")
        return real(config, seed, work)

    real = runner.kinds()["match"]
    monkeypatch.setattr(runner, "kinds", lambda: {"match": fails})
    told = run([own["meeple-played"]], tmp_path)
    assert [line.get("error") for line in told] == [None, "No luck today."]
    assert len(lines.read_lines(tmp_path)["meeple-played"]) == 1


def test_a_process_that_ends_costs_one_run(own: dict[str, Experiment], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def dies(trials: list[Any], out: Path, processes: int) -> Any:
        if trials[0].row == "few":
            raise MeepleError("A worker process ended.")
        yield from real(trials, out, processes)

    real = runner.run_some
    monkeypatch.setattr(runner, "run_some", dies)
    told = run([own["meeple-played"]], tmp_path)
    assert [(line["row"], "error" in line) for line in told] == [("few", True), ("many", False)]


def test_the_page_holds_every_experiment_and_loads_nothing(
    own: dict[str, Experiment], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report, "ledger", lambda: ())
    run([own["meeple-played"]], tmp_path, quick=True)
    told = report.write(tmp_path, tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert told["experiments"] == 3 and told["run"] == 1 and told["lines"] == 2 and told["quick"]
    assert "small budget" in page and "meeple match tiny:nim random random --games 20 --seed 1" in page
    assert page.count("<svg") == 1 and "not run yet" in page
    assert not any(word in page for word in ("http://", "https://", "src=", "@import", "url("))
    assert told["verdicts"][verdicts.UNTOLD] == 1 and told["verdicts"]["differs"] == 1  # 20 games are few


def test_a_published_box_stands_above_ours(own: dict[str, Experiment]) -> None:
    ours = cell("control", 52.0, 2.0)
    ours.lines[0]["more"]["quantiles"] = {"0.05": 20.0, "0.25": 40.0, "0.5": 50.0, "0.75": 60.0, "0.95": 80.0}
    theirs = Row("games", {"_box": [10, 30, 40, 55, 90]}, {"": 40.0}, {})
    row_of = verdicts.Compared(theirs, (ours,), verdicts.DIFFERS, False)

    def drawn(each: verdicts.Compared) -> str:
        return "".join(section.plots(result.Result(own["meeple-played"], [each], True, [])))

    assert drawn(row_of).count('class="box"') == 2
    assert drawn(row_of).index("games, published") < drawn(row_of).index("games, control")
    assert 'class="box"' not in drawn(replace(row_of, row=replace(theirs, words={})))


def test_of_three_at_a_table_the_first_ones_share_of_the_wins_counts() -> None:
    found = {
        "turns": 30.0,
        "scores": [15.0, 9.0, 8.0],
        "win_shares": [0.6, 0.3, 0.1],
        "win_shares_ci": [[0.5, 0.7], [0.2, 0.4], [0, 0.2]],
    }
    assert match_figures(found)["wins"] == pytest.approx(Figure(60.0, 50.0, 70.0))


def test_of_a_game_for_one_the_first_is_compared_with_the_second_on_the_same_deals() -> None:
    found = {"turns": 9.0, "scores": [7.0, 4.0], "differences": [0.0, 3.0], "differences_ci": [[0.0, 0.0], [2.0, 4.0]]}
    assert match_figures(found)["difference"] == Figure(3.0, 2.0, 4.0)
    alone = {"turns": 9.0, "scores": [7.0], "differences": [0.0], "differences_ci": [[0.0, 0.0]]}
    assert "difference" not in match_figures(alone)


def test_round_numbers_stand_at_an_axis() -> None:
    assert svg.ticks(0, 100) == [0, 20, 40, 60, 80, 100]
    assert svg.ticks(-0.3, 0.9, 3) == [0.0, 0.5]
    assert svg.intervals([], "wins") == ""


def test_time_is_reckoned_from_what_was_measured(own: dict[str, Experiment], tmp_path: Path) -> None:
    those = [own["meeple-played"]]
    trials = [trial for wave in runner.plan(those, False, 1, tmp_path).waves for trial in wave]
    before = runner.Clock(tmp_path).total(trials)
    line = run(those, tmp_path, quick=True)[0]
    lines.append(tmp_path, {**line, "cpu_seconds": 202.0, "quick": False})  # 200 seconds for 20 games beside the overhead
    assert runner.Clock(tmp_path).total(trials) > 100 * before


def test_what_other_rows_took_tells_nothing_where_every_row_has_a_cost_of_its_own(
    own: dict[str, Experiment], tmp_path: Path
) -> None:
    those = [own["meeple-played"]]
    trials = {trial.row: trial for wave in runner.plan(those, False, 1, tmp_path).waves for trial in wave}
    few, many = trials["few"], trials["many"]
    line = run(with_rows(those, "FEW"), tmp_path)[0]
    lines.append(tmp_path, {**line, "cpu_seconds": 9000.0})
    clock = runner.Clock(tmp_path)
    assert clock.seconds(few) > 8000
    assert clock.seconds(replace(many, cost=7.0)) > 1000
    assert clock.seconds(replace(many, cost=7.0, own_cost=True)) < 100


def test_a_part_of_the_rows_can_be_run(own: dict[str, Experiment], tmp_path: Path) -> None:
    those = [own["meeple-played"]]
    assert [line["row"] for line in run(with_rows(those, "FEW"), tmp_path)] == ["few"]
    assert [line["row"] for line in run(with_rows(those, ""), tmp_path)] == ["many"]
    with pytest.raises(MeepleError, match="many"):
        with_rows(those, "none of them")

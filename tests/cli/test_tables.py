"""Tables on narrow screens: whatever the width, every name and every figure is there in full, and nothing ends in dots."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from rich.console import Console

import meeple
from meeple.arena.store import Store
from meeple.cli import analyze, bench, exploit, ladder, list_things, match, simulate, solve, study, tournament, tune
from meeple.cli.show import console, table
from meeple.cli.tables import Wide
from meeple.core.errors import MeepleError
from meeple.search.analysis import Analysis, MoveValue, Step

LONG = tuple(f"advanced{i}:k1=0.{i}25,k2=0.4,depth=3,width=12" for i in range(1, 5))
ROUND = "jaipur:round"
SPREAD = {"mean": 46.25, "low": 45.5, "high": 47.0, "sd": 8.125, "least": 21, "median": 46, "most": 102}


def render(shown: Wide, width: int) -> str:
    out = io.StringIO()
    Console(file=out, width=width, highlight=False).print(shown)
    return out.getvalue()


def assert_whole(shown: Wide, width: int) -> None:
    """Running text may be broken between words; anything else is in one piece, or fills whole lines where it is longer than one."""
    text = render(shown, width)
    assert "…" not in text
    assert max(map(len, text.splitlines())) <= width
    broken = {i for i, column in enumerate(shown.columns) if column in shown.prose}
    squeezed = "".join(text.split())
    for name in (shown.title, *shown.columns):
        assert "".join(name.split()) in squeezed or name in shown.prose
    for row in shown.rows:
        for i, cell in enumerate(row):
            whole = cell in text or (len(cell) + len(shown.columns[i]) + 4 > width and "".join(cell.split()) in squeezed)
            assert whole or (i in broken and all(word in text for word in cell.split())), (cell, text)


# ---- the forms ----


def a_table(names: tuple[str, ...]) -> Wide:
    shown = table("wins in %", "agent", "Elo", *names, right=("Elo", *names), agents=names)
    for i, name in enumerate(names):
        shown.add_row(name, f"{100 * i:+d}", *("" if other == name else f"{10 * i + j}.5%" for j, other in enumerate(names)))
    return shown


def test_a_table_that_fits_stands_as_it_is() -> None:
    text = render(a_table(("random", "basic1")), 80)
    assert "random ┃ basic1" in text
    assert "A " not in text


def test_long_names_become_letters_with_a_legend() -> None:
    text = render(a_table(LONG), 80)
    assert "│ A     │" in text
    assert all(f"\n{letter}  {name}\n" in text for letter, name in zip("ABCD", LONG, strict=True))


def test_where_that_is_still_too_wide_each_row_is_a_block() -> None:
    text = render(a_table(LONG), 40)
    assert "┃" not in text
    assert text.count("agent: ") == 4
    assert_whole(a_table(LONG), 40)


def test_more_agents_than_letters() -> None:
    names = tuple(f"agent{i}" for i in range(30))
    assert len(set(a_table(names)._letters().values())) == 30


# ---- every verb ----


def a_match(**more: Any) -> dict[str, Any]:
    sees = {"clairvoyant": [False for _ in more.get("agents", ())]}
    return {"games": 1000, "variant": ROUND, "seed": 1, "seconds": 12.5, "truncated": 0, "turns": 40.5, **sees, **more}


def two() -> None:
    match.show_match(
        a_match(
            agents=LONG[:2],
            wins=123456,
            losses=98765,
            draws=4,
            win_rate=0.5625,
            win_rate_ci=[0.5, 0.625],
            scores=[71.25, 68.5],
            score_diff=2.75,
            score_diff_ci=[1.5, 4.0],
            turns_to_win=[33.5, None],
            first_seat={"share": 0.5125, "ci": [0.4875, 0.5375]},
        )
    )


def several() -> None:
    match.show_match(
        a_match(
            agents=LONG,
            win_shares=[0.25] * 4,
            win_shares_ci=[[0.1875, 0.3125]] * 4,
            scores=[12.25, 11.5, 10.75, 9.0],
            turns_to_win=[30.5] * 4,
        )
    )


def alone() -> None:
    quantiles = {"5%": 101.5, "25%": 121.5, "50%": 140.5, "75%": 151.5, "95%": 162.5}
    match.show_match(
        a_match(
            agents=LONG,
            scores=[140.25] * 4,
            scores_ci=[[139.5, 141.0]] * 4,
            all_quantiles=[quantiles] * 4,
            differences=[0.0, 1.25, 2.5, 3.75],
            differences_ci=[[0.0, 0.0], [1.0, 1.5], [2.0, 3.0], [3.5, 4.0]],
        )
    )


def all_against_all() -> None:
    pairs = [(a, b) for i, a in enumerate(LONG) for b in LONG[i + 1 :]]
    rated = [{"agent": name, "elo": 100.0 * i, "ci": [100.0 * i - 12, 100.0 * i + 12]} for i, name in enumerate(LONG)]
    tournament.show_tournament(
        a_match(
            measure="elo",
            ratings=[row | {"clairvoyant": i == 2} for i, row in enumerate(rated)],
            matches=[{"agents": pair, "win_rate": 0.5 + i / 16} for i, pair in enumerate(pairs)],
            first_seat={"elo": 12.0, "ci": [3.0, 21.0]},
        )
    )


def a_ladder() -> None:
    rungs = [
        {
            "budget": 16 * 2**i,
            "win_rate": 0.6125,
            "win_rate_ci": [0.55, 0.675],
            "value": 50.0 * i,
            "ci": [40.0, 60.0],
            "step": i or None,
        }
        for i in range(5)
    ]
    ladder.show(
        {"agent": LONG[0], "measure": "elo", "param": "iterations", "rungs": rungs, "rises": 4, "monotonic": True, **a_match()}
    )


def an_analysis() -> None:
    line = tuple(Step(i % 2, f"exchange C P M M > G G S {i}") for i in range(5))
    moves = tuple(MoveValue(f"exchange C P M {i} > G G S L", i, 12345, 0.6175, (0.6125, 0.6225), line) for i in range(3))
    for estimated in (False, True):
        analyze.show(Analysis(ROUND, 0, 12, False, estimated, 20000, moves), LONG[0], 20, alone=False)


def a_simulation() -> None:
    figures = {**a_match(agents=list(LONG[:2])), "turns": SPREAD, "plies": SPREAD, "scores": [SPREAD, SPREAD]}
    more = {"win_shares": [0.5125, 0.4875], "ends": {"deck is empty": {"share": 0.75, "truncated": False}}}
    simulate._show(meeple.find_variant(ROUND), figures | more)


def lists() -> None:
    for what in ("games", "agents", "environments", *meeple.game_names()):
        list_things.list_things(what)


VERBS: dict[str, Callable[[], None]] = {
    "match of two": two,
    "match of several": several,
    "match alone": alone,
    "tournament": all_against_all,
    "ladder": a_ladder,
    "analyze": an_analysis,
    "simulate": a_simulation,
    "list": lists,
}


@pytest.fixture
def printed(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Whatever a verb prints."""
    shown: list[Any] = []
    monkeypatch.setattr(console, "print", lambda *what, **_: shown.extend(what))
    return shown


@pytest.mark.parametrize("verb", VERBS)
def test_nothing_is_cut_in(verb: str, printed: list[Any]) -> None:
    VERBS[verb]()
    assert_all_whole(printed)


def assert_all_whole(printed: list[Any]) -> None:
    tables = [what for what in printed if isinstance(what, Wide)]
    assert tables and all(shown.rows for shown in tables)
    for width in (120, 80, 60):
        for shown in tables:
            assert_whole(shown, width)


def test_nothing_is_cut_in_results(printed: list[Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    kept = {"id": 17, "started": "2026-11-16 18:15:00", "variant": ROUND, "agents": LONG, "seed": 1, "games": 9999, "finished": 123}
    (tmp_path / "results.sqlite").touch()
    monkeypatch.setattr(Store, "to_read", lambda _: SimpleNamespace(matches=lambda: [kept]))
    match.results(store=tmp_path / "results.sqlite")
    assert_all_whole(printed)


def test_nothing_is_cut_in_study(printed: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    phase = {"turns_with_choice": 0.8125, "decisions_per_turn": 1.25, "choices_share": 0.9375, "branching": 31.5, "widest": 1234}
    found = {
        "agents": LONG[:2],
        "clairvoyant": [False, True],
        "phases": {"main": phase},
        "turns": SPREAD,
        "plies": SPREAD,
        "branching": 31.5,
    }
    more = {"choices_share": 0.9375, "ends": {}, "first_seat": None}
    monkeypatch.setattr("meeple.lab.study.study", lambda *_: found | more)
    study.study(ROUND)
    assert_all_whole(printed)


def test_nothing_is_cut_in_solve(printed: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("meeple.lab.solve.solve", lambda *_: {"optimum": 149.875, "file": "solution", "bytes": 10**9})
    lost = {"regret_per_move": 0.125, "regret_per_game": 12.25, "regret_per_game_ci": [11.5, 13.0], "best_moves": 0.8125}
    monkeypatch.setattr("meeple.lab.solve.regret", lambda _, agent, *__: {"agent": agent, "clairvoyant": False, **lost})
    monkeypatch.setattr("meeple.lab.solve.check_player", lambda *_: None)
    solve.solve("rake:simple", agents=list(LONG))
    assert_all_whole(printed)


def test_nothing_is_cut_in_tune(printed: list[Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    result = {"weights": {"k1": 0.62512345, "k2": 0.375}, "generations": 50, "shares": [0.5625]}
    monkeypatch.setattr("meeple.lab.tune.tune", lambda *_: result)
    tune.tune(ROUND, "advanced1:k1=0.625,k2=0.375", tmp_path / "out.json", only="k1,k2")
    assert_all_whole(printed)


def test_nothing_is_cut_in_bench(printed: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    search = {
        "variant": ROUND,
        "iterations_per_s": 1e6,
        "python_iterations_per_s": 1e3,
        "ratio": 1e3,
        "guided_iterations_per_s": None,
    }
    playouts = dict.fromkeys(("playout_steps_per_s", "playout_games_per_s", "batch_steps_per_s", "copy_ns", "ratio"), 123456.75)
    times = {"cold_compile_s": 12.5, "warm_start_s": 1.5, "variant": ROUND, "also": {}}
    reference = {"name": "a long name of a reference", "playout_steps_per_s": 123456.75, "checksums_equal": True}
    monkeypatch.setattr(bench, "bench_search", lambda *_: search)
    monkeypatch.setattr(bench, "bench_game", lambda *_: playouts | times | {"reference": reference})
    bench.bench(["search", "jaipur"])
    bench.bench(["jaipur"])
    assert_all_whole(printed)


def test_nothing_is_cut_in_exploit(printed: list[Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    taken = {"taken": 0.8125, "taken_ci": [0.75, 0.875], "unit": "share of wins", "agent": LONG[0], "even": 0.5, "games": 200}
    taken["clairvoyant"] = False
    monkeypatch.setattr("meeple.lab.exploit.exploit", lambda *_: taken)
    exploit.exploit(ROUND, "advanced1", store=tmp_path / "results.sqlite")
    text = "\n".join(map(str, printed))
    assert LONG[0] in text and "81.2%" in text and "…" not in text


# ---- the agents of one game ----


def test_agents_can_be_chosen_by_game_or_by_a_word(capsys: pytest.CaptureFixture[str]) -> None:
    def names(*words: str) -> list[str]:
        list_things.list_things("agents", list(words), as_json=True)
        return list(json.loads(capsys.readouterr().out))

    assert "mcts" in names("rake") and "advanced1" not in names("rake")
    assert names("mcts") == ["mcts"]
    assert {"flat", "exploiter"} <= set(names("playouts"))
    with pytest.raises(MeepleError, match="did you mean 'mcts'"):
        names("mctss")
    with pytest.raises(MeepleError, match="meeple list agents jaipur"):
        list_things.list_things("games", ["jaipur"])

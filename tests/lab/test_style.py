"""How agents play: counted by hand, against the rules of the games, and where two agents differ."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import meeple
from meeple.agents.registry import AgentSpec, find_agent
from meeple.core.agent import AgentKind, Forgetful, Seen
from meeple.core.kernel import JIT
from meeple.core.record import parse_record
from meeple.core.rng import draw, stream
from meeple.games.splendor.components import COST
from meeple.lab.style import OneGame, StoredGame, figures, go_through, over_deals, plan_style, play, points_by_turn
from meeple.lab.style_compare import compare, differences, sample, sentences
from meeple.lab.style_plot import draw as draw_style
from tests.cli.commands import call
from tests.search import conftest  # noqa: F401  (makes the tiny games known)
from tests.search.tiny import GAME as TINY

pytestmark = pytest.mark.skipif(not JIT, reason="whole games")
NIM = TINY.variant("nim")


def random_game(spec: str, seed: int) -> StoredGame:
    state, luck = meeple.new(spec, seed), stream(seed)
    actions = []
    while not state.over:
        legal = state.legal()
        actions.append(legal[draw(luck, len(legal))])
        state.play(actions[-1])
    return StoredGame(0, seed, list(range(state.variant.shape.seats)), actions)


# ---- What games note ----


@pytest.mark.parametrize(
    ("move", "noted"),
    [
        ("take camels", {"camels taken": 3}),
        ("sell 2 leather", {"cards of a sale": 2}),
        ("exchange L M > S S", {"cards of an exchange": 2, "camels given": 1}),
        ("take silver", {}),
    ],
)
def test_jaipur_notes_sizes_of_sales_and_exchanges_and_what_camels_are_used_for(move: str, noted: dict[str, float]) -> None:
    state = meeple.new("jaipur:round", 1)
    state.data.market[:] = 0
    state.data.market[2], state.data.market[6] = 2, 3
    assert state.variant.game.noted is not None
    assert state.variant.game.noted(state.data, state.variant.parse_action(move)) == noted


@pytest.mark.parametrize(
    ("spec", "action", "noted"),
    [
        ("rake:complete", 0b011010 - 1, {"dice of a reroll": 3}),
        ("rake:complete", 63 + 0b110000 - 1, {"dice of a combination": 2}),
        ("rake:complete", 126 + 3, {"chosen: Newman": 1}),
        ("rake:complete", 135, {}),
        ("rake:complete", 141, {"passes": 1}),
        ("rake:official", 142, {"bumps used": 1}),
        ("rake:official", 157, {"acorns placed": 1}),
        ("rake:simple", 1, {"chosen: Busch": 1}),  # Elliott, the second, is left out there
        ("rake:simple", 8, {"passes": 1}),
        ("lotr:hard", 4, {"resources spent": 5, "bought: gandalf": 1}),
        ("lotr:hard", 5, {"willpower committed": 1}),
        ("lotr:hard", 18, {"lands travelled to": 1}),
        ("lotr:hard", 24, {}),
        ("lotr:hard", 25, {"attacks defended": 1}),
        ("lotr:hard", 38, {"attacks undefended": 1}),
        ("lotr:hard", 39, {}),
        ("lotr:hard", 42, {}),
        ("lotr:hard", 43, {"attackers": 1}),
        ("lotr:hard,decisions=macro", 155, {}),
    ],
)
def test_rake_and_the_lord_of_the_rings_note_what_is_decided(spec: str, action: int, noted: dict[str, float]) -> None:
    state = meeple.new(spec, 1)
    assert state.variant.game.noted is not None
    assert state.variant.game.noted(state.data, action) == noted


@pytest.mark.parametrize("spec", ["rake:complete", "rake:simple", "lotr:hard"])
def test_what_is_noted_adds_up_over_a_game(spec: str) -> None:
    """A property is chosen for no more combinations than are taken; what allies cost leaves the purse."""
    game, state = random_game(spec, 5), meeple.new(spec, 5)
    sums: dict[str, float] = {}
    paid = taken = 0
    for action in game.actions:
        found = state.variant.game.noted(state.data, action)  # type: ignore[misc]
        purse = int(state.data.resources) if "lotr" in spec else 0
        state.play(action)
        if "resources spent" in found:
            paid += purse - int(state.data.resources)
        taken += "dice of a combination" in found
        for name, number in found.items():
            sums[name] = sums.get(name, 0) + number
    if "lotr" in spec:
        assert sums["resources spent"] == paid > 0
    else:
        crossed = sum(number for name, number in sums.items() if name.startswith("chosen: "))
        assert 0 < crossed <= (len(game.actions) - sums.get("passes", 0) if spec == "rake:simple" else taken)


@pytest.mark.parametrize("actions", ["25499", "25469", "25502"])
def test_what_jaipur_calls_a_sale_leaves_the_hand(actions: str) -> None:
    game = random_game(f"jaipur:round,actions={actions}", 3)
    state, sales = meeple.new(f"jaipur:round,actions={actions}", 3), 0
    for action in game.actions:
        seat, before = state.seat, int(state.data.hand[state.seat].sum())
        noted = state.variant.game.noted(state.data, action)  # type: ignore[misc]
        state.play(action)
        if "cards of a sale" in noted:
            assert noted["cards of a sale"] == before - int(state.data.hand[seat].sum())
            sales += 1
    assert sales > 5


def test_what_splendor_notes_adds_up_to_what_lies_on_the_table_at_the_end() -> None:
    game = random_game("splendor:2", 5)
    state = meeple.new("splendor:2", 5)
    for action in game.actions:
        state.play(action)
    for seat, mine in enumerate(go_through(state.variant, game, [0, 1])):
        level = {name: sum(numbers) for name, numbers in mine.noted.items()}
        assert sum(level.get(f"cards of level {i}", 0) for i in (1, 2, 3)) == state.data.bought[seat]
        assert level.get("reserved, never bought", 0) == (state.data.reserved[seat] >= 0).sum()
        tokens = level["tokens of a take"] + level.get("cards reserved", 0) - level.get("tokens given back", 0)
        assert tokens >= state.data.tokens[seat].sum()


def test_bonuses_save_what_they_are_worth() -> None:
    state = meeple.new("splendor:2", 1)
    state.data.bonuses[0] = 7
    noted = state.variant.game.noted
    assert noted is not None
    card = int(state.data.face_up[0, 0])
    found = noted(state.data, state.variant.parse_action("buy 1-1"))
    assert found == {"cards of level 1": 1, "tokens saved by bonuses": int(COST[card].sum())}


# ---- Figures ----


def nim_game(*actions: int, number: int = 0, seating: tuple[int, int] = (0, 1)) -> StoredGame:
    return StoredGame(number, 1, list(seating), list(actions))


def test_a_game_is_gone_through_seat_by_seat_and_stage_by_stage() -> None:
    state, actions = meeple.new(NIM, 1), []
    while not state.over:
        actions.append(state.legal()[0])
        state.play(actions[-1])
    first, second = go_through(NIM, nim_game(*actions), [0, 1])
    assert sum(first.kinds.values()) + sum(second.kinds.values()) == len(actions)
    assert {kind for kind, _ in first.kinds} == {"take"}
    assert {stage for _, stage in {**first.kinds, **second.kinds}} == {0, 1, 2}
    assert first.outcomes[0] + second.outcomes[0] == 1
    (swapped,) = go_through(NIM, nim_game(*actions, seating=(1, 0)), [0, 0])
    assert sum(swapped.kinds.values()) == len(actions)  # one agent in both seats
    assert len(swapped.points) == 2


def test_means_are_over_deals() -> None:
    found = over_deals([1.0, 3.0, 10.0], [0, 0, 1])
    assert found["mean"] == 6.0  # of 2 and 10
    assert found["sd"] == pytest.approx(np.std([1, 3, 10]))
    assert over_deals([1.0], [0])["ci"] == [None, None]


def test_points_by_turn_stop_where_half_of_the_games_are_over() -> None:
    rows = [OneGame(points=[[1.0, 2.0, 9.0]]), OneGame(points=[[3.0, 4.0]]), OneGame(points=[[5.0]])]
    assert [(one["points"], one["seats"]) for one in points_by_turn(rows)] == [(3.0, 3), (3.0, 2)]


def test_figures_of_two_agents_are_their_own() -> None:
    plan = plan_style("jaipur:round", ["basic3", "random"], 8, 1)
    games = play(plan, 1)
    mine, other = figures(plan.variant, games, ["basic3", "random"])
    assert mine["games"] == other["games"] == 8
    assert mine["win_share"]["mean"] + other["win_share"]["mean"] == pytest.approx(1)
    assert sum(kind["mean"] for kind in mine["kinds"].values()) == pytest.approx(1)
    for stage in ("opening", "middle", "end"):
        assert sum(kind["by_stage"][stage] or 0 for kind in mine["kinds"].values()) == pytest.approx(1)
    by_hand = [go_through(plan.variant, game, [0, 1])[0].noted["cards of a sale"] for game in games]
    assert mine["noted"]["cards of a sale"]["mean"] == pytest.approx(np.mean([sum(sizes) for sizes in by_hand]))
    assert mine["noted"]["cards of a sale"]["times"] == pytest.approx(np.mean([len(sizes) for sizes in by_hand]))
    assert sum(mine["noted"]["cards of a sale"]["shares"].values()) == pytest.approx(1)


def test_alone_each_agent_plays_the_same_deals() -> None:
    plan = plan_style("rake:simple", ["random", "random-nopass"], 4, 1)
    games = play(plan, 1)
    assert [game.seed for game in games][0::2] == [game.seed for game in games][1::2]
    assert [style["games"] for style in figures(plan.variant, games, ["random", "random-nopass"])] == [2, 2]


# ---- Two agents ----


class Pick(Forgetful):
    """The first or the last legal action, or one by luck."""

    def __init__(self, which: int) -> None:
        self.which = which

    def choose(self, seen: Seen) -> int:
        return seen.legal[self.which if self.which else seen.seed % len(seen.legal)]


def spec(name: str, which: int) -> AgentSpec:
    return AgentSpec(AgentKind(name, "a test's", lambda _: Pick(which)))


def positions(number: int) -> list[Any]:
    games = [random_game("jaipur:round", seed)._replace(number=seed) for seed in (1, 2)]
    return sample(meeple.find_variant("jaipur:round"), games, number, 1)


def test_positions_are_decisions_with_a_choice_and_as_many_as_are_wanted() -> None:
    some = positions(7)
    assert len(some) == 7
    assert all(len(one.state.legal()) > 1 and one.state.ply == one.ply == len(one.history) for one in some)
    assert len(positions(10_000)) == len({(one.game.number, one.ply) for one in positions(10_000)}) > 50
    assert positions(0) == []
    assert compare([spec("a", 1), spec("b", 1)], [], "mcts:iterations=4", 1) is None


def test_agreement_is_counted_and_an_agent_with_luck_agrees_with_itself_less_than_always() -> None:
    judge = "mcts:iterations=20"
    same = compare([spec("a", -1), spec("b", -1)], positions(20), judge, 1)
    assert same is not None
    assert (same["same_move"]["share"], same["first_agrees_with_itself"]["share"], same["differences"]) == (1.0, 1.0, [])
    other = compare([spec("a", 0), spec("b", -1)], positions(20), judge, 1)
    assert other is not None
    assert other["same_move"]["share"] < other["same_kind"]["share"] < 1
    assert other["first_agrees_with_itself"]["share"] < 1


def test_the_positions_of_most_difference_come_with_what_a_search_expects_and_can_be_looked_at() -> None:
    searcher = "mcts:iterations=200"
    found = compare([spec("a", -1), find_agent(searcher, meeple.find_game("jaipur"))], positions(20), "mcts:iterations=20", 1)
    assert found is not None
    gaps = [one["gap"] for one in found["differences"]]
    assert gaps == sorted(gaps, reverse=True)
    assert gaps[0] > 0.05  # the last move listed is a bad one somewhere
    for one in found["differences"][:1]:
        assert set(one["expected"]) == {searcher, "mcts:iterations=20"}  # the search itself, and the judge for the other
        first, second = one["expected"][searcher]
        assert second > first
        assert one["gap"] >= second - first
        assert len(parse_record(one["record"]).moves) == one["ply"]


def figure(mean: float, half: float, sd: float = 1.0) -> dict[str, Any]:
    return {"mean": mean, "ci": [mean - half, mean + half], "sd": sd}


def test_differences_are_told_where_intervals_do_not_touch_clearest_first() -> None:
    first = {"kinds": {"sell": figure(0.5, 0.1), "take": figure(0.5, 0.1)}, "noted": {"cards": figure(9, 1, 2)}, "facts": {}}
    second = {"kinds": {"sell": figure(0.55, 0.1), "take": figure(0.2, 0.1)}, "noted": {"nobles": figure(3, 1)}, "facts": {}}
    found = differences([first, second])
    assert [one["what"] for one in found] == ["cards", "nobles", "take"]
    assert found[0]["means"] == [9, 0.0]
    styles: list[dict[str, Any]] = [one | {"points_by_turn": []} for one in (first, second)]
    told = sentences({"styles": styles, "differences": found}, ["A", "B"])
    assert "cards: 9.0 a game (A) against 0.0 (B)." in told
    assert "take: 50% of the decisions (A) against 20% (B)." in told


# ---- The command ----


def test_the_command_prints_sentences_and_draws(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = "style jaipur:round basic3 random --games 4 --positions 6 --judge mcts:iterations=4 --processes 1".split()  # noqa: SIM905
    done = call(capsys, *words, "--plot", str(tmp_path / "style.png"))
    assert done.code == 0, done.err
    assert "cards of a sale" in done.out and "they make the same move in" in done.out and "expects" in done.out
    assert (tmp_path / "style.png").stat().st_size > 10_000
    again = call(capsys, *words, "--json")
    assert json.loads(again.out)["agreement"]["positions"] == 6


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("style jaipur:round random basic3 basic2", "takes one agent or two, not 3"),
        ("style jaipur:round random basic3 --games 3", "must be a multiple of 2"),
        ("style jaipur:round random basic3 --games 2 --judge nope", "Unknown agent for jaipur 'nope'"),
        ("style jaipur:round random basic3 --games 2 --judge basic3", "tells only its move"),
    ],
)
def test_what_cannot_be_is_refused(words: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    done = call(capsys, *words.split(), "--processes", "1")
    assert done.code == 2
    assert told in done.err


def test_a_picture_of_one_agent(tmp_path: Path) -> None:
    plan = plan_style("rake:simple", ["random"], 2, 1)
    styles = figures(plan.variant, play(plan, 1), ["random"])
    result = {"variant": "rake:simple", "agents": ["random"], "clairvoyant": [False], "games": 2, "seed": 1, "styles": styles}
    draw_style(result | {"stages": ["opening", "middle", "end"]}, tmp_path / "one.png")
    assert (tmp_path / "one.png").is_file()


# ---- Of games that were played before ----


def test_a_stored_match_has_the_style_of_the_same_games_played_now(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = str(tmp_path / "games.sqlite")
    call(capsys, "match", "jaipur:round", "basic3", "random", "--games", "8", "--seed", "1", "--store", store)
    found, again = (
        json.loads(call(capsys, "style", *which, "--positions", "0", "--json").out)
        for which in (["--match", "1", "--store", store], ["jaipur:round", "basic3", "random", "--games", "8", "--seed", "1"])
    )
    assert found["styles"] == again["styles"]


def test_two_of_three_players_of_a_stored_match_are_one_agent(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = str(tmp_path / "games.sqlite")
    call(capsys, "match", "splendor:3", "greedy", "random", "random", "--games", "6", "--seed", "1", "--store", store)
    found = json.loads(call(capsys, "style", "--match", "1", "--store", store, "--positions", "0", "--json").out)
    assert found["agents"] == ["greedy", "random"]
    assert [style["win_share"]["mean"] > 1 / 3 for style in found["styles"]] == [True, False]


def test_no_such_match_and_a_game_beside_a_match_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = str(tmp_path / "games.sqlite")
    assert "no results file" in call(capsys, "style", "--match", "1", "--store", store).err
    assert "either" in call(capsys, "style", "jaipur:round", "random", "--match", "1", "--store", store).err
    assert "either" in call(capsys, "style").err
    call(capsys, "match", "splendor:3", "greedy", "random", "random-kinds", "--games", "6", "--store", store)
    assert "one agent or two, not 3" in call(capsys, "style", "--match", "1", "--store", store).err

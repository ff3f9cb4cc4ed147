"""What `import meeple` offers: objects as agents in matches, tournaments, play and environments; results that replay."""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path
from typing import Any

import pytest

import meeple
from meeple.agents.registry import agents_of
from meeple.arena.fair import Cheat

pytestmark = pytest.mark.xdist_group("jaipur")
ROUND = "jaipur:round"


class First(meeple.Agent):
    """Always the first legal move; counts what it is told and asked."""

    def __init__(self) -> None:
        self.begun = self.asked = 0
        self.plies: list[int] = []

    def begin(self, variant: meeple.Variant, seat: int) -> None:  # noqa: ARG002
        self.begun += 1
        self.plies = []

    def choose(self, seen: meeple.Seen) -> str:
        self.asked += 1
        self.plies.append(seen.ply)
        assert self.plies == sorted(self.plies)  # one game at a time: a game's plies rise
        return seen.moves[0]


class Careless(meeple.Agent):
    name = "careless"

    def choose(self, seen: meeple.Seen) -> int:
        return seen.legal[-1]


def test_an_object_plays_a_match_itself_one_game_after_another() -> None:
    first = First()
    result = meeple.match(ROUND, "random", first, games=4, seed=3)
    assert result.agents == ("random", "First")
    assert first.asked > 20
    first.asked = first.begun = 0
    again = meeple.match(ROUND, "random", first, games=4, seed=3)
    assert dataclasses.replace(again, seconds=0, figures={}) == dataclasses.replace(result, seconds=0, figures={})


def test_begin_is_called_once_a_game_and_once_a_question_of_the_fairness_check(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("meeple.front.check_strangers", lambda *_: None)
    first = First()
    meeple.match(ROUND, "random", first, games=4)
    assert first.begun == 4


def test_a_class_gives_every_table_an_agent_of_its_own_and_plays_the_same_games() -> None:
    one, many = (meeple.match(ROUND, "random", given, games=4, seed=3) for given in (First(), First))
    assert [game.actions for game in one.games] == [game.actions for game in many.games]


def test_a_result_is_frozen_and_its_games_replay() -> None:
    result = meeple.match(ROUND, "basic3", Careless(), games=10, seed=5)
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.seed = 6  # type: ignore[misc]
    assert len(result.games) == 10
    assert result.win_rate == sum(game.outcome[game.agents.index("basic3")] for game in result.games) / 10
    low, high = result.interval
    assert low <= result.win_rate <= high
    assert result.win_rates == (result.win_rate, 1 - result.win_rate)
    assert result.score_diff == pytest.approx(result.scores[0] - result.scores[1])
    for number, game in enumerate(result.games):
        record = result.record(number)
        *_, last = record.states()
        assert tuple(last.scores()) == game.scores
        assert record.players == game.agents
        assert last.end.reason == game.end
    assert "basic3: wins" in str(result)


def test_the_figures_are_those_of_the_command_line(tmp_path: Path) -> None:
    alone = meeple.match(ROUND, "random", "basic3", games=6, seed=2)
    kept = meeple.match(ROUND, "random", "basic3", games=6, seed=2, store=tmp_path / "r.sqlite")
    assert (tmp_path / "r.sqlite").is_file()
    assert alone.games == kept.games
    assert alone.figures["win_rate"] == kept.win_rate


def test_a_tournament_of_objects_and_texts() -> None:
    result = meeple.tournament(ROUND, "random", First(), First(), Careless, games=4, seed=1)
    assert set(result.agents) == {"random", "First#1", "First#2", "careless"}
    assert [rating.elo for rating in result.ratings] == sorted((rating.elo for rating in result.ratings), reverse=True)
    assert len(result.matches) == 6
    assert all(len(match.games) == 4 for match in result.matches)


def test_points_alone_and_several_seats_have_results_too() -> None:
    alone = meeple.match("rake:simple", "random", First(), games=4)
    assert alone.win_rates == () and alone.win_rate != alone.win_rate
    assert alone.score_diff == pytest.approx(alone.scores[0] - alone.scores[1])
    three = meeple.match("splendor:3", "random", First(), Careless(), games=3)
    assert sum(three.win_rates) == pytest.approx(1)
    assert three.score_diff is None


class Digger(meeple.Agent):
    """Looks for the true state behind what it is shown."""

    def choose(self, seen: meeple.Seen) -> str:
        import gc

        # By type, since asking some objects of other libraries what they are makes them warn.
        truth = [o for o in gc.get_objects() if type(o) is meeple.State and o is not seen._redealt]
        return seen.moves[sum(int(o.data.deck.astype(int) @ range(52)) for o in truth) % len(seen.moves)]


class Seer(meeple.Agent):
    """Says of itself that it may see everything; that is not its own to say."""

    clairvoyant = True

    def choose(self, seen: meeple.Seen) -> str:
        assert type(seen) is meeple.Seen
        return seen.moves[0]


def test_an_object_that_digs_for_the_truth_is_refused() -> None:
    with pytest.raises(Cheat, match="Digger decides by what its seat may not know"):
        meeple.match(ROUND, "random", Digger(), games=2)


def test_an_object_cannot_declare_itself_clairvoyant() -> None:
    assert len(meeple.match(ROUND, "random", Seer(), games=2).games) == 2
    meeple.agent(Seer(), ROUND).choose(meeple.new(ROUND, 1))


@pytest.mark.parametrize(
    ("agents", "more", "says"),
    [
        ((First(),), {}, "needs 2 agents, not 1"),
        (("random", First()), {"processes": 2}, "leave processes at 1"),
        (("random", First()), {"store": "r.sqlite"}, "leave store away"),
        (("random", 7), {}, "int has no choose"),
        (("random", lambda: 7), {}, "makes a int, which has no choose"),
        (("random", "nope"), {}, "Unknown agent"),
        (("random", "random"), {"games": 3}, "multiple of 2"),
        (("random", "random"), {"processes": 0}, "at least 1"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(agents: tuple[Any, ...], more: dict[str, Any], says: str) -> None:
    with pytest.raises(meeple.MeepleError, match=says):
        meeple.match(ROUND, *agents, **{"games": 2, **more})


def test_one_object_cannot_sit_in_two_seats() -> None:
    me = First()
    with pytest.raises(meeple.MeepleError, match=r"make two: First\(\), First\(\)"):
        meeple.match(ROUND, me, me, games=2)


def test_an_agent_at_hand_answers_the_same_question_alike_and_knows_no_more_than_its_seat() -> None:
    state = meeple.new(ROUND, seed=4)
    rival = meeple.agent("random", ROUND, seed=1)
    move = rival.choose(state)
    assert move in state.moves()
    assert all(rival.choose(state.redealt(state.seat, luck)) == move for luck in range(5))
    with pytest.raises(meeple.MeepleError, match="plays jaipur:round, not rake"):
        rival.choose(meeple.new("rake:simple"))


def test_an_agent_of_ours_helps_inside_one_of_somebodys_own() -> None:
    class Helped(meeple.Agent):
        def __init__(self) -> None:
            self.helper = meeple.agent("basic3", ROUND)

        def choose(self, seen: meeple.Seen) -> str:
            return self.helper.choose(seen)

    result = meeple.match(ROUND, Helped(), "random", games=20)
    assert result.win_rate > 0.6


def test_a_position_is_analysed() -> None:
    state = meeple.new(ROUND, seed=4)
    found = meeple.analyze(state, "mcts:iterations=30")
    assert found.best == found.moves[0].move in state.moves()
    with pytest.raises(meeple.MeepleError, match="tells only its move"):
        meeple.analyze(state, "random")


def test_an_object_is_an_opponent_in_environments() -> None:
    first = First()
    env = meeple.envs.single(ROUND, opponent=first)
    for seed in (1, 2):
        env.reset(seed=seed)
        over = False
        while not over:
            _, _, ended, cut, _ = env.step(env.legal_actions()[0])
            over = ended or cut
    assert first.begun == 2
    games = meeple.batch(ROUND, 4, opponent=Careless())  # it remembers nothing, so it may play many at once
    games.step(games.legal[:, 0])
    with pytest.raises(meeple.MeepleError, match="First remembers its game"):
        meeple.batch(ROUND, 4, opponent=first)
    meeple.batch(ROUND, 4, opponent=First)


def test_a_person_plays_against_an_object(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = iter(["1", "1", "quit"])
    monkeypatch.setattr("builtins.input", lambda _: next(lines))
    record = meeple.play(ROUND, opponent=First(), seed=7, save=tmp_path / "game.txt")
    assert record.players == ("person", "First")
    assert len(record.moves) >= 4
    assert "seat 1 (First)" in capsys.readouterr().out
    assert meeple.read_record(tmp_path / "game.txt").moves == record.moves
    assert "First" not in agents_of(meeple.find_game("jaipur"))  # lent for that game only


def test_play_is_the_room_and_the_function() -> None:
    """Whoever imports a file of the room first must not take the function away."""
    from meeple.play.session import PERSON

    assert PERSON == "person"
    assert meeple.play is sys.modules["meeple.play"]  # type: ignore[comparison-overlap]
    assert callable(meeple.play)

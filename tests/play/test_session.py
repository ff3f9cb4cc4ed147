"""A person's game without the terminal: saved, resumed, taken back, resigned."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import meeple
from meeple.agents import registry
from meeple.agents.registry import find_agent, load_code
from meeple.core.errors import MeepleError, MoveError
from meeple.core.record import read_record
from meeple.play.saves import fresh_path, newest_unfinished
from meeple.play.session import Session, begin, default_adviser, resume, seating

ROUND = meeple.find_variant("jaipur:round")
AGENTS = '''
from meeple.core.agent import AgentKind, Param

class Forgetful:
    """Counts how often it was asked."""
    def __init__(self): self.asked = 0
    def choose(self, seen):
        self.asked += 1
        return seen.legal[0]

class Faulty:
    def choose(self, seen): return 1 // 0

class Cheat:
    def choose(self, seen): return "sell 7 leather"

AGENTS = (
    AgentKind("forgetful", "", lambda variant, a, b: Forgetful(), (Param("a", 1, ""), Param("b", 2, ""))),
    AgentKind("faulty", "", lambda variant: Faulty()),
    AgentKind("cheat", "", lambda variant: Cheat()),
)
'''


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.txt"


@pytest.fixture(scope="module", autouse=True)
def _own_agents(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    file = tmp_path_factory.mktemp("code") / "own.py"
    file.write_text(AGENTS)
    names = load_code(file)
    yield
    for name in names:  # another file may bring them next time
        registry._OWN.pop(name)
        registry._FILE.pop(name)


def fresh(path: Path, opponent: str = "random", seat: int = 0, seed: int = 7) -> Session:
    session = begin(ROUND, [opponent], seat, seed, path)
    session.save()
    return session


def go_on(session: Session, plies: int) -> Session:
    """That many moves of everybody, the person's chosen by their number."""
    for _ in range(plies):
        if session.persons_turn:
            moves = session.state.moves()
            session.play(moves[(3 * session.state.ply) % len(moves)])
        elif session.running:
            session.let_agent_move()
    return session


def position(session: Session) -> bytes:
    return session.state.array.tobytes()


# ---- saving and resuming ----


def test_the_file_has_the_game_before_the_first_move_and_after_every_one(path: Path) -> None:
    session = fresh(path)
    assert "players: person, random" in path.read_text()
    for plies in range(8):
        assert read_record(path).moves == [played.move for played in session.history]
        assert len(session.history) == plies
        assert "end: still playing" in path.read_text()
        go_on(session, 1)


def test_a_resumed_game_is_in_the_same_position_and_goes_on_the_same(tmp_path: Path) -> None:
    whole = go_on(fresh(tmp_path / "whole.txt"), 500)
    assert whole.state.over
    for plies in (0, 1, 8):
        left = go_on(fresh(tmp_path / f"left{plies}.txt"), plies)
        resumed = resume(left.path)
        assert position(resumed) == position(left)
        assert resumed.news() == left.news()
        go_on(resumed, 500)
        assert left.path.read_text() == whole.path.read_text()


def test_a_game_never_begins_in_a_file_that_exists(path: Path) -> None:
    path.write_text("something dear")
    with pytest.raises(MeepleError, match="exists already"):
        begin(ROUND, [], 0, 7, path)
    assert path.read_text() == "something dear"


def test_parameters_of_an_opponent_are_resumed_too(path: Path) -> None:
    go_on(fresh(path, "forgetful:a=3,b=4"), 4)
    assert resume(path).opponents[1].settings == {"a": 3, "b": 4}


def test_a_file_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    session = begin(ROUND, [], 0, 7, tmp_path / "no" / "game.txt")
    with pytest.raises(MeepleError, match=r"cannot be saved in .*: No such file or directory"):
        session.save()


def test_whatever_damages_a_saved_game_it_is_refused_in_a_sentence_and_stays_as_it_is(path: Path) -> None:
    text = go_on(fresh(path), 6).path.read_bytes()
    truncated = [text[:end] for end in range(0, len(text) - 1, 5)]
    odd_bytes = (b"\xff", b"\n", b"9", "²".encode())
    changed = [text[:at] + odd + text[at + 1 :] for at in range(0, len(text), 9) for odd in odd_bytes]
    for wrong in (*truncated, *changed):
        path.write_bytes(wrong)
        said = trouble(path)
        assert "\n" not in said
        assert said or wrong in changed  # another digit may be another game, but a cut is always seen
        assert path.read_bytes() == wrong


def trouble(path: Path) -> str:
    """What is said against resuming; nothing if it goes on."""
    try:
        resume(path)
    except MeepleError as error:
        return str(error)
    return ""


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("person, random", "random, random", "one of them 'person', not random, random"),
        ("person, random", "person", "its players must be 2"),
        ("players: person, random\n", "", "not nobody"),
        ("person, random", "person, mine", "Unknown agent for jaipur 'mine'.*needs its --code again"),
        ("scores:", "# seat 0 resigned\nscores:", "Seat 0 resigned"),
    ],
)
def test_what_cannot_be_resumed_is_refused_with_the_reason(path: Path, old: str, new: str, why: str) -> None:
    go_on(fresh(path), 4)
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(MeepleError, match=why):
        resume(path)


def test_a_finished_game_is_not_resumed(path: Path) -> None:
    go_on(fresh(path), 500)
    with pytest.raises(MeepleError, match=r"is over .*meeple replay"):
        resume(path)


# ---- moves ----


def test_a_refused_move_changes_neither_the_game_nor_the_file(path: Path) -> None:
    session = fresh(path)
    before, text = position(session), path.read_text()
    for wrong in ("sell 7 leather", "fly"):
        with pytest.raises(MoveError):
            session.play(wrong)
    assert (position(session), path.read_text(), session.history) == (before, text, [])


def test_news_are_the_moves_of_the_others_since_the_persons_last(path: Path) -> None:
    session = fresh(path, seat=1)
    assert session.news() == []
    session.let_agent_move()
    assert [played.number for played in session.news()] == [1]
    session.play(session.state.moves()[0])
    assert session.news() == []
    session.let_agent_move()
    assert [(played.number, played.seat) for played in session.news()] == [(3, 0)]


def test_the_hint_is_legal_changes_nothing_and_follows_from_what_the_seat_may_know(path: Path) -> None:
    session = go_on(fresh(path), 6)
    before, text = position(session), path.read_text()
    adviser = find_agent("random", ROUND.game)
    hint = session.hint(adviser)
    assert hint.move in session.state.moves()
    assert hint.analysis is None  # it tells its move, not what it thinks
    assert (position(session), path.read_text()) == (before, text)
    session.state = session.state.redealt(session.seat, 12345)
    assert session.hint(adviser) == hint


def test_a_search_gives_hints_if_nobody_else_is_named(path: Path) -> None:
    assert default_adviser(fresh(path)).spec == "mcts:ms=500.0"


@pytest.mark.parametrize(
    ("agent", "why"),
    [
        ("faulty", "The agent faulty failed at move 2: ZeroDivisionError"),
        ("cheat", "The agent cheat made no legal move: 'sell 7 leather' is not legal"),
    ],
)
def test_an_agent_that_goes_wrong_is_named_and_the_game_stays(path: Path, agent: str, why: str) -> None:
    session = fresh(path, agent)
    session.play(session.state.moves()[0])
    text = path.read_text()
    with pytest.raises(MeepleError, match=why):
        session.let_agent_move()
    with pytest.raises(MeepleError):
        session.hint(find_agent(agent, ROUND.game))
    assert path.read_text() == text


# ---- undo and resign ----


def test_undo_goes_back_to_the_persons_previous_decision(path: Path) -> None:
    session = go_on(fresh(path), 4)
    before, text = position(session), path.read_text()
    go_on(session, 2)
    session.undo()
    assert (position(session), path.read_text()) == (before, text)
    assert session.persons_turn


def test_the_same_move_after_undo_gets_the_same_answer(path: Path) -> None:
    session = go_on(fresh(path), 6)
    before = position(session)
    session.undo()
    assert position(go_on(session, 2)) == before


def test_undo_goes_back_as_far_as_the_first_decision_and_keeps_what_others_did_before_it(path: Path) -> None:
    session = go_on(fresh(path, seat=1), 5)
    session.undo()
    session.undo()
    assert [played.number for played in session.history] == [1]
    with pytest.raises(MeepleError, match="nothing to take back"):
        session.undo()


def test_an_agent_does_not_remember_what_was_taken_back(path: Path) -> None:
    session = go_on(fresh(path, "forgetful"), 6)
    assert session._agents[1].asked == 3
    session.undo()
    assert session._agents[1].asked == 0


def test_a_resigned_game_remains_a_record_and_says_who_resigned(path: Path) -> None:
    session = go_on(fresh(path), 4)
    session.resign()
    assert not session.running
    assert path.read_text().endswith("\n# seat 0 resigned\n")
    assert "end: still playing" in path.read_text()
    assert len(read_record(path).moves) == 4


# ---- who sits where ----


def test_the_person_sits_where_asked_and_opponents_fill_the_other_seats() -> None:
    assert seating(ROUND, [], 0) == ("person", "random")
    assert seating(ROUND, ["forgetful:b=2,a=5"], 1) == ("forgetful:a=5", "person")


@pytest.mark.parametrize(
    ("opponents", "seat", "why"),
    [
        (["random", "random"], 0, "has 1 other seats, but 2 opponents were given"),
        ([], 2, "Unknown seat '2'; known: 0, 1"),
        (["rndom"], 0, "did you mean 'random'"),
    ],
)
def test_a_seating_that_cannot_be_is_refused(opponents: list[str], seat: int, why: str) -> None:
    with pytest.raises(MeepleError, match=why):
        seating(ROUND, opponents, seat)


# ---- the folder of games ----


def test_new_games_get_files_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    paths = set()
    for _ in range(3):
        path = fresh_path(meeple.find_variant("jaipur:round,actions=25469"))
        path.touch()
        paths.add(path)
    assert len(paths) == 3
    assert {path.parent for path in paths} == {tmp_path / "meeple" / "games"}
    assert all(path.name.startswith("jaipur_round_actions_25469_") for path in paths)


def test_the_newest_game_that_can_go_on_is_resumed_and_a_damaged_one_is_not_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with pytest.raises(MeepleError, match="There is no unfinished game"):
        newest_unfinished()
    older = go_on(fresh(fresh_path(ROUND)), 2).path
    assert newest_unfinished() == older
    go_on(fresh(fresh_path(ROUND)), 500)
    fresh(fresh_path(ROUND)).resign()
    assert newest_unfinished() == older
    damaged = fresh_path(ROUND)
    damaged.write_text("meeple rec")
    assert newest_unfinished() == damaged

"""`meeple play` as a person meets it: real processes, typed lines, a real terminal, and whatever can go wrong in between."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import meeple
from meeple.core.record import read_record
from meeple.play.session import Session, begin
from meeple.play.terminal import COMMANDS

ROUND = meeple.find_variant("jaipur:round")
DOCS = Path(__file__).parent.parent.parent / "docs"
STICKS = Path(__file__).parent.parent / "play" / "sticks"
SEED = "11"
PATIENCE = 120  # seconds until a test that waits for a process gives up; compiling may come first


@pytest.fixture
def environment(quiet_environment: dict[str, str], tmp_path: Path) -> dict[str, str]:
    return {**quiet_environment, "XDG_DATA_HOME": str(tmp_path / "data")}


@pytest.fixture
def play(environment: dict[str, str], tmp_path: Path) -> Any:
    def call(*arguments: str, typed: str = "", **more: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "meeple", "play", *arguments]
        return subprocess.run(command, input=typed, capture_output=True, text=True, env={**environment, **more}, cwd=tmp_path)

    return call


def lines(*typed: str) -> str:
    return "".join(f"{line}\n" for line in typed)


def persons_moves(session: Session) -> list[str]:
    return [played.move for played in session.history if played.seat == session.seat]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Session:
    """A game to the end, played without a terminal: the person always makes the first move of the list."""
    session = begin(ROUND, [], 0, int(SEED), tmp_path_factory.mktemp("whole") / "whole.txt")
    while session.running:
        if session.persons_turn:
            session.play(session.state.moves()[0])
        else:
            session.let_agent_move()
    return session


# ---- whole games ----


@pytest.mark.parametrize("way", ["numbers", "notation"])
def test_a_whole_game_can_be_played_by(play: Any, whole: Session, tmp_path: Path, way: str) -> None:
    moves = persons_moves(whole)
    typed = ["1"] * len(moves) if way == "numbers" else [move.upper() for move in moves]
    done = play("jaipur:round", "--seed", SEED, "--save", "game.txt", typed=lines(*typed))
    assert done.returncode == 0
    assert done.stderr == ""
    assert (tmp_path / "game.txt").read_text() == whole.path.read_text()
    assert f"The game is over: {whole.state.end.reason}." in done.stdout
    assert "You win." in done.stdout or "Seat 1 (random) wins." in done.stdout
    for seat, score in enumerate(whole.state.scores()):
        assert re.search(rf"{'you' if seat == 0 else re.escape('seat 1 (random)')} +{score:g}\n", done.stdout)
    assert "The end, you are seat 0" in done.stdout
    assert "The end, as seat 1 sees it" in done.stdout
    assert "Replay it with: meeple replay game.txt" in done.stdout


def test_a_game_for_one_is_played_without_opponents(play: Any) -> None:
    typed = lines("take 3", "hint", "undo", "3", "3", "3", "3")
    done = play("sticks", "--seed", "1", "--hint", "random", typed=typed, MEEPLE_GAMES=str(STICKS))
    assert done.returncode == 0, done.stderr
    assert "you are seat 0." in done.stdout
    assert "random would play" in done.stdout
    assert "no stick is left. You have 12 points." in done.stdout
    refused = play("sticks", "--opponent", "random", MEEPLE_GAMES=str(STICKS))
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "is played alone" in refused.stderr


def test_a_game_of_three_lists_what_both_others_did(play: Any) -> None:
    typed = lines(*["1"] * 12)
    done = play("sticks:three", "--seat", "1", "--seed", "1", typed=typed, MEEPLE_GAMES=str(STICKS))
    assert done.returncode == 0, done.stderr
    assert "you are seat 1 against seat 0 (random), seat 2 (random)." in done.stdout
    assert re.search(r"\nSeat 2 \(random\): take \d\nSeat 0 \(random\): take \d\n", done.stdout)
    assert re.search(r"(You win|wins)\.", done.stdout)


# ---- what is typed ----


def test_wrong_lines_get_a_sentence_each_and_the_game_goes_on(play: Any) -> None:
    wrong = {
        "fly away": "'fly away' is no move of jaipur:round",
        "sell 7 leather": "'sell 7 leather' is not legal now; legal are:",
        "0": "There is no move 0; the numbers go from 1 to",
        "9" * 50: "There is no move 999999999999; the numbers go",
        "²": "'²' is no move",
        "-1": "'-1' is no move",
        "undo": "There is nothing to take back",
        "hnit": "did you mean 'hint'?",
        "more": "There is no more to list",
        "moves fly": "No legal move has 'fly' in it",
        "": "Type a move, a number from 1 to",
        "[bold]x[/nothing]": "'[bold]x[/nothing]' is no move",
    }
    done = play("jaipur:round", "--seed", SEED, typed=lines(*wrong))
    assert (done.returncode, done.stderr) == (0, "")
    for (typed, answer), shown in zip(wrong.items(), done.stdout.split("\n> ")[1:], strict=False):
        echoed, said = shown.split("\n")
        assert echoed == typed
        assert answer in said
    assert done.stdout.count("Move 1, you are seat 0") == 1


def test_bytes_that_are_no_text_are_a_wrong_move(environment: dict[str, str], tmp_path: Path) -> None:
    command = [sys.executable, "-m", "meeple", "play", "jaipur:round"]
    done = subprocess.run(command, input=b"\xff\xfe\n\x00\x1b[2J\nquit\n", capture_output=True, env=environment, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.count(b"is no move of") == 2
    assert b"\x1b[2J" not in done.stdout


def test_every_command_does_what_the_help_says(play: Any, tmp_path: Path) -> None:
    typed = lines("help", "moves", "moves take", "board", "hint", "1", "undo", "1", "quit")
    done = play("jaipur:round", "--seed", SEED, "--opponent", "basic3", "--hint", "random", "--save", "game.txt", typed=typed)
    assert (done.returncode, done.stderr) == (0, "")
    answers = done.stdout.split("\n> ")[1:]
    assert all(f"\n  {word} " in answers[0] for word in COMMANDS)
    state = meeple.new("jaipur:round", int(SEED))
    assert all(f"{number} {move}" in answers[1] for number, move in enumerate(state.moves(), 1))
    assert "take" in answers[2] and "sell" not in answers[2]
    assert "Market:" in answers[3]
    advice = re.search(r"random would play (\d+): (.+)", answers[4])
    assert advice and state.moves()[int(advice[1]) - 1] == advice[2]
    assert "Move 3" in answers[5] and "Seat 1 (basic3): " in answers[5]
    assert "Back to your previous decision." in answers[6] and "Move 1" in answers[6]
    assert answers[7].splitlines()[1:] == answers[5].splitlines()[1:]
    assert "go on with: meeple play --resume game.txt" in answers[8]
    assert len(read_record(tmp_path / "game.txt").moves) == 2


def test_only_what_the_seat_may_know_is_shown(play: Any) -> None:
    done = play("jaipur:round", "--seed", SEED, "--seat", "1", typed="quit\n")
    assert "Seat 1 (you):" in done.stdout
    assert "Seat 0 (you):" not in done.stdout


def test_a_resigned_game_is_a_record_that_says_so(play: Any, tmp_path: Path) -> None:
    done = play("jaipur:round", "--seed", SEED, "--save", "game.txt", typed=lines("1", "resign", "board", "resign", "resign"))
    assert done.stdout.count("Really? Type resign again") == 2
    assert done.returncode == 0
    assert "You resigned at move 3" in done.stdout
    assert "# seat 0 resigned" in (tmp_path / "game.txt").read_text()
    assert len(read_record(tmp_path / "game.txt").moves) == 2
    again = play("--resume", "game.txt")
    assert (again.returncode, again.stdout) == (2, "")
    assert "Seat 0 resigned the game in game.txt" in again.stderr


# ---- leaving and coming back ----


def test_the_end_of_the_input_saves_and_says_how_to_go_on(play: Any, whole: Session) -> None:
    left = play("jaipur:round", "--seed", SEED, typed=lines("1", "1"))
    assert left.returncode == 0
    resuming = re.search(r"go on with: meeple play --resume (.+)\n$", left.stdout)
    assert resuming
    path = Path(resuming[1])
    assert len(read_record(path).moves) == 4
    done = play("--resume", typed=lines(*["1"] * 100))
    assert done.returncode == 0
    assert path.read_text() == whole.path.read_text()
    over = play("--resume", str(path))
    assert (over.returncode, over.stdout) == (2, "")
    assert f"is over ({whole.state.end.reason}); see it with: meeple replay" in over.stderr
    assert "There is no unfinished game in" in play("--resume").stderr


def test_a_game_killed_in_the_middle_goes_on_in_the_same_position(
    play: Any, environment: dict[str, str], tmp_path: Path, whole: Session
) -> None:
    path = tmp_path / "game.txt"
    command = [sys.executable, "-m", "meeple", "play", "jaipur:round", "--seed", SEED, "--save", "game.txt"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=environment, cwd=tmp_path) as process:
        assert process.stdin is not None
        process.stdin.write(b"1\n1\n1\n")
        process.stdin.flush()
        wait_until(lambda: path.exists() and "\n6. " in path.read_text())
        process.send_signal(signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
    moves = read_record(path).moves
    assert moves == [played.move for played in whole.history[:6]]
    shown = play("--resume", "game.txt", typed="quit\n").stdout
    assert "Move 7, you are seat 0" in shown
    assert f"Seat 1 (random): {moves[-1]}\n" in shown
    assert play("--resume", "game.txt", typed=lines(*["1"] * 100)).returncode == 0
    assert path.read_text() == whole.path.read_text()


def wait_until(condition: Any) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--resume", "damaged.txt"], "damaged.txt, line 7: '1. seat' is not '1. seat 0: MOVE'; the line seems cut off."),
        (["--resume", "nothing.txt"], "The record nothing.txt cannot be read: No such file"),
        (["--resume", "damaged.txt", "--seed", "3"], "--resume goes only with --hint and --code"),
        (["jaipur:round", "--save", "damaged.txt"], "damaged.txt exists already"),
        (["jaipur:round", "--save", "no/folder/x"], "--save no/folder/x cannot be written: there is no folder no/folder"),
        (["jaipur:round", "--opponent", "rndom"], "Unknown agent for jaipur 'rndom'; did you mean 'random'"),
        (["jaipur:round", "--hint", "rndom"], "did you mean 'random'"),
        (["jaipur:round", "--seat", "2"], "Unknown seat '2'; known: 0, 1."),
        (["jaipur:round", "--seed", "-1"], "--seed must be from 0 to 2^64 - 1, not -1."),
        (["jaipr"], "did you mean 'jaipur'"),
        ([], "Which game? There are:"),
        (["jaipur:round", "--code", "nothing.py"], "There is no file nothing.py"),
    ],
    ids=lambda x: " ".join(x) if isinstance(x, list) else "",
)
def test_what_cannot_begin_is_one_sentence_and_touches_no_file(play: Any, tmp_path: Path, arguments: list[str], why: str) -> None:
    damaged = "meeple record 1\ngame: jaipur:round\nrules: 1\nseed: 5\nplayers: person, random\n\n1. seat"
    (tmp_path / "damaged.txt").write_text(damaged)
    done = play(*arguments, typed="1\n")
    assert done.returncode == 2
    assert why in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert done.stdout == ""
    assert (tmp_path / "damaged.txt").read_text() == damaged
    found = [path for path in tmp_path.rglob("*") if path.is_file()]
    # The one common file by which two players of one game hear of each other is nobody's game.
    assert [path for path in found if path.name != "being_played"] == [tmp_path / "damaged.txt"]


def test_an_agent_of_ones_own_plays_and_its_fault_is_one_sentence(play: Any, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from meeple.core.agent import AgentKind\n"
        "class Mine:\n"
        "    def choose(self, seen):\n"
        "        return seen.moves[0] if seen.ply < 3 else 1 // 0\n"
        "AGENTS = (AgentKind('mine', 'for this test', lambda variant: Mine()),)\n"
    )
    done = play("jaipur:round", "--code", "mine.py", "--opponent", "mine", "--save", "game.txt", typed=lines("1", "1"))
    assert done.returncode == 2
    assert (
        done.stderr == "The agent mine failed at move 4: ZeroDivisionError: integer division or modulo by zero (mine.py, line 4).\n"
    )
    assert len(read_record(tmp_path / "game.txt").moves) == 3
    again = play("--resume", "game.txt")
    assert again.returncode == 2
    assert "an agent from a file of your own needs its --code again" in again.stderr


# ---- a real terminal ----


class Screen:
    """A process in a pseudo-terminal of its own, read and typed at as a person would."""

    def __init__(self, arguments: list[str], environment: dict[str, str]) -> None:
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        # The new session takes the terminal for its own, so that Ctrl-C reaches it.
        # A shell that started the tests in the background may have switched Ctrl-C off for all of them; a person's has not.
        take = (
            "import fcntl, os, signal, sys, termios; signal.signal(signal.SIGINT, signal.SIG_DFL); "
            "fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.executable, sys.argv[1:])"
        )
        command = [sys.executable, "-c", take, sys.executable, "-m", "meeple", "play", *arguments]
        self.process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, env=environment, start_new_session=True)
        os.close(slave)
        self.text = ""

    def wait_for(self, pattern: str, again: str = "") -> str:
        """All that was shown up to there, without colours. What a person would press again after a second is pressed again."""
        deadline = time.monotonic() + PATIENCE
        while not (found := re.search(pattern, self.text)):
            ready, _, _ = select.select([self.master], [], [], 1)
            assert time.monotonic() < deadline, self.text
            if not ready and again:
                self.type(again)
            new = os.read(self.master, 65536).decode(errors="replace") if ready else ""
            self.text = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", self.text + new).replace("\r\n", "\n")
        shown, self.text = self.text[: found.end()], self.text[found.end() :]
        return shown

    def type(self, keys: str) -> None:
        os.write(self.master, keys.encode())


@pytest.fixture
def screen(environment: dict[str, str]) -> Iterator[Any]:
    opened: list[Screen] = []
    unset = {"NO_COLOR", "COLUMNS"}
    terminal = {name: value for name, value in environment.items() if name not in unset} | {"TERM": "xterm-256color"}

    def open_one(*arguments: str) -> Screen:
        opened.append(Screen(list(arguments), terminal))
        return opened[-1]

    yield open_one
    for one in opened:
        one.process.kill()
        one.process.wait()
        os.close(one.master)


PROMPT = r"\n\r?> $"


def test_in_a_terminal_boards_fit_long_lists_are_paged_and_ctrl_d_leaves_with_0(screen: Any, tmp_path: Path) -> None:
    # A deal after which there is much to choose from.
    table = screen("jaipur:round", "--seed", "27", "--save", str(tmp_path / "game.txt"), "--opponent", "basic1")
    board = [line for line in table.wait_for(PROMPT).splitlines() if "│" in line]
    assert board and {len(line) for line in board} == {80}
    table.type("take camels\r")
    assert "Seat 1 (basic1) is thinking" in table.wait_for(PROMPT)
    table.type("moves\r")
    assert "more lines: type more" in table.wait_for(PROMPT)
    table.type("more\r")
    assert table.wait_for(PROMPT).count(" > ") > 5
    table.type("\x04")
    assert "go on with: meeple play --resume" in table.wait_for(r"game.txt\n")
    assert table.process.wait(PATIENCE) == 0


def test_in_a_terminal_ctrl_c_saves_and_leaves_with_130(screen: Any, tmp_path: Path) -> None:
    table = screen("jaipur:round", "--seed", SEED, "--save", str(tmp_path / "game.txt"))
    table.wait_for(PROMPT)
    table.type("1\r")
    table.wait_for(PROMPT)
    table.type("half a move")
    table.wait_for("half a move")
    table.type("\x03")
    # Python sees a Ctrl-C that comes just before it waits for a key only with the next key; a person presses it again.
    assert "go on with: meeple play --resume" in table.wait_for(r"game.txt\n", again="\x03")
    assert table.process.wait(PATIENCE) == 130
    assert len(read_record(tmp_path / "game.txt").moves) == 2


# ---- the page ----


def test_the_page_explains_every_command_and_option(play: Any) -> None:
    page = (DOCS / "play.md").read_text()
    options = re.findall(r"--[a-z]+", play("--help").stdout)
    for word in {*(f"`{name}" for name in COMMANDS), *options} - {"--help"}:
        assert word in page, word

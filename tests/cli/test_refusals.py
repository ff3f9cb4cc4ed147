"""Wrong numbers, names and files are refused in a sentence before any work is done."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from meeple.arena import match as arena
from meeple.cli.options import command
from meeple.core import cache
from meeple.core.errors import MeepleError
from meeple.lab import solve
from meeple.play.saves import claim
from tests.cli.commands import call

ROOT = Path(__file__).parent.parent.parent
RECORD = str(ROOT / "examples" / "jaipur_round.txt")
SEED = "--seed must be from 0 to 2^64 - 1, not"

REFUSED = {
    "simulate jaipur --seed -5": SEED,
    "check jaipur --seed -5": SEED,
    "bench jaipur --seed -5": SEED,
    f"analyze {RECORD} --seed -5": SEED,
    "match jaipur:round random random --seed -5": SEED,
    "tournament jaipur:round random basic3 --seed 18446744073709551616": SEED,
    "ladder jaipur:round mcts --seed -5": SEED,
    "tune jaipur:round advanced1 --out t.json --seed -5": SEED,
    "solve rake:simple --seed -5": SEED,
    "study jaipur:round --seed -5": SEED,
    "exploit jaipur:round random --seed -5": SEED,
    "play jaipur --seed -5": SEED,
    "simulate jaipur --games -1": "--games must be from 1 to 1,000,000,000, not -1.",
    "match jaipur:round random random --games 0": "--games must be from 1",
    "match jaipur:round random random --games 99999999999999999999": "--games must be from 1",
    "study jaipur:round --games 0": "--games must be from 1",
    "solve rake:simple --games 0": "--games must be from 1",
    "tune jaipur:round advanced1 --out t.json --generations 0": "--generations must be from 1",
    "tune jaipur:round advanced1 --out t.json --step nan": "--step must be above 0 and at most 1, not nan.",
    "tune jaipur:round advanced1 --out t --method grid": "--method grid needs --space",
    "tune jaipur:round advanced1 --out t --space no.toml": "Unknown search space, nor a file 'no.toml'",
    "tune jaipur advanced1 --out t --space obrien-5.2 --method guess": "Unknown method of tuning 'guess'",
    "tune jaipur advanced1 --out t --space obrien-5.2 --set k9=1": "Unknown parameter of advanced1 'k9'",
    "tune jaipur advanced1 --out t --space obrien-5.2 --set k1": "'k1' is no setting; write it as --set NAME=VALUE.",
    "tune jaipur advanced1 --out t --space obrien-5.2 --minutes 0": "--minutes must be above 0",
    "match jaipur:round random random --ray 127.0.0.1:1024": "Nobody answers at 127.0.0.1:1024",
    "match jaipur:round random random --ray=nonsense": "--ray nonsense is no address of a cluster",
    "match jaipur:round @no.toml random": "There is no file no.toml to read an agent from.",
    "ladder jaipur:round mcts --from nan": "--from must be above 0",
    "ladder jaipur:round mcts --from inf": "--from must be above 0",
    "ladder jaipur:round mcts --rungs 1": "--rungs must be from 2 to 24, not 1.",
    "match jaipur:round random random --processes -1": "--processes must be from 0 to 1,024, not -1.",
    "check jaipur --audit -1": "--audit must be from 0",
    "exploit jaipur:round random --iterations -1": "--iterations must be from 1 to 1,000,000,000, not -1.",
    "exploit jaipur:round random --ms 0": "--ms must be above 0",
    "exploit jaipur:round random --ms inf": "--ms must be above 0",
    f"analyze {RECORD} --ms nan": "--ms must be above 0",
    f"analyze {RECORD} --top -1": "--top must be from 0",
    "match jaipur:round mcts:ms=inf random": "mcts's parameter ms must be from 0 to 1e+09, not inf.",
    "match jaipur:round mcts:c=nan random": "mcts's parameter c must be from 0",
    "match jaipur:round random random --plot /": "--plot / cannot be written: it is a folder",
    "match jaipur:round random random --plot box.foo": "its name must end in one of:",
    "match jaipur:round random random --plot box": "its name must end in one of:",
    "study jaipur:round --plot no/box.png": "there is no folder no.",
    "ladder jaipur:round mcts --plot no/box.png": "there is no folder no.",
    "simulate jaipur --save no/x.txt": "there is no folder no.",
    "simulate jaipur --save .": "it is a folder",
    f"replay {RECORD} --save no/x.txt": "there is no folder no.",
    "play jaipur --save no/x.txt": "there is no folder no.",
    "tune jaipur:round advanced1 --out no/x.json": "there is no folder no.",
    "solve rake:simple --out .": "it is a folder",
    "crown jaipur:round training/jaipur-round/ppo.safetensors --search c": "memory=1 or bank=1, not 'c'",
    "solve rake:simple --fit": "name their file with --out",
    "solve rake:simple --fit --rounds 0 --out t.csv": "--rounds must be from 1",
    "solve rake:simple --fit --agent random --out t.csv": "leave one of the two out",
    "solve rake:official-2 --fit --out t.csv": "what has: rake:complete, rake:simple, rake:official",
    "solve jaipur --fit --out t.csv": "no evaluation that could be fitted",
    "match jaipur:round random random --store .": "it is a folder",
    "match jaipur:round random random --store file/x.sqlite": "there is no folder file.",
    "solve rake:simple --agent nope": "Unknown agent for rake 'nope'",
    "solve rake:simple --agent mcts:select=nope": "Unknown select of mcts 'nope'",
    "solve rake:simple --agent mcts:policy=nope": "Unknown agent for rake 'nope'",
    "lab run": "Which experiments?",
    "lab run nothing-like-it": "Unknown experiment 'nothing-like-it'",
    "lab do": "Unknown thing that the lab does 'do'",
    "lab run godlewski-3.2 --all": "--all means every experiment",
    "lab list --seeds -1": "--seeds must be from 0",
    "list games jaipur": "'jaipur' means nothing behind games",
    "list agents nothing-like-it": "Unknown agent, game or word of an agent",
}


@pytest.mark.parametrize("arguments", REFUSED)
def test_it_is_refused_before_any_work(
    arguments: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def work(*_: object, **__: object) -> None:
        raise AssertionError("work was begun")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr(arena, "played", work)
    monkeypatch.setattr(solve, "solve", work)
    monkeypatch.setattr("meeple.lab.simulate.simulate", work)
    (tmp_path / "file").write_text("")
    done = call(capsys, *arguments.split())
    assert done.code == 2, done.err
    assert REFUSED[arguments] in done.err
    assert len(done.err.strip().splitlines()) == 1
    assert done.out == ""
    assert {path.name for path in tmp_path.iterdir()} == {"file"}


def test_a_results_file_may_lie_in_folders_that_are_still_to_be_made(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    store = tmp_path / "some" / "new" / "r.sqlite"
    done = call(capsys, "match", "jaipur:round", "random", "random", "--games", "2", "--processes", "1", "--store", str(store))
    assert done.code == 0, done.err
    assert store.is_file()


def test_a_game_is_played_by_one_process_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    hold = "import sys; from pathlib import Path; from meeple.play.saves import claim; claim(Path(sys.argv[1])); print(1); input()"
    game = tmp_path / "game.txt"
    other = subprocess.Popen(
        [sys.executable, "-c", hold, str(game)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ}
    )
    assert other.stdin is not None
    assert other.stdout is not None
    assert other.stdout.readline() == "1\n"
    with pytest.raises(MeepleError, match="is being played already"):
        claim(game)
    claim(tmp_path / "another.txt")
    other.communicate("\n")
    claim(game)


def test_resuming_what_somebody_plays_is_refused_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quiet_environment: dict[str, str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    claim(tmp_path / "game.txt")
    arguments = [sys.executable, "-m", "meeple", "play", "--resume", str(tmp_path / "game.txt")]
    environment = {**quiet_environment, "XDG_DATA_HOME": str(tmp_path)}
    done = subprocess.run(arguments, capture_output=True, text=True, env=environment, input="")
    assert done.returncode == 2
    assert "is being played already" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_cache_that_cannot_be_written_is_told_once_at_the_end(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "trouble", ["/full (No space left on device)", "/full (No space left on device)"])
    done = call(capsys, "list")
    assert done.code == 0
    assert done.err.count("could not be kept in /full (No space left on device)") == 1


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    done = call(capsys, "--version")
    assert done.code == 0
    assert done.out.startswith("meeple 0.")


def test_a_command_is_quoted_for_the_shell() -> None:
    assert command("replay", match=1, store=Path("my results"), code=[Path("a b.py")], plot=None) == (
        "meeple replay --match 1 --store 'my results' --code 'a b.py'"
    )
